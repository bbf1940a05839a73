"""The seats of a match by name."""

from functools import lru_cache

from rules.kernel.actors import Seat


class Seated:
    """A table with seats: a game's own has this as a base, and a field with their names."""

    __slots__ = ()

    names: tuple[str, ...]
    """In turn order."""

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Every seat, in turn order."""
        return _seats(len(self.names))

    def after(self, seat: Seat) -> Seat:
        """Whose turn comes next."""
        return Seat((seat + 1) % len(self.names))


@lru_cache
def _seats(count: int) -> tuple[Seat, ...]:
    return tuple(Seat(number) for number in range(count))
