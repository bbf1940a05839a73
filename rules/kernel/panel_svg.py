"""Panels as a vector drawing, one below the other in a stated width."""

from collections.abc import Iterable, Iterator, Mapping
from textwrap import wrap
from typing import Final, TypeAlias, assert_never

from rules.kernel.cells import cell_at
from rules.kernel.display import EMBLEM, VectorImage
from rules.kernel.panels import (
    LAST,
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
from rules.kernel.plan import (
    DARK,
    EDGE,
    LEFT,
    SIDE,
    TOP,
    complaint,
    coordinates,
    corner,
    crossed,
    drawn_places,
    frame,
    middle,
    outline,
)
from rules.kernel.seat_colours import ALARM
from rules.kernel.squares import Square
from rules.kernel.svg import element, group

WIDE: Final = 720
"""Units that a picture is wide, unless it is asked for in another width."""

_PAD: Final = 8
_SIZE: Final = 13
_LINE: Final = 18
_BELOW: Final = 20
"""Height of a line below a grid."""
_NARROWEST: Final = 100
"""Width of a column in which words of the games still fit; narrower ones are given up."""
_ADVANCE: Final = 0.62
_BOLD: Final = 0.76
"""Width of a character of the usual font by its size, at most on average; text cannot be measured here."""

Fitted: TypeAlias = tuple[int, int, list[str]]
"""Width, height and elements, from 0, 0."""


def picture_panels(panels: Iterable[Panel], width: int = WIDE) -> VectorImage:
    """All panels; a grid that is wider than the width is drawn smaller. A lone grid has no margins."""
    panels = tuple(panels)
    if len(panels) == 1 and isinstance(panels[0], Grid) and not panels[0].title:
        across, down, inner = _grid(panels[0], width)
        places = drawn_places(sorted(panels[0].squares), min(1.0, width / _width(panels[0])))
        return VectorImage(across, down, tuple(inner), tuple(places))
    parts: list[str] = []
    top = widest = 0
    for panel in panels:
        if panel.title:
            for line in _wrapped(panel.title, width - 2 * _PAD, bold=True):
                top += _LINE
                parts.append(_text(line, _PAD, top, bold=True))
            top += _PAD
        across, down, inner = _panel(panel, width - 2 * _PAD)
        parts.append(group(inner, transform=f"translate({_PAD} {top})"))
        top += down + _PAD
        widest = max(widest, across + 2 * _PAD)
    return VectorImage(max(widest, 1), max(top, 1), tuple(parts))


def _panel(panel: Panel, width: int) -> Fitted:
    match panel:
        case Grid():
            return _grid(panel, width)
        case Track():
            return _flowing([_space(space, width) for space in panel.spaces], width)
        case HandPanel():
            tokens = panel.tokens or (PanelToken("-"),)
            return _flowing([_token(token) for token in tokens], width)
        case Market():
            across = _column(panel.columns, width)
            if across >= _NARROWEST:
                return _in_columns(panel, across)
            return _flowing([_card(card, width) for card in panel.cards], width)
        case SeatTable():
            return _flowing(list(_owners(panel, width)), width)
        case _:
            assert_never(panel)


def _flowing(blocks: list[Fitted], width: int) -> Fitted:
    """Blocks side by side, and below each other where there is no room."""
    parts: list[str] = []
    left = top = down = widest = 0
    for across, high, inner in blocks:
        if left and left + across > width:
            left, top, down = 0, top + down + _PAD, 0
        parts.append(group(inner, transform=f"translate({left} {top})"))
        left += across + _PAD
        down = max(down, high)
        widest = max(widest, left - _PAD)
    return widest, top + down, parts


def _column(columns: int, width: int) -> int:
    """The width of each of several columns; 0 without columns."""
    return (width - _PAD * (columns - 1)) // columns if columns else 0


def _in_columns(panel: Market, across: int) -> Fitted:
    """Cards of one width, in rows that are as high as their highest card."""
    parts: list[str] = []
    top = 0
    for first in range(0, len(panel.cards), panel.columns):
        cards = panel.cards[first : first + panel.columns]
        texts = [_inside(_card_lines(card), card.tokens, card.look, across) for card in cards]
        down = max(high for _, high, _ in texts)
        for place, (card, (_, _, inner)) in enumerate(zip(cards, texts, strict=True)):
            box = _box(across, down, card.look, card.pointed_out)
            parts.append(group([*box, *inner], transform=f"translate({place * (across + _PAD)} {top})"))
        top += down + _PAD
    return (across + _PAD) * panel.columns - _PAD, max(top - _PAD, 0), parts


# Boxes with text.


def _wrapped(text: str, width: int, *, bold: bool) -> list[str]:
    return wrap(text, max(4, int(width / (_SIZE * (_BOLD if bold else _ADVANCE))))) or [""]


def _long(text: str, *, bold: bool) -> int:
    return round(len(text) * _SIZE * (_BOLD if bold else _ADVANCE))


def _text(text: str, x: int, y: int, *, bold: bool = False, fill: str = DARK) -> str:
    weight = "bold" if bold else "normal"
    return element("text", text, x=x, y=y, font_size=_SIZE, font_weight=weight, fill=fill)


def _box(across: int, down: int, look: Look, pointed_out: str) -> list[str]:
    stroke = DARK if pointed_out in ("", LAST) else ALARM
    return [
        element(
            "rect",
            width=across,
            height=down,
            rx=4,
            fill=look.fill,
            stroke=stroke,
            stroke_width=3 if pointed_out else 1,
        )
    ]


def _token(token: PanelToken) -> Fitted:
    text = f"{token.text}{token.pointed_out}"
    across, down = _long(text, bold=True) + 2 * _PAD, _LINE + _PAD
    label = _text(text, _PAD, _LINE, bold=True, fill=token.look.text)
    return across, down, [*_box(across, down, token.look, token.pointed_out), label]


def _inside(lines: list[tuple[str, bool]], tokens: tuple[PanelToken, ...], look: Look, width: int) -> Fitted:
    """Lines of text with tokens below them, and the size of the box around them."""
    inner: list[str] = []
    down = widest = 0
    for text, bold in lines:
        for line in _wrapped(text, width - 2 * _PAD, bold=bold):
            down += _LINE
            inner.append(_text(line, _PAD, down, bold=bold, fill=look.text))
            widest = max(widest, _long(line, bold=bold))
    if tokens:
        across, high, placed = _flowing([_token(token) for token in tokens], width - 2 * _PAD)
        inner.append(group(placed, transform=f"translate({_PAD} {down + _PAD})"))
        down, widest = down + _PAD + high, max(widest, across)
    return widest + 2 * _PAD, down + _PAD, inner


def _block(
    lines: list[tuple[str, bool]], tokens: tuple[PanelToken, ...], look: Look, pointed_out: str, width: int
) -> Fitted:
    across, down, inner = _inside(lines, tokens, look, width)
    return across, down, [*_box(across, down, look, pointed_out), *inner]


def _space(space: Space, width: int) -> Fitted:
    lines = [(f"{space.label}{space.pointed_out}", True)]
    if space.note:
        lines.append((space.note, False))
    return _block(lines, space.tokens, space.look, space.pointed_out, width)


def _card_lines(card: PanelCard) -> list[tuple[str, bool]]:
    """Each with whether it is bold."""
    return [(f"{card.title}{card.pointed_out}", True), *((line, False) for line in card.lines)]


def _card(card: PanelCard, width: int) -> Fitted:
    return _block(_card_lines(card), card.tokens, card.look, card.pointed_out, width)


def _owners(panel: SeatTable, width: int) -> Iterator[Fitted]:
    """A block for each owner, all of one width, so that no column is ever cut off."""
    facts = [
        [f"{label} {value}" for label, value in zip(panel.labels, owner.values, strict=True)]
        for owner in panel.owners
    ]
    lengths = [_long(line, bold=False) for lines in facts for line in lines]
    lengths += [_long(owner.name, bold=True) for owner in panel.owners]
    across = min(width, max(lengths, default=0) + EMBLEM + 3 * _PAD)
    left = across - EMBLEM - 3 * _PAD
    blocks = [
        [
            (line, not place)
            for place, text in enumerate((owner.name, *lines))
            for line in _wrapped(text, left, bold=not place)
        ]
        for owner, lines in zip(panel.owners, facts, strict=True)
    ]
    down = _LINE * max((len(block) for block in blocks), default=0) + _PAD
    for owner, block in zip(panel.owners, blocks, strict=True):
        inner = [group([owner.emblem], transform=f"translate({_PAD + EMBLEM // 2} {EMBLEM // 2 + 4})")]
        inner += [
            _text(line, EMBLEM + 2 * _PAD, _LINE * (place + 1), bold=bold)
            for place, (line, bold) in enumerate(block)
        ]
        yield across, down, [*_box(across, down, Look("#ffffff", DARK), ""), *inner]


# Grids.


def _width(panel: Grid) -> int:
    return LEFT + SIDE * panel.size.width + EDGE


def _grid(panel: Grid, width: int) -> Fitted:
    across = _width(panel)
    board = TOP + SIDE * panel.size.height + EDGE
    below = panel.lines_below()
    down = board + _BELOW * len(below) + (EDGE // 2 if below else 0)
    inner = [coordinates(panel.size.width, panel.size.height)]
    inner += _drawn(panel) if panel.drawn else _plain(panel)
    inner += [
        element("text", line.strip(), x=LEFT, y=board + _BELOW * number + 8, font_size=_SIZE, fill=DARK)
        for number, line in enumerate(below)
    ]
    if across <= width:
        return across, down, inner
    scale = width / across
    return width, round(down * scale), [group(inner, transform=f"scale({scale:.4f})")]


def _drawn(panel: Grid) -> Iterator[str]:
    """What the game has drawn, and over it what is pointed out."""
    yield from panel.drawn
    if panel.marks.last:
        yield from frame(panel.marks.last, DARK)
    if panel.marks.refused:
        yield from frame(panel.marks.refused, ALARM)
        yield from crossed(panel.marks.refused)
    for cell in panel.marks.wrong:
        yield from complaint(cell)


def _plain(panel: Grid) -> Iterator[str]:
    within = {cell_at(row, column) for row in range(panel.size.height) for column in range(panel.size.width)}
    squares = {cell: square for cell, square in sorted(panel.pointed_out().items()) if cell in within}
    yield from _squares(squares)
    yield from _outlines(squares)


def _squares(squares: Mapping[int, Square]) -> Iterator[str]:
    for cell, square in squares.items():
        x, y = corner(cell)
        fill = square.style.back or "#ffffff"
        yield element("rect", x=x, y=y, width=SIDE, height=SIDE, fill=fill, stroke="#ffffff", stroke_width=1)
        if square.text.strip():
            across, down = middle(cell)
            yield element(
                "text",
                square.text.strip(),
                x=across,
                y=down + 5,
                fill=square.style.fore or DARK,
                font_size=15,
                font_weight="bold" if square.style.bold else "normal",
                text_anchor="middle",
            )


def _outlines(squares: Mapping[int, Square]) -> Iterator[str]:
    """Lines round what belongs together, then round what is pointed out."""
    regions: dict[tuple[str, int], list[int]] = {}
    framed: dict[int, list[int]] = {}
    for cell, square in squares.items():
        if square.region is not None:
            regions.setdefault(square.region, []).append(cell)
        if square.framed:
            framed.setdefault(square.framed, []).append(cell)
    for cells in regions.values():
        yield element("path", d=outline(cells, 1), fill="none", stroke=DARK, stroke_width=2)
    for which, cells in sorted(framed.items()):
        yield from frame(cells, DARK if which == 1 else ALARM)
