"""What chance brings from shuffled decks, several of which are open at once."""

from typing import Final

from rules.great_wall import moves as m
from rules.great_wall import pending as p
from rules.great_wall.decks import advisors_left, horde_deck, solo_deck
from rules.great_wall.kinds import TRACK_TOKENS, Section, Token
from rules.great_wall.moves import Move
from rules.great_wall.state import State
from rules.kernel.chance import Chance, Take, any_order

ARTEFACTS: Final = "artefacts"
REQUESTS: Final = "requests"
HORDES: Final = "hordes"
GENERALS: Final = "generals"
ADVISORS: Final = "advisors"
TACTICS: Final = "tactics"
EVENTS: Final = "events"
SOLO: Final = "solo"
TRACK: Final = "location-track"
_DECKS: Final = (ARTEFACTS, REQUESTS, HORDES, GENERALS, ADVISORS, TACTICS, EVENTS, SOLO, TRACK)
_DEALT: Final = 2


def _due(state: State) -> tuple[Take, ...]:
    times = state.shuffled
    match state.ask:
        case p.ArtefactsDue():
            return (Take(ARTEFACTS, 0, 0, 3),)
        case p.RequestsDue():
            return (Take(REQUESTS, 0, len(state.in_coop.requests) + len(state.in_coop.fulfilled)),)
        case p.TopDue():
            return (Take(HORDES, times.hordes, 0, opened=False),)
        case p.HordesDue():
            return _due_hordes(state)
        case p.DealDue(seat):
            return (Take(GENERALS, 0, _DEALT * seat, _DEALT),)
        case p.AdviseDue():
            return (Take(ADVISORS, times.advisors, advisors_left(state), _DEALT, from_end=True),)
        case p.AdvisorsDue():
            return (Take(ADVISORS, times.advisors, advisors_left(state), from_end=True),)
        case p.DrawDue():
            return (Take(TACTICS, times.tactics, state.tactics.size, from_end=True),)
        case p.EventDue():
            return (Take(EVENTS, 0, len(state.events)),)
        case p.SoloDue():
            return (Take(SOLO, times.solo, len(solo_deck(state)), from_end=True),)
        case p.QinTrackDue():
            return (Take(TRACK, 0, 0, len(TRACK_TOKENS)),)
        case _:
            return ()


def _due_hordes(state: State) -> tuple[Take, ...]:
    """The card, and the back of the next, which may lie in the deck that is shuffled anew (AMB-39)."""
    deck, times = state.hordes, state.shuffled.hordes
    card = Take(HORDES, times, deck.size, from_end=True)
    if deck.size > 1:
        return card, Take(HORDES, times, deck.size - 1, from_end=True, opened=False)
    return (card, Take(HORDES, times + 1, 0, opened=False)) if deck.discard else (card,)


def _stock(state: State, deck: str) -> tuple[str, ...]:
    parts, times = state.table.parts, state.shuffled
    match deck:
        case "artefacts":
            return parts.artefact_names.names
        case "requests":
            reed = state.table.has_reed
            cards = zip(parts.request_names.names, parts.requests, strict=True)
            return tuple(name for name, card in cards if card.two_players or not reed)
        case "hordes":
            return _horde_stock(state)
        case "generals":
            return parts.general_names.names
        case "advisors" if times.advisors:
            return tuple(parts.advisor_names.names[advisor] for advisor in times.advisor_pile)
        case "advisors":
            return parts.advisor_names.names
        case "tactics" if times.tactics:
            return tuple(parts.tactic_names.names[tactic] for tactic in times.tactic_pile)
        case "tactics":
            each = zip(parts.tactic_names.names, parts.tactics, strict=True)
            return tuple(name for name, card in each for _ in range(card.copies))
        case "events":
            return parts.event_names.names
        case "solo":
            return tuple(parts.strategy_names.names[card] for card in state.table.cards)
        case _:
            return tuple(token.word for token in TRACK_TOKENS)


def _horde_stock(state: State) -> tuple[str, ...]:
    """All of the match at first; later what lies face down, or what the last draw shuffles anew."""
    names = state.table.parts.horde_names.names
    if not state.shuffled.hordes and not (state.hordes.size == 1 and state.hordes.discard):
        return tuple(names[horde] for horde in state.table.hordes)
    last = state.hordes.size == 1 and bool(state.hordes.discard)
    return tuple(names[horde] for horde in (state.hordes.discard if last else horde_deck(state)))


def _back(state: State, name: str) -> Section:
    parts = state.table.parts
    return parts.hordes[parts.horde_names.number_of[name]].back


def _bring(state: State, names: tuple[str, ...]) -> Move:
    parts, first = state.table.parts, names[0]
    match state.ask:
        case p.ArtefactsDue():
            return m.LayArtefacts(tuple(sorted(parts.artefact_names.number_of[name] for name in names)))
        case p.RequestsDue():
            return m.LayRequest(parts.request_names.number_of[first])
        case p.TopDue():
            return m.ShowTop(_back(state, first))
        case p.HordesDue():
            following = _back(state, names[1]) if len(names) > 1 else None
            return m.DrawHorde(parts.horde_names.number_of[first], following)
        case p.DealDue(seat):
            return m.Deal(seat, tuple(sorted(parts.general_names.number_of[name] for name in names)))
        case p.AdviseDue(seat):
            return m.Advise(seat, tuple(sorted(parts.advisor_names.number_of[name] for name in names)))
        case p.AdvisorsDue():
            return m.LayAdvisor(parts.advisor_names.number_of[first])
        case p.DrawDue():
            return m.DrawTactic(parts.tactic_names.number_of[first])
        case p.EventDue():
            return m.RevealEvent(parts.event_names.number_of[first])
        case p.SoloDue():
            return m.TurnSoloCard(parts.strategy_names.number_of[first])
        case _:
            return m.LayTrack(tuple(Token[name.upper()] for name in names))


CHANCE: Final[Chance[State, Move]] = Chance(
    decks=_DECKS, due=_due, stock=_stock, fits=any_order, bring=_bring
)
