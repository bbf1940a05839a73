"""Types of games and codecs that hide the game's own types, so that the same code handles every game."""

from typing import NewType, TypeAlias

from msgspec import Struct

from records.codec.shape import Codec
from rules.kernel.game import Game
from rules.kernel.plugin import Plugin

OpaqueState = NewType("OpaqueState", object)
OpaqueMove = NewType("OpaqueMove", object)
OpaqueEvent = NewType("OpaqueEvent", object)

OpaqueGame: TypeAlias = Game[OpaqueState, OpaqueMove, OpaqueEvent]
OpaqueCodec: TypeAlias = Codec[OpaqueState, OpaqueMove, OpaqueEvent]


class OpaqueStruct(Struct):
    """The state of a game that is built with the kit; never instantiated."""


OpaquePlugin: TypeAlias = Plugin[OpaqueStruct, object, OpaqueMove, OpaqueEvent]
