"""The reference set of Zhanguo for the plain model: every printed thing, and every effect in a few words.

An effect is one or several instructions joined by `; `. `any` is any region or any official, `here` the
region of the card or space that has the effect.
"""

REGIONS = ("chu", "wei", "zhao", "qi", "yan")  # ZHG-VOC-01
OFFICIALS = ("alchemist", "architect", "general")
ASPECTS = ("writing", "currency", "laws")
LOW = ("recruit", "elixir", "governor")
HIGH = ("hire", "palace", "wall")
ACTIONS = (*LOW, *HIGH)
KINDS = {"w": "writing", "c": "currency", "l": "laws", "a": "alchemist_card", "u": "unrest_all"}
"""Letters of aspects and of kinds of palace tiles."""
LETTERS = {kind: letter for letter, kind in KINDS.items()}
LARGE = "WCL"
SMALL = "wcl"
PALACE_COPIES = 3
SITES = ("A", "B", "C")
SECTIONS = ("AL", "AR", "BL", "BR", "CL", "CR")
SPOTS = ("a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3")
SET_NAME = "zhg-ref-1"

GOVERNORS, PALACES, WALLS, RESERVE = 7, 6, 6, 4
SUPPLY = {2: 9, 3: 11, 4: 13}
MAJORITY = {2: 10, 3: 15, 4: 20}
BONUS_TILES = {2: 3, 3: 5, 4: 8}
BLANK_TILES = {2: 2, 3: 0, 4: 2}
TILES_PER_REGION = {2: 1, 3: 1, 4: 2}
ROUNDS = 5

ABILITIES = (
    "boat 1",
    "recruit alchemist here 1",
    "recruit architect here 1",
    "recruit general here 1",
    "workers 1 must",
    "officials 2",
    "calm 1",
    "take 1",
    "vp 1 alchemist_card",
    "vp 1 governor",
    "vp 1 wall",
    "vp 1 palace",
    "unrest here; tokens writing+currency",
    "unrest here; tokens writing+laws",
    "unrest here; tokens currency+laws",
    "unrest here; hire here 1",
    "unrest here; vp 1 writing",
    "unrest here; vp 1 currency",
    "unrest here; vp 1 laws",
    "boat 1",
)
NUMBERS = [str(number) for number in range(1, 121)]
ALCHEMISTS = ("A1", "A2", "A3", "A4", "A5")
MASTERS = ("M1", "M2", "M3", "M4", "M5")
CARDS = [*NUMBERS, *ALCHEMISTS, *MASTERS]
"""Every card in the order in which cards are listed."""

TRIGGER = {str(k + 1): ACTIONS[k % 6] for k in range(120)} | {
    "A1": "hire",
    "A2": "recruit",
    "A3": "governor",
    "A4": "elixir",
    "A5": "palace",
    "M1": "elixir",
    "M2": "wall",
    "M3": "governor",
    "M4": "hire",
    "M5": "palace",
}
ABILITY = {str(k + 1): ABILITIES[(k // 6 + 3 * (k % 6)) % 20] for k in range(120)} | {
    "A1": "hire here 1",
    "A2": "recruit any here 1",
    "A3": "calm-here; calm 1",
    "A4": "officials 3",
    "A5": "unrest here; take 2",
    "M1": "vp 2 alchemists_there",
    "M2": "unlock 1",
    "M3": "vp 1 soldier_placed",
    "M4": "unrest here; hire here 2",
    "M5": "vp 1 round",
}

FACES = {
    "W1a": ("architect", (2, 3, 4)),
    "W1b": ("currency", (1, 2, 3)),
    "W2a": ("alchemist", (2, 3, 4)),
    "W2b": ("writing", (1, 2, 3)),
    "W3a": ("general", (2, 3, 4)),
    "W3b": ("laws", (1, 2, 3)),
    "W4a": ("worker", (2, 3, 4)),
    "W4b": ("alchemist_card", (1, 2, 3)),
    "W5a": ("pair", (2, 3, 4)),
    "W5b": ("palace", (1, 2, 3)),
    "W6a": ("set4", (2, 4, 6)),
    "W6b": ("governor", (1, 2, 3)),
    "W7a": ("order", (2, 3, 4)),
    "W7b": ("calm", (1, 2, 3)),
}
BONUS = {
    "G0": ("", ""),
    "G1": ("vp 1 palace", "boat 3"),
    "G2": ("vp 1 wall", "officials 4"),
    "G3": ("calm 2", "vp 1 alchemist_card"),
    "G4": ("unlock 1", "recruit alchemist any 2"),
    "G5": ("place 1 any must", "vp 1 writing"),
    "G6": ("officials 3", "vp 1 laws"),
    "G7": ("unlock 1", "workers 2 may"),
    "G8": ("hire any 1", "boat 2"),
    "G9": ("recruit general any 2", "hire any 1"),
    "G10": ("recruit architect any 2", "vp 1 currency"),
}
START = {
    "S1": "recruit alchemist chu 1",
    "S2": "recruit architect chu 1",
    "S3": "recruit general chu 1",
    "S4": "unrest wei; tokens writing+currency",
    "S5": "unrest zhao; tokens currency+laws",
    "S6": "unrest qi; tokens writing+laws",
    "S7": "boat 2",
    "S8": "unrest chu; unlock 1; boat 1",
    "S9": "unrest chu; unrest yan; hire chu 1",
    "S10": "unrest wei; unrest zhao; unrest qi; place 1 chu must",
}
EMPERORS = {
    "E1": ("A", ("recruit", "hire")),
    "E2": ("A", ("elixir", "palace")),
    "E3": ("B", ("governor", "wall")),
    "E4": ("B", ("recruit", "palace")),
    "E5": ("C", ("elixir", "wall")),
    "E6": ("C", ("governor", "hire")),
}

# Strokes and smallest number of players, from the left.
FOUR_SLOTS = ((3, 2), (2, 2), (2, 4), (1, 2))
WALL_SLOTS: dict[int, dict[str, tuple[tuple[int, int], ...]]] = {
    2: {
        "AL": ((3, 2), (2, 2)),
        "AR": ((2, 2), (1, 2)),
        "BL": ((3, 2), (1, 2)),
        "BR": ((3, 2), (1, 2)),
        "CL": ((3, 2), (2, 2)),
        "CR": ((2, 2), (1, 2)),
    },
    3: dict.fromkeys(SECTIONS, FOUR_SLOTS),
    4: dict.fromkeys(SECTIONS, FOUR_SLOTS),
}
PALACE_SPACES = {2: 2, 3: 2, 4: 3}
"""In each region, for this number of players."""

BOAT_END = 20
ONE = (3, 6, 10, 13, 16)
TWO = (20,)
MASTER = (12,)
BOAT_VP = {4: 1, 8: 2, 12: 3, 16: 4, 20: 5}

PRINTED_TARGETS = ("chu", "A", "wei", "B", "elixir", "zhao", "qi", "C", "yan")
TARGETS = (*REGIONS, *SITES, "elixir")
NEEDS = {
    "MR1": {"governors": 2},
    "MR2": {"palaces": 2},
    "MR3": {"governors": 1, "palaces": 1},
    "MR4": {"governors": 2, "palaces": 1},
    "MR5": {"governors": 1, "palaces": 1, "cards": 3},
    "MW1": {"walls": 2},
    "MW2": {"walls": 2},
    "MW3": {"walls": 1},
    "ME1": {"boat_space": 12, "alchemist_cards": 2},
}
SLOTS = ((9, 2), (6, 3), (4, 2), (2, 3))
"""Points and smallest number of players of every Mausoleum slot, from the top."""

ROWS = {
    "T1": ("writing", "currency", "laws"),
    "T2": ("laws", "writing", "currency"),
    "T3": ("currency", "laws", "writing"),
}
REWARDS = {
    "T1": {
        "writing": ("recruit any chu 1", "place 1 any must", "install chu+wei", "unlock 2", "palace"),
        "currency": (
            "recruit general chu 2",
            "boat 4",
            "hire any 2",
            "install zhao+qi",
            "unlock 1; soldier",
        ),
        "laws": ("recruit architect chu 2", "hire wei 2", "reset 3", "wall", "install any"),
    },
    "T2": {
        "laws": ("recruit any chu 1", "reset 2", "hire any 2", "soldier", "wall"),
        "writing": (
            "boat 3",
            "recruit general wei 1; recruit architect wei 1",
            "recruit any any 2",
            "install zhao+qi",
            "palace",
        ),
        "currency": ("hire any 1", "recruit alchemist any 2", "place 2 any must", "wall", "boat 7"),
    },
    "T3": {
        "currency": ("recruit architect chu 2", "hire wei 2", "recruit any any 2", "unlock 2", "wall"),
        "laws": ("hire any 1", "recruit any any 1", "place 2 any must", "install zhao+qi", "palace"),
        "writing": ("recruit general chu 2", "boat 4", "hire any 2", "wall", "install any"),
    },
}

# Li Si.
ONE_SHOT = (8, 9, 14, 18, 19, 23, 24)
RIVAL_BOAT = {6: 3, 7: 4, 8: 5, 9: 6}
RIVAL_GOVERNOR = {
    10: (("chu", "wei", "zhao", "qi", "yan"), "one_left"),
    11: (("yan", "qi", "zhao", "wei", "chu"), "one_left"),
    12: (("zhao", "chu", "yan", "wei", "qi"), "one_left"),
    13: (("qi", "yan", "chu", "zhao", "wei"), "area"),
    14: (("zhao", "qi", "wei", "yan", "chu"), "two_right"),
}
RIVAL_PALACE = {
    15: (("wei", "zhao", "qi", "yan", "chu"), True, ("writing", "currency", "laws")),
    16: (("qi", "zhao", "wei", "chu", "yan"), True, ("currency", "laws", "writing")),
    17: (("chu", "yan", "wei", "qi", "zhao"), True, ("laws", "writing", "currency")),
    18: (("yan", "chu", "qi", "wei", "zhao"), False, ("writing", "laws", "currency")),
    19: (("zhao", "wei", "chu", "yan", "qi"), True, ("laws", "currency", "writing")),
}
RIVAL_WALL = {
    20: (("A", "B", "C"), "L", "right", True),
    21: (("C", "B", "A"), "R", "left", True),
    22: (("B", "C", "A"), "L", "right", True),
    23: (("B", "A", "C"), "R", "left", False),
    24: (("C", "A", "B"), "L", "left", True),
}
RIVAL_DECK = {
    1: (1, 2, 3, 6, 10, 15, 20, 14, 18),
    2: (1, 2, 4, 6, 11, 16, 21, 8, 23),
    3: (1, 3, 5, 7, 12, 17, 22, 14, 24),
    4: (2, 4, 5, 7, 13, 17, 22, 9, 19),
}
RIVAL_FACES = {1: ("A", "C"), 2: ("D", "A"), 3: ("B", "D"), 4: ("C", "B")}
"""On top, and beneath."""
RIVAL_ORDER = {1: 2, 2: 2, 3: 1, 4: 1}
RIVAL_BOAT_AT = {1: 0, 2: 1, 3: 2, 4: 3}
RIVAL_UNLOCKED = {1: 0, 2: 0, 3: 1, 4: 1}
RIVAL_WALLS = {"A": (2, 4, 6), "B": (4, 6, 8), "C": (5, 7, 9), "D": (3, 5, 7)}
"""Points for a wall on one, two or three strokes, by the face on top."""
