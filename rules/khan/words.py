"""Events, turns and seats in words."""

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from rules.kernel.actors import Seat
from rules.kernel.cells import cell_name
from rules.kernel.game import who_won
from rules.kernel.rule import Rule
from rules.kernel.sentences import sentences
from rules.kernel.text import listed
from rules.khan import events as e
from rules.khan import rulebook
from rules.khan.agenda import awaited
from rules.khan.cards import UNKNOWN
from rules.khan.notation import EVENTS
from rules.khan.outcome import outcome, piece_points, points, share, territories
from rules.khan.position_terms import LEADERS, RESTRICTION, SPECIAL_CARDS
from rules.khan.state import Over, State, Turning

_USING: Final = (rulebook.SPEC_M, rulebook.SPEC_P, rulebook.SPEC_S, rulebook.SPEC_E)
"""By special card."""
_LEAVING: Final = {e.Cause.LAST_YURT: rulebook.REMOVE_1, e.Cause.BLOCKED: rulebook.REMOVE_2}


def _by(asked: Callable[[State], bool], rule: Rule, other: Rule) -> Callable[[State, object], Rule]:
    """The one rule where that is so, otherwise the other."""
    return lambda state, _: rule if asked(state) else other


def _is_chosen(state: State) -> bool:
    """Whether a card is turned for the leader of action B."""
    return isinstance(state.turn, Turning) and state.turn.leader is not None


_DEALING: Final = _by(lambda state: state.is_dealing, rulebook.SETUP_7, rulebook.HAND_1)
_CHASING: Final = _by(_is_chosen, rulebook.ACT_B, rulebook.CHASE_1)
_BEGINNING: Final = _by(lambda state: state.triggered, rulebook.FINAL_1, rulebook.TURN_1)
_RETIRING: Final = _by(lambda state: state.triggered, rulebook.FINAL_3, rulebook.SPEC_2)


def _drew(_: State, event: e.CardDrawn) -> str:
    return "{seat} drew a card that the record does not tell" if event.card is None else "{seat} drew {card}"


def _drew_some(_: State, event: e.CardsDrawn) -> str:
    return "{seat} drew 1 card" if event.count == 1 else "{seat} drew {count} cards"


def _turned(state: State, event: e.CardTurned) -> str:
    parts = state.table.parts
    leader = parts.cards[event.card].leader
    if _is_chosen(state) or state.leaders[leader]:
        return "{card} was turned"
    return f"{{card}} was turned, but {parts.leader_names.names[leader]} has left"


def _fled(_: State, event: e.LeaderFled) -> str:
    fled = "{leader} fled from {origin} to {target}, and a neutral yurt from"
    return f"{fled} {'its camp' if event.from_camp else 'the reserve'} stands on {{origin}}"


def _left(_: State, event: e.LeaderRemoved) -> str:
    if event.cause is e.Cause.LAST_YURT:
        return "{leader} left: the last yurt of its camp stands on {cell}"
    return "{leader} had nowhere to flee and left: a yurt stands on {cell}"


def _span(state: State, cells: int) -> str:
    each = state.table.parts.board.each(cells)
    if not each:
        return "no cell of the board"
    return f"{len(each)} cells from {cell_name(each[0])} to {cell_name(each[-1])}"


def _listed(state: State, seats: Iterable[Seat]) -> str:
    return listed([state.table.names[seat] for seat in seats])


def _proposed(state: State, event: e.ConquestProposed) -> str:
    asked = _listed(state, event.asked)
    return f"{{seat}} proposed {{shape}} on {_span(state, event.cells)}, and {asked} must agree"


def _conquered(state: State, event: e.PiecePlaced) -> str:
    value = state.table.parts.shapes[event.shape].value
    text = f"{{seat}} conquered with {{shape}} on {_span(state, event.cells)}, worth {value}"
    if len(event.owners) <= 1:
        return text
    each = share(value, len(event.owners))
    return f"{text}, shared by {_listed(state, event.owners)}, {each} each"


def _used(_: State, event: e.SpecialUsed) -> str:
    region = "" if event.region is None else " for {region}"
    shape = "" if event.shape is None else " and reserved {shape}"
    return f"{{seat}} used {event.special.title}{region}{shape}"


def _ended(state: State, event: e.MatchEnded) -> str:
    counted = zip(state.table.names, event.points, strict=False)
    scores = ", ".join(f"{name} {count}" for name, count in counted)
    together = " together" if len(event.winners) > 1 else ""
    return f"nobody can conquer any more: {_listed(state, event.winners)} won{together} ({scores})"


describe: Final = (
    sentences(State)
    .on(e.FirstPlayerDrawn, "{seat} begins", rulebook.SETUP_5)
    .on(e.OpeningYurtPlaced, "{seat} placed an opening yurt on {cell}", rulebook.SETUP_6)
    .on(e.CardDrawn, _drew, _DEALING)
    .on(e.CardsDrawn, _drew_some, _DEALING)
    .on(e.DeckReshuffled, "the discards were shuffled into a new draw pile", rulebook.DECK_1)
    .on(e.TurnBegan, "the turn of {seat} began", _BEGINNING)
    .on(e.CardTurned, _turned, _CHASING)
    .on(e.LeaderFled, _fled, rulebook.FLEE_1, rulebook.FLEE_2)
    .on(e.LeaderRemoved, _left, lambda _, event: _LEAVING[event.cause])
    .on(
        e.FinalPhaseTriggered,
        "five leaders have left: neutral yurts took the places of the others",
        rulebook.TRIG_1,
        lambda _, event: rulebook.TRIG_3 if event.in_actions else rulebook.TRIG_2,
    )
    .on(e.YurtPlacedByCard, "{seat} invaded {cell} with {card}", rulebook.ACT_A)
    .on(e.LeaderAnnounced, "{seat} chases {leader}", rulebook.ACT_B)
    .on(e.YurtPlacedAnywhere, "{seat} invaded {cell} for both actions", rulebook.ACT_D)
    .on(e.CardDiscarded, "{seat} discarded {card}", rulebook.ACT_D)
    .on(e.DiscardingEnded, "{seat} discards no more", rulebook.ACT_D)
    .on(e.ConquestProposed, _proposed, rulebook.CONSENT_1)
    .on(e.ConsentGiven, "{seat} agreed", rulebook.CONSENT_1)
    .on(e.ConsentRefused, "{seat} refused", rulebook.CONSENT_1)
    .on(e.PiecePlaced, _conquered, rulebook.ACT_C, rulebook.MAJ_1)
    .on(e.ActionForfeited, "{seat} had no action to take", rulebook.TURN_2)
    .on(e.SpecialRetired, lambda _, event: f"{event.special.title} of {{seat}} came to its end", _RETIRING)
    .on(e.SpecialUsed, _used, lambda _, event: _USING[event.special])
    .on(e.SpecialDeclined, "{seat} used no special card", rulebook.SPEC_1)
    .on(e.TurnPassed, "{seat} passed", rulebook.FINAL_2)
    .on(e.MatchEnded, _ended, rulebook.END_1, rulebook.WIN_1)
    .of(EVENTS, lambda state: state.table)
)


def turn(state: State) -> str:
    """Whose turn it is, or who won."""
    ended = outcome(state)
    return (
        awaited(state)
        if ended is None
        else f"{who_won(ended, state.table.names)}: nobody can conquer any more"
    )


def facts(state: State, seat: Seat) -> dict[str, str]:
    """What a seat has, on the board and off it; bonuses count only once the match is over.

    Leaders on cards are given by their letters, as on the board.
    """
    table, hand = state.table, state.hands[seat]
    known = [table.parts.cards[card] for card in hand if card != UNKNOWN]
    cards = [f"{LEADERS[card.leader]}.{card.direction.name}.{card.ground.word}" for card in known]
    over = isinstance(state.turn, Over)
    return {
        "points": str(points(state)[seat] if over else piece_points(state, seat)),
        "yurts": str(state.yurts[seat].bit_count()),
        "largest territory": str(max(territories(state, seat), default=0)),
        "special": SPECIAL_CARDS.write(table, state.specials[seat]) or "-",
        "in force": RESTRICTION.write(table, state.active[seat]) or "-",
        "hand": " ".join((*cards, *("?" * hand.count(UNKNOWN)))) or "-",
    }


def holdings(state: State, seat: Seat) -> Iterator[str]:
    """The pieces of a seat, and what they are worth to it."""
    for piece in state.placed:
        if seat in piece.owners:
            shape = state.table.parts.shapes[piece.shape]
            others = [state.table.names[other] for other in piece.owners if other != seat]
            shared = f" with {listed(others)}" if others else ""
            worth = share(shape.value, len(piece.owners))
            yield f"{shape.id} on {_span(state, piece.cells)}{shared}, for {worth}"


def table_lines(state: State) -> tuple[str, ...]:
    """What lies beside the board: pieces and cards."""
    left = [
        f"{shape.id}×{count}" if count > 1 else shape.id
        for shape, count in zip(state.table.parts.shapes, state.supply, strict=True)
        if count
    ]
    return (
        f"pieces left: {' '.join(left) or 'none'}",
        f"draw pile {state.pile}, discards {sum(state.discard)}",
    )


def caution(state: State) -> str:
    """A warning about the component set; empty for a transcription of the published game."""
    parts = state.table.parts
    return f"{parts.set_id}: invented components, not the published game" if parts.invented else ""
