"""Protobuf codec for Khan's events."""

from typing import assert_never

from shiji.khan.v1 import khan_pb2 as pb

from records.codec.khan_words import (
    CAUSE_WIRE,
    CELL_NAMES,
    SPECIAL_WIRE,
    read_card,
    read_cause,
    read_cell,
    read_drawn,
    read_leader,
    read_region,
    read_seat,
    read_seats,
    read_set,
    read_shape,
    read_special,
    write_drawn,
    write_region,
    write_set,
)
from records.codec.shape import CorruptEvents, UnknownEvents
from records.codec.wire import Garbled, UnknownField, as_json, parse
from rules.khan.events import (
    ActionForfeited,
    CardDiscarded,
    CardDrawn,
    CardsDrawn,
    CardTurned,
    ConquestProposed,
    ConsentGiven,
    ConsentRefused,
    DeckReshuffled,
    DiscardingEnded,
    Event,
    FinalPhaseTriggered,
    FirstPlayerDrawn,
    LeaderAnnounced,
    LeaderFled,
    LeaderRemoved,
    MatchEnded,
    OpeningYurtPlaced,
    PiecePlaced,
    SpecialDeclined,
    SpecialRetired,
    SpecialUsed,
    TurnBegan,
    TurnPassed,
    YurtPlacedAnywhere,
    YurtPlacedByCard,
)
from rules.khan.state import State


def encode_events(state: State, events: tuple[Event, ...]) -> bytes:
    """Encode the events of one entry."""
    message = pb.Events(events=[_write(state, event) for event in events])
    return message.SerializeToString(deterministic=True)


def _write(state: State, event: Event) -> pb.Event:  # noqa: C901 - one short case per kind of event
    kit = state.table.kit
    match event:
        case CardTurned():
            return pb.Event(card_turned=pb.CardTurned(card=kit.card_names[event.card]))
        case LeaderFled():
            fled = pb.LeaderFled(
                leader=kit.leaders[event.leader].id,
                origin=CELL_NAMES[event.origin],
                target=CELL_NAMES[event.target],
                from_camp=event.from_camp,
            )
            return pb.Event(leader_fled=fled)
        case LeaderRemoved():
            removed = pb.LeaderRemoved(
                leader=kit.leaders[event.leader].id,
                cell=CELL_NAMES[event.cell],
                cause=CAUSE_WIRE[event.cause],
            )
            return pb.Event(leader_removed=removed)
        case FinalPhaseTriggered():
            return pb.Event(final_phase_triggered=pb.FinalPhaseTriggered(in_actions=event.in_actions))
        case YurtPlacedByCard():
            by_card = pb.YurtPlacedByCard(
                seat=event.seat, card=kit.card_names[event.card], cell=CELL_NAMES[event.cell]
            )
            return pb.Event(yurt_placed_by_card=by_card)
        case LeaderAnnounced():
            announced = pb.LeaderAnnounced(seat=event.seat, leader=kit.leaders[event.leader].id)
            return pb.Event(leader_announced=announced)
        case YurtPlacedAnywhere():
            anywhere = pb.YurtPlacedAnywhere(seat=event.seat, cell=CELL_NAMES[event.cell])
            return pb.Event(yurt_placed_anywhere=anywhere)
        case CardDiscarded():
            discarded = pb.CardDiscarded(seat=event.seat, card=kit.card_names[event.card])
            return pb.Event(card_discarded=discarded)
        case ConquestProposed():
            proposed = pb.ConquestProposed(
                seat=event.seat,
                shape=kit.shapes[event.shape].id,
                cells=write_set(kit, event.cells),
                asked=event.asked,
            )
            return pb.Event(conquest_proposed=proposed)
        case PiecePlaced():
            placed = pb.PiecePlaced(
                seat=event.seat,
                shape=kit.shapes[event.shape].id,
                cells=write_set(kit, event.cells),
                owners=event.owners,
            )
            return pb.Event(piece_placed=placed)
        case SpecialRetired():
            retired = pb.SpecialRetired(seat=event.seat, special=SPECIAL_WIRE[event.special])
            return pb.Event(special_retired=retired)
        case SpecialUsed():
            used = pb.SpecialUsed(
                seat=event.seat,
                special=SPECIAL_WIRE[event.special],
                region=write_region(event.region),
                shape="" if event.shape is None else kit.shapes[event.shape].id,
            )
            return pb.Event(special_used=used)
        case CardDrawn():
            return pb.Event(card_drawn=pb.CardDrawn(seat=event.seat, card=write_drawn(kit, event.card)))
        case CardsDrawn():
            return pb.Event(cards_drawn=pb.CardsDrawn(seat=event.seat, count=event.count))
        case DeckReshuffled():
            return pb.Event(deck_reshuffled=pb.DeckReshuffled())
        case FirstPlayerDrawn():
            return pb.Event(first_player_drawn=pb.FirstPlayerDrawn(seat=event.seat))
        case OpeningYurtPlaced():
            opening = pb.OpeningYurtPlaced(seat=event.seat, cell=CELL_NAMES[event.cell])
            return pb.Event(opening_yurt_placed=opening)
        case TurnBegan():
            return pb.Event(turn_began=pb.TurnBegan(seat=event.seat))
        case DiscardingEnded():
            return pb.Event(discarding_ended=pb.DiscardingEnded(seat=event.seat))
        case ConsentGiven():
            return pb.Event(consent_given=pb.ConsentGiven(seat=event.seat))
        case ConsentRefused():
            return pb.Event(consent_refused=pb.ConsentRefused(seat=event.seat))
        case ActionForfeited():
            return pb.Event(action_forfeited=pb.ActionForfeited(seat=event.seat))
        case SpecialDeclined():
            return pb.Event(special_declined=pb.SpecialDeclined(seat=event.seat))
        case TurnPassed():
            return pb.Event(turn_passed=pb.TurnPassed(seat=event.seat))
        case MatchEnded():
            return pb.Event(match_ended=pb.MatchEnded(points=event.points, winners=event.winners))
        case _:
            assert_never(event)


def decode_events(state: State, data: bytes) -> tuple[Event, ...]:
    """Decode the events of one entry; raises CorruptEvents."""
    message = pb.Events()
    try:
        parse(message, data)
        return tuple(_read(state, event) for event in message.events)
    except UnknownField as fault:
        raise UnknownEvents(str(fault)) from None
    except Garbled as fault:
        raise CorruptEvents(str(fault)) from None


def _read(state: State, message: pb.Event) -> Event:  # noqa: C901 - one short case per kind of event
    kit = state.table.kit
    which = message.WhichOneof("event")
    match which:
        case "card_turned":
            return CardTurned(read_card(kit, message.card_turned.card))
        case "leader_fled":
            fled = message.leader_fled
            return LeaderFled(
                read_leader(kit, fled.leader), read_cell(fled.origin), read_cell(fled.target), fled.from_camp
            )
        case "leader_removed":
            removed = message.leader_removed
            return LeaderRemoved(
                read_leader(kit, removed.leader), read_cell(removed.cell), read_cause(removed.cause)
            )
        case "final_phase_triggered":
            return FinalPhaseTriggered(message.final_phase_triggered.in_actions)
        case "yurt_placed_by_card":
            by_card = message.yurt_placed_by_card
            return YurtPlacedByCard(
                read_seat(state, by_card.seat), read_card(kit, by_card.card), read_cell(by_card.cell)
            )
        case "leader_announced":
            announced = message.leader_announced
            return LeaderAnnounced(read_seat(state, announced.seat), read_leader(kit, announced.leader))
        case "yurt_placed_anywhere":
            anywhere = message.yurt_placed_anywhere
            return YurtPlacedAnywhere(read_seat(state, anywhere.seat), read_cell(anywhere.cell))
        case "card_discarded":
            discarded = message.card_discarded
            return CardDiscarded(read_seat(state, discarded.seat), read_card(kit, discarded.card))
        case "conquest_proposed":
            proposed = message.conquest_proposed
            return ConquestProposed(
                read_seat(state, proposed.seat),
                read_shape(kit, proposed.shape),
                read_set(kit, proposed.cells),
                read_seats(state, proposed.asked),
            )
        case "piece_placed":
            placed = message.piece_placed
            return PiecePlaced(
                read_seat(state, placed.seat),
                read_shape(kit, placed.shape),
                read_set(kit, placed.cells),
                read_seats(state, placed.owners),
            )
        case "special_retired":
            retired = message.special_retired
            return SpecialRetired(read_seat(state, retired.seat), read_special(retired.special))
        case "special_used":
            used = message.special_used
            return SpecialUsed(
                read_seat(state, used.seat),
                read_special(used.special),
                read_region(used.region),
                read_shape(kit, used.shape) if used.shape else None,
            )
        case "card_drawn":
            drawn = message.card_drawn
            return CardDrawn(read_seat(state, drawn.seat), read_drawn(kit, drawn.card))
        case "cards_drawn":
            return CardsDrawn(read_seat(state, message.cards_drawn.seat), message.cards_drawn.count)
        case "deck_reshuffled":
            return DeckReshuffled()
        case "first_player_drawn":
            return FirstPlayerDrawn(read_seat(state, message.first_player_drawn.seat))
        case "opening_yurt_placed":
            opening = message.opening_yurt_placed
            return OpeningYurtPlaced(read_seat(state, opening.seat), read_cell(opening.cell))
        case "turn_began":
            return TurnBegan(read_seat(state, message.turn_began.seat))
        case "discarding_ended":
            return DiscardingEnded(read_seat(state, message.discarding_ended.seat))
        case "consent_given":
            return ConsentGiven(read_seat(state, message.consent_given.seat))
        case "consent_refused":
            return ConsentRefused(read_seat(state, message.consent_refused.seat))
        case "action_forfeited":
            return ActionForfeited(read_seat(state, message.action_forfeited.seat))
        case "special_declined":
            return SpecialDeclined(read_seat(state, message.special_declined.seat))
        case "turn_passed":
            return TurnPassed(read_seat(state, message.turn_passed.seat))
        case "match_ended":
            ended = message.match_ended
            return MatchEnded(tuple(ended.points), read_seats(state, ended.winners))
        case None:
            raise Garbled("event: expected one of the events, found none")
        case _:
            assert_never(which)


def tell_events(data: bytes) -> tuple[str, ...]:
    """Each event as JSON, for people; raises CorruptEvents."""
    message = pb.Events()
    try:
        parse(message, data)
    except Garbled as fault:
        raise CorruptEvents(str(fault)) from None
    return tuple(map(as_json, message.events))
