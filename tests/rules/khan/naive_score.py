"""Points, territories and bonuses of Khan, counted the slow and plain way."""

from collections.abc import Sequence

from tests.rules.khan.naive_position import Position
from tests.rules.khan.naive_set import groups


def share(value: int, owners: int) -> int:
    """What each of several owners scores for a piece (KHAN-SCORE-1)."""
    whole, rest = divmod(value, owners)
    return whole + 1 if rest else whole


def piece_points(match: Position, seat: int) -> int:
    """What a seat scores for its pieces."""
    return sum(
        share(match.printed.shapes[piece.shape].value, len(piece.owners))
        for piece in match.pieces
        if seat in piece.owners
    )


def territories(match: Position, seat: int) -> list[int]:
    """The sizes of a seat's territories, the largest first (KHAN-BONUS-1)."""
    cells = [cell for piece in match.pieces if seat in piece.owners for cell in piece.cells]
    return sorted((len(group) for group in groups(cells)), reverse=True)


def bonuses(sizes: Sequence[Sequence[int]]) -> list[int]:
    """The bonus for each list of sizes (KHAN-BONUS-2)."""
    longest = max(len(each) for each in sizes)
    padded = [[*each, *[0] * (longest - len(each))] for each in sizes]
    ranks = sorted((each for each in padded if any(each)), reverse=True)
    distinct = [each for place, each in enumerate(ranks) if each not in ranks[:place]]
    return [(10, 6, 3)[distinct.index(each)] if each in distinct[:3] else 0 for each in padded]


def scores(match: Position) -> list[int]:
    """Pieces and bonus together, by seat."""
    extra = bonuses([territories(match, seat) for seat in range(match.seats)])
    return [piece_points(match, seat) + extra[seat] for seat in range(match.seats)]


def winners(match: Position) -> list[int]:
    """KHAN-WIN-1; of those with the most points the one with the largest territory, or all of them."""
    points = scores(match)
    best = [seat for seat in range(match.seats) if points[seat] == max(points)]
    largest = {seat: max(territories(match, seat), default=0) for seat in best}
    return [seat for seat in best if largest[seat] == max(largest.values())]
