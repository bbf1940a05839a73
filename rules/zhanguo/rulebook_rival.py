"""The rules of Li Si's part in a solo match that follow by themselves, in our words."""

from typing import Final

from rules.kernel.rule import Rule, RuleId

_ROWS: Final = (
    ("01", "Set-up", "L809", "As for two players."),
    ("02", "Li Si's board", "L811-820, L854 (AMB-35)", "No officials, workers, unrest or start tile."),
    (
        "03",
        "Levels",
        "L840-846",
        "A card for each level: Action cards, scoring faces, turn order, boat, soldiers.",
    ),
    (
        "04",
        "Scoring faces",
        "L843, L995-1031 (AMB-43)",
        "One of A and B, one of C and D; the upper one has walls and palaces.",
    ),
    ("05", "Two seats", "", "The human and li-si, who is never awaited."),
    ("12", "Several options", "L887", "The topmost possible one."),
    ("13", "Rewards", "L868-870", "Li Si takes every reward that he is offered, without its effect."),
    (
        "14",
        "Payments",
        "L872 (AMB-07, AMB-40, AMB-58)",
        "Large tokens first, then the aspect held most, for as many soldiers as possible.",
    ),
    ("15", "Action deck", "L874", "Discarded cards go back into it after every round."),
    (
        "21",
        "At Court",
        "L899 (AMB-32, AMB-34)",
        "Without a place his card goes to Court, for a token of each aspect.",
    ),
    ("30", "Elixir cards", "L905 (AMB-41, AMB-44, AMB-59)", "His boat moves, and its symbols are counted."),
    ("31", "Unlocking", "L907", "Without a soldier at the entrance one is unlocked per symbol."),
    ("33", "Instead of a card", "L915-919", "Without a card or a place a soldier is unlocked."),
    (
        "40",
        "Governor cards",
        "L927 (AMB-33)",
        "To the first region of the card whose condition he does not meet.",
    ),
    (
        "41",
        "Where governors go",
        "L931-945 (AMB-61)",
        "The leftmost space, the two rightmost ones, or the area.",
    ),
    (
        "42",
        "Last governor",
        "L941 (AMB-33, AMB-42, AMB-57)",
        "To the first region where he has no majority, if card 14 is in his deck.",
    ),
    ("50", "Palace cards", "L953-954 (AMB-33)", "A palace with 6 points and a large token."),
    ("51", "Palace tiles", "L955 (AMB-39)", "Kept until the end, where the card says so."),
    ("52", "Last palace", "L961 (AMB-33, AMB-42)", "It goes to the region that the card names first."),
    ("60", "Wall cards", "L967 (AMB-33)", "To the first site of the card whose condition he does not meet."),
    ("61", "Slots", "L973-981", "The first free one from the right or from the left."),
    ("62", "Emperor tiles", "L969-981", "The top one of the site leaves the game, where the card says so."),
    ("63", "Last wall", "L983 (AMB-33, AMB-42)", "It goes to the section that has no wall of his yet."),
    (
        "80",
        "Scoring",
        "L878-880, L995-1031 (AMB-16, AMB-36)",
        "Walls, palaces, governors and elixir by his faces.",
    ),
    (
        "81",
        "Palace tiles",
        "L1035 (AMB-37, AMB-38)",
        "3 for each card of the kind in the region; 2 for each card, if it is the kind with unrest.",
    ),
    ("82", "Lines and entrance", "L878", "As for everybody."),
)

RIVAL_FACTS: Final = tuple(
    Rule(RuleId(f"ZHG-SOL-{key}"), title, source, text, "Li Si's part follows by itself")
    for key, title, source, text in _ROWS
)
