"""What a game can be asked without its types: moves are judged and records folded, in bytes or text."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from records.codec.shape import CorruptMove
from rules.kernel.actors import Actor, Viewer
from rules.kernel.display import Drawing, Marks, Painted, Room, SeatNote, Sight, Told
from rules.kernel.game import About, Outcome
from rules.kernel.rule import Illegal
from rules.kernel.series import Standings
from rules.kernel.setup import ComponentReport, Setup


class Accepted(Struct, frozen=True):
    """The verdict on a legal move: what it causes, and how the match stands after it."""

    events: bytes
    after: "Standing"


class Judged(Struct, frozen=True):
    """The verdict on moves that follow each other."""

    events: list[bytes]
    """What each legal move causes, up to the first that is not legal."""
    digests: Callable[[], list[bytes]]
    """The digest of the state after each."""
    standing: "Callable[[int], Standing]"
    """How the match stands after the one at this place; made only where somebody looks at it."""
    wrong: Illegal | CorruptMove | None
    """What is wrong with that first one."""


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
    def judge_all(self, asked: Sequence[tuple[Actor, bytes]]) -> "Judged":
        """The verdict on moves that follow each other, in less time than it takes move by move."""

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
    def seen_move(self, actor: Actor, move: bytes, viewer: Viewer) -> bytes:
        """A legal move as far as the viewer may know it; bytes that are no move raise CorruptMove."""

    @abstractmethod
    def seen_events(self, events: bytes, viewer: Viewer) -> bytes:
        """What it causes, likewise; bytes that are no events raise CorruptEvents."""

    @abstractmethod
    def shuffle(self) -> int:
        """Which shuffle of the match, from 0, the components that are due come from."""

    @abstractmethod
    def stock(self) -> tuple[str, ...]:
        """What is shuffled, by public names in a stated order; asked before anything is taken from it."""

    @abstractmethod
    def fits(self, order: tuple[str, ...]) -> bool:
        """Whether the match can go on with this order; if not, it is shuffled once more."""

    @abstractmethod
    def places(self, size: int) -> range:
        """Which places of an order of this size are due; none where chance is not awaited."""

    @abstractmethod
    def bring(self, components: tuple[str, ...]) -> bytes:
        """The move of chance that brings the components of these places; ValueError where none can."""

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
    def caution(self) -> str:
        """What must be told wherever the match is shown; empty as a rule."""

    @abstractmethod
    def perft(self, depth: int) -> int:
        """How many sequences of so many moves go on from here, as the game counts them."""

    @abstractmethod
    def divide(self, depth: int) -> Iterator[tuple[str, int]]:
        """The same, below each first move."""

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

    @property
    @abstractmethod
    def deepest(self) -> int:
        """No sequence that perft counts is longer."""

    @abstractmethod
    def sight(self, components: str) -> Sight:
        """The board of components as a match header has them; raises BadSetup or Unreadable."""

    @abstractmethod
    def series(self, matches: Sequence[Standing]) -> Standings:
        """Matches added up; raises BadSeries, also where the game has no series."""

    @abstractmethod
    def check_components(self, text: str) -> ComponentReport | None:
        """What a component file holds and what is wrong with it; None where the game has no such files.

        Raises UnreadableComponents.
        """

    @abstractmethod
    def start(self, setup: Setup) -> Standing:
        """A match laid out; raises BadSetup, UnknownEdition or UnknownRuling."""

    @abstractmethod
    def read_position(self, text: str) -> Standing:
        """A match as a position line tells it; raises Unreadable."""
