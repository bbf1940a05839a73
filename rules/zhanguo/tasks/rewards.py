"""Phase 3, step 1: rewards are offered and taken (ZHG-REW-01 to -10)."""

from typing import Final

from rules.kernel.actors import Seat
from rules.kernel.rule import Breach, Check
from rules.kernel.tasks import TaskCase, automatic, task
from rules.zhanguo import effects as f
from rules.zhanguo import events as e
from rules.zhanguo import rulebook
from rules.zhanguo.court.elixir import can_place
from rules.zhanguo.court.elixir import possible as can_sail
from rules.zhanguo.court.wall import slots
from rules.zhanguo.evolve import ROWS, fold
from rules.zhanguo.frames import OfferDue, RewardDue, RowDue
from rules.zhanguo.moves import Accept, Pass
from rules.zhanguo.pieces import ROUNDS, SPOTS, Aspect
from rules.zhanguo.queries import awaits_seat, free_slot
from rules.zhanguo.resolve import resolve
from rules.zhanguo.state import State

# Who is offered a reward


def aspect_of_row(state: State, row: int) -> Aspect:
    """The aspect of a row of the table in use."""
    return state.table.rewards.rows[row]


def reward(state: State, row: int) -> f.Effects:
    """What a row gives in this round."""
    return state.table.rewards.cells[row][min(max(state.round, 1), ROUNDS) - 1]


def ranking(state: State, row: int) -> list[Seat]:
    """Seats with tokens of the aspect: most first, then by the track, then by the column (ZHG-REW-04)."""
    aspect = aspect_of_row(state, row)
    order = [*state.track, *(seat for seat in state.column if seat is not None)]
    eligible = [seat for seat in order if state.players[seat].total(aspect)]
    return sorted(eligible, key=lambda seat: -state.players[seat].total(aspect))


def _next_offer(state: State, due: RowDue) -> tuple[e.Event, ...]:
    if due.row >= ROWS:
        order = (*state.track, *(seat for seat in state.column if seat is not None))
        return (e.TurnOrderSet(order),)
    ranked = ranking(state, due.row)
    at = ranked.index(due.after) + 1 if due.after in ranked else 0
    return (e.RewardOffered(ranked[at], due.row),) if at < len(ranked) else (e.RowClosed(due.row),)


ROW: Final = automatic(State, RowDue, rulebook.STM_03, _next_offer)

# Whether it can be taken in full (ZHG-REW-05, AMB-13)


def acceptable(state: State, seat: Seat, row: int) -> bool:
    """Whether a seat can take the whole reward."""
    effects = reward(state, row)
    if all(_possible(state, seat, effect) for effect in effects):
        return True
    unlocking = effects[:1]
    if not isinstance(unlocking[0], f.UnlockSoldiers) or not _possible(state, seat, unlocking[0]):
        return False
    unlocked = fold(state, resolve(state, seat, unlocking, e.Source.BONUS))
    return all(_possible(unlocked, seat, effect) for effect in effects[1:])


def _possible(state: State, seat: Seat, effect: f.Effect) -> bool:
    player = state.players[seat]
    match effect:
        case f.RecruitOfficials():
            return sum(player.reserve(official) for official in effect.types) >= effect.count
        case f.MoveBoat():
            return can_sail(state, seat)
        case f.PlaceAlchemists():
            return can_place(state, seat, effect.where)
        case f.UnlockSoldiers():
            return player.locked >= effect.count
        case f.PlaceSoldierFree():
            return player.entrance > 0 and any(free_slot(state, seat, spot) is not None for spot in SPOTS)
        case f.FreeGovernor():
            return state.governors_left(seat) > 0
        case f.FreePalace():
            return state.palaces_left(seat) > 0
        case f.FreeWall():
            return state.walls_left(seat) > 0 and next(slots(state, seat), None) is not None
        case _:
            return True


# Offers


def _by_itself(state: State, due: OfferDue) -> tuple[e.Event, ...]:
    """Li Si takes whatever he is offered, and gets nothing; who cannot take it, passes (ZHG-SOL-13)."""
    if due.seat == state.table.rival:
        return (e.RewardAccepted(due.seat, due.row), *_tokens_back(state, due))
    return () if acceptable(state, due.seat, due.row) else (e.RewardPassed(due.seat, due.row, forced=True),)


def _tokens_back(state: State, due: OfferDue) -> tuple[e.Event, ...]:
    player, aspect = state.players[due.seat], aspect_of_row(state, due.row)
    small = player.tokens[aspect]
    return (
        *((e.TokensReturned(due.seat, aspect, small),) if small else ()),
        *((e.LargeReturned(due.seat, aspect),) if aspect in player.large else ()),
    )


def _not_in_full(case: TaskCase[State, OfferDue, Accept]) -> Breach | None:
    if acceptable(case.state, case.task.seat, case.task.row):
        return None
    return Breach("the reward cannot be taken in full")


def _accepted(case: TaskCase[State, OfferDue, Accept]) -> tuple[e.Event, ...]:
    """All tokens of the aspect go back, then the reward follows; the marker moves once it is settled."""
    due = case.task
    events = (e.RewardAccepted(due.seat, due.row), *_tokens_back(case.state, due))
    effects = reward(case.state, due.row)
    return (*events, *resolve(fold(case.state, events), due.seat, effects, e.Source.BONUS))


OFFER: Final = (
    task(State, OfferDue, rulebook.REW_05, awaits_seat, happens=_by_itself)
    .takes(
        Accept,
        (Check(rulebook.REW_05, _not_in_full),),
        each=lambda _, __: (Accept(),),
        then=_accepted,
    )
    .takes(
        Pass,
        each=lambda _, __: (Pass(),),
        then=lambda case: (e.RewardPassed(case.task.seat, case.task.row, forced=False),),
        exact=True,
    )
)
REWARD: Final = automatic(
    State, RewardDue, rulebook.STM_03, lambda _, due: (e.MarkerMoved(due.seat, due.row),)
)
