"""Types of games and codecs that hide the game's own types, so that the same code handles every game."""

from typing import NewType, TypeAlias

from records.codec.shape import Codec
from rules.kernel.game import Game

OpaqueState = NewType("OpaqueState", object)
OpaqueMove = NewType("OpaqueMove", object)
OpaqueEvent = NewType("OpaqueEvent", object)

OpaqueGame: TypeAlias = Game[OpaqueState, OpaqueMove, OpaqueEvent]
OpaqueCodec: TypeAlias = Codec[OpaqueState, OpaqueMove, OpaqueEvent]
