"""`shiji boards`: lists the boards that this build knows, with their sources."""

from collections.abc import Iterator

import click

from records.games.bound import BoundGame
from records.games.registry import GAMES
from rules.kernel.display import BoardInfo
from rules.kernel.setup import BadSetup, ComponentSet
from rules.kernel.text import Unreadable
from tools.terminal.output import BLANK, Line, show, show_json


@click.command(epilog="Example: shiji boards bird")
@click.argument("name", metavar="[NAME]", required=False)
@click.option("--json", "as_objects", is_flag=True, help="Print one JSON object per line.")
def command(name: str | None, *, as_objects: bool) -> None:
    """List the boards that this build knows, or draw one.

    NAME is the name of a board or of a component set, or a map of your own as map:ROW/ROW/…
    """
    boards = list(_shipped()) if name is None else [_find(name)]
    for game, board in boards:
        if as_objects:
            show_json(_as_json(game, board))
        else:
            show(_as_lines(game, board))
            show([Line(f"shiji boards {board.name}", "next", 2)] if name is None else _drawing(board))
    if name is None and not as_objects:
        show([BLANK, Line("Where a game has maps, any other board can be given as one: map:ROW/ROW/…")])


def _shipped() -> Iterator[tuple[BoundGame, BoardInfo]]:
    for game in GAMES:
        for known in game.about.components:
            yield game, game.board_info(known.name)


def _find(name: str) -> tuple[BoundGame, BoardInfo]:
    """The board in the first game that has it; the error is the first game's."""
    faults: list[str] = []
    for game in GAMES:
        try:
            return game, game.board_info(name)
        except BadSetup as fault:
            faults.append(str(fault))
        except Unreadable as fault:
            faults.append(f"{fault.why} (column {fault.column})")
    raise click.BadParameter(faults[0], param_hint="NAME")


def _shipped_set(game: BoundGame, board: BoardInfo) -> ComponentSet | None:
    """The component set of a board that this build ships; None for a map given by the user."""
    return next((known for known in game.about.components if known.name == board.name), None)


def _as_json(game: BoundGame, board: BoardInfo) -> dict[str, object]:
    known = _shipped_set(game, board)
    return {
        "game": game.about.key,
        "board": board.name,
        **dict(board.counts),
        "provenance": known.provenance if known else None,
        "verified": known.verified if known else None,
        "notes": list(known.notes) if known else [],
        "map": board.map,
    }


def _as_lines(game: BoundGame, board: BoardInfo) -> Iterator[Line]:
    known = _shipped_set(game, board)
    yield Line(f"{known.name if known else 'your map'} ({game.about.title})", style="bold")
    yield Line(board.size, "size", 2)
    if known is None:
        return
    yield Line(
        "yes" if known.verified else "no, nobody has compared it with the printed board", "verified", 2
    )
    yield Line(known.provenance, "source", 2)
    for note in known.notes:
        yield Line(note, "note", 2)


def _drawing(board: BoardInfo) -> Iterator[Line]:
    """The map with its coordinates, and a legend of its letters; nothing for a game without a map."""
    if not board.map:
        return
    rows = board.map.split("/")
    yield BLANK
    yield Line(" ".join(chr(ord("a") + column) for column in range(len(rows[0]))), indent=6, wraps=False)
    for number, row in enumerate(rows, start=1):
        yield Line(f"{number:>3} {' '.join(row)}", indent=2, wraps=False)
    yield BLANK
    yield Line(board.key, indent=2)
