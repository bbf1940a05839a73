"""What is true of Li Si in every state that a match can reach (ZHG-INV-12, -20, -31, -48)."""

from collections.abc import Iterator

from rules.kernel.actors import Seat
from rules.zhanguo.frames import CardDue
from rules.zhanguo.invariants_turns import (
    Phase,
    at_court,
    phase_of,
    played_at_court,
    rival_turns,
    unified,
)
from rules.zhanguo.pieces import (
    ASPECTS,
    HAND,
    OF_DECK,
    REGIONS,
    SITES,
    TILE_KINDS,
    ActionCard,
    is_unification,
)
from rules.zhanguo.printed import SoloKind
from rules.zhanguo.state import State


def _gone(state: State) -> list[ActionCard]:
    """Action cards of the level that were removed from the game."""
    level, cards = state.table.level, (*state.actions.left, *state.actions.discarded)
    return [] if level is None else [card for card in level.deck if card not in cards]


def action_problems(state: State) -> Iterator[str]:
    """Whether each of Li Si's turns has used up an Action card."""
    level, actions = state.table.level, state.actions
    cards = [*actions.left, *actions.discarded]
    if level is None:
        if cards:
            yield "Li Si does not play"
        return
    shown = state.table.printed.solo_actions
    recurring = [card for card in level.deck if not shown[card].one_shot]
    if len(set(cards)) < len(cards) or not set(recurring) <= set(cards) <= set(level.deck):
        yield "an Action card is missing, there twice or of another level"
        return
    if any(shown[card].one_shot for card in actions.discarded):
        yield "a one-shot card is among the discarded ones"
    turns, discarded, gone = rival_turns(state), len(actions.discarded), len(_gone(state))
    removed = turns - discarded
    if not 0 <= removed <= gone or (
        state.round <= 1 and phase_of(state) is not Phase.END and removed != gone
    ):
        yield f"Li Si has had {turns} turns in this round, and {discarded} Action cards are discarded"


def deck_problems(state: State) -> Iterator[str]:
    """Whether a card of Li Si's six is gone for each that was named in this round (ZHG-SOL-10, -20)."""
    if state.table.level is None:
        if any(state.deck):
            yield "Li Si does not play"
        return
    phase = phase_of(state)
    if any(count > OF_DECK for count in state.deck):
        yield "Li Si has more than two cards of an aspect"
    elif phase is Phase.SETUP:
        if any(state.deck):
            yield "Li Si has no cards before the first round"
    elif phase is not Phase.END:
        named = HAND - sum(state.deck) + any(isinstance(frame, CardDue) for frame in state.agenda)
        discarded = sum(_is_unification(state, card) for card in state.actions.discarded)
        removed = max(rival_turns(state) - len(state.actions.discarded), 0)
        of_kind = sum(_is_unification(state, card) for card in _gone(state))
        others = len(_gone(state)) - of_kind
        if not max(removed - others, 0) <= named - discarded <= min(removed, of_kind):
            left = sum(state.deck)
            yield f"{left} of Li Si's six cards are left, and he has played {discarded} in this round"


def _is_unification(state: State, card: ActionCard) -> bool:
    return state.table.printed.solo_actions[card].kind is SoloKind.UNIFICATION


def kept_problems(state: State) -> Iterator[str]:
    """Whether Li Si built a palace for each tile that he keeps (ZHG-SOL-51)."""
    rival = state.table.rival
    if rival is None:
        if any(state.kept):
            yield "Li Si does not play"
        return
    spaces = state.table.printed.palace_spaces
    for region, kept in zip(REGIONS, state.kept, strict=True):
        at = state.regions[region]
        if len(kept) > at.palaces[rival]:
            yield f"Li Si keeps more palace tiles of {region.title} than he has palaces there"
        taken = spaces[region] - len(at.tiles) - len(kept)
        if state.round and not 0 <= taken <= sum(at.palaces) - at.palaces[rival]:
            yield f"palace tiles of {region.title} are gone that nobody took"
    for kind, copies in zip(TILE_KINDS, state.table.printed.copies, strict=True):
        lying = sum(region.tiles.count(kind) for region in state.regions)
        if lying + sum(kept.count(kind) for kept in state.kept) > copies:
            yield f"there are {copies} palace tiles of the kind {kind.word}"


def removed_problems(state: State, tiles: int) -> Iterator[str]:
    """Whether Li Si built a wall for each Emperor tile that left the game (ZHG-SOL-62)."""
    rival, whole = state.table.rival, state.table.players + 2
    if (
        rival is not None
        and state.round
        and whole - tiles > sum(state.walls_at(site, rival) for site in SITES)
    ):
        yield "more Emperor tiles left the game than Li Si has walls"


def seat_problems(state: State, seat: Seat) -> Iterator[str]:
    """What is wrong on Li Si's player board."""
    player = state.players[seat]
    if seat != state.table.rival:
        return
    if any(domain.unrest or domain.workers or any(domain.officials) for domain in player.domains):
        yield "Li Si has unrest, workers or officials"
    for region in REGIONS:
        cards = player.domains[region].cards
        if cards and region >= state.round:
            yield f"Li Si has cards in {region.title} before its round"
        if any(is_unification(placed.card) for placed in cards) and not all(
            player.domains[before].full for before in REGIONS[:region]
        ):
            yield f"Li Si has cards in {region.title}, and a region before it has room"


def _at_court(state: State) -> tuple[int, ...]:
    """By aspect: the cards of the Court pile that the human did not lay there."""
    laid = played_at_court(state, state.table.humans[0], state.round)
    return tuple(lying - own for lying, own in zip(at_court(state), laid, strict=True))


def _before(state: State, seat: Seat) -> tuple[int, ...]:
    """By aspect: the cards above his board and at Court that Li Si played in earlier rounds."""
    above, lying = unified(state, seat), _at_court(state)
    return tuple(above[aspect] + lying[aspect] - (OF_DECK - state.deck[aspect]) for aspect in ASPECTS)


def court_problems(state: State) -> Iterator[str]:
    """Whether Li Si had the cards above his board, and those at Court that are not the human's."""
    seat = state.table.rival
    if seat is None or phase_of(state) is Phase.SETUP:
        return
    laid = sum(_at_court(state))
    if not 0 <= sum(_before(state, seat)) <= HAND * (state.round - 1):
        count = sum(unified(state, seat)) + laid
        yield f"cards at Court that would be Li Si's: {laid}, so that he would have played {count}"
    if laid > 0 and not state.players[seat].domains[REGIONS[0]].full:
        yield f"cards at Court that would be Li Si's: {laid}, and Chu has room for them"


def aspect_problems(state: State) -> Iterator[str]:
    """Whether what is left of Li Si's six cards has the aspects of those that he has not played."""
    seat = state.table.rival
    if seat is None or phase_of(state) is Phase.SETUP:
        return
    for aspect, count in zip(ASPECTS, _before(state, seat), strict=True):
        if not 0 <= count <= OF_DECK * (state.round - 1):
            left = state.deck[aspect]
            yield f"{left} of Li Si's cards of {aspect.word} are left, not what he has not played"
