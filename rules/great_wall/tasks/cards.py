"""Questions that effects of cards ask: clerks, resources, copies, foremen, barricades, wounds, tactics."""

from collections.abc import Iterator
from typing import Final

from rules.great_wall.aim import empty_spots, lines, wound_fault
from rules.great_wall.attacks import wound
from rules.great_wall.events import ClerkMoved, Gained, TacticDiscarded, TacticSpent
from rules.great_wall.kinds import (
    BUILDING,
    HAND,
    LOCATIONS,
    REED,
    RESOURCES,
    Cause,
    Clan,
    Location,
    Occasion,
    Section,
    Strategy,
    of_seat,
)
from rules.great_wall.moves import (
    Copy,
    DiscardTactic,
    Done,
    MoveClerk,
    MoveReed,
    Spots,
    TakeResource,
    WoundSpot,
)
from rules.great_wall.occasions import on_occasion
from rules.great_wall.operations import CopyCard
from rules.great_wall.pending import ClerksDue, CopyDue, Do, LimitDue, TacticEnd, TakeDue, WoundsDue
from rules.great_wall.rulebook import cards, clerks, course, reed, wall
from rules.great_wall.state import OnTrack, State
from rules.great_wall.tasks.common import (
    FINISHED,
    Case,
    Events,
    breach_if,
    caused,
    declined,
    in_hand,
    not_in_hand,
    only_done,
    playing,
    then,
)
from rules.great_wall.turns import strategy_window
from rules.kernel.rule import Breach, Check
from rules.kernel.tasks import automatic, its_seat, task

# Clerks.


def _movable(state: State, due: ClerksDue, source: Location | None) -> int:
    """Own clerks at a source, less the one that this effect has sent there (AMB-06)."""
    if source is None:
        return 0 if due.clan == REED else state.players[due.clan].clerks
    return state.clerks(source, due.clan) - (source in due.used)


def _no_clerk(state: State, due: ClerksDue, source: Location | None, target: Location) -> Breach | None:
    if source == target:
        return Breach(f"the clerk is at the {target.word}")
    if _movable(state, due, source) <= 0:
        return Breach(f"no clerk can be moved from {'the reserve' if source is None else source.word}")
    return breach_if(target in due.used, f"a clerk went to {target.word} by this effect", target.word)


def _into_warehouse(target: Location) -> Breach | None:
    return breach_if(target is Location.WAREHOUSE, "no clerk works in the warehouse", target.word)


def _out_of_full(state: State, source: Location | None) -> Breach | None:
    full = source is not None and state.is_full(source)
    return breach_if(full, f"every slot of {source.word if source is not None else ''} is filled")


def _into_full(state: State, target: Location) -> Breach | None:
    return breach_if(state.is_full(target), f"no slot of {target.word} is free", target.word)


def _moved(due: ClerksDue, source: Location | None, target: Location) -> Events:
    used = tuple(sorted((*due.used, target)))
    rest = (ClerksDue(due.seat, due.clan, due.left - 1, used),) if due.left > 1 else ()
    return (ClerkMoved(due.clan, source, target), then(*rest))


def _sources(state: State) -> tuple[Location | None, ...]:
    return (None, *state.table.board.order)


def _clerk_moves(state: State, due: ClerksDue) -> Iterator[MoveClerk]:
    if due.clan == REED:
        return
    for source in _sources(state):
        if _movable(state, due, source) > 0:
            yield from (MoveClerk(source, target) for target in state.table.board.order)


def _reed_moves(state: State, due: ClerksDue) -> Iterator[MoveReed]:
    if due.clan != REED:
        return
    for source in state.table.board.order:
        if _movable(state, due, source) > 0:
            yield from (MoveReed(source, target) for target in state.table.board.order)


def _of_reed(case: Case[ClerksDue, MoveClerk]) -> Breach | None:
    return breach_if(case.task.clan == REED, "a Reed clerk is to be moved")


def _of_seat(case: Case[ClerksDue, MoveReed]) -> Breach | None:
    return breach_if(case.task.clan != REED, "no Reed clerk can be moved now")


def _second_reed(case: Case[ClerksDue, MoveReed]) -> Breach | None:
    source, target = case.move.source, case.move.target
    there = target in LOCATIONS and source != target and case.state.clerks(target, REED)
    return breach_if(there, f"another Reed clerk is at {target.word}", target.word)


def _reed_stuck(state: State, due: ClerksDue) -> Events:
    """Reed's clerks are asked about only where one can move."""
    if due.clan != REED or any(_reed_may(state, due, move) for move in _reed_moves(state, due)):
        return ()
    return (FINISHED,)


def _reed_may(state: State, due: ClerksDue, move: MoveReed) -> bool:
    source, target = move.source, move.target
    return (
        _no_clerk(state, due, source, target) is None
        and not state.clerks(target, REED)
        and not state.is_full(source)
        and not state.is_full(target)
    )


CLERKS: Final = (
    playing(
        task(State, ClerksDue, course.ASK_03, its_seat, happens=_reed_stuck),
        lambda state, due: None if due.clan == REED else strategy_window(state, due.seat),
    )
    .takes(
        MoveClerk,
        (Check(course.ASK_03, _of_reed),),
        (
            Check(clerks.CLK_06, lambda case: _into_warehouse(case.move.target)),
            Check(
                clerks.CLK_05,
                lambda case: _no_clerk(case.state, case.task, case.move.source, case.move.target),
            ),
        ),
        (
            Check(clerks.CLK_03, lambda case: _out_of_full(case.state, case.move.source)),
            Check(clerks.CLK_04, lambda case: _into_full(case.state, case.move.target)),
        ),
        each=_clerk_moves,
        then=lambda case: _moved(case.task, case.move.source, case.move.target),
    )
    .takes(
        MoveReed,
        (Check(reed.TWO_12, _of_seat),),
        (
            Check(clerks.CLK_06, lambda case: _into_warehouse(case.move.target)),
            Check(
                clerks.CLK_05,
                lambda case: _no_clerk(case.state, case.task, case.move.source, case.move.target),
            ),
            Check(reed.TWO_09, _second_reed),
        ),
        (
            Check(clerks.CLK_03, lambda case: _out_of_full(case.state, case.move.source)),
            Check(clerks.CLK_04, lambda case: _into_full(case.state, case.move.target)),
        ),
        each=_reed_moves,
        then=lambda case: _moved(case.task, case.move.source, case.move.target),
    )
    .takes(Done, each=only_done, then=declined)
)


# Resources.


def _not_offered(case: Case[TakeDue, TakeResource]) -> Breach | None:
    wrong = not case.task.chi_too and case.move.resource not in BUILDING
    return breach_if(wrong, "this effect gives wood, stone or gold")


def _taken(case: Case[TakeDue, TakeResource]) -> Events:
    due = case.task
    rest = (TakeDue(due.seat, due.left - 1, due.chi_too),) if due.left > 1 else ()
    return (Gained(due.seat, case.move.resource, 1, Cause.CARD), then(*rest))


TAKE: Final = playing(
    task(State, TakeDue, course.ASK_03, its_seat), lambda state, due: strategy_window(state, due.seat)
).takes(
    TakeResource,
    (Check(course.ASK_03, _not_offered),),
    each=lambda _, __: map(TakeResource, RESOURCES),
    then=_taken,
)


# Copies.


def copies(state: State, card: Strategy) -> bool:
    """Whether a strategy is one that copies others."""
    parts = state.table.parts
    return any(isinstance(op, CopyCard) for block in parts.blocks[card] for op in parts.scripts[block.script])


def _copyable(state: State, clan: Clan) -> Iterator[OnTrack]:
    """Cards of other clans, not Reed's and none that copies (AMB-47)."""
    for card in state.track:
        if card.clan not in {clan, REED} and not copies(state, card.card):
            yield card


def _nothing_to_copy(state: State, due: CopyDue) -> Events:
    if next(_copyable(state, of_seat(due.seat)), None) is not None:
        return ()
    return (then(Do(of_seat(due.seat), due.otherwise, 0)),)


def _cannot_copy(case: Case[CopyDue, Copy]) -> Breach | None:
    clans = [card.clan for card in _copyable(case.state, of_seat(case.task.seat))]
    owner = case.state.table.name(case.move.clan)
    return breach_if(case.move.clan not in clans, f"{owner} has no card on the track that can be copied")


def _copied(case: Case[CopyDue, Copy]) -> Events:
    """The self blocks of the players' card of that name (GW-SOL-20)."""
    state, clan = case.state, of_seat(case.task.seat)
    card = next(each for each in _copyable(state, clan) if each.clan == case.move.clan)
    blocks = [block for block in state.table.parts.blocks[card.card] if not block.others]
    return (then(*(Do(clan, block.script, 0) for block in blocks)),)


COPY: Final = (
    playing(
        task(State, CopyDue, course.ASK_03, its_seat, happens=_nothing_to_copy),
        lambda state, due: strategy_window(state, due.seat),
    )
    .takes(
        Copy,
        (Check(cards.CRD_07, _cannot_copy),),
        each=lambda state, due: (Copy(card.clan) for card in _copyable(state, of_seat(due.seat))),
        then=_copied,
    )
    .takes(
        Done,
        each=only_done,
        then=lambda case: caused(
            *declined(case)[:-1], then(Do(of_seat(case.task.seat), case.task.otherwise, 0))
        ),
    )
)


# Wounds.


def woundable(state: State, most_lines: int) -> Iterator[Spots]:
    """Every empty spot on the first lines."""
    for section in Section:
        for line in lines(state, section):
            if line <= most_lines:
                yield from (Spots(section, line, (cell,)) for cell in empty_spots(state, section, line))


def _none_in_reach(state: State, due: WoundsDue) -> Events:
    return () if next(woundable(state, due.line), None) is not None else (FINISHED,)


def _wounded(case: Case[WoundsDue, WoundSpot]) -> Events:
    due, target = case.task, case.move.target
    rest = (WoundsDue(due.seat, due.left - 1, due.line),) if due.left > 1 else ()
    return (*wound(of_seat(due.seat), target.section, target.line, target.cells[0]), then(*rest))


WOUNDS: Final = (
    task(State, WoundsDue, course.ASK_03, its_seat, happens=_none_in_reach)
    .takes(
        WoundSpot,
        (Check(wall.ATK_08, lambda case: wound_fault(case.state, case.move.target, case.task.line)),),
        each=lambda state, due: map(WoundSpot, woundable(state, due.line)),
        then=_wounded,
    )
    .takes(Done, each=only_done, then=declined)
)


# Tactics.


def _within_limit(state: State, due: LimitDue) -> Events:
    return (FINISHED,) if len(state.players[due.seat].tactics) <= HAND else ()


def _not_held(case: Case[LimitDue, DiscardTactic]) -> Breach | None:
    return not_in_hand(case.state, case.task.seat, case.move.tactic)


LIMIT: Final = task(State, LimitDue, course.ASK_03, its_seat, happens=_within_limit).takes(
    DiscardTactic,
    (Check(cards.CRD_11, _not_held),),
    each=lambda state, due: map(DiscardTactic, in_hand(state, due)),
    then=lambda case: caused(
        TacticDiscarded(case.task.seat, case.move.tactic), then(LimitDue(case.task.seat))
    ),
)


def _spent(state: State, due: TacticEnd) -> Events:
    """What an occasion gives for playing a tactic comes when its effect is finished (AMB-62)."""
    return (
        TacticSpent(due.seat, due.tactic),
        *on_occasion(state, of_seat(due.seat), Occasion.TACTIC),
        FINISHED,
    )


TACTIC_END: Final = automatic(State, TacticEnd, cards.TAC_03, _spent)
