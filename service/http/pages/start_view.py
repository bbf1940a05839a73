"""What the page to start a match offers: the games, and what can be chosen of one."""

from msgspec import Struct

from records.games.registry import GAMES, UnknownGame, find_game
from rules.kernel.game import About
from service.authorization import Caller, require_recorder
from service.errors import bad_field
from service.resources import Resources

_USUAL_NAMES = ("east", "south", "west", "north")
"""Names of seats that the page suggests: no colours, as those of the games differ."""


class OfferedValue(Struct, frozen=True):
    """One answer to a question about the match."""

    value: str
    text: str


class OfferedChoice(Struct, frozen=True):
    """An option of the rulebook or a question that it leaves open; the first value is the default."""

    name: str
    text: str
    values: tuple[OfferedValue, ...]


class OfferedEdition(Struct, frozen=True):
    """An edition that a match can be played by."""

    key: str
    title: str
    seats: tuple[int, ...]
    """The numbers of seats; none if they are not stated."""


class OfferedGame(Struct, frozen=True):
    """A game, and what can be chosen before a match of it."""

    key: str
    title: str
    editions: tuple[OfferedEdition, ...]
    """The usual one comes first."""
    components: tuple[str, ...]
    options: tuple[OfferedChoice, ...]
    rulings: tuple[OfferedChoice, ...]
    names: tuple[str, ...]
    """A name for each seat that there can be; empty for those that may be left out."""


class StartView(Struct, frozen=True):
    """The page to start a match, in values."""

    games: tuple[tuple[str, str], ...]
    """Keys and titles."""
    game: OfferedGame | None
    """The one that was chosen."""


async def start_view(_: Resources, caller: Caller, *, game: str) -> StartView:
    """The games, and what can be chosen of this one; raises CallError."""
    require_recorder(caller)
    games = tuple((each.about.key, each.about.title) for each in GAMES)
    if not game:
        return StartView(games, None)
    try:
        return StartView(games, _offered(find_game(game).about))
    except UnknownGame as fault:
        raise bad_field("game", str(fault)) from None


def _offered(about: About) -> OfferedGame:
    editions = tuple(OfferedEdition(each.key, each.title, each.seats) for each in reversed(about.editions))
    numbers = [number for each in editions for number in each.seats] or [len(_USUAL_NAMES)]
    least = min((number for number in editions[0].seats if number > 1), default=2)
    names = [f"seat-{number + 1}" for number in range(max(numbers))]
    names[: len(_USUAL_NAMES)] = _USUAL_NAMES[: len(names)]
    return OfferedGame(
        about.key,
        about.title,
        editions,
        tuple(each.name for each in about.components),
        tuple(
            OfferedChoice(
                each.name, each.text, tuple(OfferedValue(value.value, value.text) for value in each.values)
            )
            for each in about.options
        ),
        tuple(
            OfferedChoice(
                each.name,
                each.question,
                tuple(OfferedValue(value.value, value.text) for value in each.readings if value.offered),
            )
            for each in about.rulings
            if each.switchable
        ),
        tuple(name if number < least else "" for number, name in enumerate(names)),
    )
