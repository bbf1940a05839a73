"""A move on its way to be judged, read once and kept with its bytes."""

from msgspec import Struct

from records.games.opaque import OpaqueMove
from rules.kernel.actors import Actor


class Candidate(Struct, frozen=True):
    """A move that somebody asks for; only states of the match that read it can judge it."""

    actor: Actor
    move: OpaqueMove
    data: bytes
    """The move as it is stored: the bytes that it was read from, or the encoding of what a text says."""
