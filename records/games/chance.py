"""The draws that are due at one state, taken from an order that was shuffled elsewhere."""

from typing import Final

from records.games.candidate import Candidate
from records.games.opaque import OpaqueCodec, OpaqueGame, OpaqueState
from rules.kernel.actors import CHANCE


class StateChance:
    """What is to be shuffled at one state, and what is drawn next."""

    __slots__ = ("_codec", "_game", "_state")

    def __init__(self, game: OpaqueGame, codec: OpaqueCodec, state: OpaqueState) -> None:
        self._game: Final = game
        self._codec: Final = codec
        self._state: Final = state

    def shuffle(self) -> int:
        """The number of the shuffle, from 0, that the next draw comes from."""
        return self._game.chance.shuffle(self._state)

    def stock(self) -> tuple[str, ...]:
        """The names of the components to shuffle, in the game's order; valid until the first draw."""
        return self._game.chance.stock(self._state)

    def fits(self, order: tuple[str, ...]) -> bool:
        """Whether the rules accept this order; if not, shuffle again."""
        return self._game.chance.fits(self._state, order)

    def places(self, size: int) -> range:
        """The places of an order of this size that are drawn next; empty if no draw is due."""
        return self._game.chance.places(self._state, size)

    def bring(self, components: tuple[str, ...]) -> Candidate:
        """The move of chance that draws these components; raises ValueError if there is none."""
        try:
            move = self._game.chance.bring(self._state, components)
            return Candidate(CHANCE, move, self._codec.encode_move(self._state, move))
        except LookupError as fault:
            raise ValueError(f"the match has no such components: {fault}") from fault
