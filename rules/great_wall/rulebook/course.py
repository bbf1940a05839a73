"""Rules on questions, the year, its end, time and tea."""

from rules.great_wall.rulebook.make import rule

TIM_01 = rule(
    "GW-TIM-01",
    "The time track",
    "L426",
    "Each slot shows the year, the mortality value and the number of new hordes for Spring.",
    unchecked="happens of itself, and no move can do otherwise",
)
TIM_02 = rule(
    "GW-TIM-02",
    "Mortality",
    "L432-L437",
    "Mortality M applies when a horde is defeated and when a section is breached. For each such horde "
    "card, each player with soldiers on that card has min(M, own soldiers on it) of them killed. A "
    "horseman is one soldier.",
    unchecked="happens of itself, and no move can do otherwise",
)
TIM_03 = rule(
    "GW-TIM-03",
    "Killed soldiers",
    "L437",
    "Killed soldiers go to their owner's reserve.",
    unchecked="happens of itself, and no move can do otherwise",
)
TIM_04 = rule(
    "GW-TIM-04",
    "Saved soldiers",
    "L439, L640",
    "Saved soldiers go to the rest zone of the same section.",
    unchecked="happens of itself, and no move can do otherwise",
)
TIM_05 = rule(
    "GW-TIM-05",
    "Survivors",
    "L441, L732",
    "In a breach, soldiers neither killed nor saved stay on the card. In a defeat they go to the rest "
    "zone (L715).",
    unchecked="happens of itself, and no move can do otherwise",
)
TEA_01 = rule(
    "GW-TEA-01",
    "Tea order",
    "L443-L461",
    "Tea order = the stack from top to bottom.",
    unchecked="happens of itself, and no move can do otherwise",
)
TEA_02 = rule(
    "GW-TEA-02",
    "What tea order decides",
    "L453",
    "Any effect that involves several players is resolved in tea order; any tie between players goes to "
    "the higher marker.",
    unchecked="happens of itself, and no move can do otherwise",
)
TEA_03 = rule(
    "GW-TEA-03",
    "Every place that tea order decides",
    "L443-L461",
    "The first stack, Summer recovery, placing strategies, effects for others, resolving a location and "
    "each of its production steps, the embassy, the tea house, winter firing, tied claims, the final "
    "tie, the overlord, and anything else where order could matter.",
    unchecked="happens of itself, and no move can do otherwise",
)
TEA_04 = rule(
    "GW-TEA-04",
    "What changes tea order",
    "L443-L461",
    "It changes only through the tea house and card effects.",
    unchecked="happens of itself, and no move can do otherwise",
)
TEA_05 = rule(
    "GW-TEA-05",
    "Tea order in co-op",
    "L1110",
    "Co-op: it no longer fixes the order of clerk actions (players agree); it still breaks claim ties "
    "(L1110).",
    unchecked="gives freedom and forbids nothing",
)
SPR_01 = rule(
    "GW-SPR-01",
    "A year passes",
    "L759",
    "Time token to the next slot.",
    unchecked="happens of itself, and no move can do otherwise",
)
SPR_02 = rule(
    "GW-SPR-02",
    "Spring brings hordes",
    "L760",
    "As many new hordes come as the time slot shows.",
    unchecked="happens of itself, and no move can do otherwise",
)
SPR_03 = rule(
    "GW-SPR-03",
    "Advisors change",
    "L761",
    "Advisor track: discard the 2 leftmost, slide the other 2 left, draw 2 on the right. (Solo: GW-SOL-27.)",
    unchecked="happens of itself, and no move can do otherwise",
)
SUM_01 = rule(
    "GW-SUM-01",
    "Income",
    "L767",
    "Foreman income: for each own foreman gain that location's resource equal to its level. Generals "
    "give none (L769).",
    unchecked="happens of itself, and no move can do otherwise",
)
SUM_02 = rule(
    "GW-SUM-02",
    "Shame in Summer",
    "L771",
    "Discard shame: 2 chi each, any number; after the income, so the chi just gained counts. (Co-op: 10 "
    "honour each.)",
    unchecked="happens of itself, and no move can do otherwise",
)
SUM_03 = rule(
    "GW-SUM-03",
    "The strategy track is cleared",
    "L773",
    "All cards on the strategy track go to the strategy discard.",
    unchecked="happens of itself, and no move can do otherwise",
)
SUM_04 = rule(
    "GW-SUM-04",
    "Recover or take honour",
    "L775",
    "In tea order each player either takes back all own cards from the strategy discard or gains 2 "
    "honour per own card there (cards stay). The cards cleared in step 3 are already in the discard. "
    "(Co-op: no such step.)",
)
AUT_01 = rule(
    "GW-AUT-01",
    "Picking a strategy",
    "L781",
    "Each player secretly picks 1 strategy card; all reveal together.",
)
AUT_02 = rule(
    "GW-AUT-02",
    "Placing a strategy",
    "L783",
    "In tea order each places the card on a free space of the strategy track.",
)
AUT_03 = rule(
    "GW-AUT-03",
    "Turns",
    "L785",
    "Turns go in track order. A turn is the strategy step (card effects from top to bottom), the "
    "activation step, the defeat check, and the end of the turn.",
    unchecked="happens of itself, and no move can do otherwise",
)
WIN_01 = rule(
    "GW-WIN-01",
    "Firing",
    "L803",
    "Sections left to right; in each, players in tea order; every archer in a firing slot wounds 1 "
    "empty spot of a horde of its section. Resting archers never fire. Mandatory (L803; so too); an "
    "archer with no spot left to wound does nothing.",
    unchecked="happens of itself, and no move can do otherwise",
)
WIN_02 = rule(
    "GW-WIN-02",
    "The check after firing",
    "L807",
    "After the firing step every horde whose spots are all covered is defeated.",
    unchecked="happens of itself, and no move can do otherwise",
)
WIN_03 = rule(
    "GW-WIN-03",
    "The assault",
    "L811-L819",
    "Sections left to right: defence = wall defence + 2 × barricades (+ abilities); power = sum of the "
    "hordes' power (+ abilities). Defence ≥ power: holds. Power > defence: breach before "
    "the next section.",
    unchecked="happens of itself, and no move can do otherwise",
)
WIN_04 = rule(
    "GW-WIN-04",
    "Barricades go",
    "L821",
    "After all sections: discard all barricades (not the 3 on a closed section, L866/L932).",
    unchecked="happens of itself, and no move can do otherwise",
)
WIN_05 = rule(
    "GW-WIN-05",
    "The end check",
    "L823-L831",
    "If an end condition holds the match is over and scored; otherwise the next year begins.",
    unchecked="happens of itself, and no move can do otherwise",
)
END_01 = rule(
    "GW-END-01",
    "Checked at the end of Winter",
    "L835",
    "Checked only at the end of Winter, even if met earlier.",
    unchecked="happens of itself, and no move can do otherwise",
)
END_02 = rule(
    "GW-END-02",
    "How a match ends",
    "L823-L831",
    "The game ends if any holds: (a) 3 walls at level 3 (2 walls in a 3-player game; also 2 with the "
    "Reed Clan, where only 2 sections exist); (b) shame pool empty; (c) time token on the last slot.",
    unchecked="happens of itself, and no move can do otherwise",
)
SCO_01 = rule(
    "GW-SCO-01",
    "Shame costs honour",
    "L849",
    "A. -5 per shame token under own soldiers, not below 0 by this step.",
    unchecked="happens of itself, and no move can do otherwise",
)
SCO_02 = rule(
    "GW-SCO-02",
    "Hordes give honour",
    "L851",
    "B. + reward of each own claimed horde without shame.",
    unchecked="happens of itself, and no move can do otherwise",
)
SCO_03 = rule(
    "GW-SCO-03",
    "Artefacts give honour",
    "L853",
    "C. + honour from the 3 artefacts.",
    unchecked="happens of itself, and no move can do otherwise",
)
SCO_04 = rule(
    "GW-SCO-04",
    "Who wins",
    "L855-L857",
    "Most honour wins; tie → tea order. The order a, b, c matters because of the floor in a.",
    unchecked="happens of itself, and no move can do otherwise",
)
ASK_02 = rule(
    "GW-ASK-02",
    "Who may move",
    "digest, section 24",
    "Only who is awaited moves, and nobody once the match is over.",
)
ASK_03 = rule(
    "GW-ASK-03",
    "A move answers the open question",
    "digest, section 24",
    "A move answers the open question.",
)
ASK_01 = rule(
    "GW-ASK-01",
    "Nothing leaks by asking",
    "digest, section 24",
    "A seat is asked whenever public facts leave it a choice. A question is never skipped because of "
    "somebody's resources or tactics, and tactics are played only in answer to a question that their "
    "holder is asked anyway.",
    unchecked="says when a question is asked; no move can break it",
)
