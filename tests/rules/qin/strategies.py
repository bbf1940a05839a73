"""Qin's maps, set-ups, moves and matches by chance, and Qin as the laws try it."""

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations_with_replacement, product
from string import ascii_lowercase
from typing import Final, TypeAlias

from hypothesis import strategies as st

from records.codec.qin import QIN_CODEC
from rules.kernel.actors import ARBITER, CHANCE, Actor, Seat
from rules.kernel.cells import COLUMNS, ROWS, Cell, cell_at
from rules.kernel.setup import Draws, Setup
from rules.kernel.value import replaced
from rules.qin.board import Board, sides
from rules.qin.decide import is_stalled
from rules.qin.events import (
    Event,
    MatchEnded,
    ProvincesJoined,
    TileDrawn,
    TilePlaced,
    TilesDealt,
    VillageConquered,
)
from rules.qin.game import QIN
from rules.qin.moves import DealTiles, DeclareEnd, DrawTile, Half, Move, Pass, PlaceTile
from rules.qin.placements import placements
from rules.qin.rulebook import QIN_1
from rules.qin.rulings import RULINGS
from rules.qin.state import MOST_SEATS, Over, State
from rules.qin.tiles import COLOURS, EACH, HAND, KINDS, UNKNOWN, Kind, hand_of, tiles_in
from tests.rules.laws import Match, Step, Trial, accepted, chances, play
from tests.rules.setups import random_rulings

QinMatch: TypeAlias = Match[State, Move, Event]
QinStep: TypeAlias = Step[State, Move, Event]
Way: TypeAlias = Callable[[random.Random, State, Sequence[Move]], Move]
"""How a player chooses among legal moves."""

NAMES: Final = ("green", "violet", "white", "black")
SWITCHES: Final = {ruling.name: ruling.offered for ruling in RULINGS if ruling.switchable}
"""By ruling: the values that a match may choose, the default first."""

TILE_OR_NOT: Final[tuple[Kind | None, ...]] = (*KINDS, None)

_FLAVOURS: Final = (
    "." * 40 + "RYB~",
    "." * 24 + "RYB",
    "." * 16 + "R",
    "." * 8 + "RRRYB",  # starts side by side, often of one colour
    "." * 12 + "RYB~~",
)


# Maps and set-ups.


def random_map(chance: random.Random, lengths: range | None = None) -> str:
    """Any map: mostly small, with villages of one cell or several, water, and at least one start."""
    width, height = _size(chance) if lengths is None else (chance.choice(lengths), chance.choice(lengths))
    flavour = chance.choice(_FLAVOURS)
    cells = {(row, column): chance.choice(flavour) for row, column in product(range(height), range(width))}
    for letter in ascii_lowercase[: chance.randint(0, min(26, len(cells) // 8))]:
        _add_village(cells, letter, chance)
    if not any(mark in "RYB" for mark in cells.values()):
        cells[chance.choice(list(cells))] = chance.choice("RYB")
    return "/".join("".join(cells[row, column] for column in range(width)) for row in range(height))


def _size(chance: random.Random) -> tuple[int, int]:
    sort = chance.randrange(8)
    if sort == 0:
        return chance.randint(1, COLUMNS), chance.randint(1, 9)
    if sort == 1:
        return chance.randint(9, 13), chance.randint(9, 13)
    return max(chance.randint(1, 8), chance.randint(1, 8)), max(chance.randint(1, 8), chance.randint(1, 8))


def _add_village(cells: dict[tuple[int, int], str], letter: str, chance: random.Random) -> None:
    """Of one cell or of several in a path; now and then in two parts, for the letter decides (AMB-19)."""
    row, column = chance.choice(list(cells))
    for _ in range(chance.choice((1, 1, 2, 2, 3))):
        cells[row, column] = letter
        down, right = chance.choice(((-1, 0), (1, 0), (0, -1), (0, 1), (2, 2)))
        if (row + down, column + right) in cells:
            row, column = row + down, column + right


def rulings_by_chance(chance: random.Random, given: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Some rulings of a match, those given among them."""
    return random_rulings(SWITCHES, chance, given, all_default_in=3)


def random_setup(
    chance: random.Random,
    *,
    lengths: range | None = None,
    draws: Draws | None = None,
    rulings: Mapping[str, str] | None = None,
) -> Setup:
    """Any way to lay out a match; now and then on the largest boards, and now and then on Bird."""
    bird = lengths is None and chance.randrange(10) == 9
    components = "bird" if bird else f"map:{random_map(chance, lengths)}"
    return Setup(
        edition=QIN_1,
        seats=NAMES[: chance.randint(2, 4)],
        components=components,
        draws=draws or chance.choice(list(Draws)),
        rulings=rulings_by_chance(chance, rulings or {}),
    )


# Matches.


def takes_any(chance: random.Random, _: State, moves: Sequence[Move]) -> Move:
    """Whatever is legal: tiles known and unknown, passes where nothing disproves them, an early end."""
    return chance.choice(moves)


def tells_and_places(chance: random.Random, _: State, moves: Sequence[Move]) -> Move:
    """Every tile is recorded, and nobody passes who can place."""
    return _one_of(chance, moves, _is_known)


def places(chance: random.Random, _: State, moves: Sequence[Move]) -> Move:
    """Tiles are recorded or not, and a tile is placed wherever one can be."""
    return _one_of(chance, moves, lambda move: not isinstance(move, Pass | DeclareEnd))


def drags_on(chance: random.Random, _: State, moves: Sequence[Move]) -> Move:
    """Passes as long as it can, and does not end the match before it must."""
    return _one_of(chance, moves, lambda move: isinstance(move, Pass | DealTiles | DrawTile))


def likes_red(chance: random.Random, _: State, moves: Sequence[Move]) -> Move:
    """Makes few colours of many."""
    return _one_of(chance, moves, lambda move: isinstance(move, PlaceTile) and Kind.RR is move.kind)


def hides_red(chance: random.Random, state: State, moves: Sequence[Move]) -> Move:
    """As many red tiles from hands that nobody shows as there are, so that the kind runs out."""
    unknown = [move for move in moves if isinstance(move, DealTiles | DrawTile) and not _is_known(move)]
    return chance.choice(unknown) if unknown and chance.randrange(4) else likes_red(chance, state, moves)


def likes_to_join(chance: random.Random, state: State, moves: Sequence[Move]) -> Move:
    """Of some moves, one that makes provinces or villages change hands."""
    for _ in range(10):
        move = tells_and_places(chance, state, moves)
        events = accepted(QIN, state, QIN.awaiting(state)[0], move) or ()
        if any(isinstance(event, ProvincesJoined | VillageConquered) for event in events):
            return move
    return tells_and_places(chance, state, moves)


def likes_pagodas(chance: random.Random, state: State, moves: Sequence[Move]) -> Move:
    """Of some moves, the one after which the most pagodas stand on the board: so supplies run out."""
    some = [tells_and_places(chance, state, moves) for _ in range(6)]
    return min(some, key=lambda move: _pagodas_left(state, move))


def shuns_pagodas(chance: random.Random, state: State, moves: Sequence[Move]) -> Move:
    """The other way round: so the match goes on until tiles run out."""
    some = [tells_and_places(chance, state, moves) for _ in range(6)]
    return max(some, key=lambda move: _pagodas_left(state, move))


def _pagodas_left(state: State, move: Move) -> int:
    events = accepted(QIN, state, QIN.awaiting(state)[0], move) or ()
    return sum(QIN.fold(state, events).supplies)


def _is_known(move: Move) -> bool:
    match move:
        case DealTiles():
            return None not in move.tiles
        case DrawTile():
            return move.tile is not None
        case PlaceTile():
            return True
        case Pass() | DeclareEnd():
            return False


def _one_of(chance: random.Random, moves: Sequence[Move], liked: Callable[[Move], bool]) -> Move:
    return chance.choice([move for move in moves if liked(move)] or moves)


BUSY: Final = (tells_and_places, places, likes_red, likes_to_join, likes_pagodas, shuns_pagodas)
"""The ways of players who place a tile wherever they can."""

WAYS: Final = (takes_any, drags_on, hides_red, hides_red, *BUSY)


@st.composite
def matches(
    draw: st.DrawFn, *, draws: Draws | None = None, rulings: Mapping[str, str] | None = None
) -> QinMatch:
    """Whole matches of busy players on any map; draws and rulings as they come, or some of them as given."""
    chance = draw(chances())
    setup = random_setup(chance, draws=draws, rulings=rulings)
    return play(QIN, QIN.start(setup), chance, chance.choice(BUSY))


def placements_in(match: QinMatch) -> Iterator[tuple[QinStep, PlaceTile]]:
    """The steps at which a tile was placed."""
    for step in match.steps:
        if isinstance(step.move, PlaceTile):
            yield step, step.move


# Moves, legal or not.


def random_cell(chance: random.Random, board: Board) -> Cell:
    """A cell of the board or near it; now and then any that has a name."""
    if chance.randrange(8) == 0:
        return cell_at(chance.randrange(ROWS), chance.randrange(COLUMNS))
    return cell_at(
        chance.randrange(min(board.height + 1, ROWS)), chance.randrange(min(board.width + 1, COLUMNS))
    )


def random_placement(chance: random.Random, board: Board) -> PlaceTile:
    """A placement anywhere, mostly on two cells that share a side, the halves in either order."""
    first = random_cell(chance, board)
    second = random_cell(chance, board) if chance.randrange(6) == 0 else chance.choice(list(sides(first)))
    return PlaceTile(Half(chance.choice(COLOURS), first), Half(chance.choice(COLOURS), second))


def random_move(chance: random.Random, state: State) -> Move:
    """A move of any sort, without a look at whether it is legal."""
    sort = chance.randrange(12)
    if sort == 0:
        return Pass()
    if sort == 1:
        return DeclareEnd()
    if sort == 2:
        tiles = tuple(chance.choice(TILE_OR_NOT) for _ in range(chance.choice((3, 3, 3, 2, 4, 0))))
        return DealTiles(chance.choice(state.table.seats), tiles_in(hand_of(tiles)))
    if sort == 3:
        return DrawTile(chance.choice(TILE_OR_NOT), chance.choice((None, *range(1, len(state.drawn) + 2))))
    return random_placement(chance, state.table.board)


def random_actor(chance: random.Random, state: State) -> Actor:
    """An awaited actor, or any other."""
    awaited = QIN.awaiting(state)
    if awaited and chance.randrange(4):
        return awaited[0]
    anybody: tuple[Actor, ...] = (*state.table.seats, CHANCE, ARBITER)
    return chance.choice(anybody)


def candidates(state: State, chance: random.Random) -> Iterator[tuple[Actor, Move]]:
    """Every move of the awaited actors; and of everybody some that are out of turn or off the board."""
    seats = state.table.seats
    for awaited in QIN.awaiting(state):
        for choice in (placements_on(state.table.board), _words(), _deals(seats), _draws(state)):
            for move in choice:
                yield awaited, move
    others: tuple[Actor, ...] = (*seats, Seat(len(seats)), CHANCE, ARBITER)
    for actor in others:
        for _ in range(20):
            move = random_move(chance, state)
            yield actor, move.canonical if isinstance(move, PlaceTile) else move


def placements_on(board: Board) -> Iterator[PlaceTile]:
    """Every tile on every pair of cells that share a side, the pairs that stick out at the edge included."""
    for row, column in product(range(board.height), range(board.width)):
        for beside in ((row, column + 1), (row + 1, column)):
            if beside[0] < ROWS and beside[1] < COLUMNS:
                for one, other in product(COLOURS, COLOURS):
                    yield PlaceTile(Half(one, cell_at(row, column)), Half(other, cell_at(*beside)))


def _words() -> Iterator[Move]:
    yield Pass()
    yield DeclareEnd()


def _deals(seats: Iterable[Seat]) -> Iterator[Move]:
    for seat in seats:
        for tiles in combinations_with_replacement(TILE_OR_NOT, HAND):
            yield DealTiles(seat, tiles)
        yield DealTiles(seat, (Kind.RR, None))
    yield DealTiles(Seat(MOST_SEATS), (None,) * HAND)


def _draws(state: State) -> Iterator[Move]:
    for pile in (None, *range(len(state.drawn) + 2)):
        for tile in TILE_OR_NOT:
            yield DrawTile(tile, pile)


def turned(_: State, move: Move) -> Iterator[Move]:
    """A placement, its other half called the first."""
    if isinstance(move, PlaceTile):
        yield PlaceTile(move.second, move.first)


# Secrets.


def disguised(state: State, seat: Seat, chance: random.Random) -> State | None:
    """Others hold other tiles, as many as before, and other ones of them are known."""
    if state.table.rulings.open_hands or state.table.draws is Draws.UNRECORDED:
        return None
    bag = [kind for kind in KINDS for _ in range(EACH - state.placed[kind] - state.hands[seat][kind])]
    chance.shuffle(bag)
    if chance.randrange(2):
        # Others have all that are left of the scarcest kinds.
        bag.sort(key=lambda kind: -bag.count(kind))
    known = chance.choice((0.0, 0.5, 1.0, 1.0))
    hands = list(state.hands)
    for other in state.table.seats:
        if other != seat:
            tiles = [bag.pop() for _ in range(sum(hands[other]))]
            hands[other] = hand_of(tuple(tile if chance.random() < known else None for tile in tiles))
    changed = replaced(state, hands=tuple(hands))
    return None if is_stalled(changed) else changed


def completions(seen: State, actor: Actor, move: Move, chance: random.Random) -> Iterator[tuple[State, Move]]:
    """Any tiles where none are known; and such that nobody can place after the move, where there are such."""
    verdict = accepted(QIN, seen, actor, move)
    if verdict is None or seen.table.draws is Draws.UNRECORDED or seen.table.rulings.open_hands:
        return
    after = QIN.fold(seen, [event for event in verdict if not isinstance(event, MatchEnded)])
    awaited = QIN.awaiting(after)
    asked = awaited if after.table.rulings.stuck_ends else after.table.seats
    useless = {
        seat: [kind for kind in KINDS if next(placements(after, seat, 1 << kind), None) is None]
        if seat in asked
        else list(KINDS)
        for seat in after.table.seats
    }
    shuffled = chance.sample(KINDS, len(KINDS))
    for kinds in (useless, dict.fromkeys(useless, shuffled)):
        unknown = [seat for seat in after.table.seats for _ in range(after.hands[seat][UNKNOWN])]
        found = _assigned(unknown, kinds, {kind: after.unseen(kind) for kind in KINDS})
        if found is not None:
            yield _before(seen, move, verdict[0], after, list(zip(unknown, found, strict=True)))


def _before(
    seen: State, move: Move, first: Event, after: State, given: Sequence[tuple[Seat, Kind]]
) -> tuple[State, Move]:
    """The hands before the move, and the move, if these are the tiles not known after it."""
    tiles = {
        seat: [tile for tile in tiles_in(after.hands[seat]) if tile is not None] for seat in seen.table.seats
    }
    for seat, kind in given:
        tiles[seat].append(kind)
    if isinstance(first, TileDrawn) and isinstance(move, DrawTile):
        drawn = tiles[first.seat][-1] if move.tile is None else move.tile
        tiles[first.seat].remove(drawn)
        move = DrawTile(drawn, move.pile)
    elif isinstance(first, TilesDealt):
        move = DealTiles(first.seat, tiles_in(hand_of(tuple(tiles[first.seat]))))
        tiles[first.seat] = []
    elif isinstance(move, PlaceTile) and isinstance(first, TilePlaced) and not isinstance(after.turn, Over):
        tiles[first.seat].append(move.kind)
    return replaced(seen, hands=tuple(hand_of(tuple(tiles[seat])) for seat in seen.table.seats)), move


def _assigned(
    seats: Sequence[Seat], kinds: Mapping[Seat, Sequence[Kind]], left: Mapping[Kind, int]
) -> list[Kind] | None:
    """A kind for each of the seats, of those that are good for it, as far as tiles are left."""
    ways: dict[tuple[int, ...], list[Kind]] = {tuple(left[kind] for kind in KINDS): []}
    for seat in seats:
        ways = {
            (*counts[:kind], counts[kind] - 1, *counts[kind + 1 :]): [*found, kind]
            for counts, found in ways.items()
            for kind in kinds[seat]
            if counts[kind] > 0
        }
    return next(iter(ways.values()), None)


QIN_TRIAL: Final = Trial(
    game=QIN,
    setup=random_setup,
    examples=(
        Setup(QIN_1, NAMES[:2], "bird", Draws.RECORDED),
        Setup(QIN_1, NAMES, "bird", Draws.UNRECORDED, (("join-count", "largest"), ("singles", "mover"))),
        Setup(QIN_1, NAMES[:3], "map:RR...a/.~...a/b.Y.../B...cc/....Y.", Draws.RECORDED),
    ),
    ways=WAYS,
    candidates=candidates,
    twins=turned,
    disguised=disguised,
    completions=completions,
    codec=QIN_CODEC,
)
