"""Pairs of matches that differ only in tiles which a viewer may not see."""

import random
from collections.abc import Callable
from dataclasses import dataclass

from records.games.candidate import Candidate
from records.games.registry import find_game
from records.games.state import Applied, GameState
from rules.kernel.actors import Actor, Seat, Viewer
from rules.kernel.edition import EditionKey
from rules.kernel.setup import Draws, Setup
from rules.qin.tiles import EACH, HAND, KIND_OF, KINDS

NAMES = ("green", "violet", "white", "black")
STOCK = tuple(kind.name for kind in KINDS for _ in range(EACH))


@dataclass(frozen=True)
class World:
    """A match with all its hidden tiles."""

    order: tuple[str, ...]
    """The tiles in the order in which they are drawn."""
    script: tuple[tuple[Actor, bytes], ...]
    """The moves of all actors, chance included."""
    state: GameState
    """The state after the last move."""


def twin_worlds(seats: int, turns: int, seed: int, viewer: Viewer) -> tuple[World, World]:
    """Two worlds that the viewer cannot tell apart."""
    dice = random.Random(seed)  # noqa: S311 - the same worlds each time
    order = tuple(dice.sample(STOCK, len(STOCK)))
    state = _start(seats)
    held: dict[Seat, list[int]] = {Seat(seat): [] for seat in range(seats)}
    for seat, places in held.items():
        places.extend(range(seat * HAND, (seat + 1) * HAND))
    drawn = seats * HAND
    chosen: list[Candidate] = []

    def choose(state: GameState, seat: Seat) -> Candidate | None:
        nonlocal drawn
        legal = list(state.legal_moves(seat))
        if len(chosen) == turns or not legal:
            return None
        move = dice.choice(legal)
        tile = _tile(state.write_move(move))
        if tile is None:
            return None
        held[seat].remove(next(place for place in held[seat] if order[place] == tile))
        held[seat].append(drawn)
        drawn += 1
        chosen.append(move)
        return move

    one = _played(order, state, choose)
    known = held[viewer] if isinstance(viewer, int) else []
    hidden = [place for places in held.values() for place in places if place not in known]
    hidden += range(drawn, len(order))
    swapped = dice.sample(hidden, len(hidden))
    other = list(order)
    for place, source in zip(hidden, swapped, strict=True):
        other[place] = order[source]
    moves = iter(chosen)
    return one, _played(tuple(other), state, lambda _, __: next(moves, None))


def _start(seats: int) -> GameState:
    setup = Setup(EditionKey("qin/1"), NAMES[:seats], "bird", Draws.RECORDED)
    return find_game("qin").start(setup)


def _played(
    order: tuple[str, ...], state: GameState, choose: Callable[[GameState, Seat], Candidate | None]
) -> World:
    names = state.setup.seats
    draws = [f"deal {name} {' '.join(order[at * HAND : (at + 1) * HAND])}" for at, name in enumerate(names)]
    draws += [f"draw {tile}" for tile in order[len(names) * HAND :]]
    chance = iter(draws)
    script: list[tuple[Actor, bytes]] = []
    while awaited := state.awaiting():
        actor = awaited[0]
        move = choose(state, actor) if isinstance(actor, int) else state.parse_text(next(chance))
        if move is None:
            break
        verdict = state.judge(move)
        assert isinstance(verdict, Applied)
        script.append((actor, move.data))
        state = verdict.after
    return World(order, tuple(script), state)


def _tile(text: str) -> str | None:
    """The kind of tile that a move places; None if it places nothing."""
    colours = "".join(sign for sign in text.rpartition(" ")[2] if sign in "RYB")
    return KIND_OF[colours].name if colours else None
