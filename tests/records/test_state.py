"""What a state answers without its caller knowing the game."""

from dataclasses import replace

from records.closed_game import arbiter
from records.codec.qin import QIN_CODEC
from rules.kernel.edition import EditionKey
from rules.kernel.setup import GameKey, Setup
from rules.qin.game import QIN

TWO_SEATS = Setup(EditionKey("qin/1"), ("green", "violet"), "map:R..")


def test_a_state_knows_its_game_whatever_its_edition_is_called() -> None:
    wall = arbiter(replace(QIN, about=replace(QIN.about, key=GameKey("great-wall"))), QIN_CODEC)

    start = wall.start(TWO_SEATS)

    assert start.setup.edition == "qin/1"
    assert start.game == wall.read_position(start.position()).game == "great-wall"
