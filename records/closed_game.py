"""A game with its types closed over: how a match of it stands, and who knows its rules."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from records.arbiter import Accepted, Arbiter, Judged, Standing
from records.codec.shape import Codec, CorruptEvents, CorruptMove
from rules.kernel.actors import Actor, Viewer
from rules.kernel.display import Drawing, Marks, Painted, Room, SeatNote, Sight, Told
from rules.kernel.game import About, Game, Outcome
from rules.kernel.rule import Illegal
from rules.kernel.series import BadSeries, Standings
from rules.kernel.setup import ComponentReport, Setup

_STATE_TAG: Final = b"shiji/state/1\x00"

State = TypeVar("State")
Move = TypeVar("Move")
Event = TypeVar("Event")


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

    def judge_all(self, asked: Sequence[tuple[Actor, bytes]]) -> Judged:
        game, codec, state = self.game, self.codec, self.state
        decide, fold, decode, encode = game.decide, game.fold, codec.decode_move, codec.encode_events
        moves: list[tuple[Actor, Move]] = []
        caused: list[tuple[Event, ...]] = []
        states: list[State] = []
        wrong: Illegal | CorruptMove | None = None
        # What is alike is done in one go: that keeps a processor's caches warm.
        try:
            for actor, data in asked:
                moves.append((actor, decode(state, data)))
        except CorruptMove as fault:
            wrong = fault
        for actor, move in moves:
            verdict = decide(state, actor, move)
            if isinstance(verdict, Illegal):
                wrong = verdict
                break
            state = fold(state, verdict)
            caused.append(verdict)
            states.append(state)

        def digests() -> list[bytes]:
            sha256, state_bytes = hashlib.sha256, codec.state_bytes
            return [sha256(_STATE_TAG + state_bytes(after)).digest() for after in states]

        def standing(place: int) -> Standing:
            return _Standing(game, codec, states[place])

        told = [encode(state, events) for events in caused]
        return Judged(told, digests, standing, wrong)

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

    def seen_move(self, actor: Actor, move: bytes, viewer: Viewer) -> bytes:
        asked = self.codec.decode_move(self.state, move)
        return self.codec.encode_move(self.state, self.game.seen_move(self.state, actor, asked, viewer))

    def seen_events(self, events: bytes, viewer: Viewer) -> bytes:
        caused = self.codec.decode_events(self.state, events)
        return self.codec.encode_events(self.state, self.game.seen_events(self.state, caused, viewer))

    def shuffle(self) -> int:
        return self.game.chance.shuffle(self.state)

    def stock(self) -> tuple[str, ...]:
        return self.game.chance.stock(self.state)

    def fits(self, order: tuple[str, ...]) -> bool:
        return self.game.chance.fits(self.state, order)

    def places(self, size: int) -> range:
        return self.game.chance.places(self.state, size)

    def bring(self, components: tuple[str, ...]) -> bytes:
        try:
            return self.codec.encode_move(self.state, self.game.chance.bring(self.state, components))
        except LookupError as fault:
            raise ValueError(f"the match has no such components: {fault}") from fault

    def read_move(self, text: str) -> tuple[Actor, bytes]:
        actor, move = self.game.notation.read_move(self.state, text)
        return actor, self.codec.encode_move(self.state, move)

    def write_move(self, actor: Actor, move: bytes) -> str:
        return self.game.notation.write_move(self.state, actor, self.codec.decode_move(self.state, move))

    def digest(self) -> bytes:
        return hashlib.sha256(_STATE_TAG + self.codec.state_bytes(self.state)).digest()

    def position(self) -> str:
        return self.game.notation.write_position(self.state)

    def caution(self) -> str:
        return self.game.caution(self.state)

    def perft(self, depth: int) -> int:
        return self.game.perft.count(self.state, depth)

    def divide(self, depth: int) -> Iterator[tuple[str, int]]:
        return self.game.perft.divide(self.state, depth)

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
        tell, state = self.game.display.tell, self.state
        told: list[Told] = []
        before: Event | None = None
        for event in self.codec.decode_events(state, events):
            if before is not None:
                state = self.game.evolve(state, before)
            told.append(tell(state, event))
            before = event
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

    @property
    def deepest(self) -> int:
        return self.game.perft.deepest

    def sight(self, components: str) -> Sight:
        return self.game.sight(components)

    def series(self, matches: Sequence[Standing]) -> Standings:
        if self.game.series is None:
            raise BadSeries(f"{self.about.title} knows no series of matches")
        return self.game.series([self.game.notation.read_position(match.position()) for match in matches])

    def check_components(self, text: str) -> ComponentReport | None:
        check = self.game.check_components
        return None if check is None else check(text)

    def start(self, setup: Setup) -> Standing:
        return _Standing(self.game, self.codec, self.game.start(setup))

    def read_position(self, text: str) -> Standing:
        return _Standing(self.game, self.codec, self.game.notation.read_position(text))


def arbiter(game: Game[State, Move, Event], codec: Codec[State, Move, Event]) -> Arbiter:
    """The arbiter of a game."""
    return _Arbiter(game, codec)
