"""Every question that the sheets of Qin leave open, its readings, and those a match has chosen."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from rules.kernel.edition import Reading, Ruling, chosen

RULINGS: Final = (
    # Set-up and placement
    Ruling(
        "touched-colour",
        "AMB-01",
        "Does it matter which colour of territory a new tile touches?",
        (
            Reading("any", "Contact with a territory of any colour will do."),
            Reading(
                "named",
                "The player names a colour and must touch that one; not offered, as naming it has no use.",
                offered=False,
            ),
        ),
        "S1 L50 leaves the colour to the player, and S0 L70-71 says that it is of no importance.",
    ),
    Ruling(
        "piles",
        "AMB-02",
        "How many face-down piles does the stock form?",
        (
            Reading("4", "The stock forms four piles."),
            Reading("1", "The stock forms one pile."),
            Reading("2", "The stock forms two piles."),
            Reading("3", "The stock forms three piles."),
            Reading("5", "The stock forms five piles."),
            Reading("6", "The stock forms six piles."),
        ),
        "S0 L60 has four, S1 L41 only several of about the same height. The tiles are shuffled, so the "
        "number does not change the odds.",
    ),
    Ruling(
        "fair-start",
        "AMB-03",
        "Must every first hand have a tile of a single colour?",
        (
            Reading("off", "First hands stay as they were dealt."),
            Reading("redeal-all", "All hands are dealt again until each has such a tile."),
            Reading(
                "swap",
                "A player without one swaps a tile; not offered, as neither sheet says which tile for which.",
                offered=False,
            ),
        ),
        "S0 L62-63 has it as a tip without a method, and S1 does not have it.",
    ),
    Ruling(
        "hands",
        "AMB-04",
        "May players see each other's tiles?",
        (
            Reading("hidden", "Only its holder sees a hand."),
            Reading("open", "All hands lie open."),
        ),
        "S1 L41 deals face down and has players take the tiles in hand; S0 L59 has them draw unseen tiles.",
    ),
    Ruling(
        "first-seat",
        "AMB-05",
        "Who has the first turn?",
        (
            Reading("as-listed", "The seat that the match header lists first."),
            Reading(
                "youngest", "The youngest player; not offered, as a record does not tell ages.", offered=False
            ),
        ),
        "S0 L64 and S1 L45 let the youngest begin; a table that follows them lists that player first.",
    ),
    Ruling(
        "start-contact",
        "AMB-06",
        "Is contact with nothing but a start enough for a tile?",
        (
            Reading("enough", "A start is a territory like any other."),
            Reading(
                "tiles-only",
                "A tile must be touched; not offered, as no first turn would exist.",
                offered=False,
            ),
        ),
        "S0 L70 speaks of tiles, but S0 L71-72 goes on to count the starts as territories.",
    ),
    # Joining provinces
    Ruling(
        "join-count",
        "AMB-07",
        "What is compared when provinces of several players are joined?",
        (
            Reading("sum", "The cells of all the provinces that a player has in the join, added up."),
            Reading("largest", "The cells of the largest province that a player has in the join."),
        ),
        "S1 L144 and L158 and the second example of S0 (L163-171) add up; only the wording of S0 L164-165 "
        "could mean a single province.",
    ),
    Ruling(
        "join-tie",
        "AMB-08",
        "Does a tie between players who do not lead forbid a join?",
        (
            Reading("lead", "Only a tie for the most cells forbids it."),
            Reading("any", "Two players with equal counts forbid it, even behind the leader."),
        ),
        "S1 L146, by the letter, bans every tie, but its reason and that of S0 L178-180 is that no owner "
        "could be told; behind a clear leader this does not apply.",
    ),
    Ruling(
        "singles",
        "AMB-09",
        "For whom do singles count that a join swallows?",
        (
            Reading("nobody", "They count for no player."),
            Reading("mover", "They count for the player who places the tile."),
        ),
        "S0 L164-165 and L178 count cells within provinces, and a single is none and has no owner.",
    ),
    Ruling(
        "bridge-halves",
        "AMB-10",
        "Which halves does the count leave out when a tile of one colour joins provinces?",
        (
            Reading("both", "Neither half counts for anybody."),
            Reading(
                "one",
                "Only the linking half is left out; not offered, as the other has no owner either.",
                offered=False,
            ),
        ),
        "S1 L144 has the singular, S0 L168-169 the plural, which covers both cases.",
    ),
    Ruling(
        "major-conflict",
        "AMB-11",
        "What if a join would give a major to another player, or to nobody, by the count of cells?",
        (
            Reading("illegal", "The tile cannot be placed there."),
            Reading("major-keeps", "The tile may be placed, and the owner of the major keeps everything."),
            Reading(
                "count-decides",
                "The higher count takes the major; not offered, as both sheets protect majors outright.",
                offered=False,
            ),
        ),
        "S0 L181 and S1 L148 rule out losing a major, S0 L164-168 and S1 L144 rule out overriding the count; "
        "only forbidding the placement respects both.",
    ),
    Ruling(
        "own-majors",
        "AMB-12",
        "May a player's own majors be joined with each other?",
        (Reading("illegal", "No: two majors are never joined, whoever owns them."),),
        "S0 L185-188 and S1 L148 make no exception for a common owner.",
    ),
    Ruling(
        "own-pagodas",
        "AMB-13",
        "Where does the double pagoda come from when a player's own provinces are joined?",
        (
            Reading("reused", "Pagodas already on the joined provinces are used before the supply."),
            Reading(
                "from-supply",
                "The second comes from the supply before others return; not offered, as a player could win "
                "with a pagoda that was never needed.",
                offered=False,
            ),
        ),
        "The second example (S0 L171-176, S1 L158) only shows a surplus going back, not a detour.",
    ),
    Ruling(
        "join-for-others",
        "AMB-14",
        "May a tile join provinces to the gain of another, or of others only?",
        (Reading("legal", "Yes: the player who places it need not gain or take part."),),
        "S0 L164-168 and S1 L144 name the player with the most cells, not the one whose turn it is.",
    ),
    Ruling(
        "founded-major",
        "AMB-15",
        "How many pagodas does a province get that has five cells when founded?",
        (
            Reading("two", "Two: it is founded and major at once."),
            Reading(
                "one",
                "One, with none there to be doubled; not offered, as a major would lack its mark.",
                offered=False,
            ),
        ),
        "S0 L117-119 and S1 L124 tie the double pagoda to having five cells, not to growing from fewer.",
    ),
    # Villages
    Ruling(
        "first-contact",
        "AMB-16",
        "Who gets a vacant village that several players reach with equal strength?",
        (
            Reading("vacant", "Nobody, until one of them is stronger than every other."),
            Reading(
                "taken",
                "A player who reaches it takes it; not offered, as nothing says which of them.",
                offered=False,
            ),
        ),
        "S1 L107 ignores the case, but S0 L162 asks for more than the others have, and S1 L118 bars equals.",
    ),
    Ruling(
        "level-challengers",
        "AMB-17",
        "Who gets a village when two players are stronger than its holder but equal to each other?",
        (
            Reading("holder-keeps", "The holder keeps it."),
            Reading(
                "beat-holder",
                "Being stronger than the holder is enough; not offered, as nothing says which of the two.",
                offered=False,
            ),
        ),
        "S0 L147-149 and S1 L113 compare with the holder only, but S0 L162 and S1 L118 look at all players.",
    ),
    Ruling(
        "holder-without-strength",
        "AMB-18",
        "What if the holder of a village has no province left beside it and others tie?",
        (
            Reading("keeps", "The holder keeps it."),
            Reading(
                "vacated",
                "It becomes vacant; not offered, as neither sheet ever empties a village.",
                offered=False,
            ),
        ),
        "S0 L144-149 and S1 L113 know one way to lose a village: another player takes it.",
    ),
    Ruling(
        "wide-villages",
        "AMB-19",
        "Is a village of several cells one village?",
        (
            Reading("one", "Yes: one pagoda, bordered through any of its cells, each province counted once."),
            Reading(
                "each-cell",
                "Each cell is a village; not offered, as a map with a letter for each says the same.",
                offered=False,
            ),
        ),
        "S0 L134-135 and S1 L107 do not speak of cells; descriptions of the boards have villages of two.",
    ),
    Ruling(
        "late-leader",
        "AMB-20",
        "What if a tie at a vacant village is broken later, away from it?",
        (Reading("takes", "Whoever now leads takes it at the end of that placement, whoever moved."),),
        "S0 L133-134 and S1 L107 look at the position after a placement, not at where the tile went.",
    ),
    Ruling(
        "falling-strength",
        "AMB-21",
        "Can a holder lose a village because their own strength falls?",
        (Reading("judged", "Yes: a fall is judged like any other change, and a stronger rival takes it."),),
        "S0 L145-149 and S1 L113 compare strengths and do not ask how the difference came about.",
    ),
    Ruling(
        "village-refusal",
        "AMB-22",
        "May a player decline to take a village, or refuse to give one up?",
        (Reading("none", "No: every event is carried out."),),
        "S1 L53 makes all events compulsory; S0 L133-134 and L149-151 leave no choice either.",
    ),
    # Order and end
    Ruling(
        "event-order",
        "AMB-23",
        "In which order are the events of one placement carried out?",
        (
            Reading(
                "provinces-first",
                "Provinces, then villages; in each, returns first, then placing: mover, then clockwise.",
            ),
            Reading(
                "numeric",
                "As numbered, villages before joins; not offered, as an example shows the reverse.",
                offered=False,
            ),
            Reading(
                "mover-chooses",
                "As the mover likes; not offered, as neither sheet gives the mover that choice.",
                offered=False,
            ),
            Reading(
                "at-once",
                "All together; not offered, as villages depend on the provinces that result.",
                offered=False,
            ),
        ),
        "The numbers (S0 L77 and L105, S1 L83) are not called an order, and the first example of a join "
        "(S0 L187-190, S1 L154) has the village follow the province.",
    ),
    Ruling(
        "supply-runs-out",
        "AMB-24",
        "What if a player owes more pagodas than are left in the supply?",
        (Reading("stops", "The last one is placed and wins; whatever else was due is not carried out."),),
        "S0 L196 and S1 L170 end the match at once.",
    ),
    Ruling(
        "last-pagoda",
        "AMB-25",
        "Who wins if a placement would empty two supplies, or empties one that a village would refill?",
        (
            Reading(
                "staged",
                "The first to run out: provinces before villages, in each the mover, then clockwise.",
            ),
            Reading(
                "settled",
                "Everything due back from provinces and villages returns first; then the mover places, then "
                "the others clockwise, and the first to run out wins.",
            ),
            Reading(
                "shared",
                "All whose supply would run out win together; not offered, as the first one ends the match.",
                offered=False,
            ),
        ),
        "A major is marked at once (S1 L124), a village follows from the pagodas that then stand beside it "
        "(S1 L142), and the last pagoda ends the match immediately (S0 L196, S1 L170).",
    ),
    Ruling(
        "win-by-others",
        "AMB-26",
        "Can a player win in another's turn, or be made to win?",
        (Reading("allowed", "Yes, and no rule forbids a move that lets an opponent win."),),
        "S0 L196 and S1 L170 mean any player, and the owner builds whoever moves (S0 L120, S1 L124).",
    ),
    Ruling(
        "stuck",
        "AMB-27",
        "What if the player to move can place nothing while others still can?",
        (
            Reading("pass", "The player passes without drawing, and play goes on."),
            Reading("end", "The match is over, and the pagodas on the board decide."),
            Reading(
                "swap",
                "The player exchanges tiles; not offered, as neither sheet knows an exchange.",
                offered=False,
            ),
        ),
        "S0 L196-198 and S1 L174 end the match only when no tile can be placed or nobody has any.",
    ),
    Ruling(
        "no-placement",
        "AMB-28",
        "When is it true that no tile can be placed any more?",
        (
            Reading("held-tiles", "When no player can legally place any of the tiles they hold."),
            Reading(
                "free-steppe",
                "When no two free steppe cells are left side by side; not offered, as a match in which "
                "every held tile is barred would never end.",
                offered=False,
            ),
        ),
        "S0 L196 and S1 L174 look at the free steppe, but for tiles that can go there; without a placement "
        "nobody draws, so the hands decide.",
    ),
    Ruling(
        "most-pagodas",
        "AMB-29",
        "Which pagodas are counted when nobody has placed a last one?",
        (Reading("on-board", "Those on the board, on provinces and villages alike."),),
        "S0 L197 counts pagodas placed; S1 L176 does not say where, and its series (S1 L178) agrees.",
    ),
    Ruling(
        "two-seats",
        "AMB-30",
        "Does a match of two players end in a way of its own?",
        (Reading("as-others", "No: only the number of pagodas differs."),),
        "S0 L79 and S1 L65 give two players 24 pagodas and neither sheet adds anything else.",
    ),
    Ruling(
        "series",
        "AMB-31",
        "How long is a series, who begins each match, and what if the totals are equal?",
        (
            Reading(
                "agreed",
                "The number of matches is fixed beforehand, the first turn rotates, equal totals share.",
            ),
        ),
        "S1 L178 only says that the lowest total wins, and S0 has no series; a record holds a single match.",
    ),
    Ruling(
        "lost-pagoda",
        "AMB-32",
        "Where does a pagoda go that its owner loses?",
        (
            Reading("returned", "Back to its owner's supply."),
            Reading(
                "removed",
                "Out of the match; not offered, as the rules proper of both sheets say otherwise.",
                offered=False,
            ),
        ),
        "The introductions (S0 L13, S1 L12) sound as if it were gone, but S0 L149 and L171 and S1 L113 and "
        "L144 give it back.",
    ),
    Ruling(
        "damaged-lines",
        "AMB-33",
        "How are the lines of S0 read that are damaged or out of order?",
        (Reading("reconstructed", "From the lines around them, the examples, and S1."),),
        "S0 L175-176 (ties) follows from L173, L178-180, the third example and S1 L146; S0 L117-132 mixes "
        "columns, and L160 continues in L156.",
    ),
    Ruling(
        "late-discovery",
        "AMB-34",
        "What happens when a placement turns out to have been illegal?",
        (
            Reading("refused", "It is refused when judged, and an audit names the first one in a record."),
            Reading(
                "repaired",
                "It is put right in place; not offered, as nothing in a record is edited.",
                offered=False,
            ),
        ),
        "Neither sheet deals with it, so this is the policy of the record keeper.",
    ),
)


@dataclass(frozen=True, slots=True)
class Rulings:
    """The readings in force, as the reducer asks for them."""

    given: tuple[tuple[str, str], ...] = ()
    """Those that differ from the default, sorted by name."""
    major_keeps: bool = False
    """major-conflict: major-keeps"""
    count_largest: bool = False
    """join-count: largest"""
    any_tie: bool = False
    """join-tie: any"""
    singles_to_mover: bool = False
    """singles: mover"""
    settled: bool = False
    """last-pagoda: settled"""
    stuck_ends: bool = False
    """stuck: end"""
    fair_start: bool = False
    """fair-start: redeal-all"""
    open_hands: bool = False
    """hands: open"""
    piles: int = 4
    """piles: how many"""


def read_rulings(given: Iterable[tuple[str, str]]) -> Rulings:
    """The rulings of a match header; UnknownRuling for an unknown name or value, or a name given twice."""
    made = chosen(RULINGS, given)
    in_force = made.in_force
    return Rulings(
        given=made.given,
        major_keeps=in_force["major-conflict"] == "major-keeps",
        count_largest=in_force["join-count"] == "largest",
        any_tie=in_force["join-tie"] == "any",
        singles_to_mover=in_force["singles"] == "mover",
        settled=in_force["last-pagoda"] == "settled",
        stuck_ends=in_force["stuck"] == "end",
        fair_start=in_force["fair-start"] == "redeal-all",
        open_hands=in_force["hands"] == "open",
        piles=int(in_force["piles"]),
    )
