"""What is wrong with a state as a whole, where each part by itself could be right."""

from msgspec import Struct


class Inconsistency(Struct, frozen=True):
    """What is wrong, and the field of the state that shows it."""

    field: str
    why: str
    seat: int = 0
    """Whose part of the field it is, where each seat has one."""
