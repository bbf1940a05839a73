"""The end of a match: its conditions, the final scoring, and who has won."""

from typing import Final

from rules.great_wall.events import Event, MatchEnded
from rules.great_wall.evolve import fold
from rules.great_wall.folds.change import added
from rules.great_wall.kinds import CLERKS, NOBODY, QIN, Cause, Clan, Ending, seat_of
from rules.great_wall.occasions import dishonour, honour
from rules.great_wall.state import State
from rules.great_wall.wall import soldiers_on
from rules.kernel.actors import Seat
from rules.kernel.game import Outcome, Score, all_won, nobody_won

_FOR_SHAME: Final = 5
_QIN_FOR_ARTEFACT: Final = 20


def end_check(state: State) -> tuple[Event, ...]:
    """What ends the match now; nothing where it goes on."""
    return _coop_end(state) if state.table.coop else _end(state)


def _coop_end(state: State) -> tuple[Event, ...]:
    """The win is tested before the defeats (GW-COP-21, GW-COP-23, AMB-32)."""
    table = state.table
    if len(state.in_coop.fulfilled) >= table.goal:
        return (MatchEnded(Ending.REQUESTS, table.seats),)
    if not state.pool and not table.rulings.empty_pool_goes_on:
        return (MatchEnded(Ending.POOL, ()),)
    return (MatchEnded(Ending.TIME, ()),) if state.time == table.final_slot else ()


def _end(state: State) -> tuple[Event, ...]:
    cause = _cause(state)
    if cause is None:
        return ()
    scored = final_scoring(state)
    after = fold(state, scored)
    return (*scored, MatchEnded(cause, _winners(after, cause)))


def _cause(state: State) -> Ending | None:
    """The first condition that holds (GW-END-02); in solo the pool counts before all others."""
    empty = not state.pool or state.emptied
    if empty and state.table.has_qin:
        return Ending.POOL
    if state.complete_walls() >= state.table.walls_to_end:
        return Ending.WALLS
    if empty:
        return Ending.POOL
    return Ending.TIME if state.time == state.table.final_slot else None


def _winners(state: State, cause: Ending) -> tuple[Seat, ...]:
    if state.table.has_qin:
        won = cause is not Ending.POOL and state.honour(Clan(0)) > state.honour(QIN)
        return (Seat(0),) if won else ()
    return (by_honour(state)[0],)


def by_honour(state: State) -> tuple[Seat, ...]:
    """Seats from most honour to least; ties go to the higher marker (GW-SCO-04)."""
    return tuple(sorted(state.seats_in_tea_order, key=lambda seat: -state.players[seat].honour))


def final_scoring(state: State) -> tuple[Event, ...]:
    """Shame, then hordes, then artefacts (GW-SCO-01 to -03)."""
    found: tuple[Event, ...] = ()
    for seat in state.table.seats:
        found += dishonour(state, Clan(seat), _FOR_SHAME * sum(state.players[seat].shamed), Cause.SHAME)
    for clan in state.table.clans:
        found += honour(clan, _hordes(state, clan), Cause.HORDE)
        found += honour(clan, _artefacts(state, clan), Cause.ARTEFACT)
    return found


def _hordes(state: State, clan: Clan) -> int:
    cards = state.table.parts.hordes
    if clan == QIN:
        return sum(cards[card.horde].reward for card in state.of_qin.claimed)
    seat = seat_of(clan)
    if seat is None:
        return 0
    return sum(cards[card.horde].reward for card in state.players[seat].claimed if not card.tokens)


def _artefacts(state: State, clan: Clan) -> int:
    seat = seat_of(clan)
    if clan == QIN:
        return _QIN_FOR_ARTEFACT * len(state.artefacts)
    if seat is None:
        return 0
    cards = state.table.parts.artefacts
    return sum(cards[each].n * _counted(state, seat, cards[each].count) for each in state.artefacts)


def _counted(state: State, seat: Seat, what: str) -> int:
    player = state.players[seat]
    match what:
        case "claimed":
            return len(player.claimed)
        case "advisor":
            return len(player.active) + len(player.assistants)
        case "foreman-level":
            return sum(foreman.level for foreman in player.foremen if foreman is not None)
        case "clerk":
            return CLERKS - player.space
        case _:
            return sum(soldiers_out(state, seat))


def soldiers_out(state: State, seat: Seat) -> tuple[int, int, int]:
    """Soldiers on hordes, in rest zones and in firing slots."""
    found = NOBODY
    for wall in state.sections:
        if wall is not None:
            found = added(found, (0, wall.firing[seat], 0))
            found = added(found, wall.rest[seat])
            for lying in wall.hordes:
                found = added(found, soldiers_on(lying.marks, Clan(seat)))
    return found


def outcome(state: State) -> Outcome | None:
    """How the match ended; None while it is in progress."""
    result, seats = state.result, state.table.seats
    if result is None:
        return None
    if not result.winners:
        return nobody_won(seats, result.cause.value, scores(state))
    if state.table.coop:
        return all_won(seats, result.cause.value)
    ranking = tuple((seat,) for seat in by_honour(state))
    return Outcome(ranking[0], ranking, result.cause.value, scores=scores(state))


def scores(state: State) -> tuple[Score, ...]:
    """Everybody's honour; co-op has no scoring."""
    if state.table.coop:
        return ()
    seats = [Score(seat, state.players[seat].honour) for seat in state.table.seats]
    qin = [] if state.qin is None else [Score(state.table.name(QIN), state.qin.honour)]
    return (*seats, *qin)
