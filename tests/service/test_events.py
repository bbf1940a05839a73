"""The entries of a match as server-sent events: complete, in order, resumed without a gap or a repetition."""

import http.client
import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shiji.record.v1 import record_service_pb2 as pb
from shiji.record.v1.record_service_pb2_grpc import RecordServiceStub

from tests.service.calls import SPECTATOR, Table, begin, seat
from tests.service.http_calls import TIMEOUT_SECONDS, ask
from tests.service.observed import wait_until
from tests.service.running import InProcessService, serving_file
from tests.service.servers import serving

MOVES = ("green Re8Re9", "violet Yg8Bh8", "green pass", "violet pass")


@contextmanager
def events(address: str, match: str, **headers: str) -> Iterator[Iterator[tuple[str, str, object]]]:
    """The events of a match: kind, id and data of each."""
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    with closing(http.client.HTTPConnection(address, timeout=TIMEOUT_SECONDS)) as connection:
        connection.request("GET", f"/matches/{match}/events", headers=sent)
        with closing(connection.getresponse()) as response:
            assert response.status == 200, response.read()
            assert response.headers["content-type"] == "text/event-stream"
            yield parsed(response)


def parsed(lines: Iterator[bytes]) -> Iterator[tuple[str, str, object]]:
    fields = dict[str, str]()
    for line in lines:
        name, _, value = line.decode().rstrip("\n").partition(": ")
        if value:
            fields[name] = value
        elif fields:
            yield fields["event"], fields.get("id", ""), json.loads(fields["data"])
            fields = {}


def first_of(
    stub: RecordServiceStub, request: pb.FollowRecordRequest, most: int
) -> list[pb.FollowRecordResponse]:
    """The first responses of a stream that would go on."""
    stream = stub.FollowRecord(request)
    found = list(islice(stream, most))
    stream.cancel()
    return found


@pytest.fixture(scope="module")
def played(running: InProcessService) -> Table:
    table = begin(running.stub)
    table.play(*MOVES[:3])
    return table


def test_each_event_has_the_text_of_the_move_and_the_state_after_it(
    running: InProcessService, played: Table
) -> None:
    with events(running.web, played.match) as stream:
        found = list(islice(stream, 4))

    for sequence, (kind, number, data) in enumerate(found):
        request = pb.GetStateRequest(match_id=played.match, sequence=sequence)
        state = running.stub.GetState(request)
        assert isinstance(data, dict)
        assert (kind, number) == ("entry", str(sequence))
        assert data["entry"].get("text", "") == ("", *MOVES)[sequence]
        assert (data["position"], data["turn"]) == (state.position, state.turn)
        assert data["awaiting"] == [{"seat": actor.seat, "name": actor.name} for actor in state.awaiting]


@settings(max_examples=20, deadline=None)
@given(last=st.integers(-1, 3))
def test_a_client_that_was_cut_off_goes_on_with_the_next_entry(
    running: InProcessService, played: Table, last: int
) -> None:
    sent = {"last_event_id": str(last)} if last >= 0 else {}

    with events(running.web, played.match, **sent) as stream:
        found = [number for _, number, _ in islice(stream, 3 - last)]

    assert found == [str(sequence) for sequence in range(last + 1, 4)]


def test_a_new_entry_arrives_at_once(running: InProcessService) -> None:
    table = begin(running.stub)
    with events(running.web, table.match, last_event_id="0") as stream:
        table.play(MOVES[0])

        kind, number, data = next(stream)

    assert (kind, number) == ("entry", "1")
    assert isinstance(data, dict)
    assert data["entry"]["text"] == MOVES[0]


def test_what_follow_record_returns_on_request_is_the_same(running: InProcessService, played: Table) -> None:
    request = pb.FollowRecordRequest(match_id=played.match, with_state=True)

    over_grpc = first_of(running.stub, request, 4)
    over_http = first_of(running.over_http().stub, request, 4)

    assert over_grpc == over_http
    assert all(each.position and each.turn for each in over_grpc)


def test_without_the_request_there_is_no_state(running: InProcessService, played: Table) -> None:
    (first,) = first_of(running.stub, pb.FollowRecordRequest(match_id=played.match), 1)

    assert (first.position, first.turn, list(first.awaiting)) == ("", "", [])


def test_a_seat_sees_its_own_hand_in_the_position_and_no_other(running: InProcessService) -> None:
    table = begin(running.stub, chance=pb.CHANCE_SERVICE)
    with events(running.web, f"{table.match}") as stream:
        spectator = [data for _, _, data in islice(stream, table.last + 1)]
    request = pb.FollowRecordRequest(match_id=table.match, viewer=seat(0), with_state=True)
    own = first_of(running.over_http().stub, request, table.last + 1)

    assert isinstance(spectator[-1], dict)
    assert spectator[-1]["position"] == table.state(SPECTATOR).position
    assert own[-1].position == table.state(seat(0)).position != spectator[-1]["position"]


@pytest.mark.parametrize(
    ("path", "headers", "status", "words"),
    [
        ("/matches/nobody/events", {}, 404, "there is no match nobody"),
        ("/matches/MATCH/events", {"last_event_id": "99"}, 400, "100"),
        ("/matches/MATCH/events?from=99", {}, 400, "99"),
        ("/matches/MATCH/events?from=x", {}, 400, "from takes the sequence of an entry"),
        ("/matches/MATCH/events?as=me", {}, 400, "as takes spectator, auditor"),
        ("/matches/MATCH/events?as=9", {}, 400, "seats 0 to 1"),
        ("/matches/MATCH/events?token=x", {}, 400, "'token' is not known here"),
        ("/matches/MATCH/events?as=0&as=1", {}, 400, "given twice"),
        ("/matches/MATCH/events", {"last_event_id": "x"}, 400, "last-event-id takes the sequence"),
        (f"/matches/{'x' * 101}/events", {}, 400, "100 characters"),
        ("/matches//events", {}, 404, "nothing at"),
    ],
)
def test_a_stream_that_cannot_be_is_refused_with_the_reason(  # noqa: PLR0913, PLR0917 - one per case
    running: InProcessService, played: Table, path: str, headers: dict[str, str], status: int, words: str
) -> None:
    reply = ask(running.web, path.replace("MATCH", played.match), **headers)

    assert reply.status == status, reply.body
    assert words in str(reply.json()["message"])


def test_too_many_streams_are_refused_until_one_ends(tmp_path: Path) -> None:
    limits = ("--max-followers-per-client", "1", "--max-followers", "1")
    with serving(tmp_path / "shiji.db", "--web", "127.0.0.1:0", *limits) as server:
        match = begin(server.stub).match
        with events(server.web, match) as stream:
            next(stream)
            refused = ask(server.web, f"/matches/{match}/events")
            over_grpc = server.stub.FollowRecord(pb.FollowRecordRequest(match_id=match))
            with pytest.raises(Exception, match="max-followers"):
                next(iter(over_grpc))

        def follows_again() -> bool:
            with events(server.web, match) as stream:
                return next(stream)[0] == "entry"

        wait_until(lambda: ask(server.web, f"/matches/{match}/events?from=99").status == 400)
        again = follows_again()

    assert (refused.status, refused.json()["reason"]) == (429, "TOO_MANY_CALLS")
    assert int(refused.headers["retry-after"]) >= 1
    assert again


def test_a_server_that_stops_says_so_to_those_who_follow(tmp_path: Path) -> None:
    with serving_file(tmp_path / "archive.db") as running:
        match = begin(running.stub).match
        with events(running.web, match) as stream:
            next(stream)
            running.drain()
            kind, _, data = next(stream)

    assert kind == "error"
    assert isinstance(data, dict)
    assert (data["reason"], data["details"][0]["debug"]["metadata"]) == ("DRAINING", {"resume_from": "1"})


def test_a_follower_that_leaves_is_no_longer_counted(running: InProcessService) -> None:
    match, before = begin(running.stub).match, running.feed.followers
    with events(running.web, match) as stream:
        next(stream)
        assert running.feed.followers == before + 1

    wait_until(lambda: running.feed.followers == before)
