"""Questions that the rulebook leaves open and that every match answers alike."""

from typing import Final

from rules.kernel.edition import Reading, Ruling


def _settled(
    name: str, ambiguity: str, question: str, answer: str, why: str = "The text settles it."
) -> Ruling:
    return Ruling(name, ambiguity, question, (Reading("settled", answer),), why)


SETTLED: Final = (
    _settled(
        "fourth-horde",
        "AMB-02",
        "4th horde at set-up (L315): indicator of the card to be placed, or of the card left on top?",
        "Next back, as GW-INV-03 insists (L679).",
    ),
    _settled(
        "survivors",
        "AMB-05",
        "Defeat: do unsaved survivors beyond M go to rest or reserve?",
        "Rest (L715; reported FAQ #2).",
    ),
    _settled(
        "clerk-moves",
        "AMB-06",
        '"Up to 2 clerks to 2 locations": same clerk twice? move 1 fills a location then move 2 leaves it? '
        "move within a location?",
        "No to all.",
        "Distinct clerks, from ≠ to, moves checked one after another; movable at a location = own clerks "
        "there less the one that this effect sent there.",
    ),
    _settled(
        "activation-set",
        "AMB-07",
        "Activation step: is the set of locations fixed at the start?",
        "Live, each location at most once per step.",
        "Before each pick compute eligible and not yet activated. Differs only if an effect moves clerks "
        "mid-step.",
    ),
    _settled(
        "advanced-activation",
        "AMB-08",
        "Advanced activation: do other players' clerks resolve too? zero clerks?",
        "All present resolve and go home; needs ≥ 1 clerk (L501 keeps the normal rules but for two "
        "differences).",
    ),
    _settled(
        "upgrades-an-activation",
        "AMB-09",
        "Upgrades per production activation?",
        "One (L530 singular; reported FAQ #8).",
    ),
    _settled(
        "lone-tea-house",
        "AMB-10",
        "Lone player, advanced activation of a part-filled tea house?",
        "One step (L560 asks for all slots filled).",
    ),
    _settled(
        "wall-resources",
        "AMB-11",
        'Wall cost: which resource types? Example (L601): 3 stone from the warehouse + 2 own "of choice"?',
        "Any mix of wood, stone, gold; no chi, like barricades. The tile print decides: put it in data "
        "(next_wsg).",
    ),
    _settled(
        "warehouse-first",
        "AMB-13",
        "Warehouse first: may a builder leave usable resources?",
        "No.",
        "Own resources only when the warehouse is exhausted of usable kinds; with several builds in one "
        "resolution the total cost is covered by the warehouse first.",
    ),
    _settled(
        "lowering-in-place",
        "AMB-14",
        "Logistics: firing → rest in the same section?",
        "No.",
        "A clerk moves soldiers from one section to another (L620).",
    ),
    _settled(
        "horseman-rewards",
        "AMB-17",
        "Horseman: rewards of both spots?",
        "Both.",
        "Works like a spearman on each spot covered.",
    ),
    _settled(
        "several-defeats",
        "AMB-18",
        "Several hordes defeated in one check?",
        "Fix the set of full cards first; sections left to right, line 1 to 3; all six steps of a card, "
        "closing up included (L717), before the next card, which is then resolved on the line where it now "
        "lies. Archers are paid per card. Each card is a kill batch of its own (L642 joins only the cards "
        "of one breach).",
    ),
    _settled(
        "who-dies",
        "AMB-19",
        "Who picks which soldiers die?",
        "Owner (L646 spirit; only matters with mixed types).",
    ),
    _settled(
        "summer-choice",
        "AMB-20",
        "Summer 4: decline both? recover forced with empty hand?",
        "One of the two is always taken; recover is the only answer when the hand is empty; no own card in "
        "the discard: not asked.",
    ),
    _settled(
        "resting-archers",
        "AMB-21",
        "Winter: may resting archers step into free firing slots (L805 hints)?",
        "No.",
        "L803 names only archers in slots; reported so too.",
    ),
    _settled(
        "reed-generals",
        "AMB-22",
        '2 Reed general cards, set-up uses "the" card (L76, L867)?',
        "The first of the set; no rule effect known.",
    ),
    _settled(
        "shame-colours",
        "AMB-23",
        "Does a Reed or Qin clerk spare a lone human the shame icon?",
        "Yes.",
        "L405 counts colours; agrees.",
    ),
    _settled(
        "qin-tokens",
        "AMB-24",
        "Qin's track: 4 wound markers (L942) or 1?",
        "1 wound, 5 tokens.",
        "L959 and L961 speak of one marker for the barracks and of the token of a location; says 1. A set "
        "has exactly these five (GW-CK-19).",
    ),
    _settled(
        "qin-shortfall",
        "AMB-25",
        "Qin builds a wall: warehouse short?",
        "Rest free.",
        "L974 lets him use the warehouse and forbids him to pay; L976 has him build (FAQ #15 is said to "
        "agree). Taken from the warehouse: wood, then stone, then gold.",
    ),
    _settled(
        "qin-clerks",
        "AMB-26",
        "Qin's clerks: source when all are out; full standard source; two clerks to one place?",
        "Destinations distinct within one effect, each the lowest not full and not used; from the reserve "
        "while it has clerks, else from the highest track location with a clerk of his that is not the "
        "destination, not full and not moved to by this effect; if there is none, no move.",
    ),
    _settled(
        "coop-placing",
        "AMB-29",
        "Co-op: is track placement free or in tea order after talk? (L1106)?",
        "Free.",
        "Seats place in any order ( reads it so), Reed after them.",
    ),
    _settled(
        "coop-shedding",
        "AMB-30",
        "Co-op shedding with less than 10 honour?",
        "Forbidden.",
    ),
    _settled(
        "coop-extra-horde",
        "AMB-31",
        'Co-op extra horde "in Summer" (L1129)?',
        "Spring.",
        "Hordes are placed in Spring (L760), and L1146 changes nothing in either season.",
    ),
    _settled(
        "token-supply",
        "AMB-33",
        "Are the 50 tokens per resource a limit?",
        "No.",
        "The text says what an empty supply does for shame (L420) and tactics (L383) only; nothing is "
        "refused or cut for want of tokens.",
    ),
    _settled(
        "honour-floor",
        "AMB-34",
        "Honour below 0 through immediate losses (L420, L422)? Floor is stated only for final step a?",
        "Floor 0 everywhere (no negative track).",
    ),
    _settled(
        "discarded-tactics",
        "AMB-35",
        "Tactics discarded over the limit: face up?",
        "Public (a discard pile; hands and decks alone are secret).",
    ),
    _settled(
        "starting-assistant",
        "AMB-36",
        "Is the starting face-down assistant's identity public (L325 face down, L335 all else public)?",
        "Private to owner; no rules effect.",
    ),
    _settled(
        "clan-choice",
        "AMB-37",
        "Order of clan choice?",
        "Clans have no rules meaning.",
        "Seats in header order take the set's clans.",
    ),
    _settled(
        "reed-placing",
        "AMB-38",
        'Reed between the two humans in tea order: where does it place its card (L880 covers only "above")?',
        "First free.",
        "L982 says Reed always does.",
    ),
    _settled(
        "empty-decks",
        "AMB-39",
        "Horde, advisor, event, request or solo deck runs out?",
        "Hordes, advisors, solo cards.",
        "Shuffle the discard (solo: the played cards) into a new deck at the moment a card, or for hordes "
        "the indicator, is needed; nothing there: nothing is drawn, and the last published indicator "
        "stands; once the discard has cards again and one is needed, top? is asked before horde?. Requests, "
        "events: none left. The text gives a reshuffle for tactics only.",
    ),
    _settled(
        "archer-without-spot",
        "AMB-40",
        "Archer attack with a free slot but no spot in the section that an archer may wound?",
        "Place, no wound (recruit or order).",
    ),
    _settled(
        "player-icon",
        "AMB-41",
        '"Number of players" icon on cards with Reed/Qin?',
        "Humans, by analogy with AMB-15.",
    ),
    _settled(
        "breach-shame",
        "AMB-42",
        "Breach shame when the pool is short?",
        "Tea order; each player takes all tokens of that breach before the next player (card by card, row "
        "1→3); those after an empty pool fall under GW-SHM-06.",
    ),
    _settled(
        "foremen-sacrificed",
        "AMB-43",
        "May foremen be sacrificed for a request?",
        "No unless the card names them (L534.",
        "Never removed by any means).",
    ),
    _settled(
        "tactic-windows",
        "AMB-44",
        "When exactly may tactics be played?",
        "In the window named by the card, which is always a question its holder is asked (GW-ASK-01, 27.2); "
        '"one at a time" = its effect is finished first. Reported FAQ #40 lists seven windows, not found.',
    ),
    _settled(
        "donating-later",
        "AMB-45",
        "Donating after the just-collected unit was spent on the upgrade?",
        "Allowed if the player still holds ≥ 1 of that resource.",
    ),
    _settled(
        "horde-mortality",
        "AMB-46",
        "L437 speaks of a horde card's own mortality?",
        "Mortality comes from the time slot; abilities may modify it per card (27.2).",
    ),
    _settled(
        "betrayal",
        "AMB-47",
        "Betrayal?",
        "Copies the self blocks of a card on the track that is another clan's, not Reed's (GW-2P-23) and "
        "not a Betrayal; or takes its own other option. Card text not in the rulebook.",
    ),
    _settled(
        "solo-empty-pool",
        "AMB-48",
        "Shame gained by the human in solo with an empty pool?",
        "-5 honour, and the loss falls at the end check (L1038).",
    ),
    _settled(
        "wound-markers",
        "AMB-49",
        "30 wound markers run out?",
        "Unlimited, as AMB-33.",
    ),
    _settled(
        "declining",
        "AMB-50",
        "Is a declined location effect per clerk or all-or-nothing (L491)?",
        "Per clerk where effects are per clerk.",
    ),
    _settled(
        "tea-house-falls",
        "AMB-51",
        "Tea house: can a marker with clerks end lower? (all four present: top A ends last)?",
        "Yes.",
        "Rises are processed one after another from the top; being passed is not a move (L560–L562).",
    ),
    _settled(
        "card-effects",
        "AMB-52",
        'Are card effects optional, and how often does "when you …" fire?',
        "By the vocabulary.",
        'Triggers are automatic and fire for each occurrence; operations of strategies and tactics are "up '
        'to" and end with done. reports "optional" and "once per event" of the published cards.',
    ),
    _settled(
        "qin-overlord",
        "AMB-53",
        'Qin as overlord (L1020): are "locations he does not use" those Reed clerks leave or go to?',
        "Leave.",
        "They go to the lowest possible track location either way, and the next sentence is about which "
        "clerks to take. Order: Reed clerks off his track in the order of the set, else on the track from "
        "the highest; target = the lowest track location with a free slot and no Reed clerk, and lower than "
        "the source.",
    ),
    _settled(
        "coop-orders",
        "AMB-54",
        'Co-op: which orders are free (L1110 "clerk actions", L1548 "actions")?',
        "Others-blocks, the questions of a location and firing.",
        "Any order, Reed after the seats. Tea order stays for the tea house (L560), claims, losses, shame "
        "and Summer, where nothing depends on it but ties.",
    ),
    _settled(
        "qin-overlord-places",
        "AMB-55",
        "Qin as overlord at the embassy and the builders' camp?",
        "Dismisses the leftmost advisor; barricade in the indicated section, else the other (as L976).",
    ),
    _settled(
        "qin-other-turns",
        "AMB-56",
        "When does Qin move 2 clerks on others' turns (L986), and how many if the card says another number?",
        "When the card's others-block moves clerks, at his place in tea order; always 2. Other operations "
        "of an others-block pass him by.",
    ),
    _settled(
        "no-strategy-card",
        "AMB-57",
        "No strategy card in hand (long co-op games)?",
        "That seat picks and places none and has no turn; it still takes part in others'.",
    ),
    _settled(
        "short-tactics",
        "AMB-59",
        "More tactics to draw than deck and discard hold?",
        "As many as there are (4 hands of 5 are all 20 cards).",
    ),
    _settled(
        "collecting",
        "AMB-60",
        "Must a player be asked whether to collect?",
        "Collecting is automatic.",
        "It costs nothing and only ever helps; the right to decline (L491) is kept for all else.",
    ),
    _settled(
        "solo-advisors",
        "AMB-61",
        "Solo: two advisors in all, or two for the human and two for Qin (L943–L944)?",
        "Two each.",
        "Step 12 is unchanged, and 11a adds Qin's.",
    ),
    _settled(
        "tactic-gains",
        "AMB-62",
        "A tactic that gains resources, played inside a simultaneous resolution?",
        "A tactic is a resolution of its own.",
        "Its effect is credited at once, even inside another one. What an occasion gives for playing it "
        "comes when the effect is finished; it pays neither for the boost nor for anything in that effect "
        "(L650).",
    ),
    _settled(
        "solo-pool-loss",
        "AMB-63",
        "Solo: pool empty at the check while the human has more honour?",
        "Loses (L1038), whatever else ends the game that Winter.",
    ),
    _settled(
        "solo-ties",
        "AMB-64",
        "Solo: the human wins ties?",
        "No (L1040 asks for more); L857 is for standard games.",
    ),
    _settled(
        "reed-clerks",
        "AMB-65",
        "Two-player game: does the overlord have to move Reed clerks?",
        'No ("can be moved", L883); at activated locations Reed\'s effects are not optional where possible.',
    ),
    _settled(
        "reed-stays",
        "AMB-66",
        "A special location with Reed's clerk and others': after the others go home Reed's stays?",
        "It is then Reed's alone and does not activate again (L878–L879).",
    ),
    _settled(
        "coop-no-place",
        "AMB-67",
        "Co-op: no place for a token, but 10 honour or more?",
        "Choose.",
        "Shed, or done for GW-SHM-05.",
    ),
    _settled(
        "qin-summer",
        "AMB-68",
        'Does Qin take 2 honour per discarded card in Summer (L775, L975 "every possible source")?',
        "No.",
        "He chooses nothing and his cards are a deck of their own (L935, L982).",
    ),
)
