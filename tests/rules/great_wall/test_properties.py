"""Invariants of the digest that events and entries show, by their ids; problems() has those of a state."""

import random
from collections.abc import Iterator
from typing import TypeAlias

import pytest
from hypothesis import given, settings

from rules.great_wall import events as e
from rules.great_wall.events import Event
from rules.great_wall.evolve import evolve
from rules.great_wall.game import GREAT_WALL
from rules.great_wall.kinds import NOBODY, REED, Clan, seat_of
from rules.great_wall.moves import DrawHorde, HireAdvisor, Move
from rules.great_wall.pending import BatchEnd, Settle, TacticEnd, TakeShame
from rules.great_wall.rulebook import COOP_1, GREAT_WALL_1
from rules.great_wall.state import State
from rules.great_wall.tasks.hordes import at_risk
from rules.great_wall.wall import EMPTY, is_full, owners_on, soldiers_on
from rules.kernel.edition import EditionKey
from rules.kernel.setup import Draws, Setup
from tests.rules.great_wall.positions import NAMES, SET
from tests.rules.great_wall.strategies import building, fighting
from tests.rules.laws import Match, Step, chances, play

Played: TypeAlias = Match[State, Move, Event]
Moment: TypeAlias = tuple[State, Event, State]
"""A state, an event, and the state after it."""

TABLES = [(GREAT_WALL_1, seats) for seats in (1, 2, 3, 4)] + [(COOP_1, seats) for seats in (2, 3, 4)]
few = settings(max_examples=max(1, settings.default.max_examples // 6)) if settings.default else settings()
"""A whole match is long, and every event of it is looked at."""
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
    for step in match.steps:
        entries_keep_the_course(step)
        defeats_and_breaches_pay_what_they_should(step)


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
            told = sum(task.n for task in tasks.tasks if isinstance(task, TakeShame))
            hordes = state.section(event.section).hordes
            assert told == sum(
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
