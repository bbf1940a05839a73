"""Every question that the rulebook of Khan leaves open, its readings, and those a match has chosen."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from rules.kernel.edition import Reading, Ruling, chosen

RULINGS: Final = (
    # Set-up
    Ruling(
        "opening-rounds",
        "AMB-1",
        "How many opening yurts does each of two players place?",
        (
            Reading("3", "Three."),
            Reading("5", "Five."),
            Reading("8", "Eight."),
        ),
        "The number on L120 is damaged; its shape, the row 3-2-1 and six yurts as with three players "
        "speak for 3.",
    ),
    Ruling(
        "leader-starts",
        "AMB-22",
        "Who places the leaders where their printed starts are not used?",
        (
            Reading("printed", "Nobody: the leaders begin on their printed starts."),
            Reading(
                "agreed",
                "The table; not offered as a ruling, as a component set of one's own can give other starts.",
                offered=False,
            ),
        ),
        "L108-112 has it as a variant for later games and does not say who places them.",
    ),
    Ruling(
        "reshuffle",
        "AMB-7",
        "When are the discards shuffled into a new draw pile?",
        (
            Reading("when-needed", "When a card is needed and the pile is empty."),
            Reading(
                "when-empty",
                "When the last card of the pile has been taken and what it causes is done; cards discarded "
                "later stay out of the new pile.",
            ),
        ),
        "L129-130 asks for a new pile when the old one is used up; nobody at a table shuffles before there "
        "is need.",
    ),
    Ruling(
        "discard-pile",
        "AMB-23",
        "May the discard pile be looked through?",
        (Reading("open", "Yes: it is public."),),
        "L127-129 lays the discards face up.",
    ),
    # Leaders
    Ruling(
        "last-camp-yurt",
        "AMB-2",
        "What becomes of a leader with one yurt in camp that is chased by action B?",
        (
            Reading("remove", "It leaves the game, and its last yurt takes its place."),
            Reading("flee", "It flees, and a yurt from the reserve stays behind."),
        ),
        "L201 speaks of any leader that must move, and L235-240 takes over the rules of movement; that "
        "DE ties leaving to "
        "spending the last yurt speaks for the other reading.",
    ),
    Ruling(
        "blocked-leader",
        "AMB-3",
        "From where comes the yurt for a leader with nowhere to flee in action B?",
        (
            Reading("camp", "From its camp."),
            Reading(
                "reserve",
                "From the reserve; not offered, as the rest of the camp joins the reserve and no "
                "difference is left.",
                offered=False,
            ),
        ),
        "L203-207 has the leader replaced as by its last yurt.",
    ),
    Ruling(
        "outline",
        "AMB-19",
        "Does a direction go on where it leaves the board and comes back to it?",
        (
            Reading("ends", "No: the first cell off the board ends it."),
            Reading(
                "goes-on",
                "Yes; not offered, as there is nothing to count off the board.",
                offered=False,
            ),
        ),
        "L161-164 treats the edge of the board as the end of the way.",
    ),
    # Actions
    Ruling(
        "river-cells",
        "AMB-4",
        "Which cells are beside the river?",
        (
            Reading("side", "Land that shares a side with a cell of the river, bridged or not."),
            Reading("corner", "Land that shares a side or a corner with one."),
        ),
        "L220-221 does not say; L448-449 counts contact by sides.",
    ),
    Ruling(
        "no-action",
        "AMB-9",
        "What if a player cannot take an action?",
        (
            Reading("forfeited", "The action is lost, and only then."),
            Reading(
                "other",
                "Anything else; not offered, as the rulebook offers nothing else.",
                offered=False,
            ),
        ),
        "L142 forbids passing; until the fifth leader has left, a leader can always be chased.",
    ),
    Ruling(
        "bridge-water",
        "AMB-10",
        "How much water lies under a bridge?",
        (
            Reading("exact", "One cell, two for the L-shaped bridge."),
            Reading("at-least-one", "One cell or more."),
        ),
        "L278-283 says how many yurts a bridge needs; read as a rule, the number of water cells is fixed.",
    ),
    Ruling(
        "river-sides",
        "AMB-11",
        "What are the two sides of the river?",
        (
            Reading("local", "Parts of the land under the bridge that only its water joins."),
            Reading(
                "banks",
                "The two banks of the whole river; not offered, as a river with forks and ends has no "
                "two banks.",
                offered=False,
            ),
        ),
        "L274-276 speaks of each side, and seen from the bridge that holds on every board.",
    ),
    Ruling(
        "covered-again",
        "AMB-24",
        "Can the yurts on a placed piece be covered by another piece?",
        (Reading("never", "No: a covered cell is never covered again."),),
        "L246 and L254 cover cells with yurts, not pieces.",
    ),
    # Special cards
    Ruling(
        "morale-action",
        "AMB-8",
        "Which action does High Morale give?",
        (
            Reading("single", "A, B or C."),
            Reading(
                "any",
                "The double action as well; not offered, as it counts as two.",
                offered=False,
            ),
        ),
        "L323-325 gives one action, and L313 counts D as two.",
    ),
    Ruling(
        "refusal",
        "AMB-5",
        "What does a refused conquest cost?",
        (
            Reading("nothing", "No action, but it cannot be proposed again in that turn."),
            Reading(
                "the-action",
                "The action; not offered, as DE has the player take another action.",
                offered=False,
            ),
        ),
        "L359-360 only keeps the yurts where they are; DE p. 4 goes on with another action.",
    ),
    Ruling(
        "support-consent",
        "AMB-6",
        "Which conquests of neutral yurts may the player with the Support allow?",
        (
            Reading("shared", "Those that the player would share in."),
            Reading(
                "any",
                "Any; not offered, as both rulebooks speak of shared conquest.",
                offered=False,
            ),
        ),
        "L376-378 and L389-390 speak of shared conquest, DE p. 4 says so outright.",
    ),
    Ruling(
        "protection-consent",
        "AMB-21",
        "Can a protected player allow a conquest without a share in it?",
        (
            Reading("never", "No: only a shared one."),
            Reading("yes", "Yes; not offered, as the exception is for sharing.", offered=False),
        ),
        "L355-360 makes an exception for a shared majority only.",
    ),
    Ruling(
        "turns-running",
        "AMB-20",
        "What are two turns running?",
        (
            Reading(
                "own-turns",
                "Two turns of the same player with none of theirs between, counted for each card.",
            ),
        ),
        "L351-352 and L370-372 speak of a player's turns.",
    ),
    Ruling(
        "reservation-end",
        "AMB-12",
        "When does a reservation end?",
        (
            Reading(
                "use-or-step-3",
                "When its owner uses the piece, or else in step 3; in the final phase at the start of "
                "the turn.",
            ),
            Reading(
                "turn-start",
                "At the start of the turn; not offered, as nobody else could tell the difference.",
                offered=False,
            ),
        ),
        "L402-403 and L409-410 take the yurt off in the next turn without a step.",
    ),
    Ruling(
        "same-shape",
        "AMB-25",
        "Are mirror images the same shape?",
        (Reading("yes", "Yes; a tile and a bridge of one outline are not."),),
        "L261 lets both faces be used, and L398-401 tells tiles from bridges by colour.",
    ),
    # Final phase and scores
    Ruling(
        "morale-trigger",
        "AMB-13",
        "What if the fifth leader leaves by the action of High Morale?",
        (
            Reading(
                "as-action",
                "It counts as in the actions: the turn goes on, and the next player opens the final phase.",
            ),
        ),
        "L422-426 knows two cases, and an action is the nearer one.",
    ),
    Ruling(
        "final-conquests",
        "AMB-14",
        "May a player decline to conquer in the final phase?",
        (
            Reading("compulsory", "No, while a conquest is legal that needs nobody's consent."),
            Reading(
                "optional", "Yes; not offered, as L435-436 lets only those pass who cannot.", offered=False
            ),
        ),
        "L430-436 describes a turn as two conquests.",
    ),
    Ruling(
        "end-test",
        "AMB-15",
        "Do restrictions that will run out count when asking whether anybody can conquer?",
        (
            Reading("ignored", "No: the match goes on while somebody could without them."),
            Reading(
                "counted",
                "Yes; not offered, as a match would end with conquests still to come.",
                offered=False,
            ),
        ),
        "L436-437 ends the match when nobody has the possibility any more.",
    ),
    Ruling(
        "no-territory",
        "AMB-16",
        "What bonus has a player without a territory, and how do lists of different length compare?",
        (Reading("none", "None; a missing territory counts as 0."),),
        "L446-452 gives the bonuses to territories.",
    ),
    Ruling(
        "level-winners",
        "AMB-17",
        "Who wins among players level in points and largest territory?",
        (
            Reading("shared", "All of them."),
            Reading(
                "further-territories",
                "Whoever has the larger second territory, and so on; not offered, as that is the "
                "tie-break of the bonuses.",
                offered=False,
            ),
        ),
        "L480-482 has one tie-break and no more.",
    ),
    Ruling(
        "rounding",
        "AMB-18",
        "Is a shared value rounded for each piece or in the sum?",
        (
            Reading("each-piece", "For each piece."),
            Reading("sum", "In the sum; not offered, as the division is told piece by piece.", offered=False),
        ),
        "L442-444 divides and rounds within a shared conquest.",
    ),
)


@dataclass(frozen=True, slots=True)
class Rulings:
    """The readings in force, as the reducer asks for them."""

    given: tuple[tuple[str, str], ...] = ()
    """Those that differ from the default, sorted by name."""
    rounds_of_two: int = 3
    """opening-rounds"""
    last_flees: bool = False
    """last-camp-yurt: flee"""
    river_corners: bool = False
    """river-cells: corner"""
    loose_bridges: bool = False
    """bridge-water: at-least-one"""
    shuffled_when_empty: bool = False
    """reshuffle: when-empty"""


def read_rulings(given: Iterable[tuple[str, str]]) -> Rulings:
    """The rulings of a match header; UnknownRuling for an unknown name or value, or a name given twice."""
    made = chosen(RULINGS, given)
    in_force = made.in_force
    return Rulings(
        given=made.given,
        rounds_of_two=int(in_force["opening-rounds"]),
        last_flees=in_force["last-camp-yurt"] == "flee",
        river_corners=in_force["river-cells"] == "corner",
        loose_bridges=in_force["bridge-water"] == "at-least-one",
        shuffled_when_empty=in_force["reshuffle"] == "when-empty",
    )
