"""Bytes of moves and events: what is written by hand is what the generated messages write."""

from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from records.codec.qin import decode_events, decode_move, encode_events, write_by_message
from records.codec.qin_events import split_quickly, write_quickly
from records.codec.shape import CorruptEvents, CorruptMove, UnknownEvents
from records.files.tags import read_header
from records.files.transcript import read_transcript
from records.ledger.transfer import VerifiedImport, judge
from rules.kernel.actors import Seat
from rules.kernel.edition import EditionKey
from rules.kernel.setup import Setup
from rules.qin.events import (
    Event,
    ProvinceExpanded,
    ProvinceFounded,
    ProvincesJoined,
    TileDrawn,
    TilePlaced,
    TilesDealt,
    TurnPassed,
    VillageConnected,
    VillageConquered,
)
from rules.qin.game import QIN
from rules.qin.moves import DealTiles, Half
from rules.qin.state import State
from rules.qin.tiles import COLOURS, KINDS
from tests.records.test_golden import FOLDER

WIDEST = "map:" + "/".join(["R" + "." * 23 + "az", *["." * 26] * 97])
STATE = QIN.start(Setup(EditionKey("qin/1"), ("a", "b", "c", "d"), WIDEST))
BOARD = STATE.table.board
UNKNOWN_FIELD = b"\xfa\x7f\x00"

seats = st.sampled_from(STATE.table.seats)
colours = st.sampled_from(COLOURS)
halves = st.builds(Half, colours, st.sampled_from(BOARD.cells))
few = st.integers(0, 24)
cells = st.lists(st.sampled_from(BOARD.cells), min_size=1, max_size=600, unique=True).map(
    lambda chosen: sum(BOARD.bit[cell] for cell in chosen)
)
province = {"owner": seats, "colour": colours, "cells": cells, "placed": few}
events = st.one_of(
    st.builds(TilePlaced, seats, halves, halves),
    st.builds(ProvinceFounded, **province),
    st.builds(ProvinceExpanded, **province),
    st.builds(ProvincesJoined, **province, returned=st.tuples(few, few, few, few)),
    st.builds(VillageConnected, seats, st.integers(0, 1)),
    st.builds(VillageConquered, seats, seats, st.integers(0, 1), few),
    st.builds(TileDrawn, seats, st.none() | st.sampled_from(KINDS), st.none() | st.integers(1, 6)),
    st.builds(TurnPassed, seats),
)


@given(st.lists(events, max_size=5).map(tuple))
def test_events_written_by_hand_are_those_of_the_messages(recorded: tuple[Event, ...]) -> None:
    quick = write_quickly(BOARD, recorded)

    assert quick == write_by_message(BOARD, recorded)
    assert decode_events(STATE, quick or b"") == recorded


@given(st.lists(events, min_size=1, max_size=4).map(tuple), st.binary(max_size=3), st.integers(2, 60))
def test_any_bytes_are_split_the_same_by_hand_and_by_the_messages(
    recorded: tuple[Event, ...], more: bytes, place: int
) -> None:
    data = write_by_message(BOARD, recorded)
    data = data[:place] + more + data[place:]
    assume(data[1] < 0x80)
    at_greater_length = data[:1] + bytes((data[1] | 0x80, 0)) + data[2:]

    assert split_quickly(at_greater_length) is None
    assert read(data) == read(at_greater_length)


def read(data: bytes) -> tuple[Event, ...] | None:
    try:
        return decode_events(STATE, data)
    except CorruptEvents:
        return None


def test_other_events_are_left_to_the_messages() -> None:
    recorded: tuple[Event, ...] = (TilesDealt(Seat(1), (None,)),)

    assert write_quickly(BOARD, recorded) is None
    assert decode_events(STATE, encode_events(STATE, recorded)) == recorded


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.shiji")), ids=lambda path: path.stem)
def test_a_golden_match_has_the_bytes_of_the_messages(path: Path) -> None:
    incoming = judge(path.read_bytes())
    assert isinstance(incoming, VerifiedImport)
    state = start_of(path)

    for entry in incoming.entries[1:]:
        recorded = decode_events(state, entry.events)

        assert write_by_message(state.table.board, recorded) == entry.events
        state = QIN.fold(state, recorded)


def start_of(path: Path) -> State:
    return QIN.start(read_header(read_transcript(path.read_text())).start.setup)


class TestWhatIsNotKnown:
    MOVE = b"\x12\x00"
    """A pass."""

    def test_an_unknown_field_of_a_move_is_not_ignored(self) -> None:
        assert decode_move(STATE, self.MOVE) == decode_move(STATE, self.MOVE)
        with pytest.raises(CorruptMove, match="a field that this build does not know"):
            decode_move(STATE, self.MOVE + UNKNOWN_FIELD)

    def test_nor_is_one_of_an_event_however_deep(self) -> None:
        half = b"\x08\x01\x12\x02e8"
        tile = b"\x12\x06" + half + b"\x1a\x09" + half + UNKNOWN_FIELD
        event = b"\x1a" + bytes([len(tile)]) + tile
        with pytest.raises(UnknownEvents):
            decode_events(STATE, b"\x0a" + bytes([len(event)]) + event)

    def test_nor_where_an_event_before_it_makes_no_sense_to_this_build(self) -> None:
        other_colour = b"\x0a\x06\x22\x04\x08\x01\x10\x09"
        passed = b"\x0a\x05\x4a\x03" + UNKNOWN_FIELD

        with pytest.raises(CorruptEvents, match="9 is no colour"):
            decode_events(STATE, other_colour)
        with pytest.raises(UnknownEvents):
            decode_events(STATE, other_colour + passed)

    def test_zeros_that_need_not_be_written_do_no_harm(self) -> None:
        dealt = b"\x22\x0e\x08\x00\x12\x02RR\x12\x02RR\x12\x02RR"

        assert decode_move(STATE, dealt) == decode_move(STATE, b"\x22\x0c" + dealt[4:])

    def test_a_seat_that_the_match_does_not_have_is_no_seat_even_if_another_match_has_it(self) -> None:
        two = QIN.start(Setup(EditionKey("qin/1"), ("a", "b"), "bird"))
        dealt = b"\x22\x0e\x08\x03\x12\x02RR\x12\x02RR\x12\x02RR"

        assert isinstance(decode_move(STATE, dealt), DealTiles)
        with pytest.raises(CorruptMove, match="there is no seat 3"):
            decode_move(two, dealt)

    def test_an_event_that_is_empty_is_corrupt(self) -> None:
        with pytest.raises(CorruptEvents):
            decode_events(STATE, b"\x0a\x00")
