"""Plays matches of The Great Wall with players that lean one way, and writes golden transcripts.

An existing transcript is never written again: every later build must verify it.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Final

import click

from records.files.tags import write_header
from records.files.transcript import Tag, Transcript, TranscriptLine, write_transcript
from records.games.registry import find_game
from rules.great_wall import events as e
from rules.great_wall import moves as m
from rules.great_wall.game import GREAT_WALL
from rules.great_wall.kinds import Location
from rules.great_wall.rulebook import COOP_1, GREAT_WALL_1
from rules.great_wall.state import State
from rules.kernel.rule import Illegal
from rules.kernel.setup import Draws, Setup
from tools.dev.golden import POSITION

FOLDER: Final = Path(__file__).resolve().parents[2] / "tests/records/golden/great_wall"
"""Folder of the golden transcripts."""

_NAMES: Final = ("green", "blue", "red", "yellow")

# Kinds of move, and locations for clerks, that each style of player prefers.
_FIGHTERS: Final = (m.Attack, m.Shoot, m.Recruit, m.WoundSpot)
_BUILDERS: Final = (m.BuildWall, m.Donate, m.Upgrade, m.Fulfil, m.Agree, m.Cleanse, m.Shed)
_TACTICIANS: Final = (m.PlayTactic, m.Study, m.Copy)
_MARCHERS: Final = (m.March, m.Shift, m.Lower, m.Cross, m.Recruit)
_PLACES: Final[dict[tuple[type[m.Move], ...], set[Location]]] = {
    _FIGHTERS: {Location.BARRACKS, Location.SAWMILL, Location.QUARRY},
    _BUILDERS: {Location.BUILDERS, Location.SAWMILL, Location.QUARRY, Location.GOLD_MINE},
    _TACTICIANS: {Location.ACADEMY, Location.TEMPLE, Location.EMBASSY},
    _MARCHERS: {Location.LOGISTICS, Location.BARRACKS, Location.SAWMILL},
}


@dataclass(frozen=True, slots=True)
class Played:
    """A match that was played, with its events."""

    entries: tuple[TranscriptLine, ...]
    events: tuple[e.Event, ...]
    end: State

    def has(self, *kinds: type[object]) -> bool:
        """Whether there is an event of each of these kinds."""
        return {type(event) for event in self.events}.issuperset(kinds)

    def ended(self, cause: str, *, won: bool = True) -> bool:
        """Whether it ended by this cause, with winners or without."""
        result = self.end.result
        return result is not None and result.cause.value == cause and bool(result.winners) == won


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
    "solo-lost-by-honour": Case(
        1, preferred=_BUILDERS, seed=6, wanted=lambda played: played.ended("time", won=False)
    ),
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
    "three-walls": Case(3, preferred=_BUILDERS, seed=18, wanted=lambda played: played.ended("walls")),
    "three-in-time": Case(3, preferred=_BUILDERS, seed=19, wanted=lambda played: played.ended("time")),
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
    "coop-three-won": Case(
        3, coop=True, preferred=_BUILDERS, seed=33, wanted=lambda played: played.ended("requests")
    ),
    "coop-lost-by-the-pool": Case(
        3, coop=True, preferred=_BUILDERS, seed=34, wanted=lambda played: played.ended("pool", won=False)
    ),
    "coop-four": Case(4, coop=True, draws=RECORDED, seed=35),
    "coop-four-fighters": Case(4, coop=True, preferred=_FIGHTERS, seed=36),
    "coop-pool-goes-on": Case(3, coop=True, rulings=(("coop-pool", "on"),), preferred=_BUILDERS, seed=37),
    "coop-claims-pay": Case(2, coop=True, rulings=(("coop-claim", "reward"),), preferred=_FIGHTERS, seed=38),
    "unfinished": Case(3, draws=RECORDED, stop=80, seed=39),
    "nothing-played": Case(3, stop=0),
}
"""The matches to play, by the names of their transcripts."""


def play(case: Case, seed: int) -> Played:
    """Play the match of a seed."""
    chance = random.Random(seed)  # noqa: S311 - the same seed must play the same match again
    state = GREAT_WALL.start(case.setup)
    entries: list[TranscriptLine] = []
    events: list[e.Event] = []
    while (awaited := GREAT_WALL.awaiting(state)) and len(entries) < case.stop:
        actor = chance.choice(awaited)
        moves = list(GREAT_WALL.legal_moves(state, actor))
        if case.cards_named:
            moves = [move for move in moves if not _is_unknown(move)]
        move = _choose(case, moves, chance)
        entries.append(TranscriptLine(GREAT_WALL.notation.write_move(state, actor, move)))
        verdict = GREAT_WALL.decide(state, actor, move)
        if isinstance(verdict, Illegal):
            raise TypeError(f"{move} breaks {verdict.violations[0].rule.id}")
        events += verdict
        state = GREAT_WALL.fold(state, verdict)
    return Played(tuple(entries), tuple(events), state)


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
    places = _PLACES.get(case.preferred, set())
    preferred = [
        move
        for move in moves
        if isinstance(move, case.preferred)
        or (isinstance(move, m.MoveClerk) and move.target in places and move.source not in places)
    ]
    choices = preferred if preferred and case.preferred and chance.randrange(5) else moves
    kinds = sorted({type(move).__name__ for move in choices})
    kind = chance.choice(kinds)
    return chance.choice([move for move in choices if type(move).__name__ == kind])


def transcript_of(case: Case, played: Played) -> Transcript:
    """The transcript of a match."""
    outcome = GREAT_WALL.outcome(played.end)
    winners = [case.setup.seats[seat] for seat in outcome.winners] if outcome else None
    further = [Tag(POSITION, GREAT_WALL.notation.write_position(played.end))]
    game = find_game(GREAT_WALL.about.key)
    tags = write_header(game, GREAT_WALL.setup(played.end), winners, further)
    return Transcript((*tags, *played.entries))


@click.command()
def main() -> None:
    """Play and write the golden transcripts that do not exist yet."""
    FOLDER.mkdir(exist_ok=True)
    for name, case in CASES.items():
        path = FOLDER / f"{name}.shiji"
        if not path.exists():
            played = next(played for seed in count(case.seed) if case.wanted(played := play(case, seed)))
            path.write_text(write_transcript(transcript_of(case, played)), encoding="utf-8")
            click.echo(f"{path.name}: {len(played.entries)} entries")


if __name__ == "__main__":
    main()
