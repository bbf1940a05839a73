"""Work that is done in steps, between which other work can be done."""

from collections.abc import Generator
from typing import TypeAlias, TypeVar

Done = TypeVar("Done")

Steps: TypeAlias = Generator[None, None, Done]
"""Yields after every step of at most about a millisecond, and returns what was worked out."""


def at_once(steps: Steps[Done]) -> Done:
    """What the steps return, all done one after the other."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            done: Done = end.value
            return done
