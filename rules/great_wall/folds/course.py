"""What set-up, chance and the course of the year do to a state."""

from typing import Final

from msgspec import structs

from rules.great_wall import events as e
from rules.great_wall.folds.change import (
    added,
    into,
    out_of,
    summed,
    with_player,
    with_qin,
    with_resources,
    with_section,
)
from rules.great_wall.kinds import HAND, QIN, REED, Clan, Horde, seat_of
from rules.great_wall.state import HordeDeck, OnTrack, Result, SeatSecret, State, TacticDeck
from rules.great_wall.wall import EMPTY, Lying
from rules.kernel.actors import Seat
from rules.kernel.reducer import reducer


def _tasks_due(state: State, event: e.TasksDue) -> State:
    agenda = event.tasks + state.then
    return structs.replace(state, ask=agenda[0] if agenda else None, then=agenda[1:])


def _artefacts_laid(state: State, event: e.ArtefactsLaid) -> State:
    return structs.replace(state, artefacts=event.artefacts)


def _request_laid(state: State, event: e.RequestLaid) -> State:
    coop = state.in_coop
    return structs.replace(state, coop=structs.replace(coop, requests=into(coop.requests, event.request)))


def _event_revealed(state: State, event: e.EventRevealed) -> State:
    coop = state.in_coop
    return structs.replace(state, coop=structs.replace(coop, events=into(coop.events, event.event)))


def _top_shown(state: State, event: e.TopShown) -> State:
    return structs.replace(state, top=event.section)


def _generals_dealt(state: State, event: e.GeneralsDealt) -> State:
    return _with_secret(state, event.seat, SeatSecret(generals=event.generals))


def _advisors_dealt(state: State, event: e.AdvisorsDealt) -> State:
    advisors = structs.replace(state.advisors, unknown=state.advisors.unknown + len(event.advisors))
    state = structs.replace(state, advisors=advisors)
    secret = structs.replace(state.secrets[event.seat], advisors=event.advisors)
    return _with_secret(state, event.seat, secret)


def _with_secret(state: State, seat: Seat, secret: SeatSecret) -> State:
    secrets = state.secrets
    return structs.replace(state, secrets=(*secrets[:seat], secret, *secrets[seat + 1 :]))


def _general_chosen(state: State, event: e.GeneralChosen) -> State:
    secret = structs.replace(state.secrets[event.seat], general=event.general)
    return _with_secret(state, event.seat, secret)


def _active_chosen(state: State, event: e.ActiveChosen) -> State:
    secret = structs.replace(state.secrets[event.seat], active=event.advisor)
    return _with_secret(state, event.seat, secret)


def _general_revealed(state: State, event: e.GeneralRevealed) -> State:
    player = structs.replace(state.players[event.seat], general=event.general)
    state = with_player(state, event.seat, player)
    secret = structs.replace(state.secrets[event.seat], generals=(), general=None)
    return _with_secret(state, event.seat, secret)


def _advisors_revealed(state: State, event: e.AdvisorsRevealed) -> State:
    player = state.players[event.seat]
    player = structs.replace(player, active=(event.advisor,), assistants=(event.assistant,))
    unknown = state.advisors.unknown + 1 - len(state.secrets[event.seat].advisors)
    state = structs.replace(state, advisors=structs.replace(state.advisors, unknown=unknown))
    return _with_secret(with_player(state, event.seat, player), event.seat, SeatSecret())


def _qin_advised(state: State, event: e.QinAdvised) -> State:
    qin = state.of_qin
    unknown = state.advisors.unknown + event.n
    state = structs.replace(state, advisors=structs.replace(state.advisors, unknown=unknown))
    return with_qin(state, structs.replace(qin, assistants=(None,) * event.n + qin.assistants))


def _tea_stacked(state: State, event: e.TeaStacked) -> State:
    if sorted(event.clans) != sorted(state.table.clans):
        raise ValueError("the tea stack has every clan once")
    return structs.replace(state, tea=event.clans)


def _start_taken(state: State, event: e.StartTaken) -> State:
    player = state.players[event.seat]
    return with_resources(state, event.seat, summed(player.resources, event.resources))


def _advisor_laid(state: State, event: e.AdvisorLaid) -> State:
    track = (*state.advisors.track, event.advisor)
    return structs.replace(state, advisors=structs.replace(state.advisors, track=track))


def _tactic_drawn(state: State, event: e.TacticDrawn) -> State:
    player = state.players[event.seat]
    deck = structs.replace(state.tactics, size=state.tactics.size - 1)
    if deck.size < 0 or len(player.tactics) > HAND * 4:
        raise ValueError("no tactic is left to draw")
    player = structs.replace(player, tactics=into(player.tactics, event.tactic))
    return with_player(structs.replace(state, tactics=deck), event.seat, player)


def _track_laid(state: State, event: e.TrackLaid) -> State:
    return with_qin(state, structs.replace(state.of_qin, track=event.tokens))


def _solo_card_turned(state: State, event: e.SoloCardTurned) -> State:
    return _onto_track(state, OnTrack(0, QIN, event.card))


def _onto_track(state: State, card: OnTrack) -> State:
    track = sorted((*state.track, card), key=lambda each: (each.space, each.clan))
    return structs.replace(state, track=tuple(track))


def _deck_reshuffled(state: State, event: e.DeckReshuffled) -> State:
    times = state.shuffled
    match event.deck:
        case e.Deck.HORDES:
            deck = HordeDeck(state.hordes.size + len(state.hordes.discard), ())
            times = structs.replace(times, hordes=times.hordes + 1)
            return structs.replace(state, hordes=deck, shuffled=times)
        case e.Deck.TACTICS:
            pile = state.tactics.discard
            times = structs.replace(times, tactics=times.tactics + 1, tactic_pile=pile)
            deck_of_tactics = TacticDeck(state.tactics.size + len(pile), ())
            return structs.replace(state, tactics=deck_of_tactics, shuffled=times)
        case e.Deck.ADVISORS:
            pile_of_advisors = state.advisors.discard
            times = structs.replace(times, advisors=times.advisors + 1, advisor_pile=pile_of_advisors)
            advisors = structs.replace(state.advisors, discard=())
            return structs.replace(state, advisors=advisors, shuffled=times)
        case e.Deck.SOLO:
            times = structs.replace(times, solo=times.solo + 1)
            return structs.replace(with_qin(state, structs.replace(state.of_qin, played=())), shuffled=times)


def _season_began(state: State, _: e.SeasonBegan) -> State:
    return state


def _time_advanced(state: State, _: e.TimeAdvanced) -> State:
    if state.time >= state.table.final_slot:
        raise ValueError("the time token is on the last slot")
    return structs.replace(state, time=state.time + 1)


def _horde_drawn(state: State) -> State:
    if not state.hordes.size:
        raise ValueError("no horde is left to draw")
    return structs.replace(state, hordes=structs.replace(state.hordes, size=state.hordes.size - 1))


def _horde_placed(state: State, event: e.HordePlaced) -> State:
    wall = state.section(event.section)
    spots = len(state.table.parts.hordes[event.horde].cells)
    wall = structs.replace(wall, hordes=(*wall.hordes, Lying(event.horde, EMPTY * spots)))
    return with_section(_horde_drawn(state), event.section, wall)


def _raided(state: State, event: e.Raided) -> State:
    if event.removed > state.pool:
        raise ValueError("the pool has fewer tokens than that")
    state = with_horde_discarded(_horde_drawn(state), event.horde)
    return drained(structs.replace(state, removed=state.removed + event.removed), state.pool - event.removed)


def with_horde_discarded(state: State, horde: Horde) -> State:
    """A horde on the discard."""
    discard = into(state.hordes.discard, horde)
    return structs.replace(state, hordes=structs.replace(state.hordes, discard=discard))


def drained(state: State, pool: int) -> State:
    """Another number of tokens in the pool; that it is empty may be remembered (AMB-16)."""
    emptied = state.emptied or (state.table.rulings.latched and pool == 0)
    return structs.replace(state, pool=pool, emptied=emptied)


def _advisors_dropped(state: State, event: e.AdvisorsDropped) -> State:
    deck = state.advisors
    discard = into(deck.discard, *deck.track[: event.n])
    return structs.replace(
        state, advisors=structs.replace(deck, track=deck.track[event.n :], discard=discard)
    )


def _advisor_enlisted(state: State, event: e.AdvisorEnlisted) -> State:
    deck, qin = state.advisors, state.of_qin
    state = structs.replace(state, advisors=structs.replace(deck, track=out_of(deck.track, event.advisor)))
    known = tuple(each for each in qin.assistants if each is not None)
    unknown = (None,) * (len(qin.assistants) - len(known))
    return with_qin(state, structs.replace(qin, assistants=unknown + into(known, event.advisor)))


def _income_paid(state: State, event: e.IncomePaid) -> State:
    player = state.players[event.seat]
    return with_resources(state, event.seat, summed(player.resources, event.resources))


def _track_cleared(state: State, _: e.TrackCleared) -> State:
    for card in state.track:
        seat = seat_of(card.clan)
        if seat is not None:
            player = state.players[seat]
            player = structs.replace(player, discarded=into(player.discarded, card.card))
            state = with_player(state, seat, player)
        elif card.clan != REED:
            qin = state.of_qin
            state = with_qin(state, structs.replace(qin, played=into(qin.played, card.card)))
    return structs.replace(state, track=())


def _cards_recovered(state: State, event: e.CardsRecovered) -> State:
    player = state.players[event.seat]
    hand = into(player.strategies, *player.discarded)
    return with_player(state, event.seat, structs.replace(player, strategies=hand, discarded=()))


def _card_recovered(state: State, event: e.CardRecovered) -> State:
    player = state.players[event.seat]
    hand = into(player.strategies, event.card)
    discarded = out_of(player.discarded, event.card)
    return with_player(state, event.seat, structs.replace(player, strategies=hand, discarded=discarded))


def _strategy_picked(state: State, event: e.StrategyPicked) -> State:
    return _with_secret(state, event.seat, structs.replace(state.secrets[event.seat], pick=event.card))


def _strategy_revealed(state: State, event: e.StrategyRevealed) -> State:
    player = state.players[event.seat]
    player = structs.replace(player, strategies=out_of(player.strategies, event.card))
    state = with_player(state, event.seat, player)
    state = _with_secret(state, event.seat, structs.replace(state.secrets[event.seat], pick=None))
    return _onto_track(state, OnTrack(0, Clan(event.seat), event.card))


def _strategy_placed(state: State, event: e.StrategyPlaced) -> State:
    rest = tuple(card for card in state.track if card.space or card.clan != event.clan)
    state = structs.replace(state, track=rest)
    return _onto_track(state, OnTrack(event.space, event.clan, event.card))


def _turn_began(state: State, _: e.TurnBegan) -> State:
    return state


def _turn_ended(state: State, _: e.TurnEnded) -> State:
    return state


def _match_ended(state: State, event: e.MatchEnded) -> State:
    return structs.replace(state, result=Result(event.cause, event.winners), ask=None, then=())


def _request_fulfilled(state: State, event: e.RequestFulfilled) -> State:
    coop = state.in_coop
    coop = structs.replace(
        coop,
        requests=out_of(coop.requests, event.request),
        fulfilled=into(coop.fulfilled, event.request),
    )
    return structs.replace(state, coop=coop)


def _sacrifice_made(state: State, event: e.SacrificeMade) -> State:
    player = state.players[event.seat]
    player = structs.replace(
        player,
        reserve=added(player.reserve, event.figures, -1),
        sacrificed=added(player.sacrificed, event.figures),
    )
    return with_player(state, event.seat, player)


def _declined(state: State, _: e.Declined) -> State:
    return state


def _said(state: State, _: e.RequestProposed | e.RequestAgreed | e.RequestRefused) -> State:
    """What follows from it is among the tasks that are pending then."""
    return state


CHANGES: Final = (
    reducer(State)
    .on(e.TasksDue, _tasks_due)
    .on(e.ArtefactsLaid, _artefacts_laid)
    .on(e.RequestLaid, _request_laid)
    .on(e.EventRevealed, _event_revealed)
    .on(e.TopShown, _top_shown)
    .on(e.GeneralsDealt, _generals_dealt)
    .on(e.AdvisorsDealt, _advisors_dealt)
    .on(e.GeneralChosen, _general_chosen)
    .on(e.ActiveChosen, _active_chosen)
    .on(e.GeneralRevealed, _general_revealed)
    .on(e.AdvisorsRevealed, _advisors_revealed)
    .on(e.QinAdvised, _qin_advised)
    .on(e.TeaStacked, _tea_stacked)
    .on(e.StartTaken, _start_taken)
    .on(e.AdvisorLaid, _advisor_laid)
    .on(e.TacticDrawn, _tactic_drawn)
    .on(e.TrackLaid, _track_laid)
    .on(e.SoloCardTurned, _solo_card_turned)
    .on(e.DeckReshuffled, _deck_reshuffled)
    .on(e.SeasonBegan, _season_began)
    .on(e.TimeAdvanced, _time_advanced)
    .on(e.HordePlaced, _horde_placed)
    .on(e.Raided, _raided)
    .on(e.AdvisorsDropped, _advisors_dropped)
    .on(e.AdvisorEnlisted, _advisor_enlisted)
    .on(e.IncomePaid, _income_paid)
    .on(e.TrackCleared, _track_cleared)
    .on(e.CardsRecovered, _cards_recovered)
    .on(e.CardRecovered, _card_recovered)
    .on(e.StrategyPicked, _strategy_picked)
    .on(e.StrategyRevealed, _strategy_revealed)
    .on(e.StrategyPlaced, _strategy_placed)
    .on(e.TurnBegan, _turn_began)
    .on(e.TurnEnded, _turn_ended)
    .on(e.MatchEnded, _match_ended)
    .on(e.RequestFulfilled, _request_fulfilled)
    .on(e.SacrificeMade, _sacrifice_made)
    .on(e.Declined, _declined)
    .on(e.RequestProposed, _said)
    .on(e.RequestAgreed, _said)
    .on(e.RequestRefused, _said)
)
