"""What chance owes a match at one state, taken from an order that somebody else has shuffled."""

from typing import Final

from records.games.candidate import Candidate
from records.games.opaque import OpaqueCodec, OpaqueGame, OpaqueState
from rules.kernel.actors import CHANCE


class StateChance:
    """What is shuffled at one state, and what is drawn next."""

    __slots__ = ("_codec", "_game", "_state")

    def __init__(self, game: OpaqueGame, codec: OpaqueCodec, state: OpaqueState) -> None:
        self._game: Final = game
        self._codec: Final = codec
        self._state: Final = state

    def shuffle(self) -> int:
        """Which shuffle of the match, from 0, the components that are due come from."""
        return self._game.chance.shuffle(self._state)

    def stock(self) -> tuple[str, ...]:
        """What is shuffled, by public names in a stated order; asked before anything is taken from it."""
        return self._game.chance.stock(self._state)

    def fits(self, order: tuple[str, ...]) -> bool:
        """Whether the match can go on with this order; if not, it is shuffled once more."""
        return self._game.chance.fits(self._state, order)

    def places(self, size: int) -> range:
        """Which places of an order of this size are due; none where chance is not awaited."""
        return self._game.chance.places(self._state, size)

    def bring(self, components: tuple[str, ...]) -> Candidate:
        """The move of chance that brings the components of these places; ValueError where none can."""
        try:
            move = self._game.chance.bring(self._state, components)
            return Candidate(CHANCE, move, self._codec.encode_move(self._state, move))
        except LookupError as fault:
            raise ValueError(f"the match has no such components: {fault}") from fault
