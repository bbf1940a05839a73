"""The rules of Zhanguo that a move can break, in our words, with where the rulebook says them."""

from typing import Final

from rules.kernel.edition import Edition, EditionKey
from rules.kernel.rule import Rule, RuleId
from rules.zhanguo.rulebook_facts import FACTS

EDITIONS: Final = (
    Edition(
        EditionKey("zhanguo/1"),
        "Zhanguo: The First Empire (2023), first reading",
        sources=("L: French rulebook, by line of a transcription without its icons",),
        seats=(2, 3, 4),
    ),
)
ZHANGUO_1: Final = EDITIONS[0].key


def _rule(key: str, title: str, source: str, text: str) -> Rule:
    return Rule(RuleId(f"ZHG-{key}"), title, source, text)


# Components and set-up

VOC_01 = _rule(
    "VOC-01",
    "Neighbouring regions",
    "L576, L895, L1268-1292",
    "The regions lie in a line: Chu, Wei, Zhao, Qi, Yan. Neighbours are next to each other in it; Chu and "
    "Yan are not.",
)
CMP_18 = _rule(
    "CMP-18",
    "Every number exists once",
    "L132, L286, L294",
    "There are 120 Unification cards: writing 1 to 40, currency 41 to 80, laws 81 to 120, each number once. "
    "A card that is seen elsewhere cannot come or be played again.",
)
SET_04 = _rule(
    "SET-04",
    "Mausoleum tiles",
    "L195",
    "Within each kind the Mausoleum tiles are dealt onto the spots of that kind.",
)
SET_05 = _rule(
    "SET-05",
    "Mausoleum tokens",
    "L197",
    "In the advanced mode the nine tokens are dealt over the spots first; a tile is then dealt onto a spot "
    "whose "
    "token is of its kind.",
)
SET_06 = _rule(
    "SET-06",
    "Wall tiles",
    "L199",
    "Six of the seven wall tiles are dealt onto the sections, each with either face up.",
)
SET_07 = _rule(
    "SET-07",
    "Slots for four players",
    "L201",
    "With fewer players than a wall slot is marked for, the slot does not exist.",
)
SET_08 = _rule(
    "SET-08",
    "Emperor tiles",
    "L203-207 (AMB-01)",
    "Six Emperor tiles with four players, five with three, four with two, each on the pile of its site.",
)
SET_09 = _rule(
    "SET-09",
    "Palace tiles",
    "L209",
    "A palace tile is dealt onto every palace space that is used with that number of players.",
)
SET_10 = _rule(
    "SET-10",
    "Governor tiles",
    "L211-215",
    "Each region gets two governor tiles with four players and one otherwise. Two of all are blank, except "
    "with three players, when none is.",
)
SET_11 = _rule(
    "SET-11", "Masters", "L217 (AMB-24)", "One Master Alchemist card per player lies beside the board."
)
SET_19 = _rule(
    "SET-19",
    "First player",
    "L258",
    "The first player is drawn; the others follow in the order of their seats.",
)
SET_20 = _rule(
    "SET-20",
    "Start tiles",
    "L260 (AMB-28)",
    "Everybody is dealt two start tiles and chooses one, whose costs and gains are both mandatory.",
)
SET_22 = _rule(
    "SET-22",
    "Order of the deal",
    "",
    "A record deals one component per entry: Mausoleum, walls, Emperor tiles, palace tiles, governor tiles, "
    "Masters, start tiles.",
)

# Rounds and playing a card

RND_02 = _rule(
    "RND-02",
    "Six cards each",
    "L278",
    "Every round begins with two cards from each deck for everybody: writing, currency, laws.",
)
PLY_01 = _rule(
    "PLY-01",
    "One card of the hand",
    "L306-312",
    "In a turn exactly one card of the hand is played, as a Unification action or at Court. Nobody may pass.",
)
PLY_02 = _rule(
    "PLY-02",
    "Forfeiting a card",
    "AMB-12",
    "A card may be forfeited only where no placement and no Court action is possible.",
)
UNI_01 = _rule(
    "UNI-01",
    "Three cards in a region",
    "L318-319, L324",
    "A card goes into a region that holds fewer than three cards, Alchemist cards included.",
)
UNI_04 = _rule(
    "UNI-04",
    "Unrest of a Unification action",
    "L361, L365 (AMB-04)",
    "The second card of a region raises its unrest by 1, the third by 2. Where that would exceed 3, the card "
    "cannot go there.",
)
UNI_05 = _rule(
    "UNI-05",
    "Short supply",
    "L326 (AMB-18)",
    "Tokens are taken as far as the supply goes; of an aspect without tokens none can be chosen.",
)
UNR_02 = _rule(
    "UNR-02",
    "No unrest above 3",
    "L361",
    "Nothing may be done that would take a region above unrest 3; unrest is never cut off at 3.",
)

# Court actions

CRT_02 = _rule(
    "CRT-02",
    "A Court action that can be carried out",
    "L382",
    "A seat that plays a card at Court chooses an action that can be carried out, and carries it out.",
)
CRT_10 = _rule("CRT-10", "An official in reserve", "L396", "An official is recruited from the own reserve.")
CRT_20 = _rule(
    "CRT-20",
    "The boat can move",
    "L428",
    "The elixir is not searched for once the boat is at the end of the route.",
)
CRT_23 = _rule(
    "CRT-23",
    "The symbol with one option",
    "L414-418 (AMB-23)",
    "Either a locked soldier goes to the entrance, or a card that is set aside goes into a region with an "
    "alchemist of the seat and fewer than three cards.",
)
CRT_25 = _rule(
    "CRT-25",
    "The symbol of a Master",
    "L422 (AMB-54)",
    "One of the available Master Alchemist cards is set aside.",
)
CRT_30 = _rule(
    "CRT-30",
    "What a governor needs",
    "L442, L448",
    "Installing takes a governor of the own board, and one official of each type in the region.",
)
CRT_32 = _rule(
    "CRT-32",
    "Where a governor goes",
    "L443, L449 (AMB-05, AMB-47)",
    "The governor goes on a free space of the region or into its governor area.",
)
CRT_40 = _rule(
    "CRT-40",
    "What hiring needs",
    "L461-468 (AMB-48)",
    "Hiring at Court takes a general in the region and is impossible at unrest 3.",
)
CRT_50 = _rule(
    "CRT-50",
    "What a palace needs",
    "L480-494",
    "A palace at Court takes a piece of the own board, and an architect and two workers in the region.",
)
CRT_51 = _rule(
    "CRT-51",
    "The third worker",
    "L480-486",
    "The third worker of a palace comes from another region.",
)
CRT_53 = _rule(
    "CRT-53",
    "A palace tile",
    "L488, L1222 (AMB-17)",
    "One palace tile of the region is taken; the kind that costs unrest cannot be taken at unrest 3.",
)
CRT_54 = _rule(
    "CRT-54", "A large token", "L489, L504", "A palace at Court gives one of the large tokens on the board."
)
CRT_61 = _rule(
    "CRT-61",
    "What a wall needs",
    "L514-520",
    "A wall takes a piece of the own board and a slot that is printed.",
)
CRT_62 = _rule(
    "CRT-62",
    "Workers for a wall",
    "L515",
    "A wall costs as many workers as its slot has strokes, each from another region.",
)
CRT_63 = _rule(
    "CRT-63",
    "One wall each",
    "L514-515",
    "A slot holds one wall, and a section one wall of each player.",
)
CRT_64 = _rule(
    "CRT-64",
    "An Emperor tile",
    "L516 (AMB-01, AMB-02, AMB-49)",
    "The first wall in a section gives the top Emperor tile of the site; it goes on an own card above the "
    "board.",
)
CRT_65 = _rule(
    "CRT-65",
    "One Emperor tile per card",
    "L516 (AMB-03)",
    "A card takes one Emperor tile, which never moves.",
)

# Activation, soldiers

ACT_01 = _rule(
    "ACT-01",
    "Activating abilities",
    "L532-548 (AMB-25)",
    "After a Court action, cards above the own board that it triggers may be activated if the number played "
    "is lower than the one it covers (recruit, elixir, governor) or higher (hire, palace, wall).",
)
ACT_03 = _rule("ACT-03", "Each card once", "L540-548 (AMB-11)", "A card is activated at most once in a turn.")
ACT_04 = _rule(
    "ACT-04", "No ability at unrest 3", "L564 (AMB-11)", "A card in a region at unrest 3 cannot be activated."
)
ACT_07 = _rule(
    "ACT-07",
    "Moving an official",
    "L576-580",
    "Instead of activating, one official may go one step to a neighbouring region.",
)
ACT_09 = _rule(
    "ACT-09", "Activating or moving", "L532-536", "After an activation no official is moved in that turn."
)
EOT_01 = _rule(
    "EOT-01",
    "Soldiers at the end of a turn",
    "L592",
    "At the end of their turn players may place soldiers from the entrance, and do nothing else.",
)
MAU_03 = _rule(
    "MAU-03",
    "Placing a soldier",
    "L707-711",
    "A soldier at the entrance goes onto a tile whose condition its owner meets.",
)
MAU_04 = _rule(
    "MAU-04",
    "One soldier per slot and tile",
    "L713",
    "A tile takes one soldier of each player, on its highest free slot; with two players slots marked 3+ are "
    "not used.",
)
MAU_06 = _rule(
    "MAU-06",
    "Soldiers in phase 3",
    "L667, L707 (AMB-08, AMB-09)",
    "After a reward, and after unlocking soldiers, players may place soldiers from the entrance, and do "
    "nothing else.",
)

# Rewards

REW_05 = _rule(
    "REW-05",
    "Accepting a reward",
    "L616-620 (AMB-13)",
    "A seat accepts a reward or passes; only a reward that can be taken in full may be accepted.",
)
REW_20 = _rule(
    "REW-20",
    "Unlocking soldiers",
    "L665 (AMB-07)",
    "A locked soldier costs tokens worth 3, mixed at will, none of which could be left out.",
)
REW_31 = _rule(
    "REW-31",
    "Five tokens",
    "L678 (AMB-29, AMB-40)",
    "A seat that holds more than five tokens returns tokens of choice until exactly five are left.",
)
REW_40 = _rule(
    "REW-40",
    "Free governors, palaces and walls",
    "L1281-1302 (AMB-14, AMB-49)",
    "A free piece costs no workers or officials, so none are named, and it goes where the reward says.",
)

# Choices

ABL_22 = _rule(
    "ABL-22",
    "Moves of officials and workers",
    "L1055, L1059, L1105, L1196-1238",
    "A move takes one piece one step to a neighbouring region.",
)
ABL_24 = _rule(
    "ABL-24",
    "Lowering unrest",
    "L345, L357 (AMB-27)",
    "Unrest is lowered where there is some, and in different regions where the effect says so.",
)
ABL_25 = _rule(
    "ABL-25",
    "What is not optional",
    "L1055, L1193 (AMB-26, AMB-52)",
    "An effect is carried out as far as possible, unless it says 'up to'.",
)
STM_01 = _rule(
    "STM-01",
    "Choices of an effect",
    "",
    "An effect is finished before its cause goes on, and only what it offers can be chosen.",
)
STM_03 = _rule(
    "STM-03", "Only those who are awaited act", "L302", "Only those whose choice is awaited may act."
)

# Solo

SOL_10 = _rule(
    "SOL-10",
    "Li Si's six cards",
    "L858 (AMB-31)",
    "Li Si gets two cards of each deck in a round, and plays one of those that are left.",
)
SOL_11 = _rule(
    "SOL-11",
    "Li Si's Action card",
    "L862, L891",
    "On Li Si's turn a card that is left in his Action deck is revealed.",
)
SOL_20 = _rule(
    "SOL-20",
    "Li Si's Unification card",
    "L895-899 (AMB-32)",
    "The top card of Li Si's six goes to the first free place up to the region of the round, or else to "
    "Court.",
)
SOL_32 = _rule(
    "SOL-32",
    "Li Si's Alchemist card",
    "L911",
    "For each symbol, while Li Si has a soldier at the entrance, one of his Alchemist cards goes at random "
    "into the region of the round.",
)
SOL_34 = _rule(
    "SOL-34",
    "Li Si's Master",
    "L921 (AMB-59)",
    "At the symbol of a Master, an available one joins Li Si's cards at random.",
)
SOL_70 = _rule(
    "SOL-70",
    "Li Si's soldiers",
    "L987-989 (AMB-60)",
    "Li Si places a soldier wherever he can; the other player chooses where there are more tiles than "
    "soldiers.",
)

_BREAKABLE: Final = (
    *(VOC_01, CMP_18),
    *(SET_04, SET_05, SET_06, SET_07, SET_08, SET_09, SET_10, SET_11, SET_19, SET_20, SET_22),
    *(RND_02, PLY_01, PLY_02, UNI_01, UNI_04, UNI_05, UNR_02),
    *(CRT_02, CRT_10, CRT_20, CRT_23, CRT_25, CRT_30, CRT_32, CRT_40),
    *(CRT_50, CRT_51, CRT_53, CRT_54, CRT_61, CRT_62, CRT_63, CRT_64, CRT_65),
    *(ACT_01, ACT_03, ACT_04, ACT_07, ACT_09, EOT_01, MAU_03, MAU_04, MAU_06),
    *(REW_05, REW_20, REW_31, REW_40, ABL_22, ABL_24, ABL_25, STM_01, STM_03),
    *(SOL_10, SOL_11, SOL_20, SOL_32, SOL_34, SOL_70),
)
_ORDER: Final = (
    *("VOC", "CMP", "SET", "RND", "PLY", "UNI", "UNR", "CRT", "ACT", "EOT", "MAU"),
    *("REW", "ABL", "STM", "END", "SOL"),
)


def _place(rule: Rule) -> tuple[int, str]:
    section, number = rule.id.split("-")[1:]
    return _ORDER.index(section), number


RULES: Final = tuple(sorted((*_BREAKABLE, *FACTS), key=_place))
"""Every rule, section by section."""
