"""What Li Si pays for soldiers and gives back (ZHG-SOL-14, AMB-40, AMB-58)."""

from rules.zhanguo import events as e
from rules.zhanguo.frames import PayDue, ReturnDue
from rules.zhanguo.pieces import ASPECTS, KEPT, UNLOCK
from rules.zhanguo.state import State
from rules.zhanguo.tokens import KINDS, LARGE, given_back, held


def rival_pays(state: State, due: PayDue) -> tuple[e.Event, ...]:
    """One soldier after the other, while he can pay and one is locked."""
    if due.seat != state.table.rival:
        return ()
    player = state.players[due.seat]
    tokens = _payment(state, held(player)) if player.locked else None
    if tokens is None:
        return (e.PaymentClosed(due.seat),)
    return e.SoldierPaid(due.seat), *given_back(due.seat, tokens), e.SoldiersUnlocked(due.seat, 1)


def rival_discards(state: State, due: ReturnDue) -> tuple[e.Event, ...]:
    """From the aspect that he holds most of, down to five."""
    if due.seat != state.table.rival:
        return ()
    owned = held(state.players[due.seat])
    tokens = _small(state, owned, sum(owned[LARGE:]) - KEPT)
    return *given_back(due.seat, tokens), e.LimitKept(due.seat)


def _payment(state: State, owned: tuple[int, ...]) -> tuple[int, ...] | None:
    """Large tokens first: with a small one, or without small ones two of them; else three small ones."""
    large, small = sum(owned[:LARGE]), sum(owned[LARGE:])
    if state.table.rulings.cost_by_count:
        of_large = min(large, UNLOCK)
        wanted = (of_large, UNLOCK - of_large)
    elif large:
        wanted = (1, 1) if small else (2, 0)
    else:
        wanted = (0, UNLOCK)
    if wanted[0] > large or wanted[1] > small:
        return None
    return _sum(_large(state, owned, wanted[0]), _small(state, owned, wanted[1]))


def _sum(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(a + b for a, b in zip(one, other, strict=True))


def _large(state: State, owned: tuple[int, ...], count: int) -> tuple[int, ...]:
    """Those of the top row first."""
    rows = [aspect for aspect in state.table.rewards.rows if owned[aspect]][:count]
    return tuple(int(kind < LARGE and ASPECTS[kind] in rows) for kind in range(KINDS))


def _small(state: State, owned: tuple[int, ...], count: int) -> tuple[int, ...]:
    """Token by token of the aspect that he then holds most of; of equal ones the top row's."""
    left = list(owned[LARGE:])
    taken = [0] * KINDS
    for _ in range(count):
        aspect = max(state.table.rewards.rows, key=left.__getitem__)
        left[aspect] -= 1
        taken[LARGE + aspect] += 1
    return tuple(taken)
