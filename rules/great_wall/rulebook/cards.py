"""Rules on cards and their effects."""

from rules.great_wall.rulebook.make import rule

TAC_01 = rule(
    "GW-TAC-01",
    "Playing a tactic",
    "L636 (AMB-44)",
    "You may play a tactic only while the condition on the card is met. Finish one tactic before you "
    "begin another.",
)
TAC_02 = rule(
    "GW-TAC-02",
    "Boosting",
    "L636 (AMB-62)",
    "The upper half of a tactic is its base effect, the lower half its boosted effect with a price in "
    "chi. If you pay that chi, you get the boosted effect in place of the base one; otherwise you get "
    "the base one.",
)
TAC_03 = rule(
    "GW-TAC-03",
    "Played tactics",
    "L634-L650",
    "A tactic is discarded once its effect is over, so a reshuffle during the effect cannot bring it back.",
    unchecked="happens of itself, and a tactic that is being played is in no hand",
)
SAV_01 = rule(
    "GW-SAV-01",
    "Saving soldiers",
    "L640",
    "If soldiers of yours are about to die, you may save any of them for 2 chi apiece. A saved soldier "
    "goes to the rest zone of the section where it stood.",
)
SAV_02 = rule(
    "GW-SAV-02",
    "Deaths are simultaneous",
    "L642",
    "Everybody who dies in one defeat dies at the same moment, and so do all who die in one breach, "
    "archers included. Mortality is still counted for each card alone. A single boosted Retreat can "
    "therefore save all of them.",
    unchecked="happens of itself, and no move can do otherwise",
)
SAV_03 = rule(
    "GW-SAV-03",
    "Saved is not killed",
    "L725",
    "A soldier that was saved does not count as killed, whatever asks for it.",
    unchecked="happens of itself, and no move can do otherwise",
)
EFX_01 = rule(
    "GW-EFX-01",
    "Own pieces",
    "L646",
    "Where an effect names a piece but not its owner, it means a piece of the player who uses the effect.",
    unchecked="happens of itself, and no move can do otherwise",
)
EFX_02 = rule(
    "GW-EFX-02",
    "Simultaneous effects",
    "L650",
    "Effects of the same moment happen together, so the gain of one cannot pay for another. Chi that "
    "you get for playing a tactic, for example, cannot boost that same tactic.",
    unchecked="paying with such a gain breaks the rule of the price, for a boost GW-TAC-02",
)
EFX_03 = rule(
    "GW-EFX-03",
    "What the vocabulary fixes",
    "digest, section 27.2 (AMB-52)",
    "The steps of a strategy or tactic are offers: you take as many as you like and say `done`. What a "
    "general or advisor gives on an occasion comes by itself, each time the occasion arises.",
    unchecked="happens of itself, and no move can do otherwise",
)
EFX_04 = rule(
    "GW-EFX-04",
    "What is owed",
    "L578, L642, L650 (AMB-62)",
    "While things happen together, what you gain is held back until all of it is over, and costs are "
    "paid from what you had before. This goes for all your clerks in the barracks or the builders' "
    "camp, for an attack order and for soldiers who die together. It does not go for the embassy, where "
    "each clerk acts alone, nor for production, where you may upgrade with what you just collected. Nor "
    "does it go for the steps of a defeat: what an ability gives you for your share in it can save "
    "soldiers a step later. Only resources are held back; honour is counted right away, because nothing "
    "here costs honour.",
    unchecked="paying with what is owed breaks the rule of the price, in the barracks GW-BAR-02",
)
CRD_01 = rule(
    "GW-CRD-01",
    "Generals",
    "L343-L351",
    "Your general gives you resources, tactic cards and a tea value for the set-up, and an ability for "
    "the whole match.",
    unchecked="happens of itself, and no move can do otherwise",
)
CRD_02 = rule(
    "GW-CRD-02",
    "Assistants strengthen a general",
    "L343-L351",
    "Each assistant under the general makes the general's ability stronger.",
    unchecked="happens of itself, and no move can do otherwise",
)
CRD_03 = rule(
    "GW-CRD-03",
    "Gaining an advisor",
    "L353-L365",
    "When you get an advisor, you decide right away whether it becomes active or an assistant.",
    unchecked="a hire names the role, so none is gained without one",
)
CRD_04 = rule(
    "GW-CRD-04",
    "A role is permanent",
    "L353-L365",
    "An advisor never changes its role.",
    unchecked="happens of itself, and no move can do otherwise",
)
CRD_05 = rule(
    "GW-CRD-05",
    "What advisors do",
    "L353-L365",
    "You may use the ability of an active advisor from the moment you get it. An assistant does nothing "
    "but make the general stronger by 1.",
    unchecked="happens of itself, and no move can do otherwise",
)
CRD_06 = rule(
    "GW-CRD-06",
    "No limit of advisors",
    "L353-L365",
    "You may have any number of active advisors and any number of assistants.",
    unchecked="gives freedom and forbids nothing",
)
CRD_07 = rule(
    "GW-CRD-07",
    "Blocks of a strategy card",
    "L367-L375 (AMB-47)",
    "A strategy card is carried out from its top to its bottom. The first part, and the third if there "
    "is one, is for the active player alone. The second part, in a blue frame, is for all other clans "
    "in tea order, Reed and Qin among them, but not for the active player.",
)
CRD_08 = rule(
    "GW-CRD-08",
    "The commonest order",
    "L367-L375",
    "Most strategy cards let you send up to two clerks to two different locations. Clerks may stand "
    "there already, and they may be your own.",
    unchecked="gives freedom; what it forbids breaks GW-CLK-05",
)
CRD_09 = rule(
    "GW-CRD-09",
    "The fifth space",
    "L367-L375 (AMB-04)",
    "The fifth space of the strategy track is used only in a match of five players.",
)
CRD_10 = rule(
    "GW-CRD-10",
    "Tactic cards",
    "L377-L383",
    "You play a tactic card from your hand when the moment named on it has come.",
    unchecked="happens of itself, and no move can do otherwise",
)
CRD_11 = rule(
    "GW-CRD-11",
    "The hand limit",
    "L377-L383 (AMB-35)",
    "You may hold five tactic cards. If you have more, you discard at once down to five, and you choose "
    "which.",
)
CRD_12 = rule(
    "GW-CRD-12",
    "The tactic deck",
    "L377-L383",
    "If the tactic deck runs out, its discard pile is shuffled and becomes the new deck.",
)
CRD_13 = rule(
    "GW-CRD-13",
    "Horde cards",
    "L385-L394",
    "A horde card shows its power, an ability, and the honour that its claimer scores at the end. It "
    "falls once each of its vital spots has a soldier or a wound. A claimed card lies face down before "
    "its owner and has room for two shame tokens. On the back is the invasion indicator.",
)
CRD_14 = rule(
    "GW-CRD-14",
    "Claimed cards with shame",
    "L385-L394",
    "A claimed horde that carries any shame is worth no honour at the end.",
    unchecked="happens of itself, and no move can do otherwise",
)
CRD_15 = rule(
    "GW-CRD-15",
    "The back of the top card",
    "L385-L394",
    "Everybody can see the back of the card on top of the horde deck. It shows the place of the card "
    "drawn just before it, not its own.",
)
CRD_16 = rule(
    "GW-CRD-16",
    "Artefacts",
    "L396-L398",
    "Artefacts do nothing until the end; then every player scores them.",
    unchecked="happens of itself, and no move can do otherwise",
)
CRD_17 = rule(
    "GW-CRD-17",
    "Screens",
    "L463",
    "You keep your resources out of sight behind your screen.",
    unchecked="says what views hide",
)
