"""Methods over HTTP: the same answers and errors as over gRPC, as JSON that people can read."""

import base64
import json
import socket
import struct
import threading
from collections.abc import Iterator, MutableMapping
from dataclasses import dataclass
from dataclasses import field as data_field
from pathlib import Path
from queue import SimpleQueue

import pytest
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.json_format import Parse
from google.protobuf.message_factory import GetMessageClass
from hypothesis import given
from hypothesis import strategies as st
from shiji.record.v1 import header_pb2 as headers
from shiji.record.v1 import record_service_pb2 as pb

from records.entry import Entry, MatchId
from records.ledger.ledger import Ledger
from records.log.memory import MemoryLog
from service.call import Call, CallOutcome, Cancelled, Observer
from service.errors import CallError, Reason
from service.http.codec import AT_ONCE_BYTES, STREAMED_AT_ONCE_BYTES, json_decoder, to_json
from service.http.connect import PREFIX
from service.http.requests import HttpRequest
from service.rpc import DESCRIPTOR, DecodeApart
from tests.records.matches import MOVES
from tests.service.calls import Table, begin, refusal
from tests.service.http_calls import ask, call
from tests.service.running import TIMEOUT_SECONDS, InProcessService, Options, serving_in_process
from tests.service.servers import bearer, serving
from tests.service.tokens import new_token


@pytest.fixture
def table(running: InProcessService) -> Table:
    """A match that is played over HTTP."""
    return begin(running.over_http().stub)


def test_a_match_is_played_over_http_as_over_grpc(running: InProcessService, table: Table) -> None:
    appended = table.play("green Re8Re9", "violet Yg8Bh8")

    other = Table(running.stub, table.match, table.last)
    assert other.record() == table.record()
    assert other.state() == table.state()
    assert appended.position == table.state().position


@pytest.mark.parametrize("method", list(DESCRIPTOR.methods), ids=lambda method: method.name)
def test_every_method_reads_an_empty_request(running: InProcessService, method: MethodDescriptor) -> None:
    name = method.name
    if name == "FollowArchive":
        return  # goes on for ever, see test_events.py

    reply = call(running.web, name, {})

    assert reply.status in {200, 400, 404, 501}, reply.body
    assert reply.headers["content-type"] in {"application/json", "application/x-ndjson"}


def test_play_says_that_it_needs_grpc(running: InProcessService) -> None:
    reply = call(running.web, "Play", {})

    assert (reply.status, reply.json()["code"], reply.json()["reason"]) == (
        501,
        "unimplemented",
        "NEEDS_GRPC",
    )


def test_a_refusal_names_every_broken_rule_in_json(running: InProcessService, table: Table) -> None:
    request = {
        "matchId": table.match,
        "expectedSequence": 0,
        "requestId": "a",
        "move": {"text": "green Ra2Rb2"},
    }

    reply = call(running.web, "AppendMove", request)

    error = reply.json()
    over_grpc = refusal(lambda: running.stub.AppendMove(table.append_request("green Ra2Rb2")))
    assert (reply.status, error["code"], error["reason"]) == (400, "failed_precondition", "RULE_BROKEN")
    assert error["message"] == over_grpc.message
    assert error["advice"] == Reason.RULE_BROKEN.value.advice
    details = error["details"]
    assert isinstance(details, list)
    assert [each["type"] for each in details] == ["google.rpc.ErrorInfo", "shiji.verdict.v1.RuleViolations"]
    (violation, *_) = details[1]["debug"]["violations"]
    assert (violation["ruleId"], violation["places"]) == ("QIN-PLACE-3", ["a2", "b2"])


@pytest.mark.parametrize(
    ("request_", "status", "code", "words"),
    [
        ({"matchId": "nobody's"}, 404, "not_found", "there is no match nobody's"),
        ({"matchId": ""}, 400, "invalid_argument", "match_id"),
        ({"match": "x"}, 400, "invalid_argument", "no field match; known here: matchId"),
        ({"matchId": 7}, 400, "invalid_argument", "matchId"),
        ({"matchId": "x" * 101}, 400, "invalid_argument", "100 characters"),
        ([], 400, "invalid_argument", "object"),
    ],
)
def test_a_bad_request_gets_the_status_and_what_is_wrong(
    running: InProcessService, request_: object, status: int, code: str, words: str
) -> None:
    reply = call(running.web, "GetMatch", request_)

    assert (reply.status, reply.json()["code"]) == (status, code)
    assert words in str(reply.json()["message"])
    assert reply.json()["advice"]


def test_a_filter_for_a_game_that_nobody_knows_is_refused_in_json(running: InProcessService) -> None:
    reply = call(running.web, "ListMatches", {"game": "chess"})

    error = reply.json()
    assert (reply.status, error["code"], error["reason"]) == (400, "invalid_argument", "BAD_FIELD")
    assert str(error["message"]).startswith("game: no game is called 'chess'; known: qin, khan")


@pytest.mark.parametrize("body", ["", "{", "nothing", "[" * 100_000, '{"matchId": "\\ud800"}', b"\xff\xfe"])
def test_a_malformed_body_is_refused(running: InProcessService, body: str | bytes) -> None:
    reply = ask(running.web, f"{PREFIX}GetMatch", body)

    assert (reply.status, reply.json()["reason"]) == (400, "UNREADABLE_REQUEST")


def test_a_body_with_too_many_fields_is_refused_before_it_is_parsed(running: InProcessService) -> None:
    reply = call(running.web, "StartMatch", {"seats": ["a"] * 10_000})

    assert reply.status == 400
    assert "more than 8192 fields" in str(reply.json()["message"])


async def never_received() -> MutableMapping[str, object]:
    raise AssertionError


NO_CONTEXT = HttpRequest({"method": "POST", "path": "/", "headers": []}, never_received)
LONG_RECORD = (
    '[Format "shiji/1"]\n[Game "qin"]\n[Edition "qin/1"]\n[Board "bird"]\n[Seats "green violet"]\n'
    + "".join(f'; "a, [b] {{c}} \\ {number}"\n' for number in range(2_000))
    + "".join(f"{number}. {move}\n" for number, move in enumerate(MOVES, start=1))
)
"""With everything that JSON writes in another way, and more commas than a request may have fields."""


def test_a_long_body_is_decoded_as_a_short_one(running: InProcessService) -> None:
    content = base64.b64encode(LONG_RECORD.encode()).decode()
    imported = call(running.web, "ImportRecord", {"content": content})
    checked = call(running.web, "CheckMove", {"transcript": LONG_RECORD, "move": {"text": "violet Rb2Rc2"}})
    missing = call(running.web, "GetMatch", {"matchId": "x" * AT_ONCE_BYTES})

    assert imported.status == 200
    assert imported.json()["entries"] == str(len(MOVES))
    assert checked.status == 200
    assert "100 characters" in str(missing.json()["message"])


def test_a_long_answer_is_the_same_in_json_and_in_protobuf(running: InProcessService, table: Table) -> None:
    request = pb.GetStateRequest(match_id=table.match, with_drawing=True, with_svg=True)
    binary = ask(running.web, f"{PREFIX}GetState", request.SerializeToString(), kind="application/proto").body
    written = ask(running.web, f"{PREFIX}GetState", to_json(request)).body

    assert len(binary) > AT_ONCE_BYTES
    assert Parse(written, pb.GetStateResponse()) == pb.GetStateResponse.FromString(binary)


def test_a_long_body_is_not_decoded_in_the_event_loop() -> None:
    body = b'{"content": "%b"}' % (b"A" * AT_ONCE_BYTES)
    method = DESCRIPTOR.methods_by_name["ImportRecord"]

    with pytest.raises(DecodeApart) as apart:
        json_decoder(method)(Call(method.name, NO_CONTEXT), body)

    found = pb.ImportRecordRequest.FromString(apart.value.work(Ledger(MemoryLog())))
    assert found.content == bytes(AT_ONCE_BYTES * 3 // 4)


def test_a_body_of_millions_of_values_is_refused_before_any_is_read() -> None:
    method = DESCRIPTOR.methods_by_name["AppendMoves"]
    with pytest.raises(DecodeApart) as apart:
        json_decoder(method)(Call(method.name, NO_CONTEXT), b'{"moves": [%b' % (b"{}," * 20_000))

    with pytest.raises(CallError, match="more than 8192 fields"):  # and not that the list has no end
        apart.value.work(Ledger(MemoryLog()))


def test_a_stream_that_fails_before_it_begins_has_the_status_of_its_error(running: InProcessService) -> None:
    reply = call(running.web, "ReadRecord", {"matchId": "nobody's"})

    assert (reply.status, reply.json()["reason"]) == (404, "NO_SUCH_MATCH")


def test_an_entry_out_of_range_is_named(running: InProcessService, table: Table) -> None:
    reply = call(running.web, "GetState", {"matchId": table.match, "sequence": 99})

    assert (reply.status, reply.json()["reason"]) == (400, "NO_SUCH_ENTRY")
    assert "99" in str(reply.json()["message"])


def test_protobuf_is_taken_and_answered_as_well(running: InProcessService, table: Table) -> None:
    request = pb.GetMatchRequest(match_id=table.match)

    reply = ask(running.web, f"{PREFIX}GetMatch", request.SerializeToString(), kind="application/proto")

    assert reply.headers["content-type"] == "application/proto"
    assert pb.GetMatchResponse.FromString(reply.body) == running.stub.GetMatch(request)


@pytest.mark.parametrize("form", ["json", "proto"])
def test_clients_of_connect_read_a_stream_in_envelopes(
    running: InProcessService, table: Table, form: str
) -> None:
    request = pb.ReadRecordRequest(match_id=table.match)
    data = to_json(request) if form == "json" else request.SerializeToString()

    reply = ask(
        running.web,
        f"{PREFIX}ReadRecord",
        struct.pack(">BI", 0, len(data)) + data,
        kind=f"application/connect+{form}",
    )

    flags, size = struct.unpack_from(">BI", reply.body)
    message, rest = reply.body[5 : 5 + size], reply.body[5 + size :]
    (expected,) = running.stub.ReadRecord(request)
    found = (
        Parse(message, pb.ReadRecordResponse())
        if form == "json"
        else pb.ReadRecordResponse.FromString(message)
    )
    assert (reply.status, flags, found) == (200, 0, expected)
    assert rest == struct.pack(">BI", 2, 2) + b"{}"


def test_a_long_entry_of_a_stream_is_the_same_in_json_and_in_protobuf(running: InProcessService) -> None:
    tags = [headers.Tag(name=f"Note{number}", value="x" * 1000) for number in range(16)]
    start = pb.StartMatchRequest(request_id="long", game="qin", seats=["green", "violet"], tags=tags)
    request = pb.ReadRecordRequest(match_id=running.stub.StartMatch(start).match.match_id)
    (expected,) = running.stub.ReadRecord(request)
    assert expected.ByteSize() > STREAMED_AT_ONCE_BYTES

    written = ask(running.web, f"{PREFIX}ReadRecord", to_json(request)).body

    assert Parse(written, pb.ReadRecordResponse()) == expected


def test_a_broken_envelope_is_refused(running: InProcessService) -> None:
    reply = ask(running.web, f"{PREFIX}ReadRecord", b"\x01\0\0\0\x05", kind="application/connect+json")

    assert (reply.status, reply.body[0]) == (200, 2)
    assert json.loads(reply.body[5:])["error"]["reason"] == "BAD_PARAMETER"


def test_a_stream_whose_time_is_over_says_so(running: InProcessService, table: Table) -> None:
    reply = call(running.web, "FollowRecord", {"matchId": table.match}, connect_timeout_ms="100")

    header, end = reply.body.splitlines()
    assert json.loads(header)["entry"]["kind"] == "ENTRY_KIND_HEADER"
    assert json.loads(end)["error"]["reason"] == "TIMED_OUT"


@pytest.mark.parametrize("sent", ["soon", "-1", "1e3", "9" * 11, "²"])
def test_a_bad_timeout_is_refused(running: InProcessService, sent: str) -> None:
    reply = call(running.web, "GetMatch", {"matchId": "x"}, connect_timeout_ms=sent)

    assert (reply.status, reply.json()["reason"]) == (400, "BAD_PARAMETER")


def test_tokens_are_required_as_over_grpc(tmp_path: Path) -> None:
    token = new_token(tmp_path / "tokens.json", "club", "recorder")
    with serving(
        tmp_path / "shiji.db", "--web", "127.0.0.1:0", "--tokens", tmp_path / "tokens.json"
    ) as server:
        nobody = call(server.web, "ListMatches", {})
        wrong = call(server.web, "ListMatches", {}, authorization="Bearer wrong")
        events = ask(server.web, "/matches/x/events")
        known = call(server.web, "ListMatches", {}, authorization=f"Bearer {token}")
        over_grpc = server.stub.ListMatches(pb.ListMatchesRequest(), metadata=bearer(token))

    for reply in (nobody, wrong, events):
        assert (reply.status, reply.json()["reason"]) == (401, "NO_CREDENTIALS")
        assert reply.headers["www-authenticate"] == "Bearer"
    assert (known.status, known.body, over_grpc) == (200, b"{}", pb.ListMatchesResponse())


def test_a_client_that_calls_too_often_learns_when_to_try_again(tmp_path: Path) -> None:
    with serving(
        tmp_path / "shiji.db", "--web", "127.0.0.1:0", "--calls-per-second", "0.1", "--calls-burst", "1"
    ) as server:
        first, second = (call(server.web, "ListMatches", {}) for _ in range(2))

    assert (first.status, second.status) == (200, 429)
    assert second.json()["reason"] == "TOO_MANY_CALLS"
    assert 1 <= int(second.headers["retry-after"]) <= 10


@given(st.data())
def test_what_is_written_as_json_is_read_back(data: st.DataObject) -> None:
    method = data.draw(st.sampled_from(list(DESCRIPTOR.methods)))
    message = GetMessageClass(method.input_type)()
    for field in message.DESCRIPTOR.fields:
        if field.type == field.TYPE_STRING and not field.is_repeated:
            setattr(message, field.name, data.draw(st.text(max_size=20)))
        elif field.type == field.TYPE_BYTES and not field.is_repeated:
            setattr(message, field.name, data.draw(st.binary(max_size=20)))
        elif field.type == field.TYPE_UINT64:
            setattr(message, field.name, data.draw(st.integers(0, 2**64 - 1)))
    written = to_json(message)

    assert Parse(written, type(message)()) == message
    assert b"\n" not in written


class WaitingLog(MemoryLog):
    """A log whose entries are read by others than the server's own thread only once the test lets them."""

    def __init__(self) -> None:
        super().__init__()
        self.asked, self.may_read = threading.Event(), threading.Event()

    def read(self, match: MatchId, start: int = 0, limit: int | None = None) -> Iterator[Entry]:
        if threading.current_thread().name.startswith("worker"):
            self.asked.set()
            assert self.may_read.wait(TIMEOUT_SECONDS)
        return super().read(match, start, limit)


@dataclass
class OutcomeCollector(Observer):
    """Notes how calls ended."""

    outcomes: SimpleQueue[CallOutcome] = data_field(default_factory=SimpleQueue)

    def ended(self, call: Call, outcome: CallOutcome) -> None:
        if call.method == "ExportRecord":
            self.outcomes.put(outcome)


def test_a_call_is_cancelled_when_its_client_leaves() -> None:
    log, collector = WaitingLog(), OutcomeCollector()
    with serving_in_process(Ledger(log), options=Options(observers=[collector])) as running:
        match = begin(running.stub).match
        host, _, port = running.web.partition(":")
        body = json.dumps({"matchId": match}).encode()
        head = (
            f"POST {PREFIX}ExportRecord HTTP/1.1\r\nHost: {running.web}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        with socket.create_connection((host, int(port)), TIMEOUT_SECONDS) as client:
            client.sendall(head.encode() + body)
            assert log.asked.wait(TIMEOUT_SECONDS)

        ended = collector.outcomes.get(timeout=TIMEOUT_SECONDS)
        log.may_read.set()

    assert isinstance(ended, Cancelled)
