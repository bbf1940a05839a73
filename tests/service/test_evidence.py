"""Evidence through the service: shares, sealed records, disputes, takebacks, comparisons, personal data."""

import json
import shutil
from collections.abc import Iterator
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest
from shiji import Accepted, Chance, Client, EncodedMove, Seat, SecretKey, Verdict, errors
from shiji.record.v1 import entry_pb2 as entries
from shiji.record.v1 import header_pb2 as headers
from shiji.record.v1 import record_service_pb2 as pb
from shiji.verdict.v1 import verdict_pb2 as verdicts

from records.entry import MatchId
from records.evidence.sealing import commit_share
from records.files.record_file import write_record
from records.log.people import SqliteRegister
from tests.records.matches import MOVES, forged, played
from tests.service.calls import AUDITOR, SPECTATOR, begin, refusal, request_id, seat, text
from tests.service.running import InProcessService, serving_file
from tests.service.servers import serving
from tests.tools.running import run

SHARES = (b"\x01" * 32, b"\x02" * 32)
GREEN, ARBITER = entries.Actor(seat=0, name="green"), entries.Actor(office=entries.OFFICE_ARBITER)


@pytest.fixture
def service(tmp_path: Path) -> Iterator[InProcessService]:
    with serving_file(tmp_path / "archive.db") as running:
        yield running


def start(service: InProcessService, **settings: object) -> pb.StartMatchResponse:
    request = pb.StartMatchRequest(request_id=request_id(), game="qin", seats=["green", "violet"])
    request.MergeFrom(pb.StartMatchRequest(**settings))  # type: ignore[arg-type] # any field of the request
    return service.stub.StartMatch(request)


def test_the_hands_are_dealt_once_all_shares_are_revealed(service: InProcessService) -> None:
    begun = start(service, chance=pb.CHANCE_SERVICE, sharers=[0, 1])
    match, sequences = begun.match.match_id, count(0)
    assert [entry.kind for entry in begun.entries] == [entries.ENTRY_KIND_HEADER]

    for number, share in enumerate(SHARES):
        commitment = commit_share(MatchId(match), number, share)
        service.stub.CommitShare(
            pb.CommitShareRequest(
                match_id=match,
                expected_sequence=next(sequences),
                request_id=request_id(),
                seat=number,
                commitment=commitment,
            )
        )
    early = service.stub.ListLegalMoves(pb.ListLegalMovesRequest(stored=pb.MatchAt(match_id=match)))
    assert not early.moves
    for number, share in enumerate(SHARES):
        service.stub.RevealShare(
            pb.RevealShareRequest(
                match_id=match,
                expected_sequence=next(sequences),
                request_id=request_id(),
                seat=number,
                share=share,
            )
        )

    read = pb.ReadRecordRequest(match_id=match, from_sequence=5, viewer=seat(1))
    texts = [answer.entry.text for answer in service.stub.ReadRecord(read)]
    assert texts[:2] == [
        "chance seals the order of what is drawn",
        "deal green ? ? ?",
    ]
    assert "?" not in texts[2]
    assert service.stub.GetMatch(pb.GetMatchRequest(match_id=match)).match.awaiting == [GREEN]


def test_a_share_that_does_not_match_its_commitment_is_refused(service: InProcessService) -> None:
    match = start(service, chance=pb.CHANCE_SERVICE, sharers=[0]).match.match_id
    service.stub.CommitShare(
        pb.CommitShareRequest(
            match_id=match, request_id=request_id(), commitment=commit_share(MatchId(match), 0, SHARES[0])
        )
    )
    request = pb.RevealShareRequest(
        match_id=match, expected_sequence=1, request_id=request_id(), share=SHARES[1]
    )

    assert refusal(lambda: service.stub.RevealShare(request)).reason == "NOT_VOUCHED"


@pytest.mark.parametrize("viewer", [SPECTATOR, seat(0), seat(1)], ids=["spectator", "green", "violet"])
def test_an_export_of_a_sealed_match_in_progress_is_verified_as_far_as_shown(
    service: InProcessService, viewer: entries.Viewer, tmp_path: Path
) -> None:
    match = start(service, chance=pb.CHANCE_SERVICE).match.match_id
    move = service.stub.ListLegalMoves(pb.ListLegalMovesRequest(stored=pb.MatchAt(match_id=match))).moves[0]
    service.stub.AppendMove(
        pb.AppendMoveRequest(
            match_id=match, expected_sequence=3, request_id=request_id(), move=text(move.text)
        )
    )
    request = pb.ExportRecordRequest(match_id=match, format=pb.RECORD_FORMAT_RECORD, viewer=viewer)
    file = tmp_path / "view.jsonl"
    file.write_bytes(service.stub.ExportRecord(request).content)

    done = run("verify", str(file))

    assert done.exit_code == 3, done.output
    assert "verified as far as shown" in done.output
    assert json.loads(run("verify", "--json", str(file)).output)["verdict"] == "as-shown"
    incomplete = pb.ImportRecordRequest(content=file.read_bytes())
    refused = refusal(lambda: service.stub.ImportRecord(incomplete))
    assert (refused.reason, refused.metadata["verdict"]) == ("RECORD_NOT_VERIFIED", "as-shown")
    whole = pb.ExportRecordRequest(match_id=match, format=pb.RECORD_FORMAT_RECORD, viewer=AUDITOR)
    assert refusal(lambda: service.stub.ExportRecord(whole)).reason == "MATCH_NOT_OVER"


def test_a_server_that_has_lost_a_match_completes_what_it_dealt_when_the_match_is_imported(
    tmp_path: Path,
) -> None:
    lost, found = tmp_path / "lost.db", tmp_path / "found.db"
    with serving_file(lost) as dealer:
        match = start(dealer, chance=pb.CHANCE_SERVICE).match.match_id
        hand = pb.GetStateRequest(match_id=match, viewer=seat(1))
        held = dealer.stub.GetState(hand).position
        export = pb.ExportRecordRequest(match_id=match, format=pb.RECORD_FORMAT_RECORD, viewer=SPECTATOR)
        shown = dealer.stub.ExportRecord(export).content
    shutil.copy(f"{lost}.secret", f"{found}.secret")

    with serving_file(found) as dealer, serving_file(tmp_path / "stranger.db") as stranger:
        request = pb.ImportRecordRequest(content=shown)
        imported = dealer.stub.ImportRecord(request)
        assert (imported.added, imported.copy) == (4, False)
        assert dealer.stub.GetState(hand).position == held
        move = dealer.stub.ListLegalMoves(pb.ListLegalMovesRequest(stored=pb.MatchAt(match_id=match))).moves[
            0
        ]
        dealer.stub.AppendMove(
            pb.AppendMoveRequest(
                match_id=match, expected_sequence=3, request_id=request_id(), move=text(move.text)
            )
        )
        assert refusal(lambda: stranger.stub.ImportRecord(request)).reason == "RECORD_NOT_VERIFIED"


def test_a_match_freezes_until_its_dispute_is_settled(service: InProcessService) -> None:
    match = start(service, disputes=headers.DISPUTE_POLICY_FREEZE).match.match_id
    service.stub.AppendMove(
        pb.AppendMoveRequest(match_id=match, request_id=request_id(), move=text("green Re8Re9"))
    )
    service.stub.OpenDispute(
        pb.OpenDisputeRequest(
            match_id=match,
            expected_sequence=1,
            request_id=request_id(),
            actor=GREEN,
            at_sequence=1,
            claim="I meant e5",
        )
    )
    move = pb.AppendMoveRequest(
        match_id=match, expected_sequence=2, request_id=request_id(), move=text("violet Yg8Bh8")
    )
    assert refusal(lambda: service.stub.AppendMove(move)).reason == "MATCH_FROZEN"

    service.stub.ResolveDispute(
        pb.ResolveDisputeRequest(
            match_id=match, expected_sequence=2, request_id=request_id(), dispute=2, decision="it stands"
        )
    )
    move.expected_sequence = 3

    assert service.stub.AppendMove(move).appended.entries[0].sequence == 4
    texts = [answer.entry.text for answer in service.stub.ReadRecord(pb.ReadRecordRequest(match_id=match))]
    assert texts[2:4] == [
        "green disputes entry 1: I meant e5",
        "arbiter settles the dispute of entry 2: it stands",
    ]


def test_a_granted_takeback_may_be_taken(service: InProcessService) -> None:
    table = begin(service.stub, retract=headers.RETRACT_POLICY_NOBODY)
    match = table.match
    service.stub.AppendMove(
        pb.AppendMoveRequest(match_id=match, request_id=request_id(), move=text("green Re8Re9"))
    )
    back = pb.RetractRequest(match_id=match, expected_sequence=1, request_id=request_id(), actor=GREEN)
    assert refusal(lambda: service.stub.Retract(back)).reason == "RULE_BROKEN"

    service.stub.RequestTakeback(
        pb.RequestTakebackRequest(match_id=match, expected_sequence=1, request_id=request_id(), seat=0)
    )
    service.stub.GrantTakeback(
        pb.GrantTakebackRequest(
            match_id=match, expected_sequence=2, request_id=request_id(), seat=1, request=2
        )
    )
    back.expected_sequence = 3

    assert service.stub.Retract(back).appended.awaiting == [GREEN]
    audit = service.stub.AuditMatch(pb.AuditMatchRequest(match_id=match)).report
    assert audit.verdict == verdicts.VERDICT_VERIFIED


def test_no_takeback_past_a_draw_can_be_asked_for(service: InProcessService) -> None:
    table = begin(service.stub, chance=pb.CHANCE_RECORDED)
    table.play("deal green RR RY RB", "deal violet YY YB BB", "green Re8Re9", "draw RR", "violet Yg8Bh8")

    def ask(to_sequence: int) -> pb.RequestTakebackResponse:
        return service.stub.RequestTakeback(
            pb.RequestTakebackRequest(
                match_id=table.match,
                expected_sequence=table.last,
                request_id=request_id(),
                seat=1,
                to_sequence=to_sequence,
            )
        )

    error = refusal(lambda: ask(2))
    assert error.reason == "RULE_BROKEN"
    assert "entry 4" in error.message
    assert ask(4).appended.entries[0].text.startswith("violet")


def test_seats_sign_where_hands_are_hidden(service: InProcessService) -> None:
    keys = [SecretKey(bytes([number]) * 32) for number in (1, 2)]
    with Client(service.address) as client:
        begun = client.start_match(
            "qin", ["green", "violet"], chance=Chance.RECORDED, seat_keys=[key.public for key in keys]
        )
        match = begun.match.id
        client.append(match, "deal green RR RY RB", after=0)
        dealt = client.append(match, "deal violet YY YB BB", after=1)
        move = EncodedMove(Seat(0), next(iter(client.legal_moves(match))).data)
        with pytest.raises(errors.NotSigned):
            client.append(match, move, after=2)
        assert isinstance(dealt, Accepted)

        signed = client.append(match, move, after=dealt.entries[-1], key=keys[0])

        assert isinstance(signed, Accepted)
        assert signed.entries[0].signature
        assert client.audit_match(match).verdict is Verdict.VERIFIED


def test_two_records_are_compared_and_each_is_judged(service: InProcessService) -> None:
    match = begin(service.stub).match
    for sequence, move in enumerate(("green Re8Re9", "violet Yg8Bh8")):
        service.stub.AppendMove(
            pb.AppendMoveRequest(
                match_id=match, expected_sequence=sequence, request_id=request_id(), move=text(move)
            )
        )
    request = pb.ExportRecordRequest(match_id=match, format=pb.RECORD_FORMAT_RECORD)
    lines = service.stub.ExportRecord(request).content.split(b"\n")
    forged = b"\n".join([*lines[:3], lines[3].replace(b'"actor":1', b'"actor":0'), b""])

    compared = service.stub.CompareRecords(
        pb.CompareRecordsRequest(
            one=pb.ComparedRecord(match_id=match), other=pb.ComparedRecord(content=forged)
        )
    )

    assert compared.one.report.verdict == verdicts.VERDICT_VERIFIED
    assert compared.other.report.verdict == verdicts.VERDICT_CORRUPT
    assert (compared.one.in_log, compared.other.report.first_bad) == (3, 2)


def test_two_records_are_compared_by_the_hashes_of_their_entries(service: InProcessService) -> None:
    match = begin(service.stub).match
    one, other = (
        write_record(forged(played(*MOVES[:3]), 2, request=request)) for request in ("one", "other")
    )

    compared = service.stub.CompareRecords(
        pb.CompareRecordsRequest(
            one=pb.ComparedRecord(content=b"".join(one)), other=pb.ComparedRecord(content=b"".join(other))
        )
    )
    with_another = service.stub.CompareRecords(
        pb.CompareRecordsRequest(
            one=pb.ComparedRecord(content=b"".join(write_record(played(*MOVES[:3])))),
            other=pb.ComparedRecord(match_id=match),
        )
    )

    assert (compared.common, compared.one.next, compared.other.next) == (2, MOVES[1], MOVES[1])
    assert (with_another.common, with_another.one.next, with_another.other.next) == (0, "", "")


def test_a_match_still_verifies_after_personal_data_is_deleted(tmp_path: Path) -> None:
    path = tmp_path / "archive.db"
    with serving(path) as server:
        person = pb.Person(seat=1, person_id="p-1", field="name", value="Anna Example")
        begun = server.stub.StartMatch(
            pb.StartMatchRequest(
                request_id=request_id(), game="qin", seats=["green", "violet"], people=[person]
            )
        )
        match = begun.match.match_id
        known = entries.KnownPerson(seat=1, field="name", value="Anna Example")
        assert list(begun.match.people) == [known]

        with closing(SqliteRegister(path)) as register:
            register.forget("p-1")

        assert not server.stub.GetMatch(pb.GetMatchRequest(match_id=match)).match.people
        audit = server.stub.AuditMatch(pb.AuditMatchRequest(match_id=match)).report
        assert audit.verdict == verdicts.VERDICT_VERIFIED


def test_no_personal_data_is_stored_where_the_match_cannot_start(tmp_path: Path) -> None:
    path = tmp_path / "archive.db"
    with serving(path) as server:
        person = pb.Person(person_id="p-1", field="name", value="Anna Example")
        request = pb.StartMatchRequest(
            request_id=request_id(), game="qin", seats=["green", "green"], people=[person]
        )
        assert refusal(lambda: server.stub.StartMatch(request)).reason == "BAD_SETUP"

    with closing(SqliteRegister(path)) as register:
        assert register.forget("p-1") == 0


@pytest.mark.parametrize(
    ("person", "field"),
    [
        (pb.Person(seat=2, person_id="p", field="name", value="x"), "people[0].seat"),
        (pb.Person(field="name", value="x"), "people[0].person_id"),
        (pb.Person(person_id="p", value="x"), "people[0].field"),
        (pb.Person(person_id="p", field="name", value="x" * 501), "people[0].value"),
    ],
)
def test_personal_data_has_limits(service: InProcessService, person: pb.Person, field: str) -> None:
    request = pb.StartMatchRequest(
        request_id=request_id(), game="qin", seats=["green", "violet"], people=[person]
    )

    assert refusal(lambda: service.stub.StartMatch(request)).metadata["field"] == field


@pytest.mark.parametrize("number", [2, 500, 32_767, 32_768, 2**32 - 1])
def test_a_seat_that_the_match_does_not_have_is_refused_by_its_field(
    service: InProcessService, number: int
) -> None:
    match, stub = start(service).match.match_id, service.stub
    stranger = entries.Actor(seat=number)
    by_actor = [
        lambda: stub.OpenDispute(pb.OpenDisputeRequest(match_id=match, request_id="x", actor=stranger)),
        lambda: stub.RotateKey(pb.RotateKeyRequest(match_id=match, request_id="x", actor=stranger)),
    ]
    by_seat = [
        lambda: stub.RequestTakeback(pb.RequestTakebackRequest(match_id=match, request_id="x", seat=number)),
        lambda: stub.GrantTakeback(pb.GrantTakebackRequest(match_id=match, request_id="x", seat=number)),
        lambda: stub.CommitShare(pb.CommitShareRequest(match_id=match, request_id="x", seat=number)),
        lambda: stub.RevealShare(pb.RevealShareRequest(match_id=match, request_id="x", seat=number)),
    ]

    assert {refusal(call).metadata["field"] for call in by_actor} == {"actor"}
    assert {refusal(call).metadata["field"] for call in by_seat} == {"seat"}
    assert stub.GetMatch(pb.GetMatchRequest(match_id=match)).match.sequence == 0


def test_text_that_would_steer_a_terminal_is_refused_by_its_field(service: InProcessService) -> None:
    match = start(service).match.match_id
    bad = "ring \a"

    def disputed(request: str, claim: str) -> object:
        asked = pb.OpenDisputeRequest(match_id=match, request_id=request, actor=GREEN, claim=claim)
        return service.stub.OpenDispute(asked)

    for call, field in (
        (lambda: disputed("x", bad), "claim"),
        (lambda: disputed(bad, "x"), "request_id"),
        (lambda: start(service, tags=[headers.Tag(name="Event", value="\u202eevil")]), "tags[0].value"),
        (
            lambda: start(service, people=[pb.Person(seat=0, person_id="p", field="name", value=bad)]),
            "people[0].value",
        ),
    ):
        error = refusal(call)

        assert (error.reason, error.metadata) == ("BAD_FIELD", {"field": field})
