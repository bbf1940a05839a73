"""One state of a match, for code that does not know the game's types: judge, fold, view and write it."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from msgspec import Struct

from records.codec.shape import CorruptEvents
from records.entry import Concealment, MatchHeader
from records.games.candidate import Candidate
from records.games.chance import StateChance
from records.games.display import StateDisplay
from records.games.opaque import OpaqueCodec, OpaqueEvent, OpaqueGame, OpaqueMove, OpaqueState
from records.games.perft import StatePerft
from rules.kernel.actors import CHANCE, SPECTATOR, Actor, Office, Seat, Viewer
from rules.kernel.choices import SealedChoices
from rules.kernel.game import Audience, Outcome
from rules.kernel.rule import Illegal
from rules.kernel.setup import GameKey, Setup

_STATE_TAG: Final = b"shiji/state/1\x00"

_OPEN: Final = Concealment.OPEN
"""Bound once, as looking up a member of an Enum is slow, and every call to the service asks."""


class Applied(Struct, frozen=True):
    """The verdict on a legal move: its encoded events, and the state after it."""

    events: bytes
    after: "GameState"


class SeatView(Struct, frozen=True, gc=False):
    """A move and its events as the seats of one audience see them."""

    audience: int
    """A bit per seat; 0 where no seat sees them so."""
    move: bytes
    events: bytes


class Shown(Struct, frozen=True):
    """What is shown of a move and its events, and to whom."""

    move: bytes
    """As everybody sees it."""
    events: bytes
    views: tuple[SeatView, ...] = ()
    """What else some seats see, ordered by their lowest seat; the last one holds everything."""


class BatchVerdict(Struct, frozen=True):
    """The verdict on consecutive moves."""

    events: list[bytes]
    """The encoded events of each move before the first illegal one."""
    digests: Callable[[], list[bytes]]
    """Computes the digest of the state after each of them."""
    public_digests: Callable[[], list[bytes]]
    """Computes the digest of each of these states as everybody sees it."""
    shown: Callable[[], list[Shown]]
    """Works out what is shown of each of them, and to whom."""
    state: "Callable[[int], GameState]"
    """The state after the move at this index, built on demand."""
    wrong: Illegal | None
    """The verdict on the first illegal move; None if all are legal."""


class GameState:
    """An immutable state of a match, together with its game and codec."""

    # Written by hand because one is created per move: a frozen dataclass takes three times as long to create.
    __slots__ = ("_codec", "_game", "_outcome", "_public", "_state")

    def __init__(self, game: OpaqueGame, codec: OpaqueCodec, state: OpaqueState) -> None:
        self._game: Final = game
        self._codec: Final = codec
        self._state: Final = state
        self._public: GameState | None = None
        self._outcome: Outcome | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GameState) and self._game is other._game and self._state == other._state

    def __hash__(self) -> int:
        return hash(self._state)

    def __repr__(self) -> str:
        return f"{self.game}: {self.position()}"

    def _at(self, state: OpaqueState) -> "GameState":
        return GameState(self._game, self._codec, state)

    @property
    def game(self) -> GameKey:
        """The key of the game."""
        return self._game.about.key

    @property
    def setup(self) -> Setup:
        """The setup of the match."""
        return self._game.setup(self._state)

    @property
    def display(self) -> StateDisplay:
        """Drawings of the state, and descriptions for people."""
        return StateDisplay(self._game, self._codec, self._state)

    @property
    def chance(self) -> StateChance:
        """What is to be shuffled and drawn."""
        return StateChance(self._game, self._codec, self._state)

    @property
    def perft(self) -> StatePerft:
        """Counts of the sequences of moves from here."""
        return StatePerft(self._game, self._state)

    def parse_text(self, text: str) -> Candidate:
        """A move in the notation of transcripts; raises Unreadable."""
        actor, move = self._game.notation.read_move(self._state, text)
        return Candidate(actor, move, self._codec.encode_move(self._state, move))

    def depends_on_turn(self, text: str) -> bool:
        """Whether parse_text may parse this text differently at another state of the match."""
        return self._game.notation.depends_on_turn(text)

    def parse_bytes(self, actor: Actor, data: bytes) -> Candidate:
        """An encoded move, for any state of the match; raises CorruptMove if the bytes are not a move."""
        return Candidate(actor, self._codec.decode_move(self._state, data), data)

    def judge(self, candidate: Candidate) -> Applied | Illegal:
        """Judge one move."""
        game, codec, state = self._game, self._codec, self._state
        verdict = (game.play or game.played)(state, candidate.actor, candidate.move)
        if isinstance(verdict, Illegal):
            return verdict
        caused, after = verdict
        return Applied(codec.encode_events(state, caused), GameState(game, codec, after))

    def judge_shown(self, candidate: Candidate) -> tuple[Applied, Shown] | Illegal:
        """Judge one move; returns also what each seat sees of it."""
        verdict = self._game.played(self._state, candidate.actor, candidate.move)
        if isinstance(verdict, Illegal):
            return verdict
        caused, after = verdict
        applied = Applied(self._codec.encode_events(self._state, caused), self._at(after))
        return applied, self._shown(candidate, caused, applied.events)

    def shown(self, candidate: Candidate, events: bytes) -> Shown:
        """What each seat sees of a legal move and its encoded events; raises CorruptEvents."""
        return self._shown(candidate, self._codec.decode_events(self._state, events), events)

    def _shown(self, candidate: Candidate, caused: tuple[OpaqueEvent, ...], events: bytes) -> Shown:
        return _shown(self._game, self._codec, self._state, candidate, caused, events)

    def hides_move(self, candidate: Candidate) -> bool:
        """Whether something of the move itself, not only of what it causes, is hidden from somebody."""
        return bool(self._game.audiences(self._state, candidate.actor, candidate.move, ()))

    def has_choices(self) -> bool:
        """Whether seats are ever asked for an answer in secret."""
        return self._game.choices is not None

    def asked_in_secret(self) -> tuple[Seat, ...]:
        """The seats that have yet to answer a question in secret; none if no such question is open."""
        if not self._game.sealed(self._state):
            return ()
        return tuple(actor for actor in self.awaiting() if not isinstance(actor, Office))

    def judge_answer(self, candidate: Candidate) -> Illegal | None:
        """The rules that an answer in secret breaks; None if it is legal here."""
        verdict = self._choices.answer(self._state, candidate.actor, candidate.move)
        return verdict if isinstance(verdict, Illegal) else None

    def answered(self, seat: Seat) -> Applied:
        """What everybody sees of an answer in secret; raises ValueError if the seat has none to give.

        It is the same for every legal answer, so any of them shows it.
        """
        state, game = self._state, self._game
        for move in game.legal_moves(state, seat):
            caused = self._choices.answer(state, seat, move)
            if not isinstance(caused, Illegal):
                public = game.seen_events(state, caused, SPECTATOR)
                return Applied(self._codec.encode_events(state, public), self._at(game.fold(state, public)))
        raise ValueError("the seat has no answer to give here")

    def reveal(
        self, asked: "GameState", answers: Sequence[Candidate], move: bytes, *, conceals: bool
    ) -> tuple[Applied, Shown]:
        """What legal answers cause together, and what is shown of it; the answers themselves are public.

        They are judged as of the state in which they were asked for. The move is that of the entry that
        reveals them; parts are concealed only if the match `conceals` anything. Raises ValueError if one of
        the answers is not legal.
        """
        state, game, codec = self._state, self._game, self._codec
        own: tuple[OpaqueEvent, ...] = ()
        for each in answers:
            caused = self._choices.answer(asked._state, each.actor, each.move)  # noqa: SLF001 - of the same game
            if isinstance(caused, Illegal):
                raise ValueError(f"an answer breaks {caused.violations[0].rule.id}")  # noqa: TRY004 - not a type
            own += caused
        events = self._choices.settled(state, own)
        encoded = codec.encode_events(state, events)
        applied = Applied(encoded, self._at(game.fold(state, events)))
        following = events[len(own) :]
        audiences = game.audiences_of(state, CHANCE, following) if conceals else ()
        if not audiences:
            return applied, Shown(move, encoded)

        def seen(viewer: Viewer) -> tuple[bytes, bytes]:
            return move, codec.encode_events(state, own + game.seen_events(state, following, viewer))

        return applied, _split(audiences, seen, (move, encoded))

    @property
    def _choices(self) -> SealedChoices[OpaqueState, OpaqueMove, OpaqueEvent]:
        if self._game.choices is None:
            raise ValueError("in this game nobody answers in secret")
        return self._game.choices

    def is_canonical(self, candidate: Candidate) -> bool:
        """Whether the bytes of a move are exactly those that its encoding has here."""
        return self._codec.encode_move(self._state, candidate.move) == candidate.data

    def outcomes(self, candidate: Candidate) -> tuple[Applied, ...]:
        """Everything that a legal move may cause, as far as this state shows; what judge says comes first."""
        game, encode = self._game, self._codec.encode_events
        return tuple(
            Applied(encode(self._state, events), self._at(game.fold(self._state, events)))
            for events in game.outcomes(self._state, candidate.actor, candidate.move)
        )

    def judge_all(self, candidates: Sequence[Candidate]) -> BatchVerdict:
        """Judge consecutive moves, faster than one by one."""
        game, codec, state = self._game, self._codec, self._state
        play, encode = game.play or game.played, codec.encode_events
        caused: list[tuple[OpaqueEvent, ...]] = []
        states: list[OpaqueState] = []
        wrong: Illegal | None = None
        # One loop per kind of work keeps the processor's caches warm.
        for candidate in candidates:
            verdict = play(state, candidate.actor, candidate.move)
            if isinstance(verdict, Illegal):
                wrong = verdict
                break
            events, state = verdict
            caused.append(events)
            states.append(state)

        def digests() -> list[bytes]:
            sha256, state_bytes = hashlib.sha256, codec.state_bytes
            return [sha256(_STATE_TAG + state_bytes(after)).digest() for after in states]

        def public_digests() -> list[bytes]:
            sha256, state_bytes, view = hashlib.sha256, codec.state_bytes, game.view
            public = [view(after, SPECTATOR) for after in states]
            return [sha256(_STATE_TAG + state_bytes(each)).digest() for each in public]

        def state_after(place: int) -> GameState:
            return GameState(game, codec, states[place])

        def shown() -> list[Shown]:
            judged = zip([self._state, *states], candidates, caused, encoded, strict=False)
            return [_shown(game, codec, *each) for each in judged]

        encoded = [encode(state, events) for events in caused]
        return BatchVerdict(encoded, digests, public_digests, shown, state_after, wrong)

    def fold(self, events: bytes) -> "GameState":
        """The state after these events, which are not judged; raises CorruptEvents if they do not fit.

        Only the cause of the exception says what does not fit: it may be a card in a hidden hand, and
        everybody is shown why a record is damaged.
        """
        game, codec, state = self._game, self._codec, self._state
        decoded = codec.decode_events(state, events)
        try:
            return GameState(game, codec, game.fold(state, decoded))
        except (ValueError, IndexError) as fault:
            raise CorruptEvents("the events do not fit the match") from fault

    def same_events(self, one: bytes, other: bytes) -> bool:
        """Whether two encodings stand for the same events; raises CorruptEvents if one is not events."""
        return one == other or (
            self._codec.decode_events(self._state, one) == self._codec.decode_events(self._state, other)
        )

    def events_as_json(self, events: bytes) -> tuple[str, ...]:
        """Each event as JSON, for people; raises CorruptEvents if the bytes are not events."""
        return self._codec.events_as_json(events)

    def awaiting(self) -> tuple[Actor, ...]:
        """The actors who must act now; empty once the match is over."""
        return self._game.awaiting(self._state)

    def legal_moves(self, actor: Actor) -> Iterator[Candidate]:
        """Every legal move of the actor, in the game's order."""
        for move in self._game.legal_moves(self._state, actor):
            yield Candidate(actor, move, self._codec.encode_move(self._state, move))

    def outcome(self) -> Outcome | None:
        """The outcome of the match; None while it is under way. That of a finished match is kept."""
        if self._outcome is None:
            self._outcome = self._game.outcome(self._state)
        return self._outcome

    def problems(self) -> tuple[str, ...]:
        """The invariants that do not hold, in words."""
        return self._game.problems(self._state)

    def has_secrets(self) -> bool:
        """Whether a state of this match can contain something that is hidden from some viewer."""
        return self._game.has_secrets(self._state)

    def view(self, viewer: Viewer) -> "GameState":
        """The state without what is hidden from the viewer; that of a spectator is kept."""
        if viewer is not SPECTATOR:
            return self._at(self._game.view(self._state, viewer))
        if self._public is None:
            self._public = self._at(self._game.view(self._state, viewer))
        return self._public

    def seen_move(self, candidate: Candidate, viewer: Viewer) -> Candidate:
        """A legal move without what is hidden from the viewer."""
        seen = self._game.seen_move(self._state, candidate.actor, candidate.move, viewer)
        return Candidate(candidate.actor, seen, self._codec.encode_move(self._state, seen))

    def seen_events(self, events: bytes, viewer: Viewer) -> bytes:
        """Encoded events without what is hidden from the viewer; raises CorruptEvents."""
        caused = self._codec.decode_events(self._state, events)
        return self._codec.encode_events(self._state, self._game.seen_events(self._state, caused, viewer))

    def write_move(self, candidate: Candidate) -> str:
        """The move in the notation of transcripts."""
        return self._game.notation.write_move(self._state, candidate.actor, candidate.move)

    def digest(self) -> bytes:
        """SHA-256 of the state: equal for equal states of a match, different for all others."""
        return hashlib.sha256(_STATE_TAG + self._codec.state_bytes(self._state)).digest()

    def position(self) -> str:
        """The position line."""
        return self._game.notation.write_position(self._state)


def _shown(  # noqa: PLR0913, PLR0917 - everything that it depends on
    game: OpaqueGame,
    codec: OpaqueCodec,
    state: OpaqueState,
    candidate: Candidate,
    caused: tuple[OpaqueEvent, ...],
    events: bytes,
) -> Shown:
    """What each seat sees of a legal move and what it caused, which these bytes encode."""
    actor, move = candidate.actor, candidate.move
    audiences = game.audiences(state, actor, move, caused)
    if not audiences:
        return Shown(candidate.data, events)

    def seen(viewer: Viewer) -> tuple[bytes, bytes]:
        for_viewer = game.seen_events(state, caused, viewer)
        return (
            codec.encode_move(state, game.seen_move(state, actor, move, viewer)),
            codec.encode_events(state, for_viewer),
        )

    return _split(audiences, seen, (candidate.data, events))


def _split(
    audiences: Sequence[Audience], seen: Callable[[Viewer], tuple[bytes, bytes]], full: tuple[bytes, bytes]
) -> Shown:
    """What is shown of an entry with secrets for these audiences.

    Seats with equal rights see the same; whether there is a view follows from the audiences alone.
    """
    if len(audiences) == 1:  # nearly always, and quicker
        return Shown(*seen(SPECTATOR), (SeatView(_bits(audiences[0]), *full),))
    groups: dict[tuple[bool, ...], list[Seat]] = {}
    for seat in sorted(frozenset[Seat]().union(*audiences)):
        groups.setdefault(tuple([seat in audience for audience in audiences]), []).append(seat)
    entitled = groups.pop((True,) * len(audiences), [])
    views = [SeatView(_bits(seats), *seen(seats[0])) for seats in groups.values()]
    views.append(SeatView(_bits(entitled), *full))
    return Shown(*seen(SPECTATOR), tuple(views))


def _bits(seats: Iterable[Seat]) -> int:
    """The seats as an audience: a bit for each."""
    return sum(1 << seat for seat in seats)


def has_secrets(header: MatchHeader, state: GameState) -> bool:
    """Whether something of the match is hidden from some viewer; the same for each of its states.

    Everybody sees all of a match that was over when it was imported as a transcript.
    """
    return header.concealment is not _OPEN and state.has_secrets()
