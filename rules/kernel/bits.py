"""Sets of cells as integers, one bit per cell."""

from typing import Annotated, Final, TypeAlias


class _Wide:
    """Marks an integer that may have more than 64 bits."""


WIDE: Final = _Wide()

WideBits: TypeAlias = Annotated[int, WIDE]
"""A set that may have more than 64 members; the canonical bytes of a state take such a set as bytes only."""
