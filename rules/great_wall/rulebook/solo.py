"""Rules on playing alone against Qin Jiushao."""

from rules.great_wall.rulebook.make import rule

SOL_01 = rule(
    "GW-SOL-01",
    "The solo table",
    "L931-L939",
    "The left section is closed, and hordes and barricades begin as in a match of two players.",
    unchecked="Qin acts by rule, and no move can do otherwise",
)
SOL_02 = rule(
    "GW-SOL-02",
    "The solo pool",
    "L933",
    "The shame pool has 10 tokens.",
    unchecked="Qin acts by rule, and no move can do otherwise",
)
SOL_03 = rule(
    "GW-SOL-03",
    "Qin's clan",
    "L934",
    "Two clans that nobody plays are used, one for Reed as with two players and one for Qin. Qin has "
    "its markers for tea and honour, all its soldiers and its 8 clerks, which begin in his reserve, and "
    "he has the 6 solo strategy cards.",
    unchecked="Qin acts by rule, and no move can do otherwise",
)
SOL_04 = rule(
    "GW-SOL-04",
    "Qin's cards",
    "L935",
    "The solo strategy cards are shuffled into a deck, face down.",
    unchecked="Qin acts by rule, and no move can do otherwise",
)
SOL_05 = rule(
    "GW-SOL-05",
    "Qin's foremen",
    "L936",
    "Qin begins with a foreman of level 1 in each production location. Horsemen are in the sawmill and "
    "the quarry, spearmen in the other two; which of them is where makes no difference.",
    unchecked="Qin acts by rule, and no move can do otherwise",
)
SOL_06 = rule(
    "GW-SOL-06",
    "Generals in solo",
    "L940-L941",
    "You draw two generals and keep one. Qin's own general card lies beside his pieces.",
    unchecked="Qin acts by rule, and no move can do otherwise",
)
SOL_07 = rule(
    "GW-SOL-07",
    "Qin's location track",
    "L942 (AMB-24)",
    "The four resource tokens and one wound marker are put on Qin's location track in random order, one "
    "on each space. The rulebook speaks of four wound markers, but the cards work only with one.",
)
SOL_08 = rule(
    "GW-SOL-08",
    "Advisors in solo",
    "L943-L944 (AMB-61)",
    "You get two advisors as always. Qin gets two at random, both as assistants.",
    unchecked="Qin acts by rule, and no move can do otherwise",
)
SOL_09 = rule(
    "GW-SOL-09",
    "Clerks in solo",
    "L945",
    "Three of your clerks begin in the clerk space. Reed has one clerk each in the sawmill, the quarry "
    "and the gold mine.",
    unchecked="Qin acts by rule, and no move can do otherwise",
)
SOL_10 = rule(
    "GW-SOL-10",
    "Tea order in solo",
    "L946-L947",
    "Qin begins with no honour. You are first in tea order, then Qin, then Reed.",
    unchecked="Qin acts by rule, and no move can do otherwise",
)
SOL_11 = rule(
    "GW-SOL-11",
    "A harder game",
    "L1044",
    "For a harder match, Qin begins with 50 honour; for the hardest, with a token of 100.",
    unchecked="Qin acts by rule, and no move can do otherwise",
)
SOL_12 = rule(
    "GW-SOL-12",
    "What Qin wants",
    "L917-L1044",
    "The leftmost space of Qin's track is the highest, the rightmost the lowest. Wood is the sawmill, "
    "stone the quarry, gold the gold mine, chi the temple, and the wound the barracks. Qin prefers the "
    "location that is lowest.",
    unchecked="Qin acts by rule, and no move can do otherwise",
)
SOL_13 = rule(
    "GW-SOL-13",
    "Move to front",
    "L961, L998",
    "When a location with a clerk of Qin has activated, its token moves to the highest space, and the "
    "tokens it passes move one space to the right. It does not matter on which turn this happens or "
    "whether the activation was an advanced one. Locations without Qin's clerks leave the track as it "
    "is.",
    unchecked="Qin acts by rule, and no move can do otherwise",
)
SOL_14 = rule(
    "GW-SOL-14",
    "What Qin never does",
    "L917-L1044",
    "Qin takes no shame and has no active advisors. He saves no soldiers, and those that would rest go "
    "to his reserve. He pays with nothing of his own, though he may take from the warehouse.",
    unchecked="Qin acts by rule, and no move can do otherwise",
)
SOL_15 = rule(
    "GW-SOL-15",
    "What Qin gains",
    "L917-L1044 (AMB-68)",
    "Qin gets honour for all that a player gets honour for, unless a rule says otherwise.",
    unchecked="Qin acts by rule, and no move can do otherwise",
)
SOL_16 = rule(
    "GW-SOL-16",
    "Qin builds",
    "L976-L978 (AMB-25)",
    "Qin builds in the section that the invasion indicator shows now, or in the other if that wall is "
    "finished. What he uses from the warehouse is discarded, and he gets the usual honour.",
    unchecked="Qin acts by rule, and no move can do otherwise",
)
SOL_17 = rule(
    "GW-SOL-17",
    "Qin's artefacts",
    "L1030",
    "At the end each artefact gives Qin 20 honour.",
    unchecked="Qin acts by rule, and no move can do otherwise",
)
SOL_18 = rule(
    "GW-SOL-18",
    "Qin's strategy",
    "L917-L1044 (AMB-39)",
    "When you have chosen your card, the top card of the solo deck is turned up for Qin. At his turn in "
    "tea order it goes on the first space that is free. His cards have the names of yours, but they do "
    "other things.",
)
SOL_19 = rule(
    "GW-SOL-19",
    "Bonuses by Qin's card",
    "L917-L1044",
    "If Qin's card on the track gives a bonus to yours, you get it. His Economy, for example, lets your "
    "Despotism move two more clerks.",
    unchecked="Qin acts by rule, and no move can do otherwise",
)
SOL_20 = rule(
    "GW-SOL-20",
    "Copying Qin",
    "L917-L1044",
    "Your Betrayal may copy Qin's card, but then you carry out the players' card of the same name.",
    unchecked="Qin acts by rule, and no move can do otherwise",
)
SOL_21 = rule(
    "GW-SOL-21",
    "Qin's clerks",
    "L917-L1044 (AMB-56)",
    "In his own turn Qin moves clerks as his card says. When clerks move in your turn or in Reed's, Qin "
    "moves two, one to the lowest location on his track and one to the second lowest.",
    unchecked="Qin acts by rule, and no move can do otherwise",
)
SOL_22 = rule(
    "GW-SOL-22",
    "Where Qin's clerks go",
    "L917-L1044 (AMB-26)",
    "If a location is full, the clerk goes to the next one up the track instead. If all eight clerks "
    "are on the board, Qin takes one from the highest location that he can. His clerks go only to the "
    "barracks and to production locations.",
    unchecked="Qin acts by rule, and no move can do otherwise",
)
SOL_23 = rule(
    "GW-SOL-23",
    "Qin's production",
    "L917-L1044",
    "At a production location Qin gets honour: the number of his clerks there times the level of his "
    "foreman there. He takes no resources and donates none.",
    unchecked="Qin acts by rule, and no move can do otherwise",
)
SOL_24 = rule(
    "GW-SOL-24",
    "Qin's barracks",
    "L996",
    "In the barracks Qin gets one spearman for each clerk without paying. They come one at a time, "
    "until his reserve has no more.",
    unchecked="Qin acts by rule, and no move can do otherwise",
)
SOL_25 = rule(
    "GW-SOL-25",
    "Qin's activations",
    "L1000-L1002 (AMB-27)",
    "In Qin's turn the locations where he has clerks activate first, beginning with the lowest on his "
    "track. You choose the order of all others. Where he may activate only one, it is the lowest that "
    "has a clerk of his.",
    unchecked="Qin acts by rule, and no move can do otherwise",
)
SOL_26 = rule(
    "GW-SOL-26",
    "Qin's attacks",
    "L917-L1044 (AMB-28)",
    "Qin's spearman attacks in the section that the invasion indicator shows. If it cannot, it attacks "
    "in the other section, and if it cannot there either, it is not recruited. His archer takes a "
    "firing slot in the section shown or is not recruited. He always strikes the horde closest to the "
    "wall, and its spots from top to bottom and from left to right. For each spot that his spearmen or "
    "archers wound he gets 2 honour and not the reward printed there.",
    unchecked="Qin acts by rule, and no move can do otherwise",
)
SOL_27 = rule(
    "GW-SOL-27",
    "An advisor for Qin",
    "L1026",
    "In Spring you choose one of the two advisors furthest left as a new assistant for Qin. The other "
    "is discarded.",
)
SOL_28 = rule(
    "GW-SOL-28",
    "Qin as overlord",
    "L1016-L1022 (AMB-53, AMB-55)",
    "Qin is overlord in his own turn, and in Reed's turn if he is above you in tea order. He moves "
    "Reed's clerks to the lowest locations he can. He takes those that stand off his track first, and "
    "after them those on the track that can go from a higher location to a lower one. Reed's soldiers "
    "attack as his do, but he gains nothing from what Reed does, not even 2 honour for a wound.",
    unchecked="Qin acts by rule, and no move can do otherwise",
)
SOL_29 = rule(
    "GW-SOL-29",
    "The solo end",
    "L1038 (AMB-48, AMB-63)",
    "The match ends as any other does. However, you lose if the shame pool is empty at the end check.",
    unchecked="Qin acts by rule, and no move can do otherwise",
)
SOL_30 = rule(
    "GW-SOL-30",
    "Strictly more honour",
    "L1040 (AMB-64)",
    "To win you need more honour than Qin; a tie is not enough.",
    unchecked="Qin acts by rule, and no move can do otherwise",
)
SOL_31 = rule(
    "GW-SOL-31",
    "Qin's income",
    "L957, L487",
    "Qin has no resources, so his foremen bring him no income. His clerks go home after an activation "
    "as yours do.",
    unchecked="Qin acts by rule, and no move can do otherwise",
)
SOL_32 = rule(
    "GW-SOL-32",
    "Qin and hordes",
    "L975",
    "Qin gets 2 honour if he has soldiers on a horde that falls, and 2 for each archer he has in that "
    "section. If he covers most of it he claims the horde, and he scores its reward at the end.",
    unchecked="Qin acts by rule, and no move can do otherwise",
)
SOL_33 = rule(
    "GW-SOL-33",
    "Qin is a colour",
    "L971, L405 (AMB-23)",
    "A clerk of Qin is one more colour for the shame icon, and if he is alone there nothing happens. A "
    "breach gives him no shame, and his soldiers do not keep you from getting it.",
    unchecked="Qin acts by rule, and no move can do otherwise",
)
