"""Nobody learns by a comparison whether a guess of a choice is right before it is revealed."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from shiji.record.v1 import entry_pb2 as entries
from shiji.record.v1 import record_service_pb2 as pb

from records.entry import MatchId
from records.games import registry
from records.games.plugins import bind_plugin
from tests.rules.kit.goofspiel import GOOFSPIEL
from tests.service import twin_services
from tests.service.twin_services import KEEPER, World, two_worlds

OPEN_GOOFSPIEL = bind_plugin(replace(GOOFSPIEL, game=replace(GOOFSPIEL.game, has_secrets=lambda _: False)))
"""A game in which nothing is hidden but choices until they are revealed: everybody may look at a match."""


GREEN = entries.Viewer(seat=0)


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[World]:
    monkeypatch.setattr(twin_services, "GAMES", registry.GAMES.and_also(OPEN_GOOFSPIEL))
    with two_worlds(tmp_path, directly=True) as worlds:
        worlds[0].begin("guessed", hides_tokens=False)
        yield worlds[0]


def chosen(world: World, number: int, name: str = "match") -> str:
    """A match in which the first seat has bid this card in secret."""
    start = pb.StartMatchRequest(request_id=name, game="goofspiel", seats=["green", "red"])
    (started,) = world.call("StartMatch", KEEPER, start)
    assert isinstance(started, pb.StartMatchResponse)
    match = started.match.match_id
    for text in (*("draw ?",) * 8, "draw 5", f"green bid {number}"):
        sequence = world.ledger.current(MatchId(match)).sequence
        request = pb.AppendMoveRequest(
            match_id=match,
            expected_sequence=sequence,
            request_id=f"{name}, {sequence}",
            move=entries.Move(text=text),
        )
        world.call("AppendMove", KEEPER, request)
    return match


def record(world: World, match: str) -> bytes:
    """The record with the choice, as its recorder has it."""
    request = pb.ExportRecordRequest(match_id=match, viewer=GREEN, format=pb.RECORD_FORMAT_RECORD)
    (exported,) = world.call("ExportRecord", KEEPER, request)
    assert isinstance(exported, pb.ExportRecordResponse)
    return exported.content


def test_a_comparison_does_not_confirm_a_guessed_choice(world: World) -> None:
    match, guesses = chosen(world, 1), [chosen(world, 1, "guess 1"), chosen(world, 2, "guess 2")]
    agreed = []
    for guess in guesses:
        request = pb.CompareRecordsRequest(
            one=pb.ComparedRecord(match_id=match), other=pb.ComparedRecord(content=record(world, guess))
        )
        (response,) = world.call("CompareRecords", "auditor audit", request)
        assert isinstance(response, pb.CompareRecordsResponse)
        agreed.append((response.agreed, response.sentence.replace(guess, "GUESS")))

    assert agreed[0] == agreed[1]
