"""What holds over whole matches, for every number of seats and against Li Si (section 13 of the digest)."""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from records.codec.zhanguo import ZHANGUO_CODEC
from rules.kernel.actors import SPECTATOR, Seat
from rules.kernel.rule import Illegal
from rules.kernel.setup import RECORDED
from rules.zhanguo import events as e
from rules.zhanguo import frames as fr
from rules.zhanguo import moves as m
from rules.zhanguo.game import ZHANGUO
from rules.zhanguo.pieces import (
    ASPECTS,
    COURT_STEP,
    OFFICIALS,
    REGIONS,
    ROUNDS,
    UNREST,
    Action,
    CardKind,
    Official,
    Region,
    are_neighbours,
)
from rules.zhanguo.queries import acting, triggers
from rules.zhanguo.rulings import LEVELS
from rules.zhanguo.scoring import score, totals, winners
from rules.zhanguo.state import TOKENS, State
from rules.zhanguo.tasks.rewards import ranking
from tests.rules.laws import accepted
from tests.rules.zhanguo.strategies import ZhanguoMatch, ZhanguoStep, fewer, matches

SOME_STEPS = 8
STATE_BYTES = ZHANGUO_CODEC.state_bytes
"""What the digest of a state is made of."""
SEATS = pytest.mark.parametrize("seats", [2, 3, 4])


def events_of(match: ZhanguoMatch) -> Iterator[e.Event]:
    for step in match.steps:
        yield from step.events


def steps_with(match: ZhanguoMatch, *kinds: type[object]) -> Iterator[ZhanguoStep]:
    """The entries whose move is of one of these kinds."""
    return (step for step in match.steps if isinstance(step.move, kinds))


@SEATS
def test_tokens_officials_pieces_and_soldiers_are_conserved(seats: int) -> None:
    """INV-01 to -07, -11, -14, -15."""

    @fewer
    @given(matches(seats=seats))
    def holds(match: ZhanguoMatch) -> None:
        for state in match.states:
            for aspect in ASPECTS:
                held = sum(player.tokens[aspect] for player in state.players)
                assert held + state.supply(aspect) == TOKENS[seats]
                assert sum(aspect in player.large for player in state.players) <= 1
            for seat, player in zip(state.table.seats, state.players, strict=True):
                assert all(player.reserve(official) >= 0 for official in OFFICIALS)
                assert player.locked + player.entrance + player.placed == 9
                assert all(0 <= domain.unrest <= UNREST for domain in player.domains)
                assert all(len(domain.cards) <= 3 and domain.workers >= 0 for domain in player.domains)
                assert min(state.governors_left(seat), state.palaces_left(seat), state.walls_left(seat)) >= 0
                assert 0 <= player.boat <= state.table.printed.route.end

    holds()


@SEATS
def test_what_is_gained_for_good_is_never_lost(seats: int) -> None:
    """INV-30."""

    @fewer
    @given(matches(seats=seats))
    def holds(match: ZhanguoMatch) -> None:
        for step in match.steps:
            for seat in step.before.table.seats:
                one, other = step.before.players[seat], step.after.players[seat]
                assert one.vp <= other.vp
                assert one.boat <= other.boat
                assert one.placed <= other.placed
                assert one.locked >= other.locked
                assert sum(1 for _ in one.cards()) <= sum(1 for _ in other.cards())
                assert step.before.governors_left(seat) >= step.after.governors_left(seat)
                assert step.before.palaces_left(seat) >= step.after.palaces_left(seat)
                assert step.before.walls_left(seat) >= step.after.walls_left(seat)

    holds()


@fewer
@given(matches())
def test_inv_31_every_court_action_is_a_card_of_the_pile(match: ZhanguoMatch) -> None:
    kinds = Counter(type(event) for event in events_of(match))
    laid = kinds[e.CardPlayedAtCourt] + kinds[e.PlayForfeited] + kinds[e.RivalCardAtCourt]

    assert len(match.last.court) == laid
    assert kinds[e.ActionTaken] == kinds[e.CardPlayedAtCourt]


@fewer
@given(matches())
def test_inv_32_a_placement_gives_tokens_and_unrest_by_its_position(match: ZhanguoMatch) -> None:
    for step in steps_with(match, m.Unify):
        assert isinstance(step.move, m.Unify)
        seat = step.before.agenda[-1]
        assert isinstance(seat, fr.PlayDue)
        alchemists = not step.before.table.rulings.alchemists_ignored
        domain = step.before.players[seat.seat].domains[step.move.region]
        before = domain.position(alchemists=alchemists)
        gained = [event for event in step.events if isinstance(event, e.TokensGained)][:1]
        raised = [event for event in step.events if isinstance(event, e.UnrestRaised)][:1]
        aspect = ASPECTS[step.move.card // 40]

        assert sum(event.count for event in gained) == min(before + 1, step.before.supply(aspect))
        assert sum(event.by for event in raised) == before


@fewer
@given(matches())
def test_inv_33_to_36_court_actions_pay_exactly_what_they_cost(match: ZhanguoMatch) -> None:
    for step in match.steps:
        base = step.before.agenda[0]
        if not isinstance(base, fr.ActDue):
            continue
        spent = {event.region: event.count for event in step.events if isinstance(event, e.WorkersSpent)}
        hired = {event.region: event.count for event in step.events if isinstance(event, e.WorkersHired)}
        home = [event.official for event in step.events if isinstance(event, e.OfficialReturned)]
        match step.move:
            case m.Hire():
                assert list(hired.items())[:1] == [(step.move.region, 2)]
            case m.BuildPalace():
                assert spent == {step.move.region: 2, step.move.third: 1}
            case m.BuildWall():
                strokes = step.before.table.printed.strokes(step.move.section, step.move.slot - 1)
                assert spent == dict.fromkeys(step.move.regions, 1)
                assert len(spent) == strokes
            case m.Install():
                assert home == list(OFFICIALS)
            case m.Search():
                sailed = [event for event in step.events if isinstance(event, e.BoatMoved)]
                assert sailed[0].to - sailed[0].origin <= COURT_STEP
            case _:
                assert spent == {}


@fewer
@given(matches())
def test_inv_37_an_activation_is_triggered_now_and_once(match: ZhanguoMatch) -> None:
    for step in steps_with(match, m.Activate):
        assert isinstance(step.move, m.Activate)
        base = step.before.agenda[-1]
        assert isinstance(base, fr.StepDue)
        found = step.before.players[base.seat].find(step.move.card)
        assert found is not None
        region, placed = found

        assert base.test
        assert base.action in triggers(step.before, placed)
        assert step.before.players[base.seat].domains[region].unrest < UNREST
        assert step.move.card not in base.used


@given(matches())
def test_inv_49_activations_that_touch_different_things_may_come_in_either_order(match: ZhanguoMatch) -> None:
    for step in steps_with(match, m.Activate):
        moves = [
            move for move in ZHANGUO.legal_moves(step.before, step.actor) if isinstance(move, m.Activate)
        ]
        for one, other in combinations(moves, 2):
            touched = _touched(step.before, one), _touched(step.before, other)
            if all(touched) and touched[0].isdisjoint(touched[1]):
                orders = _activated(step.before, one, other), _activated(step.before, other, one)

                assert orders[0] == orders[1]


def _activated(state: State, *moves: m.Activate) -> State:
    """The state after activations, whatever their order."""
    for move in moves:
        events = accepted(ZHANGUO, state, acting(state), move)
        assert events is not None
        state = ZHANGUO.fold(state, events)
    base = state.agenda[0] if state.agenda else None
    if not isinstance(base, fr.StepDue):
        return state
    return structs.replace(state, agenda=(structs.replace(base, used=tuple(sorted(base.used))),))


def _touched(state: State, move: m.Activate) -> set[tuple[object, ...]]:
    """What an activation needs or changes; nothing if it asks something."""
    seat, after = acting(state), _activated(state, move)
    if len(after.agenda) != 1 or not isinstance(after.agenda[0], fr.StepDue):
        return set()
    before, player = state.players[seat], after.players[seat]
    found = before.find(move.card)
    assert found is not None
    touched: set[tuple[object, ...]] = {("unrest", found[0])}
    for region in REGIONS:
        was, now = before.domains[region], player.domains[region]
        touched |= {("unrest", region)} if was.unrest != now.unrest else set()
        touched |= {("workers", region)} if was.workers != now.workers else set()
        touched |= {("officials",)} if was.officials != now.officials else set()
    touched |= {("tokens", aspect) for aspect in ASPECTS if before.tokens[aspect] != player.tokens[aspect]}
    touched |= {("boat",)} if before.boat != player.boat else set()
    touched |= {("soldiers",)} if before.locked != player.locked else set()
    return touched


@fewer
@given(matches())
def test_inv_38_moving_an_official_and_activating_exclude_each_other(match: ZhanguoMatch) -> None:
    for step in steps_with(match, m.MoveOfficial):
        assert isinstance(step.move, m.MoveOfficial)
        base = step.before.agenda[0]
        assert are_neighbours(step.move.origin, step.move.to)
        if isinstance(base, fr.StepDue):
            assert base.used == ()
            # The last turn may end the match, so that nothing is pending.
            assert not any(isinstance(frame, fr.StepDue) for frame in step.after.agenda)
            assert _changed_officials(step) == [step.move.official]


def _changed_officials(step: ZhanguoStep) -> list[Official]:
    """By region left: the officials that are elsewhere after an entry, for all seats."""
    return [
        official
        for before, after in zip(step.before.players, step.after.players, strict=True)
        for region in REGIONS
        for official in OFFICIALS
        if before.domains[region].officials[official] > after.domains[region].officials[official]
    ]


@fewer
@given(matches())
def test_inv_39_to_41_rewards_are_offered_by_rank_and_set_the_turn_order(match: ZhanguoMatch) -> None:
    offered: list[Seat] = []
    state = match.start
    for event in events_of(match):
        if isinstance(event, e.RewardOffered):
            ranked = ranking(state, event.row)
            aspect = state.table.rewards.rows[event.row]
            counted = [state.players[seat].total(aspect) for seat in ranked]
            assert counted == sorted(counted, reverse=True)
            assert event.seat not in offered
            assert event.seat == next(seat for seat in ranked if seat not in offered)
            offered.append(event.seat)
        elif isinstance(event, e.MarkerMoved | e.RowClosed):
            offered = []
        elif isinstance(event, e.TurnOrderSet):
            takers = [seat for seat in state.column if seat is not None]
            assert list(event.order) == [*state.track, *takers]
        state = ZHANGUO.evolve(state, event)


@fewer
@given(matches())
def test_inv_18_after_a_round_nobody_has_large_tokens_or_more_than_five_small_ones(
    match: ZhanguoMatch,
) -> None:
    state = match.start
    for event in events_of(match):
        if isinstance(event, e.RoundEnded):
            assert all(not player.large and sum(player.tokens) <= 5 for player in state.players)
        state = ZHANGUO.evolve(state, event)


@fewer
@given(matches())
def test_inv_47_everybody_has_thirty_turns(match: ZhanguoMatch) -> None:
    turns = Counter(event.seat for event in events_of(match) if isinstance(event, e.TurnBegan))

    assert turns == dict.fromkeys(match.last.table.humans, 6 * ROUNDS)


@SEATS
def test_inv_19_decks_give_two_cards_of_each_aspect_to_everybody(seats: int) -> None:
    @fewer
    @given(matches(seats=seats, draws=RECORDED))
    def holds(match: ZhanguoMatch) -> None:
        drawn = Counter(type(event) for event in events_of(match))
        assert drawn[e.CardDrawn] == 6 * ROUNDS * seats

    holds()


@fewer
@given(matches())
def test_inv_44_and_45_the_score_is_a_function_of_the_final_state(match: ZhanguoMatch) -> None:
    end = match.last
    last = match.steps[-1].events[-1]
    value = {2: 10, 3: 15, 4: 20}[end.table.players]
    governors = sum(score(end, seat).governors for seat in end.table.seats)

    assert isinstance(last, e.MatchEnded)
    assert (last.totals, last.winners) == (totals(end), winners(end))
    assert governors <= value * len(REGIONS)
    assert ZHANGUO.outcome(ZHANGUO.view(end, SPECTATOR)) == ZHANGUO.outcome(end)


@pytest.mark.parametrize("level", LEVELS)
def test_inv_48_li_si_needs_nothing_and_never_runs_out_of_cards(level: str) -> None:
    @fewer
    @given(matches(rival=level))
    def holds(match: ZhanguoMatch) -> None:
        turns = Counter(type(event) for event in events_of(match))
        assert turns[e.RivalTurnBegan] == turns[e.ActionRevealed] == 6 * ROUNDS
        for state in match.states:
            assert_rival_is_plain(state)

    holds()


def assert_rival_is_plain(state: State) -> None:
    """No unrest, workers or officials; Unification cards only up to the region of the round."""
    rival = state.table.rival
    assert rival is not None
    for region, domain in zip(REGIONS, state.players[rival].domains, strict=True):
        assert (domain.unrest, domain.workers, sum(domain.officials)) == (0, 0, 0)
        assert not domain.cards or region <= Region(max(state.round, 1) - 1)


@fewer
@given(matches())
def test_inv_12_and_23_emperor_tiles_lie_on_cards_that_were_there_before(match: ZhanguoMatch) -> None:
    first: dict[Seat, set[int]] = {}
    state = match.start
    for event in events_of(match):
        if isinstance(event, e.WallBuilt) and not any(
            seat is not None for seat in state.walls[event.section].slots
        ):
            first.setdefault(event.seat, set()).add(event.section)
        if isinstance(event, e.EmperorTilePlaced):
            assert state.players[event.seat].find(event.card) is not None
        state = ZHANGUO.evolve(state, event)
    for seat in state.table.humans:
        tiles = [placed.emperor for _, placed in state.players[seat].cards() if placed.emperor is not None]
        assert len(tiles) <= len(first.get(seat, ()))


@fewer
@given(matches())
def test_the_alchemy_line_counts_cards_above_the_board_only(match: ZhanguoMatch) -> None:
    end = match.last
    for seat in end.table.humans:
        cards = end.players[seat].count(CardKind.ALCHEMIST_CARD)
        assert score(end, seat).alchemy == cards * end.table.printed.route.vp[end.players[seat].boat]


@fewer
@given(matches())
def test_only_the_court_action_of_the_turn_triggers(match: ZhanguoMatch) -> None:
    """ACT-05."""
    action: Action | None = None
    for event in events_of(match):
        if isinstance(event, e.ActionTaken):
            action = event.action
        elif isinstance(event, e.ActivationEnded):
            action = None
        elif isinstance(event, e.AbilityActivated):
            assert action is not None


@fewer
@given(matches(), st.randoms(use_true_random=False))
def test_inv_42_a_rejected_move_leaves_no_trace(match: ZhanguoMatch, chance: random.Random) -> None:
    """A state cannot be changed, so it is what leads away from it that could remember a rejection."""
    for step in chance.sample(match.steps, min(len(match.steps), SOME_STEPS)):
        before = STATE_BYTES(step.before)
        others = [other.move for other in chance.sample(match.steps, min(len(match.steps), SOME_STEPS))]
        rejected = [
            isinstance(ZHANGUO.decide(step.before, seat, move), Illegal)
            for seat in step.before.table.seats
            for move in others
        ]

        assert any(rejected)
        assert STATE_BYTES(step.before) == before
        assert ZHANGUO.decide(step.before, step.actor, step.move) == step.events


@fewer
@given(matches())
def test_inv_43_the_same_moves_lead_to_the_same_states(match: ZhanguoMatch) -> None:
    state = ZHANGUO.start(ZHANGUO.setup(match.states[0]))
    for step, after in zip(match.steps, match.states[1:], strict=True):
        events = ZHANGUO.decide(state, step.actor, step.move)
        assert not isinstance(events, Illegal)
        state = ZHANGUO.fold(state, events)

        assert STATE_BYTES(state) == STATE_BYTES(after)


@fewer
@given(matches())
def test_inv_25_the_points_for_a_soldier_are_those_of_its_slot(match: ZhanguoMatch) -> None:
    state = match.states[0]
    events = list(events_of(match))
    for event, following in zip(events, [*events[1:], None], strict=True):
        if isinstance(event, e.SoldierPlaced):
            tile = state.mausoleum[event.spot].tile
            assert tile is not None
            value = state.table.printed.soldier_tile(tile).slots[event.slot - 1].value
            gained = following.vp if isinstance(following, e.PointsScored) else 0

            assert gained == value
        state = ZHANGUO.evolve(state, event)
