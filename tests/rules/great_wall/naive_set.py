"""The reference set of The Great Wall for the plain model: every printed thing, and effects in a few words.

An operation is a few words: `gain wood 1`, `clerks 2`, `wound 2 3` (two wounds, lines 1 to 3).
"""

SET_NAME = "great-wall-reference-0"
NAMED = ("left", "centre", "right")
SECTIONS = ("L", "C", "R")
WORD = dict(zip(SECTIONS, NAMED, strict=True))
LETTER = dict(zip(NAMED, SECTIONS, strict=True))
RESOURCES = ("wood", "stone", "gold", "chi")
KINDS = ("spearman", "archer", "horseman")
FIGURES = {"spearman": 10, "archer": 4, "horseman": 2}
PRODUCE = {"sawmill": "wood", "quarry": "stone", "gold-mine": "gold", "temple": "chi"}
OTHERS = ("barracks", "tea-house", "builders", "embassy", "logistics", "academy")
LOCATIONS = (*PRODUCE, *OTHERS)
SPECIAL = ("builders", "embassy", "logistics", "academy")
SHAME_ICON = (*PRODUCE, "barracks")
SLOTS = {
    "2-3": {"sawmill": 5, "quarry": 4, "gold-mine": 3, "temple": 3, "barracks": 3, "tea-house": 3},
    "4": {"sawmill": 6, "quarry": 5, "gold-mine": 4, "temple": 4, "barracks": 3, "tea-house": 3},
}
MORTALITY = {"2-3": (1, 1, 1, 2, 2, 2), "4": (1, 1, 2, 2, 2)}
NEW_HORDES = {"2-3": (0, 2, 2, 2, 2, 3), "4": (0, 3, 3, 3, 4)}
SPACES = 4

SHAME_CHI, SAVE_CHI, CLERK_GOLD, DONATION = 2, 2, 2, 2
BARRICADE_COST, BARRICADE_HONOUR, BARRICADE_DEFENCE = 2, 2, 2
FOREMAN_COST = (2, 3, 4)
COST = {
    "spearman": {"stone": 2, "wood": 1},
    "archer": {"chi": 2, "wood": 1},
    "horseman": {"gold": 3, "wood": 1},
}
DEFENCE = (3, 7, 11, 16)
FIRING = (1, 2, 3, 4)
WALL_COST = (5, 10, 15)
WALL_HONOUR = (0, 5, 10, 15)
HAND_LIMIT = 5
SHED_HONOUR = 10
LOST_SHAME = 5

# Power, power in co-op, reward, and the grid from its top row.
FAMILIES = {
    1: (1, 1, 3, "ow....", "2....."),
    2: (2, 1, 4, "oc....", "s....."),
    3: (2, 1, 4, "o2....", "og...."),
    4: (3, 2, 5, "ow....", "c1...."),
    5: (3, 2, 6, "o1c...", "sg...."),
    6: (4, 3, 7, "owo...", "c2...."),
    7: (5, 4, 8, "ocg...", "1so..."),
    8: (6, 5, 10, "o2wo..", "gc1..."),
}
HORDES = [f"h{family}-{back}" for family in FAMILIES for back in "lcr"]
COOP_HORDES = [f"k{family}-{back}" for family in FAMILIES for back in "lcr"]
BACKS = {"l": "left", "c": "centre", "r": "right"}

STRATEGIES = ("attack-order", "betrayal", "economy", "despotism", "labour", "drill")
FIRST_BLOCK = {
    "attack-order": "clerks 2",
    "betrayal": "copy",
    "economy": "clerks 3",
    "despotism": "clerks 2 economy 2",
    "labour": "clerks 2",
    "drill": "clerks 2",
    "reed": "clerks 2",
}
OTHERS_BLOCK = {
    "attack-order": "clerks 1",
    "betrayal": "clerks 1",
    "economy": "clerks 2",
    "despotism": "clerks 1",
    "labour": "clerks 2",
    "drill": "clerks 2",
    "reed": "clerks 1",
}
THIRD_BLOCK = {
    "attack-order": "attack",
    "economy": "take 1",
    "despotism": "activate",
    "labour": "upgrade 1",
    "drill": "tactic 1",
}
COPY_ELSE = "clerks 2"
QIN_FIRST = dict.fromkeys(STRATEGIES, 2) | {"economy": 3}
QIN_THIRD = {
    "attack-order": "recruit archer",
    "betrayal": "honour 3",
    "economy": "honour assistants",
    "despotism": "activate",
    "labour": "wall",
    "drill": "recruit spearman",
}

# Wood, stone, gold, chi; tactics; tea; occasion; what it gives for each assistant.
_GENERALS = """
song-ci 4444 2 32 upgrade honour 2
general-02 3544 1 64 tactic chi 1
general-03 5344 2 12 donate honour 1
general-04 4534 1 44 recruit wood 1
general-05 3454 2 76 cover honour 1
general-06 5434 1 24 shoot honour 1
general-07 4354 2 56 barricade honour 1
general-08 5533 1 88 wall chi 2
general-09 3553 2 36 hire gold 1
general-10 5353 1 68 claim honour 3
general-11 4453 2 16 killed chi 1
general-12 5443 1 48 income stone 1
general-13 4543 2 80 share honour 1
coop-general-1 4444 1 28 saved chi 1
coop-general-2 3544 2 60 shame gold 1
coop-general-3 5344 1 92 income wood 1
coop-general-4 4534 2 40 income gold 1
coop-general-5 3454 1 72 wall honour 3
coop-general-6 5434 2 20 share chi 1
coop-general-7 4354 1 52 hold honour 1
coop-general-8 5533 2 84 recruit stone 1
"""
_ROWS = [line.split() for line in _GENERALS.split("\n") if line]
GENERALS = [row[0] for row in _ROWS]
START = {row[0]: dict(zip(RESOURCES, map(int, row[1]), strict=True)) for row in _ROWS}
START_TACTICS = {row[0]: int(row[2]) for row in _ROWS}
TEA = {row[0]: int(row[3]) for row in _ROWS}
ABILITY = {row[0]: (row[4], row[5], int(row[6])) for row in _ROWS}
STANDARD_GENERALS = 13

_OCCASIONS = (
    "upgrade",
    "donate",
    "recruit",
    "cover",
    "shoot",
    "barricade",
    "wall",
    "hire",
    "tactic",
    "share",
    "income",
)
ADVISORS = [f"a{number:02}" for number in range(1, 45)]
ADVICE = {
    advisor: (
        _OCCASIONS[number // 4],
        ("wood", "gold", "chi", "honour")[number % 4],
        2 if number % 4 == 3 else 1,
    )
    for number, advisor in enumerate(ADVISORS)
}

# Window, effect, chi for boosting, boosted effect.
TACTIC = {
    "retreat": ("losses", ["save 1"], 2, ["save 99"]),
    "restless": ("strategy", ["upgrade 1"], 2, ["upgrade 2"]),
    "courier": ("strategy", ["clerks 1"], 1, ["clerks 2"]),
    "harvest": ("strategy", ["gain wood 1", "gain stone 1"], 1, ["gain wood 2", "gain stone 2"]),
    "tribute": ("summer", ["gain gold 2"], 1, ["gain gold 4"]),
    "ambush": ("strategy", ["wound 1 1"], 2, ["wound 2 3"]),
    "volley": ("fire", ["wound 1 1"], 1, ["wound 2 1"]),
    "palisade": ("strategy", ["barricade 1"], 2, ["barricade 2"]),
    "atonement": ("summer", ["cleanse 1"], 2, ["cleanse 2"]),
    "ceremony": ("resolve", ["tea 1"], 1, ["tea 2", "honour 2"]),
    "relief": ("losses", ["save 2"], 1, ["save 99"]),
    "supplies": ("resolve", ["take 1"], 1, ["take 3"]),
    "drums": ("fire", ["wound 1 3"], 2, ["wound 2 3"]),
    "masons": ("strategy", ["barricade 1"], 1, ["barricade 2"]),
    "council": ("strategy", ["tactic 1"], 1, ["tactic 2"]),
    "penance": ("shame", ["honour 3"], 2, ["honour 10"]),
}
COPIES = 2
TACTICS = list(TACTIC)
STANDARD_TACTICS = 10

ARTEFACTS = [f"artefact-{number}" for number in range(1, 6)]
ARTEFACT_HONOUR = {"artefact-1": 3, "artefact-2": 2, "artefact-3": 2, "artefact-4": 2, "artefact-5": 2}

NOT_FOR_TWO = ("warriors-for-the-guard", "royal-escort", "glory-to-the-emperor", "taunt-and-triumph")
# Scope, and what is paid, sacrificed or needed.
REQUEST = {
    "warriors-for-the-guard": ("each", {"spearman": 1}),
    "royal-escort": ("each", {"horseman": 1}),
    "glory-to-the-emperor": ("each", {"honour": 4}),
    "taunt-and-triumph": ("state", {"claimed": 3}),
    "request-05": ("each", {"wood": 2}),
    "request-06": ("each", {"stone": 2}),
    "request-07": ("each", {"gold": 2}),
    "request-08": ("each", {"chi": 2}),
    "request-09": ("each", {"archer": 1}),
    "request-10": ("one", {"gold": 4, "wood": 2}),
    "request-11": ("state", {"wall-levels": 1}),
    "request-12": ("state", {"hordes-a-section": 2}),
}
REQUESTS = list(REQUEST)
EVENT_NOW = {
    "event-01": "lose wood 2",
    "event-02": "lose stone 2",
    "event-03": "lose gold 2",
    "event-04": "lose chi 2",
    "event-05": "honour 3",
    "event-06": "gain stone 2",
    "event-07": "gain wood 2",
    "event-08": "gain gold 1",
    "event-09": "gain chi 1",
    "event-10": "honour 5",
    "event-11": "shame 1",
    "event-12": "tactic 1",
}
EVENTS = list(EVENT_NOW)
EVENT_PASSIVE = {
    "event-04": ("save-cost", 1),
    "event-05": ("mortality", 1),
    "event-06": ("power", 1),
    "event-07": ("barricade", -1),
    "event-08": ("income", -1),
    "event-09": ("donation", -1),
    "event-10": ("spring", 1),
    "event-12": ("power", 1),
}
REQUESTS_NEEDED = {2: 6, 3: 7, 4: 9}
TOKENS = {"wood": "sawmill", "stone": "quarry", "gold": "gold-mine", "chi": "temple", "wound": "barracks"}

RULINGS = {
    "coop-claim": ("nothing", "reward"),
    "coop-pool": ("loss", "on"),
    "double-build": ("yes", "no"),
    "pool-empty": ("at-check", "latched"),
    "qin-fill": ("columns", "rows"),
    "qin-order": ("lowest", "highest"),
    "reed-counts": ("no", "yes"),
    "strategy-spaces": ("four", "players"),
}


def family(card: str) -> int:
    return int(card[1])


def back(card: str) -> str:
    return BACKS[card[-1]]


def cells(card: str) -> dict[str, str]:
    """The spots of a card in reading order, with what each gives."""
    rows = FAMILIES[family(card)][3:]
    return {
        f"{'abcdef'[column]}{row + 1}": mark
        for row, marks in enumerate(rows)
        for column, mark in enumerate(str(marks))
        if mark != "."
    }


def power(card: str, line: int) -> int:
    """The power of a card on a line."""
    standard, coop, *_ = FAMILIES[family(card)]
    printed = standard if card[0] == "h" else coop
    return printed + (2 if family(card) == 4 and line == 1 else 0)


def reward(card: str) -> int:
    return FAMILIES[family(card)][2]


def immune(card: str, line: int, kind: str) -> bool:
    if family(card) == 5:
        return kind == "horseman"
    return family(card) == 6 and line == 1 and kind == "archer"


def side_by_side(one: str, other: str) -> bool:
    across = abs(ord(one[0]) - ord(other[0]))
    down = abs(int(one[1]) - int(other[1]))
    return across + down == 1
