"""Rules on the wall, invasions, attacks, defeats and breaches."""

from rules.great_wall.rulebook.make import rule

WAL_01 = rule(
    "GW-WAL-01",
    "Rest zones",
    "L652-L670",
    "Rest zone: soldiers waiting, safe from breaches.",
    unchecked="happens of itself, and no move can do otherwise",
)
WAL_02 = rule(
    "GW-WAL-02",
    "Levels of the wall",
    "L652-L670",
    "Each wall level has a defence value, the cost of the next level, and firing slots (1 archer each). "
    "Firing slots are shared by all players.",
    unchecked="happens of itself, and no move can do otherwise",
)
WAL_03 = rule(
    "GW-WAL-03",
    "Archers need a slot",
    "L666",
    "An archer must be in a firing slot to attack.",
    unchecked="happens of itself, and no move can do otherwise",
)
WAL_04 = rule(
    "GW-WAL-04",
    "What barricades do",
    "L670, L821",
    "Barricade: +2 defence each, at most 3 per section, all discarded (back to the stock, reusable) at "
    "the end of Winter, breached or not.",
    unchecked="happens of itself, and no move can do otherwise",
)
INV_01 = rule(
    "GW-INV-01",
    "New hordes",
    "L676",
    "Spring: draw as many hordes as the time slot shows (+1 in co-op), one after another.",
    unchecked="happens of itself, and no move can do otherwise",
)
INV_02 = rule(
    "GW-INV-02",
    "Empty sections first",
    "L678",
    "If any section in play is empty, the drawn card goes to row 1 of the leftmost empty one.",
    unchecked="happens of itself, and no move can do otherwise",
)
INV_03 = rule(
    "GW-INV-03",
    "The indicator of the next card",
    "L679",
    "Otherwise look at the back of the card now on top of the deck (not the one just drawn): it names "
    "the section; place the card in that section's lowest free row. Empty sections are looked for again "
    "before each card.",
)
INV_04 = rule(
    "GW-INV-04",
    "A full section",
    "L680, L684",
    "If that section already has 3 hordes: discard the drawn card and resolve a raid there.",
    unchecked="happens of itself, and no move can do otherwise",
)
RAI_01 = rule(
    "GW-RAI-01",
    "Raids",
    "L684",
    "Raid: remove from the game as many shame tokens from the pool as there are players (as many as are "
    "left if fewer). No token goes to a player, nobody loses honour.",
    unchecked="happens of itself, and no move can do otherwise",
)
RAI_02 = rule(
    "GW-RAI-02",
    "A pool emptied by raids",
    "L684",
    "When the pool is empty the game ends at the next Winter check.",
    unchecked="happens of itself, and no move can do otherwise",
)
ATK_01 = rule(
    "GW-ATK-01",
    "Three ways to attack",
    "L690",
    "Three ways to attack: a newly recruited soldier sent at a horde; a soldier going from the rest "
    'zone onto a horde (the "Attack Order" strategy card, L688); an archer firing from its slot.',
)
ATK_02 = rule(
    "GW-ATK-02",
    "From which section",
    "L692",
    "A new recruit may attack any section; a resting soldier only its own section.",
)
ATK_03 = rule(
    "GW-ATK-03",
    "Soldiers on hordes stay",
    "L692",
    "Soldiers on horde cards can neither attack again nor be moved.",
)
ATK_04 = rule(
    "GW-ATK-04",
    "Covered is wounded",
    "L692",
    "A spot covered by a soldier counts as wounded.",
    unchecked="happens of itself, and no move can do otherwise",
)
ATK_05 = rule(
    "GW-ATK-05",
    "Spearmen",
    "L694",
    "Only on a row-1 horde; any empty spot; gain that spot's printed reward; stays until the horde is "
    "defeated or the figure is killed/saved.",
)
ATK_06 = rule(
    "GW-ATK-06",
    "A full first line",
    "L696",
    "If row 1 has no empty spot, spearmen cannot attack that section until a later defeat check clears it.",
    unchecked="follows from GW-ATK-05, which such a move breaks",
)
ATK_07 = rule(
    "GW-ATK-07",
    "Horsemen",
    "L698",
    "Any row; must cover two empty orthogonally adjacent spots of one card; otherwise as a spearman "
    "(rewards of both spots).",
)
ATK_08 = rule(
    "GW-ATK-08",
    "Archers",
    "L699",
    "A new or ordered archer takes any free firing slot (new: any section; resting: own section) and "
    "wounds 1 empty spot of any horde, any row, in that section. If already in a slot it just wounds. "
    "No free slot: cannot attack.",
)
ATK_09 = rule(
    "GW-ATK-09",
    "Wounds give no reward",
    "L701",
    "Wound markers never give the spot's reward.",
    unchecked="happens of itself, and no move can do otherwise",
)
ATK_10 = rule(
    "GW-ATK-10",
    "What an attack order obliges to",
    "L686-L701",
    "Any of the own resting soldiers, and of the own archers in slots, attack, each at most once; none "
    "is obliged to.",
    unchecked="happens of itself, and no move can do otherwise",
)
ATK_11 = rule(
    "GW-ATK-11",
    "Ordered archers",
    "L690, L699",
    "An ordered archer that rests takes a free slot of its own section and wounds at once; it does not "
    "fire again under that order.",
    unchecked="happens of itself, and no move can do otherwise",
)
DEF_01 = rule(
    "GW-DEF-01",
    "Who covers most",
    "L707",
    "Find the player covering most spots with soldiers (a horseman counts 2; wounds count for nobody).",
    unchecked="happens of itself, and no move can do otherwise",
)
DEF_02 = rule(
    "GW-DEF-02",
    "Honour for soldiers",
    "L709",
    "Each player with at least 1 soldier on it: +2 honour.",
    unchecked="happens of itself, and no move can do otherwise",
)
DEF_03 = rule(
    "GW-DEF-03",
    "Honour for archers",
    "L711",
    "Each player: +2 honour per own archer in a firing slot of that section.",
    unchecked="happens of itself, and no move can do otherwise",
)
DEF_04 = rule(
    "GW-DEF-04",
    "Soldiers die",
    "L713",
    "Soldiers on the card are killed as mortality says, and may be saved.",
    unchecked="happens of itself, and no move can do otherwise",
)
DEF_05 = rule(
    "GW-DEF-05",
    "Claiming",
    "L715",
    "The player from step 1 claims the card, face down. Soldiers still on it go to the section's rest zone.",
    unchecked="happens of itself, and no move can do otherwise",
)
DEF_06 = rule(
    "GW-DEF-06",
    "Closing up",
    "L717",
    "Remaining hordes of the section close up towards the wall.",
    unchecked="happens of itself, and no move can do otherwise",
)
DEF_07 = rule(
    "GW-DEF-07",
    "Ties",
    "L719",
    "Tie in step 1 → tea order.",
    unchecked="happens of itself, and no move can do otherwise",
)
DEF_08 = rule(
    "GW-DEF-08",
    "Nobody claims",
    "L719",
    "A card without any soldier on it is discarded, and nobody claims it; archers in the section are "
    "paid all the same.",
    unchecked="happens of itself, and no move can do otherwise",
)
DEF_09 = rule(
    "GW-DEF-09",
    "Several defeats",
    "L703-L719",
    "Where several hordes are full in one check, the set is fixed first; sections from left to right, "
    "line 1 to 3; each card is resolved whole before the next.",
    unchecked="happens of itself, and no move can do otherwise",
)
DEF_10 = rule(
    "GW-DEF-10",
    "The printed reward",
    "L390",
    "The printed reward is honour at game end only; in co-op, which has no final scoring, it does "
    "nothing. FAQ #3 is said to give it at once in co-op: AMB-58, ruling `coop-claim`.",
    unchecked="happens of itself, and no move can do otherwise",
)
KIL_01 = rule(
    "GW-KIL-01",
    "Who is killed",
    "L437, L723",
    "Per card and player: n = min(M, own soldiers on the card). The owner names the n soldiers, then "
    "pays 2 chi for each one to be saved. Only those n can be saved; the others survive unharmed. Which "
    "spot a soldier of a kind stood on does not matter afterwards, so a choice is a number per kind; "
    "wounds replace the first such figures in reading order.",
)
KIL_02 = rule(
    "GW-KIL-02",
    "Where the dead and the saved go",
    "L721-L725",
    "Killed → reserve; saved → rest zone of the section.",
    unchecked="happens of itself, and no move can do otherwise",
)
KIL_03 = rule(
    "GW-KIL-03",
    "Wounds stay behind",
    "L723, L740",
    "Whenever a soldier leaves a horde card, put a wound on each spot it covered (a horseman leaves 2); "
    "on a card that is being defeated this shows only until it is gone.",
    unchecked="happens of itself, and no move can do otherwise",
)
BRE_01 = rule(
    "GW-BRE-01",
    "Shame for the absent",
    "L731",
    "Each player gains 1 shame per horde in the section on which they have no soldier.",
    unchecked="happens of itself, and no move can do otherwise",
)
BRE_02 = rule(
    "GW-BRE-02",
    "Deaths on hordes",
    "L732",
    "On each horde kill min(M, own soldiers) of each player; the rest stay on the card.",
    unchecked="happens of itself, and no move can do otherwise",
)
BRE_03 = rule(
    "GW-BRE-03",
    "Wounds in a breach",
    "L733",
    "Replace killed and saved soldiers by wounds.",
    unchecked="happens of itself, and no move can do otherwise",
)
BRE_04 = rule(
    "GW-BRE-04",
    "Archers die",
    "L734",
    "All archers in that section's firing slots are killed (each may be saved for 2 chi).",
    unchecked="happens of itself, and no move can do otherwise",
)
BRE_05 = rule(
    "GW-BRE-05",
    "Rest zones are safe",
    "L736",
    "Rest zones are untouched.",
    unchecked="happens of itself, and no move can do otherwise",
)
