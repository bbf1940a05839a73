"""Plays matches of Khan with random players that prefer certain moves, and writes golden transcripts.

An existing transcript is never written again: every later build must verify it.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeAlias

import click

from rules.kernel.setup import Draws, Setup
from rules.khan.events import (
    ActionForfeited,
    ConquestProposed,
    ConsentRefused,
    DeckReshuffled,
    Event,
    FinalPhaseTriggered,
    PiecePlaced,
    SpecialUsed,
)
from rules.khan.game import KHAN
from rules.khan.moves import (
    Agree,
    Chase,
    Conquer,
    DrawCard,
    Explore,
    Invade,
    InvadeAnywhere,
    InvokeProtection,
    InvokeSupport,
    Move,
    RaiseMorale,
    Refuse,
)
from rules.khan.rulebook import KHAN_1
from rules.khan.state import State
from tools.dev import golden_matches

_NAMES: Final = ("red", "yellow", "blue", "green")
"""Names of the seats, in seat order."""

# Kinds of move that each style of player prefers.
_BUILDERS: Final = (Conquer, Agree)
_GUARDS: Final = (InvokeProtection, InvokeSupport, Explore, Conquer)
_HUNTERS: Final = (Chase, RaiseMorale)
_SETTLERS: Final = (Invade, InvadeAnywhere)


Played: TypeAlias = golden_matches.Played[State, Event]


@dataclass(frozen=True, slots=True)
class Case:
    """A match to play."""

    seats: int = 2
    draws: Draws = Draws.UNRECORDED
    rulings: tuple[tuple[str, str], ...] = ()
    preferred: tuple[type[Move], ...] = ()
    """Kinds of move that are chosen three times in four, if possible."""
    cards_named: bool = True
    """Whether recorded draws name every card."""
    stop: int = 1000
    """Maximum number of entries."""
    seed: int = 0
    wanted: Callable[[Played], bool] = lambda _: True
    """Seeds are tried from `seed` on until a match satisfies this."""

    @property
    def setup(self) -> Setup:
        """The setup of the match."""
        return Setup(KHAN_1, _NAMES[: self.seats], "khan-reference-0", self.draws, self.rulings)


def _in_actions(played: Played) -> bool:
    return any(isinstance(event, FinalPhaseTriggered) and event.in_actions for event in played.events)


def _shared_by_three(played: Played) -> bool:
    return any(isinstance(event, PiecePlaced) and len(event.owners) > len("ab") for event in played.events)


def _shared_victory(played: Played) -> bool:
    outcome = KHAN.outcome(played.end)
    return outcome is not None and len(outcome.winners) > 1


def _all_specials(played: Played) -> bool:
    return len({event.special for event in played.events if isinstance(event, SpecialUsed)}) == len("MPSE")


RECORDED: Final = Draws.RECORDED
"""Short for the cases below."""

CASES: Final = {
    "two-random": Case(seed=1),
    "three-random": Case(3, seed=2),
    "four-random": Case(4, seed=3),
    "two-recorded": Case(draws=RECORDED, seed=4),
    "three-recorded": Case(3, draws=RECORDED, seed=5),
    "four-recorded": Case(4, draws=RECORDED, seed=6),
    "three-recorded-partly": Case(3, draws=RECORDED, cards_named=False, seed=7),
    "two-builders": Case(preferred=_BUILDERS, seed=8),
    "three-builders": Case(3, preferred=_BUILDERS, seed=9),
    "four-builders": Case(4, preferred=_BUILDERS, draws=RECORDED, seed=10),
    "two-settlers": Case(preferred=_SETTLERS, seed=11),
    "four-settlers": Case(4, preferred=_SETTLERS, draws=RECORDED, seed=12),
    "hunters": Case(3, preferred=_HUNTERS, seed=13, wanted=_in_actions),
    "trigger-in-step-1": Case(preferred=_SETTLERS, seed=14, wanted=lambda played: not _in_actions(played)),
    "guards": Case(4, preferred=_GUARDS, draws=RECORDED, seed=15, wanted=_all_specials),
    "consent-given": Case(
        3, preferred=(*_GUARDS, Agree), seed=16, wanted=lambda played: played.has(ConquestProposed)
    ),
    "consent-refused": Case(
        preferred=(*_GUARDS, Refuse), seed=17, wanted=lambda played: played.has(ConsentRefused)
    ),
    "shared-by-three": Case(4, preferred=_BUILDERS, seed=18, wanted=_shared_by_three),
    "shared-victory": Case(4, seed=19, wanted=_shared_victory),
    "reshuffled-twice": Case(
        4, preferred=_HUNTERS, draws=RECORDED, seed=20, wanted=lambda p: p.end.shuffles > 1
    ),
    "reshuffled-unrecorded": Case(4, seed=21, wanted=lambda played: played.has(DeckReshuffled)),
    "action-forfeited": Case(seed=22, wanted=lambda played: played.has(ActionForfeited)),
    "last-yurt-flees": Case(3, rulings=(("last-camp-yurt", "flee"),), preferred=_HUNTERS, seed=23),
    "five-opening-rounds": Case(rulings=(("opening-rounds", "5"),), draws=RECORDED, seed=24),
    "river-by-corners": Case(4, rulings=(("river-cells", "corner"),), preferred=_SETTLERS, seed=25),
    "any-water": Case(rulings=(("bridge-water", "at-least-one"),), preferred=_BUILDERS, seed=26),
    "unfinished": Case(3, draws=RECORDED, stop=60, seed=27),
    "nothing-played": Case(stop=0),
}
"""The matches to play, by the names of their transcripts."""


def play(case: Case, seed: int) -> Played:
    """Play the match of a seed."""
    return golden_matches.play_match(KHAN, case, seed, partial(_choose, case))


def _choose(case: Case, moves: Sequence[Move], chance: random.Random) -> Move:
    """Choose a kind of move first, then a move: otherwise nearly all would be invasions."""
    if case.cards_named:
        moves = [move for move in moves if move != DrawCard(None)]
    preferred = [move for move in moves if isinstance(move, case.preferred)] if case.preferred else []
    choices = preferred if preferred and chance.randrange(4) else moves
    return golden_matches.by_kind(choices, chance)


@click.command()
def main() -> None:
    """Play and write the golden transcripts that do not exist yet."""
    folder = golden_matches.GOLDEN / "khan"
    golden_matches.write_missing(folder, KHAN, CASES, lambda name, seed: play(CASES[name], seed))


if __name__ == "__main__":
    main()
