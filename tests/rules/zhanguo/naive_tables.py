"""Positions of plain matches of Zhanguo for tests: dealt tables on which nothing has happened yet."""

from collections.abc import Iterable

from tests.rules.zhanguo.naive import Naive
from tests.rules.zhanguo.naive_course import SIX
from tests.rules.zhanguo.naive_line import OFFICIAL_LETTERS
from tests.rules.zhanguo.naive_set import REGIONS
from tests.rules.zhanguo.naive_table import RIVAL, Player

NAMES = ("green", "violet", "amber", "white")
GREEN, VIOLET, AMBER, WHITE = range(4)


def dealt(seats: int = 3, *, recorded: bool = False, **settings: str) -> Naive:
    """Everything is dealt, the first of each stock, and green plays in round 1 from an unknown hand."""
    given = {name.replace("_", "-"): value for name, value in settings.items()}
    names = [NAMES[0], RIVAL] if "rival" in given else NAMES[:seats]
    match = Naive(names, given, recorded=recorded)
    while match.top[0] in ("first", "deal"):
        match.play(None, match.legal(None)[0])
    if match.rival is None:
        match.players = [Player(name) for name in names]
    match.start = {}
    match.track = list(range(len(names)))
    return in_round(match, 1)


def in_round(match: Naive, number: int, base: str = "play:1") -> Naive:
    """In this round, with full hands if a card is to be played."""
    match.round = number
    match.stack = [base.split(":")]
    match.deck = list(SIX) if match.rival is not None else []
    for seat, player in enumerate(match.players):
        player.hand = [letter + "?" for letter in SIX] if base == "play:1" and seat != match.rival else []
    return match


def put(match: Naive, where: str, *cards: str, has: str = "", workers: int = 0, unrest: int = 0) -> None:
    """Lay out a region, `chu`, or that of another seat, `violet chu`; officials by their letters."""
    *name, region = where.split()
    seat = NAMES.index(name[0]) if name else GREEN
    column = match.players[seat].board[region]
    column.cards = list(cards)
    column.officials = {official: has.count(letter) for letter, official in OFFICIAL_LETTERS.items()}
    column.workers, column.unrest = workers, unrest


def tokens(match: Naive, seat: int, small: Iterable[int], large: Iterable[str] = ()) -> None:
    """Writing, currency and laws."""
    player = match.players[seat]
    player.tokens = dict(zip(player.tokens, small, strict=True))
    player.large = list(large)


def play(match: Naive, seat: int, *moves: str) -> None:
    """These moves of one seat's."""
    for move in moves:
        match.play(seat, move)


def unrest(match: Naive, seat: int = GREEN) -> list[int]:
    return [match.players[seat].board[region].unrest for region in REGIONS]


def workers(match: Naive, seat: int = GREEN) -> list[int]:
    return [match.players[seat].board[region].workers for region in REGIONS]
