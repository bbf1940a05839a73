"""Rules on barracks, builders, embassy, logistics, academy and warehouse."""

from rules.great_wall.rulebook.make import rule

BAR_01 = rule(
    "GW-BAR-01",
    "One recruit per clerk",
    "L564-L578",
    "Each clerk may recruit 1 soldier of any type that the player can pay for and has usable in the reserve.",
)
BAR_02 = rule(
    "GW-BAR-02",
    "The cost of soldiers",
    "L564-L578",
    "Costs: spearman 2 stone + 1 wood; archer 2 chi + 1 wood; horseman 3 gold + 1 wood.",
)
BAR_03 = rule(
    "GW-BAR-03",
    "A recruit attacks or rests",
    "L564-L578",
    "Each recruit either attacks at once, any section (GW-ATK), or goes to any rest zone.",
)
BAR_04 = rule(
    "GW-BAR-04",
    "Recruits are simultaneous",
    "L578",
    "A player's recruits are simultaneous: one joint payment from what they held before, then all "
    "attacks together. Rewards won by the attacks cannot fund the payment, and no defeat check happens "
    "in between.",
    unchecked="happens of itself, and no move can do otherwise",
)
BLD_01 = rule(
    "GW-BLD-01",
    "One building per clerk",
    "L580-L601",
    "Per clerk, one of: barricade, or wall part.",
)
BLD_02 = rule(
    "GW-BLD-02",
    "Barricades",
    "L580-L601",
    "Barricade: on a section with fewer than 3; cost any 2 of wood/stone/gold; +2 honour.",
)
BLD_03 = rule(
    "GW-BLD-03",
    "Wall parts",
    "L580-L601",
    "Wall part: next level of a section; cost printed on the current level; honour 5 / 10 / 15 for "
    "level 1 / 2 / 3, which equals the number of resources in the cost.",
)
BLD_04 = rule(
    "GW-BLD-04",
    "Archers move up",
    "L595",
    "Archers on the old tile move to firing slots of the new tile, no other effect (not an attack). "
    "Slots of a section are alike, so this is automatic.",
    unchecked="happens of itself, and no move can do otherwise",
)
BLD_05 = rule(
    "GW-BLD-05",
    "The warehouse pays first",
    "L599",
    "Payment must use suitable warehouse resources first; only when the warehouse has no more of what "
    "is needed may own resources complete the cost. No extra honour for that. If the warehouse offers "
    "more than needed, the builder chooses which.",
)
BLD_06 = rule(
    "GW-BLD-06",
    "Recovering after a wall part",
    "L580-L601",
    "Co-op: after each wall part the builder may recover 1 own strategy card (GW-COP-18).",
    unchecked="happens of itself, and no move can do otherwise",
)
EMB_01 = rule(
    "GW-EMB-01",
    "Hiring clerks",
    "L603-L616",
    "Per clerk, one of: hire a clerk (2 gold; from the clerk space to the reserve; only if one is left) "
    "or hire an advisor.",
)
EMB_02 = rule(
    "GW-EMB-02",
    "The price of an advisor",
    "L608-L610",
    "Advisor cost in gold = number of own advisors (active + assistant) after the hire (third costs 3, "
    "so the first hire of a game costs 3).",
)
EMB_03 = rule(
    "GW-EMB-03",
    "Hiring an advisor",
    "L603-L616",
    "Take any card of the track; place it as active or assistant at once.",
)
EMB_04 = rule(
    "GW-EMB-04",
    "The track is refilled",
    "L603-L616",
    "After each advisor hire: slide cards left, draw one into the free right space. Then the same "
    "player's next clerk, then the next player.",
)
LOG_01 = rule(
    "GW-LOG-01",
    "Marching",
    "L618-L622",
    "Per clerk: choose an origin section and a different destination section; move any number of own "
    "soldiers. Clerk after clerk: a later one may move what an earlier one moved.",
)
LOG_02 = rule(
    "GW-LOG-02",
    "Which moves a march allows",
    "L618-L622",
    "Allowed: rest → rest; firing → firing (free slot needed); firing → rest. Forbidden: rest → firing.",
)
LOG_03 = rule(
    "GW-LOG-03",
    "A march is no attack",
    "L692",
    "Not an attack; no wounds, no placing on hordes. Soldiers on hordes cannot move (L692).",
    unchecked="no move of a march can attack",
)
ACA_01 = rule(
    "GW-ACA-01",
    "Studying",
    "L624-L628",
    "Per clerk: draw 1 tactic card; all of a player's draws together, then the hand limit (GW-CRD-11).",
)
WAR_01 = rule(
    "GW-WAR-01",
    "The warehouse",
    "L630-L632",
    "Holds donated wood/stone/gold, usable by any player for walls and barricades only.",
    unchecked="happens of itself, and no move can do otherwise",
)
