"""Events, turns and seats in words."""

from collections.abc import Iterator
from textwrap import wrap
from typing import Final, assert_never

from rules.kernel.actors import Seat
from rules.kernel.cells import cell_name
from rules.kernel.display import EventText
from rules.kernel.rule import Rule
from rules.kernel.text import listed
from rules.khan import events as e
from rules.khan import rulebook
from rules.khan.agenda import told as awaited
from rules.khan.cards import SPECIALS, UNKNOWN, Special
from rules.khan.outcome import outcome, piece_points, points, share, territories
from rules.khan.position_terms import LEADERS, RESTRICTION
from rules.khan.state import Over, State, Turning

_BY_SPECIAL: Final = {
    Special.MORALE: rulebook.SPEC_M,
    Special.PROTECTION: rulebook.SPEC_P,
    Special.SUPPORT: rulebook.SPEC_S,
    Special.EXPLORATION: rulebook.SPEC_E,
}


_WIDTH: Final = 72
"""Of lines below the board."""


def tell(state: State, event: e.Event) -> EventText:  # noqa: C901 - one line per kind of event
    """The event in words, with the rules that caused it; the state is the one before it."""
    parts, names = state.table.parts, state.table.names
    match event:
        case e.FirstPlayerDrawn():
            return _told(f"{names[event.seat]} begins", rulebook.SETUP_5)
        case e.OpeningYurtPlaced():
            text = f"{names[event.seat]} placed an opening yurt on {cell_name(event.cell)}"
            return _told(text, rulebook.SETUP_6)
        case e.CardDrawn():
            card = (
                "a card that the record does not tell" if event.card is None else parts.card_names[event.card]
            )
            return _told(f"{names[event.seat]} drew {card}", _dealing(state))
        case e.CardsDrawn():
            return _told(f"{names[event.seat]} drew {_counted(event.count, 'card')}", _dealing(state))
        case e.DeckReshuffled():
            return _told("the discards were shuffled into a new draw pile", rulebook.DECK_1)
        case e.TurnBegan():
            rule = rulebook.FINAL_1 if state.triggered else rulebook.TURN_1
            return _told(f"the turn of {names[event.seat]} began", rule)
        case e.CardTurned():
            return _turned(state, event)
        case e.LeaderFled():
            return _fled(state, event)
        case e.LeaderRemoved():
            return _removed(state, event)
        case e.FinalPhaseTriggered():
            text = "five leaders have left: neutral yurts took the places of the others"
            return _told(text, rulebook.TRIG_1, rulebook.TRIG_3 if event.in_actions else rulebook.TRIG_2)
        case e.YurtPlacedByCard():
            text = f"{names[event.seat]} invaded {cell_name(event.cell)} with {parts.card_names[event.card]}"
            return _told(text, rulebook.ACT_A)
        case e.LeaderAnnounced():
            return _told(f"{names[event.seat]} chases {parts.leaders[event.leader].id}", rulebook.ACT_B)
        case e.YurtPlacedAnywhere():
            text = f"{names[event.seat]} invaded {cell_name(event.cell)} for both actions"
            return _told(text, rulebook.ACT_D)
        case e.CardDiscarded():
            return _told(f"{names[event.seat]} discarded {parts.card_names[event.card]}", rulebook.ACT_D)
        case e.DiscardingEnded():
            return _told(f"{names[event.seat]} discards no more", rulebook.ACT_D)
        case e.ConquestProposed():
            asked = listed([names[seat] for seat in event.asked])
            text = f"{names[event.seat]} proposed {_placed(state, event)}, and {asked} must agree"
            return _told(text, rulebook.CONSENT_1)
        case e.ConsentGiven():
            return _told(f"{names[event.seat]} agreed", rulebook.CONSENT_1)
        case e.ConsentRefused():
            return _told(f"{names[event.seat]} refused", rulebook.CONSENT_1)
        case e.PiecePlaced():
            return _conquered(state, event)
        case e.ActionForfeited():
            return _told(f"{names[event.seat]} had no action to take", rulebook.TURN_2)
        case e.SpecialRetired():
            rule = rulebook.FINAL_3 if state.triggered else rulebook.SPEC_2
            return _told(f"{event.special.title} of {names[event.seat]} came to its end", rule)
        case e.SpecialUsed():
            return _used(state, event)
        case e.SpecialDeclined():
            return _told(f"{names[event.seat]} used no special card", rulebook.SPEC_1)
        case e.TurnPassed():
            return _told(f"{names[event.seat]} passed", rulebook.FINAL_2)
        case e.MatchEnded():
            return _ended(state, event)
        case _:
            assert_never(event)


def _told(text: str, *rules: Rule) -> EventText:
    return EventText(text, rules)


def _dealing(state: State) -> Rule:
    return rulebook.SETUP_7 if state.is_dealing else rulebook.HAND_1


def _turned(state: State, event: e.CardTurned) -> EventText:
    parts = state.table.parts
    text = f"{parts.card_names[event.card]} was turned"
    if isinstance(state.turn, Turning) and state.turn.leader is not None:
        return _told(text, rulebook.ACT_B)
    leader = parts.cards[event.card].leader
    if not state.leaders[leader]:
        text += f", but {parts.leaders[leader].id} has left"
    return _told(text, rulebook.CHASE_1)


def _fled(state: State, event: e.LeaderFled) -> EventText:
    name = state.table.parts.leaders[event.leader].id
    source = "its camp" if event.from_camp else "the reserve"
    return _told(
        f"{name} fled from {cell_name(event.origin)} to {cell_name(event.target)}, and a neutral yurt from"
        f" {source} stands on {cell_name(event.origin)}",
        rulebook.FLEE_1,
        rulebook.FLEE_2,
    )


def _removed(state: State, event: e.LeaderRemoved) -> EventText:
    name, cell = state.table.parts.leaders[event.leader].id, cell_name(event.cell)
    match event.cause:
        case e.Cause.LAST_YURT:
            return _told(f"{name} left: the last yurt of its camp stands on {cell}", rulebook.REMOVE_1)
        case e.Cause.BLOCKED:
            return _told(f"{name} had nowhere to flee and left: a yurt stands on {cell}", rulebook.REMOVE_2)
        case _:
            assert_never(event.cause)


def _placed(state: State, event: e.ConquestProposed | e.PiecePlaced) -> str:
    shape = state.table.parts.shapes[event.shape]
    return f"{shape.id} on {_span(state, event.cells)}"


def _span(state: State, cells: int) -> str:
    each = state.table.parts.board.each(cells)
    if not each:
        return "no cell of the board"
    return f"{len(each)} cells from {cell_name(each[0])} to {cell_name(each[-1])}"


def _conquered(state: State, event: e.PiecePlaced) -> EventText:
    shape, names = state.table.parts.shapes[event.shape], state.table.names
    text = f"{names[event.seat]} conquered with {_placed(state, event)}, worth {shape.value}"
    if len(event.owners) > 1:
        each = share(shape.value, len(event.owners))
        text += f", shared by {listed([names[seat] for seat in event.owners])}, {each} each"
    return _told(text, rulebook.ACT_C, rulebook.MAJ_1)


def _used(state: State, event: e.SpecialUsed) -> EventText:
    text = f"{state.table.names[event.seat]} used {event.special.title}"
    if event.region is not None:
        text += f" for {event.region.word}"
    if event.shape is not None:
        text += f" and reserved {state.table.parts.shapes[event.shape].id}"
    return _told(text, _BY_SPECIAL[event.special])


def _ended(state: State, event: e.MatchEnded) -> EventText:
    names = state.table.names
    scores = ", ".join(f"{name} {count}" for name, count in zip(names, event.points, strict=False))
    won = listed([names[seat] for seat in event.winners])
    together = " together" if len(event.winners) > 1 else ""
    return _told(
        f"nobody can conquer any more: {won} won{together} ({scores})", rulebook.END_1, rulebook.WIN_1
    )


def turn(state: State) -> str:
    """Whose turn it is, or who won."""
    ended = outcome(state)
    if isinstance(state.turn, Over) and ended is not None:
        won = " and ".join(state.table.names[seat] for seat in ended.winners)
        return f"over ({ended.reason}): {won} won"
    return awaited(state)


def facts(state: State, seat: Seat) -> tuple[tuple[str, str], ...]:
    """What a seat has, on the board and off it; bonuses count only once the match is over.

    Leaders on cards are given by their letters, as on the board.
    """
    held = state.specials[seat]
    hand = state.hands[seat]
    known = [state.table.parts.cards[card] for card in hand if card != UNKNOWN]
    names = [f"{LEADERS[card.leader]}.{card.direction.name}.{card.ground.word}" for card in known]
    over = isinstance(state.turn, Over)
    return (
        ("points", str(points(state)[seat] if over else piece_points(state, seat))),
        ("yurts", str(state.yurts[seat].bit_count())),
        ("largest territory", str(max(territories(state, seat), default=0))),
        ("special", "".join(f"{each.letter}{held[each]}" for each in SPECIALS if held[each]) or "-"),
        ("in force", RESTRICTION.write(state.table, state.active[seat]) or "-"),
        ("hand", " ".join((*names, *("?" * hand.count(UNKNOWN)))) or "-"),
    )


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
    """What lies beside the board: pieces, cards, and the warning about the set."""
    parts = state.table.parts
    left = [
        f"{shape.id}×{count}" if count > 1 else shape.id
        for shape, count in zip(parts.shapes, state.supply, strict=True)
        if count
    ]
    return (
        *wrap(f"pieces left: {' '.join(left) or 'none'}", _WIDTH, subsequent_indent="  "),
        f"draw pile {state.pile}, discards {sum(state.discard)}",
        *((caution(state),) if parts.invented else ()),
    )


def caution(state: State) -> str:
    """A warning about the component set; empty for a transcription of the published game."""
    parts = state.table.parts
    return f"{parts.set_id}: invented components, not the published game" if parts.invented else ""


def _counted(count: int, what: str) -> str:
    return f"1 {what}" if count == 1 else f"{count} {what}s"
