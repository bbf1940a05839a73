"""Records of any size are exported, in pages that together are the file."""

import grpc
import pytest
from shiji import Client, RecordFormat
from shiji.record.v1 import record_service_pb2 as pb

from records.entry import MatchId
from records.files.record_file import read_record
from records.ledger.ledger import Ledger
from records.log.memory import MemoryLog
from rules.kernel.actors import SPECTATOR
from service.errors import CallError
from service.export_pages import DeliveredPage, ExportKey, ExportPages, PageToken
from tests.records.matches import MOVES
from tests.service.calls import Table, begin, refusal
from tests.service.running import InProcessService, Options, serving_in_process


def request(table: Table, size: int, token: str = "") -> pb.ExportRecordRequest:
    return pb.ExportRecordRequest(
        match_id=table.match, format=pb.RECORD_FORMAT_RECORD, max_bytes=size, page_token=token
    )


@pytest.fixture
def table(running: InProcessService) -> Table:
    table = begin(running.stub)
    table.play(*MOVES[:3])
    return table


def whole(table: Table) -> bytes:
    return table.stub.ExportRecord(request(table, 0)).content


@pytest.mark.parametrize("size", [1, 100, 1000, 1_000_000, 4_294_967_295])
def test_pages_of_any_size_together_are_the_file(table: Table, size: int) -> None:
    expected = whole(table)
    if size == 1:
        size = len(expected) // 7 + 1
    pages, token = [], ""
    while True:
        page = table.stub.ExportRecord(request(table, size, token))
        pages.append(page.content)
        token = page.next_page_token
        if not token:
            break

    assert b"".join(pages) == expected
    assert all(len(page) == size for page in pages[:-1])
    assert len(pages) == -(-len(expected) // size)


def test_what_is_played_between_two_pages_is_not_in_the_file(table: Table) -> None:
    expected = whole(table)
    first = table.stub.ExportRecord(request(table, len(expected) - 5))
    table.play(*MOVES[3:])
    second = table.stub.ExportRecord(request(table, 1000, first.next_page_token))

    assert first.content + second.content == expected
    assert len(read_record(whole(table)).entries) == len(MOVES) + 1


@pytest.mark.parametrize("token", ["x", "3", "3-1", "3-100-0123456789abcdef", "999999-1-0123456789abcdef"])
def test_a_token_of_something_else_is_refused(table: Table, token: str) -> None:
    assert refusal(lambda: table.stub.ExportRecord(request(table, 100, token))).reason == "BAD_PAGE_TOKEN"


def test_a_token_of_another_format_or_beyond_the_end_is_refused(table: Table) -> None:
    first = table.stub.ExportRecord(request(table, 100))
    other = pb.ExportRecordRequest(match_id=table.match, max_bytes=100, page_token=first.next_page_token)
    beyond = first.next_page_token.replace("-100-", "-999999-")

    assert refusal(lambda: table.stub.ExportRecord(other)).reason == "BAD_PAGE_TOKEN"
    assert refusal(lambda: table.stub.ExportRecord(request(table, 100, beyond))).reason == "BAD_PAGE_TOKEN"


def test_the_client_exports_what_no_message_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shiji.client.calls.EXPORT_PAGE_BYTES", 700)
    with serving_in_process(Ledger(MemoryLog())) as running, Client(running.address) as client:
        table = begin(running.stub)
        table.play(*MOVES)

        exported = client.export_record(table.match, RecordFormat.RECORD)

        assert exported.content == whole(table)
        assert exported.file_name == f"{table.match}.jsonl"


def test_a_file_is_kept_for_all_its_pages_and_few_files_are() -> None:
    pages = ExportPages(most=2)

    def key(name: str) -> ExportKey:
        return ExportKey(MatchId(name), 1, SPECTATOR, SPECTATOR, as_record=True)

    tokens = {}
    for name in "abc":
        assert pages.page(key(name), None, 10) is None
        page = pages.page(key(name), None, 10, name.encode() * 100)
        assert page is not None
        tokens[name] = PageToken.read(page.next_token)
    found = [pages.page(key(name), tokens[name], 90) for name in "abc"]

    assert found == [None, DeliveredPage(b"b" * 90, ""), DeliveredPage(b"c" * 90, "")]
    with pytest.raises(CallError):
        pages.page(key("a"), PageToken(1, 10, "0" * 16), 10, b"a" * 100)


def test_without_pages_a_record_that_is_too_large_is_refused_with_the_way_to_get_it() -> None:
    with serving_in_process(Ledger(MemoryLog()), options=Options(max_response_bytes=500)) as running:
        table = begin(running.stub)
        table.play(*MOVES)

        with pytest.raises(grpc.RpcError, match="ask for it in pages, by max_bytes"):
            table.stub.ExportRecord(request(table, 0))
        assert len(table.stub.ExportRecord(request(table, 4000)).content) == 500
