"""Rules on shame."""

from rules.great_wall.rulebook.make import rule

SHM_01 = rule(
    "GW-SHM-01",
    "Shame of a breach",
    "L404, L731",
    "For each horde that breaches a section, you get one shame if you have no soldier on it.",
    unchecked="happens of itself, and no move can do otherwise",
)
SHM_02 = rule(
    "GW-SHM-02",
    "Shame of a location",
    "L405, L495 (AMB-23)",
    "If a location with a shame icon activates while only one colour of clerk stands there, its owner "
    "gets one shame right afterwards, and no more for several clerks. If there are more colours, nobody "
    "does; Reed and Qin count as colours. Reed or Qin alone there gets no shame.",
    unchecked="happens of itself, and no move can do otherwise",
)
SHM_03 = rule(
    "GW-SHM-03",
    "No shame from an advanced activation",
    "L503",
    "An advanced activation never brings this shame.",
    unchecked="happens of itself, and no move can do otherwise",
)
SHM_04 = rule(
    "GW-SHM-04",
    "Where a shame token goes",
    "L411",
    "You must place a shame token as soon as you get it. It goes under a soldier in your reserve that "
    "has none, which you then cannot use for anything, or on a horde you claimed, where there is room "
    "for two. In co-op it never goes on a horde.",
)
SHM_05 = rule(
    "GW-SHM-05",
    "No place for a token",
    "L422 (AMB-34, AMB-67)",
    "If you have nowhere to put a token, it leaves the match, and you lose 5 honour right away.",
    unchecked="happens of itself, and no move can do otherwise",
)
SHM_06 = rule(
    "GW-SHM-06",
    "The pool is empty",
    "L420 (AMB-34, AMB-48)",
    "If the pool has no token for you, you lose 5 honour right away instead. In co-op all players have "
    "then lost the match. In the solo game you lose the honour, and the match is lost at the end check "
    "if the pool is empty then.",
    unchecked="happens of itself, and no move can do otherwise",
)
SHM_07 = rule(
    "GW-SHM-07",
    "Discarding shame in Summer",
    "L416, L771",
    "In Summer, after the income, you may put as many of your tokens back in the pool as you like for 2 "
    "chi each, whether they are under soldiers or on hordes. In co-op you pay honour for this instead.",
)
SHM_08 = rule(
    "GW-SHM-08",
    "Shame at the end",
    "L418, L849",
    "At the end each token under a soldier costs you 5 honour. Tokens on hordes cost you none.",
    unchecked="happens of itself, and no move can do otherwise",
)
SHM_09 = rule(
    "GW-SHM-09",
    "A raid removes shame",
    "L684",
    "Shame tokens that a raid takes from the pool never come back.",
    unchecked="happens of itself, and no move can do otherwise",
)
