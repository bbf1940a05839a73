"""What the laws are tried on, derived from what a game states of itself."""

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeAlias, cast

from records.games.bound import BoundGame
from records.games.opaque import OpaqueEvent, OpaqueMove, OpaquePlugin, OpaqueState
from rules.kernel.actors import Actor
from rules.kernel.plugin import OwnLaw
from rules.kernel.setup import Setup
from rules.kernel.terms import Several
from tools.laws.samples import made_up
from tools.laws.setups import setups_of, varied
from tools.laws.trial import Trial, actors, play, seeded

OpaqueTrial: TypeAlias = Trial[OpaqueState, OpaqueMove, OpaqueEvent]
Chooser: TypeAlias = Callable[[random.Random, OpaqueState, Sequence[OpaqueMove]], OpaqueMove]

_MOST: Final = 150
"""Moves that are tried for an awaited actor, besides those that are legal."""

_OUT_OF_TURN: Final = 12
"""Moves that are tried for anybody else."""

_POOL: Final = 40
"""Moves of one class that are kept from other matches."""

_POOLED_ENTRIES: Final = 120
"""Entries of each match that moves are kept from."""


def derived_trial(bound: BoundGame) -> OpaqueTrial:
    """The game, and what its laws are tried on."""
    game, plugin = bound.game, bound.plugin
    setups = setups_of(game, () if plugin is None else plugin.setups)
    return Trial(
        game=game,
        setup=lambda chance: varied(game, chance.choice(setups), chance),
        examples=tuple(dict.fromkeys((setups[0], setups[-1]))),
        ways=WAYS,
        candidates=_Candidates(bound).of,
        twins=_Twins(bound).of,
        disguised=None,
        completions=None,
        codec=bound.codec,
        own_laws=()
        if plugin is None
        else cast("tuple[OwnLaw[OpaqueState, OpaqueMove, OpaqueEvent], ...]", plugin.laws),
    )


# How players choose.


def _any(chance: random.Random, _: OpaqueState, moves: Sequence[OpaqueMove]) -> OpaqueMove:
    return chance.choice(moves)


def _by_kind(chance: random.Random, _: OpaqueState, moves: Sequence[OpaqueMove]) -> OpaqueMove:
    """A kind of move first, then one of that kind, so that rare kinds are played too."""
    kinds = sorted({type(move).__name__ for move in moves})
    kind = chance.choice(kinds)
    return chance.choice([move for move in moves if type(move).__name__ == kind])


def _first(_: random.Random, __: OpaqueState, moves: Sequence[OpaqueMove]) -> OpaqueMove:
    return moves[0]


WAYS: Final[tuple[Chooser, ...]] = (_any, _by_kind, _by_kind, _first)


# Moves, legal or not.


class _Candidates:
    """Legal moves of this state and of others, and moves made up from the statements of the game."""

    def __init__(self, bound: BoundGame) -> None:
        self._game: Final = bound.game
        self._codec: Final = bound.codec
        self._plugin: Final = bound.plugin
        self._pools: Final[dict[Setup, tuple[OpaqueMove, ...]]] = {}

    def of(self, state: OpaqueState, chance: random.Random) -> Iterator[tuple[Actor, OpaqueMove]]:
        """Every legal move; of the others some, most of them for those who are awaited."""
        game = self._game
        awaited = game.awaiting(state)
        tried = [*self._pool(game.setup(state)), *self._made_up(state, chance)]
        for actor in actors(game, state):
            listed = dict.fromkeys(game.legal_moves(state, actor))
            most = _MOST if actor in awaited else _OUT_OF_TURN
            others = dict.fromkeys(chance.sample(tried, min(len(tried), most)))
            yield from ((actor, move) for move in listed)
            yield from ((actor, move) for move in others if move not in listed)

    def _made_up(self, state: OpaqueState, chance: random.Random) -> Iterator[OpaqueMove]:
        if self._plugin is None:
            return
        table = _table(self._plugin, state)
        for move in made_up(self._plugin.moves, table, chance):
            # What cannot be sent in this form never reaches the rules.
            if self._codec.decode_move(state, self._codec.encode_move(state, move)) == move:
                yield move

    def _pool(self, setup: Setup) -> tuple[OpaqueMove, ...]:
        """Moves that were legal somewhere in a few matches with the same setup."""
        if setup not in self._pools:
            found: dict[str, dict[OpaqueMove, None]] = {}
            for seed, way in enumerate(WAYS):
                match = play(self._game, self._game.start(setup), seeded(seed), way, _POOLED_ENTRIES)
                for step in match.steps:
                    for move in self._game.legal_moves(step.before, step.actor):
                        kept = found.setdefault(type(move).__name__, {})
                        if len(kept) < _POOL:
                            kept[move] = None
            self._pools[setup] = tuple(move for kept in found.values() for move in kept)
        return self._pools[setup]


class _Twins:
    """The same move as a message that lists things in another order, where the game takes them in any."""

    def __init__(self, bound: BoundGame) -> None:
        self._codec: Final = bound.codec
        self._stated: Final = {} if bound.plugin is None else bound.plugin.moves.of

    def of(self, state: OpaqueState, move: OpaqueMove) -> Iterator[OpaqueMove]:
        """The move as it is read from such messages."""
        one = self._stated.get(type(move))
        if one is None:
            return
        parts = one.parts(move)
        for at, (term, part) in enumerate(zip(one.terms, parts, strict=True)):
            if isinstance(term, Several) and term.canonical and isinstance(part, tuple) and len(part) > 1:
                turned = one.build(*parts[:at], part[::-1], *parts[at + 1 :])
                yield self._codec.decode_move(state, self._codec.encode_move(state, turned))


def _table(plugin: OpaquePlugin, state: OpaqueState) -> object:
    return cast("Callable[[OpaqueState], object]", plugin.table)(state)
