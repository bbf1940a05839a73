"""The messages of The Great Wall are those that its statements give."""

import pytest
from shiji.great_wall.v1 import great_wall_pb2 as pb

from records.codec.great_wall import GREAT_WALL_CODEC
from records.codec.schema import schema
from records.codec.shape import CorruptEvents
from rules.great_wall.kinds import Location
from rules.great_wall.moves import MoveClerk
from rules.great_wall.notation import EVENTS, MOVES
from tests.project.places import ROOT
from tests.rules.great_wall.positions import begun


def test_the_proto_file_is_derived_from_the_statements() -> None:
    path = ROOT / "protos/shiji/great_wall/v1/great_wall.proto"

    assert path.read_text() == schema("shiji.great_wall.v1", MOVES, EVENTS).text()


def test_a_move_can_name_the_warehouse_and_an_event_cannot() -> None:
    asked = MoveClerk(None, Location.WAREHOUSE)
    moved = pb.ClerkMoved(clan="green", target=pb.LOCATION_WAREHOUSE)
    forged = pb.Events(events=[pb.Event(clerk_moved=moved)]).SerializeToString()
    data = GREAT_WALL_CODEC.encode_move(begun(), asked)

    assert GREAT_WALL_CODEC.decode_move(begun(), data) == asked
    with pytest.raises(CorruptEvents, match="11 is no location"):
        GREAT_WALL_CODEC.decode_events(begun(), forged)
