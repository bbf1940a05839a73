"""Tuples and counts with one place changed."""

from typing import TypeVar

Thing = TypeVar("Thing")


def with_one(things: tuple[Thing, ...], place: int, thing: Thing) -> tuple[Thing, ...]:
    """The same things with another one at this place."""
    return (*things[:place], thing, *things[place + 1 :])


def counted(counts: bytes, place: int, by: int) -> bytes:
    """The same counts with one of them changed by this much; raises ValueError below 0 and above 255."""
    changed = bytearray(counts)
    changed[place] += by
    return bytes(changed)
