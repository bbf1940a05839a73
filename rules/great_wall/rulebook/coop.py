"""Rules on playing together."""

from rules.great_wall.rulebook.make import rule

COP_01 = rule(
    "GW-COP-01",
    "The co-op time token",
    "L1061",
    "Time token +1 side up. No artefacts.",
    unchecked="follows of itself, and no move can do otherwise",
)
COP_02 = rule(
    "GW-COP-02",
    "Requests are laid out",
    "L1062",
    "Shuffle 12 requests; 3 face up in the artefact slots.",
)
COP_03 = rule(
    "GW-COP-03",
    "Co-op hordes",
    "L1063-L1064",
    "Co-op horde deck only; place players + 1 hordes by GW-INV.",
    unchecked="follows of itself, and no move can do otherwise",
)
COP_04 = rule(
    "GW-COP-04",
    "Co-op tactics and generals",
    "L1065-L1066",
    "Add 12 co-op tactics (32) and 8 co-op generals (21).",
    unchecked="follows of itself, and no move can do otherwise",
)
COP_05 = rule(
    "GW-COP-05",
    "The event deck",
    "L1067",
    "Shuffle 12 events.",
    unchecked="follows of itself, and no move can do otherwise",
)
COP_06 = rule(
    "GW-COP-06",
    "Requests for two players",
    "L1133",
    "2 players: first remove 4 named requests (warriors for the guard; royal escort; glory to the "
    "Emperor; taunt and triumph), draw 2, never use the third slot.",
    unchecked="follows of itself, and no move can do otherwise",
)
COP_07 = rule(
    "GW-COP-07",
    "Active requests",
    "L1046-L1152",
    "Never more than 3 active (2 with 2 players).",
    unchecked="follows of itself, and no move can do otherwise",
)
COP_08 = rule(
    "GW-COP-08",
    "When requests are fulfilled",
    "L1073",
    "Fulfilled only in the fulfilment step, just before the end check.",
)
COP_09 = rule(
    "GW-COP-09",
    "Fulfilling a request",
    "L1075-L1077",
    '"All players" requirements: everyone at once, each from own means; no sharing; full payment in one '
    "go. Then discard the request (count +1).",
)
COP_10 = rule(
    "GW-COP-10",
    "Sacrifice",
    "L1081",
    "Sacrifice = remove from the game for good.",
    unchecked="follows of itself, and no move can do otherwise",
)
COP_11 = rule(
    "GW-COP-11",
    "The request step",
    "L1085",
    "Request step (after the end check): each player gains 1 shame per request still lying there; then "
    "fill empty slots.",
    unchecked="follows of itself, and no move can do otherwise",
)
COP_12 = rule(
    "GW-COP-12",
    "Events",
    "L1046-L1152",
    "Event step (after the request step): reveal 1; do its immediate effect; its passive effect lasts "
    "all game. Events are never discarded.",
)
COP_13 = rule(
    "GW-COP-13",
    "Secret picks, free placing",
    "L1106",
    "Strategy cards secret and simultaneous; after the reveal, free talk, and players may plan the "
    "track order.",
    unchecked="gives freedom and forbids nothing",
)
COP_14 = rule(
    "GW-COP-14",
    "Free order",
    "L1110, L1548",
    "Clerk actions in any agreed order; claims still by tea.",
    unchecked="gives freedom and forbids nothing",
)
COP_15 = rule(
    "GW-COP-15",
    "No shame on hordes",
    "L1533",
    "Shame never goes on horde cards (icons lost; no other reading fits the sentence).",
)
COP_16 = rule(
    "GW-COP-16",
    "Shedding shame for honour",
    "L1114-L1117",
    "No chi for shame. Lose 10 honour to shed one token: at once when gained, or in Summer.",
)
COP_17 = rule(
    "GW-COP-17",
    "No recovery in Summer",
    "L1121",
    "No Summer recover step.",
)
COP_18 = rule(
    "GW-COP-18",
    "Recovering after a wall part",
    "L1125",
    "Each time a player builds a wall part, that player may take back 1 own strategy card from the discard.",
)
COP_19 = rule(
    "GW-COP-19",
    "One horde more",
    "L1129",
    "One extra horde each invasion. The text says Summer; invasions are in Spring.",
    unchecked="follows of itself, and no move can do otherwise",
)
COP_20 = rule(
    "GW-COP-20",
    "The co-op Winter",
    "L1137-L1144",
    "Winter order (L1137–L1144): firing, assault, fulfilment, end check, request step, event step.",
    unchecked="follows of itself, and no move can do otherwise",
)
COP_21 = rule(
    "GW-COP-21",
    "The co-op win",
    "L1052-L1055, L1150",
    "Win: 6 / 7 / 9 requests (2 / 3 / 4 players) fulfilled at the end check. Walls do not end the game.",
    unchecked="follows of itself, and no move can do otherwise",
)
COP_22 = rule(
    "GW-COP-22",
    "A gain from an empty pool",
    "L1152",
    "A shame gain with an empty pool: all lose immediately, in whatever step; no -5 honour.",
    unchecked="follows of itself, and no move can do otherwise",
)
COP_23 = rule(
    "GW-COP-23",
    "Out of time",
    "L1152",
    "Time token on the last slot at the check without the win: all lose.",
    unchecked="follows of itself, and no move can do otherwise",
)
