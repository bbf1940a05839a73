"""Rules on playing together."""

from rules.great_wall.rulebook.make import rule

COP_01 = rule(
    "GW-COP-01",
    "The co-op time token",
    "L1061",
    "The time token lies with its +1 side up, and there are no artefacts.",
    unchecked="follows of itself, and no move can do otherwise",
)
COP_02 = rule(
    "GW-COP-02",
    "Requests are laid out",
    "L1062",
    "The 12 requests are shuffled, and 3 of them lie open where the artefacts would be.",
)
COP_03 = rule(
    "GW-COP-03",
    "Co-op hordes",
    "L1063-L1064 (AMB-03)",
    "Only the co-op hordes are used. At the start there is one more than there are players, and each is "
    "placed as in an invasion.",
    unchecked="follows of itself, and no move can do otherwise",
)
COP_04 = rule(
    "GW-COP-04",
    "Co-op tactics and generals",
    "L1065-L1066",
    "The 12 co-op tactics join the tactic deck, which makes 32 cards, and the 8 co-op generals make 21 "
    "generals.",
    unchecked="follows of itself, and no move can do otherwise",
)
COP_05 = rule(
    "GW-COP-05",
    "The event deck",
    "L1067",
    "The 12 events are shuffled.",
    unchecked="follows of itself, and no move can do otherwise",
)
COP_06 = rule(
    "GW-COP-06",
    "Requests for two players",
    "L1133",
    "With two players, four requests are taken out before the draw: warriors for the guard, royal "
    "escort, glory to the Emperor, and taunt and triumph. Two are drawn, and the third slot stays empty "
    "for the whole match.",
    unchecked="follows of itself, and no move can do otherwise",
)
COP_07 = rule(
    "GW-COP-07",
    "Active requests",
    "L1046-L1152",
    "At most three requests lie open at a time, or two in a match of two players.",
    unchecked="follows of itself, and no move can do otherwise",
)
COP_08 = rule(
    "GW-COP-08",
    "When requests are fulfilled",
    "L1073",
    "A request can be fulfilled only in its own step of Winter, right before the end check.",
)
COP_09 = rule(
    "GW-COP-09",
    "Fulfilling a request",
    "L1075-L1077",
    "If a request asks something of all players, all give it at the same time, each from what they own. "
    "Nobody can give for another, and it is paid in full or not at all. The request is then discarded "
    "and counts as fulfilled.",
)
COP_10 = rule(
    "GW-COP-10",
    "Sacrifice",
    "L1081 (AMB-43)",
    "What is sacrificed leaves the match and never returns.",
    unchecked="follows of itself, and no move can do otherwise",
)
COP_11 = rule(
    "GW-COP-11",
    "The request step",
    "L1085",
    "After the end check, every player gets one shame for each request that still lies open. New "
    "requests then fill the empty slots.",
    unchecked="follows of itself, and no move can do otherwise",
)
COP_12 = rule(
    "GW-COP-12",
    "Events",
    "L1046-L1152 (AMB-39)",
    "After the requests, one event is turned up. Its immediate effect happens once; its passive effect "
    "stays for the rest of the match, for no event is ever discarded.",
)
COP_13 = rule(
    "GW-COP-13",
    "Secret picks, free placing",
    "L1106 (AMB-29, AMB-57)",
    "All choose their strategies in secret and at the same time. Once the cards are open, players may "
    "talk freely and agree on their order on the track.",
    unchecked="gives freedom and forbids nothing",
)
COP_14 = rule(
    "GW-COP-14",
    "Free order",
    "L1110, L1548 (AMB-54)",
    "Players agree in which order their clerks act. Tea order still decides who claims a horde in a tie.",
    unchecked="gives freedom and forbids nothing",
)
COP_15 = rule(
    "GW-COP-15",
    "No shame on hordes",
    "L1533",
    "No shame token is ever put on a horde card. The icons of that sentence are lost, and this is the "
    "one reading that fits it.",
)
COP_16 = rule(
    "GW-COP-16",
    "Shedding shame for honour",
    "L1114-L1117 (AMB-30, AMB-67)",
    "Chi removes no shame. Instead you may give up 10 honour to be rid of a token, either at the moment "
    "you get it or in Summer.",
)
COP_17 = rule(
    "GW-COP-17",
    "No recovery in Summer",
    "L1121",
    "Nobody recovers strategy cards in Summer.",
)
COP_18 = rule(
    "GW-COP-18",
    "Recovering after a wall part",
    "L1125",
    "For each wall part you build, you may take one of your strategy cards back from the discard.",
)
COP_19 = rule(
    "GW-COP-19",
    "One horde more",
    "L1129 (AMB-31)",
    "Each invasion brings one horde more. The rulebook says Summer here, but hordes come in Spring.",
    unchecked="follows of itself, and no move can do otherwise",
)
COP_20 = rule(
    "GW-COP-20",
    "The co-op Winter",
    "L1137-L1144",
    "Winter runs like this: the archers fire, the hordes assault, requests are fulfilled, the end is "
    "checked, unfulfilled requests bring shame, and an event is turned up.",
    unchecked="follows of itself, and no move can do otherwise",
)
COP_21 = rule(
    "GW-COP-21",
    "The co-op win",
    "L1052-L1055, L1150 (AMB-32)",
    "The players win if enough requests are fulfilled at the end check: 6 with two players, 7 with "
    "three, 9 with four. Finished walls do not end a co-op match.",
    unchecked="follows of itself, and no move can do otherwise",
)
COP_22 = rule(
    "GW-COP-22",
    "A gain from an empty pool",
    "L1152",
    "If anybody must take shame while the pool is empty, all players have lost at that moment, whatever "
    "the step. There is no loss of 5 honour here.",
    unchecked="follows of itself, and no move can do otherwise",
)
COP_23 = rule(
    "GW-COP-23",
    "Out of time",
    "L1152 (AMB-32)",
    "If the time token is on its last slot at the end check and the players have not won, all lose.",
    unchecked="follows of itself, and no move can do otherwise",
)
