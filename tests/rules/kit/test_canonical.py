"""Canonical bytes of states: equal for equal states only, and what cannot have them is refused at import."""

import enum
from typing import Annotated, NewType, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta, Struct

from records.codec.canonical import NotCanonical, canonical
from rules.kernel.bits import WideBits

Coins = NewType("Coins", int)


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Opening(Struct, frozen=True, tag=True, array_like=True):
    seat: int


class Acting(Struct, frozen=True, tag=True, array_like=True):
    seat: int


Turn: TypeAlias = Opening | Acting


class Player(Struct, frozen=True, array_like=True):
    coins: Coins
    colour: Colour | None
    cards: tuple[bytes, ...]


class Board(Struct, frozen=True):
    table: object
    players: tuple[Player, ...]
    agenda: tuple[Turn, ...]
    done: bool


STATE_BYTES = canonical(Board)

PLAYERS = st.builds(
    Player,
    st.integers(0, 9).map(Coins),
    st.none() | st.sampled_from(Colour),
    st.lists(st.binary(max_size=2), max_size=2).map(tuple),
)
BOARDS = st.builds(
    Board,
    st.just("a table"),
    st.lists(PLAYERS, max_size=2).map(tuple),
    st.lists(st.builds(Opening, st.integers(0, 3)) | st.builds(Acting, st.integers(0, 3))).map(tuple),
    st.booleans(),
)


@given(BOARDS, BOARDS)
def test_states_have_the_same_bytes_exactly_when_they_are_equal(one: Board, other: Board) -> None:
    assert (STATE_BYTES(one) == STATE_BYTES(other)) == (one == other)


def test_what_never_changes_is_left_out() -> None:
    assert STATE_BYTES(Board("one", (), (), done=False)) == STATE_BYTES(Board("two", (), (), done=False))


def test_tasks_that_differ_only_in_their_class_have_different_bytes() -> None:
    opening, acting = (Board("", (), (task,), done=False) for task in (Opening(1), Acting(1)))

    assert STATE_BYTES(opening) != STATE_BYTES(acting)


class Untagged(Struct, frozen=True):
    seat: int


class Other(Struct, frozen=True):
    seat: int


class Listed(Struct, frozen=True):
    things: list[int]


class Level(enum.IntEnum):
    LOW = 0


def state_with(hint: object) -> type[Struct]:
    return type("Odd", (Struct,), {"__annotations__": {"part": hint}})


@pytest.mark.parametrize(
    ("hint", "why"),
    [
        (float, r"Odd\.part is a float"),
        (dict[str, int], r"Odd\.part is a dict"),
        (frozenset, r"Odd\.part is a frozenset"),
        (tuple[set[int], ...], r"Odd\.part is a set"),
        (WideBits, r"Odd\.part is an integer that may have more than 64 bits"),
        (tuple[WideBits, ...], "more than 64 bits"),
        (Annotated[int, Meta(le=1 << 70)], "more than 64 bits"),
        (Untagged | Other, r"is Untagged or Other, which can have the same bytes: give the structs tags"),
        (Opening | tuple[str, int], "is Opening or .*can have the same bytes"),
        (int | Level, "is int or Level, which can have the same bytes"),
        (Coins | int, "can have the same bytes"),
        (Listed, r"Listed\.things is a list"),
        (object, "no Struct"),
    ],
)
def test_a_field_without_canonical_bytes_is_refused(hint: object, why: str) -> None:
    with pytest.raises(NotCanonical, match=why):
        canonical(state_with(hint))


def test_an_integer_that_turns_out_too_wide_is_named() -> None:
    class Wide(Struct, frozen=True):
        few: int
        many: int

    with pytest.raises(NotCanonical, match="many has an integer of more than 64 bits"):
        canonical(Wide)(Wide(1, 1 << 80))
