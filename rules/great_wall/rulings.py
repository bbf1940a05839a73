"""Every question that the rulebook leaves open, its readings, and those that a match has chosen."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from rules.great_wall.settled_rulings import SETTLED
from rules.kernel.edition import Reading, Ruling, UnknownRuling, chosen

_OPEN: Final = (
    Ruling(
        "reed-counts",
        "AMB-01, AMB-03, AMB-15",
        "Does the Reed Clan count as a player for the shame pool, raids and the hordes of a co-op start?",
        (
            Reading(
                "no", "No: with two players the pool is 20, a raid removes 2, and co-op starts with 3 hordes."
            ),
            Reading("yes", "Yes: the pool is 30, a raid removes 3, and co-op starts with 4 hordes."),
        ),
        "L307 speaks of players, Reed never has shame (L876) and one player gets 10 (L933); L863 has the "
        "table laid as for three players.",
    ),
    Ruling(
        "strategy-spaces",
        "AMB-04",
        "May fewer than four clans use the fourth space of the strategy track?",
        (
            Reading("four", "Yes: spaces 1 to 4 are free to all."),
            Reading("players", "No: there are as many spaces as clans with a card, Reed and Qin included."),
        ),
        "By L783 any free space may be taken, and only the fifth is kept back, by L375.",
    ),
    Ruling(
        "double-build",
        "AMB-12",
        "May two clerks build two parts of one section in the same resolution?",
        (
            Reading("yes", "Yes, the second on top of the first."),
            Reading("no", "No: one part of a section in a resolution."),
        ),
        "What happens together is paid for together; nothing says that it must be in different sections.",
    ),
    Ruling(
        "pool-empty",
        "AMB-16",
        "Does the match end if the shame pool was empty and tokens came back before the check?",
        (
            Reading("at-check", "No: the pool is looked at only in the check at the end of Winter."),
            Reading("latched", "Yes: once it has been empty, the next check ends the match. Not in co-op."),
        ),
        "L835 looks at the conditions only then, and L771 returns tokens to the pool.",
    ),
    Ruling(
        "qin-order",
        "AMB-27",
        "In which order do Qin's locations activate on his turn?",
        (
            Reading("lowest", "From the lowest of his track to the highest."),
            Reading("highest", "From the highest to the lowest, as an erratum is said to have it."),
        ),
        "L1000 prints it so, and L1002 agrees.",
    ),
    Ruling(
        "qin-fill",
        "AMB-28",
        "In which order does Qin fill the spots of a horde?",
        (
            Reading("columns", "Column by column, each from top to bottom."),
            Reading("rows", "Row by row, each from left to right."),
        ),
        "L1012 names top to bottom before left to right.",
    ),
    Ruling(
        "coop-pool",
        "AMB-32",
        "Co-op: is the match lost if the pool is exactly empty at the end check?",
        (
            Reading("loss", "Yes, unless enough requests are fulfilled."),
            Reading("on", "No: only a gain from an empty pool loses."),
        ),
        "L1491-L1493, the quick reference, takes back only the end by finished walls.",
    ),
    Ruling(
        "coop-claim",
        "AMB-58",
        "Co-op: does a claimed horde pay its printed reward?",
        (
            Reading("nothing", "No: the reward counts at the end, and co-op has no scoring."),
            Reading("reward", "Yes, at once."),
        ),
        "L390 knows the reward only at the end of the game.",
    ),
)
RULINGS: Final = tuple(sorted((*_OPEN, *SETTLED), key=lambda ruling: ruling.ambiguity))


@dataclass(frozen=True, slots=True)
class Rulings:
    """The readings in force, as the reducer asks for them."""

    given: tuple[tuple[str, str], ...] = ()
    """Those that differ from the default, sorted by name."""
    reed_counts: bool = False
    spaces_by_clans: bool = False
    """strategy-spaces: players"""
    double_build: bool = True
    latched: bool = False
    """pool-empty: latched"""
    highest_first: bool = False
    """qin-order: highest"""
    fill_rows: bool = False
    """qin-fill: rows"""
    empty_pool_goes_on: bool = False
    """coop-pool: on"""
    claims_pay: bool = False
    """coop-claim: reward"""


def read_rulings(given: Iterable[tuple[str, str]], *, coop: bool) -> Rulings:
    """The rulings of a match header; raises UnknownRuling."""
    made = chosen(RULINGS, given)
    in_force = made.in_force
    latched = in_force["pool-empty"] == "latched"
    if latched and coop:
        raise UnknownRuling("pool-empty", "pool-empty=latched is not for co-op, which has coop-pool")
    return Rulings(
        given=made.given,
        reed_counts=in_force["reed-counts"] == "yes",
        spaces_by_clans=in_force["strategy-spaces"] == "players",
        double_build=in_force["double-build"] == "yes",
        latched=latched,
        highest_first=in_force["qin-order"] == "highest",
        fill_rows=in_force["qin-fill"] == "rows",
        empty_pool_goes_on=in_force["coop-pool"] == "on",
        claims_pay=in_force["coop-claim"] == "reward",
    )
