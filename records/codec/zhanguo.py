"""Zhanguo's codec."""

from typing import Final

from shiji.zhanguo.v1 import zhanguo_pb2 as pb

from records.codec.canonical import canonical
from records.codec.derived import Messages, derived
from records.codec.shape import Codec
from rules.zhanguo.events import Event
from rules.zhanguo.moves import Move
from rules.zhanguo.notation import EVENTS, MOVES
from rules.zhanguo.state import State

ZHANGUO_CODEC: Final[Codec[State, Move, Event]] = derived(
    lambda state: state.table,
    MOVES,
    EVENTS,
    Messages(pb.Move, pb.Events),
    state_bytes=canonical(State),
    same_names=lambda table: len(table.names),
)
