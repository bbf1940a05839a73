"""Plays matches with random players and writes them as golden transcripts, for any game.

An existing transcript is never written again: every later build must verify it.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Final, Generic, Protocol, TypeVar

import click

from records.files.tags import write_header
from records.files.transcript import Tag, Transcript, TranscriptLine, write_transcript
from records.games.registry import find_game
from rules.kernel.game import Game
from rules.kernel.rule import Illegal
from rules.kernel.setup import Setup
from tools.dev.golden import POSITION

GOLDEN: Final = Path(__file__).resolve().parents[2] / "tests/records/golden"
"""Folder of the golden transcripts, with one folder per game."""

State = TypeVar("State")
Move = TypeVar("Move")
Event = TypeVar("Event")


@dataclass(frozen=True, slots=True)
class Played(Generic[State, Event]):
    """A match that was played, with its events."""

    entries: tuple[TranscriptLine, ...]
    events: tuple[Event, ...]
    end: State

    def has(self, *kinds: type[object]) -> bool:
        """Whether there is an event of each of these kinds."""
        return {type(event) for event in self.events}.issuperset(kinds)


class GoldenCase(Protocol[State, Event]):
    """A match to play."""

    @property
    def setup(self) -> Setup:
        """The setup of the match."""
        ...

    @property
    def stop(self) -> int:
        """Maximum number of entries."""
        ...

    @property
    def seed(self) -> int:
        """The first seed that is tried."""
        ...

    @property
    def wanted(self) -> Callable[[Played[State, Event]], bool]:
        """Seeds are tried until a match satisfies this."""
        ...


def play_match(  # noqa: PLR0913, PLR0917 - a match may go on from another
    game: Game[State, Move, Event],
    case: GoldenCase[State, Event],
    seed: int,
    choose: Callable[[Sequence[Move], random.Random], Move],
    begun: Played[State, Event] | None = None,
    until: Callable[[State], bool] = lambda _: False,
) -> Played[State, Event]:
    """Play the match of a seed, from its start or from where it has come to, to its end or so far."""
    chance = random.Random(seed)  # noqa: S311 - the same seed must play the same match again
    state = game.start(case.setup) if begun is None else begun.end
    entries: list[TranscriptLine] = [] if begun is None else list(begun.entries)
    events: list[Event] = [] if begun is None else list(begun.events)
    while (awaited := game.awaiting(state)) and len(entries) < case.stop and not until(state):
        actor = chance.choice(awaited)
        move = choose(list(game.legal_moves(state, actor)), chance)
        entries.append(TranscriptLine(game.notation.write_move(state, actor, move)))
        verdict = game.decide(state, actor, move)
        if isinstance(verdict, Illegal):
            raise TypeError(f"{move} breaks {verdict.violations[0].rule.id}")
        events += verdict
        state = game.fold(state, verdict)
    return Played(tuple(entries), tuple(events), state)


def by_kind(moves: Sequence[Move], chance: random.Random) -> Move:
    """Choose a kind of move first, then a move: otherwise the kind with most moves would be nearly all."""
    kind = chance.choice(sorted({type(move).__name__ for move in moves}))
    return chance.choice([move for move in moves if type(move).__name__ == kind])


def transcript_of(game: Game[State, Move, Event], played: Played[State, Event]) -> Transcript:
    """The transcript of a match."""
    setup, outcome = game.setup(played.end), game.outcome(played.end)
    winners = [setup.seats[seat] for seat in outcome.winners] if outcome else None
    further = [Tag(POSITION, game.notation.write_position(played.end))]
    return Transcript((*write_header(find_game(game.about.key), setup, winners, further), *played.entries))


def write_missing(
    folder: Path,
    game: Game[State, Move, Event],
    cases: Mapping[str, GoldenCase[State, Event]],
    play: Callable[[str, int], Played[State, Event]],
) -> None:
    """Play and write the golden transcripts that do not exist yet; `play` takes a name and a seed."""
    folder.mkdir(exist_ok=True)
    for name, case in cases.items():
        path = folder / f"{name}.shiji"
        if not path.exists():
            played = next(played for seed in count(case.seed) if case.wanted(played := play(name, seed)))
            path.write_text(write_transcript(transcript_of(game, played)), encoding="utf-8")
            click.echo(f"{path.name}: {len(played.entries)} entries")
