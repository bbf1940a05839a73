"""Whether a component set agrees with every count that the rulebook states (ZHG-DAT-01)."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

from rules.kernel.component_sets import FileCheck, found
from rules.kernel.setup import ComponentFault, ComponentReport
from rules.kernel.text import quoted
from rules.zhanguo import annex
from rules.zhanguo.components import (
    ActionCardPart,
    ComponentFile,
    ElixirPart,
    MausoleumTilePart,
    SidePart,
    StartTilePart,
    is_impostor,
    read_file,
    set_hash,
    set_tag,
)
from rules.zhanguo.pieces import (
    ACTIONS,
    ALCHEMISTS,
    ASPECTS,
    EMPEROR_NAMES,
    FACE_NAMES,
    FULL,
    GOVERNORS,
    MAUSOLEUM_NAMES,
    OFFICIALS,
    PALACES,
    REGIONS,
    SECTIONS,
    SITES,
    START_NAMES,
    TARGETS,
    TILE_KINDS,
    UNIFICATION_CARDS,
)
from rules.zhanguo.rulings import LEVELS

_WORDS: Final = {
    "action": frozenset(each.word for each in ACTIONS),
    "aspect": frozenset(each.word for each in ASPECTS),
    "official": frozenset(each.word for each in OFFICIALS),
    "region": frozenset(each.word for each in REGIONS),
    "site": frozenset(each.word for each in SITES),
}
_SECTIONS: Final = tuple(each.word for each in SECTIONS)
_REGIONS: Final = tuple(each.word for each in REGIONS)
_ASPECTS: Final = tuple(each.word for each in ASPECTS)
_SITES: Final = tuple(each.word for each in SITES)
_KINDS: Final = ("region",) * 5 + ("wall",) * 3 + ("elixir",)
_WALL_IDS: Final = tuple(dict.fromkeys(name[:-1] for name in FACE_NAMES.names))
_MOST_PIECES: Final = {
    "region": {"governors": GOVERNORS, "palaces": PALACES, "cards": FULL},
    "wall": {"walls": 2},
}
"""By kind of Mausoleum tile: the most that a seat can have in the region, or on both sections of the site."""
_IN_PLAY: Final = ("ZHG-WAL-09", "ZHG-WAL-01", "ZHG-WAL-12")
"""Faces that the rulebook's scoring example has in play together (L782)."""
_START_KINDS: Final = {annex.OFFICIAL_START: 3, annex.TOKEN_START: 3, **dict.fromkeys(annex.PLAIN_START, 1)}
_SOLO_KINDS: Final = (
    ("unification",) * 5 + ("elixir",) * 4 + ("governor",) * 5 + ("palace",) * 5 + ("wall",) * 5
)
_SOLO_FIELDS: Final = {
    "unification": (),
    "elixir": ("boat",),
    "governor": ("regions", "manner"),
    "palace": ("regions", "tile", "large"),
    "wall": ("sites", "first", "slot_from", "emperor"),
}
"""By kind of Action card: what is printed on it."""
_TWO_RIGHT: Final = 14
"""The Action card that places two governors."""
_PALACE_TILES: Final = 15
_MOST_TOKENS: Final = 13
"""Tokens of an aspect in the box (ZHG-CMP-17)."""
_SET_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,60}")
_MOST: Final = 99
"""No number on a component has more digits."""
_SHOWN: Final = 3
"""Of several faults of one kind, at most this number is reported."""

Found: TypeAlias = Iterator[tuple[str, str]]
"""The field, and why it is wrong."""


def check_file(text: str) -> ComponentReport:
    """What a component file in TOML holds, and everything that is wrong with it."""
    file = read_file(text)
    return ComponentReport(file.set.id, file.set.provenance, set_hash(file), set_tag(file), faults(file))


def faults(file: ComponentFile) -> tuple[ComponentFault, ...]:
    """Every disagreement with the rulebook, check by check."""
    return tuple(found(_CHECKS, file))


def _equal(field: str, stated: Iterable[object], expected: Iterable[object]) -> Found:
    """The same things, each as often, in any order."""
    have, want = Counter(list(stated)), Counter(list(expected))
    for thing in [*(want - have), *(have - want)][: 2 * _SHOWN]:
        if thing in want:
            yield (field, f"{_shown(thing)} is listed {_times(have[thing])}, not {_times(want[thing])}")
        else:
            yield (field, f"{_shown(thing)} is not expected here")


def _in_order(field: str, stated: Iterable[object], expected: Iterable[object]) -> Found:
    """The same things, each as often, in this order."""
    have, want = list(stated), list(expected)
    different = list(_equal(field, have, want))
    yield from different
    if not different and have != want:
        at = next(at for at, thing in enumerate(want) if have[at] != thing)
        yield (f"{field}[{at}]", f"{_shown(have[at])} stands where {_shown(want[at])} is expected")


def _shown(thing: object) -> str:
    return quoted(" ".join(map(str, thing)) if isinstance(thing, tuple) else str(thing))


def _times(count: int) -> str:
    return {0: "nowhere", 1: "once", 2: "twice"}.get(count, f"{count} times")


def _some_of(field: str, stated: tuple[str, ...], kind: str) -> Found:
    """One or more words of a kind, each at most once: an order may stop before the last."""
    if not stated:
        yield (field, f"expected one {kind} or more, in the order printed")
    for word, count in list(Counter(stated).items())[:_SHOWN]:
        yield from _one_of(field, word, kind)
        if count > 1:
            yield (field, f"{_shown(word)} is listed {_times(count)}, not once")


def _one_of(field: str, word: str, kind: str) -> Found:
    if word not in _WORDS[kind]:
        yield (field, f"{quoted(word)} is no {kind}; expected {', '.join(sorted(_WORDS[kind]))}")


def _within(field: str, number: int, least: int, most: int) -> Found:
    if not least <= number <= most:
        yield (field, f"{number} is not from {least} to {most}")


def _set(file: ComponentFile) -> Found:
    if not _SET_ID.fullmatch(file.set.id):
        yield ("set.id", f"{quoted(file.set.id)} is no name: letters, digits, '.', '_' and '-'")
    if is_impostor(file):
        yield ("set.id", f"{file.set.id} is the name of a shipped set with other contents")


def _cards(file: ComponentFile) -> Found:
    rows = [row.split(",") for row in file.cards]
    for at, row in enumerate(rows):
        field = f"cards[{at}]"
        if len(row) != 4:  # noqa: PLR2004 - NUMBER,TRIGGER,ABILITY,ARGUMENT
            yield (field, f"{quoted(file.cards[at])} is not NUMBER,TRIGGER,ABILITY,ARGUMENT")
            return
        yield from _one_of(field, row[1], "action")
        if annex.ability(row[2], row[3]) is None:
            yield (field, f"the annex has no ability {quoted(row[2])} with {quoted(row[3])}")
        elif row[2] == annex.PRINTED_TOKENS:
            for aspect, count in Counter(row[3].split("+")).items():
                if count > _MOST_TOKENS:
                    yield (field, f"{count} tokens of {aspect} are printed, and the box has {_MOST_TOKENS}")
    yield from _in_order("cards", (row[0] for row in rows), map(str, range(1, UNIFICATION_CARDS + 1)))
    for key in sorted(annex.ABILITIES.keys() - {row[2] for row in rows}):
        yield ("cards", f"no card has the ability {key}")
    for word in sorted(_WORDS["action"] - {row[1] for row in rows}):
        yield ("cards", f"no card has the trigger {word}")


def _extra_cards(file: ComponentFile) -> Found:
    for field, cards, effects in (
        ("alchemist", file.alchemist, annex.ALCHEMIST_EFFECTS),
        ("master", file.master, annex.MASTER_EFFECTS),
    ):
        yield from _in_order(f"{field}.effect", (card.effect for card in cards), effects)
        for at, card in enumerate(cards):
            yield from _one_of(f"{field}[{at}].trigger", card.trigger, "action")


def _emperors(file: ComponentFile) -> Found:
    yield from _in_order("emperor.id", (tile.id for tile in file.emperor), EMPEROR_NAMES.names)
    yield from _equal("emperor.site", (tile.site for tile in file.emperor), _SITES * 2)
    for at, tile in enumerate(file.emperor):
        if not tile.triggers or len(set(tile.triggers)) < len(tile.triggers):
            yield (f"emperor[{at}].triggers", "expected one or more actions, each once")
        for word in tile.triggers:
            yield from _one_of(f"emperor[{at}].triggers", word, "action")


def _walls(file: ComponentFile) -> Found:
    yield from _in_order("wall_tile.id", (tile.id for tile in file.wall_tile), _WALL_IDS)
    for at, tile in enumerate(file.wall_tile):
        if len(tile.faces) != 2:  # noqa: PLR2004 - tiles have two faces
            yield (f"wall_tile[{at}].faces", f"a tile has 2 faces, not {len(tile.faces)}")
    faces = [face for tile in file.wall_tile for face in tile.faces]
    yield from _equal("wall_tile.faces", faces, annex.WALL_FACES)
    if sum(bool({*_IN_PLAY} & {*tile.faces}) for tile in file.wall_tile) != len(_IN_PLAY):
        yield ("wall_tile.faces", f"{', '.join(_IN_PLAY)} are on three different tiles (L782)")


def _sides(file: ComponentFile) -> Found:
    for name, side, numbers in (("p2", file.side.p2, (2,)), ("p34", file.side.p34, (3, 4))):
        yield from _equal(f"side.{name}.wall", side.wall, _SECTIONS)
        yield from _equal(f"side.{name}.palace_spaces", side.palace_spaces, _REGIONS)
        for section, slots in side.wall.items():
            for strokes, least in slots:
                yield from _within(f"side.{name}.wall.{section}", strokes, 1, 3)
                yield from _within(f"side.{name}.wall.{section}", least, 2, 4)
        for region, spaces in side.palace_spaces.items():
            for least in spaces:
                yield from _within(f"side.{name}.palace_spaces.{region}", least, 2, 4)
        for players in numbers:
            yield from _usable(f"side.{name}", side, players)
    levels = {strokes for slots in file.side.p2.wall.values() for strokes, _ in slots}
    if levels != {1, 2, 3}:
        yield ("side.p2.wall", "slots of 1, 2 and 3 strokes all occur with two players")


def _usable(field: str, side: SidePart, players: int) -> Found:
    for section, slots in side.wall.items():
        usable = sum(least <= players for _, least in slots)
        if usable != players:
            yield (f"{field}.wall.{section}", f"{usable} slots for {players} players, not {players}")
    spaces = sum(least <= players for row in side.palace_spaces.values() for least in row)
    if spaces > _PALACE_TILES:
        yield (f"{field}.palace_spaces", f"{spaces} spaces for {players} players and {_PALACE_TILES} tiles")


def _elixir(file: ComponentFile) -> Found:
    route = file.elixir
    yield from _within("elixir.length", route.length, 1, _MOST)
    parts = {"one": route.one, "two": route.two, "master": route.master, "vp": [at for at, _ in route.vp]}
    for name, spaces in parts.items():
        for space in spaces:
            yield from _within(f"elixir.{name}", space, 1, route.length)
    symbols = [*route.one, *route.two, *route.master]
    if len(set(symbols)) < len(symbols):
        yield ("elixir", "two symbols are on one space")
    if len(set(parts["vp"])) < len(route.vp):
        yield ("elixir.vp", "two values are on one space")
    if len(route.master) != 1:
        yield ("elixir.master", f"{len(route.master)} symbols of a Master, not 1")
    if not route.two:
        yield ("elixir.two", "expected at least one symbol of two options")
    if not any(at - 2 <= one < at for at in route.master for one in route.one):
        yield ("elixir.one", "no search meets a symbol of one option and then the Master's (L434)")
    values = [value for _, value in sorted(route.vp)]
    if 3 not in values or values != sorted(values) or not all(0 <= value <= _MOST for value in values):  # noqa: PLR2004 - of the scoring example
        yield ("elixir.vp", "the values never decrease, and 3 is one of them (L741)")


def _mausoleum(file: ComponentFile) -> Found:
    places = [(spot.row, spot.col) for spot in file.mausoleum_spot]
    yield from _equal("mausoleum_spot", places, [(row, col) for row in (1, 2, 3) for col in (1, 2, 3)])
    known = [(kind, target.word) for kind, target in zip(_KINDS, TARGETS, strict=True)]
    stated = [(spot.kind, spot.target) for spot in file.mausoleum_spot]
    yield from _equal("mausoleum_spot.target", stated, known)
    ids = [(tile.id, tile.kind) for tile in file.mausoleum_tile]
    yield from _in_order("mausoleum_tile.id", ids, zip(MAUSOLEUM_NAMES.names, _KINDS, strict=True))
    for at, tile in enumerate(file.mausoleum_tile):
        values = [value for value, _ in tile.slots]
        if values != sorted(set(values), reverse=True) or not all(0 < value <= _MOST for value in values):
            yield (f"mausoleum_tile[{at}].slots", "the points decrease from slot to slot")
        for _, least in tile.slots:
            yield from _within(f"mausoleum_tile[{at}].slots", least, 2, 4)
        if not any(least <= 2 for _, least in tile.slots):  # noqa: PLR2004 - the fewest players
            yield (f"mausoleum_tile[{at}].slots", "no slot is for two players")
        yield from _need(f"mausoleum_tile[{at}].need", tile, file.elixir)


def _need(field: str, tile: MausoleumTilePart, route: ElixirPart) -> Found:
    """A condition that somebody can meet on a spot of its kind."""
    most = {
        "boat_space": route.length,
        "boat_vp": max((value for _, value in route.vp), default=0),
        "alchemist_cards": len(ALCHEMISTS) + len(route.master),
        **_MOST_PIECES.get(tile.kind, {}),
    }
    stated = [(name, getattr(tile.need, name)) for name in tile.need.__struct_fields__]
    if not any(count for _, count in stated):
        yield (field, f"{quoted(tile.id)} has no condition")
    for name, count in stated:
        if count and name not in most:
            yield (f"{field}.{name}", f"{quoted(tile.id)} is of the kind {tile.kind}, which has no {name}")
        else:
            yield from _within(f"{field}.{name}", count, 0, most.get(name, 0))


def _tiles(file: ComponentFile) -> Found:
    kinds = [(part.kind, part.arg) for part in file.palace_tile]
    expected = [("ZHG-PAL-01", kind.word) for kind in TILE_KINDS[:-1]] + [("ZHG-PAL-02", "")]
    yield from _equal("palace_tile.kind", kinds, expected)
    for at, part in enumerate(file.palace_tile):
        yield from _within(f"palace_tile[{at}].copies", part.copies, 0, _PALACE_TILES)
    copies = sum(part.copies for part in file.palace_tile)
    if copies != _PALACE_TILES:
        yield ("palace_tile.copies", f"there are {_PALACE_TILES} palace tiles, not {copies}")
    yield from _in_order("start_tile.id", (tile.id for tile in file.start_tile), START_NAMES.names)
    yield from _equal(
        "start_tile.kind",
        (tile.kind for tile in file.start_tile),
        [kind for kind, count in _START_KINDS.items() for _ in range(count)],
    )
    for at, tile in enumerate(file.start_tile):
        printed = {annex.OFFICIAL_START: ("official",), annex.TOKEN_START: ("region", "tokens")}
        yield from _nothing_else(f"start_tile[{at}]", tile, printed.get(tile.kind, ()))
        if tile.kind == annex.OFFICIAL_START:
            yield from _one_of(f"start_tile[{at}].official", tile.official, "official")
        if tile.kind == annex.TOKEN_START:
            yield from _one_of(f"start_tile[{at}].region", tile.region, "region")
            if len(annex.printed_tokens(tile.tokens) or ()) != 2:  # noqa: PLR2004 - L1256
                yield (f"start_tile[{at}].tokens", "expected two tokens, such as writing+laws")


def _li_si(file: ComponentFile) -> Found:
    yield from _in_order("lisi.level", (card.level for card in file.lisi), range(1, len(LEVELS) + 1))
    one_shot = {card.n for card in file.solo_action if card.one_shot}
    for at, card in enumerate(file.lisi):
        deck = set(card.deck)
        if len(card.deck) != 9 or len(deck) != 9 or not deck <= set(range(1, 25)):  # noqa: PLR2004 - ZHG-SOL-03
            yield (f"lisi[{at}].deck", "expected 9 different Action cards of 1 to 24")
        if len(deck - one_shot) < 6:  # noqa: PLR2004 - turns of a round
            yield (f"lisi[{at}].deck", "fewer than 6 cards are left without its one-shot cards")
        if sorted(face in "AB" for face in (card.top, card.under)) != [False, True] or not {
            card.top,
            card.under,
        } <= {*"ABCD"}:
            yield (f"lisi[{at}].top", "expected one face of A and B, and one of C and D")
        yield from _within(f"lisi[{at}].order_space", card.order_space, 1, 2)
        yield from _within(f"lisi[{at}].boat", card.boat, 0, file.elixir.length)
        yield from _within(f"lisi[{at}].unlocked", card.unlocked, 0, 8)


def _action_cards(file: ComponentFile) -> Found:
    kinds = [(card.n, card.kind) for card in file.solo_action]
    different = list(_in_order("solo_action", kinds, enumerate(_SOLO_KINDS, start=1)))
    yield from different
    if not different:
        for at, card in enumerate(file.solo_action):
            yield from _action_card(f"solo_action[{at}]", card, file.elixir.length)


def _nothing_else(field: str, part: StartTilePart | ActionCardPart, printed: tuple[str, ...]) -> Found:
    """Fields that are printed on other kinds alone are left out."""
    defaults = type(part).__struct_defaults__
    names = type(part).__struct_fields__[-len(defaults) :]
    for name, default in zip(names, defaults, strict=True):
        if name not in (*printed, "one_shot") and getattr(part, name) != default:
            yield (f"{field}.{name}", f"{_shown(getattr(part, name))} is not printed on the kind {part.kind}")


def _action_card(field: str, card: ActionCardPart, spaces: int) -> Found:
    yield from _nothing_else(field, card, _SOLO_FIELDS[card.kind])
    if card.kind == "elixir":
        yield from _within(f"{field}.boat", card.boat, 1, spaces)
    if card.kind in {"governor", "palace"}:
        yield from _some_of(f"{field}.regions", card.regions, "region")
    if card.kind == "governor" and (
        card.manner not in {"one_left", "two_right", "area"}
        or (card.manner == "two_right") != (card.n == _TWO_RIGHT)
    ):
        yield (f"{field}.manner", "expected one_left or area, and two_right for card 14 alone")
    if card.kind == "palace":
        yield from _equal(f"{field}.large", card.large, _ASPECTS)
    if card.kind == "wall":
        yield from _equal(f"{field}.sites", card.sites, _SITES)
        if card.first not in {"L", "R"} or card.slot_from not in {"left", "right"}:
            yield (f"{field}.first", "expected L or R, and a slot from left or right")


def _readers(file: ComponentFile) -> Found:
    if not file.invented and not (file.set.transcribed_by and file.set.checked_by):
        yield ("set.checked_by", "a transcription names its author and a second reader")


_CHECKS: Final = (
    FileCheck("ZHG-DAT-01", _set),
    FileCheck("ZHG-DAT-01", _cards),
    FileCheck("ZHG-DAT-01", _extra_cards),
    FileCheck("ZHG-DAT-01", _emperors),
    FileCheck("ZHG-DAT-01", _walls),
    FileCheck("ZHG-DAT-01", _sides),
    FileCheck("ZHG-DAT-01", _elixir),
    FileCheck("ZHG-DAT-01", _mausoleum),
    FileCheck("ZHG-DAT-01", _tiles),
    FileCheck("ZHG-DAT-01", _li_si),
    FileCheck("ZHG-DAT-01", _action_cards),
    FileCheck("ZHG-DAT-02", _readers, warning=True),
)
