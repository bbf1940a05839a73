"""Rules on what is in the box."""

from rules.great_wall.rulebook.make import rule

CMP_01 = rule(
    "GW-CMP-01",
    "A board with two sides",
    "L12-L185",
    "There is one board, printed on both sides: one side for two or three players, one for four.",
    unchecked="describes what is in the box; a component set is checked when a match is laid out",
)
CMP_02 = rule(
    "GW-CMP-02",
    "Clerks",
    "L12-L185",
    "There are 32 clerks.",
    unchecked="describes what is in the box; a component set is checked when a match is laid out",
)
CMP_03 = rule(
    "GW-CMP-03",
    "Spearmen",
    "L12-L185",
    "There are 40 spearmen.",
    unchecked="describes what is in the box; a component set is checked when a match is laid out",
)
CMP_04 = rule(
    "GW-CMP-04",
    "Archers",
    "L12-L185",
    "There are 16 archers.",
    unchecked="describes what is in the box; a component set is checked when a match is laid out",
)
CMP_05 = rule(
    "GW-CMP-05",
    "Horsemen",
    "L12-L185",
    "There are 8 horsemen.",
    unchecked="describes what is in the box; a component set is checked when a match is laid out",
)
CMP_06 = rule(
    "GW-CMP-06",
    "Horde cards",
    "L12-L185",
    "There are 24 horde cards.",
    unchecked="describes what is in the box; a component set is checked when a match is laid out",
)
CMP_07 = rule(
    "GW-CMP-07",
    "Strategy cards, 4 colours",
    "L12-L185",
    "There are 24 strategy cards in four colours.",
    unchecked="describes what is in the box; a component set is checked when a match is laid out",
)
CMP_08 = rule(
    "GW-CMP-08",
    "Reed clan strategy card",
    "L12-L185",
    "The Reed Clan has 1 strategy card.",
    unchecked="describes what is in the box; a component set is checked when a match is laid out",
)
CMP_09 = rule(
    "GW-CMP-09",
    "Tactic cards",
    "L12-L185",
    "There are 20 tactic cards.",
    unchecked="describes what is in the box; a component set is checked when a match is laid out",
)
CMP_10 = rule(
    "GW-CMP-10",
    "Artefact cards",
    "L12-L185",
    "There are 5 artefact cards.",
    unchecked="describes what is in the box; a component set is checked when a match is laid out",
)
CMP_11 = rule(
    "GW-CMP-11",
    "Advisor cards",
    "L12-L185",
    "There are 44 advisor cards.",
    unchecked="describes what is in the box; a component set is checked when a match is laid out",
)
CMP_12 = rule(
    "GW-CMP-12",
    "General cards",
    "L12-L185",
    "There are 13 general cards.",
    unchecked="describes what is in the box; a component set is checked when a match is laid out",
)
CMP_13 = rule(
    "GW-CMP-13",
    "Reed clan general cards",
    "L12-L185",
    "The Reed Clan has 2 general cards.",
    unchecked="describes what is in the box; a component set is checked when a match is laid out",
)
CMP_14 = rule(
    "GW-CMP-14",
    "Event cards (co-op)",
    "L12-L185",
    "For co-op there are 12 event cards.",
    unchecked="describes what is in the box; a component set is checked when a match is laid out",
)
CMP_15 = rule(
    "GW-CMP-15",
    "Request cards (co-op)",
    "L12-L185",
    "For co-op there are 12 request cards.",
    unchecked="describes what is in the box; a component set is checked when a match is laid out",
)
CMP_16 = rule(
    "GW-CMP-16",
    "Co-op horde cards",
    "L12-L185",
    "For co-op there are 24 horde cards of their own.",
    unchecked="describes what is in the box; a component set is checked when a match is laid out",
)
CMP_17 = rule(
    "GW-CMP-17",
    "Co-op general cards",
    "L12-L185",
    "For co-op there are 8 more general cards.",
    unchecked="describes what is in the box; a component set is checked when a match is laid out",
)
CMP_18 = rule(
    "GW-CMP-18",
    "Co-op tactic cards",
    "L12-L185",
    "For co-op there are 12 more tactic cards.",
    unchecked="describes what is in the box; a component set is checked when a match is laid out",
)
CMP_19 = rule(
    "GW-CMP-19",
    "Solo general card",
    "L12-L185",
    "For the solo game there is 1 general card.",
    unchecked="describes what is in the box; a component set is checked when a match is laid out",
)
CMP_20 = rule(
    "GW-CMP-20",
    "Solo strategy cards",
    "L12-L185",
    "For the solo game there are 6 strategy cards.",
    unchecked="describes what is in the box; a component set is checked when a match is laid out",
)
CMP_21 = rule(
    "GW-CMP-21",
    "Tea markers, 4 colours",
    "L12-L185",
    "There are 4 tea markers, one in each colour.",
    unchecked="describes what is in the box; a component set is checked when a match is laid out",
)
CMP_22 = rule(
    "GW-CMP-22",
    "Honour markers, 4 colours",
    "L12-L185",
    "There are 4 honour markers, one in each colour.",
    unchecked="describes what is in the box; a component set is checked when a match is laid out",
)
CMP_23 = rule(
    "GW-CMP-23",
    "Universal honour tokens",
    "L12-L185",
    "There are 5 honour tokens for anybody's use. One side shows 100; the rulebook does not say what is "
    "on the other.",
    unchecked="describes what is in the box; a component set is checked when a match is laid out",
)
CMP_24 = rule(
    "GW-CMP-24",
    "Resource tokens",
    "L12-L185",
    "Of wood, stone, gold and chi there are 50 tokens each.",
    unchecked="describes what is in the box; a component set is checked when a match is laid out",
)
CMP_25 = rule(
    "GW-CMP-25",
    "Wound markers",
    "L12-L185",
    "There are 30 wound markers.",
    unchecked="describes what is in the box; a component set is checked when a match is laid out",
)
CMP_26 = rule(
    "GW-CMP-26",
    "Shame tokens",
    "L12-L185",
    "There are 50 shame tokens.",
    unchecked="describes what is in the box; a component set is checked when a match is laid out",
)
CMP_27 = rule(
    "GW-CMP-27",
    "A time token with two sides",
    "L12-L185",
    "There is 1 time token. One side is blank, the other shows +1.",
    unchecked="describes what is in the box; a component set is checked when a match is laid out",
)
CMP_28 = rule(
    "GW-CMP-28",
    "Player screens",
    "L12-L185",
    "There are 4 player screens.",
    unchecked="describes what is in the box; a component set is checked when a match is laid out",
)
CMP_29 = rule(
    "GW-CMP-29",
    "Barricades",
    "L12-L185",
    "There are 9 barricades.",
    unchecked="describes what is in the box; a component set is checked when a match is laid out",
)
CMP_30 = rule(
    "GW-CMP-30",
    "Wall tiles",
    "L12-L185",
    "There are 3 wall tiles of each of the levels 1, 2 and 3.",
    unchecked="describes what is in the box; a component set is checked when a match is laid out",
)
CMP_31 = rule(
    "GW-CMP-31",
    "Sticker sheets (no rules meaning)",
    "L12-L185",
    "Two sticker sheets, without a meaning for the rules.",
    unchecked="describes what is in the box; a component set is checked when a match is laid out",
)
