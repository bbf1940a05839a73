"""The messages of The Great Wall are those that its statements give."""

from records.codec.schema import schema
from rules.great_wall.notation import EVENTS, MOVES
from tests.project.places import ROOT


def test_the_proto_file_is_derived_from_the_statements() -> None:
    path = ROOT / "protos/shiji/great_wall/v1/great_wall.proto"

    assert path.read_text() == schema("shiji.great_wall.v1", MOVES, EVENTS).text()
