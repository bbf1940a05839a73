"""Rules on the wall, invasions, attacks, defeats and breaches."""

from rules.great_wall.rulebook.make import rule

WAL_01 = rule(
    "GW-WAL-01",
    "Rest zones",
    "L652-L670",
    "Soldiers wait in the rest zones, where no breach can harm them.",
    unchecked="happens of itself, and no move can do otherwise",
)
WAL_02 = rule(
    "GW-WAL-02",
    "Levels of the wall",
    "L652-L670",
    "A level of the wall shows how well it defends, what the next level costs, and its firing slots. "
    "Each slot holds one archer, and any player may use it.",
    unchecked="an archer without a free slot breaks GW-ATK-08",
)
WAL_03 = rule(
    "GW-WAL-03",
    "Archers need a slot",
    "L666",
    "Archers can attack only from a firing slot.",
    unchecked="an attack without a free slot breaks GW-ATK-08",
)
WAL_04 = rule(
    "GW-WAL-04",
    "What barricades do",
    "L670, L821",
    "Each barricade adds 2 to the defence of its section, which has room for three. When Winter ends, "
    "all go back to the stock, whether the section held or not, and can be built again.",
    unchecked="happens of itself; a fourth barricade breaks GW-BLD-02",
)
INV_01 = rule(
    "GW-INV-01",
    "New hordes",
    "L676 (AMB-39)",
    "In Spring hordes are drawn one at a time, as many as the time slot shows. Co-op draws one more.",
    unchecked="happens of itself, and no move can do otherwise",
)
INV_02 = rule(
    "GW-INV-02",
    "Empty sections first",
    "L678",
    "A section without hordes comes first: the card goes into its line 1. If there are several, the one "
    "furthest left gets it.",
    unchecked="happens of itself, and no move can do otherwise",
)
INV_03 = rule(
    "GW-INV-03",
    "The indicator of the next card",
    "L679",
    "If no section is empty, the back of the card that is now on top of the deck shows the section, not "
    "the back of the card that was drawn. The horde goes to the free line nearest the wall. Look for "
    "empty sections anew with every card.",
)
INV_04 = rule(
    "GW-INV-04",
    "A full section",
    "L680, L684",
    "If three hordes are in that section already, the card is discarded, and there is a raid.",
    unchecked="happens of itself, and no move can do otherwise",
)
RAI_01 = rule(
    "GW-RAI-01",
    "Raids",
    "L684 (AMB-15, AMB-41)",
    "A raid takes one shame token for each player out of the pool and out of the match, or what is left "
    "if there are too few. Players get none of them and lose no honour.",
    unchecked="happens of itself, and no move can do otherwise",
)
RAI_02 = rule(
    "GW-RAI-02",
    "A pool emptied by raids",
    "L684 (AMB-16)",
    "Once the pool is empty, the match ends at the check of the coming Winter.",
    unchecked="happens of itself, and no move can do otherwise",
)
ATK_01 = rule(
    "GW-ATK-01",
    "Three ways to attack",
    "L690",
    "There are three kinds of attack. A soldier may attack as it is recruited. A soldier may go from "
    "its rest zone onto a horde, as with the strategy Attack Order. An archer may fire from its slot.",
)
ATK_02 = rule(
    "GW-ATK-02",
    "From which section",
    "L692",
    "A soldier that has just been recruited may attack in any section, but one that rests may attack "
    "only where it rests.",
)
ATK_03 = rule(
    "GW-ATK-03",
    "Soldiers on hordes stay",
    "L692",
    "Once a soldier is on a horde, it cannot attack again and you cannot move it.",
)
ATK_04 = rule(
    "GW-ATK-04",
    "Covered is wounded",
    "L692",
    "While a soldier covers a spot, the spot is wounded.",
    unchecked="happens of itself, and no move can do otherwise",
)
ATK_05 = rule(
    "GW-ATK-05",
    "Spearmen",
    "L694",
    "A spearman attacks only the horde in line 1. It takes any empty spot there, and you get the reward "
    "printed on it. It stays until the horde falls or until it is killed or saved.",
)
ATK_06 = rule(
    "GW-ATK-06",
    "A full first line",
    "L696",
    "While the horde in line 1 has no empty spot, no spearman can attack in that section. It has to be "
    "cleared away by a defeat check first.",
    unchecked="follows from GW-ATK-05, which such a move breaks",
)
ATK_07 = rule(
    "GW-ATK-07",
    "Horsemen",
    "L698 (AMB-17)",
    "A horseman attacks a horde in any line. It needs two empty spots of one card, side by side or one "
    "above the other, and brings the rewards of both. In all else it is like a spearman.",
)
ATK_08 = rule(
    "GW-ATK-08",
    "Archers",
    "L699 (AMB-40)",
    "An archer takes a free firing slot, unless it is in one already, and wounds one empty spot of any "
    "horde in that section, whatever its line. A new archer may choose any section; one that rests "
    "stays in its own. Without a free slot it cannot attack.",
)
ATK_09 = rule(
    "GW-ATK-09",
    "Wounds give no reward",
    "L701 (AMB-49)",
    "You never get the reward of a spot for putting a wound on it.",
    unchecked="happens of itself, and no move can do otherwise",
)
ATK_10 = rule(
    "GW-ATK-10",
    "What an attack order obliges to",
    "L686-L701",
    "With an attack order you may attack with any of your resting soldiers and any of your archers in "
    "slots, each of them once at most. You need not use any.",
    unchecked="gives freedom; a second attack of a soldier breaks GW-ATK-02, of an archer GW-ATK-08",
)
ATK_11 = rule(
    "GW-ATK-11",
    "Ordered archers",
    "L690, L699",
    "A resting archer that gets the order moves to a free slot of its section and wounds a spot right "
    "away. The same order does not let it fire a second time.",
    unchecked="happens of itself, and no move can do otherwise",
)
DEF_01 = rule(
    "GW-DEF-01",
    "Who covers most",
    "L707",
    "First see which player's soldiers cover the most spots. A horseman covers two, and wounds belong "
    "to nobody.",
    unchecked="happens of itself, and no move can do otherwise",
)
DEF_02 = rule(
    "GW-DEF-02",
    "Honour for soldiers",
    "L709",
    "If you have any soldier on the horde, you get 2 honour.",
    unchecked="happens of itself, and no move can do otherwise",
)
DEF_03 = rule(
    "GW-DEF-03",
    "Honour for archers",
    "L711",
    "You also get 2 honour for each of your archers in a firing slot of the section.",
    unchecked="happens of itself, and no move can do otherwise",
)
DEF_04 = rule(
    "GW-DEF-04",
    "Soldiers die",
    "L713",
    "Soldiers on the card now die, as many as mortality demands, unless they are saved.",
    unchecked="happens of itself, and no move can do otherwise",
)
DEF_05 = rule(
    "GW-DEF-05",
    "Claiming",
    "L715",
    "The player who covers most takes the card and lays it face down. The soldiers that are left on it "
    "go to the rest zone of the section.",
    unchecked="happens of itself, and no move can do otherwise",
)
DEF_06 = rule(
    "GW-DEF-06",
    "Closing up",
    "L717",
    "Hordes behind it move up to the wall.",
    unchecked="happens of itself, and no move can do otherwise",
)
DEF_07 = rule(
    "GW-DEF-07",
    "Ties",
    "L719",
    "If players cover equally many spots, tea order decides.",
    unchecked="happens of itself, and no move can do otherwise",
)
DEF_08 = rule(
    "GW-DEF-08",
    "Nobody claims",
    "L719",
    "If no soldier is on the card, nobody claims it and it is discarded. The archers of the section "
    "still bring their honour.",
    unchecked="happens of itself, and no move can do otherwise",
)
DEF_09 = rule(
    "GW-DEF-09",
    "Several defeats",
    "L703-L719 (AMB-18)",
    "If one check finds several full hordes, note all of them before anything else. Then go through the "
    "sections from the left and through the lines from the wall, and finish each card before the next.",
    unchecked="happens of itself, and no move can do otherwise",
)
DEF_10 = rule(
    "GW-DEF-10",
    "The printed reward",
    "L390 (AMB-58)",
    "The reward on a horde is honour that is scored when the match ends. Co-op is not scored, so there "
    "it does nothing, unless the ruling `coop-claim` has it paid at once.",
    unchecked="happens of itself, and no move can do otherwise",
)
KIL_01 = rule(
    "GW-KIL-01",
    "Who is killed",
    "L437, L723 (AMB-19)",
    "On each card you lose as many soldiers as mortality says, or all of yours if there are fewer. You "
    "name them, and you may save any of those for 2 chi each; the others are unhurt. You only say how "
    "many of each kind, since it does not matter later where they stood. The first figures of that "
    "kind, from top to bottom and left to right, become wounds.",
)
KIL_02 = rule(
    "GW-KIL-02",
    "Where the dead and the saved go",
    "L721-L725",
    "Your dead go to your reserve, and those you save go to the rest zone of the section.",
    unchecked="happens of itself, and no move can do otherwise",
)
KIL_03 = rule(
    "GW-KIL-03",
    "Wounds stay behind",
    "L723, L740",
    "A soldier that leaves a horde leaves a wound on its spot, a horseman one on each of its two. On a "
    "horde that is just being defeated you see them only until the card is taken away.",
    unchecked="happens of itself, and no move can do otherwise",
)
BRE_01 = rule(
    "GW-BRE-01",
    "Shame for the absent",
    "L731 (AMB-42)",
    "For each horde in the breached section you get one shame if none of your soldiers is on it.",
    unchecked="happens of itself, and no move can do otherwise",
)
BRE_02 = rule(
    "GW-BRE-02",
    "Deaths on hordes",
    "L732",
    "On every horde there, each player loses soldiers as mortality says, and the others stay where they are.",
    unchecked="happens of itself, and no move can do otherwise",
)
BRE_03 = rule(
    "GW-BRE-03",
    "Wounds in a breach",
    "L733",
    "A wound takes the place of each soldier that was killed or saved.",
    unchecked="happens of itself, and no move can do otherwise",
)
BRE_04 = rule(
    "GW-BRE-04",
    "Archers die",
    "L734",
    "All archers in firing slots of the section die, unless their owners save them for 2 chi each.",
    unchecked="happens of itself, and no move can do otherwise",
)
BRE_05 = rule(
    "GW-BRE-05",
    "Rest zones are safe",
    "L736",
    "Soldiers in the rest zone are not harmed.",
    unchecked="happens of itself, and no move can do otherwise",
)
