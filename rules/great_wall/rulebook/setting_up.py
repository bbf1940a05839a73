"""Rules on laying out a match for three or four players."""

from rules.great_wall.rulebook.make import rule

SET_01 = rule(
    "GW-SET-01",
    "The side of the board",
    "L306",
    "Use the board side for the player count.",
    unchecked="the table is laid out so before the first move",
)
SET_02 = rule(
    "GW-SET-02",
    "The shame pool",
    "L307",
    "Shame pool = 10 × players; the other shame tokens leave the game. Make public stocks of wood, "
    "stone, gold, chi, wounds, universal honour. Wall tiles beside the stocks.",
    unchecked="the table is laid out so before the first move",
)
SET_03 = rule(
    "GW-SET-03",
    "The time token",
    "L308",
    "Time token, blank side up, on the start slot marked with the player count.",
    unchecked="the table is laid out so before the first move",
)
SET_04 = rule(
    "GW-SET-04",
    "Three artefacts",
    "L312",
    "Shuffle the 5 artefacts; 3 random ones face up in the artefact slots; 2 leave the game.",
    unchecked="a move names three different artefacts of five, any of which may come",
)
SET_05 = rule(
    "GW-SET-05",
    "A clan for each player",
    "L313",
    "Each player picks a clan: 6 strategy cards, 8 clerks, 10 spearmen, 4 archers, 2 horsemen, screen, "
    "honour marker, tea marker.",
    unchecked="the table is laid out so before the first move",
)
SET_06 = rule(
    "GW-SET-06",
    "The horde deck",
    "L314",
    "Shuffle the 24 horde cards face down.",
    unchecked="the table is laid out so before the first move",
)
SET_07 = rule(
    "GW-SET-07",
    "The first hordes",
    "L315",
    "One horde face up in row 1 of each section. With 4 players, one more, placed by the invasion "
    "indicator on the back of the next horde card (GW-INV-03).",
    unchecked="the table is laid out so before the first move",
)
SET_08 = rule(
    "GW-SET-08",
    "Barricades at the start",
    "L319",
    "9 barricades, one on each barricade slot (3 per section).",
    unchecked="the table is laid out so before the first move",
)
SET_09 = rule(
    "GW-SET-09",
    "The tactic deck",
    "L320",
    "Shuffle the tactic deck.",
    unchecked="the table is laid out so before the first move",
)
SET_10 = rule(
    "GW-SET-10",
    "Generals are dealt",
    "L321",
    "Shuffle generals; deal 2 face down to each player.",
)
SET_11 = rule(
    "GW-SET-11",
    "Advisors are dealt",
    "L322",
    "Shuffle advisors; deal 2 face down to each player.",
)
SET_12 = rule(
    "GW-SET-12",
    "Choosing a general and an active advisor",
    "L323-L325",
    "Simultaneously each player keeps 1 general (placed in front of them) and gives up the other; then "
    "makes one dealt advisor active (face up) and the other assistant (face down under the general, "
    "back symbol visible). All other generals leave the game.",
)
SET_13 = rule(
    "GW-SET-13",
    "The advisor track",
    "L329",
    "Remaining advisors are the advisor deck; deal 4 face up on the advisor track.",
)
SET_14 = rule(
    "GW-SET-14",
    "Clerks at the start",
    "L331",
    "Each player puts 3 clerks in the clerk space; 5 stay in the reserve (L475).",
    unchecked="the table is laid out so before the first move",
)
SET_15 = rule(
    "GW-SET-15",
    "Resources and tactics at the start",
    "L333",
    "Each player takes the resources printed on the general (behind the screen) and draws the printed "
    "number of tactic cards.",
    unchecked="the table is laid out so before the first move",
)
SET_16 = rule(
    "GW-SET-16",
    "What is secret",
    "L335",
    "Only resources, decks and hands are secret; everything else is public.",
    unchecked="says what views hide",
)
SET_17 = rule(
    "GW-SET-17",
    "Honour at the start",
    "L337",
    "Honour markers at 0.",
    unchecked="the table is laid out so before the first move",
)
SET_18 = rule(
    "GW-SET-18",
    "The first tea order",
    "L338, L449",
    "Stack tea markers by the generals' starting tea value, highest on top.",
    unchecked="the table is laid out so before the first move",
)
SET_19 = rule(
    "GW-SET-19",
    "The first year begins in Autumn",
    "L339, L753",
    "Year 1 begins in Autumn; no Spring or Summer that year.",
    unchecked="the table is laid out so before the first move",
)
