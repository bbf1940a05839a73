"""The real rules and the plain model say the same, move by move, over thousands of random matches."""

import os
import random
from copy import copy, deepcopy

import pytest

from rules.kernel.actors import ARBITER, Actor, Office
from rules.kernel.setup import Draws, Setup
from rules.kernel.text import Unreadable
from rules.qin.game import QIN
from rules.qin.moves import DealTiles, DeclareEnd, DrawTile, Half, Move, Pass, PlaceTile
from rules.qin.notation import write_tile
from rules.qin.rulebook import QIN_1
from rules.qin.state import State
from tests.rules.laws import accepted, cited, seeded
from tests.rules.qin.naive import COLOURS, KINDS, OF_EACH_KIND, UNKNOWN, CellXY, Naive, sides
from tests.rules.qin.plain import Plain, groups, plain, strict_leader, village_cells, xy
from tests.rules.qin.strategies import (
    NAMES,
    SWITCHES,
    WAYS,
    Way,
    likes_pagodas,
    likes_to_join,
    placements_on,
    random_actor,
    random_map,
    random_move,
    random_setup,
    rulings_by_chance,
    shuns_pagodas,
    takes_any,
)

TIMES = 20 if os.environ.get("HYPOTHESIS_PROFILE") == "long" else 1


def naive_of(setup: Setup) -> Naive:
    """The same match in the plain model."""
    return Naive(
        QIN.start(setup).table.board.map,
        len(setup.seats),
        recorded=setup.draws is Draws.RECORDED,
        rulings=dict(setup.rulings),
    )


def shape(match: Naive) -> Plain:
    """All that the plain model knows, to be compared with a state."""
    return Plain(
        colours=match.colours,
        provinces=match.owners,
        villages=match.villages,
        supplies=match.supplies,
        placed=match.placed,
        hands=[sorted(hand, key=(*KINDS, UNKNOWN).index) for hand in match.hands],
        stock=match.stock(),
        turn=match.turn,
        passes=match.passes,
        reason=match.reason,
        winners=match.winners,
    )


def said(move: Move) -> str:
    """The move as the plain model reads it."""
    match move:
        case PlaceTile():
            return _half(move.first) + _half(move.second)
        case DealTiles():
            return " ".join(["deal", str(move.seat), *map(write_tile, move.tiles)])
        case DrawTile():
            return f"draw {write_tile(move.tile)}" + ("" if move.pile is None else f" from {move.pile}")
        case Pass():
            return "pass"
        case DeclareEnd():
            return "end"


def _half(half: Half) -> str:
    row, column = xy(half.cell)
    return f"{half.colour.letter}{chr(ord('a') + column)}{row + 1}"


def who(actor: Actor) -> int | None:
    """The plain model knows seats, and chance as nobody."""
    return None if isinstance(actor, Office) else actor


def assert_same_verdict(state: State, match: Naive, actor: Actor, move: Move) -> None:
    """Both cite the same rules, or none."""
    rules = cited(QIN.decide(state, actor, move))

    assert rules == match.judge(who(actor), said(move)), f"{actor} {said(move)}"


def play_both(setup: Setup, chance: random.Random, way: Way, *, asked: int) -> int:
    """Play one match in both, compared after every entry, with random questions before each.

    Returns the number of entries.
    """
    state, match, entries = QIN.start(setup), naive_of(setup), 0
    while True:
        assert plain(state) == shape(match)

        for _ in range(asked):
            actor = random_actor(chance, state)
            if actor is not ARBITER:
                assert_same_verdict(state, match, actor, random_move(chance, state))
        if not QIN.awaiting(state):
            return entries
        actor = QIN.awaiting(state)[0]
        listed = list(QIN.legal_moves(state, actor))

        assert sorted(said(move) for move in listed if isinstance(move, PlaceTile)) == sorted(match.legal())

        others = [move for move in listed if not isinstance(move, PlaceTile)]
        for move in chance.sample(others, min(len(others), asked)):
            assert_same_verdict(state, match, actor, move)
        chosen = way(chance, state, listed)
        match.play(who(actor), said(chosen))
        state = QIN.fold(state, accepted(QIN, state, actor, chosen) or ())
        entries += 1


def play_qin(seed: int) -> int:
    """Play any match in both; returns the number of entries."""
    chance = seeded(seed)
    return play_both(random_setup(chance), chance, chance.choice(WAYS), asked=4)


def crowded(chance: random.Random) -> tuple[str, dict[CellXY, str]]:
    """A small map with tiles almost everywhere."""
    map_text = random_map(chance, range(3, 7))
    letters = chance.choice(("RRRR", "RRRY", "RYB")) + "." * chance.randint(2, 4)
    steppe = sorted(Naive(map_text, 2).steppe)
    return map_text, {cell: colour for cell in steppe if (colour := chance.choice(letters)) in COLOURS}


def crossroads(chance: random.Random) -> tuple[str, dict[CellXY, str]]:
    """Two free cells where arms of territories meet that a tile would join; villages and water around."""
    height, width, middle = 11, 12, (5, 5)
    colours = {}
    for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        row, column = middle[0], middle[1] + (right > 0 or (right == 0 and chance.randrange(2)))
        colour = chance.choice("RRRRY")
        for step in range(1, chance.choice((0, 1, 1, 2, 3, 3, 4, 4, 5)) + 1):
            colours[row + step * down, column + step * right] = colour
    marks = {(row, column): chance.choice("~~~~~~~.") for row in range(height) for column in range(width)}
    marks |= dict.fromkeys((*colours, middle, (5, 6)), ".")
    shore = [
        cell for cell in sorted(marks) if marks[cell] == "~" and not colours.keys().isdisjoint(sides(cell))
    ]
    for letter in "abc":
        marks[chance.choice(shore or [(0, 5)])] = letter
    marks[chance.choice(((0, 0), (10, 11)))] = "B"
    rows = ("".join(marks[row, column] for column in range(width)) for row in range(height))
    return "/".join(rows), colours


def showdown(chance: random.Random) -> tuple[str, dict[CellXY, str]]:
    """Two free cells where a tile may found one province and make another major, and a village beside it."""
    left, right, below = chance.choice((3, 4, 4, 4)), chance.choice((1, 1, 1, 2)), chance.randint(1, 2)
    width = left + 2 + right
    colours = {(0, column): "R" for column in range(left)}
    colours |= {(0, column): "Y" for column in range(left + 2, width)}
    colours |= {(1, column): "B" for column in range(below)}
    village = "." * below + chance.choice(("a", "aa", "ab"))
    return f"{'.' * width}/{village:~<{width}}/{'B':~<{width}}", colours


def random_position(chance: random.Random) -> tuple[str, Naive]:
    """Somebody to place among many provinces, often with few pagodas or tiles left; seldom seen in play."""
    map_text, colours = chance.choice((crowded, crossroads, crossroads, showdown, showdown))(chance)
    seats = chance.randint(2, 4)
    known = chance.randrange(3) == 0
    rulings = rulings_by_chance(chance, {"last-pagoda": chance.choice(("staged", "settled", "settled"))})
    match = Naive(map_text, seats, recorded=known, rulings=dict(rulings))
    match.colours |= colours
    found = sorted((group for group in groups(match.colours) if group & match.steppe), key=min)
    owners = {group: chance.randrange(seats) for group in found if len(group) > 1}
    villages = {}
    for letter, cells in village_cells(map_text).items():
        leader = strict_leader({group: (owner, 0) for group, owner in owners.items()}, cells)
        villages[letter] = chance.choice((None, *owners.values())) if leader is None else leader
    hands = None
    placed = {kind: chance.choice((0, 11, 12)) for kind in chance.sample(KINDS, 3)}
    if known:  # the last tiles are in the hands
        hands = [sorted(chance.choices(KINDS, k=chance.randint(0, 3)), key=KINDS.index) for _ in range(seats)]
        placed = {kind: OF_EACH_KIND - sum(hand.count(kind) for hand in hands) for kind in KINDS}
    match.set_position(
        seat=chance.randrange(seats),
        owners={min(group): owner for group, owner in owners.items()},
        villages={letter: owner for letter, owner in villages.items() if owner is not None},
        supplies={seat: chance.choice((1, 1, 1, 1, 2, 4)) for seat in range(seats)},
        hands=hands,
        placed=placed,
    )
    return position_line(match, map_text), match


def position_line(match: Naive, map_text: str) -> str:
    """The plain model's position as the real rules read it."""
    rows = [list(row) for row in map_text.split("/")]
    for (row, column), colour in match.colours.items():
        rows[row][column] = colour
    words = [f"map:{map_text}", "/".join("".join(row) for row in rows)]
    for seat in range(match.seats):
        first = [min(group) for group, (owner, _) in match.owners.items() if owner == seat]
        words.append(
            ":".join(
                (
                    NAMES[seat],
                    str(match.supplies[seat]),
                    ",".join(f"{chr(ord('a') + column)}{row + 1}" for row, column in first),
                    ",".join(letter for letter, owner in match.villages.items() if owner == seat),
                    ",".join(match.hands[seat]),
                )
            )
        )
    words.append(f"place:{NAMES[match.turn[1] or 0]}")
    words.append(",".join(f"{kind}{count}" for kind, count in match.placed.items() if count) or "-")
    if match.recorded:
        words.append("draws=recorded")
    defaults = {name: values[0] for name, values in SWITCHES.items()}
    words += [f"{name}={value}" for name, value in match.rulings.items() if value != defaults[name]]
    return " ".join(words)


def nobody_can_place(match: Naive) -> bool:
    """Whether the match should be over by QIN-END-3."""
    asked = range(match.seats) if match.rulings["stuck"] == "pass" else [match.turn[1]]
    placing = [copy(match) for _ in asked]
    for other, seat in zip(placing, asked, strict=True):
        other.turn = ("place", seat)
    return not any(other.legal() for other in placing)


def assert_same_of_a_position(line: str, match: Naive, chance: random.Random) -> None:
    """Every verdict on every placement, and what comes of some."""
    state = QIN.notation.read_position(line)
    actor = QIN.awaiting(state)[0]
    legal = set(match.legal())
    free = match.steppe - set(match.colours)

    assert plain(state) == shape(match)
    assert {said(move) for move in QIN.legal_moves(state, actor) if isinstance(move, PlaceTile)} == legal

    for word in (Pass(), DeclareEnd()):
        assert_same_verdict(state, match, actor, word)
    for asked in placements_on(state.table.board):
        if {xy(asked.first.cell), xy(asked.second.cell)} <= free:
            assert_same_verdict(state, match, actor, asked)
    for move in QIN.legal_moves(state, actor):
        if isinstance(move, PlaceTile) and chance.randrange(len(legal)) < 15:
            other = deepcopy(match)
            other.play(who(actor), said(move))

            assert plain(QIN.fold(state, accepted(QIN, state, actor, move) or ())) == shape(other), said(move)


@pytest.mark.parametrize("chunk", range(15 * TIMES))
def test_both_say_the_same_where_provinces_meet(chunk: int) -> None:
    """Where provinces of several seats meet: joins of all sorts under all rulings, and last pagodas."""
    for seed in range(50 * chunk, 50 * chunk + 50):
        chance = seeded(seed)
        line, match = random_position(chance)
        try:
            if nobody_can_place(match):
                with pytest.raises(Unreadable, match="the turn must be over:no-placement"):
                    QIN.notation.read_position(line)
            else:
                assert_same_of_a_position(line, match, chance)
        except (AssertionError, Unreadable) as fault:
            fault.add_note(f"seed {seed}: {line}")
            raise


def play_all(seeds: range, lengths: range, ways: tuple[Way, ...]) -> None:
    """Two matches by each seed, on a map with sides of such lengths."""
    for seed in seeds:
        chance = seeded(seed)
        setup = random_setup(chance, lengths=lengths)
        try:
            for _ in range(2):
                play_both(setup, chance, chance.choice(ways), asked=4)
        except AssertionError as fault:
            fault.add_note(f"seed {seed}: {setup}")
            raise


@pytest.mark.parametrize("chunk", range(20 * TIMES))
def test_both_say_the_same_on_small_maps(chunk: int) -> None:
    play_all(range(50 * chunk, 50 * chunk + 50), range(1, 7), WAYS)


@pytest.mark.parametrize("chunk", range(4 * TIMES))
def test_both_say_the_same_where_pagodas_run_out(chunk: int) -> None:
    play_all(range(2 * chunk, 2 * chunk + 2), range(11, 14), (likes_pagodas, likes_to_join))


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("draws", Draws)
@pytest.mark.parametrize("way", [takes_any, shuns_pagodas])
@pytest.mark.parametrize("seed", range(TIMES))
def test_both_say_the_same_on_bird(seats: int, draws: Draws, way: Way, seed: int) -> None:
    chance = seeded(seed)
    setup = Setup(QIN_1, NAMES[:seats], "bird", draws, rulings_by_chance(chance, {}))
    play_both(setup, chance, way, asked=10)
