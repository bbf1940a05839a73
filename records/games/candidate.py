"""A move that is to be judged, decoded once and kept together with its bytes."""

from msgspec import Struct

from records.games.opaque import OpaqueMove
from rules.kernel.actors import Actor


class Candidate(Struct, frozen=True):
    """A requested move. Only states of the match that parsed it can judge it."""

    actor: Actor
    move: OpaqueMove
    data: bytes
    """The move as it will be stored: the bytes that it was decoded from, or the encoding of a parsed text."""
