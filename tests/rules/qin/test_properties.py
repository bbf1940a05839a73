"""The global properties of Qin, P1 to P17 of the rules digest, on random maps and whole matches."""

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.kernel.actors import Seat
from rules.kernel.cells import cell_at
from rules.kernel.rule import Illegal
from rules.kernel.setup import Draws, Setup
from rules.kernel.value import replaced
from rules.qin.board import CellSet
from rules.qin.events import ProvinceExpanded, ProvinceFounded, ProvincesJoined
from rules.qin.game import QIN
from rules.qin.moves import DealTiles, DeclareEnd, Half, Pass, PlaceTile
from rules.qin.rulebook import QIN_1
from rules.qin.state import ALLOTMENT, PLACING, EndReason, Over, Placing, State
from rules.qin.tiles import COLOURS, EACH, KINDS, TILES, Colour, Kind
from tests.rules.laws import accepted, chances, cited, play, seeded
from tests.rules.qin.naive import Province
from tests.rules.qin.plain import plain, strict_leader, village_cells
from tests.rules.qin.strategies import (
    BUSY,
    NAMES,
    QinMatch,
    Way,
    matches,
    placements_in,
    random_placement,
    turned,
)
from tests.rules.qin.symmetry import TURNINGS, Chairs, Looking, tidied


def ended_by_last_pagoda(state: State) -> bool:
    """Then pagodas that were still due are missing (AMB-24)."""
    return state.turn == Over(EndReason.LAST_PAGODA)


def placing_states(match: QinMatch) -> list[State]:
    """The states in which a seat must place a tile."""
    return [state for state in match.states if isinstance(state.turn, Placing)]


def unowned(state: State, group: Province) -> bool:
    """A single, or starts printed side by side that no tile has joined yet."""
    lines = state.table.board.map.split("/")
    return len(group) == 1 or all(lines[row][column] != "." for row, column in group)


# P1 to P4: what a state looks like.


@given(matches())
def test_p1_no_tile_and_no_pagoda_is_made_or_lost(match: QinMatch) -> None:
    on_board: Counter[str] = Counter()
    known = True
    for state, step in zip(match.states, (None, *match.steps), strict=True):
        if step is not None and isinstance(step.move, PlaceTile):
            on_board[step.move.kind.name] += 1
        seen = plain(state)
        held = Counter(tile for hand in seen.hands for tile in hand)
        known = known and "?" not in held

        assert seen.placed == {kind.name: on_board[kind.name] for kind in KINDS}
        assert sum(on_board.values()) + held.total() + seen.stock == TILES
        # A seat may play a tile unknown to the record that, by the hands of others, nobody can hold.
        most = held if known else Counter[str]()
        assert all(on_board[kind.name] + most[kind.name] <= EACH for kind in KINDS)
        for seat, left in enumerate(seen.supplies):
            assert left + seen.on_board(seat) == ALLOTMENT[len(seen.supplies)]


@given(matches())
def test_p2_a_supply_is_empty_only_for_the_winner_at_the_end(match: QinMatch) -> None:
    for state in match.states:
        empty = [seat for seat, left in enumerate(state.supplies) if left == 0]

        assert empty == (plain(state).winners if ended_by_last_pagoda(state) else [])


@given(matches())
def test_p3_the_pagodas_of_a_group_follow_from_its_size(match: QinMatch) -> None:
    for state in match.states:
        if ended_by_last_pagoda(state):
            continue
        seen = plain(state)
        for group in seen.groups():
            _, pagodas = seen.provinces.get(group, (None, 0))

            assert pagodas == (0 if unowned(state, group) else 1 if len(group) < 5 else 2)


@given(matches())
def test_p4_the_provinces_kept_are_the_groups_found_from_nothing(match: QinMatch) -> None:
    for state in match.states:
        seen = plain(state)

        assert set(seen.provinces) == {group for group in seen.groups() if not unowned(state, group)}


# P5 to P8: what a step does.


@given(matches())
def test_p5_groups_only_grow_and_a_cell_keeps_its_colour(match: QinMatch) -> None:
    for step in match.steps:
        before, after = plain(step.before), plain(step.after)
        added = 2 if isinstance(step.move, PlaceTile) else 0

        assert before.colours.items() <= after.colours.items()
        assert len(after.colours) == len(before.colours) + added
        assert all(any(old <= new for new in after.groups()) for old in before.groups())


@given(matches())
def test_p6_a_major_keeps_its_owner_and_its_cells(match: QinMatch) -> None:
    for step, _ in placements_in(match):
        before, after = plain(step.before), plain(step.after)
        inside: Counter[Province] = Counter()
        for province, (owner, pagodas) in before.provinces.items():
            if len(province) >= 5:
                now = after.province_at(province)
                inside[now] += 1

                assert after.provinces[now] == (owner, pagodas)
        assert all(count == 1 for count in inside.values()), "two majors became one"


@given(matches())
def test_p7_a_join_makes_a_major_whose_winner_has_two_pagodas_there(match: QinMatch) -> None:
    """And pays for it what QIN-ABSORB-7 says: the others get all of theirs back, the owner keeps two."""
    for step, _ in placements_in(match):
        before, after = plain(step.before), plain(step.after)
        for event in step.events:
            if not isinstance(event, ProvincesJoined):
                continue
            cells = next(group for group in after.provinces if is_group(step.after, event.cells, group))
            standing: Counter[int] = Counter()
            for province, (owner, pagodas) in before.provinces.items():
                if province <= cells:
                    standing[owner] += pagodas

            assert len(cells) >= 5
            assert after.provinces[cells][0] == event.owner
            assert 2 <= len([province for province in before.provinces if province <= cells]) <= 4
            for seat, back in enumerate(event.returned):
                assert back == (max(standing[seat] - 2, 0) if seat == event.owner else standing[seat])
            if not ended_by_last_pagoda(step.after):
                assert event.placed == max(2 - standing[event.owner], 0)
                assert after.provinces[cells][1] == 2


def is_group(state: State, cells: CellSet, group: Province) -> bool:
    """Whether a set of cells as the rules have it is this group."""
    board = state.table.board
    return cells == sum(board.bit[cell_at(*place)] for place in group)


@given(matches())
def test_p8_a_village_is_its_strict_leaders_and_never_falls_vacant(match: QinMatch) -> None:
    for step in match.steps:
        if ended_by_last_pagoda(step.after):
            continue
        before, after = plain(step.before), plain(step.after)
        villages = village_cells(step.after.table.board.map)
        for village, owner in after.villages.items():
            assert strict_leader(after.provinces, villages[village]) in (None, owner)
            assert owner is not None or before.villages[village] is None


# P9 to P12: what a verdict does not depend on.


@given(matches(), chances())
def test_p9_a_placement_is_listed_exactly_when_it_can_be_carried_out(
    match: QinMatch, chance: random.Random
) -> None:
    """A sample over the whole match; law 1 tries every candidate in a few of its states."""
    for state in placing_states(match):
        actor = QIN.awaiting(state)[0]
        listed = set(QIN.legal_moves(state, actor))
        line = QIN.notation.write_position(state)
        for _ in range(10):
            move = random_placement(chance, state.table.board).canonical
            verdict = QIN.decide(state, actor, move)

            assert isinstance(verdict, Illegal) == (move not in listed)
            assert QIN.notation.write_position(state) == line


def start_of(match: QinMatch, *, map_text: str | None = None, rulings: dict[str, str] | None = None) -> State:
    """The match laid out again, on another map or with these rulings changed."""
    setup = QIN.setup(match.start)
    return QIN.start(
        Setup(
            setup.edition,
            setup.seats,
            setup.components if map_text is None else f"map:{map_text}",
            setup.draws,
            tuple(sorted((dict(setup.rulings) | (rulings or {})).items())),
        )
    )


@given(matches())
def test_p10_either_half_may_be_called_the_first(match: QinMatch) -> None:
    for step, move in placements_in(match):
        for twin in turned(step.before, move):
            events = accepted(QIN, step.before, step.actor, twin)

            assert events is not None
            assert QIN.fold(step.before, events) == step.after


@given(matches(), st.sampled_from(sorted(TURNINGS)), st.permutations(COLOURS), chances())
def test_p10_a_match_is_the_same_from_every_side_and_in_any_colours(
    match: QinMatch, turning: str, colours: list[Colour], chance: random.Random
) -> None:
    looking = Looking(match.start.table.board.map, TURNINGS[turning], colours)
    state = start_of(match, map_text=looking.map)
    for step in match.steps:
        board = step.before.table.board
        listed = {looking.move(move) for move in QIN.legal_moves(step.before, step.actor)}
        asked = PlaceTile(*(Half(chance.choice(COLOURS), chance.choice(board.cells)) for _ in "12"))

        assert set(QIN.legal_moves(state, step.actor)) == listed
        assert cited(QIN.decide(state, step.actor, looking.move(asked))) == cited(
            QIN.decide(step.before, step.actor, asked)
        )

        events = accepted(QIN, state, step.actor, looking.move(step.move))

        assert events is not None
        assert Counter(map(type, events)) == Counter(map(type, step.events))

        state = QIN.fold(state, events)
        cut_short = ended_by_last_pagoda(state)

        expected = tidied(looking.plain(plain(step.after)), cut_short=cut_short)

        assert tidied(plain(state), cut_short=cut_short) == expected


@given(matches(), st.integers(1, 3))
def test_p10_if_everybody_moves_on_a_seat_the_result_moves_with_them(match: QinMatch, by: int) -> None:
    chairs = Chairs(len(match.start.hands), by)
    for step in match.steps:
        if isinstance(step.move, DealTiles):
            continue  # the first seat begins, so the deal is not the same for all
        events = accepted(QIN, chairs.state(step.before), chairs.actor(step.actor), step.move)

        assert events is not None

        after = QIN.fold(chairs.state(step.before), events)

        assert after == chairs.state(step.after)
        assert plain(after).winners == sorted(chairs.to[seat] for seat in plain(step.after).winners)


@given(matches())
def test_p11_judging_every_village_gives_what_judging_the_touched_ones_gave(match: QinMatch) -> None:
    for step, _ in placements_in(match):
        if ended_by_last_pagoda(step.after):
            continue
        before, after = plain(step.before), plain(step.after)
        villages = village_cells(step.after.table.board.map)
        judged = {}
        for village, holder in before.villages.items():
            leader = strict_leader(after.provinces, villages[village])
            judged[village] = holder if leader is None else leader

        assert after.villages == judged


@given(matches(draws=Draws.UNRECORDED, rulings={"singles": "nobody", "stuck": "pass"}), chances())
def test_p12_ownership_does_not_depend_on_the_mover_except_for_founding(
    match: QinMatch, chance: random.Random
) -> None:
    for step, move in placements_in(match):
        if not step.before.stock:
            break  # from here on some may have run out of tiles
        other = chance.choice(step.before.table.seats)
        before = replaced(step.before, turn=PLACING[other])
        events = accepted(QIN, before, other, move)
        anywhere = random_placement(chance, before.table.board)

        assert events is not None
        assert cited(QIN.decide(before, other, anywhere)) == cited(
            QIN.decide(step.before, step.actor, anywhere)
        )

        after = QIN.fold(before, events)
        if ended_by_last_pagoda(after) or ended_by_last_pagoda(step.after):
            continue

        assert heirs(before, after) == heirs(step.before, step.after)
        if not any(isinstance(event, ProvinceFounded) for event in events):
            assert after.villages == step.after.villages
            assert after.supplies == step.after.supplies


def heirs(before: State, after: State) -> dict[Province, int]:
    """Who owns the provinces that have grown out of others."""
    old, new = plain(before), plain(after)
    return {
        province: owner
        for province, (owner, _) in new.provinces.items()
        if any(former <= province for former in old.provinces)
    }


# P13 to P17: events and matches.


@given(matches())
def test_p13_a_one_colour_tile_founds_expands_or_joins_exactly_once(match: QinMatch) -> None:
    """A two-colour tile does so at most once a half."""
    for step, move in placements_in(match):
        grown = [
            event
            for event in step.events
            if isinstance(event, ProvinceFounded | ProvinceExpanded | ProvincesJoined)
        ]
        if move.kind.plain:
            assert len(grown) == 1
        else:
            assert len({event.colour for event in grown}) == len(grown) <= 2
            assert {event.colour for event in grown} <= {move.first.colour, move.second.colour}
        clustered = any(step.before.table.board.clusters)
        for event in grown:
            if isinstance(event, ProvinceFounded) and not clustered:
                assert event.cells.bit_count() <= (2 + 4 if move.kind.plain else 1 + 3)
                assert event.owner == step.actor


@pytest.mark.parametrize("way", BUSY)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_p14_no_match_has_more_than_72_placements_and_bird_is_never_full(way: Way, seats: int) -> None:
    for seed in range(3):
        start = QIN.start(Setup(QIN_1, NAMES[:seats], "bird", list(Draws)[seed % 2]))
        match = play(QIN, start, seeded(seed), way)
        free = match.last.table.board.steppe & ~match.last.taken

        assert len(list(placements_in(match))) <= TILES
        assert free.bit_count() >= 7


@given(matches())
def test_p15_staged_and_settled_agree_where_nobody_empties_his_supply(match: QinMatch) -> None:
    staged = start_of(match, rulings={"last-pagoda": "staged"}).table
    settled = start_of(match, rulings={"last-pagoda": "settled"}).table
    for step, move in placements_in(match):
        results = []
        for table in (staged, settled):
            before = replaced(step.before, table=table)
            events = accepted(QIN, before, step.actor, move)

            assert events is not None

            results.append(QIN.fold(before, events))
        first, second = results
        if not ended_by_last_pagoda(first):
            # Settling returns pagodas earlier, never later, so it ends no match that goes on when staged.
            assert plain(first) == plain(second)


@given(matches())
def test_p16_a_replay_reproduces_every_derived_event(match: QinMatch) -> None:
    state = start_of(match)
    for step in match.steps:
        events = accepted(QIN, state, step.actor, step.move)

        assert events is not None
        assert repr(events) == repr(step.events)

        state = QIN.fold(state, events)

    assert QIN.notation.write_position(state) == QIN.notation.write_position(match.last)


@pytest.mark.parametrize(
    ("position", "move", "change"),
    [
        pytest.param(
            "map:R...../B.v... RRRR../BBv... green:22:a2:v:?,?,? violet:23:a1::?,?,? place:green RR1,RB1",
            "green Re1Yf1",
            -1,
            id="X-VIL-5 growing a rival's province costs a village",
        ),
        pytest.param(
            "map:..R../...../R...R/..... ..R../..R../RR.RR/..... green:21:c1,a3,d3::?,?,? violet:24:::?,?,?"
            " place:green RR1,RY1",
            "green Rc3Yc4",
            -1,
            id="X-ABS-2 joining one's own provinces",
        ),
    ],
)
def test_p17_a_placement_can_lower_the_movers_own_pagodas(position: str, move: str, change: int) -> None:
    before = QIN.notation.read_position(position)
    actor, asked = QIN.notation.read_move(before, move)

    events = accepted(QIN, before, actor, asked)

    assert events is not None
    assert QIN.fold(before, events).on_board(Seat(0)) - before.on_board(Seat(0)) == change


def test_law_11_also_holds_where_a_hidden_hand_is_known_in_part() -> None:
    """Green is stuck and may say `end` or not; the answer must not tell what violet holds."""
    red, yellow = (
        QIN.notation.read_position(
            "map:R...R/~~.~~ RR.RR/~~.~~ green:23:a1::RR,RR,RR"
            f" violet:23:d1::{held} place:green RR1 draws=recorded"
        )
        for held in ("RR,?,?", "YY,?,?")
    )

    assert QIN.view(red, Seat(0)) == QIN.view(yellow, Seat(0))
    assert list(QIN.legal_moves(red, Seat(0))) == list(QIN.legal_moves(yellow, Seat(0)))


@given(matches())
def test_legal_moves_come_in_the_order_that_is_stated(match: QinMatch) -> None:
    """By the first cell, the pair to the right before the pair below, then by kind; pass and end last."""
    for state in placing_states(match):
        listed = list(QIN.legal_moves(state, QIN.awaiting(state)[0]))
        placed = [move for move in listed if isinstance(move, PlaceTile)]

        assert placed == sorted(placed, key=_place_in_the_list)
        assert [type(move) for move in listed[len(placed) :]] in (
            [],
            [Pass],
            [DeclareEnd],
            [Pass, DeclareEnd],
        )


def _place_in_the_list(move: PlaceTile) -> tuple[int, int, Kind, bool]:
    return move.first.cell, move.second.cell, move.kind, move.first.colour > move.second.colour
