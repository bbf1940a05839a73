"""What the laws are tried on for the elixir slice."""

import random
from collections.abc import Iterator
from typing import Final

from records.games.plugins import codec_of
from rules.kernel.actors import CHANCE, Actor, Seat
from rules.kernel.setup import RECORDED, Draws, Setup
from tests.rules.kit.elixir import values as v
from tests.rules.kit.elixir.game import EDITION, ELIXIR, PLUGIN
from tests.rules.laws import Trial


def _setup(chance: random.Random) -> Setup:
    names = ("green", "red", "blue")[: chance.choice((2, 3))]
    return Setup(EDITION, names, v.CARDS.source, chance.choice(tuple(Draws)))


def candidates(state: v.State, _: random.Random) -> Iterator[tuple[Actor, v.Move]]:
    moves: list[v.Move] = [v.Search(), v.Wait(), v.UnlockSoldier(), v.Done()]
    for card in v.CARDS.number_of.values():
        moves += [v.Draw(card), v.PlayAtCourt(card)]
    moves += [v.Draw(aspect) for aspect in v.ASPECTS]
    for extra in v.EXTRAS.number_of.values():
        moves += [v.TakeMaster(extra), v.Activate(extra)]
        moves += [v.PlaceExtra(extra, region) for region in v.REGIONS]
    actors: tuple[Actor, ...] = (*state.table.seats, CHANCE)
    for actor in actors:
        yield from ((actor, move) for move in moves)


def disguised(state: v.State, seat: Seat, chance: random.Random) -> v.State | None:
    """Others hold other cards with the same backs."""
    if state.table.setup.draws is not RECORDED:
        return None
    free = [card for card in v.CARDS.number_of.values() if card not in state.court]
    chance.shuffle(free)
    after = state
    for other in state.table.seats:
        if other != seat:
            hand: list[v.Card | v.Aspect] = []
            for held in state.players[other].hand:
                card: v.Card | v.Aspect = held
                if isinstance(held, int):
                    card = next(
                        card
                        for card in free
                        if v.deck_of(card) == other and v.aspect_of(card) is v.aspect_of(held)
                    )
                    free.remove(card)
                hand.append(card)
            after = v.with_player(after, other, after.agenda, hand=tuple(sorted(hand, key=v.order)))
    return after


ELIXIR_TRIAL: Final[Trial[v.State, v.Move, v.Event]] = Trial(
    game=ELIXIR,
    setup=_setup,
    examples=(
        Setup(EDITION, ("green", "red"), v.CARDS.source),
        Setup(EDITION, ("green", "red", "blue"), v.CARDS.source, RECORDED),
    ),
    ways=(lambda chance, _, moves: chance.choice(moves), lambda _, __, moves: moves[0]),
    candidates=candidates,
    twins=lambda _, __: (),
    disguised=disguised,
    completions=lambda seen, _, move, __: iter(((seen, move),)),
    codec=codec_of(PLUGIN),
)
