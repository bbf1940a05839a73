"""Plays matches of Zhanguo with random players that prefer certain moves, and writes golden transcripts.

An existing transcript is never written again: every later build must verify it.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeAlias

import click

from rules.kernel.setup import Draws, Setup
from rules.zhanguo import events as e
from rules.zhanguo import moves as m
from rules.zhanguo.game import ZHANGUO
from rules.zhanguo.rulebook import ZHANGUO_1
from rules.zhanguo.state import State
from tools.dev import golden_matches

_NAMES: Final = ("green", "violet", "amber", "white")
_SOLO: Final = ("green", "li-si")

# Kinds of move that each style of player prefers.
_BUILDERS: Final = (m.BuildPalace, m.BuildWall, m.Install, m.Hire, m.PlaceSoldier, m.Activate, m.PlayAtCourt)
_UNIFIERS: Final = (m.Unify, m.Accept, m.Pay, m.PlaceSoldier)
_SAILORS: Final = (m.Search, m.PlaceAlchemist, m.TakeMaster, m.Activate, m.PlayAtCourt)
_RECRUITERS: Final = (m.Recruit, m.Install, m.Activate, m.PlayAtCourt)
_HOARDERS: Final = (m.Unify, m.Pass, m.Done)


Played: TypeAlias = golden_matches.Played[State, e.Event]


@dataclass(frozen=True, slots=True)
class Case:
    """A match to play."""

    seats: tuple[str, ...] = _NAMES[:2]
    draws: Draws = Draws.UNRECORDED
    rulings: tuple[tuple[str, str], ...] = ()
    options: tuple[tuple[str, str], ...] = ()
    preferred: tuple[type[m.Move], ...] = ()
    """Kinds of move that are chosen four times in five, if possible."""
    cards_named: bool = True
    """Whether recorded draws name every card."""
    half_named: bool = False
    """Whether every other one does, by chance."""
    stop: int = 11_000
    """Maximum number of entries."""
    seed: int = 0
    wanted: Callable[[Played], bool] = lambda _: True
    """Seeds are tried from `seed` on until a match satisfies this."""

    @property
    def setup(self) -> Setup:
        """The setup of the match."""
        return Setup(ZHANGUO_1, self.seats, "zhg-ref-1", self.draws, self.rulings, self.options)


def _shared(played: Played) -> bool:
    outcome = ZHANGUO.outcome(played.end)
    return outcome is not None and len(outcome.winners) > 1


def _solo(level: int, **given: str) -> tuple[tuple[str, str], ...]:
    return tuple(sorted({"rival": f"li-si-{level}", **given}.items()))


def _human_wins(played: Played) -> bool:
    outcome = ZHANGUO.outcome(played.end)
    return outcome is not None and outcome.winners == (0,)


def _doubted(played: Played) -> bool:
    """Whether a seat plays a card that the record has in another hand."""
    holders: dict[int, int] = {}
    doubted = False
    for event in played.events:
        if isinstance(event, e.CardDrawn) and event.card is not None:
            holders[event.card] = event.seat
        elif isinstance(event, e.CardUnified | e.CardPlayedAtCourt):
            doubted = doubted or holders.get(event.card, event.seat) != event.seat
    return doubted


RECORDED: Final = Draws.RECORDED
"""Short for the cases below."""
_THREE, _FOUR = _NAMES[:3], _NAMES

CASES: Final = {
    "two-random": Case(seed=1),
    "three-random": Case(_THREE, seed=2),
    "four-random": Case(_FOUR, seed=3),
    "two-recorded": Case(draws=RECORDED, seed=4),
    "three-recorded": Case(_THREE, draws=RECORDED, seed=5),
    "four-recorded": Case(_FOUR, draws=RECORDED, seed=6),
    "three-recorded-partly": Case(_THREE, draws=RECORDED, cards_named=False, seed=7),
    "three-hands-doubted": Case(
        _THREE, draws=RECORDED, cards_named=False, half_named=True, seed=33, wanted=_doubted
    ),
    "two-builders": Case(preferred=_BUILDERS, seed=8),
    "three-builders": Case(_THREE, preferred=_BUILDERS, seed=9),
    "four-builders": Case(_FOUR, draws=RECORDED, preferred=_BUILDERS, seed=10),
    "two-unifiers": Case(preferred=_UNIFIERS, seed=11),
    "four-unifiers": Case(_FOUR, preferred=_UNIFIERS, seed=12),
    "three-sailors": Case(_THREE, preferred=_SAILORS, options=(("table", "T2"),), seed=13),
    "four-recruiters": Case(_FOUR, preferred=_RECRUITERS, options=(("table", "T3"),), seed=14),
    "two-hoarders": Case(preferred=_HOARDERS, draws=RECORDED, seed=15),
    "advanced-two": Case(options=(("mausoleum", "tokens"),), preferred=_BUILDERS, seed=16),
    "advanced-four": Case(_FOUR, options=(("mausoleum", "tokens"), ("table", "T2")), seed=17),
    "card-forfeited": Case(preferred=_UNIFIERS, seed=18, wanted=lambda played: played.has(e.PlayForfeited)),
    "emperor-tiles": Case(
        _FOUR, preferred=_BUILDERS, seed=19, wanted=lambda played: played.has(e.EmperorTilePlaced)
    ),
    "shared-victory": Case(seed=20, wanted=_shared),
    "claim-by-site": Case(_FOUR, rulings=(("emperor-claim", "site"),), preferred=_BUILDERS, seed=21),
    "emperor-adds": Case(_THREE, rulings=(("emperor-effect", "adds"),), preferred=_BUILDERS, seed=22),
    "alchemists-ignored": Case(
        _THREE, rulings=(("alchemist-position", "ignored"),), preferred=_SAILORS, seed=23
    ),
    "governors-choose-one": Case(rulings=(("governor-tiles", "choose-one"),), preferred=_RECRUITERS, seed=24),
    "cost-by-count": Case(_THREE, rulings=(("unlock-cost", "count"),), preferred=_BUILDERS, seed=25),
    "area-last": Case(_FOUR, rulings=(("governor-area", "no-bonus-left"),), preferred=_RECRUITERS, seed=26),
    "solo-1": Case(_SOLO, options=_solo(1), preferred=_BUILDERS, seed=27),
    "solo-2": Case(_SOLO[::-1], options=_solo(2, table="T2"), preferred=_UNIFIERS, seed=28),
    "solo-3": Case(_SOLO, draws=RECORDED, options=_solo(3, table="T3"), preferred=_BUILDERS, seed=29),
    "solo-4": Case(_SOLO, options=_solo(4, mausoleum="tokens"), preferred=_SAILORS, seed=30),
    "solo-won": Case(_SOLO, options=_solo(1), preferred=_BUILDERS, seed=31, wanted=_human_wins),
    "unfinished": Case(_THREE, draws=RECORDED, stop=150, seed=32),
    "nothing-played": Case(stop=0),
}
"""The matches to play, by the names of their transcripts."""


def play(case: Case, seed: int) -> Played:
    """Play the match of a seed."""
    return golden_matches.play_match(ZHANGUO, case, seed, partial(_choose, case))


def _choose(case: Case, moves: Sequence[m.Move], chance: random.Random) -> m.Move:
    """Choose a kind of move first, then a move: otherwise nearly all Court actions would be recruiting."""
    if case.cards_named:
        moves = [move for move in moves if move != m.DrawCard(None)]
    elif case.half_named and m.DrawCard(None) in moves and chance.randrange(2):
        return m.DrawCard(None)
    preferred = [move for move in moves if isinstance(move, case.preferred)] if case.preferred else []
    choices = preferred if preferred and chance.randrange(5) else moves
    return golden_matches.by_kind(choices, chance)


@click.command()
def main() -> None:
    """Play and write the golden transcripts that do not exist yet."""
    folder = golden_matches.GOLDEN / "zhanguo"
    golden_matches.write_missing(folder, ZHANGUO, CASES, lambda name, seed: play(CASES[name], seed))


if __name__ == "__main__":
    main()
