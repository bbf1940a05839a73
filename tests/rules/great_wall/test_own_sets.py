"""Component sets of owners: any that the checks let pass is played through, in every mode."""

import random
from collections.abc import Callable

import pytest
from msgspec import structs

from rules.great_wall.component_checks import faults
from rules.great_wall.component_file import BlockPart, ComponentFile, Op
from rules.great_wall.components import SETS
from rules.great_wall.game import GREAT_WALL
from rules.great_wall.kinds import REED, Location
from rules.great_wall.moves import Move, Pick
from rules.great_wall.parts import parts_of
from rules.great_wall.pending import Activate, ClerksDue, DrawDue, Free, PickDue, Step
from rules.great_wall.reference import REFERENCE
from rules.great_wall.rulebook import COOP_1, GREAT_WALL_1
from rules.great_wall.state import State
from rules.kernel.actors import CHANCE, Actor
from rules.kernel.edition import EditionKey
from rules.kernel.setup import BadSetup, Draws, Setup
from tests.rules.great_wall.own_sets import DRAW, SELF, own_set, with_blocks
from tests.rules.great_wall.positions import BLUE, GREEN, NAMES, asking, clerks, settled, tea
from tests.rules.great_wall.strategies import building, fighting
from tests.rules.great_wall.test_properties import TABLES
from tests.rules.laws import accepted, play, seeded

READ_ANEW = 0.1
"""How often all but the position line is forgotten."""
TRIED = 6
"""Moves of earlier questions that are judged before each entry, and as many of those that are listed."""
MATCHES = [(table, draws) for draws in Draws for table in TABLES] * 2
FILE = SETS.read(REFERENCE)


def start(file: ComponentFile, edition: EditionKey, seats: int, draws: Draws) -> State:
    assert [fault for fault in faults(file) if not fault.warning] == []
    return GREAT_WALL.start(Setup(edition, NAMES[:seats], SETS.tag(file), draws))


@pytest.mark.parametrize("seed", range(len(MATCHES)), ids=lambda seed: f"set {seed}")
def test_a_made_up_set_is_played_through(seed: int) -> None:
    (edition, seats), draws = MATCHES[seed]
    chance = seeded(seed)
    state = start(own_set(chance), edition, seats, draws)
    way = (building, fighting)[seed % 2]
    earlier: list[Move] = []
    entries = 0
    while awaited := GREAT_WALL.awaiting(state):
        state = perhaps_read_anew(state, chance)
        assert GREAT_WALL.problems(state) == ()
        everybody_knows_who_is_awaited(state, awaited)
        for actor in awaited:
            listed = list(GREAT_WALL.legal_moves(state, actor))
            assert listed
            what_is_listed_is_legal_and_nothing_else(state, actor, listed, earlier, chance)
        actor = chance.choice(awaited)
        move = way(chance, state, list(GREAT_WALL.legal_moves(state, actor)))
        earlier.append(move)
        state = GREAT_WALL.fold(state, accepted(GREAT_WALL, state, actor, move) or ())
        entries += 1
        assert entries <= GREAT_WALL.max_entries

    assert GREAT_WALL.outcome(state) is not None
    assert GREAT_WALL.problems(state) == ()


def perhaps_read_anew(state: State, chance: random.Random) -> State:
    """A position is all that is needed to go on."""
    if chance.random() >= READ_ANEW:
        return state
    line = GREAT_WALL.notation.write_position(state)
    read = GREAT_WALL.notation.read_position(line)

    assert GREAT_WALL.notation.write_position(read) == line
    assert GREAT_WALL.awaiting(read) == GREAT_WALL.awaiting(state)
    for actor in GREAT_WALL.awaiting(state):
        assert list(GREAT_WALL.legal_moves(read, actor)) == list(GREAT_WALL.legal_moves(state, actor)), line
    return read


def everybody_knows_who_is_awaited(state: State, awaited: tuple[Actor, ...]) -> None:
    for seat in state.table.seats:
        assert GREAT_WALL.awaiting(GREAT_WALL.view(state, seat)) == awaited


def what_is_listed_is_legal_and_nothing_else(
    state: State, actor: Actor, listed: list[Move], earlier: list[Move], chance: random.Random
) -> None:
    """A list says what is accepted, in text too, and a seat finds it in its own view."""
    assert len(set(listed)) == len(listed)
    for move in chance.sample(listed, min(len(listed), TRIED)):
        text = GREAT_WALL.notation.write_move(state, actor, move)
        assert accepted(GREAT_WALL, state, actor, move), text
        assert GREAT_WALL.notation.read_move(state, text) == (actor, move)
    for move in chance.sample(earlier, min(len(earlier), TRIED)):
        assert (accepted(GREAT_WALL, state, actor, move) is not None) == (move in listed), move
    if actor is not CHANCE:
        assert isinstance(actor, int)
        assert list(GREAT_WALL.legal_moves(GREAT_WALL.view(state, actor), actor)) == listed


def until(state: State, card: str, asked: Callable[[State], bool]) -> State:
    """Play on, with this card whenever it can be picked, until something is asked."""
    chance = seeded(1)
    while not asked(state):
        actor = chance.choice(GREAT_WALL.awaiting(state))
        moves = list(GREAT_WALL.legal_moves(state, actor))
        picks = [move for move in moves if move == Pick(state.table.parts.strategy_names.number_of[card])]
        state = GREAT_WALL.fold(
            state, accepted(GREAT_WALL, state, actor, chance.choice(picks or moves)) or ()
        )
    return state


def others_draw(state: State) -> bool:
    """Whether chance is asked for a tactic of the first of the others."""
    return isinstance(state.ask, DrawDue) and any(
        isinstance(task, Free) and task.step is Step.OTHERS for task in state.then
    )


def test_in_coop_others_who_draw_first_are_not_asked_for_what_chance_does() -> None:
    file = with_blocks("drill", SELF, BlockPart("others", (DRAW,)))
    state = until(start(file, COOP_1, 3, Draws.RECORDED), "drill", others_draw)

    assert GREAT_WALL.awaiting(state) == (CHANCE,)
    assert all(not list(GREAT_WALL.legal_moves(state, seat)) for seat in state.table.seats)


def test_in_coop_a_seat_that_has_drawn_is_asked_before_the_next_one_draws() -> None:
    file = with_blocks("drill", SELF, BlockPart("others", (DRAW, Op("clerks"))))
    state = until(start(file, COOP_1, 3, Draws.RECORDED), "drill", others_draw)
    assert isinstance(state.ask, DrawDue)
    drawn = next(GREAT_WALL.legal_moves(state, CHANCE))
    after = GREAT_WALL.fold(state, accepted(GREAT_WALL, state, CHANCE, drawn) or ())

    assert isinstance(after.ask, ClerksDue)
    assert GREAT_WALL.awaiting(after) == (state.ask.seat,)


def test_where_draws_are_not_recorded_others_who_draw_first_begin_in_any_order() -> None:
    file = with_blocks("drill", SELF, BlockPart("others", (DRAW, Op("clerks"))))
    state = until(
        start(file, COOP_1, 3, Draws.UNRECORDED),
        "drill",
        lambda state: isinstance(state.ask, Free) and state.ask.step is Step.OTHERS,
    )

    assert len(GREAT_WALL.awaiting(state)) == 2


def test_a_block_may_copy_twice() -> None:
    copies = (Op("copy", otherwise=(Op("take", of="any"),)), Op("copy", otherwise=(Op("tea"),)))
    file = with_blocks("betrayal", BlockPart("self", copies), BlockPart("others", (DRAW,)))
    parts = parts_of(file, coop=False)

    assert [name for name in parts.script_names.names if ".else" in name] == [
        "betrayal.1.else",
        "betrayal.1.else.2",
    ]
    match = play(GREAT_WALL, start(file, GREAT_WALL_1, 3, Draws.RECORDED), seeded(2), building)
    assert GREAT_WALL.outcome(match.last) is not None


def test_a_set_whose_names_stand_twice_is_refused_even_where_no_check_found_it() -> None:
    file = structs.replace(FILE, advisor=(FILE.advisor[0], *FILE.advisor[:-1]))

    with pytest.raises(BadSetup, match="stands twice"):
        parts_of(file, coop=False)


def test_foremen_of_the_sawmill_cost_what_the_example_says_on_its_own_side_only() -> None:
    assert _refused_with_another_sawmill(players=4) == []
    assert _refused_with_another_sawmill(players=3) == ["GW-CK-07"]


def _refused_with_another_sawmill(*, players: int) -> list[str]:
    file = with_another("sawmill", players, foreman=({"chi": 3}, {"chi": 4}, {"chi": 5}))
    return [fault.check for fault in faults(file) if not fault.warning]


def with_another(location: str, players: int, **changes: object) -> ComponentFile:
    """The reference set with another location on the side of the board for this number of players."""
    boards = tuple(
        structs.replace(
            board,
            location=tuple(
                structs.replace(place, **changes)
                if place.id == location and players in board.players
                else place
                for place in board.location
            ),
        )
        for board in FILE.board
    )
    return structs.replace(FILE, set_id=f"another-{location}", board=boards)


def test_a_reed_clerk_that_fills_the_tea_house_alone_sends_its_marker_to_the_top() -> None:
    state = start(with_another("tea-house", 2, slots=1), GREAT_WALL_1, 2, Draws.UNRECORDED)
    state = until(state, "drill", lambda state: isinstance(state.ask, PickDue))
    state = clerks(tea(state, BLUE, GREEN, REED), "tea-house:r+sawmill:r+quarry:r")

    state = settled(asking(state, Activate(Location.TEA_HOUSE, advanced=False)))

    assert state.tea == tea(state, REED, BLUE, GREEN).tea
