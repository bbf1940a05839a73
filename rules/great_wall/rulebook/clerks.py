"""Rules on clerks, locations, production and the tea house."""

from rules.great_wall.rulebook.make import rule

CLK_01 = rule(
    "GW-CLK-01",
    "Clerks of a player",
    "L475",
    "5 clerks in the reserve at start, up to 8 by hiring.",
    unchecked="happens of itself, and no move can do otherwise",
)
CLK_02 = rule(
    "GW-CLK-02",
    "Moving a clerk",
    "L477",
    "Clerks move only by effects. A move takes an own clerk from the reserve or from a location already "
    "on the board to another location.",
    unchecked="happens of itself, and no move can do otherwise",
)
CLK_03 = rule(
    "GW-CLK-03",
    "Never out of a full location",
    "L477",
    "Never out of a standard location whose slots are all filled.",
)
CLK_04 = rule(
    "GW-CLK-04",
    "Into a free slot",
    "L477, L483",
    "Into a standard location only if it has a free slot; into a special location always.",
)
CLK_05 = rule(
    "GW-CLK-05",
    "Different clerks to different locations",
    "L375",
    '"Up to 2 clerks to 2 locations": 0, 1 or 2 moves, different clerks, different destinations.',
)
CLK_06 = rule(
    "GW-CLK-06",
    "Never into the warehouse",
    "L632",
    "Never into the warehouse.",
    unchecked="the warehouse is no location that a move can name",
)
LOC_01 = rule(
    "GW-LOC-01",
    "Standard locations",
    "L483",
    "Standard location: fixed number of slots; never more clerks than slots; activates only when full.",
    unchecked="happens of itself, and no move can do otherwise",
)
LOC_02 = rule(
    "GW-LOC-02",
    "Special locations",
    "L485",
    "Special location: activates with at least 1 clerk; no limit.",
    unchecked="happens of itself, and no move can do otherwise",
)
LOC_03 = rule(
    "GW-LOC-03",
    "The activation step",
    "L487, L791",
    "Activation step: every full standard location and every occupied special location activates; the "
    "active player chooses the order. Mandatory.",
)
LOC_04 = rule(
    "GW-LOC-04",
    "Players resolve in tea order",
    "L487",
    "Inside one location players resolve in tea order; each resolves all own clerks together (one "
    "combined payment, one combined result).",
    unchecked="happens of itself, and no move can do otherwise",
)
LOC_05 = rule(
    "GW-LOC-05",
    "The embassy goes clerk by clerk",
    "L489, L614",
    "Exception: the embassy resolves clerks one by one.",
    unchecked="happens of itself, and no move can do otherwise",
)
LOC_06 = rule(
    "GW-LOC-06",
    "Declining",
    "L491",
    "A player may decline any or all of a location's effect for their clerks.",
    unchecked="gives a choice and forbids nothing",
)
LOC_07 = rule(
    "GW-LOC-07",
    "Clerks go home",
    "L487, L520",
    "Afterwards all clerks there return to their reserves (Reed clerks stay, GW-2P-09).",
    unchecked="happens of itself, and no move can do otherwise",
)
LOC_08 = rule(
    "GW-LOC-08",
    "The shame icon",
    "L495",
    "Then the shame-icon test (GW-SHM-02), on the clerks present when it activated (a player who "
    "declined everything is still present).",
    unchecked="happens of itself, and no move can do otherwise",
)
LOC_09 = rule(
    "GW-LOC-09",
    "Clerks that went home",
    "L487, L520",
    "A clerk that went home by this activation can be moved again by a later effect of the same turn; "
    "the location can fill and activate again only in a later activation step or by an advanced "
    "activation.",
    unchecked="happens of itself, and no move can do otherwise",
)
ADV_01 = rule(
    "GW-ADV-01",
    "Advanced activation",
    "L499",
    "Triggered by some strategy cards, advisors or other effects.",
    unchecked="happens of itself, and no move can do otherwise",
)
ADV_02 = rule(
    "GW-ADV-02",
    "An advanced activation is an activation",
    "L497-L504",
    "It works like an activation: all players with clerks there resolve, and clerks go home.",
    unchecked="happens of itself, and no move can do otherwise",
)
ADV_03 = rule(
    "GW-ADV-03",
    "Without shame",
    "L503",
    "No shame-icon token comes of it.",
    unchecked="happens of itself, and no move can do otherwise",
)
ADV_04 = rule(
    "GW-ADV-04",
    "A location with an own clerk",
    "L504",
    "A standard location need not be full, and a special location may be chosen too; the trigger's "
    "owner has a clerk there. A special location with only Reed's clerk cannot be chosen.",
)
PRD_01 = rule(
    "GW-PRD-01",
    "Collecting",
    "L524",
    "1 unit per own clerk there; if that gave at least 1 and the player has a foreman there, also + "
    "foreman level.",
    unchecked="happens of itself, and no move can do otherwise",
)
PRD_02 = rule(
    "GW-PRD-02",
    "Upgrading a foreman",
    "L530",
    "Each player with a clerk there may make one upgrade: without a foreman, pay the cost of the first "
    "slot and put a usable soldier from the reserve there (level 1); otherwise pay the cost of the next "
    "slot and advance.",
)
PRD_03 = rule(
    "GW-PRD-03",
    "The first foreman is an upgrade",
    "L532",
    "Placing the first foreman counts as an upgrade for triggers.",
    unchecked="happens of itself, and no move can do otherwise",
)
PRD_04 = rule(
    "GW-PRD-04",
    "Foremen never come back",
    "L534",
    "A foreman never leaves the board; the figure is lost to the army. A figure with a shame token "
    "cannot become one (L413).",
)
PRD_05 = rule(
    "GW-PRD-05",
    "One foreman per location",
    "L536",
    "At most one foreman per player per production location. Several players may stand on the same "
    "level (shown by the example: green joins blue on level 3).",
    unchecked="happens of itself, and no move can do otherwise",
)
PRD_06 = rule(
    "GW-PRD-06",
    "Three levels",
    "L540, L550",
    "Level = slot value; level 3 is the top.",
)
PRD_07 = rule(
    "GW-PRD-07",
    "Donating",
    "L544",
    "Each player who collected at least 1 in this activation may put exactly 1 of that resource in the "
    "warehouse and gain 2 honour.",
)
PRD_08 = rule(
    "GW-PRD-08",
    "No donation at the temple",
    "L546",
    "No donation step at the temple; chi is never donated.",
)
PRD_09 = rule(
    "GW-PRD-09",
    "Going home",
    "L520, L554",
    "All clerks go home; then the shame test.",
    unchecked="happens of itself, and no move can do otherwise",
)
TEH_01 = rule(
    "GW-TEH-01",
    "Rising in tea order",
    "L558-L562",
    "Every player with clerks there moves their marker up one place. Process players in the stack order "
    "at the start of the activation; each swaps with the marker directly above; the top marker does "
    "nothing.",
)
TEH_02 = rule(
    "GW-TEH-02",
    "Once per activation",
    "L558-L562",
    "Each marker rises at most once per activation, however many clerks.",
    unchecked="happens of itself, and no move can do otherwise",
)
TEH_03 = rule(
    "GW-TEH-03",
    "Filling the tea house alone",
    "L558-L562",
    "If a single player filled all the slots alone, that marker goes straight to the top.",
    unchecked="happens of itself, and no move can do otherwise",
)
TEH_04 = rule(
    "GW-TEH-04",
    "A tea house that is not full",
    "L558-L562",
    "With an advanced activation of a part-filled tea house by a lone player only GW-TEH-01 applies "
    "(slots not all filled).",
    unchecked="follows of itself from the clerks present",
)
