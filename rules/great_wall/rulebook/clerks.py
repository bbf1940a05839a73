"""Rules on clerks, locations, production and the tea house."""

from rules.great_wall.rulebook.make import rule

CLK_01 = rule(
    "GW-CLK-01",
    "Clerks of a player",
    "L475",
    "You begin with five clerks in your reserve, and hiring can bring that to eight.",
    unchecked="a hire beyond the eighth clerk breaks GW-EMB-01",
)
CLK_02 = rule(
    "GW-CLK-02",
    "Moving a clerk",
    "L477",
    "A clerk moves only when some effect allows it. You then take one of your clerks, from your reserve "
    "or from a location, and put it into another location.",
    unchecked="happens of itself, and no move can do otherwise",
)
CLK_03 = rule(
    "GW-CLK-03",
    "Never out of a full location",
    "L477",
    "A clerk cannot leave a standard location while all slots there are taken.",
)
CLK_04 = rule(
    "GW-CLK-04",
    "Into a free slot",
    "L477, L483",
    "A clerk can enter a standard location only while a slot there is free. A special location always "
    "has room.",
)
CLK_05 = rule(
    "GW-CLK-05",
    "Different clerks to different locations",
    "L375 (AMB-06)",
    "If you may send up to two clerks to two locations, you may also send one or none. Two moves take "
    "two different clerks to two different places.",
)
CLK_06 = rule(
    "GW-CLK-06",
    "Never into the warehouse",
    "L632",
    "No clerk ever goes into the warehouse.",
)
LOC_01 = rule(
    "GW-LOC-01",
    "Standard locations",
    "L483",
    "A standard location has a set number of slots and holds no more clerks than that. It activates "
    "only once every slot is taken.",
    unchecked="happens of itself, and no move can do otherwise",
)
LOC_02 = rule(
    "GW-LOC-02",
    "Special locations",
    "L485",
    "One clerk is enough to activate a special location, and any number may stand there.",
    unchecked="gives freedom and forbids nothing",
)
LOC_03 = rule(
    "GW-LOC-03",
    "The activation step",
    "L487, L791 (AMB-07)",
    "In the activation step all full standard locations and all special locations with a clerk must "
    "activate. The active player decides in which order.",
)
LOC_04 = rule(
    "GW-LOC-04",
    "Players resolve in tea order",
    "L487",
    "At a location, players take their turns in tea order. All your clerks there act as one: you pay "
    "once for them and get one result.",
    unchecked="happens of itself, and no move can do otherwise",
)
LOC_05 = rule(
    "GW-LOC-05",
    "The embassy goes clerk by clerk",
    "L489, L614",
    "Only at the embassy do clerks act singly, one after another.",
    unchecked="happens of itself, and no move can do otherwise",
)
LOC_06 = rule(
    "GW-LOC-06",
    "Declining",
    "L491 (AMB-50, AMB-60)",
    "You need not use what a location offers: you may pass on all of it, or on the share of some of "
    "your clerks.",
    unchecked="gives a choice and forbids nothing",
)
LOC_07 = rule(
    "GW-LOC-07",
    "Clerks go home",
    "L487, L520",
    "When a location is finished, the clerks there go back to their owners' reserves. Only the clerks "
    "of Reed stay.",
    unchecked="happens of itself, and no move can do otherwise",
)
LOC_08 = rule(
    "GW-LOC-08",
    "The shame icon",
    "L495",
    "If the location has a shame icon, it is looked at next. What counts are the clerks that stood "
    "there when it activated, even those whose owner declined everything.",
    unchecked="happens of itself, and no move can do otherwise",
)
LOC_09 = rule(
    "GW-LOC-09",
    "Clerks that went home",
    "L487, L520 (AMB-07)",
    "A clerk that has just gone home may be moved again by a later effect of that turn. Still, the "
    "location activates once more only in a later activation step or by an advanced activation.",
    unchecked="activating it twice in one step breaks GW-LOC-03",
)
ADV_01 = rule(
    "GW-ADV-01",
    "Advanced activation",
    "L499",
    "An advanced activation comes from a card: a strategy, an advisor or something else that says so.",
    unchecked="happens of itself, and no move can do otherwise",
)
ADV_02 = rule(
    "GW-ADV-02",
    "An advanced activation is an activation",
    "L497-L504 (AMB-08)",
    "Apart from what follows, it is like any other activation: everybody with clerks there takes part, "
    "and the clerks go home.",
    unchecked="happens of itself, and no move can do otherwise",
)
ADV_03 = rule(
    "GW-ADV-03",
    "Without shame",
    "L503",
    "Nobody gets shame from the icon of a location in an advanced activation.",
    unchecked="happens of itself, and no move can do otherwise",
)
ADV_04 = rule(
    "GW-ADV-04",
    "A location with an own clerk",
    "L504 (AMB-08)",
    "You choose a location where you have a clerk, standard or special; a standard one need not be "
    "full. You cannot choose a special location where only Reed has a clerk.",
)
PRD_01 = rule(
    "GW-PRD-01",
    "Collecting",
    "L524 (AMB-60)",
    "You collect one unit for each of your clerks there. If you collected anything and have a foreman "
    "there, you get as many more as the foreman's level.",
    unchecked="happens of itself, and no move can do otherwise",
)
PRD_02 = rule(
    "GW-PRD-02",
    "Upgrading a foreman",
    "L530 (AMB-09)",
    "Each player with a clerk there may upgrade once. If you have no foreman there, you pay for the "
    "first slot and put a usable soldier from your reserve on it, at level 1. If you have one, you pay "
    "for the next slot and move the foreman there.",
)
PRD_03 = rule(
    "GW-PRD-03",
    "The first foreman is an upgrade",
    "L532",
    "Whatever is triggered by an upgrade is also triggered by putting down your first foreman.",
    unchecked="happens of itself, and no move can do otherwise",
)
PRD_04 = rule(
    "GW-PRD-04",
    "Foremen never come back",
    "L534",
    "Once a foreman, a figure stays on the board for good and never fights again. A soldier that "
    "carries shame cannot be made a foreman.",
)
PRD_05 = rule(
    "GW-PRD-05",
    "One foreman per location",
    "L536",
    "You can have just one foreman in each production location. Foremen of different players may share "
    "a level.",
    unchecked="a second foreman breaks GW-PRD-02",
)
PRD_06 = rule(
    "GW-PRD-06",
    "Three levels",
    "L540, L550",
    "A foreman's level is the number on its slot, and 3 is the highest.",
)
PRD_07 = rule(
    "GW-PRD-07",
    "Donating",
    "L544 (AMB-45)",
    "If you collected anything in this activation, you may give one unit of it to the warehouse for 2 "
    "honour. You cannot give more than one.",
)
PRD_08 = rule(
    "GW-PRD-08",
    "No donation at the temple",
    "L546",
    "Nobody donates at the temple, since the warehouse takes no chi.",
)
PRD_09 = rule(
    "GW-PRD-09",
    "Going home",
    "L520, L554",
    "In the end all clerks there go home, and then the shame icon is looked at.",
    unchecked="happens of itself, and no move can do otherwise",
)
TEH_01 = rule(
    "GW-TEH-01",
    "Rising in tea order",
    "L558-L562 (AMB-51)",
    "Each player with a clerk there rises by one place in tea order. Go down the stack as it stood at "
    "the start of the activation: each such marker changes places with the one just above. The marker "
    "on top stays where it is.",
)
TEH_02 = rule(
    "GW-TEH-02",
    "Once per activation",
    "L558-L562",
    "No marker rises more than one place in an activation, even if its owner has several clerks there.",
    unchecked="happens of itself, and no move can do otherwise",
)
TEH_03 = rule(
    "GW-TEH-03",
    "Filling the tea house alone",
    "L558-L562",
    "If all slots are taken by clerks of one player, that player's marker goes to the very top instead.",
    unchecked="happens of itself, and no move can do otherwise",
)
TEH_04 = rule(
    "GW-TEH-04",
    "A tea house that is not full",
    "L558-L562 (AMB-10)",
    "If an advanced activation finds one player alone in a tea house with free slots, that player rises "
    "by only one place.",
    unchecked="follows of itself from the clerks present",
)
