"""Set-ups that a game allows, found by trying: editions, components, seat counts, options and rulings."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeVar

from rules.kernel.edition import EditionKey, Option, Ruling, UnknownOption, UnknownRuling
from rules.kernel.game import Game
from rules.kernel.setup import BadSetup, Draws, Setup
from rules.kernel.text import Unreadable

State = TypeVar("State")
Move = TypeVar("Move")
Event = TypeVar("Event")

MOST_SEATS: Final = 8
"""Maximum seats that are tried."""

SEAT_NAMES: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight")
"""Names of seats where nobody gives any; the largest games of Shiji have four seats."""

_COLOURS: Final = ("green", "red", "blue", "white", "black", "yellow", "violet", "brown")
_NAMES: Final = (SEAT_NAMES, _COLOURS)
"""Names of seats that are tried: some games take only colours."""


def setups_of(game: Game[State, Move, Event], further: Sequence[Setup] = ()) -> tuple[Setup, ...]:
    """Set-ups with default options and rulings: every edition, component set, seat count and kind of draws.

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


def usual_components(game: Game[State, Move, Event]) -> str:
    """The component set of a match for which nobody names one: the first of the game."""
    return next((known.name for known in game.about.components), "")


def usual_seat_count(game: Game[State, Move, Event], edition: EditionKey) -> int:
    """The fewest seats of a match of this edition, one only if no more are allowed; 2 if none is found."""
    counts = {len(setup.seats) for setup in setups_of(game) if setup.edition == edition}
    return min(counts, key=lambda count: (count == 1, count), default=2)


def allows(game: Game[State, Move, Event], setup: Setup) -> bool:
    """Whether a match can be started with this setup."""
    try:
        game.start(setup)
    except (BadSetup, UnknownOption, UnknownRuling, Unreadable):
        return False
    return True


def varied(game: Game[State, Move, Event], setup: Setup, chance: random.Random) -> Setup:
    """The setup with options and rulings by chance; with the defaults half of the time."""
    if chance.randrange(2):
        return setup
    about = game.about
    options = _chosen(about.options, dict(setup.options), chance)
    rulings = _chosen([each for each in about.rulings if each.switchable], dict(setup.rulings), chance)
    for other in (replace(setup, options=options, rulings=rulings), replace(setup, rulings=rulings)):
        if allows(game, other):
            return other
    return setup


def _chosen(
    known: Sequence[Option] | Sequence[Ruling], given: Mapping[str, str], chance: random.Random
) -> tuple[tuple[str, str], ...]:
    """Values that differ from the default, by name; what is given stays."""
    chosen = {each.name: given.get(each.name) or chance.choice(each.offered) for each in known}
    return tuple(
        sorted((each.name, chosen[each.name]) for each in known if chosen[each.name] != each.default)
    )
