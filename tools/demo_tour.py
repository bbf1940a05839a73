"""What the tour of `shiji demo` plays: Qin as the page shows it, or any other game that is installed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import click
from shiji.client import Chance, Client, Match, MatchOptions

from records.games.registry import UnknownGame, find_game
from rules.kernel.edition import EditionKey, UnknownEdition, UnknownOption
from rules.kernel.setup import BadSetup, Draws, Setup
from tools.demo_players import Players, QinPlayers
from tools.laws.setups import setups_of, usual_components, usual_seat_count

QIN: Final = "qin"

_NAMES: Final = ("green", "violet", "white", "black", "red", "blue", "yellow", "brown")
"""Names of the seats, in seat order."""


@dataclass(frozen=True, slots=True)
class Tour:
    """A match to play, and the titles of the steps that depend on it."""

    game: str
    seats: tuple[str, ...]
    options: MatchOptions
    players: Callable[[Client, Match, int], Players]
    begins: str
    plays: str
    tries: str
    tampers: str


def tour_of(key: str, seats: int | None, edition: str | None, options: Sequence[tuple[str, str]]) -> Tour:
    """The tour of a game; raises click.BadParameter if it is unknown or allows no such match."""
    try:
        game = find_game(key)
    except UnknownGame as fault:
        raise click.BadParameter(str(fault), param_hint="'--game'") from None
    if key == QIN and seats in {None, 2} and edition is None and not options:
        return _QIN
    chosen = EditionKey(edition or game.about.editions[-1].key)
    allowed = [setup for setup in setups_of(game.game) if setup.edition == chosen]
    count = seats or usual_seat_count(game.game, chosen)
    draws = [setup.draws for setup in allowed if len(setup.seats) == count]
    recorded = Draws.RECORDED in draws or not draws
    components = usual_components(game.game)
    try:
        game.start(
            Setup(
                chosen,
                _NAMES[:count],
                components,
                Draws.RECORDED if recorded else Draws.UNRECORDED,
                options=tuple(options),
            )
        )
    except BadSetup as fault:
        hints = {"seats": "'--seats'", "options": "'--option'"}
        raise click.BadParameter(str(fault), param_hint=hints.get(fault.field, "'--game'")) from None
    except UnknownEdition as fault:
        raise click.BadParameter(str(fault), param_hint="'--edition'") from None
    except UnknownOption as fault:
        raise click.BadParameter(str(fault), param_hint="'--option'") from None
    given = MatchOptions(chance=Chance.RECORDED if recorded else Chance.UNRECORDED)
    if edition is not None:
        given["edition"] = edition
    if options:
        given["options"] = tuple(options)
    return Tour(
        key,
        _NAMES[:count],
        given,
        Players,
        f"An app starts a match of {game.about.title}",
        "Everybody plays at random",
        "tries a move that is not legal and is refused; the verdict cites the rule",
        "one move is attributed to somebody else",
    )


_QIN: Final = Tour(
    QIN,
    _NAMES[:2],
    MatchOptions(chance=Chance.RECORDED),
    QinPlayers,
    "An app starts a match of Qin, in which every tile drawn is recorded",
    f"{_NAMES[0]} compares several moves before each turn, {_NAMES[1]} plays at random",
    "places a tile on another one and is refused; the verdict cites the rule",
    "one move is attributed to the other player",
)
