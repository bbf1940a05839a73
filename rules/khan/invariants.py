"""What holds in every state that play can reach (section 12 of the digest)."""

from collections.abc import Iterator

from rules.kernel.inconsistency import Inconsistency
from rules.kernel.setup import UNRECORDED
from rules.khan import state as s
from rules.khan.ages import are_consistent
from rules.khan.cards import ALLOTMENT, CARDS, HAND, UNKNOWN
from rules.khan.conquest import conquests
from rules.khan.state import State


def problems(state: State) -> tuple[str, ...]:
    """Every invariant that does not hold, in words; none in a state that play can reach."""
    return tuple(found.why for found in inconsistencies(state))


def inconsistencies(state: State) -> Iterator[Inconsistency]:
    """The same, each with the field of the state that shows it."""
    for part in (_ground, _pieces, _leaders, _turn, _cards, _shuffled, _specials, _restrictions):
        yield from part(state)
    problem = proposal_problem(state)
    if problem is not None:
        yield Inconsistency("proposal", problem)


def _ground(state: State) -> Iterator[Inconsistency]:
    board = state.table.parts.board
    parts = [state.free, *state.yurts, *state.leaders, state.covered & board.land]
    whole = 0
    for part in parts:
        if part & whole:
            yield Inconsistency("free", "a cell is two things at once (KHAN-FREE-1)")
        whole |= part
    if whole != board.land:
        yield Inconsistency("free", "the land is not all free, settled, a leader's or covered (KHAN-FREE-1)")


def _pieces(state: State) -> Iterator[Inconsistency]:
    covered = 0
    shapes = state.table.parts.shapes
    counts = [shape.printed.copies for shape in shapes]
    for piece in state.placed:
        shape = shapes[piece.shape]
        if piece.cells & covered:
            yield Inconsistency("placed", f"a {shape.id} lies on another piece (KHAN-ACT-C)")
        if piece.cells not in shape.footprints:
            yield Inconsistency(
                "placed", f"a {shape.id} lies where none can lie (KHAN-TILE-1, KHAN-BRIDGE-1)"
            )
        if not piece.owners:
            yield Inconsistency("placed", f"a {shape.id} belongs to nobody (KHAN-MAJ-1)")
        covered |= piece.cells
        counts[piece.shape] -= 1
    if covered != state.covered:
        yield Inconsistency("placed", "the covered cells are not those under the pieces")
    if counts != list(state.supply):
        yield Inconsistency("placed", "the pieces placed and left are not those of the set (KHAN-COMP-2)")


def _leaders(state: State) -> Iterator[Inconsistency]:
    on_board = [leader for leader, cell in enumerate(state.leaders) if cell]
    for leader, camp in enumerate(state.camps):
        if (camp > 0) != (leader in on_board) or camp > s.CAMP:
            yield Inconsistency("camps", f"leader {leader + 1} has a camp of {camp} (KHAN-REMOVE-2)")
    if 0 < len(on_board) <= len(state.leaders) - s.DEPARTED:
        yield Inconsistency("camps", f"{len(on_board)} leaders are left after five have gone (KHAN-TRIG-1)")
    if isinstance(state.turn, s.Conquering | s.Over) and on_board:
        yield Inconsistency("turn", "a leader is on the board in the final phase (KHAN-TRIG-1)")


def _turn(state: State) -> Iterator[Inconsistency]:
    if isinstance(state.turn, s.Turning | s.Acting | s.Conquering) and not 0 < state.left <= s.ACTIONS:
        yield Inconsistency("turn", f"a turn has {state.left} actions left (KHAN-TURN-2)")


def _cards(state: State) -> Iterator[Inconsistency]:
    copies = state.table.parts.copies
    held = [len(hand) for hand in state.hands]
    if state.pile + sum(state.discard) + sum(held) != CARDS:
        yield Inconsistency("discard", f"there are not {CARDS} cards in all (KHAN-COMP-3)")
    for seat, hand in enumerate(state.hands):
        laid = sum(laid.seat == seat for laid in state.either)
        if held[seat] > HAND or state.old[seat] > held[seat] + laid:
            yield Inconsistency("hands", f"seat {seat} holds too many cards (KHAN-HAND-1)", seat)
        if state.table.draws is UNRECORDED and hand.count(UNKNOWN) < len(hand):
            why = f"a card of seat {seat} is known, though draws are not recorded"
            yield Inconsistency("hands", why, seat)
    for card, most in enumerate(copies):
        # A seat may lay aside a card, not known before, that the record has in a hand it cannot see.
        known = [hand.count(card) for hand in state.hands]
        why = f"there are too many {state.table.parts.card_names[card]} (KHAN-COMP-3)"
        if state.apart[card] > most:
            yield Inconsistency("apart", why)
        if state.discard[card] > most:
            yield Inconsistency("discard", why)
        elif state.discard[card] + max(known) > most or sum(known) > most:
            yield Inconsistency("hands", why, known.index(max(known)))


def _shuffled(state: State) -> Iterator[Inconsistency]:
    if sum(state.apart) != sum(state.old):
        yield Inconsistency(
            "old" if any(state.old) else "apart",
            "the cards held since before the last shuffle are not those set apart (KHAN-DECK-1)",
        )
    if not are_consistent(state):
        yield Inconsistency("either", "a card was laid aside that nobody can have held (KHAN-DECK-1)")


def proposal_problem(state: State) -> str | None:
    """What is wrong with the conquest that waits for consent, if anything."""
    proposal, turn = state.proposal, state.turn
    if proposal is None:
        return None
    if not isinstance(turn, s.Acting | s.Conquering) or turn.seat in proposal.waiting:
        return "only a seat that acts or conquers asks others for consent"
    asked = next((asked for site, asked in conquests(state, turn.seat) if site == proposal.site), None)
    if asked is None:
        return "the conquest that waits for consent cannot be made (KHAN-ACT-C)"
    if not proposal.waiting or not set(proposal.waiting) <= set(asked):
        return "other seats are asked than those whose consent it takes (KHAN-CONSENT-1)"
    return None


def _specials(state: State) -> Iterator[Inconsistency]:
    allotted = ALLOTMENT[len(state.table.names)]
    for seat, held in enumerate(state.specials):
        if any(count > most for count, most in zip(held, allotted, strict=True)):
            why = f"seat {seat} has more special cards than it was given (KHAN-SETUP-3)"
            yield Inconsistency("specials", why, seat)


def _restrictions(state: State) -> Iterator[Inconsistency]:
    regional = len(state.table.names) == s.MOST_SEATS
    for seat, active in enumerate(state.active):
        others = state.active[:seat]
        if isinstance(active, s.Protection):
            if any(isinstance(other, s.Protection) for other in others):
                yield Inconsistency("active", "two seats are protected (KHAN-SPEC-P)", seat)
        elif isinstance(active, s.Support):
            supported = [other for other in others if isinstance(other, s.Support)]
            if supported and (not regional or active in supported):
                yield Inconsistency("active", "neutral yurts are protected twice (KHAN-SPEC-S)", seat)
            if (active.region is None) == regional:
                why = "a Support of the Gods is for a region with four seats, and only then (KHAN-SPEC-S)"
                yield Inconsistency("active", why, seat)
        elif active is not None and not state.supply[active.shape]:
            yield Inconsistency("active", "a piece is reserved that is not there (KHAN-SPEC-E)", seat)
