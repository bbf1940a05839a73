"""The Great Wall's codec."""

from typing import Final

from shiji.great_wall.v1 import great_wall_pb2 as pb

from records.codec.canonical import canonical
from records.codec.derived import Messages, derived
from records.codec.shape import Codec
from rules.great_wall.events import Event
from rules.great_wall.moves import Move
from rules.great_wall.notation import EVENTS, MOVES
from rules.great_wall.state import State

GREAT_WALL_CODEC: Final[Codec[State, Move, Event]] = derived(
    lambda state: state.table,
    MOVES,
    EVENTS,
    Messages(pb.Move, pb.Events),
    state_bytes=canonical(State),
    same_names=lambda table: (table.parts, table.names),
)
