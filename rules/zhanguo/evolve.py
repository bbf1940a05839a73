"""From a state and a fact to the next state. Judges nothing."""

from collections.abc import Callable, Iterable
from typing import Final, TypeVar, cast

from msgspec import structs

from rules.kernel.actors import Seat
from rules.kernel.statements import alternatives
from rules.zhanguo import events as e
from rules.zhanguo import evolve_boards as boards
from rules.zhanguo import evolve_rival as rival
from rules.zhanguo.evolve_rules import ImpossibleEvent, based, with_parts
from rules.zhanguo.frames import (
    REWARD_WINDOWS,
    ActDue,
    Base,
    Choice,
    DealDue,
    DrawDue,
    Frame,
    LimitDue,
    OfferDue,
    PayDue,
    PaymentDue,
    PlayDue,
    ReturnDue,
    RewardDue,
    RivalFrame,
    RoundDue,
    RowDue,
    SoldiersDue,
    StartDue,
    StepDue,
    TurnDue,
    Window,
)
from rules.zhanguo.pieces import HAND, LINE, ROUNDS, START_TILES, Aspect
from rules.zhanguo.player_board import DEALT_HAND, replaced
from rules.zhanguo.state import State

Fact = TypeVar("Fact")

DEALT_STARTS: Final = 2
"""Start tiles that a seat chooses from."""
ROWS: Final = 3
_EMPTY: Final[tuple[Seat | None, ...]] = (None,) * ROWS


def evolve(state: State, event: e.Event) -> State:
    """The state after one event; raises ValueError or IndexError for one that no match can have there."""
    return _APPLY[type(event)](state, event)


def fold(state: State, events: Iterable[e.Event]) -> State:
    """The state after several events."""
    for event in events:
        state = _APPLY[type(event)](state, event)
    return state


# Set-up and rounds


def _first_player(state: State, event: e.FirstPlayerDrawn) -> State:
    seats = state.table.seats
    return structs.replace(state, track=seats[event.seat :] + seats[: event.seat], agenda=(DealDue(),))


def _start_dealt(state: State, event: e.StartTileDealt) -> State:
    tiles = (*state.starts[event.seat], event.tile)
    starts = replaced(state.starts, event.seat, tiles)
    given = [tile for each in starts for tile in each]
    if len(tiles) > DEALT_STARTS or len(set(given)) < len(given) or len(given) > len(START_TILES):
        raise ImpossibleEvent("a start tile too many")
    after = structs.replace(state, starts=starts)
    if all(len(starts[seat]) == DEALT_STARTS for seat in state.table.humans):
        return based(after, StartDue(_humans(state)[0]))
    return after


def _humans(state: State) -> tuple[Seat, ...]:
    """Those who are awaited, in turn order."""
    humans = tuple(seat for seat in state.track if seat != state.table.rival)
    if not humans:
        raise ImpossibleEvent("no turn order yet")
    return humans


def _following(state: State, seat: Seat) -> Seat | None:
    """The next human in turn order, in the same lap."""
    humans = _humans(state)
    at = humans.index(seat) + 1
    return humans[at] if at < len(humans) else None


def _start_chosen(state: State, event: e.StartTileChosen) -> State:
    return structs.replace(state, starts=replaced(state.starts, event.seat, ()))


def _start_settled(state: State, event: e.StartTileSettled) -> State:
    following = _following(state, event.seat)
    return based(state, RoundDue() if following is None else StartDue(following))


def _round_began(state: State, event: e.RoundBegan) -> State:
    if not 1 <= event.round <= ROUNDS:
        raise ImpossibleEvent(f"there is no round {event.round}")
    after = rival.dealt_six(structs.replace(state, round=event.round))
    return based(after, DrawDue(_humans(state)[0]))


def _hands_dealt(state: State, _: e.HandsDealt) -> State:
    after = state
    for seat in state.table.humans:
        after = with_parts(after, seat, hand=DEALT_HAND)
    return based(after, TurnDue(None))


def _card_drawn(state: State, event: e.CardDrawn) -> State:
    """Two of each aspect, one after the other, so the number of cards says which is due."""
    hand = state.players[event.seat].hand
    if hand.size >= HAND:
        raise ImpossibleEvent("a hand has six cards")
    hand = hand.drawn(event.card, Aspect(hand.size // 2))
    after = with_parts(state, event.seat, hand=hand)
    if hand.size < HAND:
        return based(after, DrawDue(event.seat))
    following = _following(state, event.seat)
    return based(after, TurnDue(None) if following is None else DrawDue(following))


def _turn_began(state: State, event: e.TurnBegan) -> State:
    return based(state, PlayDue(event.seat))


def _window_closed(state: State, event: e.WindowClosed) -> State:
    base = state.agenda[-1]
    if not isinstance(base, SoldiersDue):
        raise ImpossibleEvent("no window is open")
    if base.window is Window.TURN:
        return based(state, TurnDue(event.seat))
    row = base.window.row
    return based(state, PaymentDue(event.seat) if row is None else RowDue(row + 1, None))


def _round_ended(state: State, _: e.RoundEnded) -> State:
    return based(state, RoundDue())


# Playing


def _card_unified(state: State, event: e.CardUnified) -> State:
    after = with_parts(state, event.seat, hand=state.players[event.seat].hand.played(event.card))
    return based(boards.with_card(after, event.seat, event.card, event.region), _soldiers(event.seat))


def _soldiers(seat: Seat) -> SoldiersDue:
    return SoldiersDue(seat, Window.TURN)


def _played_at_court(state: State, event: e.CardPlayedAtCourt) -> State:
    return based(_at_court(state, event), ActDue(event.seat))


def _forfeited(state: State, event: e.PlayForfeited) -> State:
    return based(_at_court(state, event), _soldiers(event.seat))


def _at_court(state: State, event: e.CardPlayedAtCourt | e.PlayForfeited) -> State:
    after = with_parts(state, event.seat, hand=state.players[event.seat].hand.played(event.card))
    return boards.laid_at_court(after, event.card)


def _action_taken(state: State, event: e.ActionTaken) -> State:
    return based(state, StepDue(event.seat, event.action, event.test, ()))


def _ability_activated(state: State, event: e.AbilityActivated) -> State:
    base = state.agenda[-1]
    if not isinstance(base, StepDue):
        raise ImpossibleEvent("no activation step")
    return based(state, structs.replace(base, used=(*base.used, event.card)))


def _activation_ended(state: State, event: e.ActivationEnded) -> State:
    return based(state, _soldiers(event.seat))


# Choices


def _choices_due(state: State, event: e.ChoicesDue) -> State:
    return _with_choices(state, event.frames, state.agenda)


def _choice_made(state: State, event: e.ChoiceMade) -> State:
    return _with_choices(state, event.rest, _without_top(state))


def _choice_lapsed(state: State, _: e.ChoiceLapsed) -> State:
    return structs.replace(state, agenda=_without_top(state))


def _without_top(state: State) -> tuple[Frame, ...]:
    if not isinstance(state.agenda[0], Choice | RivalFrame):
        raise ImpossibleEvent("no choice is pending")
    return state.agenda[1:]


def _with_choices(state: State, frames: tuple[Frame, ...], below: tuple[Frame, ...]) -> State:
    if any(isinstance(frame, Base) for frame in frames) or state.acting is None:
        raise ImpossibleEvent("that is no choice of anybody")
    return structs.replace(state, agenda=frames + below)


# Phase 3


def _rewards_began(state: State, _: e.RewardsBegan) -> State:
    return based(state, RowDue(0, None))


def _offered(state: State, event: e.RewardOffered) -> State:
    return based(state, OfferDue(event.seat, _row(event.row)))


def _passed(state: State, event: e.RewardPassed) -> State:
    return based(state, RowDue(_row(event.row), event.seat))


def _accepted(state: State, event: e.RewardAccepted) -> State:
    return based(state, RewardDue(event.seat, _row(event.row)))


def _marker_moved(state: State, event: e.MarkerMoved) -> State:
    column = tuple(None if seat == event.seat else seat for seat in state.column)
    if column[_row(event.row)] is not None:
        raise ImpossibleEvent("two markers are in one cell")
    after = structs.replace(
        state,
        track=tuple(seat for seat in state.track if seat != event.seat),
        column=replaced(column, event.row, event.seat),
    )
    return based(after, SoldiersDue(event.seat, REWARD_WINDOWS[event.row]))


def _row_closed(state: State, event: e.RowClosed) -> State:
    return based(state, RowDue(_row(event.row) + 1, None))


def _row(row: int) -> int:
    if not 0 <= row < ROWS:
        raise ImpossibleEvent(f"there is no row {row + 1}")
    return row


def _order_set(state: State, event: e.TurnOrderSet) -> State:
    if sorted(event.order) != list(state.table.seats):
        raise ImpossibleEvent("a seat is missing in the turn order, or there twice")
    return based(structs.replace(state, track=event.order, column=_EMPTY), PaymentDue(None))


def _payment_opened(state: State, event: e.PaymentOpened) -> State:
    return based(state, PayDue(event.seat, 0))


def _soldier_paid(state: State, event: e.SoldierPaid) -> State:
    base = state.agenda[-1]
    paid = base.count if isinstance(base, PayDue) else LINE * LINE
    if paid >= LINE * LINE:
        raise ImpossibleEvent("nobody has so many soldiers")
    return based(state, PayDue(event.seat, paid + 1))


def _payment_closed(state: State, event: e.PaymentClosed) -> State:
    base = state.agenda[-1]
    if isinstance(base, PayDue) and base.count:
        return based(state, SoldiersDue(event.seat, Window.PAY))
    return based(state, PaymentDue(event.seat))


def _limits_began(state: State, _: e.LimitsBegan) -> State:
    return based(state, LimitDue(None))


def _return_asked(state: State, event: e.ReturnAsked) -> State:
    return based(state, ReturnDue(event.seat))


def _limit_kept(state: State, event: e.LimitKept) -> State:
    return based(state, LimitDue(event.seat))


def _match_ended(state: State, _: e.MatchEnded) -> State:
    return structs.replace(state, agenda=())


# The table of all of them


def _on(
    kind: type[Fact], apply: Callable[[State, Fact], State]
) -> tuple[type[object], Callable[[State, object], State]]:
    return kind, cast("Callable[[State, object], State]", apply)


_APPLY: Final = dict(
    (
        _on(e.FirstPlayerDrawn, _first_player),
        _on(e.TargetDealt, boards.target_dealt),
        _on(e.MausoleumTileDealt, boards.mausoleum_tile_dealt),
        _on(e.WallTileDealt, boards.wall_tile_dealt),
        _on(e.EmperorTileDealt, boards.emperor_dealt),
        _on(e.PalaceTileDealt, boards.palace_tile_dealt),
        _on(e.GovernorTileDealt, boards.governor_tile_dealt),
        _on(e.MasterDealt, boards.master_dealt),
        _on(e.StartTileDealt, _start_dealt),
        _on(e.StartTileChosen, _start_chosen),
        _on(e.StartTileSettled, _start_settled),
        _on(e.RoundBegan, _round_began),
        _on(e.HandsDealt, _hands_dealt),
        _on(e.CardDrawn, _card_drawn),
        _on(e.TurnBegan, _turn_began),
        _on(e.WindowClosed, _window_closed),
        _on(e.RoundEnded, _round_ended),
        _on(e.CardUnified, _card_unified),
        _on(e.CardPlayedAtCourt, _played_at_court),
        _on(e.PlayForfeited, _forfeited),
        _on(e.ActionTaken, _action_taken),
        _on(e.AbilityActivated, _ability_activated),
        _on(e.ActivationEnded, _activation_ended),
        _on(e.UnrestRaised, boards.unrest_raised),
        _on(e.UnrestLowered, boards.unrest_lowered),
        _on(e.OfficialsRecruited, boards.officials_recruited),
        _on(e.OfficialReturned, boards.official_returned),
        _on(e.OfficialMoved, boards.official_moved),
        _on(e.WorkersHired, boards.workers_hired),
        _on(e.WorkersSpent, boards.workers_spent),
        _on(e.WorkerMoved, boards.worker_moved),
        _on(e.AlchemistPlaced, boards.alchemist_placed),
        _on(e.MasterTaken, boards.master_taken),
        _on(e.EmperorTileTaken, boards.emperor_gone),
        _on(e.EmperorTilePlaced, boards.emperor_placed),
        _on(e.TokensGained, boards.tokens_gained),
        _on(e.TokensReturned, boards.tokens_returned),
        _on(e.LargeTaken, boards.large_taken),
        _on(e.LargeReturned, boards.large_returned),
        _on(e.PointsScored, boards.points_scored),
        _on(e.BoatMoved, boards.boat_moved),
        _on(e.GovernorInstalled, boards.governor_installed),
        _on(e.PalaceBuilt, boards.palace_built),
        _on(e.PalaceTileTaken, boards.palace_tile_taken),
        _on(e.WallBuilt, boards.wall_built),
        _on(e.SoldiersUnlocked, boards.soldiers_unlocked),
        _on(e.SoldierPlaced, boards.soldier_placed),
        _on(e.ChoicesDue, _choices_due),
        _on(e.ChoiceMade, _choice_made),
        _on(e.ChoiceLapsed, _choice_lapsed),
        _on(e.RewardsBegan, _rewards_began),
        _on(e.RewardOffered, _offered),
        _on(e.RewardPassed, _passed),
        _on(e.RewardAccepted, _accepted),
        _on(e.MarkerMoved, _marker_moved),
        _on(e.RowClosed, _row_closed),
        _on(e.TurnOrderSet, _order_set),
        _on(e.PaymentOpened, _payment_opened),
        _on(e.SoldierPaid, _soldier_paid),
        _on(e.PaymentClosed, _payment_closed),
        _on(e.LimitsBegan, _limits_began),
        _on(e.ReturnAsked, _return_asked),
        _on(e.LimitKept, _limit_kept),
        _on(e.RivalTurnBegan, rival.turn_began),
        _on(e.ActionRevealed, rival.action_revealed),
        _on(e.RivalCardUnified, rival.card_unified),
        _on(e.RivalCardAtCourt, rival.card_at_court),
        _on(e.RivalTileKept, rival.tile_kept),
        _on(e.EmperorTileRemoved, boards.emperor_gone),
        _on(e.RivalTurnEnded, rival.turn_ended),
        _on(e.ActionDeckRebuilt, rival.deck_rebuilt),
        _on(e.MatchEnded, _match_ended),
    )
)
if _APPLY.keys() != set(alternatives(e.Event)):
    raise TypeError("an event has no effect on the state, or is none of the union")
