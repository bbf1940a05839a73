"""Positions that play hardly ever reaches: high walls, armies, many requests, late years."""

import random

from msgspec import structs

from rules.great_wall.decks import backs, events_left, horde_deck, requests_left
from rules.great_wall.folds.change import plus, with_player, with_qin, with_section
from rules.great_wall.invariants import problems
from rules.great_wall.kinds import KINDS, Clan, Kind, Request, Section
from rules.great_wall.state import Claimed, Foreman, State
from rules.great_wall.wall import Lying, covered, wounded
from rules.kernel.actors import Seat

RICHEST = 16
"""Enough to pay for the highest wall part alone."""


def crowded(chance: random.Random, state: State) -> State:
    """Another position of the same match, with everything that a long match may have brought."""
    state = _walls(chance, state)
    for seat in state.table.seats:
        state = _seat(chance, state, seat)
    state = _army(chance, _hordes(chance, state))
    state = _shame(chance, state)
    state = _years(chance, state)
    assert problems(state) == ()
    return state


def _walls(chance: random.Random, state: State) -> State:
    high = chance.choice([(0, 0, 1, 1, 2), (1, 2, 2, 3), (2, 3, 3)])
    for section in state.table.sections:
        wall = structs.replace(
            state.section(section), level=chance.choice(high), barricades=chance.randint(0, 3)
        )
        state = with_section(state, section, wall)
    wood, stone, gold = (chance.choice([0, 0, 1, 3, 6]) for _ in range(3))
    return structs.replace(state, ware=(wood, stone, gold))


def _seat(chance: random.Random, state: State, seat: Seat) -> State:
    wood, stone, gold, chi = (chance.randint(0, RICHEST) for _ in range(4))
    player = structs.replace(
        state.players[seat], resources=(wood, stone, gold, chi), honour=chance.choice([0, 8, 30, 150])
    )
    for place in range(4):
        if player.foremen[place] is None and chance.random() < 0.5:
            foremen = list(player.foremen)
            foremen[place] = Foreman(chance.randint(1, 3), Kind.SPEARMAN)
            player = structs.replace(
                player, foremen=tuple(foremen), reserve=plus(player.reserve, Kind.SPEARMAN, -1)
            )
    return with_player(state, seat, player)


def _hordes(chance: random.Random, state: State) -> State:
    """Claimed cards, and wounds on those that lie before the wall."""
    for seat in state.table.seats:
        for _ in range(chance.choice([0, 1, 3])):
            deck = horde_deck(state)
            if len(deck) < 3:
                break
            card = chance.choice(deck)
            if state.top not in backs(state, tuple(other for other in deck if other != card)):
                continue
            mine = (*state.players[seat].claimed, Claimed(card, 0))
            player = structs.replace(
                state.players[seat], claimed=tuple(sorted(mine, key=lambda claimed: claimed.horde))
            )
            size = structs.replace(state.hordes, size=len(deck) - 1)
            state = structs.replace(with_player(state, seat, player), hordes=size)
    for section in state.table.sections:
        lying = [_wounded(chance, card) for card in state.section(section).hordes]
        wall = structs.replace(state.section(section), hordes=tuple(lying))
        state = with_section(state, section, wall)
    return state


def _wounded(chance: random.Random, card: Lying) -> Lying:
    """With wounds on some spots, and at least one empty spot."""
    spots = list(range(len(card.marks)))
    return Lying(card.horde, wounded(card.marks, chance.sample(spots, chance.randint(0, len(spots) - 1))))


def _army(chance: random.Random, state: State) -> State:
    """Soldiers that rest, archers in slots, and spearmen and horsemen on hordes."""
    for seat in state.table.seats:
        for _ in range(chance.choice([0, 3, 7])):
            section, kind = chance.choice(state.table.sections), Kind(chance.choice(KINDS))
            if state.usable(seat, kind) > 0:
                state = _sent(chance, state, seat, section, kind)
    return state


def _sent(chance: random.Random, state: State, seat: Seat, section: Section, kind: Kind) -> State:
    """A soldier of the reserve in a section."""
    wall = state.section(section)
    mode = chance.random()
    if kind is Kind.ARCHER and mode < 0.7:
        if not state.free_firing(section):
            return state
        firing = tuple(n + (clan == seat) for clan, n in enumerate(wall.firing))
        wall = structs.replace(wall, firing=firing)
    elif kind is not Kind.ARCHER and mode < 0.6:
        card = wall.hordes[0] if wall.hordes else None
        found = [] if card is None else _spots(state, card, kind)
        if card is None or not found:
            return state
        marks = covered(card.marks, Clan(seat), kind, chance.choice(found))
        if "." not in marks:
            return state
        wall = structs.replace(wall, hordes=(Lying(card.horde, marks), *wall.hordes[1:]))
    else:
        rest = tuple(plus(zone, kind, 1) if clan == seat else zone for clan, zone in enumerate(wall.rest))
        wall = structs.replace(wall, rest=rest)
    player = state.players[seat]
    player = structs.replace(player, reserve=plus(player.reserve, kind, -1))
    return with_player(with_section(state, section, wall), seat, player)


def _spots(state: State, card: Lying, kind: Kind) -> list[tuple[int, ...]]:
    """Where a soldier of this kind can stand on a card."""
    face = state.table.parts.hordes[card.horde]
    if kind is Kind.SPEARMAN:
        return [(spot,) for spot, mark in enumerate(card.marks) if mark == "."]
    return [pair for pair in face.pairs if card.marks[pair[0]] == card.marks[pair[1]] == "."]


def _shame(chance: random.Random, state: State) -> State:
    """Tokens under figures, and some out of the game, so that the pool may be empty soon."""
    for seat in state.table.seats:
        for _ in range(chance.choice([0, 2, 4])):
            kind = Kind(chance.choice(KINDS))
            if state.pool and state.usable(seat, kind) > 0:
                player = state.players[seat]
                player = structs.replace(player, shamed=plus(player.shamed, kind, 1))
                state = structs.replace(with_player(state, seat, player), pool=state.pool - 1)
    gone = max(0, state.pool - chance.choice([1, 4, 12, 40]))
    return structs.replace(state, pool=state.pool - gone, removed=state.removed + gone)


def _years(chance: random.Random, state: State) -> State:
    """A later year; in co-op with its events, and with requests fulfilled up to one before the goal."""
    time = chance.randint(state.time, state.table.final_slot)
    if state.qin is not None:
        state = with_qin(state, structs.replace(state.qin, honour=chance.choice([0, 10, 60, 200])))
    state = structs.replace(state, time=time)
    if state.coop is None:
        return state
    goal = state.table.goal - len(state.coop.fulfilled) - chance.choice([1, 1, 2, 5])
    left = requests_left(state)
    fulfilled: list[Request] = chance.sample(left, max(0, min(goal, len(left) - 3)))
    events = chance.sample(events_left(state), max(0, time - len(state.coop.events)))
    return structs.replace(
        state,
        coop=structs.replace(
            state.coop,
            fulfilled=tuple(sorted((*state.coop.fulfilled, *fulfilled))),
            events=tuple(sorted((*state.coop.events, *events))),
        ),
    )
