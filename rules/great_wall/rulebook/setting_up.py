"""Rules on laying out a match for three or four players."""

from rules.great_wall.rulebook.make import rule

SET_01 = rule(
    "GW-SET-01",
    "The side of the board",
    "L306",
    "The board lies with the side up that fits the number of players.",
    unchecked="the table is laid out so before the first move",
)
SET_02 = rule(
    "GW-SET-02",
    "The shame pool",
    "L307 (AMB-01, AMB-33)",
    "The shame pool has ten tokens for each player, and the others go back in the box. Wood, stone, "
    "gold, chi, wounds and honour tokens lie where all can reach them, with the wall tiles next to "
    "them.",
    unchecked="the table is laid out so before the first move",
)
SET_03 = rule(
    "GW-SET-03",
    "The time token",
    "L308",
    "The time token begins, with its blank side up, on the slot that shows the number of players.",
    unchecked="the table is laid out so before the first move",
)
SET_04 = rule(
    "GW-SET-04",
    "Three artefacts",
    "L312",
    "Three of the five artefacts are drawn at random and lie open in their slots. The other two are not "
    "used.",
    unchecked="a move names three different artefacts of five, any of which may come",
)
SET_05 = rule(
    "GW-SET-05",
    "A clan for each player",
    "L313 (AMB-37)",
    "Each player takes a clan with a screen, an honour marker and a tea marker. A clan has 6 strategy "
    "cards, 8 clerks, 10 spearmen, 4 archers and 2 horsemen.",
    unchecked="the table is laid out so before the first move",
)
SET_06 = rule(
    "GW-SET-06",
    "The horde deck",
    "L314",
    "The 24 hordes are shuffled into a deck, face down.",
    unchecked="the table is laid out so before the first move",
)
SET_07 = rule(
    "GW-SET-07",
    "The first hordes",
    "L315 (AMB-02)",
    "Each section begins with one open horde in line 1. Four players add another one, in the section "
    "that the back of the next horde card shows.",
    unchecked="the table is laid out so before the first move",
)
SET_08 = rule(
    "GW-SET-08",
    "Barricades at the start",
    "L319",
    "Each section begins with three barricades, so all nine are on the board.",
    unchecked="the table is laid out so before the first move",
)
SET_09 = rule(
    "GW-SET-09",
    "The tactic deck",
    "L320",
    "The tactic cards are shuffled into a deck.",
    unchecked="the table is laid out so before the first move",
)
SET_10 = rule(
    "GW-SET-10",
    "Generals are dealt",
    "L321",
    "The generals are shuffled, and every player gets two in secret.",
)
SET_11 = rule(
    "GW-SET-11",
    "Advisors are dealt",
    "L322",
    "The advisors are shuffled, and every player gets two in secret.",
)
SET_12 = rule(
    "GW-SET-12",
    "Choosing a general and an active advisor",
    "L323-L325 (AMB-36)",
    "All players choose at the same time. You keep one of your two generals, and all others are out of "
    "the match. Of your two advisors, one becomes active and lies open; the other becomes an assistant, "
    "face down under the general with the symbol on its back in sight.",
)
SET_13 = rule(
    "GW-SET-13",
    "The advisor track",
    "L329",
    "The advisors that were not dealt form a deck, and four of them lie open on the advisor track.",
)
SET_14 = rule(
    "GW-SET-14",
    "Clerks at the start",
    "L331",
    "Three of your clerks begin in the clerk space, the other five in your reserve.",
    unchecked="the table is laid out so before the first move",
)
SET_15 = rule(
    "GW-SET-15",
    "Resources and tactics at the start",
    "L333",
    "You take the resources that your general shows, hide them behind your screen, and draw as many "
    "tactics as the general says.",
    unchecked="the table is laid out so before the first move",
)
SET_16 = rule(
    "GW-SET-16",
    "What is secret",
    "L335",
    "Players keep only their resources and their hands secret, and nobody knows the order of a deck. "
    "All else may be seen by everybody.",
    unchecked="says what views hide",
)
SET_17 = rule(
    "GW-SET-17",
    "Honour at the start",
    "L337",
    "All honour markers begin at 0.",
    unchecked="the table is laid out so before the first move",
)
SET_18 = rule(
    "GW-SET-18",
    "The first tea order",
    "L338, L449",
    "The tea markers are stacked by the tea value of the generals, with the highest value on top.",
    unchecked="the table is laid out so before the first move",
)
SET_19 = rule(
    "GW-SET-19",
    "The first year begins in Autumn",
    "L339, L753",
    "The first year has no Spring and no Summer: play begins with its Autumn.",
    unchecked="the table is laid out so before the first move",
)
