"""Every rule of Khan, in our words, with where the rulebook says it."""

from typing import Final

from rules.kernel.edition import Edition, EditionKey
from rules.kernel.rule import Rule, RuleId

EDITIONS: Final = (
    Edition(
        EditionKey("khan/1"),
        "Khan (2010), first reading",
        sources=(
            "L: French rulebook, by line of a damaged transcription",
            "DE: German rulebook of the same game, seen in part, to settle doubts only",
        ),
        seats=(2, 3, 4),
    ),
)
KHAN_1: Final = EDITIONS[0].key

# Components

FREE_1 = Rule(
    RuleId("KHAN-FREE-1"),
    "Free cells",
    "L161-163, L229-230",
    "A cell is free if it is land without a yurt, a leader or a piece. Yurts go on free cells only; the "
    "river "
    "is never free.",
)
COMP_1 = Rule(
    RuleId("KHAN-COMP-1"),
    "The board",
    "L27-28, L46-57",
    "The board has 132 cells of land in six regions and 22 cells of river: mountain 22, ice 20, tundra "
    "22, rocky "
    "desert 21, sand desert 22, tropical forest 25.",
    unchecked="describes the board; the component set is checked when a match is laid out",
)
COMP_2 = Rule(
    RuleId("KHAN-COMP-2"),
    "Thirty-eight pieces",
    "L46, L56-59",
    "There are 29 conquest tiles and 9 bridges, each with a value. They can never all be placed: "
    "together they "
    "have more cells than the board.",
    unchecked="describes the pieces; a piece that is used up breaks KHAN-ACT-C",
)
COMP_3 = Rule(
    RuleId("KHAN-COMP-3"),
    "Seventy-two leader cards",
    "L32-35, L153-156, L215-223",
    "Each of the eight leaders has nine cards, each with a direction and a ground. A card of which every "
    "copy lies "
    "open or is known to be in a hand cannot turn up once more.",
)
COMP_4 = Rule(
    RuleId("KHAN-COMP-4"),
    "Yurts never run out",
    "L39-44, L261-263",
    "However many yurts are in the box, they count as unlimited. Only those beside the leaders' "
    "portraits are counted.",
    unchecked="no move is refused for want of yurts",
)

# Set-up

SETUP_1 = Rule(
    RuleId("KHAN-SETUP-1"),
    "Camps",
    "L68-75",
    "Five neutral yurts stand in a camp beside each leader's portrait; the other twenty are the common "
    "reserve.",
    unchecked="describes the table before the first move",
)
SETUP_2 = Rule(
    RuleId("KHAN-SETUP-2"),
    "Pieces lie open",
    "L77-81",
    "All tiles and bridges lie beside the board, where everybody can see what is left.",
    unchecked="describes the table before the first move",
)
SETUP_3 = Rule(
    RuleId("KHAN-SETUP-3"),
    "Special cards",
    "L83-106; DE p. 2",
    "With two players each has two of every special card; with three, two High Morale and one each of "
    "the others; with "
    "four, one of each. They lie open, and the rest is out of the game.",
    unchecked="the special cards follow from the number of seats; no move hands them out",
)
SETUP_4 = Rule(
    RuleId("KHAN-SETUP-4"),
    "Leaders at their starts",
    "L108-112 (AMB-22)",
    "Each leader begins on the start cell that the board prints for it.",
    unchecked="describes the board before the first move",
)
SETUP_5 = Rule(
    RuleId("KHAN-SETUP-5"),
    "The first player",
    "L114",
    "Before anything else, chance names the player who begins.",
)
SETUP_6 = Rule(
    RuleId("KHAN-SETUP-6"),
    "Opening yurts",
    "L116-120 (AMB-1)",
    "From the first player on, everybody in turn puts one yurt on a free cell: three times round with "
    "two players, "
    "twice with three, once with four. Nothing else is done before.",
)
SETUP_7 = Rule(
    RuleId("KHAN-SETUP-7"),
    "The deal",
    "L122-129",
    "After the opening yurts each player gets four cards face down, and the rest is the draw pile.",
)
DECK_1 = Rule(
    RuleId("KHAN-DECK-1"),
    "A new draw pile",
    "L129-132 (AMB-7)",
    "When a card is needed and the draw pile is empty, all discards are shuffled into a new one. Nothing "
    "else is in it.",
)

# Turn

TURN_1 = Rule(
    RuleId("KHAN-TURN-1"),
    "Five steps in order",
    "L137-172",
    "Turns go clockwise. A turn has five steps: chase a leader by card, take the actions, retire an "
    "active special "
    "card, perhaps use a special card, refill the hand. Nobody acts out of turn or once the match is over.",
)
TURN_2 = Rule(
    RuleId("KHAN-TURN-2"),
    "Two actions, none declined",
    "L141-147, L166-169, L313 (AMB-9)",
    "Step 2 has two single actions, the same one twice if you like, or one double action. None may be passed "
    "while one is possible, and a third takes High Morale.",
)
CHASE_1 = Rule(
    RuleId("KHAN-CHASE-1"),
    "A leader is chased by card",
    "L150-156, L197-199, L207-209",
    "Every turn begins with the top card of the draw pile: its leader flees in its direction. Cards of "
    "leaders "
    "who have left are laid aside until one moves or leaves.",
)
FLEE_1 = Rule(
    RuleId("KHAN-FLEE-1"),
    "How a leader flees",
    "L158-164, L176-189, L194-199 (AMB-19)",
    "A leader goes to the nearest free cell within three cells in the direction of the card, river and "
    "obstacles "
    "counted and passed over. If there is none, the next direction clockwise is tried, and so on.",
    unchecked="decides where a leader flees to; no player chooses",
)
FLEE_2 = Rule(
    RuleId("KHAN-FLEE-2"),
    "A yurt stays behind",
    "L197-199, L237-240",
    "Where the leader stood stands a neutral yurt: in step 1 one from its camp, in action B one from the "
    "reserve.",
    unchecked="decides what a flight leaves behind; no player chooses",
)
REMOVE_1 = Rule(
    RuleId("KHAN-REMOVE-1"),
    "The last yurt of a camp",
    "L201-203; DE p. 3 (AMB-2)",
    "A leader who must move with one yurt left in camp stays where it is and leaves the game; that yurt "
    "takes its place.",
    unchecked="decides when a leader leaves; no player chooses",
)
REMOVE_2 = Rule(
    RuleId("KHAN-REMOVE-2"),
    "Nowhere to flee",
    "L203-207 (AMB-3)",
    "A leader without a free cell in any direction is replaced by a neutral yurt as well, and what is "
    "left of its "
    "camp joins the reserve.",
    unchecked="decides when a leader leaves; no player chooses",
)
REMOVE_3 = Rule(
    RuleId("KHAN-REMOVE-3"),
    "The fifth leader",
    "L209-210, L419-426",
    "As soon as a fifth leader has left, the final phase is prepared.",
    unchecked="the final phase is prepared without being asked for",
)
HAND_1 = Rule(
    RuleId("KHAN-HAND-1"),
    "Refilling the hand",
    "L412-415",
    "In step 5 a player with fewer than four cards draws up to four.",
)

# Actions

ACT_A = Rule(
    RuleId("KHAN-ACT-A"),
    "Invade by card",
    "L212-230 (AMB-4)",
    "Play a card from your hand and put a yurt on a free cell that its ground opens: its region, land "
    "beside the "
    "river, land beside a neighbouring territory, or anywhere for a joker.",
)
ACT_B = Rule(
    RuleId("KHAN-ACT-B"),
    "Chase a leader of your choice",
    "L232-240",
    "Name a leader on the board, then turn the top card: the leader flees in its direction, whosever "
    "card it is.",
)
ACT_C = Rule(
    RuleId("KHAN-ACT-C"),
    "Conquer",
    "L242-266 (AMB-24)",
    "Take a piece that is left and lay it on the board, turned and turned over as you like, across "
    "borders but never "
    "over another piece. The yurts under it go back to their owners, and its owners put one on it.",
)
MAJ_1 = Rule(
    RuleId("KHAN-MAJ-1"),
    "Majority under a piece",
    "L246-259",
    "You need a yurt of your own under the piece, and nobody may have more there; neutral yurts are "
    "ignored. Everybody "
    "with as many as you shares the piece.",
)
TILE_1 = Rule(
    RuleId("KHAN-TILE-1"),
    "Tiles lie on yurts",
    "L268-270, L305",
    "Every cell under a conquest tile carries a yurt, of any colour. River, leaders and free cells "
    "cannot be covered.",
)
BRIDGE_1 = Rule(
    RuleId("KHAN-BRIDGE-1"),
    "Bridges span the river",
    "L272-283 (AMB-10, AMB-11)",
    "A bridge lies over water, one cell of it or two for the L, with a yurt on each cell of land under "
    "it, and with "
    "land on both sides of the water.",
)
ACT_D = Rule(
    RuleId("KHAN-ACT-D"),
    "Invade anywhere",
    "L309-313",
    "For both actions at once: a yurt on any free cell without a card, and you may discard cards from "
    "your hand.",
)

# Special cards

SPEC_1 = Rule(
    RuleId("KHAN-SPEC-1"),
    "One special card a turn",
    "L320-321",
    "In step 4 you may use one of the special cards that you have.",
)
SPEC_2 = Rule(
    RuleId("KHAN-SPEC-2"),
    "Retiring a special card",
    "L315-318 (AMB-12)",
    "A special card with your yurt on it, and a reservation, end in step 3 of your next turn.",
    unchecked="a card is retired without being asked for",
)
SPEC_M = Rule(
    RuleId("KHAN-SPEC-M"),
    "High Morale",
    "L323-339 (AMB-8)",
    "One more single action at once. The double action counts as two and is too much for it.",
)
SPEC_P = Rule(
    RuleId("KHAN-SPEC-P"),
    "Great Khan's Protection",
    "L345-363 (AMB-20, AMB-21)",
    "Until your next turn nobody else may cover your yurts, unless you share in the conquest and agree "
    "to it. Only one "
    "player at a time is protected, and with two players not in two turns running.",
)
SPEC_S = Rule(
    RuleId("KHAN-SPEC-S"),
    "Support of the Gods",
    "L365-390; DE p. 4 (AMB-6, AMB-20)",
    "Until your next turn nobody else may cover neutral yurts, with four players those of a region that "
    "you name, unless "
    "you share in the conquest and agree. One player at a time, with four one a region; with two not in "
    "two turns running.",
)
SPEC_E = Rule(
    RuleId("KHAN-SPEC-E"),
    "Exploration",
    "L392-410 (AMB-12, AMB-25)",
    "Reserve a piece that is left until your next turn. Others may neither use nor reserve any piece of "
    "that shape and "
    "kind; with four players only the one piece is barred.",
)
CONSENT_1 = Rule(
    RuleId("KHAN-CONSENT-1"),
    "Asking for consent",
    "L357-360, L376-378, L389-390; DE p. 4 (AMB-5)",
    "A conquest that touches the protection of players who would share in it is put to them first, and "
    "all must agree. "
    "A refusal costs no action, but the same conquest cannot be proposed again in that turn.",
)

# Final phase and scores

TRIG_1 = Rule(
    RuleId("KHAN-TRIG-1"),
    "The last three leaders",
    "L419-422",
    "When five leaders have left, each of the other three is replaced by a neutral yurt from its camp.",
    unchecked="the leaders are replaced without being asked for",
)
TRIG_2 = Rule(
    RuleId("KHAN-TRIG-2"),
    "In step 1",
    "L422-424",
    "If that happens in step 1, the turn ends on the spot, and the same player opens the final phase.",
    unchecked="the turn ends by itself; moves after it break KHAN-FINAL-1",
)
TRIG_3 = Rule(
    RuleId("KHAN-TRIG-3"),
    "In the actions",
    "L424-426 (AMB-13)",
    "If it happens in the actions, the turn goes on as usual but no leader can be chased any more, and "
    "the next player "
    "opens the final phase.",
)
FINAL_1 = Rule(
    RuleId("KHAN-FINAL-1"),
    "Only conquests",
    "L430-433",
    "A turn of the final phase is two conquests and nothing else; no card is played or drawn.",
)
FINAL_2 = Rule(
    RuleId("KHAN-FINAL-2"),
    "Passing in the final phase",
    "L435-436 (AMB-14)",
    "Only a player who cannot conquer passes.",
)
FINAL_3 = Rule(
    RuleId("KHAN-FINAL-3"),
    "Restrictions run out",
    "L433-435",
    "What a special card still forbids ends when the turn of the player who used it begins.",
    unchecked="a restriction ends without being asked for",
)
END_1 = Rule(
    RuleId("KHAN-END-1"),
    "The end",
    "L436-437 (AMB-15)",
    "The match is over when nobody can conquer any more.",
    unchecked="the match ends by itself; moves after it break KHAN-TURN-1",
)
SCORE_1 = Rule(
    RuleId("KHAN-SCORE-1"),
    "Values of pieces",
    "L440-444 (AMB-18)",
    "Each piece gives its value to its owner. Owners who share it divide the value, each part rounded up.",
    unchecked="points are counted, not claimed",
)
BONUS_1 = Rule(
    RuleId("KHAN-BONUS-1"),
    "Territories",
    "L446-449, L460-464",
    "A player's pieces that touch by sides form a territory; its size is their cells, river included. A "
    "shared piece "
    "counts in full for each of its owners.",
    unchecked="territories are counted, not claimed",
)
BONUS_2 = Rule(
    RuleId("KHAN-BONUS-2"),
    "Bonuses of 10, 6 and 3",
    "L446-458, L465-477 (AMB-16)",
    "The players are ranked by their largest territory, then their second, and so on. The best gets 10 "
    "points, the "
    "next 6, the third 3. Players with the same sizes throughout get the same bonus, and the next one "
    "stays for the others.",
    unchecked="bonuses are counted, not claimed",
)
WIN_1 = Rule(
    RuleId("KHAN-WIN-1"),
    "The winner",
    "L480-482 (AMB-17)",
    "Most points win; among equals the largest territory. Whoever is still level wins together.",
    unchecked="the winners are counted, not claimed",
)

RULES: Final = (
    FREE_1,
    COMP_1,
    COMP_2,
    COMP_3,
    COMP_4,
    SETUP_1,
    SETUP_2,
    SETUP_3,
    SETUP_4,
    SETUP_5,
    SETUP_6,
    SETUP_7,
    DECK_1,
    TURN_1,
    TURN_2,
    CHASE_1,
    FLEE_1,
    FLEE_2,
    REMOVE_1,
    REMOVE_2,
    REMOVE_3,
    HAND_1,
    ACT_A,
    ACT_B,
    ACT_C,
    MAJ_1,
    TILE_1,
    BRIDGE_1,
    ACT_D,
    SPEC_1,
    SPEC_2,
    SPEC_M,
    SPEC_P,
    SPEC_S,
    SPEC_E,
    CONSENT_1,
    TRIG_1,
    TRIG_2,
    TRIG_3,
    FINAL_1,
    FINAL_2,
    FINAL_3,
    END_1,
    SCORE_1,
    BONUS_1,
    BONUS_2,
    WIN_1,
)
