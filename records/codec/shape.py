"""What a game's codec provides, as a frozen record of functions."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from google.protobuf.message import Message

State = TypeVar("State")
Move = TypeVar("Move")
Event = TypeVar("Event")


class CorruptMove(ValueError):
    """The bytes are not a move of this game."""


class CorruptEvents(ValueError):
    """The bytes are not events of this game."""


class UnknownEvents(CorruptEvents):
    """The events have something that this build does not know."""


@dataclass(frozen=True, slots=True)
class Codec(Generic[State, Move, Event]):
    """Encoders and decoders. The state may be any state of the match: only its board and seats are used."""

    encode_move: Callable[[State, Move], bytes]
    decode_move: Callable[[State, bytes], Move]
    """Raises CorruptMove."""
    encode_events: Callable[[State, tuple[Event, ...]], bytes]
    decode_events: Callable[[State, bytes], tuple[Event, ...]]
    """Raises CorruptEvents."""
    events_as_json: Callable[[bytes], tuple[str, ...]]
    """Each event as JSON, for people. Raises CorruptEvents."""
    events_message: Callable[[], Message]
    """An empty message of the events of one entry."""
    state_bytes: Callable[[State], bytes]
    """Bytes for the digest: equal for equal states of a match, different for all others."""
