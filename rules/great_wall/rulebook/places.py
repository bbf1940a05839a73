"""Rules on barracks, builders, embassy, logistics, academy and warehouse."""

from rules.great_wall.rulebook.make import rule

BAR_01 = rule(
    "GW-BAR-01",
    "One recruit per clerk",
    "L564-L578",
    "Each of your clerks may recruit one soldier of any kind, if you can pay for it and have a usable "
    "one in your reserve.",
)
BAR_02 = rule(
    "GW-BAR-02",
    "The cost of soldiers",
    "L564-L578",
    "Every soldier costs 1 wood. A spearman costs 2 stone as well, an archer 2 chi, a horseman 3 gold.",
)
BAR_03 = rule(
    "GW-BAR-03",
    "A recruit attacks or rests",
    "L564-L578",
    "A new soldier attacks right away in a section of your choice, or it goes to a rest zone of your choice.",
)
BAR_04 = rule(
    "GW-BAR-04",
    "Recruits are simultaneous",
    "L578",
    "All your recruits come at once: you pay for all of them from what you had, and then all of them "
    "attack. What the attacks bring cannot help to pay, and no horde is defeated before all are done.",
    unchecked="paying with what an attack brings breaks GW-BAR-02",
)
BLD_01 = rule(
    "GW-BLD-01",
    "One building per clerk",
    "L580-L601",
    "Each of your clerks builds either a barricade or a part of the wall.",
)
BLD_02 = rule(
    "GW-BLD-02",
    "Barricades",
    "L580-L601 (AMB-13)",
    "You may add a barricade to a section that has at most two. It costs any two of wood, stone and "
    "gold, and you get 2 honour.",
)
BLD_03 = rule(
    "GW-BLD-03",
    "Wall parts",
    "L580-L601 (AMB-11, AMB-12)",
    "A wall part raises a section to its next level, at the cost printed on the level it has now. Level "
    "1 gives 5 honour, level 2 gives 10, level 3 gives 15: one for each resource it costs.",
)
BLD_04 = rule(
    "GW-BLD-04",
    "Archers move up",
    "L595",
    "Archers on the old part of the wall step into slots of the new one. That is no attack. Nobody has "
    "to choose, as all slots of a section are the same.",
    unchecked="happens of itself, and no move can do otherwise",
)
BLD_05 = rule(
    "GW-BLD-05",
    "The warehouse pays first",
    "L599 (AMB-13)",
    "You pay from the warehouse as long as it has anything that fits, and only then from your own "
    "resources. Your own give no extra honour. If more fits than you need, you choose what to take.",
)
BLD_06 = rule(
    "GW-BLD-06",
    "Recovering after a wall part",
    "L580-L601",
    "In co-op you may take back one of your strategy cards after each wall part that you build.",
    unchecked="gives a choice; a card that is not in the own discard breaks GW-COP-18",
)
EMB_01 = rule(
    "GW-EMB-01",
    "Hiring clerks",
    "L603-L616",
    "Each of your clerks hires either an advisor or a new clerk. A new clerk costs 2 gold and goes from "
    "your clerk space to your reserve; you need to have one left there.",
)
EMB_02 = rule(
    "GW-EMB-02",
    "The price of an advisor",
    "L608-L610",
    "An advisor costs as much gold as you will have advisors with it, active ones and assistants "
    "together. As you begin with two, your first hire costs 3.",
)
EMB_03 = rule(
    "GW-EMB-03",
    "Hiring an advisor",
    "L603-L616",
    "You may take any advisor on the track, and you say at once whether it is active or an assistant.",
)
EMB_04 = rule(
    "GW-EMB-04",
    "The track is refilled",
    "L603-L616 (AMB-39)",
    "After every hire the advisors on the track move left and a new one comes in on the right. Only "
    "then does your next clerk act, and after your last clerk the next player.",
)
LOG_01 = rule(
    "GW-LOG-01",
    "Marching",
    "L618-L622 (AMB-14)",
    "With each clerk you may move as many of your soldiers as you like from one section to one other. "
    "Your clerks act in turn, so the next may move soldiers on that have just arrived.",
)
LOG_02 = rule(
    "GW-LOG-02",
    "Which moves a march allows",
    "L618-L622",
    "A soldier in a rest zone goes to another rest zone. An archer in a firing slot goes to a free "
    "firing slot or to a rest zone. From a rest zone nobody gets into a firing slot this way.",
)
LOG_03 = rule(
    "GW-LOG-03",
    "A march is no attack",
    "L692",
    "Soldiers who march do not attack: they wound nothing and do not go onto hordes. Those who are on a "
    "horde cannot march.",
    unchecked="no move of a march can attack",
)
ACA_01 = rule(
    "GW-ACA-01",
    "Studying",
    "L624-L628 (AMB-59)",
    "You draw one tactic card for each of your clerks, all at the same time. Only then do you discard "
    "down to your hand limit.",
)
WAR_01 = rule(
    "GW-WAR-01",
    "The warehouse",
    "L630-L632",
    "Wood, stone and gold that players donate lie in the warehouse. Anybody may use them, but only to "
    "build walls and barricades.",
    unchecked="no move takes from the warehouse for anything else",
)
