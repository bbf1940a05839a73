"""States of a match, for callers that do not know the game."""

from dataclasses import replace

import pytest

from records.codec.qin import QIN_CODEC
from records.codec.shape import CorruptMove
from records.games.bound import bind
from records.games.registry import find_game
from records.games.state import Applied
from rules.kernel.actors import Seat
from rules.kernel.edition import EditionKey
from rules.kernel.setup import GameKey, Setup
from rules.qin.game import QIN
from tests.records.matches import MOVES

TWO_SEATS = Setup(EditionKey("qin/1"), ("green", "violet"), "map:R..")


def test_a_state_knows_its_game_whatever_its_edition_is_called() -> None:
    wall = bind(replace(QIN, about=replace(QIN.about, key=GameKey("great-wall"))), QIN_CODEC)

    start = wall.start(TWO_SEATS)

    assert start.setup.edition == "qin/1"
    assert start.game == wall.read_position(start.position()).game == "great-wall"


class TestCandidates:
    START = find_game("qin").start(TWO_SEATS)

    def test_text_and_bytes_are_read_as_the_same_move(self) -> None:
        by_text = self.START.parse_text("green Rc1Rb1")

        assert by_text.actor == Seat(0)
        assert self.START.parse_bytes(Seat(0), by_text.data) == by_text
        assert self.START.write_move(by_text) == "green Rb1Rc1"

    def test_bytes_are_kept_as_they_were_sent(self) -> None:
        """They are what was signed and what identifies a repeat, even if our encoding would differ."""
        plain = self.START.parse_text("green pass")
        longer = plain.data[:-1] + b"\x80\x00"

        asked = self.START.parse_bytes(Seat(0), longer)

        assert (asked.move, asked.data) == (plain.move, longer)

    def test_bytes_that_are_no_move_are_refused(self) -> None:
        with pytest.raises(CorruptMove):
            self.START.parse_bytes(Seat(0), b"\xff")

    def test_one_by_one_and_all_at_once_are_judged_alike(self) -> None:
        bird = find_game("qin").start(replace(TWO_SEATS, components="bird"))
        asked = [bird.parse_text(text) for text in (*MOVES, "green pass")]

        events, states = [], [bird]
        for candidate in asked[:-1]:
            verdict = states[-1].judge(candidate)
            assert isinstance(verdict, Applied)
            events.append(verdict.events)
            states.append(verdict.after)
        together = bird.judge_all(asked)

        assert together.events == events
        assert together.digests() == [state.digest() for state in states[1:]]
        assert together.state(-1) == states[-1]
        assert together.wrong == states[-1].judge(asked[-1])

    def test_every_legal_move_is_a_candidate_with_its_bytes(self) -> None:
        legal = list(self.START.legal_moves(Seat(0)))

        assert legal
        assert legal == [self.START.parse_bytes(Seat(0), candidate.data) for candidate in legal]
