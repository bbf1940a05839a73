"""How positions write what lies on the table."""

import re
from collections.abc import Callable
from typing import Final, Generic, TypeVar, cast

from typing_extensions import override

from rules.great_wall import names as n
from rules.great_wall import state as s
from rules.great_wall.kinds import (
    ALL_CLANS,
    LOCATIONS,
    MOST_SEATS,
    NOBODY,
    PRODUCTION,
    Clan,
    Figures,
    Holdings,
    Horde,
    Kind,
    Location,
)
from rules.great_wall.table import Table
from rules.great_wall.wall import MARKS, Lying, WallSection
from rules.kernel.composite import long_record, record
from rules.kernel.terms import NOTHING, Term
from rules.kernel.text import Word, quoted

Thing = TypeVar("Thing")
_KIND_LETTERS: Final = "sah"
_LETTER_OF: Final = {clan: letter for letter, clan in n.CLAN_LETTERS.items()}
_MOST: Final = 999


class _Spelled(Term[Table, Thing], Generic[Thing]):
    """A noun with a text of its own, which is read as a whole word."""

    def __init__(
        self,
        what: str,
        write: Callable[[Table, Thing], str],
        read: Callable[[Table, Word], Thing],
    ) -> None:
        self.what = what
        self._write: Final = write
        self._read: Final = read

    @override
    def write(self, table: Table, thing: Thing) -> str:
        return self._write(table, thing)

    @override
    def read(self, table: Table, word: Word) -> Thing:
        return self._read(table, word)

    @override
    def holds(self, thing: object) -> bool:
        return thing is not None


def _parts(word: Word) -> list[Word]:
    return [] if word.text == NOTHING else word.split("+") or [word]


def _matched(word: Word, pattern: str, expected: str) -> re.Match[str]:
    found = re.fullmatch(pattern, word.text)
    if found is None:
        raise word.fault(f"{quoted(word.text)}; expected {expected}")
    return found


# Amounts with all their parts, zero or not.


def _full(what: str, letters: str) -> Term[Table, tuple[int, ...]]:
    pattern = "".join(f"{letter}([0-9]{{1,3}})" for letter in letters)
    example = "".join(f"{letter}0" for letter in letters)

    def write(_: Table, amounts: tuple[int, ...]) -> str:
        return "".join(f"{letter}{amount}" for letter, amount in zip(letters, amounts, strict=True))

    def read(_: Table, word: Word) -> tuple[int, ...]:
        return tuple(map(int, _matched(word, pattern, f"{what} such as {example}").groups()))

    return _Spelled(what, write, read)


# The patterns have as many parts as the types.
WARE: Final = cast("Term[Table, tuple[int, int, int]]", _full("amounts", "wsg"))
RESERVE: Final = cast("Term[Table, Figures]", _full("soldiers", _KIND_LETTERS))
RESOURCES: Final = cast("Term[Table, Holdings]", _full("resources", "wsgc"))


# The wall.


def _read_marks(_: Table, word: Word) -> str:
    if not word.text or not set(word.text) <= MARKS:
        raise word.fault(f"{quoted(word.text)}; expected a mark for each spot: {' '.join(sorted(MARKS))}")
    return word.text


MARKED: Final = _Spelled[str]("marks", lambda _, marks: marks, _read_marks)
LYING: Final = record("horde", Lying, n.HORDE, MARKED, joined=":")


def _clan(word: Word, letter: str) -> Clan:
    if letter not in n.CLAN_LETTERS:
        raise word.fault(f"{quoted(letter)} is no clan; expected 1 to 4, r or q")
    return n.CLAN_LETTERS[letter]


def _write_firing(_: Table, firing: tuple[int, ...]) -> str:
    found = [f"{_LETTER_OF[Clan(clan)]}a{count}" for clan, count in enumerate(firing) if count]
    return "+".join(found) or NOTHING


def _read_firing(_: Table, word: Word) -> tuple[int, ...]:
    firing = [0] * ALL_CLANS
    for part in _parts(word):
        found = _matched(part, "(.)a([1-9][0-9]{0,2})", "archers of a clan such as 1a2")
        clan = _clan(part, found[1])
        if firing[clan]:
            raise part.fault(f"{found[1]} stands twice")
        firing[clan] = int(found[2])
    return tuple(firing)


FIRING: Final = _Spelled[tuple[int, ...]]("archers", _write_firing, _read_firing)


def _write_rest(table: Table, rest: tuple[Figures, ...]) -> str:
    found = [f"{seat + 1}{n.FIGURES.write(table, each)}" for seat, each in enumerate(rest) if each != NOBODY]
    return "+".join(found) or NOTHING


def _read_rest(table: Table, word: Word) -> tuple[Figures, ...]:
    rest = [NOBODY] * MOST_SEATS
    for part in _parts(word):
        seat = _matched(Word(part.text[:1], part.column), "[1-4]", "a seat from 1 to 4")[0]
        if rest[int(seat) - 1] != NOBODY:
            raise part.fault(f"{seat} stands twice")
        rest[int(seat) - 1] = n.FIGURES.read(table, Word(part.text[1:], part.column + 1))
    return tuple(rest)


REST: Final = _Spelled[tuple[Figures, ...]]("resting soldiers", _write_rest, _read_rest)
SECTION: Final = record(
    "section", WallSection, n.COUNT, n.COUNT, LYING.several(), FIRING, REST, joined="/"
).or_word("closed")


# Clerks.


def _write_at(_: Table, at: tuple[tuple[int, ...], ...]) -> str:
    found = []
    for location in LOCATIONS:
        clerks = "".join(_LETTER_OF[Clan(clan)] * count for clan, count in enumerate(at[location]))
        if clerks:
            found.append(f"{location.word}:{clerks}")
    return "+".join(found) or NOTHING


def _read_at(table: Table, word: Word) -> tuple[tuple[int, ...], ...]:
    found: dict[Location, tuple[int, ...]] = {}
    for part in _parts(word):
        place, *clerks = part.split(":") or [part]
        location = n.LOCATION.read(table, place)
        if len(clerks) != 1 or location in found:
            raise part.fault("expected each location with its clerks once, such as sawmill:112r")
        counts = [0] * ALL_CLANS
        for letter in clerks[0].text:
            counts[_clan(clerks[0], letter)] += 1
        found[location] = tuple(counts)
    return tuple(found.get(location, (0,) * ALL_CLANS) for location in LOCATIONS)


AT: Final = _Spelled[tuple[tuple[int, ...], ...]]("clerks", _write_at, _read_at)


# Seats.


def _write_foremen(_: Table, foremen: tuple[s.Foreman | None, ...]) -> str:
    found = [
        f"{location.word}{foreman.level}{_KIND_LETTERS[foreman.kind]}"
        for location, foreman in zip(PRODUCTION, foremen, strict=True)
        if foreman is not None
    ]
    return "+".join(found) or NOTHING


def _read_foremen(table: Table, word: Word) -> tuple[s.Foreman | None, ...]:
    found: dict[Location, s.Foreman] = {}
    for part in _parts(word):
        parts = _matched(part, "([a-z-]+)([1-3])([sah])", "a foreman such as sawmill2s")
        location = n.LOCATION.read(table, Word(parts[1], part.column))
        if location in found or location not in PRODUCTION:
            raise part.fault(f"no foreman, or no second one, works at {location.word}")
        found[location] = s.Foreman(int(parts[2]), Kind(_KIND_LETTERS.index(parts[3])))
    return tuple(found.get(location) for location in PRODUCTION)


FOREMEN: Final = _Spelled[tuple[s.Foreman | None, ...]]("foremen", _write_foremen, _read_foremen)


def _write_claimed(table: Table, card: s.Claimed) -> str:
    name = n.HORDE.write(table, card.horde)
    return f"{name}*{card.tokens}" if card.tokens else name


def _read_claimed(table: Table, word: Word) -> s.Claimed:
    name, sign, tokens = word.text.partition("*")
    horde: Horde = n.HORDE.read(table, Word(name, word.column))
    if not sign:
        return s.Claimed(horde, 0)
    count = Word(tokens, word.column + len(name) + 1).whole_number(1, _MOST, "number of tokens")
    return s.Claimed(horde, count)


CLAIMED: Final = _Spelled[s.Claimed]("claimed horde", _write_claimed, _read_claimed).several()
_CLERKS: Final = n.COUNT.several(".", count=2)
_ASSISTANTS: Final = n.ADVISOR.or_unknown().several()
_CARDS: Final = n.STRATEGY.several()
_PLAYER_SHAPE: Final = (
    "GENERAL/ACTIVE/ASSISTANTS/RESOURCES/HONOUR/CLERKS/RESERVE/SHAMED/FOREMEN/STRATEGIES/DISCARDED/TACTICS/"
    "CLAIMED/SACRIFICED"
)


def _write_player(table: Table, player: s.Player) -> str:
    return "/".join(
        (
            n.GENERAL.or_word(NOTHING).write(table, player.general),
            n.ADVISOR.several().write(table, player.active),
            _ASSISTANTS.write(table, player.assistants),
            RESOURCES.or_unknown().write(table, player.resources),
            str(player.honour),
            _CLERKS.write(table, (player.clerks, player.space)),
            RESERVE.write(table, player.reserve),
            n.FIGURES.write(table, player.shamed),
            FOREMEN.write(table, player.foremen),
            _CARDS.write(table, player.strategies),
            _CARDS.write(table, player.discarded),
            n.TACTIC.or_unknown().several().write(table, player.tactics),
            CLAIMED.write(table, player.claimed),
            n.FIGURES.write(table, player.sacrificed),
        )
    )


def _read_player(table: Table, word: Word) -> s.Player:
    parts = word.split("/")
    if len(parts) != len(_PLAYER_SHAPE.split("/")):
        raise word.fault(f"{len(parts)} parts; expected {_PLAYER_SHAPE}")
    clerks, space = _CLERKS.read(table, parts[5])
    return s.Player(
        general=n.GENERAL.or_word(NOTHING).read(table, parts[0]),
        active=n.ADVISOR.several().read(table, parts[1]),
        assistants=_ASSISTANTS.read(table, parts[2]),
        resources=RESOURCES.or_unknown().read(table, parts[3]),
        honour=n.COUNT.read(table, parts[4]),
        clerks=clerks,
        space=space,
        reserve=RESERVE.read(table, parts[6]),
        shamed=n.FIGURES.read(table, parts[7]),
        foremen=FOREMEN.read(table, parts[8]),
        strategies=_CARDS.read(table, parts[9]),
        discarded=_CARDS.read(table, parts[10]),
        tactics=n.TACTIC.or_unknown().several().read(table, parts[11]),
        claimed=CLAIMED.read(table, parts[12]),
        sacrificed=n.FIGURES.read(table, parts[13]),
    )


PLAYER: Final = _Spelled[s.Player]("player", _write_player, _read_player)
QIN: Final[Term[Table, s.Qin]] = long_record(
    "qin",
    s.Qin,
    n.COUNT,
    n.COUNT,
    _ASSISTANTS,
    RESERVE,
    FOREMEN,
    n.QIN_TOKEN.several("."),
    CLAIMED,
    _CARDS,
    joined="/",
)


# Decks and the strategy track.

HORDES: Final = record("horde deck", s.HordeDeck, n.COUNT, n.HORDE.several(), joined="/")
ADVISORS: Final = record(
    "advisor deck", s.AdvisorDeck, n.ADVISOR.several(), n.ADVISOR.several(), n.COUNT, joined="/"
)
TACTICS: Final = record("tactic deck", s.TacticDeck, n.COUNT, n.TACTIC.several(), joined="/")
COOP: Final = record(
    "requests and events",
    s.Coop,
    n.REQUEST.several(),
    n.REQUEST.several(),
    n.EVENT_CARD.several(),
    joined="/",
)
SHUFFLED: Final = record(
    "reshuffles",
    s.Shuffled,
    n.COUNT,
    n.COUNT,
    n.COUNT,
    n.COUNT,
    n.ADVISOR.several(),
    n.TACTIC.several(),
    joined="/",
)
OWED: Final = record("debt", s.Owed, n.SEAT, n.HOLDINGS, joined=":").several()
SAVES: Final = record("free save", s.Saves, n.SEAT, n.COUNT, joined=":").several()
RESULT: Final = record("ending", s.Result, n.ENDING, n.SEAT.several(), joined=":")


def _write_on_track(table: Table, card: s.OnTrack) -> str:
    return f"{card.space}:{n.CLAN.write(table, card.clan)}.{n.STRATEGY.write(table, card.card)}"


def _read_on_track(table: Table, word: Word) -> s.OnTrack:
    parts = word.split(":")
    rest = parts[1].split(".") if len(parts) == 2 else []  # noqa: PLR2004 - a space, then the card
    if len(rest) != 2:  # noqa: PLR2004 - a clan and its card
        raise word.fault(f"{quoted(word.text)}; expected a card on a space such as 1:green.economy")
    clan, card = n.CLAN.read(table, rest[0]), n.STRATEGY.read(table, rest[1])
    return s.OnTrack(n.SPACE.read(table, parts[0]), clan, card)


TRACK: Final = _Spelled[s.OnTrack]("placed card", _write_on_track, _read_on_track).several()


# Secrets: GENERALS/ADVISORS as they were dealt, then after * what was answered; a pick alone.

_GENERALS: Final = n.GENERAL.or_unknown().several(".")
_DEALT_ADVISORS: Final = n.ADVISOR.or_unknown().several(".")


def _write_secrets(table: Table, secrets: tuple[s.SeatSecret, ...]) -> str:
    found = []
    for name, secret in zip(table.names, secrets, strict=True):
        text = ""
        if secret.generals or secret.advisors:
            generals = _GENERALS.write(table, secret.generals)
            text = f"{generals}/{_DEALT_ADVISORS.write(table, secret.advisors)}"
        if secret.general is not None:
            text += f"*{n.CHOSEN_GENERAL.write(table, secret.general)}"
        if secret.active is not None:
            text += f"*{n.CHOSEN_ADVISOR.write(table, secret.active)}"
        if secret.pick is not None:
            text += n.CHOSEN_STRATEGY.write(table, secret.pick)
        if text:
            found.append(f"{name}:{text}")
    return "+".join(found) or NOTHING


def _read_secrets(table: Table, word: Word) -> tuple[s.SeatSecret, ...]:
    found: dict[str, s.SeatSecret] = {}
    for part in _parts(word):
        name, *rest = part.split(":") or [part]
        if name.text not in table.names or name.text in found or len(rest) != 1:
            raise part.fault(f"{quoted(part.text)}; expected NAME:SECRET, each seat once")
        found[name.text] = _read_secret(table, rest[0])
    return tuple(found.get(name, s.SeatSecret()) for name in table.names)


def _read_secret(table: Table, word: Word) -> s.SeatSecret:
    cards, sign, answer = word.text.partition("*")
    dealt = Word(cards, word.column).split("/")
    after = Word(answer, word.column + len(cards) + 1)
    if len(dealt) == 1 and not sign:
        return s.SeatSecret(pick=n.CHOSEN_STRATEGY.read(table, dealt[0]))
    if len(dealt) != 2:  # noqa: PLR2004 - generals and advisors
        raise word.fault(f"{quoted(word.text)}; expected GENERALS/ADVISORS, or a picked card")
    generals, advisors = _GENERALS.read(table, dealt[0]), _DEALT_ADVISORS.read(table, dealt[1])
    return s.SeatSecret(
        generals=generals,
        advisors=advisors,
        general=n.CHOSEN_GENERAL.read(table, after) if sign and generals else None,
        active=n.CHOSEN_ADVISOR.read(table, after) if sign and not generals else None,
    )


SECRETS: Final = _Spelled[tuple[s.SeatSecret, ...]]("secrets", _write_secrets, _read_secrets)
