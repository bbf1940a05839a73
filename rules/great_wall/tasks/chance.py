"""What chance brings: artefacts, hordes, deals, advisors, tactics, and the cards of co-op and solo."""

from collections.abc import Iterator
from itertools import combinations, permutations
from typing import Final

from rules.great_wall.decks import (
    advisor_deck,
    advisors_left,
    backs,
    events_left,
    generals_left,
    horde_deck,
    requests_left,
    solo_deck,
    tactics_unseen,
)
from rules.great_wall.events import (
    AdvisorLaid,
    AdvisorsDealt,
    ArtefactsLaid,
    Deck,
    DeckReshuffled,
    EventRevealed,
    GeneralsDealt,
    HordePlaced,
    Raided,
    RequestLaid,
    SoloCardTurned,
    TacticDrawn,
    TopShown,
    TrackLaid,
)
from rules.great_wall.kinds import SLOTS, TRACK_TOKENS, Horde, Section, of_seat
from rules.great_wall.moves import (
    Advise,
    Deal,
    DrawHorde,
    DrawTactic,
    LayAdvisor,
    LayArtefacts,
    LayRequest,
    LayTrack,
    RevealEvent,
    ShowTop,
    TurnSoloCard,
)
from rules.great_wall.pending import (
    AdviseDue,
    AdvisorsDue,
    ArtefactsDue,
    Autumn,
    DealDue,
    Do,
    DrawDue,
    EventDue,
    HordesDue,
    LimitDue,
    QinTrackDue,
    RequestsDue,
    SoloDue,
    TopDue,
)
from rules.great_wall.rulebook import cards, coop, course, places, setting_up, solo, wall
from rules.great_wall.state import State
from rules.great_wall.tasks.common import FINISHED, Case, Events, breach_if, caused, then
from rules.kernel.actors import CHANCE, Actor, Seat
from rules.kernel.rule import Breach, Check
from rules.kernel.tasks import task

_DEALT: Final = 2
"""Generals and advisors dealt to a seat (GW-SET-10, GW-SET-11)."""
_ARTEFACTS: Final = 3


def by_chance(_: State, __: object) -> tuple[Actor, ...]:
    """Chance is awaited."""
    return (CHANCE,)


# Artefacts, requests, events.


def _artefacts(state: State, _: ArtefactsDue) -> Iterator[LayArtefacts]:
    everything = state.table.parts.artefact_names.number_of.values()
    return (LayArtefacts(chosen) for chosen in combinations(everything, _ARTEFACTS))


ARTEFACTS: Final = task(State, ArtefactsDue, course.ASK_03, by_chance).takes(
    LayArtefacts,
    each=_artefacts,
    then=lambda case: caused(ArtefactsLaid(case.move.artefacts), FINISHED),
)


def _no_request(case: Case[RequestsDue, LayRequest]) -> Breach | None:
    name = case.state.table.parts.request_names.names[case.move.request]
    return breach_if(case.move.request not in requests_left(case.state), f"{name} is not in the deck")


def _requests_end(state: State, due: RequestsDue) -> Events:
    return (FINISHED,) if not due.left or not requests_left(state) else ()


REQUESTS: Final = task(State, RequestsDue, course.ASK_03, by_chance, happens=_requests_end).takes(
    LayRequest,
    (Check(coop.COP_02, _no_request),),
    each=lambda state, _: map(LayRequest, requests_left(state)),
    then=lambda case: caused(RequestLaid(case.move.request), then(RequestsDue(case.task.left - 1))),
)


def _no_event(case: Case[EventDue, RevealEvent]) -> Breach | None:
    name = case.state.table.parts.event_names.names[case.move.event]
    return breach_if(case.move.event not in events_left(case.state), f"{name} has been revealed")


def _revealed(case: Case[EventDue, RevealEvent]) -> Events:
    script = case.state.table.parts.events[case.move.event].immediate
    everybody = tuple(Do(of_seat(seat), script, 0) for seat in case.state.seats_in_tea_order)
    return (EventRevealed(case.move.event), then(*everybody))


def _no_events_left(state: State, _: EventDue) -> Events:
    return () if events_left(state) else (FINISHED,)


EVENT: Final = task(State, EventDue, course.ASK_03, by_chance, happens=_no_events_left).takes(
    RevealEvent,
    (Check(coop.COP_12, _no_event),),
    each=lambda state, _: map(RevealEvent, events_left(state)),
    then=_revealed,
)


# Hordes.


def _no_such_back(case: Case[TopDue, ShowTop]) -> Breach | None:
    known = backs(case.state, horde_deck(case.state))
    return breach_if(case.move.section not in known, f"no card of the deck shows {case.move.section.word}")


TOP: Final = task(State, TopDue, course.ASK_03, by_chance).takes(
    ShowTop,
    (Check(cards.CRD_15, _no_such_back),),
    each=lambda state, _: map(ShowTop, backs(state, horde_deck(state))),
    then=lambda case: caused(TopShown(case.move.section), FINISHED),
)


def _before_hordes(state: State, due: HordesDue) -> Events:
    """A deck that is empty takes its discard, and shows its top first (AMB-39)."""
    deck = state.hordes
    if not due.left or not (deck.size or deck.discard):
        return (FINISHED,)
    if not deck.size:
        return (DeckReshuffled(Deck.HORDES), then(TopDue(), due))
    return ()


def _next_backs(state: State, horde: Horde) -> tuple[Section | None, ...]:
    """The backs that the card under a drawn one may have."""
    rest = tuple(card for card in horde_deck(state) if card != horde) or state.hordes.discard
    return backs(state, rest) or (None,)


def _not_due(case: Case[HordesDue, DrawHorde]) -> Breach | None:
    state, horde = case.state, case.move.horde
    name, back = state.table.parts.horde_names.names[horde], state.table.parts.hordes[horde].back
    if horde not in horde_deck(state):
        return Breach(f"{name} is not in the deck")
    if back is not state.top:
        on_top = "" if state.top is None else f", and {state.top.word} lay on top"
        return Breach(f"the back of {name} shows {back.word}{on_top}")
    named = "no section" if case.move.top is None else case.move.top.word
    return breach_if(case.move.top not in _next_backs(state, horde), f"no card left shows {named}")


def _drawn(state: State, _: HordesDue) -> Iterator[DrawHorde]:
    for horde in horde_deck(state):
        if state.table.parts.hordes[horde].back is state.top:
            for section in _next_backs(state, horde):
                yield DrawHorde(horde, section)


def _placed(case: Case[HordesDue, DrawHorde]) -> Events:
    """To the first empty section, else where the new top card points; a full one is raided (GW-INV)."""
    state, move = case.state, case.move
    again = state.hordes.size == 1 and bool(state.hordes.discard)
    found: Events = (DeckReshuffled(Deck.HORDES),) if again else ()
    if move.top is not None:
        found += (TopShown(move.top),)
    empty = [section for section in state.table.sections if not state.section(section).hordes]
    goal = empty[0] if empty else (move.top if move.top is not None else state.top)
    if goal is None or len(state.section(goal).hordes) >= SLOTS:
        removed = min(state.pool, state.table.counted)
        found += (Raided(move.horde, goal or state.table.sections[0], removed),)
    else:
        found += (HordePlaced(move.horde, goal),)
    return (*found, then(HordesDue(case.task.left - 1)))


HORDES: Final = task(State, HordesDue, course.ASK_03, by_chance, happens=_before_hordes).takes(
    DrawHorde, (Check(wall.INV_03, _not_due),), each=_drawn, then=_placed
)


# Deals.


def _another_seat(due: DealDue | AdviseDue, seat: Seat) -> Breach | None:
    return breach_if(seat != due.seat, "another seat is to be dealt cards")


def _wrong_deal(dealt: tuple[int | None, ...], left: tuple[int, ...]) -> bool:
    """Two different cards that are there, in the order of the set, or none that the record shows."""
    if dealt == (None,) * _DEALT:
        return False
    known = [card for card in dealt if card is not None]
    return (
        not len(known) == len(dealt) == _DEALT or known != sorted(set(known)) or not set(known) <= set(left)
    )


def _wrong_generals(case: Case[DealDue, Deal]) -> Breach | None:
    wrong = _wrong_deal(case.move.generals, generals_left(case.state))
    return breach_if(wrong, "two generals that nobody has are dealt, in the order of the set")


def _wrong_advisors(case: Case[AdviseDue, Advise]) -> Breach | None:
    wrong = _wrong_deal(case.move.advisors, advisor_deck(case.state))
    return breach_if(wrong, "two advisors that nobody has are dealt, in the order of the set")


def _deals(state: State, due: DealDue) -> Iterator[Deal]:
    for generals in combinations(generals_left(state), _DEALT):
        yield Deal(due.seat, generals)
    yield Deal(due.seat, (None,) * _DEALT)


def _advices(state: State, due: AdviseDue) -> Iterator[Advise]:
    for advisors in combinations(advisor_deck(state), _DEALT):
        yield Advise(due.seat, advisors)
    yield Advise(due.seat, (None,) * _DEALT)


DEAL: Final = task(State, DealDue, course.ASK_03, by_chance).takes(
    Deal,
    (Check(course.ASK_03, lambda case: _another_seat(case.task, case.move.seat)),),
    (Check(setting_up.SET_10, _wrong_generals),),
    each=_deals,
    then=lambda case: caused(GeneralsDealt(case.move.seat, case.move.generals), FINISHED),
    exact=True,
)
ADVISE: Final = task(State, AdviseDue, course.ASK_03, by_chance).takes(
    Advise,
    (Check(course.ASK_03, lambda case: _another_seat(case.task, case.move.seat)),),
    (Check(setting_up.SET_11, _wrong_advisors),),
    each=_advices,
    then=lambda case: caused(AdvisorsDealt(case.move.seat, case.move.advisors), FINISHED),
    exact=True,
)


# Advisors.


def _before_advisors(state: State, due: AdvisorsDue) -> Events:
    left = advisors_left(state)
    if not due.left or not (left or state.advisors.discard):
        return (FINISHED,)
    return () if left else (DeckReshuffled(Deck.ADVISORS),)


def _is_setup(state: State) -> bool:
    """Whether the first year has not begun."""
    return not state.time and any(isinstance(pending, Autumn) for pending in state.agenda)


def _not_in_deck(case: Case[AdvisorsDue, LayAdvisor]) -> str:
    return f"{case.state.table.parts.advisor_names.names[case.move.advisor]} is not in the deck"


def _not_dealt(case: Case[AdvisorsDue, LayAdvisor]) -> Breach | None:
    seen = case.move.advisor not in advisor_deck(case.state)
    return breach_if(seen and _is_setup(case.state), _not_in_deck(case))


def _not_drawn(case: Case[AdvisorsDue, LayAdvisor]) -> Breach | None:
    seen = case.move.advisor not in advisor_deck(case.state)
    return breach_if(seen and not _is_setup(case.state), _not_in_deck(case))


ADVISORS: Final = task(State, AdvisorsDue, course.ASK_03, by_chance, happens=_before_advisors).takes(
    LayAdvisor,
    (Check(setting_up.SET_13, _not_dealt), Check(places.EMB_04, _not_drawn)),
    each=lambda state, _: map(LayAdvisor, advisor_deck(state)),
    then=lambda case: caused(AdvisorLaid(case.move.advisor), then(AdvisorsDue(case.task.left - 1))),
    exact=True,
)


# Tactics.


def _before_draws(state: State, due: DrawDue) -> Events:
    deck = state.tactics
    if not due.left or not (deck.size or deck.discard):
        return (then(LimitDue(due.seat)),)
    if not deck.size:
        return (DeckReshuffled(Deck.TACTICS),)
    if not state.table.recorded:
        return (TacticDrawn(due.seat, None), then(DrawDue(due.seat, due.left - 1)))
    return ()


def _no_copy(case: Case[DrawDue, DrawTactic]) -> Breach | None:
    tactic = case.move.tactic
    seen = tactic is not None and tactics_unseen(case.state, tactic) <= 0
    if not seen or tactic is None:
        return None
    return Breach(f"every copy of {case.state.table.parts.tactic_names.names[tactic]} has been seen")


def _tactics(state: State, _: DrawDue) -> Iterator[DrawTactic]:
    for tactic in state.table.parts.tactic_names.number_of.values():
        if tactics_unseen(state, tactic) > 0:
            yield DrawTactic(tactic)
    yield DrawTactic(None)


DRAW: Final = task(State, DrawDue, course.ASK_03, by_chance, happens=_before_draws).takes(
    DrawTactic,
    (Check(cards.CRD_12, _no_copy),),
    each=_tactics,
    then=lambda case: caused(
        TacticDrawn(case.task.seat, case.move.tactic), then(DrawDue(case.task.seat, case.task.left - 1))
    ),
    exact=True,
)


# Solo.


def _no_track(case: Case[QinTrackDue, LayTrack]) -> Breach | None:
    whole = sorted(case.move.tokens) == list(TRACK_TOKENS)
    return None if whole else Breach("each of the five tokens lies on one space")


QIN_TRACK: Final = task(State, QinTrackDue, course.ASK_03, by_chance).takes(
    LayTrack,
    (Check(solo.SOL_07, _no_track),),
    each=lambda _, __: map(LayTrack, permutations(TRACK_TOKENS)),
    then=lambda case: caused(TrackLaid(case.move.tokens), FINISHED),
    exact=True,
)


def _before_solo(state: State, _: SoloDue) -> Events:
    return () if solo_deck(state) else (DeckReshuffled(Deck.SOLO),)


def _turned_before(case: Case[SoloDue, TurnSoloCard]) -> Breach | None:
    name = case.state.table.parts.strategy_names.names[case.move.card]
    return breach_if(case.move.card not in solo_deck(case.state), f"{name} is not in Qin's deck")


SOLO: Final = task(State, SoloDue, course.ASK_03, by_chance, happens=_before_solo).takes(
    TurnSoloCard,
    (Check(solo.SOL_18, _turned_before),),
    each=lambda state, _: map(TurnSoloCard, solo_deck(state)),
    then=lambda case: caused(SoloCardTurned(case.move.card), FINISHED),
)
