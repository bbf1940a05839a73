"""Rules on two players and the Reed Clan."""

from rules.great_wall.rulebook.make import rule

TWO_01 = rule(
    "GW-2P-01",
    "The closed section",
    "L865-L866",
    "The board side for two or three players is used. Three barricades on the horde slots of the left "
    "section close it, and they stay there to the end.",
    unchecked="follows of itself, and no move can do otherwise",
)
TWO_02 = rule(
    "GW-2P-02",
    "The Reed Clan",
    "L867 (AMB-22)",
    "The Reed Clan gets the tea marker, 3 clerks and all 10 spearmen of a clan that nobody plays; its "
    "other pieces are not used. Its strategy card and its general lie face down between the two "
    "players.",
    unchecked="follows of itself, and no move can do otherwise",
)
TWO_03 = rule(
    "GW-2P-03",
    "Hordes without the left section",
    "L868-L869",
    "Hordes that have the left section on their backs are taken out. The centre and the right section "
    "each begin with one horde in line 1.",
    unchecked="follows of itself, and no move can do otherwise",
)
TWO_04 = rule(
    "GW-2P-04",
    "Six barricades",
    "L870",
    "The two open sections begin with six barricades.",
    unchecked="follows of itself, and no move can do otherwise",
)
TWO_05 = rule(
    "GW-2P-05",
    "Reed's clerks at the start",
    "L871",
    "Reed begins with a clerk in the sawmill, one in the quarry and one in the gold mine.",
    unchecked="follows of itself, and no move can do otherwise",
)
TWO_06 = rule(
    "GW-2P-06",
    "Tea order with Reed",
    "L872",
    "The player whose general has more tea is on top, the other player comes next, and Reed is last.",
    unchecked="follows of itself, and no move can do otherwise",
)
TWO_07 = rule(
    "GW-2P-07",
    "What Reed never gains",
    "L876",
    "Reed gets no honour, no shame and no resources, and it saves no soldiers. A horde that Reed would "
    "claim is discarded.",
    unchecked="follows of itself, and no move can do otherwise",
)
TWO_08 = rule(
    "GW-2P-08",
    "Reed never rests",
    "L877",
    "A soldier of Reed that would go to a rest zone goes to Reed's reserve instead.",
    unchecked="follows of itself, and no move can do otherwise",
)
TWO_09 = rule(
    "GW-2P-09",
    "One Reed clerk per location",
    "L879",
    "Reed always has three clerks on the board, no two of them in the same location. They stay where "
    "they are when a location has been activated.",
)
TWO_10 = rule(
    "GW-2P-10",
    "Reed alone activates no special location",
    "L878 (AMB-66)",
    "If Reed has the only clerk in a special location, that location does not activate.",
)
TWO_11 = rule(
    "GW-2P-11",
    "Reed's strategy card",
    "L880 (AMB-38)",
    "Reed plays its single strategy card every Autumn and gets it back every Summer. When it is Reed's "
    "turn to place, the card goes on the first space that is free.",
    unchecked="follows of itself, and no move can do otherwise",
)
TWO_12 = rule(
    "GW-2P-12",
    "The overlord",
    "L882",
    "The overlord acts for Reed. That is the active player or, while Reed is active, the human player "
    "who is higher in tea order. In the solo game Qin is overlord in the same way: in his own turn, and "
    "in Reed's if he is above the human.",
)
TWO_13 = rule(
    "GW-2P-13",
    "Reed's clerks move",
    "L883 (AMB-65)",
    "When other players may move clerks, Reed may too, at its place in tea order, and the overlord "
    "chooses. The usual rules hold, and no location may get a second clerk of Reed. Reed has no clerks "
    "in reserve, so each move goes from one location to another.",
    unchecked="gives a choice; a move that it does not give breaks GW-CLK-05 or GW-2P-09",
)
TWO_14 = rule(
    "GW-2P-14",
    "Reed is a colour",
    "L405 (AMB-23)",
    "A clerk of Reed counts as one more colour. It takes up a slot, it spares a player who is otherwise "
    "alone the shame of the icon, and nobody fills the tea house alone beside it.",
    unchecked="follows of itself, and no move can do otherwise",
)
TWO_15 = rule(
    "GW-2P-15",
    "Reed donates",
    "L859-L915",
    "Where players donate, one unit from the stock goes to the warehouse for Reed. Nobody gets honour "
    "for it.",
    unchecked="follows of itself, and no move can do otherwise",
)
TWO_16 = rule(
    "GW-2P-16",
    "Reed in the temple",
    "L859-L915",
    "The active player returns one of their shame tokens to the pool without paying chi, and chooses "
    "which. Nothing happens if they have none or if Reed is the active clan.",
    unchecked="follows of itself, and no move can do otherwise",
)
TWO_17 = rule(
    "GW-2P-17",
    "Reed in the embassy",
    "L859-L915",
    "The overlord removes one advisor of their choice from the track, which then closes up and is "
    "refilled. This costs nothing.",
)
TWO_18 = rule(
    "GW-2P-18",
    "Reed builds",
    "L859-L915",
    "The overlord puts a barricade, free of cost, on any section that has room for one.",
)
TWO_19 = rule(
    "GW-2P-19",
    "Reed recruits",
    "L859-L915",
    "Reed gets a spearman free of cost, and the overlord chooses an empty spot for it in line 1. If "
    "there is none, it goes back to the reserve. Nobody gets the reward of the spot.",
    unchecked="follows of itself, and no move can do otherwise",
)
TWO_20 = rule(
    "GW-2P-20",
    "Reed in the academy and logistics",
    "L859-L915",
    "Reed's clerk in the academy or in logistics has no effect.",
    unchecked="follows of itself, and no move can do otherwise",
)
TWO_21 = rule(
    "GW-2P-21",
    "Reed in the tea house",
    "L859-L915",
    "Reed's marker rises in the tea house like that of any clan.",
    unchecked="follows of itself, and no move can do otherwise",
)
TWO_22 = rule(
    "GW-2P-22",
    "Reed and hordes",
    "L876, L707",
    "Reed's soldiers count when the claim is decided; if Reed has most, or wins a tie by tea order, the "
    "horde is discarded. They die by mortality like all others. They save no human player from the "
    "shame of a breach.",
    unchecked="follows of itself, and no move can do otherwise",
)
TWO_23 = rule(
    "GW-2P-23",
    "Reed is no player",
    "L876 (AMB-01, AMB-15, AMB-47)",
    "Betrayal cannot copy Reed's card, as no player has a card of that name. Reed does not count as a "
    "player for raids, for the size of the pool or for requests, since it has nothing to give.",
    unchecked="copying Reed's card breaks GW-CRD-07",
)
