"""What a set of components prints, for a plain match of Zhanguo: the reference set, or one from a file."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from tests.rules.zhanguo import naive_set as ref

Table = Mapping[str, object]
Slots = tuple[tuple[int, int], ...]
"""Strokes or points, and the smallest number of players."""

ABILITIES = {
    "ZHG-ABL-01": "boat 1",
    "ZHG-ABL-02": "recruit {} here 1",
    "ZHG-ABL-03": "workers 1 must",
    "ZHG-ABL-04": "officials 2",
    "ZHG-ABL-05": "calm 1",
    "ZHG-ABL-06": "take 1",
    "ZHG-ABL-07": "vp 1 alchemist_card",
    "ZHG-ABL-08": "vp 1 {}",
    "ZHG-ABL-09": "unrest here; tokens {}",
    "ZHG-ABL-10": "unrest here; hire here 1",
    "ZHG-ABL-11": "unrest here; vp 1 {}",
}
FACES = (
    *("architect", "alchemist", "general", "worker", "pair", "set4", "palace", "governor"),
    *("writing", "currency", "laws", "alchemist_card", "calm", "order"),
)
"""ZHG-WAL-01 to -14."""
STARTS = {
    "ZHG-STA-01": "recruit {official} chu 1",
    "ZHG-STA-02": "unrest {region}; tokens {tokens}",
    "ZHG-STA-03": ref.START["S7"],
    "ZHG-STA-04": ref.START["S8"],
    "ZHG-STA-05": ref.START["S9"],
    "ZHG-STA-06": ref.START["S10"],
}


@dataclass(frozen=True)
class Printed:
    """Everything that a set of components may print in its own way."""

    name: str
    trigger: Mapping[str, str]
    ability: Mapping[str, str]
    emperors: Mapping[str, tuple[str, tuple[str, ...]]]
    faces: Mapping[str, tuple[str, tuple[int, int, int]]]
    wall_slots: Mapping[int, Mapping[str, Slots]]
    palace_spaces: Mapping[int, Mapping[str, int]]
    """How many there are, by number of players and region."""
    boat_end: int
    one: tuple[int, ...]
    two: tuple[int, ...]
    master: tuple[int, ...]
    boat_vp: Mapping[int, int]
    targets: tuple[str, ...]
    needs: Mapping[str, Mapping[str, int]]
    slots: Mapping[str, Slots]
    copies: Mapping[str, int]
    start: Mapping[str, str]
    one_shot: tuple[int, ...]
    rival_boat: Mapping[int, int]
    rival_governor: Mapping[int, tuple[tuple[str, ...], str]]
    rival_palace: Mapping[int, tuple[tuple[str, ...], bool, tuple[str, ...]]]
    rival_wall: Mapping[int, tuple[tuple[str, ...], str, str, bool]]
    rival_deck: Mapping[int, tuple[int, ...]]
    rival_faces: Mapping[int, tuple[str, str]]
    rival_order: Mapping[int, int]
    rival_boat_at: Mapping[int, int]
    rival_unlocked: Mapping[int, int]

    def boat_points(self, space: int) -> int:
        """The highest value that a boat on this space has reached."""
        return max((points for at, points in self.boat_vp.items() if at <= space), default=0)


REFERENCE = Printed(
    ref.SET_NAME,
    ref.TRIGGER,
    ref.ABILITY,
    ref.EMPERORS,
    ref.FACES,
    ref.WALL_SLOTS,
    {seats: dict.fromkeys(ref.REGIONS, spaces) for seats, spaces in ref.PALACE_SPACES.items()},
    ref.BOAT_END,
    ref.ONE,
    ref.TWO,
    ref.MASTER,
    ref.BOAT_VP,
    ref.PRINTED_TARGETS,
    ref.NEEDS,
    dict.fromkeys(ref.NEEDS, ref.SLOTS),
    dict.fromkeys(ref.KINDS.values(), ref.PALACE_COPIES),
    ref.START,
    ref.ONE_SHOT,
    ref.RIVAL_BOAT,
    ref.RIVAL_GOVERNOR,
    ref.RIVAL_PALACE,
    ref.RIVAL_WALL,
    ref.RIVAL_DECK,
    ref.RIVAL_FACES,
    ref.RIVAL_ORDER,
    ref.RIVAL_BOAT_AT,
    ref.RIVAL_UNLOCKED,
)


def read_printed(name: str, file: Table) -> Printed:
    """The set in a component file, which is not checked; `name` is its name in a position line."""
    trigger, ability = _cards(file)
    sides = cast("Mapping[str, Mapping[str, Mapping[str, list[object]]]]", file["side"])
    spaces = cast("Mapping[str, Mapping[str, Mapping[str, list[int]]]]", file["side"])
    elixir = cast("Mapping[str, list[int]]", file["elixir"])
    values = cast("list[tuple[int, int]]", elixir["vp"])
    tiles = _tables(file, "mausoleum_tile")
    spots = sorted(_tables(file, "mausoleum_spot"), key=lambda spot: (str(spot["row"]), str(spot["col"])))
    levels = {_number(each, "level"): each for each in _tables(file, "lisi")}
    actions = {_number(each, "n"): each for each in _tables(file, "solo_action")}
    side_of = {2: "p2", 3: "p34", 4: "p34"}
    return Printed(
        name,
        trigger,
        ability,
        {str(each["id"]): (str(each["site"]), _words(each, "triggers")) for each in _tables(file, "emperor")},
        _faces(file),
        {
            seats: {section: _pairs(slots) for section, slots in sides[side]["wall"].items()}
            for seats, side in side_of.items()
        },
        {
            seats: {
                region: sum(least <= seats for least in places)
                for region, places in spaces[side]["palace_spaces"].items()
            }
            for seats, side in side_of.items()
        },
        cast("int", elixir["length"]),
        tuple(elixir["one"]),
        tuple(elixir["two"]),
        tuple(elixir["master"]),
        dict(values),
        tuple(str(spot["target"]) for spot in spots),
        {str(tile["id"]): cast("Mapping[str, int]", tile["need"]) for tile in tiles},
        {str(tile["id"]): _pairs(cast("list[object]", tile["slots"])) for tile in tiles},
        {
            str(each.get("arg", "unrest_all")): _number(each, "copies")
            for each in _tables(file, "palace_tile")
        },
        {
            str(each["id"]): STARTS[str(each["kind"])].format_map({key: str(each[key]) for key in each})
            for each in _tables(file, "start_tile")
        },
        tuple(number for number, action in actions.items() if action.get("one_shot")),
        {number: _number(actions[number], "boat") for number in ref.RIVAL_BOAT},
        {n: (_words(actions[n], "regions"), str(actions[n]["manner"])) for n in ref.RIVAL_GOVERNOR},
        {
            n: (_words(actions[n], "regions"), bool(actions[n].get("tile")), _words(actions[n], "large"))
            for n in ref.RIVAL_PALACE
        },
        {
            n: (
                _words(actions[n], "sites"),
                str(actions[n]["first"]),
                str(actions[n]["slot_from"]),
                bool(actions[n].get("emperor")),
            )
            for n in ref.RIVAL_WALL
        },
        {level: tuple(cast("list[int]", each["deck"])) for level, each in levels.items()},
        {level: (str(each["top"]), str(each["under"])) for level, each in levels.items()},
        {level: _number(each, "order_space") for level, each in levels.items()},
        {level: _number(each, "boat") for level, each in levels.items()},
        {level: _number(each, "unlocked") for level, each in levels.items()},
    )


def _tables(file: Table, name: str) -> list[Table]:
    return cast("list[Table]", file[name])


def _number(table: Table, key: str) -> int:
    return cast("int", table[key])


def _words(table: Table, key: str) -> tuple[str, ...]:
    return tuple(cast("list[str]", table[key]))


def _pairs(pairs: list[object]) -> Slots:
    return tuple((value, least) for value, least in cast("list[tuple[int, int]]", pairs))


def _cards(file: Table) -> tuple[dict[str, str], dict[str, str]]:
    """Triggers and abilities."""
    triggers, abilities = {}, {}
    for row in _words(file, "cards"):
        number, trigger, ability, argument = row.split(",")
        triggers[number], abilities[number] = trigger, ABILITIES[ability].format(argument)
    for letter, name, effects in (("A", "alchemist", "ZHG-ALC-0"), ("M", "master", "ZHG-MAS-0")):
        for place, each in enumerate(_tables(file, name), 1):
            triggers[f"{letter}{place}"] = str(each["trigger"])
            effect = str(each["effect"]).removeprefix(effects)
            abilities[f"{letter}{place}"] = ref.ABILITY[letter + effect]
    return triggers, abilities


def _faces(file: Table) -> dict[str, tuple[str, tuple[int, int, int]]]:
    values = dict(ref.FACES.values())
    faces = {}
    for tile in _tables(file, "wall_tile"):
        for side, face in zip("ab", _words(tile, "faces"), strict=True):
            what = FACES[int(face.removeprefix("ZHG-WAL-")) - 1]
            faces[f"{tile['id']}{side}"] = (what, values[what])
    return faces
