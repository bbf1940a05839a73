"""Khan's tasks: who is awaited in each step of a turn, which moves it takes, and what they cause."""

from collections.abc import Iterator
from itertools import chain
from typing import Final

from rules.kernel.actors import Seat
from rules.kernel.rule import Stage, breaks
from rules.kernel.tasks import TaskCase, by_chance, its_seat, task
from rules.khan import checks, flow, rulebook, special_checks
from rules.khan import events as e
from rules.khan import moves as m
from rules.khan import state as s
from rules.khan.ages import may_come, may_hold
from rules.khan.cards import CardKind
from rules.khan.conquest import conquests, needed, owners
from rules.khan.special_checks import SPECIAL_OF
from rules.khan.state import ACTIONS, State


def _happens(state: State, _: s.Turn) -> tuple[e.Event, ...]:
    event = flow.due(state)
    return () if event is None else (event,)


# By chance.


def _coming(state: State) -> Iterator[CardKind]:
    return (card for card in state.table.parts.faces.each if may_come(state, card))


def _draws(state: State, _: s.Drawing) -> Iterator[m.DrawCard]:
    yield from (m.DrawCard(card) for card in _coming(state))
    yield m.DrawCard(None)


BEGINNING: Final = task(State, s.Beginning, rulebook.SETUP_5, by_chance).takes(
    m.DrawFirstPlayer,
    checks.SEATED,
    each=lambda state, _: (m.DrawFirstPlayer(seat) for seat in state.table.seats),
    then=lambda case: (e.FirstPlayerDrawn(case.move.seat),),
    exact=True,
)
DRAWING: Final = task(State, s.Drawing, rulebook.HAND_1, by_chance, happens=_happens).takes(
    m.DrawCard,
    checks.LEFT_OVER,
    checks.SHUFFLED,
    each=_draws,
    then=lambda case: (e.CardDrawn(case.task.seat, case.move.card),),
    exact=True,
)
TURNING: Final = task(State, s.Turning, rulebook.CHASE_1, by_chance, happens=_happens).takes(
    m.TurnCard,
    checks.LEFT_OVER,
    checks.SHUFFLED,
    each=lambda state, _: (m.TurnCard(card) for card in _coming(state)),
    then=lambda case: flow.turned(case.state, case.move.card),
    exact=True,
)


# Yurts, cards and leaders.


def _in_hand(state: State, seat: Seat) -> Iterator[CardKind]:
    return (card for card in state.table.parts.faces.each if may_hold(state, seat, card))


def _invasions(state: State, due: s.Acting) -> Iterator[m.Invade]:
    openings, each = state.table.openings, state.table.parts.board.each
    return chain.from_iterable(
        [m.Invade(cell, card) for cell in each(state.free & openings[card])]
        for card in _in_hand(state, due.seat)
    )


DOUBLE: Final[Stage[TaskCase[State, s.Acting, m.InvadeAnywhere]]] = (
    breaks(
        rulebook.SPEC_M,
        lambda case: case.state.morale,
        "High Morale gives a single action, and this is a double one",
    ),
    breaks(
        rulebook.ACT_D,
        lambda case: not case.state.morale and case.state.left < ACTIONS,
        "one action is spent, and this takes both",
    ),
)


def _anywhere(state: State, _: s.Acting) -> Iterator[m.InvadeAnywhere]:
    if state.left == ACTIONS and not state.morale:
        yield from (m.InvadeAnywhere(cell) for cell in state.table.parts.board.each(state.free))


def _conquests(state: State, due: s.Acting | s.Conquering) -> Iterator[m.Conquer]:
    each = state.table.parts.board.each
    return (m.Conquer(site.shape, each(site.cells)) for site, _ in conquests(state, due.seat))


def _conquered(case: TaskCase[State, s.Acting | s.Conquering, m.Conquer]) -> tuple[e.Event, ...]:
    state, seat, shape = case.state, case.task.seat, case.move.shape
    cells = state.table.parts.board.union(case.move.cells)
    asked = needed(state, seat, cells)
    if asked:
        return (e.ConquestProposed(seat, shape, cells, asked),)
    return (e.PiecePlaced(seat, shape, cells, owners(state, cells)),)


def _chases(state: State, _: s.Acting) -> Iterator[m.Chase]:
    leaders = state.table.parts.leader_names.each
    return (m.Chase(leader) for leader in leaders if state.leaders[leader])


CONQUEST: Final = (checks.PIECE, checks.GROUND_UNDER, checks.MAJORITY, checks.GUARDED, checks.ASKED_BEFORE)

OPENING: Final = task(State, s.Opening, rulebook.SETUP_6, its_seat).takes(
    m.PlaceYurt,
    checks.FREE,
    each=lambda state, _: (m.PlaceYurt(cell) for cell in state.table.parts.board.each(state.free)),
    then=lambda case: (e.OpeningYurtPlaced(case.task.seat, case.move.cell),),
    exact=True,
)
ACTING: Final = (
    task(State, s.Acting, rulebook.TURN_1, its_seat, happens=_happens)
    .takes(
        m.Invade,
        checks.FREE,
        checks.GROUND,
        checks.PLAYED,
        each=_invasions,
        then=lambda case: (e.YurtPlacedByCard(case.task.seat, case.move.card, case.move.cell),),
        exact=True,
    )
    .takes(
        m.InvadeAnywhere,
        DOUBLE,
        checks.FREE,
        each=_anywhere,
        then=lambda case: (e.YurtPlacedAnywhere(case.task.seat, case.move.cell),),
        exact=True,
    )
    .takes(
        m.Chase,
        checks.HUNT_OPEN,
        checks.ON_BOARD,
        each=_chases,
        then=lambda case: (e.LeaderAnnounced(case.task.seat, case.move.leader),),
        exact=True,
    )
    .takes(m.Conquer, *CONQUEST, each=_conquests, then=_conquered, exact=True)
    .takes(m.Pass, checks.PASSING, then=lambda case: (e.ActionForfeited(case.task.seat),))
)
DISCARDING: Final = (
    task(State, s.Discarding, rulebook.TURN_1, its_seat)
    .takes(
        m.Discard,
        checks.DISCARDED,
        each=lambda state, due: (m.Discard(card) for card in _in_hand(state, due.seat)),
        then=lambda case: (e.CardDiscarded(case.task.seat, case.move.card),),
        exact=True,
    )
    .takes(m.Finish, then=lambda case: (e.DiscardingEnded(case.task.seat),))
)
CONQUERING: Final = (
    task(State, s.Conquering, rulebook.FINAL_1, its_seat, happens=_happens)
    .takes(m.Conquer, *CONQUEST, each=_conquests, then=_conquered, exact=True)
    .takes(m.Pass, checks.FINAL_PASS, then=lambda case: (e.TurnPassed(case.task.seat),))
)


# Consent.


def _agreed(case: TaskCase[State, s.Proposal, m.Agree]) -> tuple[e.Event, ...]:
    given, turn, site = e.ConsentGiven(_by(case)), case.state.turn, case.task.site
    if len(case.task.waiting) > 1 or not isinstance(turn, s.Acting | s.Conquering):
        return (given,)
    return given, e.PiecePlaced(turn.seat, site.shape, site.cells, owners(case.state, site.cells))


def _by(case: TaskCase[State, s.Proposal, m.Move]) -> Seat:
    return next(seat for seat in case.task.waiting if seat == case.actor)


CONSENT: Final = (
    task(State, s.Proposal, rulebook.CONSENT_1, lambda _, due: due.waiting)
    .takes(m.Agree, then=_agreed)
    .takes(m.Refuse, then=lambda case: (e.ConsentRefused(_by(case)),))
)


# Special cards.


def _used(case: TaskCase[State, s.Choosing, m.SpecialMove]) -> tuple[e.SpecialUsed, ...]:
    move = case.move
    region = move.region if isinstance(move, m.InvokeSupport) else None
    shape = move.shape if isinstance(move, m.Explore) else None
    return (e.SpecialUsed(case.task.seat, SPECIAL_OF[type(move)], region, shape),)


CHOOSING: Final = (
    task(State, s.Choosing, rulebook.TURN_1, its_seat, happens=_happens, forced=True)
    .takes(m.RaiseMorale, special_checks.HELD_SPECIAL, then=_used)
    .takes(m.InvokeProtection, special_checks.HELD_SPECIAL, special_checks.PROTECT, then=_used)
    .takes(
        m.InvokeSupport,
        special_checks.HELD_SPECIAL,
        special_checks.SUPPORT,
        each=special_checks.supports,
        then=_used,
    )
    .takes(
        m.Explore,
        special_checks.HELD_SPECIAL,
        special_checks.EXPLORE,
        each=special_checks.explorations,
        then=_used,
    )
    .takes(m.Finish, then=lambda case: (e.SpecialDeclined(case.task.seat),))
)
