"""A state shown to people: drawings of the board, and seats, turn and events in words."""

from typing import Final

from records.games.candidate import Candidate
from records.games.opaque import OpaqueCodec, OpaqueEvent, OpaqueGame, OpaqueMove, OpaqueState
from rules.kernel.display import EventText, Highlights, SeatNote, StyledLine, TerminalSize, VectorImage


class StateDisplay:
    """How one state is shown."""

    __slots__ = ("_codec", "_game", "_state")

    def __init__(self, game: OpaqueGame, codec: OpaqueCodec, state: OpaqueState) -> None:
        self._game: Final = game
        self._codec: Final = codec
        self._state: Final = state

    def draw(self) -> str:
        """The position as a picture in plain text."""
        return self._game.draw(self._state)

    def paint(self, marks: Highlights[Candidate], room: TerminalSize) -> tuple[StyledLine, ...]:
        """The board in coloured text."""
        return self._game.display.paint(self._state, _moves(marks), room)

    @property
    def key(self) -> str:
        """What the signs of a painted board mean."""
        return self._game.display.key

    def picture(self, marks: Highlights[Candidate]) -> VectorImage:
        """The board as a vector drawing."""
        return self._game.display.picture(self._state, _moves(marks))

    def seats(self) -> tuple[SeatNote, ...]:
        """What can be said of every seat, in turn order."""
        return self._game.display.seats(self._state)

    def turn(self) -> str:
        """Whose turn it is, or who has won."""
        return self._game.display.turn(self._state)

    def caution(self) -> str:
        """A warning to print wherever the match is shown; usually empty."""
        return self._game.caution(self._state)

    def tell(self, events: bytes) -> tuple[EventText, ...]:
        """What these events do, in words; bytes that are no events raise CorruptEvents."""
        tell, state = self._game.display.tell, self._state
        told: list[EventText] = []
        before: OpaqueEvent | None = None
        for event in self._codec.decode_events(state, events):
            if before is not None:
                state = self._game.evolve(state, before)
            told.append(tell(state, event))
            before = event
        return tuple(told)


def _moves(marks: Highlights[Candidate]) -> Highlights[OpaqueMove]:
    last, refused = (None if each is None else each.move for each in (marks.last, marks.refused))
    return Highlights(last, refused, marks.places)
