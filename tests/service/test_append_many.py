"""AppendMoves: a long batch is judged in slices, and answered as if it had been judged at once."""

from collections.abc import Iterator

import pytest
from shiji.record.v1 import entry_pb2 as entries
from shiji.record.v1 import record_service_pb2 as pb
from shiji.record.v1.record_service_pb2_grpc import RecordServiceStub

from records.ledger.ledger import Ledger
from records.log.memory import MemoryLog
from service.loop_share import LoopShare
from service.methods.append_many import MOST_MOVES_AT_ONCE
from tests.service.calls import refusal, request_id
from tests.service.running import serving_in_process
from tools.dev.load_requests import random_moves

GAMES = ("khan", "zhanguo")


@pytest.fixture(name="stub", scope="module")
def _stub() -> Iterator[RecordServiceStub]:
    with serving_in_process(Ledger(MemoryLog(), in_steps=True, cache=2)) as service:
        yield service.stub


def begin(stub: RecordServiceStub, game: str) -> str:
    request = pb.StartMatchRequest(request_id=request_id(), game=game, seats=("green", "violet"))
    return stub.StartMatch(request).match.match_id


def batch(
    match: str, moves: list[entries.Move], name: str = "batch", expected: int = 0
) -> pb.AppendMovesRequest:
    return pb.AppendMovesRequest(match_id=match, expected_sequence=expected, request_id=name, moves=moves)


@pytest.mark.parametrize("game", GAMES)
def test_a_long_batch_stores_what_its_moves_store_one_by_one(stub: RecordServiceStub, game: str) -> None:
    moves = random_moves(game)
    assert len(moves) > 4 * MOST_MOVES_AT_ONCE
    together, one_by_one = begin(stub, game), begin(stub, game)

    answer = stub.AppendMoves(batch(together, moves)).appended
    last = pb.Appended()
    for sequence, move in enumerate(moves):
        request = pb.AppendMoveRequest(match_id=one_by_one, expected_sequence=sequence, move=move)
        request.request_id = f"move {sequence}"
        last = stub.AppendMove(request).appended

    assert (answer.position, answer.awaiting) == (last.position, last.awaiting)
    assert [each.state_digest for each in answer.entries] == [
        each.entry.state_digest
        for each in stub.ReadRecord(pb.ReadRecordRequest(match_id=one_by_one, from_sequence=1))
    ]


@pytest.mark.parametrize("game", GAMES)
def test_a_long_batch_that_is_sent_again_is_answered_as_before(stub: RecordServiceStub, game: str) -> None:
    match = begin(stub, game)
    request = batch(match, random_moves(game))

    assert stub.AppendMoves(request) == stub.AppendMoves(request)
    for _ in range(3):  # the match leaves the cache
        begin(stub, game)
    assert stub.AppendMoves(request).appended.entries[-1].sequence == len(request.moves)


@pytest.mark.parametrize("bad", [MOST_MOVES_AT_ONCE + 3, 4 * MOST_MOVES_AT_ONCE])
def test_the_illegal_move_of_a_long_batch_is_named_and_nothing_is_stored(
    stub: RecordServiceStub, bad: int
) -> None:
    match, moves = begin(stub, "khan"), random_moves("khan")
    moves.insert(bad, moves[0])

    refused = refusal(lambda: stub.AppendMoves(batch(match, moves)))

    assert (refused.reason, refused.metadata["index"]) == ("RULE_BROKEN", str(bad))
    assert stub.GetMatch(pb.GetMatchRequest(match_id=match)).match.sequence == 0


def test_a_long_batch_yields_to_others_while_it_is_judged(
    stub: RecordServiceStub, monkeypatch: pytest.MonkeyPatch
) -> None:
    rests: list[str] = []
    rest = LoopShare.rest

    async def counted(share: LoopShare, account: str, seconds: float) -> None:
        rests.append(account)
        await rest(share, account, seconds)

    monkeypatch.setattr("service.loop_share.SHARED_SLICE_SECONDS", 0.0)
    monkeypatch.setattr("service.loop_share.LONE_SLICE_SECONDS", 0.0)
    monkeypatch.setattr(LoopShare, "rest", counted)
    moves = random_moves("khan")

    stub.AppendMoves(batch(begin(stub, "khan"), moves))

    assert len(rests) > len(moves)
