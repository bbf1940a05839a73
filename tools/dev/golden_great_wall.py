"""Plays matches of The Great Wall with players that lean one way, and writes golden transcripts.

An existing transcript is never written again: every later build must verify it.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, TypeAlias

import click

from rules.great_wall import events as e
from rules.great_wall import moves as m
from rules.great_wall.game import GREAT_WALL
from rules.great_wall.kinds import Ending, Location
from rules.great_wall.rulebook import COOP_1, GREAT_WALL_1
from rules.great_wall.state import State
from rules.kernel.setup import Draws, Setup
from tools.dev import golden_matches
from tools.dev.golden_aims import (
    stage,
    to_beat_qin,
    to_end_by,
    to_please_the_emperor,
)
from tools.dev.golden_search import Search

_NAMES: Final = ("green", "blue", "red", "yellow")

# Kinds of move, and locations for clerks, that each style of player prefers.
_FIGHTERS: Final = (m.Attack, m.Shoot, m.Recruit, m.WoundSpot)
_BUILDERS: Final = (m.BuildWall, m.Donate, m.Upgrade, m.Fulfil, m.Agree, m.Cleanse, m.Shed)
_TACTICIANS: Final = (m.PlayTactic, m.Study, m.Copy)
_MARCHERS: Final = (m.March, m.Shift, m.Lower, m.Cross, m.Recruit)
_TOGETHER: Final = (m.Fulfil, m.Agree)
"""What everybody prefers who has an aim."""
_PLACES: Final[dict[tuple[type[m.Move], ...], set[Location]]] = {
    _FIGHTERS: {Location.BARRACKS, Location.SAWMILL, Location.QUARRY},
    _BUILDERS: {Location.BUILDERS, Location.SAWMILL, Location.QUARRY, Location.GOLD_MINE},
    _TACTICIANS: {Location.ACADEMY, Location.TEMPLE, Location.EMBASSY},
    _MARCHERS: {Location.LOGISTICS, Location.BARRACKS, Location.SAWMILL},
}
_STYLES: Final[tuple[tuple[type[m.Move], ...], ...]] = (
    (*_FIGHTERS, *_TOGETHER),
    (*_BUILDERS, *_TOGETHER),
    (*_TACTICIANS, *_TOGETHER),
    (*_MARCHERS, *_TOGETHER),
    (*_BUILDERS, *_TOGETHER),
)
"""Of players with an aim, who build most often."""

Played: TypeAlias = golden_matches.Played[State, e.Event]


def _ended(cause: str, *, won: bool = True) -> Callable[[Played], bool]:
    """Whether a match ended by this cause, with winners or without."""

    def ended(played: Played) -> bool:
        result = played.end.result
        return result is not None and result.cause.value == cause and bool(result.winners) == won

    return ended


@dataclass(frozen=True, slots=True)
class Case:
    """A match to play."""

    seats: int = 3
    coop: bool = False
    draws: Draws = Draws.UNRECORDED
    rulings: tuple[tuple[str, str], ...] = ()
    options: tuple[tuple[str, str], ...] = ()
    preferred: tuple[type[m.Move], ...] = ()
    """Kinds of move that are chosen four times in five, if possible."""
    aim: Callable[[State], float] | None = None
    """What players want who try out each turn in every style; the others have no foresight."""
    kept: int = 6
    """Matches that are played on from each turn, where there is an aim."""
    tries: int = 10
    """How often each of them is played on."""
    cards_named: bool = True
    """Whether recorded draws name every card."""
    stop: int = 11_000
    """Maximum number of entries."""
    seed: int = 0
    wanted: Callable[[Played], bool] = lambda _: True
    """Seeds are tried from `seed` on until a match satisfies this."""

    @property
    def setup(self) -> Setup:
        """The setup of the match."""
        edition = COOP_1 if self.coop else GREAT_WALL_1
        seats = _NAMES[: self.seats]
        return Setup(edition, seats, "great-wall-reference-0", self.draws, self.rulings, self.options)


RECORDED: Final = Draws.RECORDED
"""Short for the cases below."""

CASES: Final = {
    "solo-random": Case(1, seed=1),
    "solo-recorded": Case(1, draws=RECORDED, seed=2),
    "solo-fighters": Case(1, preferred=_FIGHTERS, seed=3, wanted=lambda played: played.has(e.HordeClaimed)),
    "solo-builders": Case(1, preferred=_BUILDERS, draws=RECORDED, seed=4),
    "solo-harder": Case(1, options=(("qin-honour", "50"),), seed=5),
    "solo-lost-by-honour": Case(1, preferred=_BUILDERS, seed=6, wanted=_ended("time", won=False)),
    "solo-highest-first": Case(1, rulings=(("qin-order", "highest"),), seed=7),
    "solo-by-rows": Case(1, rulings=(("qin-fill", "rows"),), preferred=_FIGHTERS, seed=8),
    "two-random": Case(2, seed=9),
    "two-recorded": Case(2, draws=RECORDED, seed=10),
    "two-fighters": Case(2, preferred=_FIGHTERS, seed=11, wanted=lambda played: played.has(e.HordeDiscarded)),
    "two-builders": Case(2, preferred=_BUILDERS, seed=12),
    "two-reed-counts": Case(2, rulings=(("reed-counts", "yes"),), draws=RECORDED, seed=13),
    "three-random": Case(3, seed=14),
    "three-recorded": Case(3, draws=RECORDED, seed=15),
    "three-recorded-partly": Case(3, draws=RECORDED, cards_named=False, seed=16),
    "three-fighters": Case(3, preferred=_FIGHTERS, draws=RECORDED, seed=17),
    "three-walls": Case(3, preferred=_BUILDERS, seed=18, wanted=_ended("walls")),
    "three-in-time": Case(3, preferred=_BUILDERS, seed=19, wanted=_ended("time")),
    "three-tacticians": Case(3, preferred=_TACTICIANS, draws=RECORDED, seed=20),
    "three-marchers": Case(
        3, preferred=_MARCHERS, seed=21, wanted=lambda played: played.has(e.SoldiersMoved)
    ),
    "three-by-players": Case(3, rulings=(("strategy-spaces", "players"),), seed=22),
    "three-single-builds": Case(3, rulings=(("double-build", "no"),), preferred=_BUILDERS, seed=23),
    "three-latched": Case(3, rulings=(("pool-empty", "latched"),), draws=RECORDED, seed=24),
    "four-random": Case(4, seed=25),
    "four-recorded": Case(4, draws=RECORDED, seed=26),
    "four-fighters": Case(4, preferred=_FIGHTERS, seed=27),
    "four-builders": Case(4, preferred=_BUILDERS, draws=RECORDED, seed=28),
    "four-tacticians": Case(4, preferred=_TACTICIANS, seed=29),
    "coop-two": Case(2, coop=True, seed=30),
    "coop-two-recorded": Case(2, coop=True, draws=RECORDED, preferred=_BUILDERS, seed=31),
    "coop-three": Case(3, coop=True, preferred=_BUILDERS, seed=32),
    "coop-three-won": Case(3, coop=True, preferred=_BUILDERS, seed=33, wanted=_ended("requests")),
    "coop-lost-by-the-pool": Case(
        3, coop=True, preferred=_BUILDERS, seed=34, wanted=_ended("pool", won=False)
    ),
    "coop-four": Case(4, coop=True, draws=RECORDED, seed=35),
    "coop-four-fighters": Case(4, coop=True, preferred=_FIGHTERS, seed=36),
    "coop-pool-goes-on": Case(3, coop=True, rulings=(("coop-pool", "on"),), preferred=_BUILDERS, seed=37),
    "coop-claims-pay": Case(2, coop=True, rulings=(("coop-claim", "reward"),), preferred=_FIGHTERS, seed=38),
    "solo-lost-by-walls": Case(1, preferred=_BUILDERS, seed=42, wanted=_ended("walls", won=False)),
    "two-in-time": Case(2, preferred=_BUILDERS, seed=43, wanted=_ended("time")),
    "coop-two-won": Case(
        2, coop=True, preferred=_BUILDERS, aim=to_please_the_emperor, seed=45, wanted=_ended("requests")
    ),
    "coop-four-lost-by-time": Case(
        4,
        coop=True,
        preferred=_BUILDERS,
        draws=RECORDED,
        aim=to_please_the_emperor,
        seed=53,
        wanted=_ended("time", won=False),
    ),
    "coop-four-won": Case(
        4, coop=True, aim=to_please_the_emperor, kept=8, tries=16, seed=3, wanted=_ended("requests")
    ),
    "coop-four-lost-by-the-pool": Case(
        4, coop=True, aim=to_end_by(Ending.POOL), kept=2, tries=6, seed=5, wanted=_ended("pool", won=False)
    ),
    "coop-two-lost-by-time": Case(
        2, coop=True, aim=to_end_by(Ending.TIME), kept=4, tries=16, seed=4, wanted=_ended("time", won=False)
    ),
    "solo-won": Case(1, aim=to_beat_qin, kept=14, tries=24, seed=27, wanted=_ended("time")),
    "solo-won-by-walls": Case(1, aim=to_beat_qin, kept=14, tries=24, seed=20, wanted=_ended("walls")),
    "four-in-time": Case(4, aim=to_end_by(Ending.TIME), kept=2, tries=6, wanted=_ended("time")),
    "unfinished": Case(3, draws=RECORDED, stop=80, seed=39),
    "nothing-played": Case(3, stop=0),
}
"""The matches to play, by the names of their transcripts."""


def play(case: Case, seed: int) -> Played:
    """Play the match of a seed; players with an aim go on with the best of many tries at each turn."""
    if case.aim is None:
        return golden_matches.play_match(GREAT_WALL, case, seed, partial(_choose, case))
    search = Search(GREAT_WALL, case.aim, stage, partial(_play_on, case), case.kept, case.tries)
    return search.play(golden_matches.Played((), (), GREAT_WALL.start(case.setup)), seed)


def _play_on(case: Case, begun: Played, chance: random.Random, until: Callable[[State], bool]) -> Played:
    style = replace(case, preferred=chance.choice(_STYLES))
    choose = partial(_choose, style)
    return golden_matches.play_match(GREAT_WALL, style, chance.randrange(2**32), choose, begun, until)


def _is_unknown(move: m.Move) -> bool:
    match move:
        case m.DrawTactic():
            return move.tactic is None
        case m.Deal():
            return None in move.generals
        case m.Advise():
            return None in move.advisors
        case _:
            return False


def _choose(case: Case, moves: Sequence[m.Move], chance: random.Random) -> m.Move:
    """Choose a kind of move first, then a move, and clerks where the players want to work."""
    if case.cards_named:
        moves = [move for move in moves if not _is_unknown(move)]
    places = _PLACES.get(case.preferred[: -len(_TOGETHER)] if case.aim else case.preferred, set())
    preferred = [
        move
        for move in moves
        if isinstance(move, case.preferred)
        or (isinstance(move, m.MoveClerk) and move.target in places and move.source not in places)
    ]
    choices = preferred if preferred and case.preferred and chance.randrange(5) else moves
    return golden_matches.by_kind(choices, chance)


@click.command()
def main() -> None:
    """Play and write the golden transcripts that do not exist yet."""
    folder = golden_matches.GOLDEN / "great_wall"
    golden_matches.write_missing(folder, GREAT_WALL, CASES, lambda name, seed: play(CASES[name], seed))


if __name__ == "__main__":
    main()
