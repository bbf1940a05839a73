"""What events change for Li Si."""

from msgspec import structs

from rules.kernel.places import with_one
from rules.zhanguo import events as e
from rules.zhanguo import evolve_boards as boards
from rules.zhanguo.evolve_rules import based, require
from rules.zhanguo.frames import RevealDue, RivalDue, TurnDue
from rules.zhanguo.pieces import ASPECTS, OF_DECK, Card, aspect_of
from rules.zhanguo.player_board import changed
from rules.zhanguo.state import ActionDeck, State


def dealt_six(state: State) -> State:
    """Six new cards, where Li Si plays."""
    if state.table.rival is None:
        return state
    return structs.replace(state, deck=(OF_DECK,) * len(ASPECTS))


def turn_began(state: State, _: e.RivalTurnBegan) -> State:
    """A card is to be revealed."""
    require(state.table.rival is not None, "Li Si does not play")
    return based(state, RevealDue())


def action_revealed(state: State, event: e.ActionRevealed) -> State:
    """Out of the deck, and unless it is a one-shot card among the discarded ones."""
    actions = state.actions
    require(event.card in actions.left, "the card is not in the deck")
    discarded = actions.discarded
    if not state.table.printed.solo_actions[event.card].one_shot:
        discarded = tuple(sorted((*discarded, event.card)))
    left = tuple(card for card in actions.left if card != event.card)
    return based(structs.replace(state, actions=ActionDeck(left, discarded)), RivalDue())


def _without(state: State, card: Card) -> State:
    return structs.replace(state, deck=changed(state.deck, aspect_of(card), -1))


def card_unified(state: State, event: e.RivalCardUnified) -> State:
    """From the six above the board."""
    return boards.with_card(_without(state, event.card), event.seat, event.card, event.region)


def card_at_court(state: State, event: e.RivalCardAtCourt) -> State:
    """From the six to Court."""
    return boards.laid_at_court(_without(state, event.card), event.card)


def tile_kept(state: State, event: e.RivalTileKept) -> State:
    """From the map to Li Si's board."""
    tiles = (*state.kept[event.region], event.kind)
    after = boards.palace_tile_taken(state, event)
    return structs.replace(after, kept=with_one(state.kept, event.region, tiles))


def turn_ended(state: State, event: e.RivalTurnEnded) -> State:
    """The next turn."""
    return based(state, TurnDue(event.seat))


def deck_rebuilt(state: State, _: e.ActionDeckRebuilt) -> State:
    """Discarded cards are in the deck again."""
    actions = state.actions
    return structs.replace(state, actions=ActionDeck(tuple(sorted((*actions.left, *actions.discarded))), ()))
