"""`shiji perft`: counts sequences of legal moves."""

import sys
from collections.abc import Iterable
from typing import Final

import click

from records.games.bound import BoundGame
from records.games.registry import UnknownGame, find_game
from records.games.state import GameState
from rules.kernel.edition import EditionKey, UnknownEdition, UnknownOption
from rules.kernel.setup import BadSetup, Setup
from rules.kernel.text import Unreadable
from tools.laws.setups import SEAT_NAMES, usual_components, usual_seat_count
from tools.terminal.output import is_terminal

_SEAT_COUNT: Final = click.IntRange(1, len(SEAT_NAMES))
"""Type of --seats."""


@click.command(epilog="Example: shiji perft --board bird --seats 2 --depth 2 --divide")
@click.option("--game", "key", default="qin", show_default=True, help="A game listed by `shiji games`.")
@click.option("--board", metavar="BOARD", help="Board or component set; the first of the game if omitted.")
@click.option("--seats", type=_SEAT_COUNT, help="Number of seats; the fewest for two or more if omitted.")
@click.option("--edition", metavar="EDITION", help="Edition of the rules; the one of a new match if omitted.")
@click.option(
    "--option",
    "options",
    metavar="NAME=VALUE",
    multiple=True,
    help="Option of the rulebook that differs from its default. May be repeated.",
)
@click.option("--position", metavar="LINE", help="A position to count from, instead of the start of a match.")
@click.option("--depth", required=True, type=click.INT, help="Number of moves in a sequence.")
@click.option("--divide", "divided", is_flag=True, help="Also print the count for each first move.")
def command(  # noqa: PLR0913, PLR0917 - one parameter per option
    key: str,
    board: str | None,
    seats: int | None,
    edition: str | None,
    options: tuple[str, ...],
    position: str | None,
    depth: int,
    *,
    divided: bool,
) -> None:
    """Count the sequences of legal moves from the start of a match, or from a position.

    For Qin, only placements are counted: every seat always holds all six kinds of tile, nothing is drawn, and
    the supply of twelve tiles per kind is not limited. For other games, all entries are counted, including
    those of chance; draws are unrecorded. The count is the last line printed.
    """
    try:
        game = find_game(key)
    except UnknownGame as fault:
        raise click.BadParameter(str(fault), param_hint="'--game'") from None
    if not 0 <= depth <= game.deepest:
        why = f"{depth} is not in the range 0<=x<={game.deepest}."
        raise click.BadParameter(why, param_hint="'--depth'")
    if position is None:
        state = _start(game, board, seats, edition, options)
    elif edition is None and not options:
        state = _read_position(game, position)
    else:
        raise click.UsageError("a position states its own edition and options")
    if depth == 0 or not (divided or is_terminal(sys.stderr)):
        click.echo(state.perft.count(depth))
        return
    total = 0
    for move, count in _with_progress(state.perft.divide(depth), state):
        total += count
        if divided:
            click.echo(f"{move}: {count}")
    click.echo(total)


def _start(
    game: BoundGame, board: str | None, seats: int | None, edition: str | None, options: tuple[str, ...]
) -> GameState:
    key = game.about.editions[-1].key if edition is None else EditionKey(edition)
    chosen = tuple(read_option(option) for option in options)
    components = usual_components(game.game) if board is None else board
    count = usual_seat_count(game.game, key) if seats is None else seats
    try:
        return game.start(Setup(key, SEAT_NAMES[:count], components, options=chosen))
    except BadSetup as fault:
        hint = {"seats": "'--seats'", "options": "'--option'"}.get(fault.field, "'--board'")
        raise click.BadParameter(str(fault), param_hint=hint) from None
    except UnknownEdition as fault:
        raise click.BadParameter(str(fault), param_hint="'--edition'") from None
    except UnknownOption as fault:
        raise click.BadParameter(str(fault), param_hint="'--option'") from None


def read_option(text: str) -> tuple[str, str]:
    """An argument of --option."""
    name, _, value = text.partition("=")
    if not (name and value):
        raise click.BadParameter(f"{text!r} is not NAME=VALUE", param_hint="'--option'")
    return name, value


def _read_position(game: BoundGame, position: str) -> GameState:
    try:
        return game.read_position(position)
    except Unreadable as fault:
        why = f"{fault.why} (column {fault.column})"
        raise click.BadParameter(why, param_hint="'--position'") from None


def _with_progress(counts: Iterable[tuple[str, int]], state: GameState) -> Iterable[tuple[str, int]]:
    """The same counts, with a progress bar if standard error is a terminal."""
    if not is_terminal(sys.stderr):
        return counts
    from rich import console, progress  # noqa: PLC0415 - slow to import, and a pipe does not need them

    return progress.track(
        counts, "counting", state.perft.count(1), transient=True, console=console.Console(stderr=True)
    )
