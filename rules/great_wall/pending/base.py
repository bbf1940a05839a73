"""What every task is."""

from msgspec import Struct


class Pending(Struct, frozen=True, tag=True, array_like=True):
    """What every task has: a tag of its own in the bytes of a state."""
