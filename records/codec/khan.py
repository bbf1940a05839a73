"""Khan's codec."""

from typing import Final

from shiji.khan.v1 import khan_pb2 as pb

from records.codec.derived import Messages, derived
from records.codec.khan_state import state_bytes
from records.codec.shape import Codec
from rules.khan.events import Event
from rules.khan.moves import Move
from rules.khan.notation import EVENTS, MOVES
from rules.khan.state import State

KHAN_CODEC: Final[Codec[State, Move, Event]] = derived(
    lambda state: state.table,
    MOVES,
    EVENTS,
    Messages(pb.Move, pb.Events),
    state_bytes=state_bytes,
    same_names=lambda table: (table.parts, len(table.names)),
)
