"""Rules on what is in the box."""

from rules.great_wall.rulebook.make import rule

CMP_01 = rule(
    "GW-CMP-01",
    "Board, two sides (2–3 players / 4 players)",
    "L12-L185",
    "Board, two sides (2–3 players / 4 players): 1.",
    unchecked="describes what is in the box; a component set is checked when a match is laid out",
)
CMP_02 = rule(
    "GW-CMP-02",
    "Clerks",
    "L12-L185",
    "Clerks: 32.",
    unchecked="describes what is in the box; a component set is checked when a match is laid out",
)
CMP_03 = rule(
    "GW-CMP-03",
    "Spearmen",
    "L12-L185",
    "Spearmen: 40.",
    unchecked="describes what is in the box; a component set is checked when a match is laid out",
)
CMP_04 = rule(
    "GW-CMP-04",
    "Archers",
    "L12-L185",
    "Archers: 16.",
    unchecked="describes what is in the box; a component set is checked when a match is laid out",
)
CMP_05 = rule(
    "GW-CMP-05",
    "Horsemen",
    "L12-L185",
    "Horsemen: 8.",
    unchecked="describes what is in the box; a component set is checked when a match is laid out",
)
CMP_06 = rule(
    "GW-CMP-06",
    "Horde cards",
    "L12-L185",
    "Horde cards: 24.",
    unchecked="describes what is in the box; a component set is checked when a match is laid out",
)
CMP_07 = rule(
    "GW-CMP-07",
    "Strategy cards, 4 colours",
    "L12-L185",
    "Strategy cards, 4 colours: 24.",
    unchecked="describes what is in the box; a component set is checked when a match is laid out",
)
CMP_08 = rule(
    "GW-CMP-08",
    "Reed clan strategy card",
    "L12-L185",
    "Reed clan strategy card: 1.",
    unchecked="describes what is in the box; a component set is checked when a match is laid out",
)
CMP_09 = rule(
    "GW-CMP-09",
    "Tactic cards",
    "L12-L185",
    "Tactic cards: 20.",
    unchecked="describes what is in the box; a component set is checked when a match is laid out",
)
CMP_10 = rule(
    "GW-CMP-10",
    "Artefact cards",
    "L12-L185",
    "Artefact cards: 5.",
    unchecked="describes what is in the box; a component set is checked when a match is laid out",
)
CMP_11 = rule(
    "GW-CMP-11",
    "Advisor cards",
    "L12-L185",
    "Advisor cards: 44.",
    unchecked="describes what is in the box; a component set is checked when a match is laid out",
)
CMP_12 = rule(
    "GW-CMP-12",
    "General cards",
    "L12-L185",
    "General cards: 13.",
    unchecked="describes what is in the box; a component set is checked when a match is laid out",
)
CMP_13 = rule(
    "GW-CMP-13",
    "Reed clan general cards",
    "L12-L185",
    "Reed clan general cards: 2.",
    unchecked="describes what is in the box; a component set is checked when a match is laid out",
)
CMP_14 = rule(
    "GW-CMP-14",
    "Event cards (co-op)",
    "L12-L185",
    "Event cards (co-op): 12.",
    unchecked="describes what is in the box; a component set is checked when a match is laid out",
)
CMP_15 = rule(
    "GW-CMP-15",
    "Request cards (co-op)",
    "L12-L185",
    "Request cards (co-op): 12.",
    unchecked="describes what is in the box; a component set is checked when a match is laid out",
)
CMP_16 = rule(
    "GW-CMP-16",
    "Co-op horde cards",
    "L12-L185",
    "Co-op horde cards: 24.",
    unchecked="describes what is in the box; a component set is checked when a match is laid out",
)
CMP_17 = rule(
    "GW-CMP-17",
    "Co-op general cards",
    "L12-L185",
    "Co-op general cards: 8.",
    unchecked="describes what is in the box; a component set is checked when a match is laid out",
)
CMP_18 = rule(
    "GW-CMP-18",
    "Co-op tactic cards",
    "L12-L185",
    "Co-op tactic cards: 12.",
    unchecked="describes what is in the box; a component set is checked when a match is laid out",
)
CMP_19 = rule(
    "GW-CMP-19",
    "Solo general card",
    "L12-L185",
    "Solo general card: 1.",
    unchecked="describes what is in the box; a component set is checked when a match is laid out",
)
CMP_20 = rule(
    "GW-CMP-20",
    "Solo strategy cards",
    "L12-L185",
    "Solo strategy cards: 6.",
    unchecked="describes what is in the box; a component set is checked when a match is laid out",
)
CMP_21 = rule(
    "GW-CMP-21",
    "Tea markers, 4 colours",
    "L12-L185",
    "Tea markers, 4 colours: 4.",
    unchecked="describes what is in the box; a component set is checked when a match is laid out",
)
CMP_22 = rule(
    "GW-CMP-22",
    "Honour markers, 4 colours",
    "L12-L185",
    "Honour markers, 4 colours: 4.",
    unchecked="describes what is in the box; a component set is checked when a match is laid out",
)
CMP_23 = rule(
    "GW-CMP-23",
    "Universal honour tokens, two-sided (one side reads 100, l1044; other side not given)",
    "L12-L185",
    "Universal honour tokens, two-sided (one side reads 100, l1044; other side not given): 5.",
    unchecked="describes what is in the box; a component set is checked when a match is laid out",
)
CMP_24 = rule(
    "GW-CMP-24",
    "Wood / stone / gold / chi tokens",
    "L12-L185",
    "Wood / stone / gold / chi tokens: 50 each.",
    unchecked="describes what is in the box; a component set is checked when a match is laid out",
)
CMP_25 = rule(
    "GW-CMP-25",
    "Wound markers",
    "L12-L185",
    "Wound markers: 30.",
    unchecked="describes what is in the box; a component set is checked when a match is laid out",
)
CMP_26 = rule(
    "GW-CMP-26",
    "Shame tokens",
    "L12-L185",
    "Shame tokens: 50.",
    unchecked="describes what is in the box; a component set is checked when a match is laid out",
)
CMP_27 = rule(
    "GW-CMP-27",
    "Time token, two-sided (blank / +1)",
    "L12-L185",
    "Time token, two-sided (blank / +1): 1.",
    unchecked="describes what is in the box; a component set is checked when a match is laid out",
)
CMP_28 = rule(
    "GW-CMP-28",
    "Player screens",
    "L12-L185",
    "Player screens: 4.",
    unchecked="describes what is in the box; a component set is checked when a match is laid out",
)
CMP_29 = rule(
    "GW-CMP-29",
    "Barricades",
    "L12-L185",
    "Barricades: 9.",
    unchecked="describes what is in the box; a component set is checked when a match is laid out",
)
CMP_30 = rule(
    "GW-CMP-30",
    "Wall tiles level 1 / 2 / 3",
    "L12-L185",
    "Wall tiles level 1 / 2 / 3: 3 / 3 / 3.",
    unchecked="describes what is in the box; a component set is checked when a match is laid out",
)
CMP_31 = rule(
    "GW-CMP-31",
    "Sticker sheets (no rules meaning)",
    "L12-L185",
    "Two sticker sheets, without a meaning for the rules.",
    unchecked="describes what is in the box; a component set is checked when a match is laid out",
)
