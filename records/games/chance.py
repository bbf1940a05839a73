"""The draws that are due at one state, taken from orders that were shuffled elsewhere."""

from typing import Final

from records.games.candidate import Candidate
from records.games.opaque import OpaqueCodec, OpaqueGame, OpaqueState
from rules.kernel.actors import CHANCE
from rules.kernel.chance import Take


class StateChance:
    """What is to be shuffled at one state, and what is drawn next."""

    __slots__ = ("_codec", "_game", "_state")

    def __init__(self, game: OpaqueGame, codec: OpaqueCodec, state: OpaqueState) -> None:
        self._game: Final = game
        self._codec: Final = codec
        self._state: Final = state

    @property
    def decks(self) -> tuple[str, ...]:
        """The names of everything that is ever shuffled, in the game's order."""
        return self._game.chance.decks

    def due(self) -> tuple[Take, ...]:
        """The places that the next draw takes; none if no draw is due."""
        return self._game.chance.due(self._state)

    def stock(self, deck: str) -> tuple[str, ...]:
        """The names of the components of a deck, in the game's order; valid until the first draw."""
        return self._game.chance.stock(self._state, deck)

    def fits(self, deck: str, order: tuple[str, ...]) -> bool:
        """Whether the rules accept this order of a deck; if not, shuffle again."""
        return self._game.chance.fits(self._state, deck, order)

    def bring(self, components: tuple[str, ...]) -> Candidate:
        """The move of chance that draws these components; raises ValueError if there is none."""
        try:
            move = self._game.chance.bring(self._state, components)
            return Candidate(CHANCE, move, self._codec.encode_move(self._state, move))
        except LookupError as fault:
            raise ValueError(f"the match has no such components: {fault}") from fault
