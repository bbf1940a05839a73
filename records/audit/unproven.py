"""Sealed places that draws have read and no later draw has opened: what a draw says of them is not proven."""

from typing import Final

from records.games.state import GameState
from records.replay.sealed_draws import orders_due
from records.replay.seals import Sealing
from records.verdict import Unjudged

_NOT_PROVEN: Final = "what it shows of a card that lies face down is proven when the card is drawn"


class UnprovenReads:
    """The places that draws have read so far, for their backs, and that are still closed."""

    def __init__(self) -> None:
        self._read: Final[dict[tuple[str, int, int], int]] = {}
        """By deck, number of the order and place, the sequence of the draw that read it."""

    def note_draw(self, before: GameState, sealing: Sealing, sequence: int) -> None:
        """Note the places that a good draw has read or opened."""
        if not self._read and all(take.opened for take in before.chance.due()):
            return
        for due in orders_due(before, sealing):
            for place in due.places:
                key = due.sealed.deck, due.sealed.number, place
                if due.take.opened:
                    self._read.pop(key, None)
                else:
                    self._read[key] = sequence

    def unjudged(self) -> list[Unjudged]:
        """The draws that are not proven in full."""
        return [Unjudged(sequence, _NOT_PROVEN) for sequence in sorted(set(self._read.values()))]
