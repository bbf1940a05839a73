"""`shiji boards`: the boards that this build knows, and where we have them from."""

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
@click.option("--json", "as_objects", is_flag=True, help="Print one JSON object a line.")
def command(name: str | None, *, as_objects: bool) -> None:
    """List the boards that this build knows, or draw one.

    NAME is the name of a board or of a component set, or a map of your own as map:ROW/ROW/…
    """
    boards = list(_shipped()) if name is None else [_find(name)]
    for game, sight in boards:
        if as_objects:
            show_json(_as_json(game, sight))
        else:
            show(_as_lines(game, sight))
            show([Line(f"shiji boards {sight.name}", "next", 2)] if name is None else _drawn(sight))
    if name is None and not as_objects:
        show([BLANK, Line("Where a game has maps, any other board can be given as one: map:ROW/ROW/…")])


def _shipped() -> Iterator[tuple[BoundGame, BoardInfo]]:
    for game in GAMES:
        for known in game.about.components:
            yield game, game.sight(known.name)


def _find(name: str) -> tuple[BoundGame, BoardInfo]:
    """The board of the first game that has it; the first one's fault where none has."""
    faults: list[str] = []
    for game in GAMES:
        try:
            return game, game.sight(name)
        except BadSetup as fault:
            faults.append(str(fault))
        except Unreadable as fault:
            faults.append(f"{fault.why} (column {fault.column})")
    raise click.BadParameter(faults[0], param_hint="NAME")


def _printed(game: BoundGame, sight: BoardInfo) -> ComponentSet | None:
    """What is known of a board that the build ships; None for one that was given."""
    return next((known for known in game.about.components if known.name == sight.name), None)


def _as_json(game: BoundGame, sight: BoardInfo) -> dict[str, object]:
    printed = _printed(game, sight)
    return {
        "game": game.about.key,
        "board": sight.name,
        **dict(sight.counts),
        "provenance": printed.provenance if printed else None,
        "verified": printed.verified if printed else None,
        "notes": list(printed.notes) if printed else [],
        "map": sight.map,
    }


def _as_lines(game: BoundGame, sight: BoardInfo) -> Iterator[Line]:
    printed = _printed(game, sight)
    yield Line(f"{printed.name if printed else 'your map'} ({game.about.title})", style="bold")
    yield Line(sight.size, "size", 2)
    if printed is None:
        return
    yield Line(
        "yes" if printed.verified else "no, nobody has compared it with the printed board", "verified", 2
    )
    yield Line(printed.provenance, "source", 2)
    for note in printed.notes:
        yield Line(note, "note", 2)


def _drawn(sight: BoardInfo) -> Iterator[Line]:
    """The map with its coordinates, and what its marks mean."""
    rows = sight.map.split("/")
    yield BLANK
    yield Line(" ".join(chr(ord("a") + column) for column in range(len(rows[0]))), indent=6, wraps=False)
    for number, row in enumerate(rows, start=1):
        yield Line(f"{number:>3} {' '.join(row)}", indent=2, wraps=False)
    yield BLANK
    yield Line(sight.key, indent=2)
