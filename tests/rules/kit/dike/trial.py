"""What the laws are tried on for the dike."""

import random
from collections.abc import Iterator
from typing import Final

from records.codec.canonical import canonical
from records.codec.derived import Messages, derived
from records.codec.schema import schema
from rules.kernel.actors import CHANCE, Actor
from rules.kernel.setup import Setup
from tests.rules.kit.dike import values as v
from tests.rules.kit.dike.game import COMPONENTS, DIKE, EDITIONS, EVENTS, MOVES, SEAT_COUNTS
from tests.rules.laws import Trial

MESSAGES: Final = Messages(*schema("shiji.dike.v1", MOVES, EVENTS).classes())
CODEC: Final = derived(
    lambda state: state.table,
    MOVES,
    EVENTS,
    MESSAGES,
    state_bytes=canonical(v.State),
    same_names=lambda table: table.setup.seats,
)
NAMES: Final = ("green", "red", "blue", "white")


def _setup(chance: random.Random) -> Setup:
    edition = chance.choice(EDITIONS).key
    return Setup(
        edition,
        NAMES[: chance.choice(SEAT_COUNTS[edition])],
        COMPONENTS.name,
        rulings=chance.choice(((), (("level-water", "flood"),))),
        options=chance.choice(((), (("length", "5"),), (("current", "fast"), ("length", "5")))),
    )


def candidates(state: v.State, _: random.Random) -> Iterator[tuple[Actor, v.Move]]:
    actors: tuple[Actor, ...] = (*state.table.seats, CHANCE)
    for actor in actors:
        yield from ((actor, move) for move in (v.Build(), v.Fish()))


DIKE_TRIAL: Final[Trial[v.State, v.Move, v.Event]] = Trial(
    game=DIKE,
    setup=_setup,
    examples=(
        Setup(v.DIKE_1, NAMES[:1], COMPONENTS.name),
        Setup(v.TOGETHER_1, NAMES[:3], COMPONENTS.name, options=(("length", "5"),)),
    ),
    ways=(lambda chance, _, moves: chance.choice(moves), lambda _, __, moves: moves[-1]),
    candidates=candidates,
    twins=lambda _, __: (),
    disguised=lambda _, __, ___: None,
    completions=lambda seen, _, move, __: iter(((seen, move),)),
    codec=CODEC,
)
