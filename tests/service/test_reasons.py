"""Every reason for which a call can fail is provoked, here or in a test that names it."""

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import structs
from shiji import Client
from shiji.record.v1 import entry_pb2 as messages
from shiji.record.v1 import header_pb2 as headers
from shiji.record.v1 import record_service_pb2 as pb

from records.entry import Entry, MatchId, with_hash
from records.ledger import ledger as ledgers
from records.ledger import room
from records.ledger.ledger import Ledger
from records.ledger.transfer import VerifiedImport, judge, store
from records.log.contract import NEW, Append
from records.log.memory import MemoryLog
from records.log.sqlite import SqliteLog
from service.errors import Reason
from service.rpc import DESCRIPTOR
from tests.records.archives import damage, make
from tests.records.matches import MOVES, played
from tests.service.calls import Table, begin, refusal, request_id, text
from tests.service.running import InProcessService, Options, serving_in_process
from tools.dev.golden_version_2 import FOLDER as GOLDEN

NOT_PROVOKED = {
    "INTERNAL": "a request that provokes it is a bug, which is fixed",
}
"""Reasons that no test provokes, and why."""


ILLEGAL = """[Format "shiji/1"]
[Game "qin"]
[Edition "qin/1"]
[Rulings ""]
[Board "bird"]
[Seats "green violet"]
[Draws "unrecorded"]
[Result "*"]

1. green Ra2Rb2
"""


def starting(
    game: str = "qin", edition: str = "", seats: str = "green violet", ruling: str = "", option: str = ""
) -> pb.StartMatchRequest:
    return pb.StartMatchRequest(
        request_id=request_id(),
        game=game,
        edition=edition,
        seats=seats.split(),
        rulings=[headers.Ruling(name=ruling, value="x")] if ruling else [],
        options=[headers.Option(name=option, value="x")] if option else [],
    )


def garbled(at: InProcessService) -> object:
    path = f"/{DESCRIPTOR.full_name}/GetMatch"
    return at.channel.unary_unary(path, lambda data: data, lambda data: data)(b"\xff\xff")


def reused(table: Table) -> object:
    for move in MOVES[:2]:
        table.stub.AppendMove(table.append_request(move, "the same"))
        table.last += 1
    return None


def taken(table: Table) -> object:
    table.play(*MOVES[:2])
    table.last = 1
    return table.play(MOVES[1])


def another_record(table: Table) -> object:
    table.play(*MOVES[:2])
    export = pb.ExportRecordRequest(match_id=table.match, format=pb.RECORD_FORMAT_RECORD)
    content = table.stub.ExportRecord(export).content
    stub, ours = table.stub, table.match
    with serving_in_process(Ledger(MemoryLog(), new_id=lambda: MatchId(ours))) as elsewhere:
        other = begin(elsewhere.stub)
        other.play(MOVES[0])
        theirs = elsewhere.stub.ExportRecord(
            pb.ExportRecordRequest(match_id=ours, format=pb.RECORD_FORMAT_RECORD)
        )
    assert content != theirs.content
    return stub.ImportRecord(pb.ImportRecordRequest(content=theirs.content))


PROVOKED: dict[str, Callable[[InProcessService], object]] = {
    "BAD_FIELD": lambda at: at.stub.GetMatch(pb.GetMatchRequest()),
    "UNREADABLE_REQUEST": garbled,
    "UNREADABLE_MOVE": lambda at: begin(at.stub).play("green hello"),
    "UNREADABLE_RECORD": lambda at: at.stub.ImportRecord(pb.ImportRecordRequest(content=b"hello")),
    "BAD_SETUP": lambda at: at.stub.StartMatch(starting(seats="alone")),
    "BAD_PAGE_TOKEN": lambda at: at.stub.ListMatches(pb.ListMatchesRequest(page_token="x")),  # noqa: S106 - a page's
    "NO_SUCH_MATCH": lambda at: at.stub.GetMatch(pb.GetMatchRequest(match_id="nowhere")),
    "NO_SUCH_ENTRY": lambda at: at.stub.GetState(
        pb.GetStateRequest(match_id=begin(at.stub).match, sequence=9)
    ),
    "RULE_BROKEN": lambda at: begin(at.stub).play("green Ra2Rb2"),
    "RECORD_NOT_VERIFIED": lambda at: at.stub.CheckMove(
        pb.CheckMoveRequest(transcript=ILLEGAL, move=text(MOVES[0]))
    ),
    "NOTHING_TO_RETRACT": lambda at: at.stub.Retract(begin(at.stub).retract_request(0)),
    "MATCH_NOT_OVER": lambda at: at.stub.ExportRecord(
        pb.ExportRecordRequest(match_id=begin(at.stub, chance=pb.CHANCE_SERVICE).match)
    ),
    "SEQUENCE_TAKEN": lambda at: taken(begin(at.stub)),
    "REQUEST_REUSED": lambda at: reused(begin(at.stub)),
    "RECORD_EXISTS": lambda at: another_record(begin(at.stub)),
    "UNKNOWN_GAME": lambda at: at.stub.StartMatch(starting(game="go")),
    "UNKNOWN_EDITION": lambda at: at.stub.StartMatch(starting(edition="qin/99")),
    "UNKNOWN_RULING": lambda at: at.stub.StartMatch(starting(ruling="no-such-ruling")),
    "UNKNOWN_OPTION": lambda at: at.stub.StartMatch(starting(option="no-such-option")),
}


@pytest.mark.parametrize("name", PROVOKED)
def test_an_error_has_its_code_a_message_and_only_documented_metadata(
    running: InProcessService, name: str
) -> None:
    error = refusal(lambda: PROVOKED[name](running))

    assert error.reason == name
    assert error.message
    assert set(error.metadata) <= set(Reason[name].value.metadata)
    assert all(error.metadata.values())


def stored(*entries: Entry) -> Ledger:
    """A ledger over a record that is stored as it is, even if it is damaged."""
    log = MemoryLog()
    log.write([Append(entries[0].match, NEW, entries)])
    return Ledger(log)


def test_an_entry_of_a_newer_build_is_refused() -> None:
    first, second = played(MOVES[0])
    strange = with_hash(structs.replace(second, kind=99))
    with serving_in_process(stored(first, strange)) as running:
        error = refusal(lambda: running.stub.GetMatch(pb.GetMatchRequest(match_id=first.match)))

    assert (error.reason, error.metadata["sequence"]) == ("UNKNOWN_ENTRY", "1")


def test_a_damaged_record_is_refused_with_its_entry_and_affects_no_other() -> None:
    first, second = played(MOVES[0])
    damaged = with_hash(structs.replace(second, events=b"\xff"))
    with serving_in_process(stored(first, damaged)) as running:
        error = refusal(lambda: running.stub.GetMatch(pb.GetMatchRequest(match_id=first.match)))
        table = begin(running.stub)
        table.play(*MOVES)
        for state in pb.MatchState.values():
            bad, *good = running.stub.ListMatches(pb.ListMatchesRequest(state=state)).matches

            assert (bad.match_id, bad.header.game) == (first.match, "qin")
            assert [seat.name for seat in bad.header.seats] == ["green", "violet"]
            assert bad.damage.startswith(f"entry 1 of match {first.match}: ")
            assert [match.match_id for match in good] == (
                [] if state in {pb.MATCH_STATE_OVER, pb.MATCH_STATE_DAMAGED} else [table.match]
            )
            assert not any(match.damage for match in good)

    assert (error.reason, error.metadata["sequence"]) == ("CORRUPT_RECORD", "1")


def test_every_match_of_a_damaged_archive_is_listed(tmp_path: Path) -> None:
    db = tmp_path / "archive.db"
    matches = make(db, 12)
    damage(db, "UPDATE entry SET move = x'ff' WHERE match = 2 AND sequence = 1")
    damage(db, "DELETE FROM entry WHERE match = 5 AND sequence = 2")
    damage(db, "UPDATE entry SET hash = zeroblob(32) WHERE match = 7 AND sequence = 0")
    damage(db, "UPDATE match SET seats = '[' WHERE number = 9")
    with (
        SqliteLog.open(db) as log,
        serving_in_process(Ledger(log)) as running,
        Client(running.address) as client,
    ):
        listed = list(client.matches(seat="green"))

    assert [match.id for match in listed] == matches
    assert [number for number, match in enumerate(listed, start=1) if match.damage] == [2, 5, 7]


def test_a_record_that_is_full_takes_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledgers, "MOST_PLAYED_ENTRIES", 2)  # the real limit would take long to reach
    with serving_in_process(Ledger(MemoryLog())) as running:
        table = begin(running.stub)
        table.play(*MOVES[:2])

        assert refusal(lambda: table.play(MOVES[2])).reason == "RECORD_FULL"


def test_a_seat_that_disputes_again_and_again_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "MOST_NOTICES_EACH", 1)
    with serving_in_process(Ledger(MemoryLog())) as running:
        table = begin(running.stub)

        def dispute(after: int) -> object:
            return running.stub.OpenDispute(
                pb.OpenDisputeRequest(
                    match_id=table.match,
                    expected_sequence=after,
                    request_id=f"dispute {after}",
                    actor=messages.Actor(seat=0),
                    claim="why?",
                )
            )

        dispute(0)

        assert refusal(lambda: dispute(1)).reason == "TOO_MANY_NOTICES"


def test_a_copy_is_read_and_not_played_on() -> None:
    copied = judge((GOLDEN / "sealed-spectator.jsonl").read_bytes(), as_shown=True)
    assert isinstance(copied, VerifiedImport)
    log = MemoryLog()
    store(log, [copied])
    match, last = copied.entries[0].match, copied.entries[-1].sequence
    with serving_in_process(Ledger(log)) as running:
        request = pb.AppendMoveRequest(
            match_id=match, expected_sequence=last, request_id="on", move=text("green pass")
        )
        error = refusal(lambda: running.stub.AppendMove(request))
        read = list(running.stub.ReadRecord(pb.ReadRecordRequest(match_id=match)))

    assert (error.reason, error.metadata) == ("RECORD_IS_COPY", {"match_id": match})
    assert len(read) == last + 1


def test_an_answer_that_is_too_large_is_not_sent() -> None:
    with serving_in_process(Ledger(MemoryLog()), options=Options(max_response_bytes=100)) as running:
        table = begin(running.stub)

        error = refusal(lambda: running.stub.ExportRecord(pb.ExportRecordRequest(match_id=table.match)))

    assert error.reason == "TOO_LARGE"


def test_an_error_that_quotes_a_large_request_still_fits_into_trailers(running: InProcessService) -> None:
    request = starting()
    request.components = "史" * 60_000
    error = refusal(lambda: running.stub.StartMatch(request))

    assert error.reason == "BAD_SETUP"
    assert len(error.message) <= 500


@pytest.mark.parametrize("reason", Reason, ids=lambda reason: reason.name)
def test_every_reason_is_named_by_a_test_or_cannot_be_provoked(reason: Reason) -> None:
    in_python = "".join(map(str.title, reason.name.split("_")))
    names = (f'"{reason.name}"', f"Reason.{reason.name}", f"errors.{in_python}")
    tests = [file.read_text("utf-8") for file in Path(__file__).parent.rglob("test_*.py")]

    assert reason.name in NOT_PROVOKED or any(name in test for name in names for test in tests)
