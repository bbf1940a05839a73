"""Panels in coloured text: readable without the colours, and no wider than the terminal."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from textwrap import wrap
from typing import Final, assert_never

from rules.kernel.display import Span, StyledLine, TerminalSize, TextStyle
from rules.kernel.panels import (
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
from rules.kernel.squares import WRONG, lay_out

_NARROWEST: Final = 20
_GAP: Final = 2
_BETWEEN: Final = " │ "
"""Between columns of cards."""
_NARROWEST_COLUMN: Final = 13
"""Characters of a column in which words of the games still fit; narrower ones are given up."""
_TITLE: Final = TextStyle(bold=True)


def styled_panels(panels: Iterable[Panel], room: TerminalSize) -> tuple[StyledLine, ...]:
    """All panels, one below the other, with an empty line between them."""
    width = max(room.columns, _NARROWEST)
    styled: list[StyledLine] = []
    for panel in panels:
        if styled:
            styled.append(())
        if panel.title:
            styled += [(Span(line, _TITLE),) for line in wrap(panel.title, width)]
        styled += _panel(panel, TerminalSize(width, room.rows))
    return tuple(styled)


def plain_panels(panels: Iterable[Panel], columns: int) -> str:
    """The same without colours."""
    styled = styled_panels(panels, TerminalSize(columns))
    return "\n".join("".join(span.text for span in line).rstrip() for line in styled)


def _panel(panel: Panel, room: TerminalSize) -> Iterator[StyledLine]:
    match panel:
        case Grid():
            yield from _grid(panel, room)
        case Track():
            yield from _flowing([_space(space) for space in panel.spaces], room.columns)
        case HandPanel():
            tokens = [[_token(token)] for token in panel.tokens]
            yield from _flowing(tokens or [[Span("-")]], room.columns)
        case Market():
            yield from _market(panel, room.columns)
        case SeatTable():
            yield from _table(panel, room.columns)
        case _:
            assert_never(panel)


def _grid(panel: Grid, room: TerminalSize) -> Iterator[StyledLine]:
    below = panel.lines_below()
    left = TerminalSize(room.columns, None if room.rows is None else room.rows - len(below))
    longest = 4 if panel.size.has_room_for_frames(left) else 3
    squares = {
        cell: square
        if len(square.text) <= longest
        else replace(square, text=f"{square.text[: longest - 1]}+")
        for cell, square in panel.pointed_out().items()
    }
    yield from lay_out(panel.size, squares, left)
    yield from ((Span(line),) for line in below)


def _text_style(look: Look, pointed_out: str) -> TextStyle:
    return WRONG if pointed_out and pointed_out != "*" else TextStyle(look.text, look.fill)


def _token(token: PanelToken) -> Span:
    return Span(f"{token.text}{token.pointed_out}", _text_style(token.look, token.pointed_out))


def _space(space: Space) -> list[Span]:
    """'3[1▲ 2▲]', with what the space gives after it."""
    spans = [Span(f"{space.label}{space.pointed_out}", _text_style(space.look, space.pointed_out))]
    if space.tokens:
        spans.append(Span("["))
        for place, token in enumerate(space.tokens):
            spans += [Span(" "), _token(token)] if place else [_token(token)]
        spans.append(Span("]"))
    if space.note:
        spans.append(Span(f" {space.note}"))
    return spans


def _flowing(groups: list[list[Span]], width: int) -> Iterator[StyledLine]:
    """Groups one after the other, as many to a line as there is room for."""
    line: list[Span] = []
    used = 0
    for spans in groups:
        size = sum(len(span.text) for span in spans)
        if line and used + _GAP + size > width:
            yield tuple(line)
            line, used = [], 0
        if line:
            line.append(Span(" " * _GAP))
            used += _GAP
        if size > width:
            yield from _cut(spans, width)
            continue
        line += spans
        used += size
    if line:
        yield tuple(line)


def _cut(spans: list[Span], width: int) -> Iterator[StyledLine]:
    """What is longer than a line, in several."""
    for text in wrap("".join(span.text for span in spans), width):
        yield (Span(text),)


def _market(panel: Market, width: int) -> Iterator[StyledLine]:
    """Cards below each other, or in columns where the market has them and there is room."""
    columns = panel.columns
    across = (width - len(_BETWEEN) * (columns - 1)) // columns if columns else 0
    if across < _NARROWEST_COLUMN:
        for card in panel.cards:
            yield from _card(card, width)
        return
    for first in range(0, len(panel.cards), columns):
        if first:
            yield (Span(_BETWEEN.replace(" ", "─").replace("│", "┼").join(["─" * across] * columns)),)
        cards = [list(_narrow(card, across)) for card in panel.cards[first : first + columns]]
        for at in range(max(map(len, cards))):
            spans: list[Span] = []
            for place, lines in enumerate(cards):
                line = lines[at] if at < len(lines) else ()
                left = across - sum(len(span.text) for span in line)
                spans += [*([Span(_BETWEEN)] if place else ()), *line, Span(" " * left)]
            yield tuple(spans)


def _narrow(card: PanelCard, width: int) -> Iterator[StyledLine]:
    """A card in a column, with its tokens below its text."""
    style = _text_style(card.look, card.pointed_out)
    yield from ((Span(line, style),) for line in wrap(f"{card.title}{card.pointed_out}", width))
    for text in card.lines:
        yield from ((Span(line),) for line in wrap(text, width, subsequent_indent=" "))
    yield from _flowing([[_token(token)] for token in card.tokens], width)


def _card(card: PanelCard, width: int) -> Iterator[StyledLine]:
    head = [Span(f"{card.title}{card.pointed_out}", _text_style(card.look, card.pointed_out))]
    for token in card.tokens:
        head += [Span(" "), _token(token)]
    yield from _flowing([head], width)
    for text in card.lines:
        yield from ((Span(f"  {line}"),) for line in wrap(text, width - 2))


def _table(panel: SeatTable, width: int) -> Iterator[StyledLine]:
    rows = [("", *panel.labels), *((owner.name, *owner.values) for owner in panel.owners)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    if sum(widths) + _GAP * (len(widths) - 1) <= width:
        for place, row in enumerate(rows):
            cells = (f"{value:<{size}}" for value, size in zip(row, widths, strict=True))
            yield (Span((" " * _GAP).join(cells).rstrip(), _TITLE if not place else TextStyle()),)
        return
    for owner in panel.owners:
        yield from ((Span(line, _TITLE),) for line in wrap(owner.name, width))
        for label, value in zip(panel.labels, owner.values, strict=True):
            yield from ((Span(line),) for line in wrap(f"  {label} {value}", width, subsequent_indent="    "))
