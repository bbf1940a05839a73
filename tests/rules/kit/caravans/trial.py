"""What the laws are tried on for the caravans."""

import random
from collections.abc import Iterator
from typing import Final

from records.games.plugins import codec_of
from rules.kernel.actors import CHANCE, Actor, Seat
from rules.kernel.setup import RECORDED, Draws, Setup
from tests.rules.kit.caravans import values as v
from tests.rules.kit.caravans.game import CARAVANS, EDITION, PLUGIN
from tests.rules.laws import Trial


def _setup(chance: random.Random) -> Setup:
    names = ("green", "red", "blue")[: chance.choice((1, 2, 3))]
    return Setup(EDITION, names, v.ROUTES.source, chance.choice(tuple(Draws)))


def candidates(state: v.State, _: random.Random) -> Iterator[tuple[Actor, v.Move]]:
    moves: list[v.Move] = [v.DealFavour(None), v.Done(), v.Upgrade(), v.PickRoute(v.SEALED)]
    moves += [v.PickRoute(route) for route in v.ROUTES.number_of.values()]
    moves += [v.TakeResource(resource) for resource in v.Resource]
    moves += [v.MoveGuild(stage) for stage in v.STAGES.number_of.values()]
    for favour in v.FAVOURS.number_of.values():
        moves += [
            v.DealFavour(favour),
            v.PlayFavour(favour, boosted=True),
            v.PlayFavour(favour, boosted=False),
        ]
    actors: tuple[Actor, ...] = (*state.table.seats, CHANCE)
    for actor in actors:
        yield from ((actor, move) for move in moves)


def disguised(state: v.State, seat: Seat, chance: random.Random) -> v.State:
    """Others hold other resources and favours, and have picked something else."""
    after = state
    seen = [*state.played, *state.players[seat].favours]
    left = [favour for favour in v.FAVOURS.number_of.values() for _ in range(v.COPIES - seen.count(favour))]
    chance.shuffle(left)
    for other in state.table.seats:
        if other != seat:
            player = state.players[other]
            known = [left.pop() for held in player.favours if held is not None]
            unknown = [held for held in player.favours if held is None]
            pick = player.pick if player.pick is None else chance.choice((*player.routes, v.SEALED))
            after = v.with_player(
                after,
                other,
                after.agenda,
                silver=chance.randrange(6),
                cloth=chance.randrange(6),
                favours=tuple(sorted((*known, *unknown), key=v.order)),
                pick=pick,
            )
    return after


CARAVANS_TRIAL: Final[Trial[v.State, v.Move, v.Event]] = Trial(
    game=CARAVANS,
    setup=_setup,
    examples=(
        Setup(EDITION, ("green", "red"), v.ROUTES.source),
        Setup(EDITION, ("green", "red", "blue"), v.ROUTES.source, RECORDED),
    ),
    ways=(lambda chance, _, moves: chance.choice(moves), lambda _, __, moves: moves[0]),
    candidates=candidates,
    twins=lambda _, __: (),
    disguised=disguised,
    completions=lambda seen, _, move, __: iter(((seen, move),)),
    codec=codec_of(PLUGIN),
)
