"""Set-ups that a game allows, found by trying: editions, components, seat counts, draws and rulings."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, TypeVar

from rules.kernel.edition import UnknownRuling
from rules.kernel.game import Game
from rules.kernel.setup import BadSetup, Draws, Setup
from rules.kernel.text import Unreadable

State = TypeVar("State")
Move = TypeVar("Move")
Event = TypeVar("Event")

MOST_SEATS: Final = 8
"""Seats that are tried at most."""

SEAT_NAMES: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight")
_COLOURS: Final = ("green", "red", "blue", "white", "black", "yellow", "violet", "brown")
_NAMES: Final = (SEAT_NAMES, _COLOURS)
"""Names of seats that are tried: some games take only colours."""


def setups_of(game: Game[State, Move, Event], further: Sequence[Setup] = ()) -> tuple[Setup, ...]:
    """Set-ups with the default rulings: one for each edition, component set, seat count and kind of draws.

    Further ones that the game itself names come first. Raises BadSetup if the game allows none.
    """
    found = (*further, *_allowed(game))
    if not found:
        raise BadSetup("seats", f"{game.about.title} allows no match of 1 to {MOST_SEATS} seats")
    return found


def _allowed(game: Game[State, Move, Event]) -> Iterator[Setup]:
    for edition in game.about.editions:
        for components in [known.name for known in game.about.components] or [""]:
            for count in range(1, MOST_SEATS + 1):
                for draws in Draws:
                    tried = [Setup(edition.key, names[:count], components, draws) for names in _NAMES]
                    yield from [setup for setup in tried if allows(game, setup)][:1]


def allows(game: Game[State, Move, Event], setup: Setup) -> bool:
    """Whether a match can be started with this setup."""
    try:
        game.start(setup)
    except (BadSetup, UnknownRuling, Unreadable):
        return False
    return True


def with_rulings(game: Game[State, Move, Event], setup: Setup, chance: random.Random) -> Setup:
    """The setup with rulings by chance: the defaults half of the time."""
    if chance.randrange(2):
        return setup
    chosen = []
    for ruling in sorted(game.about.rulings, key=lambda ruling: ruling.name):
        value = chance.choice(ruling.offered) if ruling.switchable else ruling.default
        if value != ruling.default:
            chosen.append((ruling.name, value))
    other = replace(setup, rulings=tuple(chosen))
    return other if allows(game, other) else setup
