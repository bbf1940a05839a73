"""Phase 3, steps 3 and 4: soldiers are paid for, and tokens above the limit return (ZHG-REW-20 to -31)."""

from collections.abc import Iterator
from itertools import combinations_with_replacement
from typing import Final

from rules.kernel.actors import Seat
from rules.kernel.rule import Breach, Check
from rules.kernel.tasks import TaskCase, automatic, task
from rules.zhanguo import events as e
from rules.zhanguo import rulebook
from rules.zhanguo.frames import LimitDue, PayDue, PaymentDue, ReturnDue
from rules.zhanguo.moves import Done, Pay, ReturnTokens
from rules.zhanguo.pieces import KEPT
from rules.zhanguo.queries import awaits_seat
from rules.zhanguo.rival.paying import rival_discards, rival_pays
from rules.zhanguo.state import State
from rules.zhanguo.tokens import KINDS, LARGE, covers, given_back, held, is_payment, tally


def _payments(state: State, due: PayDue) -> Iterator[Pay]:
    """In the order of W C L w c l."""
    player = state.players[due.seat]
    if not player.locked:
        return
    owned = held(player)
    kinds = [kind for kind in range(KINDS) if owned[kind]]
    found = [
        choice
        for size in (2, 3)
        for choice in combinations_with_replacement(kinds, size)
        if covers(owned, tally(choice)) and is_payment(state, tally(choice))
    ]
    yield from (Pay(tally(choice)) for choice in sorted(found))


def _cannot_pay(case: TaskCase[State, PayDue, Pay]) -> Breach | None:
    player = case.state.players[case.task.seat]
    if not player.locked:
        return Breach("no soldier is locked")
    if not covers(held(player), case.move.tokens):
        return Breach("these tokens are not held")
    if not is_payment(case.state, case.move.tokens):
        return Breach("a soldier costs tokens worth 3, and none of them could be left out")
    return None


def _paid(case: TaskCase[State, PayDue, Pay]) -> tuple[e.Event, ...]:
    seat = case.task.seat
    return e.SoldierPaid(seat), *given_back(seat, case.move.tokens), e.SoldiersUnlocked(seat, 1)


PAY: Final = (
    task(State, PayDue, rulebook.REW_20, awaits_seat, forced=True, happens=rival_pays)
    .takes(Pay, (Check(rulebook.REW_20, _cannot_pay),), each=_payments, then=_paid, exact=True)
    .takes(
        Done,
        each=lambda _, __: (Done(),),
        then=lambda case: (e.PaymentClosed(case.task.seat),),
        exact=True,
    )
)


def _after(state: State, seat: Seat | None) -> tuple[Seat, ...]:
    """Those who come later in turn order."""
    return state.track if seat not in state.track else state.track[state.track.index(seat) + 1 :]


def _next_payment(state: State, due: PaymentDue) -> tuple[e.Event, ...]:
    """The next in the new turn order; after the last, large tokens go back (ZHG-REW-30)."""
    later = _after(state, due.after)
    if later:
        return (e.PaymentOpened(later[0]),)
    large = [e.LargeReturned(seat, aspect) for seat in state.track for aspect in state.players[seat].large]
    return (*large, e.LimitsBegan())


PAYMENT: Final = automatic(State, PaymentDue, rulebook.STM_03, _next_payment)

# The limit


def _next_limit(state: State, due: LimitDue) -> tuple[e.Event, ...]:
    for seat in _after(state, due.after):
        if sum(state.players[seat].tokens) > KEPT:
            return (e.ReturnAsked(seat),)
    rebuilt = () if state.table.rival is None else (e.ActionDeckRebuilt(),)
    return (*rebuilt, e.RoundEnded())


LIMIT: Final = automatic(State, LimitDue, rulebook.STM_03, _next_limit)


def _returns(state: State, due: ReturnDue) -> Iterator[ReturnTokens]:
    owned = held(state.players[due.seat])
    kinds = [kind for kind in range(LARGE, KINDS) if owned[kind]]
    surplus = max(sum(owned[LARGE:]) - KEPT, 0)
    for choice in combinations_with_replacement(kinds, surplus):
        if covers(owned, tally(choice)):
            yield ReturnTokens(tally(choice))


def _not_to_limit(case: TaskCase[State, ReturnDue, ReturnTokens]) -> Breach | None:
    owned = held(case.state.players[case.task.seat])
    if not covers(owned, case.move.tokens):
        return Breach("these tokens are not held")
    surplus = sum(owned[LARGE:]) - KEPT
    if any(case.move.tokens[:LARGE]) or sum(case.move.tokens) != surplus:
        return Breach(f"{surplus} small tokens go back, so that {KEPT} are left")
    return None


def _returned(case: TaskCase[State, ReturnDue, ReturnTokens]) -> tuple[e.Event, ...]:
    seat = case.task.seat
    return *given_back(seat, case.move.tokens), e.LimitKept(seat)


RETURN: Final = task(
    State, ReturnDue, rulebook.REW_31, awaits_seat, forced=True, happens=rival_discards
).takes(ReturnTokens, (Check(rulebook.REW_31, _not_to_limit),), each=_returns, then=_returned, exact=True)
