"""Invariants of the digest that events and entries show, by their ids; problems() has those of a state."""

import random
from collections.abc import Iterator, Sequence
from typing import TypeAlias

import pytest
from hypothesis import given, settings

from rules.great_wall import events as e
from rules.great_wall.component_file import AbilityPart, PassivePart
from rules.great_wall.components import SETS
from rules.great_wall.events import Event
from rules.great_wall.evolve import evolve
from rules.great_wall.game import GREAT_WALL
from rules.great_wall.kinds import NOBODY, REED, Clan, Ending, Location, Resource, Section, seat_of
from rules.great_wall.moves import DrawHorde, HireAdvisor, Move
from rules.great_wall.pending import BatchEnd, Settle, TacticEnd, TakeShame
from rules.great_wall.rulebook import COOP_1, GREAT_WALL_1
from rules.great_wall.state import State
from rules.great_wall.tasks.hordes import at_risk
from rules.great_wall.wall import EMPTY, is_full, owners_on, soldiers_on
from rules.kernel.edition import EditionKey
from rules.kernel.setup import Draws, Setup
from tests.rules.great_wall.positions import NAMES, SET
from tests.rules.great_wall.strategies import building, fighting, hiring
from tests.rules.laws import Match, Step, chances, play, seeded, some

Played: TypeAlias = Match[State, Move, Event]
Moment: TypeAlias = tuple[State, Event, State]
"""A state, an event, and the state after it."""

FILE = SETS.find(SET)
"""What is printed, as the component file says it."""
PRINTED = {card.id: card for card in (*FILE.horde, *FILE.coop_horde)}
TABLES = [(GREAT_WALL_1, seats) for seats in (1, 2, 3, 4)] + [(COOP_1, seats) for seats in (2, 3, 4)]
few = settings(max_examples=max(1, settings.default.max_examples // 6)) if settings.default else settings()
"""A whole match is long, and every event of it is looked at."""
SEVERAL = 4
"""Advisors of a seat that has hired twice, at two prices."""
each_table = pytest.mark.parametrize(("edition", "seats"), TABLES)


def whole_match(edition: EditionKey, seats: int, chance: random.Random) -> Played:
    """A match to its end, of players that fight or build."""
    setup = Setup(edition, NAMES[:seats], SET, chance.choice(tuple(Draws)))
    return play(GREAT_WALL, GREAT_WALL.start(setup), chance, chance.choice((fighting, building)))


def moments(match: Played) -> Iterator[Moment]:
    for step in match.steps:
        state = step.before
        for event in step.events:
            after = evolve(state, event)
            yield state, event, after
            state = after


@each_table
@few
@given(chances())
def test_a_whole_match_keeps_the_invariants(edition: EditionKey, seats: int, chance: random.Random) -> None:
    match = whole_match(edition, seats, chance)
    for before, event, after in moments(match):
        nothing_falls_that_only_rises(before, after)
        spots_stay_covered(before, after)
        honour_changes_only_by_its_events(before, event, after)
        holdings_change_only_by_public_acts(before, event, after)
        losses_are_what_mortality_says(before, event)
        qins_track_changes_only_by_moving_to_the_front(before, event, after)
        a_section_holds_if_its_defence_is_at_least_the_power(before, event)
        barricades_last_until_the_end_of_winter(before, event, after)
        tea_markers_move_by_their_own_events(before, event, after)
    for step in match.steps:
        entries_keep_the_course(step)
        defeats_and_breaches_pay_what_they_should(step)
    breaches_leave_resting_soldiers_alone(match)
    tea_houses_lift_their_guests_once(match)
    advisors_cost_one_more_each_time(match)
    folding_again_gives_the_same(match, chance)
    somebody_is_awaited_until_the_end(match, chance)


def nothing_falls_that_only_rises(before: State, after: State) -> None:
    """GW-I-07, -10, -15, -19, -32: removed shame, walls, advisors, foremen, sacrifices, events, claims."""
    assert after.removed >= before.removed
    assert set(after.events) >= set(before.events)
    for one, other in zip(before.sections, after.sections, strict=True):
        assert one is None or (other is not None and other.level >= one.level)
    for was, player in zip(before.players, after.players, strict=True):
        assert set(was.active) <= set(player.active)
        assert len(was.assistants) <= len(player.assistants)
        assert {card.horde for card in was.claimed} <= {card.horde for card in player.claimed}
        assert all(n <= m for n, m in zip(was.sacrificed, player.sacrificed, strict=True))
        for old, new in zip(was.foremen, player.foremen, strict=True):
            assert old is None or (new is not None and new.level >= old.level and new.kind is old.kind)


def spots_stay_covered(before: State, after: State) -> None:
    """GW-I-05: while a card is in play, no spot becomes empty again."""
    then = {lying.horde: lying.marks for wall in after.sections if wall is not None for lying in wall.hordes}
    for wall in before.sections:
        for lying in wall.hordes if wall is not None else ():
            for was, mark in zip(lying.marks, then.get(lying.horde, ""), strict=False):
                assert was == EMPTY or mark != EMPTY


def honour_changes_only_by_its_events(before: State, event: Event, after: State) -> None:
    """GW-I-20."""
    for clan in before.table.clans:
        change = after.honour(clan) - before.honour(clan)
        if change > 0:
            assert isinstance(event, e.HonourGained)
        if change < 0:
            assert isinstance(event, e.HonourLost)


def holdings_change_only_by_public_acts(before: State, event: Event, after: State) -> None:
    """GW-I-06, GW-I-31: inside a simultaneous resolution nothing rises but by tactics."""
    deferred = next((task for task in before.agenda if isinstance(task, Settle | BatchEnd | TacticEnd)), None)
    for was, player in zip(before.players, after.players, strict=True):
        assert was.resources is not None
        assert player.resources is not None
        rises = sum(player.resources) > sum(was.resources)
        if rises and isinstance(deferred, Settle | BatchEnd) and before.ask is not deferred:
            assert isinstance(event, e.Collected | e.StartTaken | e.IncomePaid)


def losses_are_what_mortality_says(before: State, event: Event) -> None:
    """GW-I-21: killed and saved together are as many as mortality takes."""
    if isinstance(event, e.SoldiersLost):
        n, standing = at_risk(before, event.clan, event.section, event.horde)
        gone = [one + other for one, other in zip(event.killed, event.saved, strict=True)]

        assert sum(gone) == n
        assert all(lost <= there for lost, there in zip(gone, standing, strict=True))
        assert seat_of(event.clan) is not None or sum(event.saved) == 0


def entries_keep_the_course(step: Step[State, Move, Event]) -> None:
    before, after, kinds = step.before, step.after, [type(event) for event in step.events]

    # GW-I-25: the time token moves in Spring only, one slot at a time.
    assert after.time - before.time == kinds.count(e.TimeAdvanced) <= 1
    # GW-I-26: a drawn horde has the back that lay on top.
    if isinstance(step.move, DrawHorde):
        assert before.table.parts.hordes[step.move.horde].back is before.top
    # GW-I-36: an advisor costs as many gold as there are after the hire.
    if isinstance(step.move, HireAdvisor):
        paid = next(event for event in step.events if isinstance(event, e.Paid))
        owned = after.players[paid.seat]
        assert paid.resources[2] == len(owned.active) + len(owned.assistants)
    # GW-I-12: after the check of a turn no card is full.
    if e.TurnEnded in kinds and after.result is None and not _fighting_on(after):
        lying = [each for wall in after.sections if wall is not None for each in wall.hordes]
        assert not any(is_full(each.marks) for each in lying)
    # GW-I-29: at most one event comes in a Winter.
    assert kinds.count(e.EventRevealed) <= 1


def _fighting_on(state: State) -> bool:
    """Whether the next turn has begun, in which cards may be filled again."""
    return any(isinstance(task, Settle | BatchEnd) for task in state.agenda)


def defeats_and_breaches_pay_what_they_should(step: Step[State, Move, Event]) -> None:
    """GW-I-23, GW-I-24: two honour a clan and an archer, and a token for each horde without a soldier."""
    state = step.before
    for number, event in enumerate(step.events):
        following = step.events[number + 1 :]
        if isinstance(event, e.HordeDefeated):
            assert _paid_until_tasks(following) == _due_for(state, event)
        if isinstance(event, e.SectionBreached):
            tasks = following[0]
            assert isinstance(tasks, e.TasksDue)
            expected = sum(task.n for task in tasks.tasks if isinstance(task, TakeShame))
            hordes = state.section(event.section).hordes
            assert expected == sum(
                soldiers_on(lying.marks, Clan(seat)) == NOBODY
                for seat in state.table.seats
                for lying in hordes
            )
        state = evolve(state, event)


def _paid_until_tasks(events: tuple[Event, ...]) -> int:
    paid = 0
    for event in events:
        if isinstance(event, e.TasksDue):
            break
        if isinstance(event, e.HonourGained) and event.cause.value in {"soldiers", "archers"}:
            paid += event.n
    return paid


def _due_for(state: State, event: e.HordeDefeated) -> int:
    for wall in state.sections:
        for lying in wall.hordes if wall is not None else ():
            if lying.horde == event.horde and wall is not None:
                clans = [clan for clan in owners_on(lying.marks) if clan != REED]
                return 2 * len(clans) + 2 * sum(wall.firing)
    raise AssertionError("a defeated horde lies before the wall")


def qins_track_changes_only_by_moving_to_the_front(before: State, event: Event, after: State) -> None:
    """GW-I-28."""
    if before.qin is not None and before.qin.track and before.qin.track != after.of_qin.track:
        assert isinstance(event, e.TokenAdvanced)
        rest = [token for token in before.qin.track if token is not event.token]
        assert list(after.of_qin.track) == [event.token, *rest]


def a_section_holds_if_its_defence_is_at_least_the_power(before: State, event: Event) -> None:
    """GW-I-37, added up anew from what is printed."""
    if isinstance(event, e.SectionHeld | e.SectionBreached):
        there = before.section(event.section)
        lying = [PRINTED[before.table.parts.horde_names.names[each.horde]] for each in there.hordes]
        in_force = [each for card in before.events for each in FILE.event[card].passive]
        own = [
            [each for each in card.ability if each.when == "always" or line == 0]
            for line, card in enumerate(lying)
        ]
        power = sum(
            max(0, card.power + _by("power", abilities) + _by("power", in_force))
            for card, abilities in zip(lying, own, strict=True)
        )
        each = max(0, 2 + _by("barricade", in_force) + sum(_by("barricade", abilities) for abilities in own))
        defence = FILE.wall[there.level].defence + each * there.barricades

        assert (event.defence, event.power) == (defence, power)
        assert isinstance(event, e.SectionHeld) == (defence >= power)


def _by(stat: str, changes: Sequence[AbilityPart | PassivePart]) -> int:
    return sum(change.by for change in changes if change.stat == stat)


def barricades_last_until_the_end_of_winter(before: State, event: Event, after: State) -> None:
    """GW-I-09: an open section has none when Winter is over, and loses none before."""
    standing = [wall.barricades for wall in after.sections if wall is not None]
    over = isinstance(event, e.MatchEnded) and event.cause is not Ending.SHAME
    if over or event in {e.SeasonBegan(e.Season.SPRING), e.BarricadesCleared()}:
        assert set(standing) == {0}
    else:
        assert all(
            was.barricades <= n
            for was, n in zip((each for each in before.sections if each is not None), standing, strict=True)
        )


def tea_markers_move_by_their_own_events(before: State, event: Event, after: State) -> None:
    """GW-I-17: a marker that rises passes those above it, and all others stay in order."""
    if before.tea != after.tea:
        assert isinstance(event, e.TeaRose | e.TeaStacked)
    if isinstance(event, e.TeaRose):
        assert _without(before.tea, event.clan) == _without(after.tea, event.clan)
        assert after.tea.index(event.clan) <= before.tea.index(event.clan)


def _without(tea: tuple[Clan, ...], gone: Clan) -> list[Clan]:
    return [clan for clan in tea if clan != gone]


def tea_houses_lift_their_guests_once(match: Played) -> None:
    """GW-I-17: one swap for each clan with clerks there; who has filled it alone goes to the top."""
    start: State | None = None
    risen: list[Clan] = []
    for before, event, after in moments(match):
        if event in {e.LocationActivated(Location.TEA_HOUSE, each) for each in (False, True)}:
            start, risen = after, []
        elif start is not None and isinstance(event, e.ClerksReturned):
            guests = _guests(start)

            assert len(set(risen)) == len(risen)
            assert [clan for clan in start.tea if clan not in guests] == [
                clan for clan in after.tea if clan not in guests
            ]
            start = None
        elif start is not None and isinstance(event, e.TeaRose) and not _in_tactic(before):
            guests = _guests(start)
            alone = guests == {event.clan} and start.is_full(Location.TEA_HOUSE)

            assert event.clan in guests
            assert event.places == (before.tea.index(event.clan) if alone else 1)
            risen.append(event.clan)


def _guests(state: State) -> set[Clan]:
    return {clan for clan in state.table.clans if state.clerks(Location.TEA_HOUSE, clan)}


def _in_tactic(state: State) -> bool:
    """Whether a tactic is being resolved, which may lift its player too."""
    return any(isinstance(task, TacticEnd) for task in state.agenda)


def breaches_leave_resting_soldiers_alone(match: Played) -> None:
    """GW-I-22: until the next assault, only those that are saved come to rest, in the section that fell."""
    fallen: Section | None = None
    for before, event, after in moments(match):
        if isinstance(event, e.SectionBreached):
            fallen = event.section
        elif isinstance(event, e.SectionHeld | e.BarricadesCleared):
            fallen = None
        elif fallen is not None:
            resting = {each: _resting(before, each) for each in before.table.sections}
            if isinstance(event, e.SoldiersLost) and (seat := seat_of(event.clan)) is not None:
                assert event.section is fallen
                resting[fallen][seat] = tuple(
                    was + saved for was, saved in zip(resting[fallen][seat], event.saved, strict=True)
                )

            assert resting == {each: _resting(after, each) for each in after.table.sections}


def _resting(state: State, section: Section) -> list[tuple[int, ...]]:
    return list(state.section(section).rest)


def advisors_cost_one_more_each_time(match: Played) -> None:
    """GW-I-36: what a seat has paid for its advisors is 3 and 4 and so on, up to their number."""
    paid = [0] * len(match.start.table.seats)
    for step in match.steps:
        if isinstance(step.move, HireAdvisor):
            price = next(event for event in step.events if isinstance(event, e.Paid))
            paid[price.seat] += price.resources[Resource.GOLD]
    for seat, player in enumerate(match.last.players):
        assert paid[seat] == sum(range(3, len(player.active) + len(player.assistants) + 1))


def test_what_is_paid_by_players_who_hire_again_and_again_adds_up() -> None:
    start = GREAT_WALL.start(Setup(GREAT_WALL_1, NAMES, SET))
    matches = [play(GREAT_WALL, start, seeded(seed), hiring) for seed in range(3)]

    owned = [len(each.active) + len(each.assistants) for match in matches for each in match.last.players]
    assert max(owned) >= SEVERAL
    for match in matches:
        advisors_cost_one_more_each_time(match)


def folding_again_gives_the_same(match: Played, chance: random.Random) -> None:
    """GW-I-30: the log alone gives the state, and what a seat is shown of it gives what the seat sees."""
    events = [event for step in match.steps for event in step.events]
    seat = chance.choice(match.start.table.seats)
    own = GREAT_WALL.view(match.start, seat)
    for step in match.steps:
        own = GREAT_WALL.fold(own, GREAT_WALL.seen_events(step.before, step.events, seat))

    assert GREAT_WALL.fold(match.start, events) == match.last
    assert GREAT_WALL.view(own, seat) == GREAT_WALL.view(match.last, seat)


def somebody_is_awaited_until_the_end(match: Played, chance: random.Random) -> None:
    """GW-I-34: each of them has a legal move, and everybody knows who they are."""
    for state in some(match.states, chance, 20):
        awaited = GREAT_WALL.awaiting(state)

        assert (awaited == ()) == (GREAT_WALL.outcome(state) is not None)
        assert all(list(GREAT_WALL.legal_moves(state, actor)) for actor in awaited)
        for seat in state.table.seats:
            assert GREAT_WALL.awaiting(GREAT_WALL.view(state, seat)) == awaited
