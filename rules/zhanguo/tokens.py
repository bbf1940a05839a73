"""Tokens as payments and returns have them: large ones by aspect, then small ones by aspect."""

from typing import Final

from rules.kernel.actors import Seat
from rules.zhanguo import events as e
from rules.zhanguo.pieces import ASPECTS, UNLOCK
from rules.zhanguo.player_board import Player
from rules.zhanguo.state import State

LARGE: Final = len(ASPECTS)
"""Kinds of large tokens, which come first."""
KINDS: Final = 2 * LARGE


def held(player: Player) -> tuple[int, ...]:
    """Tokens of a player, kind by kind."""
    return (*(int(aspect in player.large) for aspect in ASPECTS), *player.tokens)


def tally(kinds: tuple[int, ...]) -> tuple[int, ...]:
    """How many of each kind there are."""
    return tuple(kinds.count(kind) for kind in range(KINDS))


def worth(tokens: tuple[int, ...]) -> int:
    """A large token counts 2."""
    return 2 * sum(tokens[:LARGE]) + sum(tokens[LARGE:])


def covers(owned: tuple[int, ...], tokens: tuple[int, ...]) -> bool:
    """Whether these tokens are among those owned."""
    return len(tokens) == KINDS and all(0 <= want <= have for want, have in zip(tokens, owned, strict=True))


def is_payment(state: State, tokens: tuple[int, ...]) -> bool:
    """Worth 3, and no longer so without any one of them; by a ruling exactly three tokens (AMB-07)."""
    if state.table.rulings.cost_by_count:
        return sum(tokens) == UNLOCK
    least = 1 if any(tokens[LARGE:]) else 2
    return worth(tokens) >= UNLOCK > worth(tokens) - least


def given_back(seat: Seat, tokens: tuple[int, ...]) -> tuple[e.Event, ...]:
    """Large tokens go to the board, small ones to the supply."""
    large = [e.LargeReturned(seat, aspect) for aspect in ASPECTS if tokens[aspect]]
    small = [
        e.TokensReturned(seat, aspect, tokens[LARGE + aspect]) for aspect in ASPECTS if tokens[LARGE + aspect]
    ]
    return (*large, *small)
