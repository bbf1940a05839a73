"""The text of a game, from its language and its position line."""

from collections.abc import Callable
from typing import TypeVar

from msgspec import Struct

from rules.kernel.actors import Actor
from rules.kernel.game import Notation
from rules.kernel.language import Language
from rules.kernel.position import PositionLine

State = TypeVar("State", bound=Struct)
Table = TypeVar("Table")
Move = TypeVar("Move")


def notation(
    table_of: Callable[[State], Table], language: Language[Table, Move], line: PositionLine[State, Table]
) -> Notation[State, Move]:
    """Moves and positions, written and read."""

    def write_move(state: State, actor: Actor, move: Move) -> str:
        return language.write(table_of(state), actor, move)

    def read_move(state: State, text: str) -> tuple[Actor, Move]:
        return language.read(table_of(state), text)

    def write_position(state: State) -> str:
        return line.write(table_of(state), state)

    return Notation(write_move, read_move, write_position, line.read)
