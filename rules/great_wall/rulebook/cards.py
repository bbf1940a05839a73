"""Rules on cards and their effects."""

from rules.great_wall.rulebook.make import rule

TAC_01 = rule(
    "GW-TAC-01",
    "Playing a tactic",
    "L636",
    "Playable only when the card's printed condition holds; one tactic at a time (finish one before the "
    "next).",
)
TAC_02 = rule(
    "GW-TAC-02",
    "Boosting",
    "L636",
    "Upper half = base effect; lower half = boosted effect with a chi cost. Pay → boosted instead of "
    "base; do not pay → base.",
)
TAC_03 = rule(
    "GW-TAC-03",
    "Played tactics",
    "L634-L650",
    "Played cards go to the tactic discard when their effect is finished (so no card comes back by a "
    "reshuffle in its own effect).",
    unchecked="happens of itself, and no move can do otherwise",
)
SAV_01 = rule(
    "GW-SAV-01",
    "Saving soldiers",
    "L640",
    "When own soldiers would be killed, pay 2 chi per soldier to save it instead; it goes to the rest "
    "zone of its section.",
)
SAV_02 = rule(
    "GW-SAV-02",
    "Deaths are simultaneous",
    "L642",
    "All deaths of one defeat, or of one breached section (all its hordes and its archers), are "
    'simultaneous; each card still counts mortality separately. One boosted "Retreat" can save them '
    "all.",
    unchecked="happens of itself, and no move can do otherwise",
)
SAV_03 = rule(
    "GW-SAV-03",
    "Saved is not killed",
    "L725",
    'Saved soldiers are not "killed" for any effect.',
    unchecked="happens of itself, and no move can do otherwise",
)
EFX_01 = rule(
    "GW-EFX-01",
    "Own pieces",
    "L646",
    "An effect naming a piece without an owner means your own pieces.",
    unchecked="happens of itself, and no move can do otherwise",
)
EFX_02 = rule(
    "GW-EFX-02",
    "Simultaneous effects",
    "L650",
    "Simultaneous effects resolve together; nothing gained by one can pay for another of the same "
    "moment (chi gained from playing a tactic cannot boost that tactic).",
    unchecked="happens of itself, and no move can do otherwise",
)
EFX_03 = rule(
    "GW-EFX-03",
    "What the vocabulary fixes",
    "digest, section 27.2",
    'Operations of strategies and tactics are "up to" and end with `done`; occasions of generals and '
    "advisors are automatic and come for each occurrence.",
    unchecked="happens of itself, and no move can do otherwise",
)
EFX_04 = rule(
    "GW-EFX-04",
    "What is owed",
    "L578, L642, L650",
    "What a player gains in the course of one simultaneous resolution (all clerks in the barracks or "
    "the builders' camp, one attack order, one kill batch) is credited when that resolution ends, so it "
    "can pay for nothing in it. Costs are paid from what was held before. Not so at the embassy (L614, "
    "clerk by clerk) and at production locations, whose steps follow each other (L515–L520): what was "
    "just collected can pay for the upgrade. Nor between the steps of a defeat (L705): what `share` "
    "gives with GW-DEF-02 can save soldiers in GW-DEF-04. Only resources are owed; honour is credited "
    "at once, since nothing in such a resolution is paid with it.",
    unchecked="happens of itself, and no move can do otherwise",
)
CRD_01 = rule(
    "GW-CRD-01",
    "Generals",
    "L343-L351",
    "A general gives starting resources, starting tactic cards, starting tea value (set-up only) and a "
    "special ability.",
    unchecked="happens of itself, and no move can do otherwise",
)
CRD_02 = rule(
    "GW-CRD-02",
    "Assistants strengthen a general",
    "L343-L351",
    "The ability's strength scales with the number of assistant advisors under the card.",
    unchecked="happens of itself, and no move can do otherwise",
)
CRD_03 = rule(
    "GW-CRD-03",
    "Gaining an advisor",
    "L353-L365",
    "On gaining an advisor choose active or assistant at once.",
    unchecked="a hire names the role, so none is gained without one",
)
CRD_04 = rule(
    "GW-CRD-04",
    "A role is permanent",
    "L353-L365",
    "The choice is permanent.",
    unchecked="happens of itself, and no move can do otherwise",
)
CRD_05 = rule(
    "GW-CRD-05",
    "What advisors do",
    "L353-L365",
    "An active advisor's ability can be used from then on; an assistant only adds 1 to the general's "
    "strength.",
    unchecked="happens of itself, and no move can do otherwise",
)
CRD_06 = rule(
    "GW-CRD-06",
    "No limit of advisors",
    "L353-L365",
    "No limit on either (L610).",
    unchecked="gives freedom and forbids nothing",
)
CRD_07 = rule(
    "GW-CRD-07",
    "Blocks of a strategy card",
    "L367-L375",
    "Effects resolve top to bottom; some are for the active player only (1st, and 3rd if present), one "
    '(2nd, blue frame) is for every other player and not the active one (L373, L789); "others" means '
    "every other clan in tea order, Reed and Qin included.",
)
CRD_08 = rule(
    "GW-CRD-08",
    "The commonest order",
    "L367-L375",
    "The commonest order lets you move up to 2 of your clerks to 2 different locations; either "
    "destination may already hold clerks, yours included.",
    unchecked="gives freedom; what it forbids breaks GW-CLK-05",
)
CRD_09 = rule(
    "GW-CRD-09",
    "The fifth space",
    "L367-L375",
    "The 5th track space is for 5 players only.",
)
CRD_10 = rule(
    "GW-CRD-10",
    "Tactic cards",
    "L377-L383",
    "Played from hand when the card's own condition holds.",
    unchecked="happens of itself, and no move can do otherwise",
)
CRD_11 = rule(
    "GW-CRD-11",
    "The hand limit",
    "L377-L383",
    "Hand limit 5; discard any excess immediately (owner's choice which).",
)
CRD_12 = rule(
    "GW-CRD-12",
    "The tactic deck",
    "L377-L383",
    "Empty deck → shuffle the discard into a new deck (also L628).",
)
CRD_13 = rule(
    "GW-CRD-13",
    "Horde cards",
    "L385-L394",
    "Fields: power; reward (honour at game end for the claimer); special ability; vital spots (each "
    "must be covered by a soldier or a wound to defeat the card); 2 shame slots, used when the card "
    "lies claimed face down in front of its owner; invasion indicator on the back.",
)
CRD_14 = rule(
    "GW-CRD-14",
    "Claimed cards with shame",
    "L385-L394",
    "A claimed card with at least 1 shame token gives no honour at game end.",
    unchecked="happens of itself, and no move can do otherwise",
)
CRD_15 = rule(
    "GW-CRD-15",
    "The back of the top card",
    "L385-L394",
    "The back of the top card of the deck is visible. It says where a card goes that has just been "
    "drawn off it (GW-INV-03), never where it goes itself.",
)
CRD_16 = rule(
    "GW-CRD-16",
    "Artefacts",
    "L396-L398",
    "No effect during play; score at game end for every player.",
    unchecked="happens of itself, and no move can do otherwise",
)
CRD_17 = rule(
    "GW-CRD-17",
    "Screens",
    "L463",
    "Resources are hidden behind the screen.",
    unchecked="says what views hide",
)
