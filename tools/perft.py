"""`shiji perft`: counts sequences of legal placements."""

import sys
from collections.abc import Iterable
from typing import Final

import click

from rules.kernel.setup import BadSetup, Setup
from rules.qin.moves import PlaceTile
from rules.qin.notation import write_placement
from rules.qin.perft import divide, perft
from rules.qin.rulebook import QIN_1
from rules.qin.start import start
from rules.qin.state import ALLOTMENT, State
from rules.qin.tiles import TILES
from tools.output import is_terminal

_NAMES: Final = ("first", "second", "third", "fourth")


@click.command(epilog="Example: shiji perft --board bird --seats 2 --depth 2 --divide")
@click.option("--board", required=True, metavar="BOARD", help="By name, or as map:ROW/ROW/…")
@click.option(
    "--seats", required=True, type=click.IntRange(min(ALLOTMENT), max(ALLOTMENT)), help="How many seats."
)
@click.option(
    "--depth",
    required=True,
    type=click.IntRange(0, TILES),
    help="How many placements a sequence has.",
)
@click.option("--divide", "divided", is_flag=True, help="Print the count below each first placement, too.")
def command(board: str, seats: int, depth: int, *, divided: bool) -> None:
    """Count the sequences of legal placements from the start of a match of Qin.

    Every seat holds all six kinds of tile at all times; nothing is drawn, and no kind runs out after twelve
    tiles. The count is the last line printed.
    """
    try:
        state = start(Setup(QIN_1, _NAMES[:seats], board))
    except BadSetup as fault:
        raise click.BadParameter(str(fault), param_hint="'--board'") from None
    if depth == 0 or not (divided or is_terminal(sys.stderr)):
        click.echo(perft(state, depth))
        return
    total = 0
    for move, count in _watched(divide(state, depth), state):
        total += count
        if divided:
            click.echo(f"{write_placement(move)}: {count}")
    click.echo(total)


def _watched(counts: Iterable[tuple[PlaceTile, int]], state: State) -> Iterable[tuple[PlaceTile, int]]:
    """The same counts, with a progress bar where somebody watches."""
    if not is_terminal(sys.stderr):
        return counts
    from rich import console, progress  # noqa: PLC0415 - a pipe need not wait for their import

    return progress.track(
        counts, "counting", perft(state, 1), transient=True, console=console.Console(stderr=True)
    )
