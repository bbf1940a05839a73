"""Questions that the rulebook leaves open and that every match answers alike."""

from typing import Final

from rules.kernel.edition import Reading, Ruling


def _settled(name: str, ambiguity: str, question: str, answer: str, why: str) -> Ruling:
    return Ruling(name, ambiguity, question, (Reading("settled", answer),), why)


SETTLED: Final = (
    _settled(
        "fourth-horde",
        "AMB-02",
        "Which back shows where the fourth horde goes at set-up: its own, or that of the card then on top?",
        "That of the card then on top, as in every invasion.",
        "L315 can be read both ways, but L679 insists on the next card.",
    ),
    _settled(
        "survivors",
        "AMB-05",
        "A horde is defeated: where do soldiers go that mortality spares?",
        "To the rest zone of the section.",
        "L715 sends all that are left on the card there.",
    ),
    _settled(
        "clerk-moves",
        "AMB-06",
        "With up to two moves, may a clerk move twice, leave a location that the first move filled, or "
        "stay where it is?",
        "No: each move is of another clerk to another location, and the second is judged after the first.",
        "Two moves are for two clerks, each goes somewhere else, and the second is judged after the "
        "first. A clerk that this effect has just placed cannot be moved by it.",
    ),
    _settled(
        "activation-set",
        "AMB-07",
        "Is it settled at the start of the activation step which locations activate?",
        "No: before each choice one looks again, but no location activates twice in a step.",
        "It makes a difference only if an effect moves clerks during the step.",
    ),
    _settled(
        "advanced-activation",
        "AMB-08",
        "Do the clerks of others take part in an advanced activation, and can it be where nobody stands?",
        "All clerks there take part and go home, and at least one is needed.",
        "L501 names only two differences from a normal activation.",
    ),
    _settled(
        "upgrades-an-activation",
        "AMB-09",
        "How often may a player upgrade in one activation of a production location?",
        "Once, however many clerks the player has there.",
        "L530 speaks of an upgrade in the singular.",
    ),
    _settled(
        "lone-tea-house",
        "AMB-10",
        "How far does a player rise who is alone in a tea house with free slots, by an advanced activation?",
        "By one place.",
        "L560 gives the top place only to a player who filled all slots.",
    ),
    _settled(
        "wall-resources",
        "AMB-11",
        "Which resources may pay for a wall part?",
        "Wood, stone and gold in any mix, as for a barricade, but no chi.",
        "In the example of L601 the builder adds two resources of choice to three stone. The cost on the "
        "tile is part of the component set.",
    ),
    _settled(
        "warehouse-first",
        "AMB-13",
        "May a builder leave something in the warehouse that could be used?",
        "No: what fits in the warehouse is used first, and own resources only complete the cost.",
        "What one owns is used only when nothing that fits is left there. If several things are built "
        "together, the warehouse pays for their whole cost first.",
    ),
    _settled(
        "lowering-in-place",
        "AMB-14",
        "Logistics: may an archer step from its firing slot into the rest zone of the same section?",
        "No: a clerk of logistics moves soldiers to another section only.",
        "L620 has soldiers go to a different section.",
    ),
    _settled(
        "horseman-rewards",
        "AMB-17",
        "Does a horseman bring the reward of one spot or of both?",
        "Of both spots that it covers.",
        "It does on each spot what a spearman would do there.",
    ),
    _settled(
        "several-defeats",
        "AMB-18",
        "How are several hordes handled that fall in one check?",
        "All full cards are noted first, and then handled from the left section to the right and from "
        "line 1 to line 3. A card is finished, and the section has closed up, before the next one, which "
        "counts in the line where it then is. Archers earn honour for every card, and the dead of each "
        "card are dealt with apart.",
        "L717 closes up as part of a defeat, and L642 puts cards together only in a breach.",
    ),
    _settled(
        "who-dies",
        "AMB-19",
        "Who chooses the soldiers that die?",
        "Their owner does.",
        "L646 has effects mean pieces of one's own. It matters only if they are of different kinds.",
    ),
    _settled(
        "summer-choice",
        "AMB-20",
        "May a player refuse both choices of Summer, or stay without cards?",
        "No: one of the two must be taken, and it must be the cards if the hand is empty. A player who "
        "has no card in the discard is not asked.",
        "Without a card in hand no strategy could be chosen in Autumn.",
    ),
    _settled(
        "resting-archers",
        "AMB-21",
        "Winter: may an archer go from the rest zone into a free slot to fire?",
        "No: only archers in slots fire.",
        "L805 could suggest it, but L803 lets only those in slots fire.",
    ),
    _settled(
        "reed-generals",
        "AMB-22",
        "The box has two generals for Reed, but set-up speaks of one: which is it?",
        "The first in the component set.",
        "L76 and L867 do not choose, and it changes nothing in play.",
    ),
    _settled(
        "shame-colours",
        "AMB-23",
        "Does a clerk of Reed or Qin keep a player who is otherwise alone from the shame of the icon?",
        "Yes: a clerk of Reed or Qin is another colour.",
        "L405 asks how many colours there are.",
    ),
    _settled(
        "qin-tokens",
        "AMB-24",
        "Are there four wound markers on Qin's track, or one?",
        "One, so that the track has five tokens.",
        "L942 says four, but in L959 and L961 a single marker means the barracks. Every component set has "
        "these five.",
    ),
    _settled(
        "qin-shortfall",
        "AMB-25",
        "What if the warehouse has too little for a wall that Qin builds?",
        "He gets what is missing for nothing.",
        "L974 lets him use the warehouse but not pay, and L976 has him build all the same. He uses up "
        "wood first, stone next and gold last.",
    ),
    _settled(
        "qin-clerks",
        "AMB-26",
        "Where do Qin's clerks come from when none is in reserve, may they leave a full location, and may "
        "two go to one place?",
        "Each goes to another location, the lowest that still has room. It comes from the reserve if a "
        "clerk is there. If not, it comes from the highest location on his track where he has one, but "
        "not from a full one, from the one it is to go to, or from one that this effect has sent a clerk "
        "to. If no clerk can be taken, nothing moves.",
        "This joins what the rulebook says of Qin with the rules for every clerk.",
    ),
    _settled(
        "coop-placing",
        "AMB-29",
        "Co-op: do players place their strategies freely, or in tea order once they have talked?",
        "Freely, and Reed comes after all of them.",
        "L1106 lets them plan the order together.",
    ),
    _settled(
        "coop-shedding",
        "AMB-30",
        "Co-op: may a player with fewer than 10 honour shed a token?",
        "No: shedding takes 10 honour.",
        "The price is 10 honour, and nobody can pay more than they have.",
    ),
    _settled(
        "coop-extra-horde",
        "AMB-31",
        "Co-op: does the additional horde come in Summer, as printed?",
        "No, in Spring.",
        "L1129 says Summer, but L760 places hordes in Spring, and L1146 leaves both seasons as they are.",
    ),
    _settled(
        "token-supply",
        "AMB-33",
        "Can the 50 tokens of a resource run out?",
        "No: there is always enough of every resource.",
        "The rulebook says only of shame (L420) and of tactics (L383) what happens when there are no "
        "more. Nobody ever gets less because tokens are missing.",
    ),
    _settled(
        "honour-floor",
        "AMB-34",
        "Can a loss during play bring honour below 0?",
        "No, honour never falls below 0.",
        "L420 and L422 do not say, but the track has no numbers below 0.",
    ),
    _settled(
        "discarded-tactics",
        "AMB-35",
        "Can all see the tactics that a player discards over the limit?",
        "Yes: they lie open on the discard.",
        "They lie on a discard pile, and only hands and decks are hidden.",
    ),
    _settled(
        "starting-assistant",
        "AMB-36",
        "May others know which advisor lies face down under a general from the start?",
        "No, only its owner knows.",
        "L325 lays it face down, although L335 makes nearly all else public. Play does not depend on it.",
    ),
    _settled(
        "clan-choice",
        "AMB-37",
        "In which order do players choose their clans?",
        "In the order of the match's header, each takes the next clan of the component set.",
        "All clans are equal, so this changes nothing.",
    ),
    _settled(
        "reed-placing",
        "AMB-38",
        "Where does Reed place its card if it stands between the two players in tea order?",
        "On the first space that is free.",
        "L880 speaks only of Reed above both, but L982 says it of every case.",
    ),
    _settled(
        "empty-decks",
        "AMB-39",
        "What happens when a deck other than that of the tactics is used up?",
        "Discarded hordes, advisors or solo cards are shuffled into a new deck as soon as a card, or the "
        "back of a horde, is needed. If none are discarded, nothing is drawn, and the indicator that was "
        "last seen still holds. Later, when hordes are in the discard again, the new top card is asked "
        "for before the horde. Requests and events just come to an end.",
        "The rulebook reshuffles only tactics.",
    ),
    _settled(
        "archer-without-spot",
        "AMB-40",
        "What if an archer could take a slot, but has nothing to wound in that section?",
        "It takes the slot and wounds nothing, whether it is new or follows an order.",
        "Nothing makes the slot depend on the wound.",
    ),
    _settled(
        "player-icon",
        "AMB-41",
        "Do Reed and Qin count where a card shows the number of players?",
        "No, only humans do.",
        "They are not counted for the shame pool either, unless a match rules so.",
    ),
    _settled(
        "breach-shame",
        "AMB-42",
        "Who gets the shame of a breach if the pool has too little?",
        "Players take it in tea order, each for all hordes from line 1 to line 3 before the next player. "
        "Those who find the pool empty lose honour instead, by GW-SHM-06.",
        "Tea order decides whatever is not decided elsewhere.",
    ),
    _settled(
        "foremen-sacrificed",
        "AMB-43",
        "Can a foreman be sacrificed for a request?",
        "No, unless the request names foremen.",
        "L534 keeps a foreman on the board for good.",
    ),
    _settled(
        "tactic-windows",
        "AMB-44",
        "At what moments can a tactic be played?",
        "At the moment that its card names, which is always one when its holder is being asked something. "
        "Its effect must be over before another is played.",
        "GW-ASK-01 keeps questions from giving away who holds a tactic.",
    ),
    _settled(
        "donating-later",
        "AMB-45",
        "May a player donate who has spent what was collected on an upgrade?",
        "Yes, with a unit of that resource that is still there.",
        "It is enough to have collected some and to have one left.",
    ),
    _settled(
        "horde-mortality",
        "AMB-46",
        "Has a horde card a mortality of its own?",
        "No, the time slot shows mortality, and abilities can change it for a card.",
        "L437 could be read otherwise, but no such number is described.",
    ),
    _settled(
        "betrayal",
        "AMB-47",
        "What does Betrayal do?",
        "It carries out the active player's parts of a card that another clan has on the track, but not "
        "of Reed's card or another Betrayal. Its player may take the other choice on the card instead.",
        "The rulebook does not print the card.",
    ),
    _settled(
        "solo-empty-pool",
        "AMB-48",
        "Solo: what if the human must take shame and the pool is empty?",
        "The human loses 5 honour, and loses the match only at the end check.",
        "L1038 looks at the pool only then.",
    ),
    _settled(
        "wound-markers",
        "AMB-49",
        "Can the 30 wound markers run out?",
        "No, no more than resources can.",
        "It is the same question as for resource tokens.",
    ),
    _settled(
        "declining",
        "AMB-50",
        "May a player decline for some clerks only?",
        "Yes, wherever each clerk has an effect of its own.",
        "L491 lets a player decline all or part.",
    ),
    _settled(
        "tea-house-falls",
        "AMB-51",
        "Can a player with clerks in the tea house come out lower than before?",
        "Yes: if all have clerks there, the one on top ends up last.",
        "By L560-L562 they rise in turn, from the top down, and to be overtaken is not a move.",
    ),
    _settled(
        "card-effects",
        "AMB-52",
        "Must card effects be used, and how often does an occasion count?",
        "Occasions work by themselves, every time. Of what a strategy or tactic offers, a player takes as "
        "much as wanted.",
        "The words in which a component set describes its cards settle this. The published cards may differ.",
    ),
    _settled(
        "qin-overlord",
        "AMB-53",
        "Qin as overlord: do Reed's clerks leave the locations that he does not use, or go there?",
        "They leave the locations that he does not use.",
        "By L1020 they always go to the lowest location possible, and what follows is about which clerk "
        "to take. First come those off his track, in the order of the component set, and then those "
        "highest on it. A clerk goes to the lowest location on the track that has room, has no clerk of "
        "Reed and is lower than where it was.",
    ),
    _settled(
        "coop-orders",
        "AMB-54",
        "Co-op: what may players do in an order of their own?",
        "The parts of a card for others, what they are asked at a location, and firing; Reed comes after "
        "them.",
        "L1110 speaks of what clerks do, L1548 of actions. The tea house (L560) keeps tea order, and so "
        "do claims, losses, shame and Summer, where only a tie could make a difference.",
    ),
    _settled(
        "qin-overlord-places",
        "AMB-55",
        "What does Qin do as overlord at the embassy and in the builders' camp?",
        "He removes the advisor furthest left. The barricade goes to the section that the indicator "
        "shows, or to the other if it has no room.",
        "L976 chooses the section for his walls like this.",
    ),
    _settled(
        "qin-other-turns",
        "AMB-56",
        "When does Qin move two clerks in another's turn, and what if the card gives another number?",
        "He moves two, whatever the number, at his place in tea order when the card lets others move "
        "clerks. Nothing else in that part of a card is for him.",
        "L986 always says two.",
    ),
    _settled(
        "no-strategy-card",
        "AMB-57",
        "What if a player has no strategy card left, as in a long co-op match?",
        "That player chooses and places nothing and has no turn, but joins in the turns of others.",
        "The rulebook does not speak of it.",
    ),
    _settled(
        "short-tactics",
        "AMB-59",
        "What if more tactics are to be drawn than deck and discard have?",
        "All that there are get drawn.",
        "Four full hands already hold all 20.",
    ),
    _settled(
        "collecting",
        "AMB-60",
        "Is a player asked whether to collect at a production location?",
        "No, it happens by itself.",
        "Nobody has a reason to refuse. Anything else can be declined, as L491 says.",
    ),
    _settled(
        "solo-advisors",
        "AMB-61",
        "Solo: are there two advisors for both together, or two for each?",
        "Two for each.",
        "L943-L944 adds those of Qin and leaves the human's step as it is.",
    ),
    _settled(
        "tactic-gains",
        "AMB-62",
        "When does a player get what a tactic gives in the middle of things that happen together?",
        "Right away, since a tactic stands for itself.",
        "What an ability gives for playing the tactic comes only after its effect. By L650 it can pay for "
        "no part of it, nor for the boost.",
    ),
    _settled(
        "solo-pool-loss",
        "AMB-63",
        "Solo: does the human lose to an empty pool even with more honour than Qin?",
        "Yes, even if the match would also end for another reason.",
        "L1038 makes no exception.",
    ),
    _settled(
        "solo-ties",
        "AMB-64",
        "Solo: is a tie with Qin a win?",
        "No: the human needs more honour than Qin.",
        "L1040 demands more honour than his, and the tie rule of L857 is for matches between players.",
    ),
    _settled(
        "reed-clerks",
        "AMB-65",
        "Must the overlord move Reed's clerks?",
        "No. But what Reed does at an activated location must be done if it can be.",
        "L883 only says that they can be moved.",
    ),
    _settled(
        "reed-stays",
        "AMB-66",
        "What if Reed's clerk stays behind in a special location when all others have gone home?",
        "The location is then Reed's alone, and so it does not activate again.",
        "This follows from L878-L879.",
    ),
    _settled(
        "coop-no-place",
        "AMB-67",
        "Co-op: what if there is no place for a token, and its owner has at least 10 honour?",
        "The owner chooses: shed it for 10 honour, or say `done` and lose 5 as GW-SHM-05 has it.",
        "Both rules fit the moment, and neither excludes the other.",
    ),
    _settled(
        "qin-summer",
        "AMB-68",
        "Does Qin get 2 honour in Summer for each of his cards in the discard?",
        "No: his cards bring him nothing in Summer.",
        "L975 gives him honour from every source and L775 is one, but he makes no choices, and L935 and "
        "L982 give his cards a deck of their own.",
    ),
)
