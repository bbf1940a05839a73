"""What the page of a match says first: who won, and with how many points, or whose turn it is."""

from collections.abc import Iterable


def headline(turn: str, scores: Iterable[tuple[str, int]]) -> str:
    """The game's own words, and the points of every owner unless they are among them."""
    points = ", ".join(f"{name} {number}" for name, number in scores)
    return turn if points in turn else f"{turn} ({points})"
