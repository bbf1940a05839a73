"""What each role may do, method by method, on a server that requires tokens."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import TypeAlias

import grpc
import pytest
from grpc import StatusCode
from shiji.record.v1 import entry_pb2 as entries
from shiji.record.v1 import header_pb2 as headers
from shiji.record.v1 import record_service_pb2 as pb
from shiji.record.v1.record_service_pb2_grpc import RecordServiceStub

from service.rpc import DESCRIPTOR
from tests.service.servers import TIMEOUT_SECONDS, bearer, refusal_of, refused, serving
from tests.service.tokens import new_token
from tests.tools.running import run

Metadata: TypeAlias = tuple[tuple[str, str], ...]
Call: TypeAlias = Callable[[RecordServiceStub, str, Metadata], object]
"""A call about a match; it returns the reason where a move is refused within a stream."""

GREEN = entries.Viewer(seat=0)
VIOLET = entries.Viewer(seat=1)
SPECTATOR = entries.Viewer(onlooker=entries.ONLOOKER_SPECTATOR)
AUDITOR = entries.Viewer(onlooker=entries.ONLOOKER_AUDITOR)

TRANSCRIPT = """\
[Format "shiji/1"]
[Game "qin"]
[Edition "qin/1"]
[Rulings ""]
[Board "bird"]
[Seats "green violet"]
[Draws "unrecorded"]
[Result "*"]
[Event "{}"]

1. green Re8Re9
"""

_NUMBERS = count()


def unique() -> str:
    """An id for a request."""
    return f"request {next(_NUMBERS)}"


@dataclass(frozen=True, slots=True)
class Server:
    """A server that requires tokens, and the tokens of three roles."""

    stub: RecordServiceStub
    tokens: Mapping[str, str]

    def start(self, chance: pb.Chance.ValueType = pb.CHANCE_UNRECORDED) -> pb.StartMatchResponse:
        """A match of green and violet, in which any seat may retract."""
        request = pb.StartMatchRequest(
            request_id=unique(),
            game="qin",
            components="bird",
            seats=["green", "violet"],
            chance=chance,
            retract=headers.RETRACT_POLICY_ANY_SEAT,
        )
        return self.stub.StartMatch(
            request, metadata=bearer(self.tokens["recorder"]), timeout=TIMEOUT_SECONDS
        )


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder: Path = tmp_path_factory.mktemp("roles")
    file = folder / "tokens"
    tokens = {role: new_token(file, role, role) for role in ("admin", "recorder", "auditor")}
    run("keygen", "--kind", "log", "--name", "example.com/shiji", "--out", folder / "log.key")
    with serving(folder / "shiji.db", "--tokens", file, "--log-key", folder / "log.key") as running:
        yield Server(running.stub, tokens)


def _append(match: str) -> pb.AppendMoveRequest:
    move = entries.Move(text="green Re8Re9")
    return pb.AppendMoveRequest(match_id=match, request_id=unique(), move=move)


def _append_move(stub: RecordServiceStub, match: str, metadata: Metadata) -> None:
    stub.AppendMove(_append(match), metadata=metadata, timeout=TIMEOUT_SECONDS)


def _append_moves(stub: RecordServiceStub, match: str, metadata: Metadata) -> None:
    moves = [entries.Move(text="green Re8Re9")]
    request = pb.AppendMovesRequest(match_id=match, request_id=unique(), moves=moves)
    stub.AppendMoves(request, metadata=metadata, timeout=TIMEOUT_SECONDS)


def _play(stub: RecordServiceStub, match: str, metadata: Metadata) -> str:
    (answer,) = stub.Play(
        iter([pb.PlayRequest(append=_append(match))]), metadata=metadata, timeout=TIMEOUT_SECONDS
    )
    return answer.refused.reason


def _retract(actor: entries.Actor | None) -> Call:
    def call(stub: RecordServiceStub, match: str, metadata: Metadata) -> None:
        request = pb.RetractRequest(match_id=match, request_id=unique(), actor=actor, expected_sequence=1)
        stub.Retract(request, metadata=metadata, timeout=TIMEOUT_SECONDS)

    return call


def _rotate_key(stub: RecordServiceStub, match: str, metadata: Metadata) -> None:
    request = pb.RotateKeyRequest(match_id=match, request_id=unique(), actor=entries.Actor(seat=0))
    try:
        stub.RotateKey(request, metadata=metadata, timeout=TIMEOUT_SECONDS)
    except grpc.RpcError as fault:
        if refusal_of(fault).reason != "NOT_SIGNED":  # checked only after the role
            raise


def _commit_share(stub: RecordServiceStub, match: str, metadata: Metadata) -> None:
    request = pb.CommitShareRequest(match_id=match, request_id=unique(), seat=0)
    with _not_now():
        stub.CommitShare(request, metadata=metadata, timeout=TIMEOUT_SECONDS)


def _reveal_share(stub: RecordServiceStub, match: str, metadata: Metadata) -> None:
    request = pb.RevealShareRequest(match_id=match, request_id=unique(), seat=0)
    with _not_now():
        stub.RevealShare(request, metadata=metadata, timeout=TIMEOUT_SECONDS)


def _open_dispute(stub: RecordServiceStub, match: str, metadata: Metadata) -> None:
    request = pb.OpenDisputeRequest(match_id=match, request_id=unique(), actor=entries.Actor(seat=0))
    stub.OpenDispute(request, metadata=metadata, timeout=TIMEOUT_SECONDS)


def _resolve_dispute(stub: RecordServiceStub, match: str, metadata: Metadata) -> None:
    request = pb.ResolveDisputeRequest(match_id=match, request_id=unique(), dispute=1)
    with _not_now():
        stub.ResolveDispute(request, metadata=metadata, timeout=TIMEOUT_SECONDS)


def _request_takeback(stub: RecordServiceStub, match: str, metadata: Metadata) -> None:
    request = pb.RequestTakebackRequest(match_id=match, request_id=unique(), seat=0)
    with _not_now():
        stub.RequestTakeback(request, metadata=metadata, timeout=TIMEOUT_SECONDS)


def _grant_takeback(stub: RecordServiceStub, match: str, metadata: Metadata) -> None:
    request = pb.GrantTakebackRequest(match_id=match, request_id=unique(), seat=0, request=1)
    with _not_now():
        stub.GrantTakeback(request, metadata=metadata, timeout=TIMEOUT_SECONDS)


def _choose(stub: RecordServiceStub, match: str, metadata: Metadata) -> None:
    move = entries.Move(text="green pass")
    request = pb.ChooseRequest(match_id=match, request_id=unique(), move=move, salt=bytes(32))
    with _not_now():
        stub.Choose(request, metadata=metadata, timeout=TIMEOUT_SECONDS)


def _seal_choice(stub: RecordServiceStub, match: str, metadata: Metadata) -> None:
    request = pb.SealChoiceRequest(match_id=match, request_id=unique(), seat=0, digest=bytes(32))
    with _not_now():
        stub.SealChoice(request, metadata=metadata, timeout=TIMEOUT_SECONDS)


def _open_choice(stub: RecordServiceStub, match: str, metadata: Metadata) -> None:
    move = entries.Move(text="green pass")
    request = pb.OpenChoiceRequest(match_id=match, request_id=unique(), move=move, salt=bytes(32))
    with _not_now():
        stub.OpenChoice(request, metadata=metadata, timeout=TIMEOUT_SECONDS)


def _answer_for(stub: RecordServiceStub, match: str, metadata: Metadata) -> None:
    request = pb.AnswerForRequest(match_id=match, request_id=unique(), move=entries.Move(text="green pass"))
    with _not_now():
        stub.AnswerFor(request, metadata=metadata, timeout=TIMEOUT_SECONDS)


def _close_match(stub: RecordServiceStub, match: str, metadata: Metadata) -> None:
    request = pb.CloseMatchRequest(match_id=match, request_id=unique())
    stub.CloseMatch(request, metadata=metadata, timeout=TIMEOUT_SECONDS)


def _compare_records(stub: RecordServiceStub, match: str, metadata: Metadata) -> None:
    record = pb.ComparedRecord(match_id=match)
    request = pb.CompareRecordsRequest(one=record, other=record)
    stub.CompareRecords(request, metadata=metadata, timeout=TIMEOUT_SECONDS)


@contextmanager
def _not_now() -> Iterator[None]:
    try:
        yield
    except grpc.RpcError as fault:
        if refusal_of(fault).reason != "NOT_VOUCHED":  # checked only after the role
            raise


def _start_match(stub: RecordServiceStub, _match: str, metadata: Metadata) -> None:
    request = pb.StartMatchRequest(request_id=unique(), game="qin", seats=["a", "b"])
    stub.StartMatch(request, metadata=metadata, timeout=TIMEOUT_SECONDS)


def _check_move(stub: RecordServiceStub, match: str, metadata: Metadata) -> None:
    move = entries.Move(text="green Re8Re9")
    request = pb.CheckMoveRequest(stored=pb.MatchAt(match_id=match), move=move)
    stub.CheckMove(request, metadata=metadata, timeout=TIMEOUT_SECONDS)


def _list_legal_moves(stub: RecordServiceStub, match: str, metadata: Metadata) -> None:
    request = pb.ListLegalMovesRequest(stored=pb.MatchAt(match_id=match), page_size=1)
    stub.ListLegalMoves(request, metadata=metadata, timeout=TIMEOUT_SECONDS)


def _get_match(stub: RecordServiceStub, match: str, metadata: Metadata) -> None:
    stub.GetMatch(pb.GetMatchRequest(match_id=match), metadata=metadata, timeout=TIMEOUT_SECONDS)


def _list_matches(stub: RecordServiceStub, _match: str, metadata: Metadata) -> None:
    stub.ListMatches(pb.ListMatchesRequest(), metadata=metadata, timeout=TIMEOUT_SECONDS)


def _get_state(viewer: entries.Viewer) -> Call:
    def call(stub: RecordServiceStub, match: str, metadata: Metadata) -> None:
        request = pb.GetStateRequest(match_id=match, viewer=viewer)
        stub.GetState(request, metadata=metadata, timeout=TIMEOUT_SECONDS)

    return call


def _read_record(viewer: entries.Viewer) -> Call:
    def call(stub: RecordServiceStub, match: str, metadata: Metadata) -> None:
        request = pb.ReadRecordRequest(match_id=match, viewer=viewer)
        next(stub.ReadRecord(request, metadata=metadata, timeout=TIMEOUT_SECONDS))

    return call


def _follow_record(viewer: entries.Viewer) -> Call:
    def call(stub: RecordServiceStub, match: str, metadata: Metadata) -> None:
        request = pb.FollowRecordRequest(match_id=match, viewer=viewer)
        following = stub.FollowRecord(request, metadata=metadata, timeout=TIMEOUT_SECONDS)
        next(following)
        following.cancel()

    return call


def _follow_archive(stub: RecordServiceStub, _match: str, metadata: Metadata) -> None:
    following = stub.FollowArchive(pb.FollowArchiveRequest(), metadata=metadata, timeout=TIMEOUT_SECONDS)
    next(following)
    following.cancel()


def _import_record(stub: RecordServiceStub, _match: str, metadata: Metadata) -> None:
    content = TRANSCRIPT.format(unique()).encode()
    stub.ImportRecord(pb.ImportRecordRequest(content=content), metadata=metadata, timeout=TIMEOUT_SECONDS)


def _export_record(stub: RecordServiceStub, match: str, metadata: Metadata) -> None:
    stub.ExportRecord(pb.ExportRecordRequest(match_id=match), metadata=metadata, timeout=TIMEOUT_SECONDS)


def _audit_match(stub: RecordServiceStub, match: str, metadata: Metadata) -> None:
    stub.AuditMatch(pb.AuditMatchRequest(match_id=match), metadata=metadata, timeout=TIMEOUT_SECONDS)


def _audit_archive(stub: RecordServiceStub, _match: str, metadata: Metadata) -> None:
    auditing = stub.AuditArchive(pb.AuditArchiveRequest(), metadata=metadata, timeout=TIMEOUT_SECONDS)
    next(auditing)
    auditing.cancel()


def _get_checkpoint(stub: RecordServiceStub, _match: str, metadata: Metadata) -> None:
    stub.GetCheckpoint(pb.GetCheckpointRequest(), metadata=metadata, timeout=TIMEOUT_SECONDS)


def _get_inclusion_proof(stub: RecordServiceStub, match: str, metadata: Metadata) -> None:
    request = pb.GetInclusionProofRequest(place=pb.EntryPlace(match_id=match))
    stub.GetInclusionProof(request, metadata=metadata, timeout=TIMEOUT_SECONDS)


def _get_consistency_proof(stub: RecordServiceStub, _match: str, metadata: Metadata) -> None:
    stub.GetConsistencyProof(pb.GetConsistencyProofRequest(), metadata=metadata, timeout=TIMEOUT_SECONDS)


CALLERS = ("admin", "recorder", "auditor", "green", "violet", "a stranger")
"""It is green's turn; a stranger has a seat in another match."""

OK, ROLE, SEAT = "", "NOT_YOUR_ROLE", "NOT_YOUR_SEAT"
RECORDERS = (OK, OK, ROLE, ROLE, ROLE, ROLE)
READERS = (OK, OK, OK, ROLE, ROLE, ROLE)
MOVERS = (OK, OK, ROLE, OK, SEAT, SEAT)
TABLE = (OK, OK, OK, OK, OK, SEAT)
ARBITERS = (OK, OK, ROLE, SEAT, SEAT, SEAT)

RULES: Mapping[str, tuple[Call, tuple[str, ...]]] = {
    "StartMatch": (_start_match, RECORDERS),
    "AppendMove": (_append_move, MOVERS),
    "AppendMoves": (_append_moves, MOVERS),
    "Play": (_play, MOVERS),
    "CheckMove": (_check_move, MOVERS),
    "ListLegalMoves": (_list_legal_moves, MOVERS),
    "GetMatch": (_get_match, TABLE),
    "ListMatches": (_list_matches, READERS),
    "GetState": (_get_state(SPECTATOR), TABLE),
    "GetState as green": (_get_state(GREEN), MOVERS),
    "GetState as an auditor": (_get_state(AUDITOR), (*READERS[:-1], SEAT)),
    "ReadRecord": (_read_record(SPECTATOR), TABLE),
    "ReadRecord as green": (_read_record(GREEN), MOVERS),
    "ReadRecord as an auditor": (_read_record(AUDITOR), (*READERS[:-1], SEAT)),
    "FollowRecord": (_follow_record(SPECTATOR), TABLE),
    "FollowRecord as green": (_follow_record(GREEN), MOVERS),
    "FollowArchive": (_follow_archive, READERS),
    "ImportRecord": (_import_record, RECORDERS),
    "ExportRecord": (_export_record, TABLE),
    "AuditMatch": (_audit_match, READERS),
    "AuditArchive": (_audit_archive, READERS),
    "GetCheckpoint": (_get_checkpoint, READERS),
    "GetInclusionProof": (_get_inclusion_proof, READERS),
    "GetConsistencyProof": (_get_consistency_proof, READERS),
    "RotateKey": (_rotate_key, MOVERS),
    "CommitShare": (_commit_share, MOVERS),
    "RevealShare": (_reveal_share, MOVERS),
    "OpenDispute": (_open_dispute, MOVERS),
    "ResolveDispute": (_resolve_dispute, ARBITERS),
    "RequestTakeback": (_request_takeback, MOVERS),
    "GrantTakeback": (_grant_takeback, MOVERS),
    "Choose": (_choose, MOVERS),
    "SealChoice": (_seal_choice, MOVERS),
    "OpenChoice": (_open_choice, MOVERS),
    "AnswerFor": (_answer_for, ARBITERS),
    "CloseMatch": (_close_match, ARBITERS),
    "CompareRecords": (_compare_records, READERS),
    "Retract": (_retract(None), ARBITERS),
    "Retract as green": (_retract(entries.Actor(seat=0)), MOVERS),
}
"""A call, and for each of CALLERS the reason why it is refused."""


def test_every_method_is_in_the_table() -> None:
    assert {name.split()[0] for name in RULES} == set(DESCRIPTOR.methods_by_name)


@pytest.mark.parametrize("asked", RULES)
def test_every_method_requires_a_token(server: Server, asked: str) -> None:
    call, _ = RULES[asked]
    match = server.start().match.match_id

    with refused() as refusal:
        call(server.stub, match, ())

    assert (refusal.code, refusal.reason) == (StatusCode.UNAUTHENTICATED, "NO_CREDENTIALS")
    assert "authorization: Bearer" in refusal.message


@pytest.mark.parametrize(
    ("asked", "caller", "expected"),
    [
        (asked, caller, expected)
        for asked, (_, reasons) in RULES.items()
        for caller, expected in zip(CALLERS, reasons, strict=True)
    ],
)
def test_each_role_may_call_exactly_its_methods(
    server: Server, asked: str, caller: str, expected: str
) -> None:
    call, _ = RULES[asked]
    started = server.start()
    if asked.startswith("Retract"):
        _append_move(server.stub, started.match.match_id, bearer(started.seat_tokens[0]))
    green, violet = started.seat_tokens
    tokens = {**server.tokens, "green": green, "violet": violet, "a stranger": server.start().seat_tokens[0]}

    assert _reason(call, server.stub, started.match.match_id, bearer(tokens[caller])) == expected


def _reason(call: Call, stub: RecordServiceStub, match: str, metadata: Metadata) -> str:
    """Why a call is refused, or a move within it; OK where neither is."""
    try:
        return str(call(stub, match, metadata) or OK)
    except grpc.RpcError as fault:
        refusal = refusal_of(fault)
    assert refusal.code is StatusCode.PERMISSION_DENIED
    return refusal.reason


@pytest.mark.parametrize(
    "asked",
    [asked for asked, (_, reasons) in RULES.items() if reasons[-1] == SEAT],
)
def test_a_seat_cannot_learn_whether_another_match_exists(server: Server, asked: str) -> None:
    call, _ = RULES[asked]
    token = server.start().seat_tokens[0]

    assert _reason(call, server.stub, "no-such-match", bearer(token)) == SEAT


def test_any_token_may_check_a_move_against_a_transcript(server: Server) -> None:
    tokens = [*server.tokens.values(), server.start().seat_tokens[0]]
    request = pb.CheckMoveRequest(transcript=TRANSCRIPT, move=entries.Move(text="violet Yg8Bh8"))

    answers = [
        server.stub.CheckMove(request, metadata=bearer(token), timeout=TIMEOUT_SECONDS) for token in tokens
    ]

    assert [answer.legal for answer in answers] == [True] * len(tokens)


@pytest.mark.parametrize("caller", ["admin", "recorder", "auditor"])
@pytest.mark.parametrize(
    "asked", ["GetState as an auditor", "ReadRecord as an auditor", "ExportRecord", "AuditMatch"]
)
def test_where_the_service_deals_nobody_sees_all_hands_before_the_end(
    server: Server, asked: str, caller: str
) -> None:
    call, _ = RULES[asked]
    match = server.start(pb.CHANCE_SERVICE).match.match_id

    with refused() as refusal:
        call(server.stub, match, bearer(server.tokens[caller]))

    assert (refusal.code, refusal.reason) == (StatusCode.FAILED_PRECONDITION, "MATCH_NOT_OVER")


def test_the_recorder_that_enters_the_draws_may_see_them(server: Server) -> None:
    match = server.start(pb.CHANCE_RECORDED).match.match_id

    assert _reason(_get_state(AUDITOR), server.stub, match, bearer(server.tokens["recorder"])) == OK


@pytest.mark.parametrize(("viewer", "expected"), [(GREEN, OK), (VIOLET, SEAT), (AUDITOR, ROLE)])
def test_a_seat_sees_its_own_hand_and_no_other(server: Server, viewer: entries.Viewer, expected: str) -> None:
    started = server.start(pb.CHANCE_SERVICE)
    match, green = started.match.match_id, bearer(started.seat_tokens[0])

    assert _reason(_get_state(viewer), server.stub, match, green) == expected
    assert _reason(_read_record(viewer), server.stub, match, green) == expected
    assert _reason(_follow_record(viewer), server.stub, match, green) == expected


def test_a_repeated_start_returns_the_same_seat_tokens(server: Server) -> None:
    request = pb.StartMatchRequest(request_id=unique(), game="qin", seats=["a", "b", "c"])
    metadata = bearer(server.tokens["recorder"])

    first, again = (
        server.stub.StartMatch(request, metadata=metadata, timeout=TIMEOUT_SECONDS) for _ in range(2)
    )

    assert len(set(first.seat_tokens)) == 3
    assert again.seat_tokens == first.seat_tokens


def test_a_token_changed_to_another_seat_is_not_known(server: Server) -> None:
    started = server.start()
    forged = started.seat_tokens[0].replace(f"{started.match.match_id}.0.", f"{started.match.match_id}.1.")

    with refused() as refusal:
        _get_match(server.stub, started.match.match_id, bearer(forged))

    assert refusal.reason == "NO_CREDENTIALS"
