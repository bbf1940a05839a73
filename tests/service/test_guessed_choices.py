"""Nobody learns by a comparison whether a guess of a choice is right before it is revealed."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from shiji.record.v1 import entry_pb2 as entries
from shiji.record.v1 import record_service_pb2 as pb

from records.entry import MatchId
from records.games import registry
from records.games.bound import bind
from records.games.plugins import codec_of
from rules.kernel.actors import Seat
from service.messages import actor_message
from tests.rules.kit.caravans.game import CARAVANS, PLUGIN
from tests.service import twin_services
from tests.service.twin_services import KEEPER, World, two_worlds

OPEN_CARAVANS = bind(replace(CARAVANS, has_secrets=lambda _: False), codec_of(PLUGIN))
"""A game in which nothing is hidden but choices until they are revealed: everybody may look at a match."""


GREEN = entries.Viewer(seat=0)


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[World]:
    monkeypatch.setattr(twin_services, "GAMES", registry.GAMES.and_also(OPEN_CARAVANS))
    with two_worlds(tmp_path, directly=True) as worlds:
        worlds[0].begin("guessed", hides_tokens=False)
        yield worlds[0]


def chosen(world: World, number: int, name: str = "match") -> str:
    """A match in which the first seat has chosen in secret, the nth of its moves."""
    start = pb.StartMatchRequest(request_id=name, game="caravans", seats=["green", "red"])
    (started,) = world.call("StartMatch", KEEPER, start)
    assert isinstance(started, pb.StartMatchResponse)
    match = started.match.match_id
    state = world.ledger.current(MatchId(match))
    data = list(state.state.legal_moves(Seat(0)))[number].data
    move = entries.Move(encoded=entries.EncodedMove(actor=actor_message(Seat(0), ()), data=data))
    request = pb.AppendMoveRequest(
        match_id=match, expected_sequence=state.sequence, request_id=f"{name}, a choice", move=move
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
    match, guesses = chosen(world, 0), [chosen(world, 0, "guess 0"), chosen(world, 1, "guess 1")]
    agreed = []
    for guess in guesses:
        request = pb.CompareRecordsRequest(
            one=pb.ComparedRecord(match_id=match), other=pb.ComparedRecord(content=record(world, guess))
        )
        (response,) = world.call("CompareRecords", "auditor audit", request)
        assert isinstance(response, pb.CompareRecordsResponse)
        agreed.append((response.agreed, response.sentence.replace(guess, "GUESS")))

    assert agreed[0] == agreed[1]
