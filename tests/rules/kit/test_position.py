"""Position lines derived from sections: written, read, and where a fault is found."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct, structs
from typing_extensions import override

from rules.kernel.actors import Seat
from rules.kernel.composed import Tally
from rules.kernel.composite import record
from rules.kernel.edition import EditionKey, Option, OptionValue, UnknownRuling
from rules.kernel.nouns import Seats, number
from rules.kernel.pending import Tasks
from rules.kernel.phrases import phrase
from rules.kernel.position import (
    RECORDED_DRAWS,
    PositionLine,
    SectionValues,
    by_seat,
    column,
    keyed,
    optional,
    seat_words,
    section,
)
from rules.kernel.setup import BadSetup, Draws, Setup
from rules.kernel.statements import Misstated, Statements
from rules.kernel.terms import Term
from rules.kernel.text import Unreadable, Word
from tests.rules.kit import toy

EDITION = EditionKey("toy/1")


@dataclass(frozen=True, slots=True)
class Table:
    setup: Setup


class Column(Struct, frozen=True):
    regions: tuple[toy.Region, ...]
    workers: int


class Player(Struct, frozen=True):
    coins: int
    tokens: tuple[int, ...]
    columns: tuple[Column, ...]


class Play(Struct, frozen=True):
    seat: Seat


class Step(Struct, frozen=True):
    seat: Seat
    used: tuple[toy.Region, ...]


class State(Struct, frozen=True):
    table: Table
    round: int
    tea: tuple[Seat, ...]
    players: tuple[Player, ...]
    agenda: tuple[Play | Step, ...]
    refused: tuple[toy.Region, ...]
    total: int = 0


SEAT = Seats[Table](lambda table: table.setup.seats)
COLUMN = record("column", Column, toy.REGION.several(",", nothing=""), number("workers", 9), joined=";")
PLAYER = record(
    "player",
    Player,
    number("coins", 99),
    Tally("tokens", "wcl", numbers=False),
    COLUMN.several("/"),
    joined=":",
)
STATED: Statements[Table, Play | Step] = Statements(
    Play | Step, phrase("play", Play, SEAT), phrase("step", Step, SEAT, toy.REGION.several())
)
TASKS = Tasks(STATED)


def lay_out(setup: Setup) -> Table:
    if setup.components != "toy-0":
        raise BadSetup("components", f"no set is called {setup.components!r}")
    if len(setup.seats) != 2:
        raise BadSetup("seats", f"two seats, not {len(setup.seats)}", 1)
    for name, _ in setup.rulings:
        if name != "mood":
            raise UnknownRuling(name, f"no ruling is called {name!r}")
    return Table(setup)


def completed(state: State) -> State:
    return structs.replace(state, total=sum(player.coins for player in state.players))


def fault(state: State) -> str | None:
    return "too much money" if state.total > 150 else None


def line_of(sign: str) -> PositionLine[State, Table]:
    return PositionLine(
        State,
        section("round", number("round", 5)),
        keyed("tea", SEAT.several()),
        by_seat("players", PLAYER, sign=sign),
        keyed("then", TASKS, field="agenda"),
        optional("refused", toy.REGION.several(), ()),
        setup=lambda state: state.table.setup,
        lay_out=lay_out,
        edition=EDITION,
        complete=completed,
        fault=fault,
    )


LINE = line_of("=")
SEATS = st.sampled_from((Seat(0), Seat(1)))
REGIONS = st.lists(st.sampled_from(toy.Region)).map(tuple)
COLUMNS = st.builds(Column, REGIONS, st.integers(0, 9))
PLAYERS = st.builds(
    Player,
    st.integers(0, 75),
    st.tuples(*[st.integers(0, 3)] * 3),
    st.lists(COLUMNS, min_size=1, max_size=3).map(tuple),
)
SETUPS = st.builds(
    Setup,
    st.sampled_from((EDITION, EditionKey("toy/2"))),
    st.just(("green", "red")),
    st.just("toy-0"),
    st.sampled_from(Draws),
    st.sampled_from(((), (("mood", "good"),))),
)
STATES = st.builds(
    State,
    SETUPS.map(Table),
    st.integers(0, 5),
    st.lists(SEATS).map(tuple),
    st.tuples(PLAYERS, PLAYERS),
    st.lists(st.builds(Play, SEATS) | st.builds(Step, SEATS, REGIONS)).map(tuple),
    REGIONS,
).map(completed)


@given(STATES, st.sampled_from("=:"))
def test_a_position_reads_as_it_was_written(state: State, sign: str) -> None:
    line = line_of(sign)

    assert line.read(line.write(state.table, state)) == state


def test_sections_stand_in_their_order_and_defaults_are_left_out() -> None:
    setup = Setup(EDITION, ("green", "red"), "toy-0", Draws.RECORDED, (("mood", "good"),))
    rich = Player(3, (1, 0, 1), (Column((toy.Region.WEI, toy.Region.CHU), 2), Column((), 0)))
    poor = Player(0, (0, 0, 0), (Column((), 0),))
    agenda = (Step(Seat(1), (toy.Region.WEI,)), Play(Seat(0)))
    state = State(Table(setup), 4, (Seat(1), Seat(0)), (rich, poor), agenda, ())

    assert LINE.write(state.table, state) == (
        "toy-0 4 tea=red+green green=3:wl:wei,chu;2/;0 red=0:-:;0 then=step:red:wei>play:green"
        " draws=recorded mood=good"
    )


GOOD = "toy-0 4 tea=red green=3:-:;0 red=1:-:;0 then=play:green"


@pytest.mark.parametrize(
    ("old", "new", "column", "why"),
    [
        (GOOD, "", 1, "expected SET ROUND tea=SEATS NAME=PLAYER … then=TASKS refused=REGIONS"),
        ("toy-0", "toy-1", 1, "no set is called 'toy-1'"),
        ("0 4 ", "0 6 ", 7, "'6' is no round; expected a number from 0 to 5"),
        (" tea=red", "", 9, "'green=3:-:;0'; expected tea=SEATS"),
        ("tea=red", "tea=blue", 13, "'blue' is no seat; expected green, red"),
        ("red=1:-:;0 ", "", 30, "two seats, not 1"),
        ("green=3:-:;0", "green=3:x:;0", 25, "'x'; expected tokens such as wl, of wcl"),
        ("green=3:-:;0", "green=3:-:chu,qin;0", 31, "'qin' is no region"),
        ("green=3:-:;0", "green=3:-:0", 27, "'0' is no column; expected REGIONS;WORKERS"),
        ("green=3:-:;0", "green=3:-", 23, "'3:-' is no player; expected COINS:TOKENS:COLUMNS"),
        ("play:green", "sing:green", 46, "'sing' is no task; expected play or step"),
        ("play:green", "play", 50, "expected a seat after play, each after :"),
        ("play:green", "step:green:qin", 57, "'qin' is no region"),
        ("play:green", "play:green tea=red", 61, "tea= stands too late"),
        ("play:green", "play:green mood", 57, "'mood' is no option; expected NAME=VALUE"),
        ("play:green", "play:green luck=good", 62, "no ruling is called 'luck'"),
        (" then=play:green", "", 40, "expected then=TASKS after this"),
        ("green=3:", "green=99:", 1, "too much money"),
    ],
)
def test_a_line_that_makes_no_sense_says_where_and_why(old: str, new: str, column: int, why: str) -> None:
    assert LINE.read(GOOD).round == 4
    text = GOOD.replace(old, new, 1)
    if "money" in why:
        text = text.replace("red=1:", "red=99:")

    with pytest.raises(Unreadable) as found:
        LINE.read(text)

    assert why in found.value.why
    assert found.value.column == column


def test_a_field_that_the_state_does_not_have_is_refused() -> None:
    with pytest.raises(Misstated, match="State has no field coffee, or it is stated twice"):
        PositionLine(
            State,
            keyed("coffee", TASKS),
            setup=lambda state: state.table.setup,
            lay_out=lay_out,
            edition=EDITION,
        )


def test_a_field_of_the_state_without_a_section_is_refused() -> None:
    with pytest.raises(Misstated, match=r"State\.tea has no section in the position line"):
        PositionLine(
            State,
            section("round", number("round", 9)),
            by_seat("players", PLAYER),
            keyed("then", TASKS, field="agenda"),
            optional("refused", toy.REGION.several(), ()),
            setup=lambda state: state.table.setup,
            lay_out=lay_out,
            edition=EDITION,
        )


def test_the_words_of_the_seats_are_not_the_last_that_must_be_there() -> None:
    with pytest.raises(Misstated, match="one section has a word for each seat, and is not the last"):
        PositionLine(
            State,
            by_seat("players", PLAYER),
            optional("tea", SEAT.several(), ()),
            setup=lambda state: state.table.setup,
            lay_out=lay_out,
            edition=EDITION,
        )


def test_no_option_is_called_like_a_section() -> None:
    tea = Option("tea", "Who has tea.", (OptionValue("all", "All."), OptionValue("one", "One.")), "p. 1")

    with pytest.raises(Misstated, match="tea= is a section of the line, so no option is called so"):
        PositionLine(
            State,
            keyed("tea", SEAT.several()),
            by_seat("players", PLAYER),
            keyed("then", TASKS, field="agenda"),
            setup=lambda state: state.table.setup,
            lay_out=lay_out,
            edition=EDITION,
            options=(tea,),
        )


# Words of seats with several fields, and a state that is made of more than fields.


class Board(Struct, frozen=True):
    table: Table
    coins: tuple[int, ...]
    regions: tuple[tuple[toy.Region, ...], ...]
    turn: Seat
    left: int
    refused: tuple[toy.Region, ...] = ()
    round: int = 1
    total: int = 0


class Turns(Term[Table, tuple[Seat, int]]):
    """`turn:green:2`."""

    what = "turn"

    @override
    def write(self, table: Table, thing: tuple[Seat, int]) -> str:
        return f"turn:{table.setup.seats[thing[0]]}:{thing[1]}"

    @override
    def read(self, table: Table, word: Word) -> tuple[Seat, int]:
        _, seat, left = word.split(":")
        return SEAT.read(table, seat), left.whole_number(0, 9, "number of actions")


COINS = column("coins", number("coins", 99))
TURN = section("turn left", Turns(), title="the turn")


def built(values: SectionValues[Table]) -> Board:
    if sum(values[COINS]) > 150:
        raise values.fault(TURN, "too much money")
    return values.made(Board, total=sum(values[COINS]))


BOARD = PositionLine(
    Board,
    seat_words(
        ":",
        COINS,
        column("regions", toy.REGION.several("+")),
        shape="NAME:COINS:REGIONS",
        until="turn:",
        example="turn:NAME:1",
    ),
    TURN,
    RECORDED_DRAWS,
    optional("refused", toy.REGION.several(",", nothing="")),
    optional("round", number("round", 5), 1),
    setup=lambda state: state.table.setup,
    lay_out=lay_out,
    edition=EDITION,
    build=built,
)
BOARDS = st.builds(
    Board,
    SETUPS.map(Table),
    st.tuples(st.integers(0, 75), st.integers(0, 75)),
    st.tuples(REGIONS, REGIONS),
    SEATS,
    st.integers(0, 9),
    REGIONS,
    st.integers(0, 5),
).map(lambda board: structs.replace(board, total=sum(board.coins)))


@given(BOARDS)
def test_a_state_that_is_built_reads_as_it_was_written(board: Board) -> None:
    assert BOARD.read(BOARD.write(board.table, board)) == board


def test_draws_stand_where_a_game_says_and_what_has_no_text_is_left_out() -> None:
    setup = Setup(EDITION, ("green", "red"), "toy-0", Draws.RECORDED)
    board = Board(Table(setup), (1, 2), ((), (toy.Region.WEI,)), Seat(1), 2, (), 3)

    assert BOARD.write(board.table, board) == ("toy-0 green:1:- red:2:wei turn:red:2 draws=recorded round=3")


PLAIN = "toy-0 green:1:- red:2:wei turn:red:2"


def test_options_come_in_any_order() -> None:
    assert BOARD.read(f"{PLAIN} round=3 refused=wei") == BOARD.read(f"{PLAIN} refused=wei round=3")


@pytest.mark.parametrize(
    ("old", "new", "column", "why"),
    [
        (PLAIN, "", 1, "a position has a set, a word for each seat and the turn"),
        (PLAIN, "toy-0", 1, "a position has a set, a word for each seat and the turn"),
        ("red:2:wei", "red:2", 17, "'red:2' is no seat and no turn; expected NAME:COINS:REGIONS"),
        (" turn:red:2", "", 17, "expected the turn after the seats"),
        ("red:2:", "red:x:", 21, "'x' is no coins"),
        ("turn:red:2", "turn:red:2 round=9", 44, "'9' is no round"),
        ("green:1", "green:99", 29, "too much money"),
    ],
)
def test_a_line_with_several_fields_of_a_seat_says_where_and_why(
    old: str, new: str, column: int, why: str
) -> None:
    text = PLAIN.replace(old, new, 1)
    if "money" in why:
        text = text.replace("red:2:", "red:99:")

    with pytest.raises(Unreadable) as found:
        BOARD.read(text)

    assert why in found.value.why
    assert found.value.column == column
