"""Every rule of Qin, in our words, with where the sheets say it."""

from typing import Final

from rules.kernel.edition import Edition, EditionKey
from rules.kernel.rule import Rule, RuleId

EDITIONS: Final = (
    Edition(
        EditionKey("qin/1"),
        "Qin (2012), first reading of both sheets",
        sources=(
            "S0: French rules sheet with the vocabulary of the Gigamic edition, damaged in places",
            "S1: eggertspiele rules sheet of 2012, in French translation",
        ),
        seats=(2, 3, 4),
    ),
)
QIN_1: Final = EDITIONS[0].key

# Components

COMP_1 = Rule(
    RuleId("QIN-COMP-1"),
    "Seventy-two tiles",
    "S0 L36-49, S1 L20-27; the six kinds from outside both sheets",
    "There are 72 tiles: twelve of each of the six pairings of red, yellow and blue. "
    "A thirteenth tile of a kind can never turn up.",
)
COMP_2 = Rule(
    RuleId("QIN-COMP-2"),
    "Kinds of cell",
    "S0 L24-34, S1 L49; villages of two cells from outside both sheets",
    "A cell is steppe, blocked (such as water), village or start. A village covers one cell or several.",
    unchecked="describes the board, which no move changes",
)
COMP_3 = Rule(
    RuleId("QIN-COMP-3"),
    "Starts are territories",
    "S0 L71-72",
    "Every start counts from the outset as a territory of its printed colour, and nobody owns it.",
    unchecked="describes the board before the first move",
)

# Set-up

SETUP_1 = Rule(
    RuleId("QIN-SETUP-1"),
    "Choice of board side",
    "S0 L56-57, S1 L37",
    "The table agrees on a side of the board; Bird is the gentler one for newcomers.",
    unchecked="settled in the match header, before any move",
)
SETUP_2 = Rule(
    RuleId("QIN-SETUP-2"),
    "First hands and piles",
    "S0 L59-60, S1 L41 (AMB-02)",
    "Before the first turn every player gets one hand of three tiles from the shuffled tiles. "
    "All others lie face down in piles beside the board.",
)
SETUP_3 = Rule(
    RuleId("QIN-SETUP-3"),
    "Supplies of pagodas",
    "S0 L78-84, S1 L63-69",
    "Each player has a supply in a colour of their own, in full view: 24 pagodas with two players, "
    "19 with three, 15 with four.",
    unchecked="the supplies follow from the number of seats; no move sets them",
)
SETUP_4 = Rule(
    RuleId("QIN-SETUP-4"),
    "Fair start",
    "S0 L62-63 (AMB-03)",
    "Where the table has chosen the fair start, every first hand includes a tile of a single colour.",
)
SETUP_5 = Rule(
    RuleId("QIN-SETUP-5"),
    "First player and order",
    "S0 L64, S1 L45 (AMB-05)",
    "The first turn goes to the youngest at the table, and turns pass clockwise.",
    unchecked="the header lists the seats in turn order; ages are not recorded",
)

# Turn

TURN_1 = Rule(
    RuleId("QIN-TURN-1"),
    "One tile a turn",
    "S0 L66, L194-195, S1 L47, L53, L164",
    "In your turn you place one tile out of your hand, see through what it causes and refill your hand. "
    "Nobody acts out of turn or once the match is over.",
)
TURN_2 = Rule(
    RuleId("QIN-TURN-2"),
    "Placing is compulsory",
    "S0 L66, S1 L47 (AMB-27, AMB-28)",
    "A player who holds a tile that can be placed has to place one; passing is only for those who cannot.",
)
TURN_3 = Rule(
    RuleId("QIN-TURN-3"),
    "Events cannot be declined",
    "S0 L76-77, L105, S1 L53 (AMB-22)",
    "Whatever a placement sets off takes place in full, for every player it concerns.",
    unchecked="events are worked out from the placement; no player is asked",
)

# Placement

PLACE_1 = Rule(
    RuleId("QIN-PLACE-1"),
    "Only on free steppe",
    "S0 L68-69, S1 L49",
    "Each half of a tile needs a free steppe cell of its own. Villages, blocked cells, starts and earlier "
    "tiles cannot be built over.",
)
PLACE_2 = Rule(
    RuleId("QIN-PLACE-2"),
    "Two cells side by side",
    "S0 L73-74, S1 L51",
    "A tile covers two cells that are neighbours in a row or in a column, turned any way you like.",
)
PLACE_3 = Rule(
    RuleId("QIN-PLACE-3"),
    "Side contact with a territory",
    "S0 L70-72, L87-89, S1 L50, L79 (AMB-01, AMB-06)",
    "At least one half shares a side with a territory that was there before, tile or start, whatever its "
    "colour. The other half of the same tile does not count.",
)
PLACE_4 = Rule(
    RuleId("QIN-PLACE-4"),
    "Corners do not connect",
    "S0 L91-93, S1 L80",
    "Cells that meet at a corner are not neighbours, so a tile with no better contact than that has none.",
)
PLACE_5 = Rule(
    RuleId("QIN-PLACE-5"),
    "Villages do not connect",
    "S0 L72, L95-96, S1 L50, L81",
    "Lying beside a village gives a tile no foothold; it takes a territory to do that.",
)
PLACE_6 = Rule(
    RuleId("QIN-PLACE-6"),
    "No forbidden joins",
    "S0 L173-188, S1 L146-148",
    "A tile cannot go where it would join several majors, or provinces whose new owner cannot be told. "
    "If either half is barred, so is the whole tile.",
    unchecked="enforced through QIN-ABSORB-4, -5 and -6, which are cited instead",
)
PLACE_7 = Rule(
    RuleId("QIN-PLACE-7"),
    "Placements without effect",
    "S0 L124-128, S1 L95",
    "You may place a tile so that nothing comes of it. Only a tile of two colours can manage that.",
    unchecked="permits a placement that causes nothing; a permission cannot be broken",
)
PLACE_8 = Rule(
    RuleId("QIN-PLACE-8"),
    "Helping an opponent",
    "S0 L117-121, S1 L99 (AMB-14)",
    "You may enlarge somebody else's province, or join provinces to somebody else's gain.",
    unchecked="permits a placement that helps others; a permission cannot be broken",
)

# Provinces

PROV_1 = Rule(
    RuleId("QIN-PROV-1"),
    "What a province is",
    "S0 L107-108, S1 L57",
    "Territories of one colour that hang together by their sides form a province as soon as there are two. "
    "One by itself is only a single.",
    unchecked="defines a word; groups are worked out from the colours",
)
PROV_2 = Rule(
    RuleId("QIN-PROV-2"),
    "One owner, one or two pagodas",
    "derived: QIN-FOUND-1, QIN-MAJOR-1, QIN-ABSORB-7",
    "A province always has a single owner, who has one pagoda on it, or two once it is major. "
    "A single has neither owner nor pagoda.",
    unchecked="an invariant of how owners are decided; no move assigns an owner",
)
PROV_3 = Rule(
    RuleId("QIN-PROV-3"),
    "Provinces never shrink",
    "derived: QIN-PLACE-1, QIN-TURN-1",
    "A territory stays where it is for the rest of the match, so provinces can only grow or be joined.",
    unchecked="no move takes a territory off the board",
)
FOUND_1 = Rule(
    RuleId("QIN-FOUND-1"),
    "Founding a province",
    "S0 L106-110, S1 L57-59",
    "If your tile makes a group of two or more with no earlier province in it, the new province is yours "
    "and gets one of your pagodas. Singles it meets become part of it.",
    unchecked="decides what a placement causes: who founds, and with which cells",
)
FOUND_2 = Rule(
    RuleId("QIN-FOUND-2"),
    "Two foundings at once",
    "S0 L111-113, S1 L85",
    "A tile of two colours can found a province with each of its halves.",
    unchecked="each half is resolved for itself; nothing limits their number",
)
FOUND_3 = Rule(
    RuleId("QIN-FOUND-3"),
    "Founded as a major",
    "derived: QIN-FOUND-1, QIN-MAJOR-1 (AMB-15)",
    "A province that has five cells or more when founded is major from the start and gets two pagodas.",
    unchecked="decides how many pagodas a founding brings; the founder has no choice",
)
EXPAND_1 = Rule(
    RuleId("QIN-EXPAND-1"),
    "Expanding a province",
    "S0 L117-121, S1 L93, L99",
    "A group that held exactly one province before is that province grown larger, singles it met included. "
    "Its owner stays the same, whoever placed the tile.",
    unchecked="decides what a placement causes: an owner keeps what has grown",
)
MAJOR_1 = Rule(
    RuleId("QIN-MAJOR-1"),
    "Five cells make a major",
    "S0 L117-124, S1 L124",
    "With its fifth cell a province turns major, and its owner adds a second pagoda there and then, "
    "no matter whose turn it is.",
    unchecked="decides when a second pagoda is due; it is placed without being asked for",
)
MAJOR_2 = Rule(
    RuleId("QIN-MAJOR-2"),
    "Never more than two pagodas",
    "S0 L125-130, S1 L126",
    "Growth beyond five cells brings no further pagodas: two are all that a province ever carries.",
    unchecked="caps what a placement brings; players do not choose how many pagodas to place",
)

# Joining provinces

ABSORB_1 = Rule(
    RuleId("QIN-ABSORB-1"),
    "Joining provinces",
    "S0 L163-164, S1 L144",
    "Where a tile links two or more provinces of one colour they merge, and the result is always major.",
    unchecked="decides what a placement causes: linked provinces merge by themselves",
)
ABSORB_2 = Rule(
    RuleId("QIN-ABSORB-2"),
    "Most cells take all",
    "S0 L164-168, S1 L144, L158 (AMB-07)",
    "The merged province goes to the player who brought the most cells into it, adding up all the provinces "
    "that player had in it before the placement.",
    unchecked="decides who owns a merged province; no player can claim another count",
)
ABSORB_3 = Rule(
    RuleId("QIN-ABSORB-3"),
    "Cells that do not count",
    "S0 L164-169, L178, S1 L144 (AMB-09, AMB-10)",
    "The count leaves out the tile just placed, and any singles, since those have no owner.",
    unchecked="decides which cells are counted; no player does the counting",
)
ABSORB_4 = Rule(
    RuleId("QIN-ABSORB-4"),
    "No join on a tie",
    "S0 L173-188, S1 L146, L160 (AMB-08)",
    "A tile cannot join provinces if two or more players would tie for the most cells.",
)
ABSORB_5 = Rule(
    RuleId("QIN-ABSORB-5"),
    "No join of two majors",
    "S0 L185-188, S1 L148 (AMB-12)",
    "Among the provinces that a tile joins, one at most may be major, even if all have the same owner.",
)
ABSORB_6 = Rule(
    RuleId("QIN-ABSORB-6"),
    "Majors are never lost",
    "S0 L181-190, S1 L148 (AMB-11)",
    "A major can swallow smaller provinces, but stays with its owner for good. "
    "A join that the count would not clearly give to that owner is not allowed.",
)
ABSORB_7 = Rule(
    RuleId("QIN-ABSORB-7"),
    "Pagodas after a join",
    "S0 L171-176, L187, S1 L144, L158 (AMB-13)",
    "The new owner ends with two pagodas on the merged province, using those already there first: "
    "a missing one comes from the supply, spare ones go back to it. Everybody else takes theirs back.",
    unchecked="decides which pagodas move after a join; they move without being asked for",
)
ABSORB_8 = Rule(
    RuleId("QIN-ABSORB-8"),
    "Joins among others",
    "S0 L163-171, S1 L144 (AMB-14)",
    "The player who places the tile need not own any of the provinces that it joins.",
    unchecked="permits joins in which the mover has no part; a permission cannot be broken",
)

# Villages

VIL_1 = Rule(
    RuleId("QIN-VIL-1"),
    "One pagoda a village",
    "S0 L134-135, S1 L107 (AMB-19)",
    "A village is either vacant or held by a single pagoda, however many cells it covers.",
    unchecked="an invariant of how villages are decided; no move puts a pagoda on one directly",
)
VIL_2 = Rule(
    RuleId("QIN-VIL-2"),
    "Strength at a village",
    "S0 L145-160, S1 L113-116 (AMB-19)",
    "Each of your provinces beside a village gives you a strength of one there, a major two, each only "
    "once. Neither singles nor the pagoda on the village add anything.",
    unchecked="decides how strength is counted; no player does the counting",
)
VIL_3 = Rule(
    RuleId("QIN-VIL-3"),
    "Connecting a vacant village",
    "S0 L133-135, L162, S1 L107, L118 (AMB-16, AMB-20)",
    "After a placement, a vacant village falls to the player, if any, who is stronger there than all others.",
    unchecked="decides who takes a vacant village; nobody can claim or refuse it",
)
VIL_4 = Rule(
    RuleId("QIN-VIL-4"),
    "Conquering a village",
    "S0 L144-162, S1 L113-118 (AMB-17, AMB-21)",
    "A player stronger at a held village than its holder and than every other player takes it over. "
    "The old pagoda returns to its supply before the new one goes down.",
    unchecked="decides who takes over a village; nobody can claim or refuse it",
)
VIL_5 = Rule(
    RuleId("QIN-VIL-5"),
    "Held villages stay held",
    "derived: QIN-VIL-3, QIN-VIL-4; no line of either sheet empties a village (AMB-18)",
    "Without a clear leader nothing changes at a village, and one that has been taken is never vacant again.",
    unchecked="decides when a village keeps its holder; no move vacates one",
)
VIL_6 = Rule(
    RuleId("QIN-VIL-6"),
    "Provinces before villages",
    "S0 L187-190, S1 L142, L154 (AMB-23)",
    "Villages are judged only when all the provinces that a placement changes have been settled.",
    unchecked="sets the order in which a placement is resolved; players do not choose it",
)
VIL_7 = Rule(
    RuleId("QIN-VIL-7"),
    "Villages change in any turn",
    "S0 L133-134, S1 L107",
    "Any player can win or lose a village in any turn, their own or another's.",
    unchecked="widens who is affected by a placement; there is nothing in it to break",
)

# Draw

DRAW_1 = Rule(
    RuleId("QIN-DRAW-1"),
    "Refilling the hand",
    "S0 L194-195, S1 L164",
    "When everything is resolved, the player who placed draws one tile, from any pile that still has some.",
)
DRAW_2 = Rule(
    RuleId("QIN-DRAW-2"),
    "When the piles are gone",
    "S0 L194-195, S1 L166",
    "With nothing left to draw, the match goes on and the hands shrink turn by turn.",
    unchecked="no draw falls due once the piles are empty",
)

# End

END_1 = Rule(
    RuleId("QIN-END-1"),
    "The last pagoda wins",
    "S0 L196-197, S1 L170-172 (AMB-24, AMB-25)",
    "A player who puts down the last pagoda of their supply has won, and play stops on the spot.",
    unchecked="the match ends by itself with that pagoda; moves after it break QIN-TURN-1",
)
END_2 = Rule(
    RuleId("QIN-END-2"),
    "Winning in another's turn",
    "derived: QIN-MAJOR-1, QIN-VIL-7; S0 L196, S1 L170 (AMB-26)",
    "The winning pagoda may go down in anybody's turn, even by an opponent's doing.",
    unchecked="widens when a win can come; there is nothing in it to break",
)
END_3 = Rule(
    RuleId("QIN-END-3"),
    "Nobody can place",
    "S0 L196, L198, S1 L174 (AMB-28)",
    "The match is also over when no player can place any of the tiles they hold, or none are held any more. "
    "It is not over while somebody still can.",
)
END_4 = Rule(
    RuleId("QIN-END-4"),
    "Most pagodas on the board",
    "S0 L197-198, S1 L176 (AMB-29)",
    "Where nobody placed a last pagoda, the most pagodas on the board win, both pagodas of a major and "
    "those on villages included. Players level at the top win together.",
    unchecked="the winners are counted, not claimed",
)
END_5 = Rule(
    RuleId("QIN-END-5"),
    "No draw after the end",
    "derived: QIN-END-1",
    "The placement that ends the match is not followed by a draw.",
    unchecked="no draw falls due once the match is over",
)

# Series of matches

MATCH_1 = Rule(
    RuleId("QIN-MATCH-1"),
    "A series of matches",
    "S1 L178 (AMB-31)",
    "Matches can be played as a series, say one on either side of the board. "
    "Add up what each player had left in supply every time: the smallest sum wins.",
    unchecked="adds up several records; within a single match there is nothing to break",
)

RULES: Final = (
    COMP_1,
    COMP_2,
    COMP_3,
    SETUP_1,
    SETUP_2,
    SETUP_3,
    SETUP_4,
    SETUP_5,
    TURN_1,
    TURN_2,
    TURN_3,
    PLACE_1,
    PLACE_2,
    PLACE_3,
    PLACE_4,
    PLACE_5,
    PLACE_6,
    PLACE_7,
    PLACE_8,
    PROV_1,
    PROV_2,
    PROV_3,
    FOUND_1,
    FOUND_2,
    FOUND_3,
    EXPAND_1,
    MAJOR_1,
    MAJOR_2,
    ABSORB_1,
    ABSORB_2,
    ABSORB_3,
    ABSORB_4,
    ABSORB_5,
    ABSORB_6,
    ABSORB_7,
    ABSORB_8,
    VIL_1,
    VIL_2,
    VIL_3,
    VIL_4,
    VIL_5,
    VIL_6,
    VIL_7,
    DRAW_1,
    DRAW_2,
    END_1,
    END_2,
    END_3,
    END_4,
    END_5,
    MATCH_1,
)
