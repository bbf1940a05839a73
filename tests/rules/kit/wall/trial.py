"""What the laws are tried on for the wall slice."""

import random
from collections.abc import Iterator
from typing import Final

from records.games.plugins import codec_of
from rules.kernel.actors import CHANCE, Actor, Seat
from rules.kernel.setup import RECORDED, Draws, Setup
from tests.rules.kit.wall import values as v
from tests.rules.kit.wall.game import EDITION, PLUGIN, WALL
from tests.rules.laws import Trial


def _setup(chance: random.Random) -> Setup:
    names = ("green", "red", "blue")[: chance.choice((1, 2, 3))]
    return Setup(EDITION, names, v.STRATEGIES.source, chance.choice(tuple(Draws)))


def candidates(state: v.State, _: random.Random) -> Iterator[tuple[Actor, v.Move]]:
    moves: list[v.Move] = [v.DealTactic(None), v.Done(), v.Upgrade(), v.PickStrategy(v.SEALED)]
    moves += [v.PickStrategy(strategy) for strategy in v.STRATEGIES.number_of.values()]
    moves += [v.TakeResource(resource) for resource in v.Resource]
    moves += [v.MoveReed(section) for section in v.SECTIONS.number_of.values()]
    for tactic in v.TACTICS.number_of.values():
        moves += [
            v.DealTactic(tactic),
            v.PlayTactic(tactic, boosted=True),
            v.PlayTactic(tactic, boosted=False),
        ]
    actors: tuple[Actor, ...] = (*state.table.seats, CHANCE)
    for actor in actors:
        yield from ((actor, move) for move in moves)


def disguised(state: v.State, seat: Seat, chance: random.Random) -> v.State:
    """Others hold other resources and tactics, and have picked something else."""
    after = state
    seen = [*state.played, *state.players[seat].tactics]
    left = [tactic for tactic in v.TACTICS.number_of.values() for _ in range(v.COPIES - seen.count(tactic))]
    chance.shuffle(left)
    for other in state.table.seats:
        if other != seat:
            player = state.players[other]
            known = [left.pop() for held in player.tactics if held is not None]
            unknown = [held for held in player.tactics if held is None]
            pick = player.pick if player.pick is None else chance.choice((*player.strategies, v.SEALED))
            after = v.with_player(
                after,
                other,
                after.agenda,
                chi=chance.randrange(6),
                wood=chance.randrange(6),
                tactics=tuple(sorted((*known, *unknown), key=v.order)),
                pick=pick,
            )
    return after


WALL_TRIAL: Final[Trial[v.State, v.Move, v.Event]] = Trial(
    game=WALL,
    setup=_setup,
    examples=(
        Setup(EDITION, ("green", "red"), v.STRATEGIES.source),
        Setup(EDITION, ("green", "red", "blue"), v.STRATEGIES.source, RECORDED),
    ),
    ways=(lambda chance, _, moves: chance.choice(moves), lambda _, __, moves: moves[0]),
    candidates=candidates,
    twins=lambda _, __: (),
    disguised=disguised,
    completions=lambda seen, _, move, __: iter(((seen, move),)),
    codec=codec_of(PLUGIN),
)
