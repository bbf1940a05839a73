"""One game with its types closed over: judges moves and folds records, all of it in bytes or text."""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from msgspec import Struct

from records.codec.shape import Codec, CorruptEvents, CorruptMove
from rules.kernel.actors import Actor, Viewer
from rules.kernel.display import Drawing, Marks, Painted, Room, SeatNote, Told
from rules.kernel.game import About, Game, Outcome
from rules.kernel.rule import Illegal
from rules.kernel.setup import Setup

_STATE_TAG: Final = b"shiji/state/1\x00"

State = TypeVar("State")
Move = TypeVar("Move")
Event = TypeVar("Event")


class Accepted(Struct, frozen=True):
    """The verdict on a legal move: what it causes, and how the match stands after it."""

    events: bytes
    after: "Standing"


class Standing(ABC):
    """How a match stands: a state whose game is closed over. An immutable value."""

    __slots__ = ()

    @property
    @abstractmethod
    def setup(self) -> Setup:
        """What the match was laid out with."""

    @abstractmethod
    def judge(self, actor: Actor, move: bytes) -> Accepted | Illegal:
        """The verdict on a move; bytes that are no move raise CorruptMove."""

    @abstractmethod
    def judge_all(
        self, asked: Sequence[tuple[Actor, bytes]]
    ) -> tuple[list[Accepted], Illegal | CorruptMove | None]:
        """The verdicts on moves that follow each other, and what is wrong with the first that is not legal.

        A whole match is judged like this in three quarters of the time that it takes move by move.
        """

    @abstractmethod
    def fold(self, events: bytes) -> "Standing":
        """How it stands after these events, unjudged; bytes that are no events raise CorruptEvents."""

    @abstractmethod
    def same_events(self, one: bytes, other: bytes) -> bool:
        """Whether two encodings tell the same events; bytes that are no events raise CorruptEvents."""

    @abstractmethod
    def tell_events(self, events: bytes) -> tuple[str, ...]:
        """Each event as JSON, for people; bytes that are no events raise CorruptEvents."""

    @abstractmethod
    def awaiting(self) -> tuple[Actor, ...]:
        """Who must act now; nobody once the match is over."""

    @abstractmethod
    def legal_moves(self, actor: Actor) -> Iterator[bytes]:
        """Every legal move of the actor, in the game's order."""

    @abstractmethod
    def outcome(self) -> Outcome | None:
        """How the match ended; None while it goes on."""

    @abstractmethod
    def problems(self) -> tuple[str, ...]:
        """Every invariant that does not hold."""

    @abstractmethod
    def view(self, viewer: Viewer) -> "Standing":
        """The match as far as the viewer may know it."""

    @abstractmethod
    def read_move(self, text: str) -> tuple[Actor, bytes]:
        """A transcript's words as actor and move; raises Unreadable."""

    @abstractmethod
    def write_move(self, actor: Actor, move: bytes) -> str:
        """A move in a transcript's words."""

    @abstractmethod
    def digest(self) -> bytes:
        """SHA-256 of the state: the same for equal states of a match and for no others."""

    @abstractmethod
    def position(self) -> str:
        """The position as one line."""

    @abstractmethod
    def draw(self) -> str:
        """The position as a picture in plain text."""

    @abstractmethod
    def paint(self, marks: Marks[bytes], room: Room) -> tuple[Painted, ...]:
        """The board in coloured text; bytes that are no move raise CorruptMove, here and in picture()."""

    @property
    @abstractmethod
    def key(self) -> str:
        """What the signs of a painted board mean."""

    @abstractmethod
    def picture(self, marks: Marks[bytes]) -> Drawing:
        """The board as a vector drawing."""

    @abstractmethod
    def seats(self) -> tuple[SeatNote, ...]:
        """What can be said of every seat, in turn order."""

    @abstractmethod
    def turn(self) -> str:
        """Whose turn it is, or who has won."""

    @abstractmethod
    def tell(self, events: bytes) -> tuple[Told, ...]:
        """What these events do, in words; bytes that are no events raise CorruptEvents."""


class Arbiter(ABC):
    """A game that this build knows."""

    __slots__ = ()

    @property
    @abstractmethod
    def about(self) -> About:
        """What there is to read about the game."""

    @property
    @abstractmethod
    def longest(self) -> int:
        """No match has more entries than this."""

    @abstractmethod
    def start(self, setup: Setup) -> Standing:
        """A match laid out; raises BadSetup, UnknownEdition or UnknownRuling."""

    @abstractmethod
    def read_position(self, text: str) -> Standing:
        """A match as a position line tells it; raises Unreadable."""


class _Standing(Standing, Generic[State, Move, Event]):
    """Written out, since one is made for every move: a frozen dataclass takes three times as long to make."""

    __slots__ = ("codec", "game", "state")

    def __init__(
        self, game: Game[State, Move, Event], codec: Codec[State, Move, Event], state: State
    ) -> None:
        self.game: Final = game
        self.codec: Final = codec
        self.state: Final = state

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Standing) and self.game is other.game and self.state == other.state

    def __hash__(self) -> int:
        return hash(self.state)

    def __repr__(self) -> str:
        return f"{self.game.about.key}: {self.position()}"

    def _at(self, state: State) -> "_Standing[State, Move, Event]":
        return _Standing(self.game, self.codec, state)

    @property
    def setup(self) -> Setup:
        return self.game.setup(self.state)

    def judge(self, actor: Actor, move: bytes) -> Accepted | Illegal:
        verdict = self.game.decide(self.state, actor, self.codec.decode_move(self.state, move))
        if isinstance(verdict, Illegal):
            return verdict
        events = self.codec.encode_events(self.state, verdict)
        return Accepted(events, self._at(self.game.fold(self.state, verdict)))

    def judge_all(
        self, asked: Sequence[tuple[Actor, bytes]]
    ) -> tuple[list[Accepted], Illegal | CorruptMove | None]:
        decide, fold, decode, encode = (
            self.game.decide,
            self.game.fold,
            self.codec.decode_move,
            self.codec.encode_events,
        )
        state = self.state
        caused: list[tuple[Event, ...]] = []
        states: list[State] = []
        wrong: Illegal | CorruptMove | None = None
        for actor, move in asked:
            try:
                verdict = decide(state, actor, decode(state, move))
            except CorruptMove as fault:
                wrong = fault
                break
            if isinstance(verdict, Illegal):
                wrong = verdict
                break
            state = fold(state, verdict)
            caused.append(verdict)
            states.append(state)
        # What is alike is done in one go: that keeps a processor's caches warm.
        told = [encode(state, events) for events in caused]
        return [Accepted(events, self._at(after)) for events, after in zip(told, states, strict=True)], wrong

    def fold(self, events: bytes) -> Standing:
        decoded = self.codec.decode_events(self.state, events)
        try:
            return self._at(self.game.fold(self.state, decoded))
        except (ValueError, IndexError) as fault:
            raise CorruptEvents(f"the events do not fit the match: {fault}") from fault

    def same_events(self, one: bytes, other: bytes) -> bool:
        return one == other or (
            self.codec.decode_events(self.state, one) == self.codec.decode_events(self.state, other)
        )

    def tell_events(self, events: bytes) -> tuple[str, ...]:
        return self.codec.tell_events(events)

    def awaiting(self) -> tuple[Actor, ...]:
        return self.game.awaiting(self.state)

    def legal_moves(self, actor: Actor) -> Iterator[bytes]:
        for move in self.game.legal_moves(self.state, actor):
            yield self.codec.encode_move(self.state, move)

    def outcome(self) -> Outcome | None:
        return self.game.outcome(self.state)

    def problems(self) -> tuple[str, ...]:
        return self.game.problems(self.state)

    def view(self, viewer: Viewer) -> Standing:
        return self._at(self.game.view(self.state, viewer))

    def read_move(self, text: str) -> tuple[Actor, bytes]:
        actor, move = self.game.notation.read_move(self.state, text)
        return actor, self.codec.encode_move(self.state, move)

    def write_move(self, actor: Actor, move: bytes) -> str:
        return self.game.notation.write_move(self.state, actor, self.codec.decode_move(self.state, move))

    def digest(self) -> bytes:
        return hashlib.sha256(_STATE_TAG + self.codec.state_bytes(self.state)).digest()

    def position(self) -> str:
        return self.game.notation.write_position(self.state)

    def draw(self) -> str:
        return self.game.draw(self.state)

    def paint(self, marks: Marks[bytes], room: Room) -> tuple[Painted, ...]:
        return self.game.display.paint(self.state, self._read(marks), room)

    @property
    def key(self) -> str:
        return self.game.display.key

    def picture(self, marks: Marks[bytes]) -> Drawing:
        return self.game.display.picture(self.state, self._read(marks))

    def _read(self, marks: Marks[bytes]) -> Marks[Move]:
        last, refused = (
            None if move is None else self.codec.decode_move(self.state, move)
            for move in (marks.last, marks.refused)
        )
        return Marks(last, refused, marks.places)

    def seats(self) -> tuple[SeatNote, ...]:
        return self.game.display.seats(self.state)

    def turn(self) -> str:
        return self.game.display.turn(self.state)

    def tell(self, events: bytes) -> tuple[Told, ...]:
        told = []
        state = self.state
        for event in self.codec.decode_events(state, events):
            told.append(self.game.display.tell(state, event))
            state = self.game.evolve(state, event)
        return tuple(told)


@dataclass(frozen=True, slots=True)
class _Arbiter(Arbiter, Generic[State, Move, Event]):
    game: Game[State, Move, Event]
    codec: Codec[State, Move, Event]

    @property
    def about(self) -> About:
        return self.game.about

    @property
    def longest(self) -> int:
        return self.game.longest

    def start(self, setup: Setup) -> Standing:
        return _Standing(self.game, self.codec, self.game.start(setup))

    def read_position(self, text: str) -> Standing:
        return _Standing(self.game, self.codec, self.game.notation.read_position(text))


def arbiter(game: Game[State, Move, Event], codec: Codec[State, Move, Event]) -> Arbiter:
    """The arbiter of a game."""
    return _Arbiter(game, codec)
