"""Checks of a component set against what the rulebook's text says, GW-CK-01 to GW-CK-19."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from rules.great_wall.component_effects import effect_faults
from rules.great_wall.component_file import TRANSCRIBED, ComponentFile, GeneralPart, HordePart
from rules.great_wall.components import SETS
from rules.great_wall.kinds import (
    ARMY,
    COLUMNS,
    HAND,
    KINDS,
    LOCATIONS,
    MOST_SEATS,
    PRODUCTION,
    RESOURCES,
    ROWS,
    TRACK_TOKENS,
)
from rules.kernel.setup import ComponentFault, ComponentReport

_COUNTS: Final = {
    "horde": 24,
    "coop_horde": 24,
    "strategy": 6,
    "reed_strategy": 1,
    "solo_strategy": 6,
    "general": 13,
    "coop_general": 8,
    "solo_general": 1,
    "reed_general": 2,
    "advisor": 44,
    "artefact": 5,
    "request": 12,
    "event": 12,
}
_TACTICS: Final = {"tactic": 20, "coop_tactic": 12}
_ID: Final = re.compile(r"[a-z][a-z0-9-]*")
_SHORT_ID: Final = 40
_NOT_IDS: Final = frozenset(("clerk", "left", "centre", "right", *(kind.word for kind in KINDS)))
"""Words of the notation that no card may be called."""
_WALL_COSTS: Final = (5, 10, 15, 0)
_LONGEST_TRACK: Final = 6
_REQUESTS_OUT: Final = 4
_MOST: Final = 99
"""Any printed number."""

Found = Iterator[ComponentFault]


def check_file(text: str) -> ComponentReport:
    """The contents of a component file, and everything that is wrong with it."""
    file = SETS.read(text)
    return ComponentReport(
        name=file.set_id,
        provenance=file.provenance,
        hash=SETS.hash(file),
        tag=SETS.tag(file),
        faults=faults(file),
    )


def faults(file: ComponentFile) -> tuple[ComponentFault, ...]:
    """Everything that is wrong with a set."""
    return tuple(found for check in _CHECKS for found in check(file))


def _fault(number: int, field: str, why: str, *, warning: bool = False) -> ComponentFault:
    return ComponentFault(f"GW-CK-{number:02}", field, why, warning)


def _counts(file: ComponentFile) -> Found:
    for name, count in _COUNTS.items():
        found = len(getattr(file, name))
        if found != count:
            yield _fault(1, name, f"{found} entries; expected {count}")
    for name, ids in _ids(file):
        for number, one in enumerate(ids):
            if not _ID.fullmatch(one) or len(one) > _SHORT_ID or one in _NOT_IDS:
                yield _fault(1, f"{name}[{number}].id", f"{one!r} is no id; expected letters, digits and -")
            elif one in ids[:number]:
                yield _fault(1, f"{name}[{number}].id", f"{one} stands twice")


def _ids(file: ComponentFile) -> Iterator[tuple[str, list[str]]]:
    for name in (*_COUNTS, *_TACTICS):
        yield name, [part.id for part in getattr(file, name)]
    yield "general + coop_general", [part.id for part in file.general + file.coop_general]
    yield "tactic + coop_tactic", [part.id for part in file.tactic + file.coop_tactic]
    yield "strategy + reed_strategy", [part.id for part in file.strategy + file.reed_strategy]
    yield "clans", list(file.clans)


def _names(file: ComponentFile) -> Found:
    players = {card.id for card in file.strategy}
    if {card.id for card in file.solo_strategy} != players:
        yield _fault(2, "solo_strategy", "the names differ from those of the players' cards")
    for name in ("attack-order", "betrayal", "economy", "despotism"):
        if name not in players:
            yield _fault(2, "strategy", f"no card is called {name}")


def _hordes(file: ComponentFile) -> Found:
    for name, deck in (("horde", file.horde), ("coop_horde", file.coop_horde)):
        backs = [card.back for card in deck]
        for section in ("left", "centre", "right"):
            if section not in backs:
                yield _fault(3, name, f"no card has the back {section}")
            elif backs.count(section) != len(deck) // 3:
                yield _fault(3, name, f"{backs.count(section)} cards have the back {section}", warning=True)
        if len(deck) - backs.count("left") < 2:  # noqa: PLR2004 - one for each open section
            yield _fault(3, name, "fewer than 2 cards are left without the left section")
        for number, card in enumerate(deck):
            yield from _grid(f"{name}[{number}]", card)


def _grid(where: str, card: HordePart) -> Found:
    width = len(card.spots[0]) if card.spots else 0
    marks = "".join(card.spots)
    if not 1 <= len(card.spots) <= ROWS or not 1 <= width <= COLUMNS:
        yield _fault(4, f"{where}.spots", f"expected 1 to {ROWS} rows of 1 to {COLUMNS} marks")
    elif any(len(row) != width for row in card.spots):
        yield _fault(4, f"{where}.spots", "its rows differ in length")
    elif not re.fullmatch(r"[.owsgc1-9]*", marks):
        yield _fault(4, f"{where}.spots", "expected the marks . o w s g c and 1 to 9")
    elif not marks.strip("."):
        yield _fault(4, f"{where}.spots", "the card has no spot")
    else:
        if (len(card.spots), width) != (2, 6):
            yield _fault(4, f"{where}.spots", "the grid is not 2 rows by 6 columns", warning=True)
        beside = any(
            card.spots[row][column] != "." and mark != "."
            for row in range(len(card.spots))
            for column in range(width)
            for mark in (
                *card.spots[row][column + 1 : column + 2],
                *(below[column] for below in card.spots[row + 1 : row + 2]),
            )
        )
        if not beside:
            yield _fault(4, f"{where}.spots", "no horseman can attack it: no two spots touch", warning=True)
    if not (0 <= card.power <= _MOST and 0 <= card.reward <= _MOST):
        yield _fault(4, where, f"power and reward are numbers from 0 to {_MOST}")


def _wall(file: ComponentFile) -> Found:
    if [part.level for part in file.wall] != [0, 1, 2, 3]:
        yield _fault(5, "wall", "expected the levels 0, 1, 2 and 3, in this order")
        return
    if tuple(part.next_wsg for part in file.wall) != _WALL_COSTS:
        yield _fault(5, "wall.next_wsg", f"expected {_WALL_COSTS}")
    if tuple(part.honour for part in file.wall) != (0, *_WALL_COSTS[:3]):
        yield _fault(5, "wall.honour", "expected what the level cost")
    defence = [part.defence for part in file.wall]
    if any(one >= other for one, other in pairwise(defence)) or defence[0] < 0:
        yield _fault(5, "wall.defence", "expected rising numbers")
    firing = [part.firing for part in file.wall]
    if firing != sorted(firing) or firing[0] < 0 or firing[-1] > _MOST:
        yield _fault(5, "wall.firing", "expected numbers that never fall")


def _boards(file: ComponentFile) -> Found:
    players = sorted(number for board in file.board for number in board.players)
    if players != [1, 2, 3, 4]:
        yield _fault(6, "board.players", "expected each of 1 to 4 players on one side")
    for number, board in enumerate(file.board):
        where = f"board[{number}]"
        of_example = 3 in board.players  # noqa: PLR2004 - the example of L548 has three colours
        if board.strategy_spaces != MOST_SEATS:
            yield _fault(6, f"{where}.strategy_spaces", f"expected {MOST_SEATS}")
        if sorted(part.id for part in board.location) != sorted(place.word for place in LOCATIONS):
            yield _fault(6, f"{where}.location", "expected the ten locations, once each")
            continue
        for place, part in enumerate(board.location):
            at = f"{where}.location[{place}]"
            if part.id in {"sawmill", "tea-house"} and part.kind != "standard":
                yield _fault(6, f"{at}.kind", f"the {part.id} is standard")
            if (1 <= part.slots <= _MOST) != (part.kind == "standard"):
                yield _fault(6, f"{at}.slots", "a standard location has slots, a special one has none")
            of = next((where.value for where in PRODUCTION if where.word == part.id), None)
            if part.resource != (None if of is None else RESOURCES[of].word):
                yield _fault(6, f"{at}.resource", "expected wood, stone, gold and chi where they are made")
            if len(part.foreman) != (0 if of is None else 3):
                yield _fault(7, f"{at}.foreman", "expected 3 costs where something is made")
            elif any(not 0 <= n <= _MOST for cost in part.foreman for n in cost.values()):
                yield _fault(7, f"{at}.foreman", f"expected amounts from 0 to {_MOST}")
            elif of_example and part.id == "sawmill" and part.foreman[::2] != ({"chi": 2}, {"chi": 4}):
                yield _fault(7, f"{at}.foreman", "level 1 costs 2 chi and level 3 costs 4 chi")


def _time(file: ComponentFile) -> Found:
    for number, board in enumerate(file.board):
        where, slots = f"board[{number}].time", board.time
        if not 3 <= len(slots) <= _LONGEST_TRACK:  # noqa: PLR2004 - a start and two more
            yield _fault(8, where, f"{len(slots)} slots; expected 3 to {_LONGEST_TRACK}")
        deadly = [slot.mortality for slot in slots]
        if any(not 0 <= n <= _MOST for slot in slots for n in (slot.mortality, slot.hordes)):
            yield _fault(8, where, f"expected numbers from 0 to {_MOST}")
        elif deadly != sorted(deadly):
            yield _fault(8, where, "mortality falls", warning=True)
        springs = sum(slot.hordes for slot in slots[1:])
        for seats in board.players:
            yield from _decks(file, seats, where, springs, len(slots) - 1)


def _decks(file: ComponentFile, seats: int, where: str, springs: int, years: int) -> Found:
    closed = seats <= 2  # noqa: PLR2004 - the left section
    start = {1: 2, 2: 2, 3: 3, 4: 4}.get(seats, 0)
    modes = [("horde", file.horde, start + springs)]
    if seats > 1:
        modes.append(("coop_horde", file.coop_horde, seats + 1 + springs + years))
    for name, deck, drawn in modes:
        cards = sum(not (closed and card.back == "left") for card in deck)
        if drawn > cards:
            why = f"with {seats} players {drawn} cards of {name} are drawn, and there are {cards}"
            yield _fault(9, where, why, warning=True)


def _generals(file: ComponentFile) -> Found:
    for name, some in (("general", file.general), ("coop_general", file.general + file.coop_general)):
        values = [general.tea for general in some]
        if len(set(values)) < len(values):
            yield _fault(10, f"{name}.tea", "two generals have one tea value")
    everybody: tuple[GeneralPart, ...] = file.general + file.coop_general
    for number, general in enumerate(everybody):
        if not 0 <= general.tactics <= HAND:
            yield _fault(10, f"general[{number}].tactics", f"expected 0 to {HAND}")
        if any(not 0 <= n <= _MOST for n in (*general.start.values(), general.tea)):
            yield _fault(10, f"general[{number}]", f"expected numbers from 0 to {_MOST}")
    if MOST_SEATS * max((general.tactics for general in everybody), default=0) > _TACTICS["tactic"]:
        yield _fault(10, "general.tactics", "four players could draw more tactics than there are")


def _requests(file: ComponentFile) -> Found:
    out = sum(not request.two_players for request in file.request)
    if out != _REQUESTS_OUT:
        yield _fault(11, "request.two_players", f"{out} are not for two players; expected {_REQUESTS_OUT}")
    for number, request in enumerate(file.request):
        figures = {str(word): n for word, n in request.sacrifice.items()}
        for kind in KINDS:
            if not 0 <= figures.get(kind.word, 0) <= ARMY[kind]:
                yield _fault(12, f"request[{number}].sacrifice", f"a clan has {ARMY[kind]} {kind.word}")
        amounts = (*request.pay.values(), request.honour, *request.needs.values())
        if any(not 0 <= n <= _MOST for n in amounts):
            yield _fault(12, f"request[{number}]", f"expected numbers from 0 to {_MOST}")
        paid = bool(request.pay or request.honour or request.sacrifice)
        if paid == (request.scope == "state") or bool(request.needs) == paid:
            yield _fault(12, f"request[{number}].scope", "a state is needed, anything else is paid")


def _strategies(file: ComponentFile) -> Found:
    for name, cards in (
        ("strategy", file.strategy),
        ("reed_strategy", file.reed_strategy),
        ("solo_strategy", file.solo_strategy),
    ):
        for number, card in enumerate(cards):
            who = [block.who for block in card.blocks]
            if not 2 <= len(who) <= 3 or who[0] != "self" or who.count("others") > 1:  # noqa: PLR2004 - as printed
                why = "expected 2 or 3 blocks, the first for oneself and at most one for others"
                yield _fault(14, f"{name}[{number}].blocks", why)


def _tactics(file: ComponentFile) -> Found:
    for name, count in _TACTICS.items():
        cards: Sequence[object] = getattr(file, name)
        copies = [getattr(card, "copies", 0) for card in cards]
        if sum(copies) != count or any(each < 1 for each in copies):
            yield _fault(15, f"{name}.copies", f"{sum(copies)} cards; expected {count}")
        for number, card in enumerate(cards):
            if not 1 <= getattr(card, "boost_chi", 0) <= _MOST:
                yield _fault(15, f"{name}[{number}].boost_chi", "a boost costs at least 1 chi")


def _known_cards(file: ComponentFile) -> Found:
    for general in file.general:
        ops = [(op.op, op.n, op.per) for op in general.do]
        if general.id == "song-ci" and (general.on, ops) != ("upgrade", [("honour", 2, "assistant")]):
            yield _fault(16, "general.song-ci", "2 honour per assistant on each upgrade (GW-SC-01)")
    for tactic in file.tactic:
        saves = sum(op.n for op in tactic.boosted if op.op == "save")
        if tactic.id == "retreat" and (tactic.window != "losses" or saves < sum(ARMY)):
            yield _fault(16, "tactic.retreat", "boosted it saves all that would die (GW-SC-05)")


def _prices(file: ComponentFile) -> Found:
    if (file.provenance == TRANSCRIBED) != bool(file.transcribed_from):
        yield _fault(17, "transcribed_from", "a transcription says what was transcribed, and only that does")
    if SETS.is_impostor(file):
        yield _fault(17, "set_id", f"{file.set_id} is the name of a shipped set; choose another")
    reference = SETS.find("great-wall-reference-0").prices
    for name in reference.__struct_fields__:
        if getattr(file.prices, name) != getattr(reference, name):
            yield _fault(17, f"prices.{name}", "not as the rulebook has it")
    if not _ID.fullmatch(file.set_id) or len(file.set_id) > _SHORT_ID:
        yield _fault(17, "set_id", "expected small letters, digits and -")
    if len(file.clans) != MOST_SEATS:
        yield _fault(17, "clans", f"{len(file.clans)} clans; expected {MOST_SEATS}")


def _track(file: ComponentFile) -> Found:
    for general in file.solo_general:
        if sorted(general.track) != sorted(token.word for token in TRACK_TOKENS):
            yield _fault(19, "solo_general.track", "expected wood, stone, gold, chi and wound, once each")


_CHECKS: Final[tuple[Callable[[ComponentFile], Iterable[ComponentFault]], ...]] = (
    _counts,
    _names,
    _hordes,
    _wall,
    _boards,
    _time,
    _generals,
    _requests,
    effect_faults,
    _strategies,
    _tactics,
    _known_cards,
    _prices,
    _track,
)
