"""Rules on questions, the year, its end, time and tea."""

from rules.great_wall.rulebook.make import rule

TIM_01 = rule(
    "GW-TIM-01",
    "The time track",
    "L426",
    "The slot with the time token shows which year it is, how high mortality is, and how many hordes "
    "come in Spring.",
    unchecked="happens of itself, and no move can do otherwise",
)
TIM_02 = rule(
    "GW-TIM-02",
    "Mortality",
    "L432-L437 (AMB-46)",
    "Mortality counts when a horde falls and when a section is breached. On each horde card concerned, "
    "every player loses as many soldiers as mortality says, or all they have there if they have fewer. "
    "A horseman is one soldier.",
    unchecked="happens of itself, and no move can do otherwise",
)
TIM_03 = rule(
    "GW-TIM-03",
    "Killed soldiers",
    "L437",
    "A soldier that is killed goes back to its owner's reserve.",
    unchecked="happens of itself, and no move can do otherwise",
)
TIM_04 = rule(
    "GW-TIM-04",
    "Saved soldiers",
    "L439, L640",
    "A soldier that is saved goes to the rest zone of its section.",
    unchecked="happens of itself, and no move can do otherwise",
)
TIM_05 = rule(
    "GW-TIM-05",
    "Survivors",
    "L441, L732 (AMB-05)",
    "Soldiers that need not die stay on their card in a breach. If their horde is defeated, they go to "
    "the rest zone instead.",
    unchecked="happens of itself, and no move can do otherwise",
)
TEA_01 = rule(
    "GW-TEA-01",
    "Tea order",
    "L443-L461",
    "The stack of tea markers, read downwards from its top, is the tea order.",
    unchecked="happens of itself, and no move can do otherwise",
)
TEA_02 = rule(
    "GW-TEA-02",
    "What tea order decides",
    "L453",
    "When something concerns several players, they act in tea order. When players are tied, the one "
    "whose marker is higher comes first.",
    unchecked="happens of itself, and no move can do otherwise",
)
TEA_03 = rule(
    "GW-TEA-03",
    "Every place that tea order decides",
    "L443-L461",
    "Tea order decides who goes first when cards are recovered in Summer, when strategies are placed, "
    "in effects for others, at a location and in each step of its production, at the embassy and in the "
    "tea house, and when archers fire in Winter. It also settles tied claims, a tie at the end, who is "
    "overlord, and whatever else may depend on an order. The first stack comes from the generals.",
    unchecked="happens of itself, and no move can do otherwise",
)
TEA_04 = rule(
    "GW-TEA-04",
    "What changes tea order",
    "L443-L461",
    "Only the tea house and effects of cards change the tea order.",
    unchecked="happens of itself, and no move can do otherwise",
)
TEA_05 = rule(
    "GW-TEA-05",
    "Tea order in co-op",
    "L1110 (AMB-54)",
    "In co-op, players agree on the order in which their clerks act. Tea order still decides a tied claim.",
    unchecked="gives freedom and forbids nothing",
)
SPR_01 = rule(
    "GW-SPR-01",
    "A year passes",
    "L759",
    "The time token goes one slot further.",
    unchecked="happens of itself, and no move can do otherwise",
)
SPR_02 = rule(
    "GW-SPR-02",
    "Spring brings hordes",
    "L760",
    "The new time slot shows how many hordes arrive.",
    unchecked="happens of itself, and no move can do otherwise",
)
SPR_03 = rule(
    "GW-SPR-03",
    "Advisors change",
    "L761",
    "The two advisors furthest left are discarded, the other two move left, and two new ones are drawn "
    "for the right. In the solo game Qin gets one of the two that leave.",
    unchecked="happens of itself, and no move can do otherwise",
)
SUM_01 = rule(
    "GW-SUM-01",
    "Income",
    "L767",
    "Each foreman brings its owner as many units of its location's resource as its level. Generals "
    "bring no income.",
    unchecked="happens of itself, and no move can do otherwise",
)
SUM_02 = rule(
    "GW-SUM-02",
    "Shame in Summer",
    "L771",
    "You may then get rid of any number of shame tokens for 2 chi each, also with chi from this income. "
    "In co-op each costs 10 honour instead.",
    unchecked="gives a choice; a token without the price breaks GW-SHM-07, in co-op GW-COP-16",
)
SUM_03 = rule(
    "GW-SUM-03",
    "The strategy track is cleared",
    "L773",
    "The strategy track is emptied: its cards are discarded.",
    unchecked="happens of itself, and no move can do otherwise",
)
SUM_04 = rule(
    "GW-SUM-04",
    "Recover or take honour",
    "L775 (AMB-20, AMB-68)",
    "One after another in tea order, players choose. You take all your strategy cards back from the "
    "discard, or you leave them there and get 2 honour for each. Cards that have just left the track "
    "count too. In co-op there is no such choice.",
)
AUT_01 = rule(
    "GW-AUT-01",
    "Picking a strategy",
    "L781 (AMB-57)",
    "Everybody chooses one strategy card in secret, and the cards are turned up at the same time.",
)
AUT_02 = rule(
    "GW-AUT-02",
    "Placing a strategy",
    "L783 (AMB-04, AMB-29)",
    "One after another in tea order, players put their cards on the strategy track, each on any space "
    "that is still free.",
)
AUT_03 = rule(
    "GW-AUT-03",
    "Turns",
    "L785",
    "Turns follow the order of the track. In your turn your card takes effect from top to bottom, "
    "locations activate, full hordes are defeated, and the turn ends.",
    unchecked="happens of itself, and no move can do otherwise",
)
WIN_01 = rule(
    "GW-WIN-01",
    "Firing",
    "L803 (AMB-21)",
    "Go through the sections from the left, and in each through the players in tea order. Each archer "
    "in a firing slot must wound one empty spot on a horde of its section; if there is none, it does "
    "nothing. Archers in a rest zone do not fire.",
    unchecked="happens of itself, and no move can do otherwise",
)
WIN_02 = rule(
    "GW-WIN-02",
    "The check after firing",
    "L807",
    "When all have fired, each horde whose spots are all covered is defeated.",
    unchecked="happens of itself, and no move can do otherwise",
)
WIN_03 = rule(
    "GW-WIN-03",
    "The assault",
    "L811-L819",
    "Go through the sections from the left. The wall's defence and 2 for each barricade stand against "
    "the power of all hordes there together, and abilities may change either. If the hordes have more, "
    "they breach the section, and this is carried out before the next section. If not, the section "
    "holds.",
    unchecked="happens of itself, and no move can do otherwise",
)
WIN_04 = rule(
    "GW-WIN-04",
    "Barricades go",
    "L821",
    "When every section has been assaulted, all barricades go, except the three that close a section "
    "for the whole match.",
    unchecked="happens of itself, and no move can do otherwise",
)
WIN_05 = rule(
    "GW-WIN-05",
    "The end check",
    "L823-L831",
    "If the match is to end, it is over now and is scored. If not, a new year begins.",
    unchecked="happens of itself, and no move can do otherwise",
)
END_01 = rule(
    "GW-END-01",
    "Checked at the end of Winter",
    "L835",
    "The end is looked at only when Winter is over, even if a condition was fulfilled long before.",
    unchecked="happens of itself, and no move can do otherwise",
)
END_02 = rule(
    "GW-END-02",
    "How a match ends",
    "L823-L831 (AMB-16)",
    "The match ends if three walls have reached level 3, if no shame is left in the pool, or if the "
    "time token is on the last slot. Two such walls are enough with three players, and also with the "
    "Reed Clan, where there are only two sections.",
    unchecked="happens of itself, and no move can do otherwise",
)
SCO_01 = rule(
    "GW-SCO-01",
    "Shame costs honour",
    "L849",
    "First you lose 5 honour for each shame token under your soldiers, though never more than you have.",
    unchecked="happens of itself, and no move can do otherwise",
)
SCO_02 = rule(
    "GW-SCO-02",
    "Hordes give honour",
    "L851",
    "Next you score the reward of each horde you claimed, unless shame lies on it.",
    unchecked="happens of itself, and no move can do otherwise",
)
SCO_03 = rule(
    "GW-SCO-03",
    "Artefacts give honour",
    "L853",
    "Last you score the three artefacts.",
    unchecked="happens of itself, and no move can do otherwise",
)
SCO_04 = rule(
    "GW-SCO-04",
    "Who wins",
    "L855-L857",
    "The player with the most honour wins, and tea order decides a tie. Shame is taken off first, and "
    "since that cannot bring you below 0, the order of these steps matters.",
    unchecked="happens of itself, and no move can do otherwise",
)
ASK_02 = rule(
    "GW-ASK-02",
    "Who may move",
    "digest, section 24",
    "You can move only while the match waits for you, and nobody can once it is over.",
)
ASK_03 = rule(
    "GW-ASK-03",
    "A move answers the open question",
    "digest, section 24",
    "Your move must be an answer to what you are being asked.",
)
ASK_01 = rule(
    "GW-ASK-01",
    "Nothing leaks by asking",
    "digest, section 24",
    "You are asked whenever you could have a choice, as far as anybody at the table can see. What you "
    "hide, your resources and tactics, never makes the match pass over a question. You play tactics "
    "only when you are being asked something anyway.",
    unchecked="says when a question is asked; no move can break it",
)
