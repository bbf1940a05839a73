"""The shape of a codec: a frozen record of functions, one for each game."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

State = TypeVar("State")
Move = TypeVar("Move")
Event = TypeVar("Event")


class CorruptMove(ValueError):
    """The bytes are no move of this game."""


class CorruptEvents(ValueError):
    """The bytes are no events of this game."""


class UnknownEvents(CorruptEvents):
    """The bytes tell something that this build does not know."""


@dataclass(frozen=True, slots=True)
class Codec(Generic[State, Move, Event]):
    """Values to bytes and back. The state is any of the match: it tells the board and the seats."""

    encode_move: Callable[[State, Move], bytes]
    decode_move: Callable[[State, bytes], Move]
    """Raises CorruptMove."""
    encode_events: Callable[[State, tuple[Event, ...]], bytes]
    decode_events: Callable[[State, bytes], tuple[Event, ...]]
    """Raises CorruptEvents."""
    tell_events: Callable[[bytes], tuple[str, ...]]
    """Each event as JSON, for people. Raises CorruptEvents."""
    state_bytes: Callable[[State], bytes]
    """The same for equal states of a match and for no others: what a digest is taken over."""
