"""The interface of a game: a frozen record of functions."""

import enum
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Final, Generic, TypeAlias, TypeVar, assert_never

from rules.kernel.actors import Actor, Seat, Viewer
from rules.kernel.chance import Chance
from rules.kernel.choices import SealedChoices
from rules.kernel.display import BoardInfo, Display
from rules.kernel.edition import Edition, Option, Ruling
from rules.kernel.rule import Illegal, Rule
from rules.kernel.series import Standings
from rules.kernel.setup import ComponentReport, ComponentSet, GameKey, Setup
from rules.kernel.text import listed

State = TypeVar("State")
Move = TypeVar("Move")
Event = TypeVar("Event")
Comparable = TypeVar("Comparable", int, tuple[int, ...])


def _nothing(_: object) -> str:
    return ""


def _never(_: str) -> bool:
    return False


class OutcomeKind(enum.Enum):
    """Whether a match has winners, and whether they beat each other or the game."""

    WON = "won"
    """One seat won, or several that share the win."""
    ALL_WON = "all-won"
    """All seats won together, against the game."""
    NOBODY_WON = "nobody-won"
    """No seat won: the game defeated all of them."""


@dataclass(frozen=True, slots=True)
class Score:
    """The points of a seat, or of an owner that is no seat, at the end of a match."""

    owner: Seat | str
    """A seat; or the name of an automaton or a clan without a seat, which no seat of the match has."""
    points: int
    categories: tuple[tuple[str, int], ...] = ()
    """The categories that the points are the sum of, in the order of the rulebook; empty if it has none."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended."""

    winners: tuple[Seat, ...]
    """Empty if nobody won."""
    ranking: tuple[tuple[Seat, ...], ...]
    """Seats from first to last; tied seats are in one group. Seats that won or lost together are tied."""
    reason: str
    kind: OutcomeKind = OutcomeKind.WON
    scores: tuple[Score, ...] = ()
    """The seats in turn order, then owners that are no seats; empty if the game has no points."""


def ranked(amounts: Mapping[Seat, Comparable]) -> tuple[tuple[Seat, ...], ...]:
    """Seats from first to last by what they have, the most first; those with equally much are tied."""
    return tuple(
        tuple(seat for seat in amounts if amounts[seat] == level)
        for level in sorted(set(amounts.values()), reverse=True)
    )


def who_won(outcome: Outcome, names: Sequence[str]) -> str:
    """The winners in words; names are those of all seats, in turn order."""
    won = listed([names[seat] for seat in sorted(outcome.winners)])
    match outcome.kind:
        case OutcomeKind.WON:
            return f"{won} won"
        case OutcomeKind.ALL_WON:
            return f"{won} won together"
        case OutcomeKind.NOBODY_WON:
            return "nobody won"
        case _:
            assert_never(outcome.kind)


def all_won(seats: Iterable[Seat], reason: str, scores: tuple[Score, ...] = ()) -> Outcome:
    """The outcome of a match that its seats won together against the game."""
    together = tuple(seats)
    return Outcome(together, (together,), reason, OutcomeKind.ALL_WON, scores)


def nobody_won(seats: Iterable[Seat], reason: str, scores: tuple[Score, ...] = ()) -> Outcome:
    """The outcome of a match that its seats lost to the game."""
    return Outcome((), (tuple(seats),), reason, OutcomeKind.NOBODY_WON, scores)


@dataclass(frozen=True, slots=True)
class Notation(Generic[State, Move]):
    """The text form of moves and positions; reading raises Unreadable and never guesses."""

    write_move: Callable[[State, Actor, Move], str]
    """The move as in a transcript, including its actor."""
    read_move: Callable[[State, str], tuple[Actor, Move]]
    write_position: Callable[[State], str]
    """One line that contains everything needed to continue from the position."""
    read_position: Callable[[str], State]
    depends_on_turn: Callable[[str], bool] = _never
    """Whether read_move may read this text differently in another state of the match.

    All other texts can be read in any state of the match: they depend only on seats and components.
    """
    tolerates: Callable[[str], bool] = _never
    """Whether read_position reads positions with this problem: one made up for an example may lack pieces."""


@dataclass(frozen=True, slots=True)
class Perft(Generic[State]):
    """Counts of move sequences, for comparing move generators."""

    deepest: int
    """Maximum depth."""
    count: Callable[[State, int], int]
    """The number of move sequences of the given length from the given state."""
    divide: Callable[[State, int], Iterator[tuple[str, int]]]
    """The count for each first move, with that move in words; depth is at least 1."""


@dataclass(frozen=True, slots=True)
class About:
    """General information about a game."""

    key: GameKey
    title: str
    author: str
    editions: tuple[Edition, ...]
    """The last is the one of a new match that names none."""
    rules: tuple[Rule, ...]
    rulings: tuple[Ruling, ...]
    components: tuple[ComponentSet, ...]
    """The component sets that this build ships; a match may bring its own."""
    options: tuple[Option, ...] = ()
    """The variants that the rulebook offers; a match with any other is refused before it is set up."""


Audience: TypeAlias = frozenset[Seat]
"""The seats that may see what is concealed from everybody else."""

Part = TypeVar("Part")
"""A move or an event of one kind."""


@dataclass(frozen=True, slots=True)
class Secret(Generic[State]):
    """A field of a move or of an event that not everybody may see."""

    of: type[object]
    """The kind of move or event."""
    field: str
    audience: Callable[[State, Actor, object], Audience | None]
    """Who may see it, from public facts alone: the same where the value is not known. None: everybody may.

    The state is the one before the move, the actor the one who makes the move.
    """


@cache
def _alone(seat: Seat) -> Audience:
    """The audience of one seat."""
    return frozenset((seat,))


def secret(
    of: type[Part], field: str, audience: Callable[[State, Part], Seat | Collection[Seat] | None]
) -> Secret[State]:
    """A field that a seat or some seats may see; None is everybody. The state is the one before the move."""

    def asked(state: State, _: Actor, part: object) -> Audience | None:
        who = audience(state, part) if isinstance(part, of) else None
        if isinstance(who, int):
            return _alone(who)
        return who if who is None else frozenset(who)

    return Secret(of, field, asked)


MOST_OUTCOMES: Final = 256
"""More outcomes of one move are not listed: it would be a game in which a record shows next to nothing."""


def _no_other(_: object, __: object) -> tuple[()]:
    return ()


@dataclass(frozen=True, slots=True)
class Game(Generic[State, Move, Event]):
    """A game: its rules, notation and display."""

    about: About
    max_entries: int
    """Maximum number of entries of a match."""
    start: Callable[[Setup], State]
    """The first state of a match; raises BadSetup, UnknownEdition, UnknownRuling or UnknownOption."""
    setup: Callable[[State], Setup]
    """The setup that the match was started with."""
    decide: Callable[[State, Actor, Move], tuple[Event, ...] | Illegal]
    """Judges a move: the events that it causes, or the rules that it breaks."""
    evolve: Callable[[State, Event], State]
    """Applies an event without judging it."""
    fold: Callable[[State, Iterable[Event]], State]
    """Applies all events of a move; raises ValueError or IndexError for events that no match can have.

    On any state that it returns, however forged, no function of the game raises.
    """
    legal_moves: Callable[[State, Actor], Iterator[Move]]
    """In a defined order; empty for an actor that is not awaited."""
    awaiting: Callable[[State], tuple[Actor, ...]]
    """Who must act now; empty once the match is over."""
    outcome: Callable[[State], Outcome | None]
    problems: Callable[[State], tuple[str, ...]]
    """Every invariant that is broken, in words."""
    view: Callable[[State, Viewer], State]
    """The state as the viewer may see it; hidden parts are unknown."""
    seen_move: Callable[[State, Actor, Move, Viewer], Move]
    """A legal move as the viewer may see it; the state is the one before the move."""
    seen_events: Callable[[State, tuple[Event, ...], Viewer], tuple[Event, ...]]
    """The events of a move as the viewer may see them; the state is the one before the move."""
    has_secrets: Callable[[State], bool]
    """Whether the match can ever contain something that a viewer may not see.

    It does not change during a match. If it is False, every viewer sees everything.
    """
    chance: Chance[State, Move]
    """How deals and draws are taken from shuffled components."""
    notation: Notation[State, Move]
    draw: Callable[[State], str]
    """The position as a picture in plain text."""
    display: Display[State, Move, Event]
    perft: Perft[State]
    board_info: Callable[[str], BoardInfo]
    """The board that the components of a match header describe; raises BadSetup or Unreadable."""
    caution: Callable[[State], str] = _nothing
    """A warning to show with the match, such as that its components are invented; usually empty."""
    series: Callable[[Sequence[State]], Standings] | None = None
    """The standings after several matches, if the game has series; raises BadSeries."""
    check_components: Callable[[str], ComponentReport] | None = None
    """Checks a component file, if the game has such files; raises UnreadableComponents."""
    secrets: tuple[Secret[State], ...] = ()
    """Every field of a move or an event that a view may leave out."""
    other_outcomes: Callable[[State, tuple[Event, ...]], tuple[tuple[Event, ...], ...]] = _no_other
    """What the move that decide says causes these events causes as well, if what is unknown is otherwise."""
    choices: SealedChoices[State, Move, Event] | None = None
    """How seats answer in secret, if the game ever asks them to."""
    play: Callable[[State, Actor, Move], tuple[tuple[Event, ...], State] | Illegal] | None = None
    """As decide, and with the events the state that fold makes of them, where deciding leads to it anyway.

    What fold asks of forged events is not asked again of those that the rules themselves have stated.
    """
    _secrets_by_kind: dict[type, tuple[Secret[State], ...]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    """The secrets of each kind of move and event that was asked for: most have none."""

    def sealed(self, state: State) -> bool:
        """Whether the seats that are awaited answer in secret, until all of them have answered."""
        return self.choices is not None and self.choices.open(state)

    def played(self, state: State, actor: Actor, move: Move) -> tuple[tuple[Event, ...], State] | Illegal:
        """The events that a move causes and the state after them, or the rules that it breaks."""
        if self.play is not None:
            return self.play(state, actor, move)
        events = self.decide(state, actor, move)
        return events if isinstance(events, Illegal) else (events, self.fold(state, events))

    def outcomes(self, state: State, actor: Actor, move: Move) -> tuple[tuple[Event, ...], ...]:
        """Everything that a move may cause, as far as the state shows: what decide says comes first.

        The state may be anybody's view. For every completion of it in which the move is legal, what the move
        causes there is among them as that view shows it. None where the move is legal in no completion.
        """
        verdict = self.decide(state, actor, move)
        if isinstance(verdict, Illegal):
            return ()
        found = (verdict, *self.other_outcomes(state, verdict))
        if len(found) > MOST_OUTCOMES:
            raise ValueError(f"the game lists {len(found)} outcomes, more than {MOST_OUTCOMES}")
        return found

    def audiences(
        self, state: State, actor: Actor, move: Move, events: tuple[Event, ...]
    ) -> tuple[Audience, ...]:
        """For whom something of an entry is concealed: each audience once, in the order of the secrets.

        It follows from public facts: a view of the state, of the move and of the events has the same.
        """
        return self.audiences_of(state, actor, (move, *events))

    def audiences_of(self, state: State, actor: Actor, parts: Iterable[Move | Event]) -> tuple[Audience, ...]:
        """As audiences, for some moves and events of an entry."""
        found: tuple[Audience, ...] = ()
        by_kind = self._secrets_by_kind
        for part in parts:
            kind = type(part)
            secrets = by_kind.get(kind)
            if secrets is None:
                secrets = by_kind[kind] = tuple(each for each in self.secrets if issubclass(kind, each.of))
            for each in secrets:
                audience = each.audience(state, actor, part)
                if audience is not None and audience not in found:
                    found += (audience,)
        return found
