"""What events change for Li Si."""

from msgspec import structs

from rules.zhanguo import events as e
from rules.zhanguo import evolve_boards as boards
from rules.zhanguo.evolve_rules import ImpossibleEvent, based, require
from rules.zhanguo.frames import RevealDue, RivalDue, TurnDue
from rules.zhanguo.pieces import ASPECTS, OF_DECK, aspect_of
from rules.zhanguo.player_board import changed, replaced
from rules.zhanguo.state import RivalBoard, State


def _board(state: State) -> RivalBoard:
    if state.rival is None:
        raise ImpossibleEvent("Li Si does not play")
    return state.rival


def _with_board(state: State, **parts: object) -> State:
    return structs.replace(state, rival=structs.replace(_board(state), **parts))


def dealt_six(state: State) -> State:
    """Six new cards, where Li Si plays."""
    return state if state.rival is None else _with_board(state, deck=(OF_DECK,) * len(ASPECTS))


def turn_began(state: State, _: e.RivalTurnBegan) -> State:
    """A card is to be revealed."""
    _board(state)
    return based(state, RevealDue())


def action_revealed(state: State, event: e.ActionRevealed) -> State:
    """Out of the deck, and unless it is a one-shot card among the discarded ones."""
    board = _board(state)
    require(event.card in board.actions, "the card is not in the deck")
    discarded = board.discarded
    if not state.table.printed.solo_actions[event.card].one_shot:
        discarded = tuple(sorted((*discarded, event.card)))
    left = tuple(card for card in board.actions if card != event.card)
    return based(_with_board(state, actions=left, discarded=discarded), RivalDue())


def card_unified(state: State, event: e.RivalCardUnified) -> State:
    """From the six above the board."""
    after = _with_board(state, deck=changed(_board(state).deck, aspect_of(event.card), -1))
    return boards.with_card(after, event.seat, event.card, event.region)


def card_at_court(state: State, event: e.RivalCardAtCourt) -> State:
    """From the six to Court."""
    after = _with_board(state, deck=changed(_board(state).deck, aspect_of(event.card), -1))
    return boards.laid_at_court(after, event.card)


def tile_kept(state: State, event: e.RivalTileKept) -> State:
    """From the map to his board."""
    kept = _board(state).kept
    tiles = (*kept[event.region], event.kind)
    return _with_board(boards.palace_tile_taken(state, event), kept=replaced(kept, event.region, tiles))


def turn_ended(state: State, event: e.RivalTurnEnded) -> State:
    """The next turn."""
    return based(state, TurnDue(event.seat))


def deck_rebuilt(state: State, _: e.ActionDeckRebuilt) -> State:
    """Discarded cards are in the deck again."""
    board = _board(state)
    return _with_board(state, actions=tuple(sorted((*board.actions, *board.discarded))), discarded=())
