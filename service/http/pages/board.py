"""A position as a page shows it: the board, the seats, and everything else in words."""

from markupsafe import Markup
from msgspec import Struct

from records.games.candidate import Candidate
from records.games.html import Html, tag
from records.games.page_panels import PagePanels, page_panels
from records.games.state import GameState
from rules.kernel.display import EMBLEM, DrawnPlace, Highlights, VectorImage
from rules.kernel.svg import FONT, element


class SeatRow(Struct, frozen=True):
    """One row of the table of seats."""

    name: str
    facts: tuple[tuple[str, str], ...]
    """Labels and values."""
    holds: tuple[str, ...]


class BoardView(Struct, frozen=True):
    """A position, in words; its drawings are apart."""

    position: str
    turn: str
    caution: str
    seats: tuple[SeatRow, ...]


class BoardDrawing(Struct, frozen=True):
    """The drawings of a position, as HTML."""

    board: Markup
    """Empty where the game has no board of cells."""
    beside: tuple[Markup, ...]
    emblems: tuple[Markup, ...]
    """Of the seats and other owners, in the order of their rows."""
    caution: str = ""
    """What the components are not, where they are invented."""


def board_view(state: GameState, position: str) -> BoardView:
    """A state that the viewer may see, in words, and the position of it as one line."""
    display = state.display
    rows = tuple(SeatRow(name, tuple(note.facts), tuple(note.holds)) for name, note in display.owners())
    return BoardView(position, display.turn(), display.caution(), rows)


def board_drawing(
    state: GameState, highlights: Highlights[Candidate], label: str, *, to_play: bool = False
) -> BoardDrawing:
    """The drawings; all text in them comes from the game, none from a record.

    A board to play on has its cells as elements that can be pointed at.
    """
    display = state.display
    panels = display.panels(highlights)
    shown = page_panels(panels) if panels else PagePanels(display.picture(highlights), ())
    return BoardDrawing(
        Markup() if shown.board is None else _svg(shown.board, label, to_play=to_play),
        tuple(map(_markup, shown.beside)),
        tuple(_emblem(note.emblem) for _, note in display.owners()),
        display.caution(),
    )


def _svg(image: VectorImage, label: str, *, to_play: bool) -> Markup:
    box = f"0 0 {image.width} {image.height}"
    drawing = Html("".join((*image.parts, *(_place(place) for place in image.places if to_play))))
    return _markup(tag("svg", drawing, viewBox=box, role="img", aria_label=label, font_family=FONT))


def _place(place: DrawnPlace) -> str:
    side = place.side
    return element(
        "rect", class_="place", data_place=place.name, x=place.left, y=place.top, width=side, height=side
    )


def _emblem(parts: str) -> Markup:
    half = EMBLEM // 2 + 2
    box = f"{-half} {-half} {2 * half} {2 * half}"
    return _markup(
        tag("svg", Html(parts), viewBox=box, font_family=FONT, class_="emblem", aria_hidden="true")
    )


def _markup(html: Html) -> Markup:
    return Markup(html)  # noqa: S704 - Html is escaped where it is built
