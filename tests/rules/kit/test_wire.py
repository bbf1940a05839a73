"""Moves and events as protobuf bytes, derived from statements and compared with the generated code."""

import json
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias, TypeVar

import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorProto, FileDescriptorSet
from google.protobuf.json_format import MessageToDict
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec import Struct

from records.codec.derived import Messages, derived
from records.codec.messages import Mismatch
from records.codec.schema import schema
from records.codec.shape import CorruptEvents, CorruptMove, UnknownEvents
from rules.kernel.actors import Seat
from rules.kernel.cells import Cell
from rules.kernel.nouns import CELL, Choice, number
from rules.kernel.phrases import fact, phrase
from rules.kernel.statements import Statement, Statements
from tests.rules.kit import toy
from tests.rules.kit.strategies import events, moves

SCHEMA = schema("shiji.toy.v1", toy.MOVES, toy.EVENTS)
MESSAGES = Messages(*SCHEMA.classes())
CODEC = derived(
    lambda table: table,
    toy.MOVES,
    toy.EVENTS,
    MESSAGES,
    state_bytes=lambda _: b"",
    same_names=lambda table: (table.cards, len(table.names)),
)
UNKNOWN_FIELD = b"\xfa\x7f\x00"


@given(moves())
def test_a_move_decodes_as_it_was_encoded(move: toy.Move) -> None:
    assert CODEC.decode_move(toy.TABLE, CODEC.encode_move(toy.TABLE, move)) == move


@given(st.lists(events()).map(tuple))
def test_events_decode_as_they_were_encoded(some: tuple[toy.Event, ...]) -> None:
    assert CODEC.decode_events(toy.TABLE, CODEC.encode_events(toy.TABLE, some)) == some


@given(moves(), st.lists(events(), max_size=3).map(tuple))
def test_the_bytes_are_those_that_the_generated_code_writes(
    move: toy.Move, some: tuple[toy.Event, ...]
) -> None:
    for message, data in (
        (MESSAGES.move(), CODEC.encode_move(toy.TABLE, move)),
        (MESSAGES.events(), CODEC.encode_events(toy.TABLE, some)),
    ):
        message.ParseFromString(data)

        assert message.SerializeToString(deterministic=True) == data


@given(moves(), st.data())
def test_a_longer_form_of_a_message_says_the_same(move: toy.Move, data: st.DataObject) -> None:
    """Its parts in two halves of the same arm, which protobuf merges."""
    written = CODEC.encode_move(toy.TABLE, move)
    cut = data.draw(st.integers(0, len(written)))
    mangled = written[:cut] + written[cut:] * 2

    try:
        read = CODEC.decode_move(toy.TABLE, mangled)
    except CorruptMove:
        return
    message = MESSAGES.move()
    message.ParseFromString(mangled)

    assert read == CODEC.decode_move(toy.TABLE, message.SerializeToString(deterministic=True))


@given(st.binary(max_size=40))
@example(b"\x12\x00")
@example(b"\x22\x0b\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01")
def test_any_bytes_are_a_move_or_corrupt(data: bytes) -> None:
    with suppress(CorruptMove):
        CODEC.decode_move(toy.TABLE, data)
    with suppress(CorruptEvents):
        CODEC.decode_events(toy.TABLE, data)


def arm(number: int, body: bytes) -> bytes:
    return bytes((number << 3 | 2, len(body))) + body


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "move: expected one of the moves, found none"),
        (b"\xff", "the bytes are not a protobuf message of this kind"),
        (arm(1, b""), "card: '' is no card of toy-0"),
        (arm(1, b"\x0a\x02x9"), "card: 'x9' is no card of toy-0"),
        (arm(1, b"\x0a\x01\xff"), "the bytes are not a protobuf message of this kind"),
        (arm(3, b"\x0a\x02a0\x12\x02c1"), "cell: 'a0' is no cell; expected one such as g7"),
        (arm(4, b"\x08\x09"), "region: 9 is no region"),
        (arm(4, b"\x08" + b"\xff" * 9 + b"\x01"), "region: -1 is no region"),
        (arm(6, b"\x0a\x01q"), "tokens: 'q'; expected tokens such as Wl"),
        (arm(15, b"\x0a\x02a1\x0a\x02a1"), "cells: a cell stands twice"),
        (arm(11, b"\x0a\x02c1") + UNKNOWN_FIELD, "a field that this build does not know"),
        (arm(11, b"\x0a\x02x1") + UNKNOWN_FIELD, "a field that this build does not know"),
    ],
)
def test_a_move_that_makes_no_sense_is_corrupt(data: bytes, why: str) -> None:
    with pytest.raises(CorruptMove) as fault:
        CODEC.decode_move(toy.TABLE, data)

    assert why in str(fault.value)


def test_events_with_a_field_that_nobody_knows_are_unknown() -> None:
    with pytest.raises(UnknownEvents):
        CODEC.decode_events(toy.TABLE, CODEC.encode_events(toy.TABLE, (toy.Ended(),)) + UNKNOWN_FIELD)


def test_numbers_of_several_bytes_are_read_without_the_generated_code() -> None:
    scored = toy.Scored((200, 3), (toy.Region.WEI,), 0, None)

    data = CODEC.encode_events(toy.TABLE, (scored,))

    assert CODEC.decode_events(toy.TABLE, data) == (scored,)


def test_a_seat_that_is_not_at_the_table_is_corrupt_even_after_a_larger_table_had_it() -> None:
    larger = toy.Table(("green", "red", "blue"), toy.TABLE.cards)
    data = CODEC.encode_events(larger, (toy.Dealt(Seat(2), None),))
    assert CODEC.decode_events(larger, data)

    with pytest.raises(CorruptEvents, match="there is no seat 2"):
        CODEC.decode_events(toy.TABLE, data)


def test_events_are_reported_as_json() -> None:
    data = CODEC.encode_events(toy.TABLE, (toy.Dealt(Seat(0), toy.Card(3)), toy.Ended()))

    assert [json.loads(line) for line in CODEC.events_as_json(data)] == [
        {"dealt": {"seat": 0, "card": "c3"}},
        {"ended": {}},
    ]
    with pytest.raises(CorruptEvents):
        CODEC.events_as_json(b"\xff")


def test_a_message_is_described_by_its_own_class_and_not_by_what_that_inherits() -> None:
    text = SCHEMA.text()

    assert "// Dealt.\nmessage Dealt {" in text
    assert Struct.__doc__ is not None
    assert Struct.__doc__.split("\n")[0] not in text


def test_the_derived_proto_is_what_protoc_makes_of_its_text(tmp_path: Path) -> None:
    path = tmp_path / SCHEMA.file.name
    path.parent.mkdir(parents=True)
    path.write_text(SCHEMA.text())
    out = tmp_path / "out.binpb"
    subprocess.run(
        [
            sys.executable,
            "-m",
            "grpc_tools.protoc",
            f"-I{tmp_path}",
            f"--descriptor_set_out={out}",
            SCHEMA.file.name,
        ],
        check=True,
    )
    (made,) = FileDescriptorSet.FromString(out.read_bytes()).file

    assert _plain(made) == _plain(SCHEMA.file)


def _plain(file: FileDescriptorProto) -> object:
    for message in file.message_type:
        for at in message.field:
            at.ClearField("json_name")
    return MessageToDict(file)


# Statements and messages that differ.


class Walk(Struct, frozen=True):
    cell: Cell


class Run(Struct, frozen=True):
    cell: Cell


class Rename(Struct, frozen=True):
    place: Cell


Stated = TypeVar("Stated")
Released = TypeVar("Released")
Both: TypeAlias = Walk | Run
WALK = phrase("walk", Walk, CELL)
WALKED: Statements[object, Walk] = Statements(Walk, fact(Walk, CELL))
BOTH: Statements[object, Both] = Statements(Both, WALK, phrase("run", Run, CELL))
ALONE: Statements[object, Walk] = Statements(Walk, WALK)


def codec_of(stated: Statements[object, Stated], released: Statements[object, Released]) -> None:
    messages = Messages(*schema("shiji.other.v1", released, WALKED).classes())
    derived(
        lambda state: state,
        stated,
        WALKED,
        messages,
        state_bytes=lambda _: b"",
        same_names=lambda _: None,
    )


def test_a_class_without_an_arm_is_refused_at_import() -> None:
    with pytest.raises(Mismatch, match="no arm run"):
        codec_of(BOTH, ALONE)


def test_an_arm_without_a_class_is_refused_at_import() -> None:
    with pytest.raises(Mismatch, match="has an arm run, and no class is stated"):
        codec_of(ALONE, BOTH)


def test_a_part_of_another_type_is_refused_at_import() -> None:
    miscounted = Statement("walk", Walk, (number("cell", 9).erased(),))
    counted: Statements[object, Walk] = Statements(Walk, miscounted)

    with pytest.raises(Mismatch, match=r"Walk\.cell is string, and Walk\.cell is uint32"):
        codec_of(counted, ALONE)


def test_a_part_of_another_name_is_refused_at_import() -> None:
    renamed: Statements[object, Rename] = Statements(Rename, phrase("walk", Rename, CELL, arm="walk"))

    with pytest.raises(Mismatch, match="is a Walk, and Rename is stated for it"):
        codec_of(renamed, ALONE)


def test_other_members_of_a_list_are_refused_at_import() -> None:
    class Turn(Struct, frozen=True):
        way: str

    left: Statements[object, Turn] = Statements(
        Turn, phrase("turn", Turn, Choice("way", ("l", "r"), ("left", "right")))
    )
    up: Statements[object, Turn] = Statements(
        Turn, phrase("turn", Turn, Choice("way", ("l", "r"), ("left", "up")))
    )

    with pytest.raises(Mismatch, match=r"WAY_UP.*WAY_RIGHT"):
        codec_of(left, up)
