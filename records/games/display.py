"""A state as people see it: drawings of the board, and seats, turn and events in words."""

import re
from functools import cache
from typing import Final

from records.games.candidate import Candidate
from records.games.opaque import OpaqueCodec, OpaqueEvent, OpaqueGame, OpaqueMove, OpaqueState
from rules.kernel.display import EventText, Highlights, SeatNote, StyledLine, TerminalSize, VectorImage
from rules.kernel.panels import Panel


class StateDisplay:
    """Drawings and descriptions of one state."""

    __slots__ = ("_codec", "_game", "_state")

    def __init__(self, game: OpaqueGame, codec: OpaqueCodec, state: OpaqueState) -> None:
        self._game: Final = game
        self._codec: Final = codec
        self._state: Final = state

    def draw(self) -> str:
        """The board in plain text."""
        return self._game.draw(self._state)

    def styled_lines(
        self, highlights: Highlights[Candidate], terminal: TerminalSize
    ) -> tuple[StyledLine, ...]:
        """The board in coloured text."""
        return self._game.display.styled_lines(self._state, _moves(highlights), terminal)

    @property
    def key(self) -> str:
        """The legend of the coloured board."""
        return self._game.display.key

    def picture(self, highlights: Highlights[Candidate]) -> VectorImage:
        """The board as a vector drawing."""
        return self._game.display.picture(self._state, _moves(highlights))

    def panels(self, highlights: Highlights[Candidate]) -> tuple[Panel, ...]:
        """What the drawing is made of, for pages; nothing if the game has only the drawing."""
        panels = self._game.display.panels
        return () if panels is None else panels(self._state, _moves(highlights))

    def seats(self) -> tuple[SeatNote, ...]:
        """A description of every seat, in turn order."""
        return self._game.display.seats(self._state)

    def owners(self) -> tuple[tuple[str, SeatNote], ...]:
        """A description of every seat in turn order, then of every owner that is no seat, by name."""
        names = self._game.setup(self._state).seats
        return (*zip(names, self.seats(), strict=True), *self._game.display.others(self._state))

    def turn(self) -> str:
        """Whose turn it is, or who won."""
        return self._game.display.turn(self._state)

    def caution(self) -> str:
        """A warning to show with the match, such as a component set that is not official; usually empty."""
        return self._game.caution(self._state)

    def touches(self, candidate: Candidate) -> tuple[str, ...]:
        """The places that a move is about, by the names that pictures and violations have."""
        return self._game.display.touches(self._state, candidate.move)

    def explain(self, candidate: Candidate) -> str:
        """The names of the cards that a move chooses and what they do; empty where its text says it all."""
        return self._game.display.explain(self._state, candidate.move)

    def kind(self, candidate: Candidate) -> str:
        """The kind of a move, in words: 'place tile'."""
        return _words(type(candidate.move).__name__)

    def describe(self, events: bytes) -> tuple[EventText, ...]:
        """The encoded events in words but for bookkeeping; raises CorruptEvents for other bytes."""
        describe, state = self._game.display.describe, self._state
        texts: list[EventText] = []
        before: OpaqueEvent | None = None
        for event in self._codec.decode_events(state, events):
            if before is not None:
                state = self._game.evolve(state, before)
            texts.append(describe(state, event))
            before = event
        return tuple(text for text in texts if text.text)


@cache
def _words(name: str) -> str:
    """The name of a class as words: 'PlaceTile' is 'place tile'."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name).lower()


def _moves(highlights: Highlights[Candidate]) -> Highlights[OpaqueMove]:
    last, refused = (None if each is None else each.move for each in (highlights.last, highlights.refused))
    return Highlights(last, refused, highlights.places)
