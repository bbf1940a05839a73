"""The panels of a game on a page: the board as a drawing, everything else as text that flows."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from records.games.html import Html, tag
from rules.kernel.display import VectorImage
from rules.kernel.panel_svg import picture_panels
from rules.kernel.panels import (
    PLAIN,
    Grid,
    HandPanel,
    Look,
    Market,
    Panel,
    PanelCard,
    PanelToken,
    SeatTable,
    Space,
    Track,
)
from rules.kernel.svg import element


@dataclass(frozen=True, slots=True)
class PagePanels:
    """What a page shows of a position, apart from its seats."""

    board: VectorImage | None
    """The first grid; None if the game has no board of cells."""
    beside: tuple[Html, ...]
    """Everything else, in order."""


def page_panels(panels: Sequence[Panel]) -> PagePanels:
    """Divides panels into the board and what flows beside it."""
    board = next((panel for panel in panels if isinstance(panel, Grid)), None)
    drawing = None if board is None else picture_panels([replace(board, title="", below=())])
    return PagePanels(drawing, tuple(_beside(panels, board)))


def _beside(panels: Sequence[Panel], board: Grid | None) -> Iterator[Html]:
    for panel in panels:
        if panel is not board:
            title = tag("h3", panel.title) if panel.title else None
            yield tag("section", title, _content(panel), class_="panel")
        if isinstance(panel, Grid):
            yield from (tag("p", line, class_="below") for line in panel.below)


def _drawing(panel: Grid) -> Html:
    drawn = picture_panels([replace(panel, title="", below=())])
    box = f"0 0 {drawn.width} {drawn.height}"
    return tag("svg", Html("".join(drawn.parts)), viewBox=box, role="img", aria_label=panel.title or "Board")


def _content(panel: Panel) -> Html:
    match panel:
        case Grid():
            return _drawing(panel)
        case Track():
            return tag("ul", *(_space(space) for space in panel.spaces), class_="track")
        case HandPanel():
            return _tokens(panel.tokens or (PanelToken("-"),))
        case Market():
            columns = f" columns columns-{panel.columns}" if panel.columns else ""
            return tag("ul", *(_card(card) for card in panel.cards), class_=f"market{columns}")
        case SeatTable():
            return tag("ul", *(_owner(panel.labels, owner.name, owner.values) for owner in panel.owners))
        case _:
            assert_never(panel)


def _tokens(tokens: Sequence[PanelToken]) -> Html:
    return tag("ul", *(_token(token) for token in tokens), class_="tokens")


def _token(token: PanelToken) -> Html:
    return tag(
        "li",
        _swatch(token.look),
        token.text + token.pointed_out,
        class_=_class(token.pointed_out),
        data_place=token.place or None,
    )


def _space(space: Space) -> Html:
    return tag(
        "li",
        _swatch(space.look),
        tag("b", space.label + space.pointed_out),
        f" {space.note}" if space.note else None,
        _tokens(space.tokens) if space.tokens else None,
        class_=_class(space.pointed_out),
        data_place=space.place or None,
    )


def _card(card: PanelCard) -> Html:
    return tag(
        "li",
        _swatch(card.look),
        tag("b", card.title + card.pointed_out),
        *(tag("p", line) for line in card.lines),
        _tokens(card.tokens) if card.tokens else None,
        class_=_class(card.pointed_out),
        data_place=card.place or None,
    )


def _owner(labels: Sequence[str], name: str, values: Sequence[str]) -> Html:
    facts = ", ".join(f"{label} {value}" for label, value in zip(labels, values, strict=True))
    return tag("li", tag("b", name), f" {facts}")


def _swatch(look: Look) -> Html | None:
    """The colours of a thing that has its own, beside its text: never its only sign."""
    if look == PLAIN:
        return None
    square = element("rect", width=10, height=10, rx=2, fill=look.fill, stroke=look.text)
    return tag("svg", Html(square), viewBox="-1 -1 12 12", class_="swatch", aria_hidden="true")


def _class(pointed_out: str) -> str | None:
    return "pointed-out" if pointed_out else None
