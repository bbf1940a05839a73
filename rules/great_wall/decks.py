"""What lies in each deck, as far as a state shows."""

from rules.great_wall.kinds import QIN, Advisor, EventCard, General, Horde, Request, Section, Strategy, Tactic
from rules.great_wall.pending import TacticEnd
from rules.great_wall.state import State


def horde_deck(state: State) -> tuple[Horde, ...]:
    """The cards that lie face down."""
    seen = set(state.hordes.discard)
    seen.update(lying.horde for wall in state.sections if wall is not None for lying in wall.hordes)
    seen.update(card.horde for player in state.players for card in player.claimed)
    if state.qin is not None:
        seen.update(card.horde for card in state.qin.claimed)
    return tuple(horde for horde in state.table.hordes if horde not in seen)


def backs(state: State, hordes: tuple[Horde, ...]) -> tuple[Section, ...]:
    """The backs of some cards, each once, from left to right."""
    cards = state.table.parts.hordes
    return tuple(sorted({cards[horde].back for horde in hordes}))


def advisor_deck(state: State) -> tuple[Advisor, ...]:
    """Advisors that are not known to be elsewhere; after a shuffle those that were shuffled."""
    seen: set[Advisor | None] = {*state.advisors.track, *state.advisors.discard}
    for player, secret in zip(state.players, state.secrets, strict=True):
        seen.update(player.active, player.assistants, secret.advisors)
    if state.qin is not None:
        seen.update(state.qin.assistants)
    pile: tuple[Advisor, ...] = tuple(state.table.parts.advisor_names.number_of.values())
    if state.shuffled.advisors:
        pile = state.shuffled.advisor_pile
    return tuple(advisor for advisor in pile if advisor not in seen)


def advisors_left(state: State) -> int:
    """Advisors in the deck."""
    owned = sum(len(player.active) + len(player.assistants[1:]) for player in state.players)
    if state.qin is not None:
        owned += sum(advisor is not None for advisor in state.qin.assistants)
    deck = state.advisors
    out = owned + len(deck.track) + len(deck.discard) + deck.unknown
    return len(state.table.parts.advisors) - out


def generals_left(state: State) -> tuple[General, ...]:
    """Generals that are not known to be dealt or taken."""
    seen: set[General | None] = {player.general for player in state.players}
    for secret in state.secrets:
        seen.update(secret.generals)
    return tuple(
        general for general in state.table.parts.general_names.number_of.values() if general not in seen
    )


def tactics_unseen(state: State, tactic: Tactic) -> int:
    """Copies of a tactic that are not known to be elsewhere; after a shuffle none but what was shuffled."""
    if state.shuffled.tactics and tactic not in state.shuffled.tactic_pile:
        return 0
    seen = [*state.tactics.discard]
    seen += [held for player in state.players for held in player.tactics if held is not None]
    seen += [task.tactic for task in state.agenda if isinstance(task, TacticEnd)]
    return state.table.parts.tactics[tactic].copies - seen.count(tactic)


def solo_deck(state: State) -> tuple[Strategy, ...]:
    """Qin's cards that lie face down."""
    seen = {*state.of_qin.played, *(card.card for card in state.track if card.clan == QIN)}
    return tuple(card for card in state.table.cards if card not in seen)


def requests_left(state: State) -> tuple[Request, ...]:
    """Requests that lie face down; four are not for two players (GW-COP-06)."""
    coop, cards = state.in_coop, state.table.parts.requests
    return tuple(
        request
        for request in state.table.parts.request_names.number_of.values()
        if request not in coop.requests
        and request not in coop.fulfilled
        and (cards[request].two_players or not state.table.has_reed)
    )


def events_left(state: State) -> tuple[EventCard, ...]:
    """Events that lie face down."""
    return tuple(
        event for event in state.table.parts.event_names.number_of.values() if event not in state.events
    )
