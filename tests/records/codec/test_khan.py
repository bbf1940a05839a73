"""Bytes of Khan's moves and events: what is not known or makes no sense is refused."""

import json

import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from shiji.khan.v1 import khan_pb2 as pb

from records.codec.khan import KHAN_CODEC
from records.codec.schema import schema
from records.codec.shape import CorruptEvents, CorruptMove, UnknownEvents
from rules.kernel.edition import EditionKey
from rules.kernel.setup import Setup
from rules.khan.game import KHAN
from rules.khan.notation import EVENTS, MOVES

STATE = KHAN.start(Setup(EditionKey("khan/1"), ("red", "blue"), "khan-reference-0"))
UNKNOWN_FIELD = b"\xfa\x7f\x00"


@pytest.mark.parametrize(
    ("move", "why"),
    [
        (pb.Move(), "move: expected one of the moves"),
        (pb.Move(draw_first_player=pb.DrawFirstPlayer(seat=2)), "seat: there is no seat 2"),
        (pb.Move(turn_card=pb.TurnCard(card="?")), r"card: '\?' is no card of khan-reference-0"),
        (pb.Move(place_yurt=pb.PlaceYurt(cell="a0")), "cell: 'a0' is no cell"),
        (pb.Move(chase=pb.Chase(leader="attila")), "leader: 'attila' is no leader"),
        (pb.Move(explore=pb.Explore(shape="T9")), "shape: 'T9' is no shape"),
        (pb.Move(conquer=pb.Conquer(shape="T2", cells=["a1", "a1"])), "cells: expected the cells under"),
        (pb.Move(conquer=pb.Conquer(shape="T2")), "cells: expected the cells under"),
    ],
    ids=["empty", "seat", "card", "cell", "leader", "shape", "a-cell-twice", "no-cells"],
)
def test_a_move_that_makes_no_sense_is_corrupt(move: pb.Move, why: str) -> None:
    with pytest.raises(CorruptMove, match=why):
        KHAN_CODEC.decode_move(STATE, move.SerializeToString())


def test_an_unknown_region_is_corrupt() -> None:
    with pytest.raises(CorruptMove, match="region: 9 is no region"):
        KHAN_CODEC.decode_move(STATE, b"\x6a\x02\x08\x09")


def test_an_unknown_field_is_not_ignored() -> None:
    event = pb.Events(events=[pb.Event(turn_began=pb.TurnBegan(seat=1))]).SerializeToString()

    with pytest.raises(CorruptMove, match="a field that this build does not know"):
        KHAN_CODEC.decode_move(STATE, pb.Move(agree=pb.Agree()).SerializeToString() + UNKNOWN_FIELD)
    with pytest.raises(UnknownEvents):
        KHAN_CODEC.decode_events(STATE, event + UNKNOWN_FIELD)


@pytest.mark.parametrize(
    "event",
    [
        pb.Event(),
        pb.Event(turn_began=pb.TurnBegan(seat=7)),
        pb.Event(special_retired=pb.SpecialRetired(seat=0)),
        pb.Event(leader_removed=pb.LeaderRemoved(leader="rus", cell="a1")),
    ],
    ids=["empty", "no-such-seat", "no-such-card", "no-cause"],
)
def test_an_event_that_makes_no_sense_is_corrupt(event: pb.Event) -> None:
    with pytest.raises(CorruptEvents):
        KHAN_CODEC.decode_events(STATE, pb.Events(events=[event]).SerializeToString())


def test_events_are_shown_as_json() -> None:
    data = pb.Events(events=[pb.Event(turn_began=pb.TurnBegan(seat=0))]).SerializeToString()

    assert [json.loads(text) for text in KHAN_CODEC.events_as_json(data)] == [{"turn_began": {"seat": 0}}]
    with pytest.raises(CorruptEvents):
        KHAN_CODEC.events_as_json(b"\xff")


def test_the_released_messages_are_those_that_follow_from_the_statements() -> None:
    """In name, number, type and label, enumerations included."""
    made = schema("shiji.khan.v1", MOVES, EVENTS).file
    released = FileDescriptorProto()
    pb.DESCRIPTOR.CopyToProto(released)

    assert _plain(made) == _plain(released)


def _plain(file: FileDescriptorProto) -> dict[str, list[tuple[object, ...]]]:
    messages: dict[str, list[tuple[object, ...]]] = {
        message.name: [(at.name, at.number, at.type, at.label, at.type_name) for at in message.field]
        for message in file.message_type
    }
    enums: dict[str, list[tuple[object, ...]]] = {
        enum.name: [(value.name, value.number) for value in enum.value] for enum in file.enum_type
    }
    return messages | enums
