"""Whether anything of a match is hidden from somebody."""

from typing import Final

from records.entry import Concealment, MatchHeader
from records.games.state import GameState

_OPEN: Final = Concealment.OPEN
"""Bound once, as looking up a member of an Enum is slow, and every call to the service asks."""


def has_secrets(header: MatchHeader, state: GameState) -> bool:
    """Whether something of the match is hidden from some viewer; the same for each of its states.

    Everybody sees all of a match that was over when it was imported as a transcript.
    """
    return header.concealment is not _OPEN and state.has_secrets()
