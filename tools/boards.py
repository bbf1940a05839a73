"""`shiji boards`: the boards that this build knows, and where we have them from."""

from collections.abc import Iterator

import click

from rules.kernel.setup import BadSetup, ComponentSet
from rules.kernel.text import Unreadable
from rules.qin.board import Board
from rules.qin.components import BOARDS, MAP_PREFIX, find_board
from rules.qin.game import QIN
from tools.output import BLANK, Line, plural, show, show_json


@click.command(epilog="Example: shiji boards bird")
@click.argument("name", metavar="[NAME]", required=False)
@click.option("--json", "as_objects", is_flag=True, help="Print one JSON object a line.")
def command(name: str | None, *, as_objects: bool) -> None:
    """List the boards that this build knows, or draw one.

    NAME is the name of a board, or a map of your own as map:ROW/ROW/…
    """
    boards = [find_board(board.name) for board in BOARDS] if name is None else [_find(name)]
    for board in boards:
        if as_objects:
            show_json(_as_json(board))
        else:
            show(_as_lines(board))
            show([Line(f"shiji boards {board.name}", "next", 2)] if name is None else _drawn(board))
    if name is None and not as_objects:
        show([BLANK, Line(f"Any other board can be given as a map: {MAP_PREFIX}ROW/ROW/…")])


def _find(name: str) -> Board:
    try:
        return find_board(name)
    except BadSetup as fault:
        raise click.BadParameter(str(fault), param_hint="NAME") from None
    except Unreadable as fault:
        raise click.BadParameter(f"{fault.why} (column {fault.column})", param_hint="NAME") from None


def _printed(board: Board) -> ComponentSet | None:
    """What is known of a board that the build ships; None for a map that was given."""
    return next((known for known in BOARDS if known.name == board.name), None)


def _as_json(board: Board) -> dict[str, object]:
    printed = _printed(board)
    return {
        "game": QIN.about.key,
        "board": board.name,
        "columns": board.width,
        "rows": board.height,
        "villages": len(board.villages),
        "provenance": printed.provenance if printed else None,
        "verified": printed.verified if printed else None,
        "notes": list(printed.notes) if printed else [],
        "map": board.map,
    }


def _as_lines(board: Board) -> Iterator[Line]:
    printed = _printed(board)
    yield Line(f"{printed.name if printed else 'your map'} ({QIN.about.title})", style="bold")
    starts = sum(of_colour.bit_count() for of_colour in board.starts)
    yield Line(
        f"{board.width} × {board.height} cells, {board.steppe.bit_count()} of them steppe,"
        f" {plural(starts, 'start', 'starts')}, {plural(len(board.villages), 'village', 'villages')}",
        "size",
        2,
    )
    if printed is None:
        return
    yield Line(
        "yes" if printed.verified else "no, nobody has compared it with the printed board", "verified", 2
    )
    yield Line(printed.provenance, "source", 2)
    for note in printed.notes:
        yield Line(note, "note", 2)


def _drawn(board: Board) -> Iterator[Line]:
    """The map with its coordinates, and what its marks mean."""
    yield BLANK
    yield Line(" ".join(chr(ord("a") + column) for column in range(board.width)), indent=6, wraps=False)
    for number, row in enumerate(board.map.split("/"), start=1):
        yield Line(f"{number:>3} {' '.join(row)}", indent=2, wraps=False)
    yield BLANK
    yield Line(
        ". steppe, ~ blocked, R Y B a start of that colour, a-z a village (one letter for all its cells)",
        indent=2,
    )
