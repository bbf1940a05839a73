"""From a state and a fact to the next state. Judges nothing."""

from typing import Final

from msgspec import structs

from rules.kernel.actors import Seat
from rules.kernel.places import with_one
from rules.kernel.reducer import Reducer, reducer
from rules.zhanguo import events as e
from rules.zhanguo import evolve_boards as boards
from rules.zhanguo import evolve_rival as rival
from rules.zhanguo.evolve_rules import ImpossibleEvent, based, with_parts
from rules.zhanguo.frames import (
    REWARD_WINDOWS,
    ActDue,
    BaseFrame,
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
    RoundDue,
    RowDue,
    SoldiersDue,
    StartDue,
    StepDue,
    TurnDue,
    Window,
)
from rules.zhanguo.pieces import HAND, LINE, ROUNDS, Aspect, Card
from rules.zhanguo.player_board import DEALT_HAND
from rules.zhanguo.state import State

DEALT_STARTS: Final = 2
"""Start tiles that a seat chooses from."""
ROWS: Final = 3
_EMPTY: Final[tuple[Seat | None, ...]] = (None,) * ROWS


# Set-up and rounds


def _first_player(state: State, event: e.FirstPlayerDrawn) -> State:
    seats = state.table.seats
    return structs.replace(state, track=seats[event.seat :] + seats[: event.seat], agenda=(DealDue(),))


def _start_dealt(state: State, event: e.StartTileDealt) -> State:
    """Two tiles for each human in turn order."""
    starts = state.starts
    if starts and len(starts[-1]) < DEALT_STARTS:
        starts = (*starts[:-1], (*starts[-1], event.tile))
    else:
        starts = (*starts, (event.tile,))
    given = [tile for each in starts for tile in each]
    humans = _humans(state)
    if len(set(given)) < len(given) or len(starts) > len(humans) or humans[len(starts) - 1] != event.seat:
        raise ImpossibleEvent("a start tile too many")
    after = structs.replace(state, starts=starts)
    complete = len(starts) == len(humans) and len(starts[-1]) == DEALT_STARTS
    return based(after, StartDue(humans[0])) if complete else after


def _humans(state: State) -> tuple[Seat, ...]:
    """Those who are awaited, in turn order."""
    humans = state.humans
    if not humans:
        raise ImpossibleEvent("no turn order yet")
    return humans


def _following(state: State, seat: Seat) -> Seat | None:
    """The next human in turn order, in the same lap."""
    humans = _humans(state)
    at = humans.index(seat) + 1
    return humans[at] if at < len(humans) else None


def _start_chosen(state: State, event: e.StartTileChosen) -> State:
    if event.tile not in state.start_tiles(event.seat):
        raise ImpossibleEvent("the tile was not dealt to this seat")
    return structs.replace(state, starts=state.starts[1:])


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


def _from_hand(state: State, seat: Seat, card: Card) -> State:
    """With a card played from a hand.

    An unknown card may turn out to be one that the record has in a hand which the player cannot see. Then the
    record of that hand was wrong, and what is there instead is not known.
    """
    after = with_parts(state, seat, hand=state.players[seat].hand.played(card))
    for other in state.table.seats:
        if card in after.players[other].hand.known:
            after = with_parts(after, other, hand=after.players[other].hand.doubted(card))
    return after


def _card_unified(state: State, event: e.CardUnified) -> State:
    after = _from_hand(state, event.seat, event.card)
    return based(boards.with_card(after, event.seat, event.card, event.region), _soldiers(event.seat))


def _soldiers(seat: Seat) -> SoldiersDue:
    return SoldiersDue(seat, Window.TURN)


def _played_at_court(state: State, event: e.CardPlayedAtCourt) -> State:
    return based(_at_court(state, event), ActDue(event.seat))


def _forfeited(state: State, event: e.PlayForfeited) -> State:
    return based(_at_court(state, event), _soldiers(event.seat))


def _at_court(state: State, event: e.CardPlayedAtCourt | e.PlayForfeited) -> State:
    return boards.laid_at_court(_from_hand(state, event.seat, event.card), event.card)


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
    if isinstance(state.agenda[0], BaseFrame):
        raise ImpossibleEvent("no choice is pending")
    return state.agenda[1:]


def _with_choices(state: State, frames: tuple[Frame, ...], below: tuple[Frame, ...]) -> State:
    if any(isinstance(frame, BaseFrame) for frame in frames) or state.acting is None:
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
        column=with_one(column, event.row, event.seat),
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
        raise ImpossibleEvent("nobody has that number of soldiers")
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


# All of them

_CHANGES: Final[Reducer[State, e.Event]] = (
    reducer(State)
    .on(e.FirstPlayerDrawn, _first_player)
    .on(e.TargetDealt, boards.target_dealt)
    .on(e.MausoleumTileDealt, boards.mausoleum_tile_dealt)
    .on(e.WallTileDealt, boards.wall_tile_dealt)
    .on(e.EmperorTileDealt, boards.emperor_dealt)
    .on(e.PalaceTileDealt, boards.palace_tile_dealt)
    .on(e.GovernorTileDealt, boards.governor_tile_dealt)
    .on(e.MasterDealt, boards.master_dealt)
    .on(e.StartTileDealt, _start_dealt)
    .on(e.StartTileChosen, _start_chosen)
    .on(e.StartTileSettled, _start_settled)
    .on(e.RoundBegan, _round_began)
    .on(e.HandsDealt, _hands_dealt)
    .on(e.CardDrawn, _card_drawn)
    .on(e.TurnBegan, _turn_began)
    .on(e.WindowClosed, _window_closed)
    .on(e.RoundEnded, _round_ended)
    .on(e.CardUnified, _card_unified)
    .on(e.CardPlayedAtCourt, _played_at_court)
    .on(e.PlayForfeited, _forfeited)
    .on(e.ActionTaken, _action_taken)
    .on(e.AbilityActivated, _ability_activated)
    .on(e.ActivationEnded, _activation_ended)
    .on(e.UnrestRaised, boards.unrest_raised)
    .on(e.UnrestLowered, boards.unrest_lowered)
    .on(e.OfficialsRecruited, boards.officials_recruited)
    .on(e.OfficialReturned, boards.official_returned)
    .on(e.OfficialMoved, boards.official_moved)
    .on(e.WorkersHired, boards.workers_hired)
    .on(e.WorkersSpent, boards.workers_spent)
    .on(e.WorkerMoved, boards.worker_moved)
    .on(e.AlchemistPlaced, boards.alchemist_placed)
    .on(e.MasterTaken, boards.master_taken)
    .on(e.EmperorTileTaken, boards.emperor_gone)
    .on(e.EmperorTilePlaced, boards.emperor_placed)
    .on(e.TokensGained, boards.tokens_gained)
    .on(e.TokensReturned, boards.tokens_returned)
    .on(e.LargeTaken, boards.large_taken)
    .on(e.LargeReturned, boards.large_returned)
    .on(e.PointsScored, boards.points_scored)
    .on(e.BoatMoved, boards.boat_moved)
    .on(e.GovernorInstalled, boards.governor_installed)
    .on(e.PalaceBuilt, boards.palace_built)
    .on(e.PalaceTileTaken, boards.palace_tile_taken)
    .on(e.WallBuilt, boards.wall_built)
    .on(e.SoldiersUnlocked, boards.soldiers_unlocked)
    .on(e.SoldierPlaced, boards.soldier_placed)
    .on(e.ChoicesDue, _choices_due)
    .on(e.ChoiceMade, _choice_made)
    .on(e.ChoiceLapsed, _choice_lapsed)
    .on(e.RewardsBegan, _rewards_began)
    .on(e.RewardOffered, _offered)
    .on(e.RewardPassed, _passed)
    .on(e.RewardAccepted, _accepted)
    .on(e.MarkerMoved, _marker_moved)
    .on(e.RowClosed, _row_closed)
    .on(e.TurnOrderSet, _order_set)
    .on(e.PaymentOpened, _payment_opened)
    .on(e.SoldierPaid, _soldier_paid)
    .on(e.PaymentClosed, _payment_closed)
    .on(e.LimitsBegan, _limits_began)
    .on(e.ReturnAsked, _return_asked)
    .on(e.LimitKept, _limit_kept)
    .on(e.RivalTurnBegan, rival.turn_began)
    .on(e.ActionRevealed, rival.action_revealed)
    .on(e.RivalCardUnified, rival.card_unified)
    .on(e.RivalCardAtCourt, rival.card_at_court)
    .on(e.RivalTileKept, rival.tile_kept)
    .on(e.EmperorTileRemoved, boards.emperor_gone)
    .on(e.RivalTurnEnded, rival.turn_ended)
    .on(e.ActionDeckRebuilt, rival.deck_rebuilt)
    .on(e.MatchEnded, _match_ended)
    .of(e.Event)
)
evolve: Final = _CHANGES.evolve
fold: Final = _CHANGES.fold
