"""Rules on shame."""

from rules.great_wall.rulebook.make import rule

SHM_01 = rule(
    "GW-SHM-01",
    "Shame of a breach",
    "L404, L731",
    "Breach: a player with no soldier on a breaching horde gains 1 shame for that horde.",
    unchecked="happens of itself, and no move can do otherwise",
)
SHM_02 = rule(
    "GW-SHM-02",
    "Shame of a location",
    "L405, L495",
    "A location with the shame icon is activated and all clerks there are of one colour: that player "
    "gains 1 shame straight after the activation, however many clerks. Two or more clerk colours "
    "(Reed's and Qin's are colours too): nobody gains any. A lone Reed or Qin gains none (L876, L971).",
    unchecked="happens of itself, and no move can do otherwise",
)
SHM_03 = rule(
    "GW-SHM-03",
    "No shame from an advanced activation",
    "L503",
    "Never from an advanced activation.",
    unchecked="happens of itself, and no move can do otherwise",
)
SHM_04 = rule(
    "GW-SHM-04",
    "Where a shame token goes",
    "L411",
    "A gained token is placed at once: under an own soldier in the reserve that has none yet, which is "
    "then unusable for anything, or on a free shame slot of an own claimed horde, two per card. Not on "
    "hordes in co-op.",
)
SHM_05 = rule(
    "GW-SHM-05",
    "No place for a token",
    "L422",
    "No legal place: the token is removed from the game and the player loses 5 honour at once.",
    unchecked="happens of itself, and no move can do otherwise",
)
SHM_06 = rule(
    "GW-SHM-06",
    "The pool is empty",
    "L420",
    "Pool empty: no token; the player loses 5 honour at once. (Co-op: everyone loses the game at once, "
    "L1152. Solo: AMB-48, GW-SOL-29.)",
    unchecked="happens of itself, and no move can do otherwise",
)
SHM_07 = rule(
    "GW-SHM-07",
    "Discarding shame in Summer",
    "L416, L771",
    "Summer step 2: pay 2 chi per token to return any number of own tokens (from soldiers or horde "
    "cards) to the pool. (Co-op: GW-COP-16.)",
)
SHM_08 = rule(
    "GW-SHM-08",
    "Shame at the end",
    "L418, L849",
    "Game end: -5 honour per token under soldiers; none for tokens on horde cards.",
    unchecked="happens of itself, and no move can do otherwise",
)
SHM_09 = rule(
    "GW-SHM-09",
    "A raid removes shame",
    "L684",
    "A raid removes tokens from the pool permanently.",
    unchecked="happens of itself, and no move can do otherwise",
)
