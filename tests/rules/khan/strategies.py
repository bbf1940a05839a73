"""Khan's set-ups, moves and matches by chance, and Khan as the laws try it."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from hypothesis import settings
from hypothesis import strategies as st
from msgspec import structs

from records.codec.khan import KHAN_CODEC
from rules.kernel.actors import ARBITER, CHANCE, Actor, Seat
from rules.kernel.cells import COLUMNS, ROWS, Cell, cell_at
from rules.kernel.setup import Draws, Setup
from rules.khan.cards import REGIONS, UNKNOWN, Ground
from rules.khan.components import KHAN_REFERENCE, canonical_text, read_file
from rules.khan.events import Event
from rules.khan.game import KHAN
from rules.khan.moves import (
    Agree,
    Chase,
    Conquer,
    Discard,
    DrawCard,
    DrawFirstPlayer,
    Explore,
    Finish,
    Invade,
    InvadeAnywhere,
    InvokeProtection,
    InvokeSupport,
    Move,
    Pass,
    PlaceYurt,
    RaiseMorale,
    Refuse,
    TurnCard,
)
from rules.khan.rulebook import KHAN_1
from rules.khan.rulings import RULINGS
from rules.khan.state import Acting, Conquering, State
from tests.rules.laws import Match, Step, Trial, chances, play
from tests.rules.setups import random_rulings

KhanMatch: TypeAlias = Match[State, Move, Event]
KhanStep: TypeAlias = Step[State, Move, Event]
Way: TypeAlias = Callable[[random.Random, State, Sequence[Move]], Move]

SET: Final = "khan-reference-0"


def equal_set() -> str:
    """The reference set with other cards: of each leader four of one face, four of another and one joker."""
    file = read_file(KHAN_REFERENCE.data)
    grounds = [ground.word for ground in Ground if ground is not Ground.JOKER]
    cards = {
        leader.id: (*(f"N:{grounds[at]}",) * 4, *(f"S:{grounds[at - 1]}",) * 4, "E:joker")
        for at, leader in enumerate(file.leader)
    }
    return f"set:{canonical_text(structs.replace(file, set_id='equal-cards', cards=cards))}"


NAMES: Final = ("red", "yellow", "blue", "green")
EQUAL_SET: Final = equal_set()
"""Cards that are equal four by four."""
SWITCHES: Final = {ruling.name: ruling.offered for ruling in RULINGS if ruling.switchable}
"""By ruling: the values that a match may choose, the default first."""


# Set-ups.


def random_setup(
    chance: random.Random,
    *,
    seats: int | None = None,
    draws: Draws | None = None,
    rulings: Mapping[str, str] | None = None,
) -> Setup:
    """Any way to lay out a match on the reference set."""
    return Setup(
        edition=KHAN_1,
        seats=NAMES[: seats or chance.randint(2, 4)],
        components=SET,
        draws=draws or chance.choice(list(Draws)),
        rulings=random_rulings(SWITCHES, chance, rulings or {}),
    )


# Matches.


def by_kind(chance: random.Random, moves: Sequence[Move]) -> Move:
    """A kind of move first, then one of that kind: else nearly all would be invasions."""
    kinds = sorted({type(move) for move in moves}, key=lambda kind: kind.__name__)
    kind = chance.choice(kinds)
    return chance.choice([move for move in moves if isinstance(move, kind)])


def takes_any(chance: random.Random, _: State, moves: Sequence[Move]) -> Move:
    """Whatever is legal."""
    return by_kind(chance, moves)


def records_cards(chance: random.Random, _: State, moves: Sequence[Move]) -> Move:
    """Every card is recorded."""
    return by_kind(chance, [move for move in moves if move != DrawCard(None)])


def likes_to_conquer(chance: random.Random, state: State, moves: Sequence[Move]) -> Move:
    """Conquers wherever it can, and agrees to others' conquests."""
    return _rather(chance, state, moves, Conquer, Agree)


def likes_cards(chance: random.Random, state: State, moves: Sequence[Move]) -> Move:
    """Protects, supports and reserves as long as it has cards for it; then invades."""
    return _rather(chance, state, moves, InvokeProtection, InvokeSupport, Explore, Invade)


def likes_to_chase(chance: random.Random, state: State, moves: Sequence[Move]) -> Move:
    """Chases leaders, so the final phase comes by an action."""
    return _rather(chance, state, moves, Chase, RaiseMorale)


def quarrels(chance: random.Random, state: State, moves: Sequence[Move]) -> Move:
    """Protects itself, proposes large conquests beside others' yurts, and refuses."""
    if any(isinstance(move, Conquer) for move in moves) and chance.randrange(3):
        conquests = [move for move in moves if isinstance(move, Conquer)]
        guarded = [move for move in conquests if _meets_others(state, move)]
        return chance.choice(guarded or conquests)
    near = [move for move in moves if isinstance(move, Invade | InvadeAnywhere) and _is_near(state, move)]
    if near and chance.randrange(2):
        return chance.choice(near)
    return _rather(chance, state, moves, InvokeProtection, InvokeSupport)


def _is_near(state: State, move: Invade | InvadeAnywhere) -> bool:
    board = state.table.parts.board
    return bool(board.beside(board.bit[move.cell]) & state.occupied)


def _meets_others(state: State, move: Conquer) -> bool:
    cells = state.table.parts.board.union(move.cells)
    return sum(1 for yurts in state.yurts[:-1] if yurts & cells) > 1


def _rather(chance: random.Random, _: State, moves: Sequence[Move], *kinds: type[Move]) -> Move:
    liked = [move for move in moves if isinstance(move, kinds)]
    return by_kind(chance, liked) if liked and chance.randrange(4) else by_kind(chance, moves)


WAYS: Final[tuple[Way, ...]] = (
    takes_any,
    records_cards,
    likes_to_conquer,
    likes_cards,
    likes_to_chase,
    quarrels,
)


@st.composite
def matches(
    draw: st.DrawFn,
    *,
    seats: int | None = None,
    draws: Draws | None = None,
    rulings: Mapping[str, str] | None = None,
) -> KhanMatch:
    """Whole matches; seats, draws and rulings as they come, or as given."""
    chance = draw(chances())
    setup = random_setup(chance, seats=seats, draws=draws, rulings=rulings)
    return play(KHAN, KHAN.start(setup), chance, chance.choice(WAYS))


fewer = settings(max_examples=settings().max_examples // 3)
"""For what is asked of every step of whole matches: a third of the examples will do."""


# Moves, legal or not.


def plain_moves() -> Iterator[Move]:
    yield from (Finish(), RaiseMorale(), InvokeProtection(), InvokeSupport(None), Agree(), Refuse(), Pass())
    yield from (InvokeSupport(region) for region in REGIONS)


def candidates(state: State, chance: random.Random) -> Iterator[tuple[Actor, Move]]:
    """Every move of the awaited actors, or of thousands a good part; of everybody some out of turn."""
    table = state.table
    for actor in KHAN.awaiting(state):
        listed = dict.fromkeys(KHAN.legal_moves(state, actor))
        yield from ((actor, move) for move in listed)
        for move in _candidates(state, chance):
            if move not in listed:
                yield actor, move
    others: tuple[Actor, ...] = (*table.seats, Seat(len(table.seats)), CHANCE, ARBITER)
    for actor in others:
        for _ in range(20):
            yield actor, random_move(chance, state)


def _candidates(state: State, chance: random.Random) -> Iterator[Move]:
    parts, turn = state.table.parts, state.turn
    cards = parts.faces.each
    yield from plain_moves()
    yield from (DrawFirstPlayer(seat) for seat in (*state.table.seats, Seat(4)))
    yield from (TurnCard(card) for card in cards)
    yield from (DrawCard(card) for card in (*cards, None))
    yield from (Discard(card) for card in cards)
    yield from (Chase(leader) for leader in parts.leader_names.each)
    yield from (Explore(shape) for shape in parts.shape_names.each)
    cells = (*parts.board.cells, cell_at(0, parts.board.width), cell_at(parts.board.height, 0))
    for cell in cells:
        yield PlaceYurt(cell)
        yield InvadeAnywhere(cell)
    if isinstance(turn, Acting) and state.proposal is None:
        for card in cards:
            yield from (Invade(cell, card) for cell in chance.sample(cells, 6))
    if isinstance(turn, Acting | Conquering) and state.proposal is None:
        full = state.occupied | parts.board.river | sum(state.leaders)
        for number, shape in zip(parts.shape_names.each, parts.shapes, strict=True):
            for outline in sorted(shape.outlines):
                if outline & full == outline or not chance.randrange(40):
                    yield Conquer(number, parts.board.each(outline))


def random_cell(chance: random.Random, state: State) -> Cell:
    """A cell of the board; now and then any that has a name."""
    if chance.randrange(8) == 0:
        return cell_at(chance.randrange(ROWS), chance.randrange(COLUMNS))
    return chance.choice(state.table.parts.board.cells)


def random_move(chance: random.Random, state: State) -> Move:
    """A move of any sort, without a look at whether it is legal."""
    parts = state.table.parts
    card, shape = chance.choice(parts.faces.each), chance.choice(parts.shape_names.each)
    cell = random_cell(chance, state)
    outline = chance.choice(sorted(parts.shapes[shape].outlines))
    scattered = {random_cell(chance, state) for _ in range(chance.randint(1, 6))}
    sorts: tuple[Move, ...] = (
        *plain_moves(),
        DrawFirstPlayer(chance.choice(state.table.seats)),
        TurnCard(card),
        DrawCard(chance.choice((card, None))),
        PlaceYurt(cell),
        InvadeAnywhere(cell),
        Invade(cell, card),
        Discard(card),
        Chase(chance.choice(parts.leader_names.each)),
        Explore(shape),
        Conquer(shape, parts.board.each(outline)),
        Conquer(shape, tuple(sorted(scattered))),
    )
    return chance.choice(sorts)


def shuffled(_: State, move: Move) -> Iterator[Move]:
    """A conquest, its cells listed in another order."""
    if isinstance(move, Conquer):
        yield Conquer(move.shape, move.cells[::-1])


# Secrets.


def disguised(state: State, seat: Seat, chance: random.Random) -> State | None:
    """Others hold other cards, as many as before, and other ones of them are known.

    A card that has been held since before the last shuffle is exchanged for another such card only.
    """
    if state.table.draws is Draws.UNRECORDED:
        return None
    kinds = state.table.parts.faces.each
    hands = list(state.hands)
    others = [other for other in state.table.seats if other != seat]
    for of_old in (True, False):
        bag, places = [], []
        for card in kinds:
            is_old = state.apart[card] > 0
            if is_old is of_old:
                bag += [card] * (state.unseen(card) + sum(state.hands[other].count(card) for other in others))
                places += [(other, card) for other in others for _ in range(state.hands[other].count(card))]
        chance.shuffle(bag)
        for (other, card), instead in zip(places, bag, strict=False):
            hands[other] = hands[other].replace(bytes((card,)), b"", 1) + bytes((instead,))
    shown = chance.choice((0.0, 0.5, 1.0))
    for other in others:
        hands[other] = bytes(card if chance.random() < shown else UNKNOWN for card in hands[other])
    hands = [bytes(sorted(hand)) for hand in hands]
    return structs.replace(state, hands=tuple(hands))


def completions(seen: State, _: Actor, move: Move, __: random.Random) -> Iterator[tuple[State, Move]]:
    """The view itself: what happens does not depend on what is hidden."""
    yield seen, move


def any_setup(chance: random.Random) -> Setup:
    """Any way to lay out a match, on the reference set or with equal cards."""
    setup = random_setup(chance)
    return replace(setup, components=EQUAL_SET) if chance.randrange(3) == 0 else setup


KHAN_TRIAL: Final = Trial(
    game=KHAN,
    setup=any_setup,
    examples=(
        Setup(KHAN_1, NAMES[:2], SET, Draws.RECORDED),
        Setup(KHAN_1, NAMES, SET, Draws.UNRECORDED, (("last-camp-yurt", "flee"), ("river-cells", "corner"))),
    ),
    ways=WAYS,
    candidates=candidates,
    twins=shuffled,
    disguised=disguised,
    completions=completions,
    codec=KHAN_CODEC,
)
