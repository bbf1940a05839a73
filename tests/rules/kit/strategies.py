"""Any move and event of the toy."""

from hypothesis import strategies as st

from rules.kernel.actors import Seat
from rules.kernel.cells import COLUMNS, ROWS, Cell
from tests.rules.kit import toy

SEATS = st.sampled_from((Seat(0), Seat(1)))
CARDS = st.integers(0, 29).map(toy.Card)
CELLS = st.integers(0, ROWS * COLUMNS - 1).map(Cell)
REGIONS = st.sampled_from(toy.Region)
COUNTS = st.integers(0, 200)
CELL_SETS = st.sets(CELLS, min_size=1, max_size=5).map(lambda cells: sum(1 << cell for cell in cells))
RESTS = st.builds(toy.Rest, REGIONS)


def tallies(kinds: int) -> st.SearchStrategy[tuple[int, ...]]:
    return st.tuples(*[st.integers(0, 12)] * kinds)


def spots(lines: int) -> st.SearchStrategy[toy.Spot]:
    return st.builds(toy.Spot, REGIONS, st.integers(0, lines), CELLS)


def moves() -> st.SearchStrategy[toy.Move]:
    return st.one_of(
        st.builds(toy.Draw, st.none() | CARDS),
        st.builds(toy.Reveal, st.tuples(CARDS, CARDS, CARDS)),
        st.builds(toy.Invade, CELLS, CARDS),
        st.builds(toy.Support, st.none() | REGIONS),
        st.builds(toy.Install, REGIONS, st.integers(0, 9).map(toy.Space) | st.just(toy.Area.AREA)),
        st.builds(toy.Pay, tallies(4)),
        st.builds(toy.Lose, tallies(3), tallies(3)),
        st.builds(toy.MoveWorker, REGIONS, REGIONS),
        st.builds(toy.MoveClerk, st.none() | REGIONS, REGIONS),
        st.just(toy.RecoverAll()),
        st.builds(toy.RecoverOne, CARDS),
        st.builds(toy.Recruit, COUNTS, spots(9) | RESTS),
        st.builds(toy.PlayTactic, CARDS, st.booleans()),
        st.builds(
            toy.Build,
            st.sets(REGIONS).map(lambda found: tuple(region for region in toy.Region if region in found)),
        ),
        st.builds(toy.Cover, CELL_SETS),
        st.builds(toy.Show, CARDS | st.sampled_from(toy.Aspect)),
        st.just(toy.Done()),
    )


def events() -> st.SearchStrategy[toy.Event]:
    return st.one_of(
        st.builds(toy.Dealt, SEATS, st.none() | CARDS),
        st.builds(toy.Fled, CELLS, CELLS, st.booleans()),
        st.builds(toy.Placed, SEATS, spots(999), CELL_SETS, st.lists(SEATS).map(tuple)),
        st.builds(
            toy.Scored,
            st.lists(COUNTS).map(tuple),
            st.lists(REGIONS).map(tuple),
            st.none() | COUNTS,
            st.none() | REGIONS,
        ),
        st.builds(toy.Rested, st.lists(RESTS).map(tuple), st.none() | RESTS),
        st.just(toy.Ended()),
    )
