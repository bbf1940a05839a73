"""Protobuf codec for Khan's moves; the codec of the game."""

from typing import Final, assert_never

from shiji.khan.v1 import khan_pb2 as pb

from records.codec.khan_events import decode_events, encode_events, tell_events
from records.codec.khan_state import state_bytes
from records.codec.khan_words import (
    CELL_NAMES,
    read_card,
    read_cell,
    read_cells,
    read_drawn,
    read_leader,
    read_region,
    read_seat,
    read_shape,
    write_drawn,
    write_region,
)
from records.codec.shape import Codec, CorruptMove
from records.codec.wire import Garbled, parse
from rules.khan.moves import (
    Agree,
    Chase,
    Conquer,
    Discard,
    DrawCard,
    DrawFirstPlayer,
    Explore,
    Finish,
    Invade,
    InvadeAnywhere,
    InvokeProtection,
    InvokeSupport,
    Move,
    Pass,
    PlaceYurt,
    RaiseMorale,
    Refuse,
    TurnCard,
)
from rules.khan.state import State


def encode_move(state: State, move: Move) -> bytes:
    """Encode a move."""
    return _write_move(state, move).SerializeToString(deterministic=True)


def _write_move(state: State, move: Move) -> pb.Move:  # noqa: C901 - one short case per kind of move
    kit = state.table.kit
    match move:
        case DrawFirstPlayer():
            return pb.Move(draw_first_player=pb.DrawFirstPlayer(seat=move.seat))
        case TurnCard():
            return pb.Move(turn_card=pb.TurnCard(card=kit.card_names[move.card]))
        case DrawCard():
            return pb.Move(draw_card=pb.DrawCard(card=write_drawn(kit, move.card)))
        case PlaceYurt():
            return pb.Move(place_yurt=pb.PlaceYurt(cell=CELL_NAMES[move.cell]))
        case Invade():
            card = kit.card_names[move.card]
            return pb.Move(invade=pb.Invade(cell=CELL_NAMES[move.cell], card=card))
        case Chase():
            return pb.Move(chase=pb.Chase(leader=kit.leaders[move.leader].id))
        case Conquer():
            cells = [CELL_NAMES[cell] for cell in move.cells]
            return pb.Move(conquer=pb.Conquer(shape=kit.shapes[move.shape].id, cells=cells))
        case InvadeAnywhere():
            return pb.Move(invade_anywhere=pb.InvadeAnywhere(cell=CELL_NAMES[move.cell]))
        case Discard():
            return pb.Move(discard=pb.Discard(card=kit.card_names[move.card]))
        case Finish():
            return pb.Move(finish=pb.Finish())
        case RaiseMorale():
            return pb.Move(raise_morale=pb.RaiseMorale())
        case InvokeProtection():
            return pb.Move(invoke_protection=pb.InvokeProtection())
        case InvokeSupport():
            return pb.Move(invoke_support=pb.InvokeSupport(region=write_region(move.region)))
        case Explore():
            return pb.Move(explore=pb.Explore(shape=kit.shapes[move.shape].id))
        case Agree():
            return pb.Move(agree=pb.Agree())
        case Refuse():
            return pb.Move(refuse=pb.Refuse())
        case Pass():
            return pb.Move(pass_turn=pb.Pass())
        case _:
            assert_never(move)


def decode_move(state: State, data: bytes) -> Move:
    """Decode a move; raises CorruptMove."""
    message = pb.Move()
    try:
        parse(message, data)
        return _read_move(state, message)
    except Garbled as fault:
        raise CorruptMove(str(fault)) from None


def _read_move(state: State, message: pb.Move) -> Move:  # noqa: C901 - one short case per kind of move
    kit = state.table.kit
    which = message.WhichOneof("move")
    match which:
        case "draw_first_player":
            return DrawFirstPlayer(read_seat(state, message.draw_first_player.seat))
        case "turn_card":
            return TurnCard(read_card(kit, message.turn_card.card))
        case "draw_card":
            return DrawCard(read_drawn(kit, message.draw_card.card))
        case "place_yurt":
            return PlaceYurt(read_cell(message.place_yurt.cell))
        case "invade":
            return Invade(read_cell(message.invade.cell), read_card(kit, message.invade.card))
        case "chase":
            return Chase(read_leader(kit, message.chase.leader))
        case "conquer":
            return Conquer(read_shape(kit, message.conquer.shape), read_cells(message.conquer.cells))
        case "invade_anywhere":
            return InvadeAnywhere(read_cell(message.invade_anywhere.cell))
        case "discard":
            return Discard(read_card(kit, message.discard.card))
        case "finish":
            return Finish()
        case "raise_morale":
            return RaiseMorale()
        case "invoke_protection":
            return InvokeProtection()
        case "invoke_support":
            return InvokeSupport(read_region(message.invoke_support.region))
        case "explore":
            return Explore(read_shape(kit, message.explore.shape))
        case "agree":
            return Agree()
        case "refuse":
            return Refuse()
        case "pass_turn":
            return Pass()
        case None:
            raise Garbled("move: expected one of the moves, found none")
        case _:
            assert_never(which)


KHAN_CODEC: Final = Codec(encode_move, decode_move, encode_events, decode_events, tell_events, state_bytes)
