"""The final score knows no names: with seats or aspects renamed, it is the same, renamed (ZHG-INV-44)."""

import random
from collections.abc import Callable
from dataclasses import replace
from itertools import permutations
from typing import TypeAlias

from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from rules.kernel.actors import Seat
from rules.zhanguo.annex import WallCount
from rules.zhanguo.game import ZHANGUO
from rules.zhanguo.main_board import GovernorSpot
from rules.zhanguo.pieces import (
    ASPECTS,
    OF_ASPECT,
    UNIFICATION_CARDS,
    Card,
    Face,
    TileKind,
    is_unification,
)
from rules.zhanguo.player_board import Placed
from rules.zhanguo.scoring import score, winners
from rules.zhanguo.state import State
from tests.rules.laws import chances
from tests.rules.zhanguo.naive import Naive
from tests.rules.zhanguo.naive_line import write_line
from tests.rules.zhanguo.naive_printed import REFERENCE, Printed
from tests.rules.zhanguo.naive_random import late_rival_table, random_table

Board: TypeAlias = Callable[[random.Random, Printed], Naive]
BOARDS: st.SearchStrategy[Board] = st.sampled_from([random_table, late_rival_table])
BY_ASPECT = (WallCount.WRITING, WallCount.CURRENCY, WallCount.LAWS)


def crowded(chance: random.Random, board: Board) -> State:
    return ZHANGUO.notation.read_position(write_line(board(chance, REFERENCE)))


def with_seats_renamed(state: State, to: tuple[int, ...]) -> State:
    """The state in which each seat sits at the place that `to` gives for it."""
    seats = state.table.seats
    origin = [to.index(seat) for seat in seats]

    def renamed(standing: tuple[Seat | None, ...]) -> tuple[Seat | None, ...]:
        return tuple(None if seat is None else Seat(to[seat]) for seat in standing)

    def counted(numbers: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(numbers[seat] for seat in origin)

    return structs.replace(
        state,
        table=replace(state.table, names=tuple(state.table.names[seat] for seat in origin)),
        players=tuple(state.players[seat] for seat in origin),
        mausoleum=tuple(structs.replace(at, slots=renamed(at.slots)) for at in state.mausoleum),
        walls=tuple(structs.replace(at, slots=renamed(at.slots)) for at in state.walls),
        regions=tuple(
            structs.replace(
                at,
                palaces=counted(at.palaces),
                area=counted(at.area),
                spots=tuple(GovernorSpot(spot.tile, renamed(spot.spaces)) for spot in at.spots),
            )
            for at in state.regions
        ),
    )


def with_aspects_renamed(state: State, by: int) -> State:
    """The state in which writing, currency and laws have changed places, on cards, tiles and wall faces."""
    faces = state.table.printed.faces
    of_aspect = [next(at for at, face in enumerate(faces) if face.count is count) for count in BY_ASPECT]

    def card(old: Card) -> Card:
        return Card((old + by * OF_ASPECT) % UNIFICATION_CARDS) if is_unification(old) else old

    def kind(old: TileKind) -> TileKind:
        return TileKind((old + by) % len(ASPECTS)) if old < len(ASPECTS) else old

    def face(old: Face | None) -> Face | None:
        return Face(of_aspect[(of_aspect.index(old) + by) % len(ASPECTS)]) if old in of_aspect else old

    return structs.replace(
        state,
        walls=tuple(structs.replace(at, face=face(at.face)) for at in state.walls),
        kept=tuple(tuple(map(kind, kinds)) for kinds in state.kept),
        players=tuple(
            structs.replace(
                player,
                domains=tuple(
                    structs.replace(
                        domain, cards=tuple(Placed(card(each.card), each.emperor) for each in domain.cards)
                    )
                    for domain in player.domains
                ),
            )
            for player in state.players
        ),
    )


@given(chances(), BOARDS)
def test_seats_renamed_have_the_points_that_they_had(chance: random.Random, board: Board) -> None:
    before = crowded(chance, board)
    to = chance.choice(list(permutations(before.table.seats)))
    after = with_seats_renamed(before, to)

    assert [score(after, Seat(to[seat])) for seat in before.table.seats] == [
        score(before, seat) for seat in before.table.seats
    ]
    assert set(winners(after)) == {to[seat] for seat in winners(before)}


@given(chances(), BOARDS, st.sampled_from([1, 2]))
def test_aspects_renamed_give_the_same_points(chance: random.Random, board: Board, by: int) -> None:
    before = crowded(chance, board)
    after = with_aspects_renamed(before, by)

    for seat in before.table.seats:
        assert score(after, seat) == score(before, seat)
