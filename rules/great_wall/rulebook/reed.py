"""Rules on two players and the Reed Clan."""

from rules.great_wall.rulebook.make import rule

TWO_01 = rule(
    "GW-2P-01",
    "The closed section",
    "L865-L866",
    "2–3 side; a barricade on each of the 3 horde slots of the left section: closed all game; these "
    "barricades never leave.",
    unchecked="follows of itself, and no move can do otherwise",
)
TWO_02 = rule(
    "GW-2P-02",
    "The Reed Clan",
    "L867",
    "Reed Clan: its strategy card and general card face down between the players; tea marker, 3 clerks "
    "and all 10 spearmen of an unused clan. The rest of that clan leaves the game.",
    unchecked="follows of itself, and no move can do otherwise",
)
TWO_03 = rule(
    "GW-2P-03",
    "Hordes without the left section",
    "L868-L869",
    "Remove horde cards whose back shows the left section; 1 horde in row 1 of centre and right.",
    unchecked="follows of itself, and no move can do otherwise",
)
TWO_04 = rule(
    "GW-2P-04",
    "Six barricades",
    "L870",
    "6 barricades on the two open sections.",
    unchecked="follows of itself, and no move can do otherwise",
)
TWO_05 = rule(
    "GW-2P-05",
    "Reed's clerks at the start",
    "L871",
    "1 Reed clerk in each of sawmill, quarry, gold mine.",
    unchecked="follows of itself, and no move can do otherwise",
)
TWO_06 = rule(
    "GW-2P-06",
    "Tea order with Reed",
    "L872",
    "Tea stack: higher-valued general, other player, Reed at the bottom.",
    unchecked="follows of itself, and no move can do otherwise",
)
TWO_07 = rule(
    "GW-2P-07",
    "What Reed never gains",
    "L876",
    "Reed never gains honour, shame or resources, never saves soldiers, and discards any horde it would "
    "claim.",
    unchecked="follows of itself, and no move can do otherwise",
)
TWO_08 = rule(
    "GW-2P-08",
    "Reed never rests",
    "L877",
    "Reed soldiers never rest: where they would, they go to the Reed reserve.",
    unchecked="follows of itself, and no move can do otherwise",
)
TWO_09 = rule(
    "GW-2P-09",
    "One Reed clerk per location",
    "L879",
    "Always exactly 3 Reed clerks on the board, at most 1 per location. They do not go home after an "
    "activation.",
)
TWO_10 = rule(
    "GW-2P-10",
    "Reed alone activates no special location",
    "L878",
    "A special location whose only clerk is Reed's does not activate.",
)
TWO_11 = rule(
    "GW-2P-11",
    "Reed's strategy card",
    "L880",
    "One strategy card, played every Autumn (so it returns to Reed each Summer); when Reed's turn to "
    "place comes it takes the first free space (L982 says so of every case).",
    unchecked="follows of itself, and no move can do otherwise",
)
TWO_12 = rule(
    "GW-2P-12",
    "The overlord",
    "L882",
    "Reed's actions are made by the overlord = the active player; when Reed itself is active, the top "
    "human in tea order (solo: the higher of human and Qin, GW-SOL-28).",
)
TWO_13 = rule(
    "GW-2P-13",
    "Reed's clerks move",
    "L883",
    'Reed also gets "other players" clerk moves, at its place in tea order; the overlord chooses, '
    "within 1 Reed clerk per location and the normal rules (GW-CLK-03/-04). Reed has no clerk reserve: "
    "every move is from one location to another.",
    unchecked="follows of itself, and no move can do otherwise",
)
TWO_14 = rule(
    "GW-2P-14",
    "Reed is a colour",
    "L405",
    "A Reed clerk counts as a clerk colour: it fills slots, spares a lone player the shame icon (L405 "
    "speaks of colours) and keeps a player from filling the tea house alone (GW-TEH-03).",
    unchecked="follows of itself, and no move can do otherwise",
)
TWO_15 = rule(
    "GW-2P-15",
    "Reed donates",
    "L859-L915",
    "In the donation step 1 unit from the stock goes to the warehouse (no honour)",
    unchecked="follows of itself, and no move can do otherwise",
)
TWO_16 = rule(
    "GW-2P-16",
    "Reed in the temple",
    "L859-L915",
    "The active player discards 1 own shame token of their choice (to the pool), free of chi; nothing "
    "if they have none or Reed is active.",
    unchecked="follows of itself, and no move can do otherwise",
)
TWO_17 = rule(
    "GW-2P-17",
    "Reed in the embassy",
    "L859-L915",
    "Overlord discards any 1 advisor of the track; slide and refill; nobody pays.",
)
TWO_18 = rule(
    "GW-2P-18",
    "Reed builds",
    "L859-L915",
    "1 free barricade where the overlord wants (needs a place)",
)
TWO_19 = rule(
    "GW-2P-19",
    "Reed recruits",
    "L859-L915",
    "1 free spearman; overlord picks an eligible spot (row 1); if none, back to reserve. No reward is "
    "gained.",
    unchecked="follows of itself, and no move can do otherwise",
)
TWO_20 = rule(
    "GW-2P-20",
    "Reed in the academy and logistics",
    "L859-L915",
    "A Reed clerk in the academy or in logistics does nothing.",
    unchecked="follows of itself, and no move can do otherwise",
)
TWO_21 = rule(
    "GW-2P-21",
    "Reed in the tea house",
    "L859-L915",
    "In the tea house Reed rises as any clan.",
    unchecked="follows of itself, and no move can do otherwise",
)
TWO_22 = rule(
    "GW-2P-22",
    "Reed and hordes",
    "L876, L707",
    "Reed soldiers count for the majority (GW-DEF-01); if Reed wins or ties ahead by tea order the card "
    "is discarded. They never spare a human breach shame (GW-BRE-01), and M of them die per card like "
    "anyone's.",
    unchecked="follows of itself, and no move can do otherwise",
)
TWO_23 = rule(
    "GW-2P-23",
    "Reed is no player",
    "L876",
    '"Betrayal" cannot copy Reed\'s card: no player card of that name exists (FAQ #35 is said to forbid '
    "it). Reed is not a player for raids and pool size, nor for requests (it owns nothing to give, "
    "L876).",
    unchecked="follows of itself, and no move can do otherwise",
)
