"""Work that may take long never takes the lane for short work."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest
from google.protobuf.message import Message
from shiji.record.v1 import record_service_pb2 as pb

from records.ledger.ledger import Ledger
from records.log.memory import MemoryLog
from service import work_queue
from service.authorization import Caller, Role
from service.call import Call
from service.feed import EntryFeed
from service.http.codec import json_decoder
from service.methods.query import get_state_with_pictures, list_legal_moves
from service.resources import Resources
from service.rpc import DESCRIPTOR, DecodeApart
from service.shutdown import Shutdown
from service.work_queue import SHORT_WORK_BYTES, SHORT_WORK_ENTRIES, WorkLane, lane_for, lane_for_bytes
from service.worker_process import Work
from service.workers import Done, Workers
from tests.records.matches import MOVES, Table, begin
from tests.service.running import resources_over

CALLER = Caller("anybody", Role.RECORDER)


class NotingWorkers(Workers):
    """Threads, with a note of the lane of each piece of work."""

    def __init__(self, ledger: Ledger) -> None:
        super().__init__(0, ledger, lambda: ledger)
        self.lanes = list[WorkLane]()

    async def run(self, owner: str, work: Work[Done], lane: WorkLane = WorkLane.SHORT) -> Done:
        self.lanes.append(lane)
        return await super().run(owner, work, lane)


@pytest.fixture(scope="module")
def table() -> Table:
    table = begin(Ledger(MemoryLog()))
    table.play(*MOVES)
    return table


async def list_moves(resources: Resources, match: str) -> Message:
    request = pb.ListLegalMovesRequest(stored=pb.MatchAt(match_id=match))
    return await list_legal_moves(resources, CALLER, request)


async def draw(resources: Resources, match: str) -> Message:
    request = pb.GetStateRequest(match_id=match, with_svg=True)
    answer = get_state_with_pictures(resources, CALLER, request)
    assert answer is not None
    return await answer


@pytest.mark.parametrize("ask", [list_moves, draw])
@pytest.mark.parametrize("short", [True, False])
def test_a_question_about_a_long_match_is_long_work(
    table: Table,
    monkeypatch: pytest.MonkeyPatch,
    ask: Callable[[Resources, str], Awaitable[Message]],
    short: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    monkeypatch.setattr(work_queue, "SHORT_WORK_ENTRIES", len(MOVES) if short else len(MOVES) - 1)

    async def asked() -> list[WorkLane]:
        workers, shutdown = NotingWorkers(table.ledger), Shutdown()
        resources = resources_over(table.ledger, EntryFeed(table.ledger), shutdown)
        await ask(replace(resources, workers=workers), table.match)
        workers.close()
        return workers.lanes

    assert asyncio.run(asked()) == [WorkLane.SHORT if short else WorkLane.LONG]


def test_json_is_short_work_only_if_it_is_short() -> None:
    decode = json_decoder(DESCRIPTOR.methods_by_name["CheckMove"])

    def lane_of(size: int) -> WorkLane:
        with pytest.raises(DecodeApart) as raised:
            decode(Call("CheckMove", None), json.dumps({"transcript": "x" * size}).encode())  # type: ignore[arg-type] # a call that nobody makes
        return raised.value.lane

    assert lane_of(SHORT_WORK_BYTES // 2) is WorkLane.SHORT
    assert lane_of(SHORT_WORK_BYTES) is WorkLane.LONG


def test_lanes_are_chosen_by_entries_and_by_bytes() -> None:
    assert [lane_for(SHORT_WORK_ENTRIES + more) for more in (0, 1)] == [WorkLane.SHORT, WorkLane.LONG]
    assert [lane_for_bytes(SHORT_WORK_BYTES + more) for more in (0, 1)] == [WorkLane.SHORT, WorkLane.LONG]
