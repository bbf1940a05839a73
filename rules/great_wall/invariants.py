"""What holds in every state of a match: GW-I-01 to GW-I-38, as far as one state can show it."""

from collections.abc import Iterator
from typing import Final

from rules.great_wall.course_checks import course_problems
from rules.great_wall.decks import advisors_left, backs, horde_deck
from rules.great_wall.folds.change import added
from rules.great_wall.kinds import (
    ARMY,
    CLERKS,
    HAND,
    HIGHEST,
    KINDS,
    LOCATIONS,
    NOBODY,
    NOTHING,
    QIN,
    REED,
    REED_ARMY,
    REED_CLERKS,
    SECTIONS,
    SLOTS,
    TOKENS,
    TRACK_TOKENS,
    Clan,
    Figures,
    Kind,
    of_seat,
    seat_of,
)
from rules.great_wall.pending import DrawDue, LimitDue, SetOut, ShameDue, TacticEnd, TopDue
from rules.great_wall.state import Foreman, State
from rules.great_wall.wall import SPEARS, owners_on, soldiers_on, well_marked
from rules.kernel.actors import Seat
from rules.kernel.inconsistency import Inconsistency

_ON_TRACK: Final = 4
_ARTEFACTS: Final = 3


def problems(state: State) -> tuple[str, ...]:
    """Every invariant that is broken, in words."""
    return tuple(found.why for found in inconsistencies(state))


def inconsistencies(state: State) -> Iterator[Inconsistency]:
    """Every invariant that is broken, and the field of the state that shows it."""
    for check in _CHECKS:
        yield from check(state)


def _closed(state: State) -> Iterator[Inconsistency]:
    """What the other checks count on."""
    for each, there in zip(SECTIONS, state.sections, strict=True):
        if (there is None) != (each not in state.table.sections):
            yield Inconsistency(each.word, "another section is closed than the table says")


def _clerks(state: State) -> Iterator[Inconsistency]:
    """GW-I-01, GW-I-18, GW-I-27."""
    for clan in state.table.clans:
        out = sum(there[clan] for there in state.at)
        seat = seat_of(clan)
        if clan == REED:
            if out != REED_CLERKS or any(there[REED] > 1 for there in state.at):
                yield Inconsistency("at", "Reed has not three clerks at three locations")
            continue
        home = (
            state.of_qin.clerks
            if seat is None
            else sum((state.players[seat].clerks, state.players[seat].space))
        )
        if home + out != CLERKS or home < 0:
            why = f"{state.table.name(clan)} has not {CLERKS} clerks"
            yield _of_clan(clan, why)
    for location in LOCATIONS:
        slots = state.table.board.places[location].slots
        strangers = [clan for clan, n in enumerate(state.at[location]) if n and clan not in state.table.clans]
        if strangers or min(state.at[location]) < 0:
            why = f"clerks stand at the {location.word} that are not in the match"
            yield Inconsistency("at", why)
        if slots is not None and sum(state.at[location]) > slots:
            yield Inconsistency("at", f"the {location.word} has more clerks than slots")


def _soldiers(state: State) -> Iterator[Inconsistency]:
    """GW-I-02, GW-I-03."""
    for clan in state.table.clans:
        expected = (REED_ARMY, 0, 0) if clan == REED else ARMY
        if _army(state, clan) != expected:
            why = f"{state.table.name(clan)} has not all its soldiers"
            yield _of_clan(clan, why)
    for section in state.table.sections:
        wall = state.section(section)
        if not (0 <= wall.level <= HIGHEST and 0 <= wall.barricades <= SLOTS):
            why = f"the {section.word} section has no such wall or barricades"
            yield Inconsistency(section.word, why)
        elif state.free_firing(section) < 0 or min(wall.firing) < 0:
            why = f"the {section.word} section has more archers than slots"
            yield Inconsistency(section.word, why)
        resting = [
            clan for clan, rest in enumerate(wall.rest) if rest != NOBODY and clan not in state.table.seats
        ]
        if resting or any(min(rest) < 0 for rest in wall.rest):
            why = f"soldiers rest in the {section.word} section that are not in the match"
            yield Inconsistency(section.word, why)


def _of_clan(clan: Clan, why: str) -> Inconsistency:
    seat = seat_of(clan)
    if seat is None:
        return Inconsistency("reed" if clan == REED else "qin", why)
    return Inconsistency("players", why, seat)


def _army(state: State, clan: Clan) -> Figures:
    found = state.reserve(clan)
    seat = seat_of(clan)
    foremen: tuple[Foreman | None, ...] = ()
    if seat is not None:
        found = added(found, state.players[seat].sacrificed)
        foremen = state.players[seat].foremen
    elif clan == QIN:
        foremen = state.of_qin.foremen
    for foreman in foremen:
        if foreman is not None:
            found = added(found, _one(foreman.kind))
    for wall in state.sections:
        if wall is None:
            continue
        found = added(found, (0, wall.firing[clan], 0))
        if seat is not None:
            found = added(found, wall.rest[seat])
        for lying in wall.hordes:
            found = added(found, soldiers_on(lying.marks, clan))
    return found


def _one(kind: Kind) -> Figures:
    spearmen, archers, horsemen = (int(each == kind) for each in KINDS)
    return spearmen, archers, horsemen


def _hordes(state: State) -> Iterator[Inconsistency]:
    """GW-I-04, GW-I-05, GW-I-11, GW-I-26, GW-I-33, GW-I-35."""
    parts, clans = state.table.parts, set(state.table.clans)
    seen = list(state.hordes.discard)
    for section in state.table.sections:
        wall = state.section(section)
        if any(archers and clan not in clans for clan, archers in enumerate(wall.firing)):
            why = f"archers stand in the {section.word} section that are not in the match"
            yield Inconsistency(section.word, why)
        if len(wall.hordes) > SLOTS:
            why = f"more than {SLOTS} hordes lie before the {section.word} section"
            yield Inconsistency(section.word, why)
        for line, lying in enumerate(wall.hordes, start=1):
            card, name = parts.hordes[lying.horde], parts.horde_names.names[lying.horde]
            seen.append(lying.horde)
            if len(lying.marks) != len(card.cells) or not well_marked(lying.marks, card.pairs):
                yield Inconsistency(section.word, f"the marks on {name} cannot be")
            elif not owners_on(lying.marks) <= clans:
                why = f"soldiers stand on {name} that are not in the match"
                yield Inconsistency(section.word, why)
            elif line > 1 and any(mark in SPEARS for mark in lying.marks):
                why = f"a spearman stands behind the first line of the {section.word} section"
                yield Inconsistency(section.word, why)
    seen += [card.horde for player in state.players for card in player.claimed]
    if state.qin is not None:
        seen += [card.horde for card in state.qin.claimed]
    if len(set(seen)) < len(seen) or any(
        parts.hordes[horde].back not in state.table.sections for horde in seen
    ):
        yield Inconsistency("hordes", "a horde is in two places, or in none of this match")
    deck = horde_deck(state)
    if state.hordes.size != len(deck):
        yield Inconsistency("hordes", "the horde deck has another size")
    if state.top is not None and state.top not in state.table.sections:
        yield Inconsistency("top", "the indicator names a closed section")
    unshown = any(isinstance(task, TopDue) for task in state.agenda)
    if deck and not unshown and state.top not in backs(state, deck):
        yield Inconsistency("top", "no card of the deck has the back that lies on top")


def _shame(state: State) -> Iterator[Inconsistency]:
    """GW-I-07, GW-I-08, GW-I-38."""
    table = state.table
    held = sum(isinstance(task, ShameDue) for task in state.agenda)
    for seat, player in enumerate(state.players):
        held += sum(player.shamed) + sum(card.tokens for card in player.claimed)
        if any(
            shamed > have or shamed < 0 for shamed, have in zip(player.shamed, player.reserve, strict=True)
        ):
            yield Inconsistency("players", "more figures are shamed than are in the reserve", seat)
        most = 0 if table.coop else TOKENS
        if any(not 0 <= card.tokens <= most for card in player.claimed):
            yield Inconsistency("players", "a claimed horde has too many tokens", seat)
    if state.pool < 0 or state.removed < 0 or state.pool + state.removed + held != table.shame:
        yield Inconsistency("pool", f"the shame tokens do not add up to {table.shame}")
    if state.emptied and not table.rulings.latched:
        yield Inconsistency("emptied", "an empty pool is remembered though the match does not ask for it")


def _strategies(state: State) -> Iterator[Inconsistency]:
    """GW-I-13."""
    table = state.table
    for seat in table.seats:
        player = state.players[seat]
        lying = [card.card for card in state.track if card.clan == of_seat(seat)]
        if sorted((*player.strategies, *player.discarded, *lying)) != list(table.cards) or len(lying) > 1:
            why = f"{table.names[seat]} has not one of each strategy card"
            yield Inconsistency("players", why, seat)
        if player.strategies != tuple(sorted(player.strategies)):
            yield Inconsistency("players", "strategy cards are not in the order of the set", seat)
    if state.qin is not None:
        mine = [card.card for card in state.track if card.clan == QIN]
        if len({*state.qin.played, *mine}) < len(state.qin.played) + len(mine) or len(mine) > 1:
            yield Inconsistency("qin", "Qin has a strategy card twice")
        if any(card not in table.cards for card in (*state.qin.played, *mine)):
            yield Inconsistency("qin", "Qin has a card that is not his")
    reed = [card.card for card in state.track if card.clan == REED]
    if len(reed) > table.has_reed or any(card != table.parts.reed_card for card in reed):
        yield Inconsistency("track", "Reed has one strategy card")
    spaces = [card.space for card in state.track if card.space]
    if len(set(spaces)) < len(spaces) or any(not 1 <= space <= table.board.spaces for space in spaces):
        yield Inconsistency("track", "two strategy cards lie on one space")
    if list(state.track) != sorted(state.track, key=lambda card: (card.space, card.clan)):
        yield Inconsistency("track", "the strategy track is not in order")


def _tactics(state: State) -> Iterator[Inconsistency]:
    """GW-I-14."""
    parts = state.table.parts
    resolving = [task.tactic for task in state.agenda if isinstance(task, TacticEnd)]
    hands = sum(len(player.tactics) for player in state.players)
    total = state.tactics.size + len(state.tactics.discard) + hands + len(resolving)
    if state.tactics.size < 0 or total != parts.tactic_count:
        yield Inconsistency("tactics", f"the tactics do not add up to {parts.tactic_count}")
    for seat in state.table.seats:
        hand = state.players[seat].tactics
        known = [card for card in hand if card is not None]
        seen = (*state.tactics.discard, *resolving, *known)
        # A draw that the record does not show may turn out to be a card of which others hold every copy.
        # Nobody who is asked could know better, so where draws are recorded the record is taken as it is.
        too_many = any(seen.count(card) > parts.tactics[card].copies for card in set(seen))
        if too_many and not state.table.recorded:
            why = f"{state.table.names[seat]} knows more copies of a tactic than there are"
            yield Inconsistency("players", why, seat)
        if hand != (*sorted(known), *(None,) * (len(hand) - len(known))):
            yield Inconsistency("players", "a hand is not in the order of the set", seat)
        if len(hand) > HAND and not _draws(state, seat):
            why = f"{state.table.names[seat]} holds more than {HAND} tactics"
            yield Inconsistency("players", why, seat)


def _draws(state: State, seat: Seat) -> bool:
    return any(isinstance(task, DrawDue | LimitDue) and task.seat == seat for task in state.agenda[:1])


def _advisors(state: State) -> Iterator[Inconsistency]:
    """GW-I-15, GW-I-16."""
    deck = state.advisors
    known = [*deck.track, *deck.discard]
    for seat, player in enumerate(state.players):
        known += player.active
        known += [advisor for advisor in player.assistants[1:] if advisor is not None]
        if None in player.assistants[1:]:
            yield Inconsistency("players", "only the first assistant can be unknown", seat)
    if state.qin is not None:
        known += [advisor for advisor in state.qin.assistants if advisor is not None]
    # A card whose deal the record does not show may be named by two seats: nobody could know better.
    if len(set(known)) < len(known) and not state.table.recorded:
        yield Inconsistency("advisors", "an advisor is in two places")
    if advisors_left(state) < 0 or deck.unknown < 0 or len(deck.track) > _ON_TRACK:
        yield Inconsistency("advisors", "the advisors do not add up")
    set_up = any(isinstance(task, SetOut) for task in state.agenda)
    for seat, player in enumerate(state.players):
        if not set_up and (player.general is None or not player.active or not player.assistants):
            yield Inconsistency("players", "a seat has no general or no advisors", seat)
        others = [each.general for each in state.players[:seat]]
        if player.general is not None and player.general in others and not state.table.recorded:
            yield Inconsistency("players", "a general is in two places", seat)


def _pieces(state: State) -> Iterator[Inconsistency]:
    """GW-I-06, GW-I-17, GW-I-28, GW-I-29."""
    table = state.table
    if min(state.ware) < 0:
        yield Inconsistency("ware", "the warehouse holds less than nothing")
    if state.tea and sorted(state.tea) != sorted(table.clans):
        yield Inconsistency("tea", "the tea stack has not every clan once")
    if not 0 <= state.time <= table.final_slot:
        yield Inconsistency("time", "the time token is on no slot")
    if (state.reed is None) == table.has_reed:
        yield Inconsistency("reed", "another clan plays than the table says")
    if (state.qin is None) == table.has_qin:
        yield Inconsistency("qin", "another clan plays than the table says")
    elif state.qin is not None and state.qin.track and sorted(state.qin.track) != list(TRACK_TOKENS):
        yield Inconsistency("qin", "Qin's track has not every token once")
    if len(state.artefacts) not in {0, _ARTEFACTS}:
        yield Inconsistency("artefacts", f"there are none or {_ARTEFACTS} artefacts")
    if (state.coop is None) == table.coop:
        yield Inconsistency("coop", "requests are in a co-op match, and in no other")
    elif state.coop is not None:
        yield from _requests(state)
    if any(owed.resources == NOTHING for owed in state.owed):
        yield Inconsistency("owed", "nothing is owed to somebody")
    if any(saves.n < 1 for saves in state.saves):
        yield Inconsistency("saves", "somebody may save nobody")
    waiting = {"owed": [owed.seat for owed in state.owed], "saves": [saves.seat for saves in state.saves]}
    for field, of in waiting.items():
        if of != sorted(set(of)):
            yield Inconsistency(field, "what is owed is not in the order of the seats")


def _holdings(state: State) -> Iterator[Inconsistency]:
    """GW-I-06, GW-I-19, GW-I-20."""
    for seat, player in enumerate(state.players):
        if (player.resources is not None and min(player.resources) < 0) or player.honour < 0:
            yield Inconsistency("players", "a seat holds less than nothing", seat)
        if any(foreman is not None and not 1 <= foreman.level <= HIGHEST for foreman in player.foremen):
            yield Inconsistency("players", "a foreman has no such level", seat)


def _requests(state: State) -> Iterator[Inconsistency]:
    coop, cards = state.in_coop, state.table.parts.requests
    seen = (*coop.requests, *coop.fulfilled)
    if len(set(seen)) < len(seen) or len(coop.requests) > state.table.request_slots:
        yield Inconsistency("coop", "a request is in two places, or too many lie open")
    if state.table.has_reed and any(not cards[request].two_players for request in seen):
        yield Inconsistency("coop", "a request is not for two players")
    if len(set(coop.events)) < len(coop.events):
        yield Inconsistency("coop", "an event was revealed twice")


_CHECKS: Final = (
    _closed,
    _clerks,
    _soldiers,
    _hordes,
    _shame,
    _strategies,
    _tactics,
    _advisors,
    _holdings,
    _pieces,
    course_problems,
)
