"""Component files of Zhanguo that print everything otherwise, as far as the rulebook lets them."""

import json
import random
import tomllib
from typing import TypeAlias, cast

from rules.zhanguo.components import ZHG_REFERENCE, read_file, set_tag
from tests.rules.zhanguo.naive_printed import Printed, read_printed
from tests.rules.zhanguo.naive_set import ACTIONS, ASPECTS, OFFICIALS, REGIONS, SECTIONS, SITES

Value: TypeAlias = "str | int | list[Value] | dict[str, Value]"
File: TypeAlias = dict[str, Value]

APART = ("ZHG-WAL-01", "ZHG-WAL-09", "ZHG-WAL-12")
"""Faces that are on three different tiles in the rulebook's example."""
RECURRING = 7
WALL_MANNERS = (("right", True), ("left", True), ("left", False))


def torn_set(chance: random.Random) -> tuple[str, Printed]:
    """A set as a header names it, and as the plain model reads it."""
    file = cast("File", tomllib.loads(ZHG_REFERENCE.data))
    cast("File", file["set"])["id"] = "torn"
    _tear_cards(chance, file)
    _tear_walls(chance, file)
    _tear_board(chance, file)
    _tear_mausoleum(chance, file)
    _tear_start(chance, file)
    _tear_rival(chance, file)
    text = "\n".join(f"{key} = {_inline(value)}" for key, value in file.items())
    tag = set_tag(read_file(text))
    return tag, read_printed(tag, file)


def _inline(value: Value) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_inline(each)}" for key, each in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(_inline(each) for each in value) + "]"
    return json.dumps(value)


def _tables(file: File, name: str) -> list[File]:
    return cast("list[File]", file[name])


def _shuffled(chance: random.Random, words: tuple[str, ...]) -> list[Value]:
    return list(chance.sample(words, len(words)))


def _tear_cards(chance: random.Random, file: File) -> None:
    rows = [row.split(",") for row in cast("list[str]", file["cards"])]
    triggers = chance.sample([row[1] for row in rows], len(rows))
    abilities = chance.sample([row[2:] for row in rows], len(rows))
    file["cards"] = [
        ",".join((row[0], trigger, *ability))
        for row, trigger, ability in zip(rows, triggers, abilities, strict=True)
    ]
    for name in ("alchemist", "master"):
        for table in _tables(file, name):
            table["trigger"] = chance.choice(ACTIONS)
    for table in _tables(file, "emperor"):
        table["triggers"] = list(chance.sample(ACTIONS, chance.randint(1, 3)))


def _tear_walls(chance: random.Random, file: File) -> None:
    tiles = _tables(file, "wall_tile")
    faces = [face for tile in tiles for face in cast("list[str]", tile["faces"]) if face not in APART]
    chance.shuffle(faces)
    pairs = [[face, faces.pop()] for face in APART]
    while faces:
        pairs.append([faces.pop(), faces.pop()])
    chance.shuffle(pairs)
    for tile, pair in zip(tiles, pairs, strict=True):
        tile["faces"] = list(chance.sample(pair, 2))
    side = cast("dict[str, File]", file["side"])
    for name, least in (("p2", (2, 2)), ("p34", (2, 2, 2, 4))):
        side[name]["wall"] = {
            section: [
                [1 + (number + place) % 3 if chance.randrange(2) else chance.randint(1, 3), players]
                for place, players in enumerate(chance.sample(least, len(least)))
            ]
            for number, section in enumerate(SECTIONS)
        }
    few = cast("dict[str, Value]", side["p2"]["wall"])
    few["AL"], few["AR"] = [[1, 2], [2, 2]], [[3, 2], [chance.randint(1, 3), 2]]


def _tear_board(chance: random.Random, file: File) -> None:
    side = cast("dict[str, File]", file["side"])
    side["p2"]["palace_spaces"] = {region: [2] * chance.randint(1, 3) for region in REGIONS}
    side["p34"]["palace_spaces"] = {
        region: [2, *chance.choices((2, 4), k=chance.randint(0, 2))] for region in REGIONS
    }
    length = chance.randint(12, 26)
    master = chance.randint(4, length - 2)
    spaces = [space for space in range(1, length + 1) if space not in (master, master - 1)]
    chance.shuffle(spaces)
    twos = sorted(spaces[: chance.randint(1, 3)])
    ones = sorted([master - 1, *spaces[3 : 3 + chance.randint(1, 5)]])
    values = sorted(chance.sample(range(1, length + 1), 4))
    file["elixir"] = {
        "length": length,
        "one": list(ones),
        "two": list(twos),
        "master": [master],
        "vp": [[space, points] for space, points in zip(values, (1, 3, 4, 7), strict=True)],
    }


def _tear_mausoleum(chance: random.Random, file: File) -> None:
    spots = _tables(file, "mausoleum_spot")
    targets = chance.sample([(spot["kind"], spot["target"]) for spot in spots], len(spots))
    for spot, (kind, target) in zip(spots, targets, strict=True):
        spot["kind"], spot["target"] = kind, target
    for tile in _tables(file, "mausoleum_tile"):
        tile["need"] = _need(chance, str(tile["kind"]))
        points = sorted(chance.sample(range(1, 15), chance.randint(4, 5)), reverse=True)
        least = chance.sample([2, 2, 3, 4, 3], len(points))
        tile["slots"] = [[value, players] for value, players in zip(points, [*least[:-1], 2], strict=True)]
    copies = [chance.randint(0, 3) for _ in range(4)]
    copies.append(15 - sum(copies))
    for tile, count in zip(_tables(file, "palace_tile"), copies, strict=True):
        tile["copies"] = count


NEEDS: dict[str, dict[str, tuple[int, ...]]] = {
    "region": {"governors": (1, 2, 3), "palaces": (1, 2), "cards": (1, 2, 3)},
    "wall": {"walls": (1, 2)},
    "elixir": {"boat_space": (3, 8, 12), "boat_vp": (1, 3, 4), "alchemist_cards": (1, 2, 3)},
}


def _need(chance: random.Random, kind: str) -> dict[str, Value]:
    chosen = chance.sample(sorted(NEEDS[kind]), chance.randint(1, len(NEEDS[kind])))
    return {what: chance.choice(NEEDS[kind][what]) for what in sorted(chosen)}


def _tear_start(chance: random.Random, file: File) -> None:
    for tile in _tables(file, "start_tile"):
        if "official" in tile:
            tile["official"] = chance.choice(OFFICIALS)
        if "tokens" in tile:
            tile["region"] = chance.choice(REGIONS)
            tile["tokens"] = "+".join(chance.choices(ASPECTS, k=2))


def _tear_rival(chance: random.Random, file: File) -> None:
    one_shot = chance.sample(range(1, 25), 8)
    recurring = [number for number in range(1, 25) if number not in one_shot]
    for action in _tables(file, "solo_action"):
        action["one_shot"] = action["n"] in one_shot
        if "boat" in action:
            action["boat"] = chance.randint(1, 8)
        if "regions" in action:
            action["regions"] = _shuffled(chance, REGIONS)[: chance.choice((1, 2, 3, 4, 5, 5, 5, 5))]
        if "large" in action:
            action["tile"], action["large"] = chance.randrange(2) == 1, _shuffled(chance, ASPECTS)
        if "manner" in action and action["n"] != 14:
            action["manner"] = chance.choice(("one_left", "area"))
        if "sites" in action:
            action["sites"], action["first"] = _shuffled(chance, SITES), chance.choice("LR")
            action["slot_from"], action["emperor"] = chance.choice(WALL_MANNERS)
    for level in _tables(file, "lisi"):
        often = chance.randint(RECURRING - 1, 9)
        level["deck"] = list(chance.sample(recurring, often) + chance.sample(one_shot, 9 - often))
        faces = [chance.choice("AB"), chance.choice("CD")]
        level["top"], level["under"] = chance.sample(faces, 2)
        level["order_space"] = chance.randint(1, 2)
        level["boat"], level["unlocked"] = chance.randint(0, 5), chance.randint(0, 4)
