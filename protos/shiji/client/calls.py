"""Describes every call of the service, with its request and the conversion of its response; no I/O."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, Generic, TypeAlias, TypeVar

from google.protobuf.message import Message

from shiji.client import requests, responses
from shiji.client.actors import Actor, Viewer
from shiji.client.errors import RecordNotVerified, Refused, RuleBroken
from shiji.client.keys import SecretKey
from shiji.client.kinds import RecordFormat
from shiji.client.requests import AnyMove, MatchFilters, MatchOptions, RetractOptions, Subject
from shiji.client.signing import After, sequence_of
from shiji.client.values import (
    Accepted,
    AuditReport,
    Entry,
    ExportPage,
    Illegal,
    Imported,
    InclusionProof,
    Legal,
    LegalMove,
    Match,
    Progress,
    SignedCheckpoint,
    Started,
    State,
    Summary,
)
from shiji.record.v1 import record_service_pb2 as pb

Request = TypeVar("Request", bound=Message)
Response = TypeVar("Response", bound=Message)
Value = TypeVar("Value")
Item = TypeVar("Item")

AppendResponse: TypeAlias = (
    pb.AppendMoveResponse
    | pb.AppendMovesResponse
    | pb.RetractResponse
    | pb.RotateKeyResponse
    | pb.CommitShareResponse
    | pb.RevealShareResponse
    | pb.OpenDisputeResponse
    | pb.ResolveDisputeResponse
    | pb.RequestTakebackResponse
    | pb.GrantTakebackResponse
    | pb.ChooseResponse
    | pb.SealChoiceResponse
    | pb.OpenChoiceResponse
    | pb.AnswerForResponse
    | pb.CloseMatchResponse
)

EXPORT_PAGE_BYTES: Final = 3 * 1024 * 1024
"""Size of the pages in which records are exported, in bytes: each fits into a message."""

_SERVICE: Final = pb.DESCRIPTOR.services_by_name["RecordService"].full_name


def path(method: str) -> str:
    """The full gRPC path of a method."""
    return f"/{_SERVICE}/{method}"


def _no_verdict(_: Refused) -> None:
    """Most errors carry no verdict."""


@dataclass(frozen=True, slots=True)
class Call(Generic[Request, Response, Value]):
    """A unary call: its request, and how its response becomes a value."""

    method: str
    request: Request
    parse: Callable[[bytes], Response]
    convert: Callable[[Response], Value]
    verdict: Callable[[Refused], Value | None] = _no_verdict
    """Returns the value of an error that is a verdict, which is then not raised."""

    @property
    def request_id(self) -> str:
        """The id by which a write is stored only once; empty for a read."""
        return str(getattr(self.request, "request_id", ""))


@dataclass(frozen=True, slots=True)
class Page(Generic[Item]):
    """One page of a listing; an empty token marks the last page."""

    items: tuple[Item, ...]
    next_token: str


@dataclass(slots=True)
class Stream(Generic[Request, Response, Value]):
    """A response stream that tracks its progress, so that it can be resumed."""

    method: str
    request: Request
    """Updated as responses arrive, so that a repeated call returns only the rest."""
    parse: Callable[[bytes], Response]
    convert: Callable[[Response], Value]
    advance: Callable[[Request, Value], bool]
    """Moves the request past a value; returns whether the stream can be resumed there."""
    resumable: bool = True

    def take(self, response: Response) -> Value:
        """Convert the next response and move the request past it."""
        value = self.convert(response)
        self.resumable = self.advance(self.request, value)
        return value


def appended(response: AppendResponse) -> Accepted:
    """Convert the response of any call that appends entries."""
    return responses.accepted(response.appended)


def start_match(
    game: str, seats: Iterable[str], request_id: str | None, options: MatchOptions
) -> Call[pb.StartMatchRequest, pb.StartMatchResponse, Started]:
    """StartMatch."""
    request = requests.start_match(game, seats, request_id, options)
    return Call("StartMatch", request, pb.StartMatchResponse.FromString, responses.started)


def append(
    match_id: str, move: AnyMove, after: After, request_id: str | None, key: SecretKey | None
) -> Call[pb.AppendMoveRequest, pb.AppendMoveResponse, Accepted | Illegal]:
    """AppendMove."""
    request = requests.append(match_id, move, after, request_id, key)
    return Call("AppendMove", request, pb.AppendMoveResponse.FromString, appended, rule_verdict)


def append_many(
    match_id: str, moves: Iterable[AnyMove], after: After, request_id: str | None
) -> Call[pb.AppendMovesRequest, pb.AppendMovesResponse, Accepted | Illegal]:
    """AppendMoves."""
    request = pb.AppendMovesRequest(
        match_id=match_id,
        expected_sequence=sequence_of(after),
        request_id=request_id or requests.new_request_id(),
        moves=map(requests.move_message, moves),
    )
    return Call("AppendMoves", request, pb.AppendMovesResponse.FromString, appended, rule_verdict)


def retract(
    match_id: str, to: int, after: After, options: RetractOptions
) -> Call[pb.RetractRequest, pb.RetractResponse, Accepted | Illegal]:
    """Retract."""
    request = requests.retract(match_id, to, after, options)
    return Call("Retract", request, pb.RetractResponse.FromString, appended, rule_verdict)


def check(
    subject: Subject, move: AnyMove
) -> Call[pb.CheckMoveRequest, pb.CheckMoveResponse, Legal | Illegal]:
    """CheckMove."""
    return Call(
        "CheckMove", requests.check_move(subject, move), pb.CheckMoveResponse.FromString, responses.checked
    )


def legal_moves(
    subject: Subject, actor: Actor | None, token: str
) -> Call[pb.ListLegalMovesRequest, pb.ListLegalMovesResponse, Page[LegalMove]]:
    """ListLegalMoves, one page."""
    request = requests.legal_moves(subject, actor, token)
    return Call("ListLegalMoves", request, pb.ListLegalMovesResponse.FromString, _moves)


def match(match_id: str) -> Call[pb.GetMatchRequest, pb.GetMatchResponse, Match]:
    """GetMatch."""
    request = pb.GetMatchRequest(match_id=match_id)
    return Call(
        "GetMatch", request, pb.GetMatchResponse.FromString, lambda response: responses.match(response.match)
    )


def matches(
    filters: MatchFilters, token: str
) -> Call[pb.ListMatchesRequest, pb.ListMatchesResponse, Page[Match]]:
    """ListMatches, one page."""
    request = requests.list_matches(filters, token)
    return Call("ListMatches", request, pb.ListMatchesResponse.FromString, _matches)


def state(
    match_id: str, sequence: int | None, viewer: Viewer, *, drawing: bool, svg: bool
) -> Call[pb.GetStateRequest, pb.GetStateResponse, State]:
    """GetState."""
    request = pb.GetStateRequest(
        match_id=match_id,
        sequence=sequence,
        viewer=requests.viewer_message(viewer),
        with_drawing=drawing,
        with_svg=svg,
    )
    return Call("GetState", request, pb.GetStateResponse.FromString, responses.state)


def read(
    match_id: str, from_sequence: int, viewer: Viewer
) -> Stream[pb.ReadRecordRequest, pb.ReadRecordResponse, Entry]:
    """ReadRecord."""
    request = pb.ReadRecordRequest(
        match_id=match_id, from_sequence=from_sequence, viewer=requests.viewer_message(viewer)
    )
    return Stream("ReadRecord", request, pb.ReadRecordResponse.FromString, _entry, _after_sequence)


def follow(
    match_id: str, from_sequence: int, viewer: Viewer
) -> Stream[pb.FollowRecordRequest, pb.FollowRecordResponse, Entry]:
    """FollowRecord."""
    request = pb.FollowRecordRequest(
        match_id=match_id, from_sequence=from_sequence, viewer=requests.viewer_message(viewer)
    )
    return Stream("FollowRecord", request, pb.FollowRecordResponse.FromString, _entry, _after_sequence)


def follow_archive(
    after_number: int, viewer: Viewer
) -> Stream[pb.FollowArchiveRequest, pb.FollowArchiveResponse, Entry]:
    """FollowArchive."""
    request = pb.FollowArchiveRequest(after_position=after_number, viewer=requests.viewer_message(viewer))
    return Stream("FollowArchive", request, pb.FollowArchiveResponse.FromString, _entry, _after_number)


def import_record(
    content: bytes, *, as_shown: bool
) -> Call[pb.ImportRecordRequest, pb.ImportRecordResponse, Imported | AuditReport]:
    """ImportRecord."""
    request = pb.ImportRecordRequest(content=content, as_shown=as_shown)
    return Call(
        "ImportRecord", request, pb.ImportRecordResponse.FromString, responses.imported, _audit_verdict
    )


def export_page(
    match_id: str, form: RecordFormat, viewer: Viewer, page_token: str
) -> Call[pb.ExportRecordRequest, pb.ExportRecordResponse, ExportPage]:
    """ExportRecord, a page of it."""
    request = pb.ExportRecordRequest(
        match_id=match_id,
        format=pb.RecordFormat.Value(f"RECORD_FORMAT_{form.name}"),
        viewer=requests.viewer_message(viewer),
        max_bytes=EXPORT_PAGE_BYTES,
        page_token=page_token,
    )
    return Call("ExportRecord", request, pb.ExportRecordResponse.FromString, responses.export_page)


def audit_match(match_id: str) -> Call[pb.AuditMatchRequest, pb.AuditMatchResponse, AuditReport]:
    """AuditMatch."""
    request = pb.AuditMatchRequest(match_id=match_id)
    return Call(
        "AuditMatch",
        request,
        pb.AuditMatchResponse.FromString,
        lambda response: responses.report(response.report),
    )


def audit_archive(
    since_number: int, *, with_verified: bool
) -> Stream[pb.AuditArchiveRequest, pb.AuditArchiveResponse, Progress | AuditReport | Summary]:
    """AuditArchive; it is repeated only if it breaks off before the first response."""
    request = pb.AuditArchiveRequest(since_position=since_number, with_verified=with_verified)
    parse = pb.AuditArchiveResponse.FromString
    return Stream("AuditArchive", request, parse, responses.audit_part, lambda *_: False)


def checkpoint(size: int | None) -> Call[pb.GetCheckpointRequest, pb.GetCheckpointResponse, SignedCheckpoint]:
    """GetCheckpoint."""
    return Call(
        "GetCheckpoint",
        pb.GetCheckpointRequest(size=size),
        pb.GetCheckpointResponse.FromString,
        lambda response: SignedCheckpoint(response.checkpoint, response.verifier_key),
    )


def inclusion_proof(
    match_id: str, sequence: int, size: int | None
) -> Call[pb.GetInclusionProofRequest, pb.GetInclusionProofResponse, InclusionProof]:
    """GetInclusionProof."""
    place = pb.EntryPlace(match_id=match_id, sequence=sequence)
    return Call(
        "GetInclusionProof",
        pb.GetInclusionProofRequest(place=place, size=size),
        pb.GetInclusionProofResponse.FromString,
        lambda response: InclusionProof(response.position, response.size, tuple(response.hashes)),
    )


def consistency_proof(
    old: int, new: int | None
) -> Call[pb.GetConsistencyProofRequest, pb.GetConsistencyProofResponse, tuple[bytes, ...]]:
    """GetConsistencyProof."""
    return Call(
        "GetConsistencyProof",
        pb.GetConsistencyProofRequest(old_size=old, new_size=new),
        pb.GetConsistencyProofResponse.FromString,
        lambda response: tuple(response.hashes),
    )


def rule_verdict(error: Refused) -> Illegal | None:
    """The broken rules that a refusal has; None if it has another reason."""
    return error.verdict if isinstance(error, RuleBroken) else None


def _audit_verdict(error: Refused) -> AuditReport | None:
    return error.report if isinstance(error, RecordNotVerified) else None


def _moves(response: pb.ListLegalMovesResponse) -> Page[LegalMove]:
    return Page(tuple(map(responses.legal_move, response.moves)), response.next_page_token)


def _matches(response: pb.ListMatchesResponse) -> Page[Match]:
    return Page(tuple(map(responses.match, response.matches)), response.next_page_token)


def _entry(response: pb.ReadRecordResponse | pb.FollowRecordResponse | pb.FollowArchiveResponse) -> Entry:
    return responses.entry(response.entry)


def _after_sequence(request: pb.ReadRecordRequest | pb.FollowRecordRequest, last: Entry) -> bool:
    request.from_sequence = last.sequence + 1
    return True


def _after_number(request: pb.FollowArchiveRequest, last: Entry) -> bool:
    request.after_position = last.log_number
    return True
