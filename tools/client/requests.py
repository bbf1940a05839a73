"""What a client asks for, as messages."""

from collections.abc import Iterable
from datetime import datetime
from typing import Final, TypeAlias, TypedDict
from uuid import uuid4

from google.protobuf.timestamp_pb2 import Timestamp
from shiji.record.v1 import entry_pb2 as entries
from shiji.record.v1 import header_pb2 as headers
from shiji.record.v1 import record_service_pb2 as pb

from records.codec.header import Retraction, encode_retraction
from records.entry import DisputePolicy, EntryKind, RetractPolicy
from records.evidence.ed25519 import PublicKey, SecretKey
from records.evidence.people import Fact
from rules.kernel.actors import ARBITER, Actor, Office, Onlooker, Seat, Viewer
from tools.client.signing import After, sequence_of, sign_entry, sign_move
from tools.client.values import Chance, EncodedMove, MatchState, Position, StoredMatch, Transcript

AnyMove: TypeAlias = str | EncodedMove
"""A move as a transcript has it ('green Re8Re9'), or as the game's own message."""

Subject: TypeAlias = str | StoredMatch | Transcript | Position
"""What a move is made in; a text is the id of a stored match."""


_DISPUTES: Final = {
    DisputePolicy.GO_ON: headers.DISPUTE_POLICY_UNSPECIFIED,
    DisputePolicy.FREEZE: headers.DISPUTE_POLICY_FREEZE,
}


class MatchOptions(TypedDict, total=False):
    """What a match may be laid out with beside its game and its seats."""

    edition: str
    """Left out, the newest that the server knows."""
    rulings: Iterable[tuple[str, str]]
    """Those that differ from the edition's default."""
    components: str
    """The board or component set, by name or in full; left out, the first that the server lists."""
    chance: Chance
    """Left out, unrecorded."""
    retract: RetractPolicy
    """Who may take entries back; left out, the arbiter."""
    tags: Iterable[tuple[str, str]]
    """Whatever else the record shall say: event, place, date."""
    seat_keys: Iterable[PublicKey | None]
    """Whoever has a key signs all that he asks for; left out, nobody does."""
    arbiter_key: PublicKey
    sharers: Iterable[Seat]
    """Where the server deals: who adds a share to what it shuffles by."""
    disputes: DisputePolicy
    """What an open dispute does to the match; left out, it goes on."""
    people: Iterable[tuple[Seat, Fact]]
    """Who sits there: the record holds commitments only, so that whoever is forgotten later is gone."""


class MatchFilters(TypedDict, total=False):
    """Which matches to list; what is left out filters nothing."""

    game: str
    seat: str
    """The name of one of its seats."""
    state: MatchState
    started_from: datetime
    started_before: datetime


class WriteOptions(TypedDict, total=False):
    """What may be said of a request beside what it asks for."""

    request_id: str
    """Left out, one that nobody has used."""
    key: SecretKey
    """Signs it, where the match has a key for whoever asks."""


class RetractOptions(WriteOptions, total=False):
    """What may be said of a takeback."""

    reason: str
    """In the words of whoever asks for it."""
    actor: Actor
    """Who asks; left out, the arbiter."""


def new_request_id() -> str:
    """An id that nobody has used."""
    return str(uuid4())


def start_match(
    game: str, seats: Iterable[str], request_id: str | None, setup: MatchOptions
) -> pb.StartMatchRequest:
    """For a new match."""
    return pb.StartMatchRequest(
        request_id=request_id or new_request_id(),
        game=game,
        edition=setup.get("edition", ""),
        rulings=[headers.Ruling(name=name, value=value) for name, value in setup.get("rulings", ())],
        components=setup.get("components", ""),
        seats=seats,
        chance=pb.Chance.Value(f"CHANCE_{setup.get('chance', Chance.UNRECORDED).name}"),
        retract=headers.RetractPolicy.Value(
            f"RETRACT_POLICY_{setup.get('retract', RetractPolicy.ARBITER).name}"
        ),
        tags=[headers.Tag(name=name, value=value) for name, value in setup.get("tags", ())],
        seat_keys=[b"" if key is None else key.raw for key in setup.get("seat_keys", ())],
        arbiter_key=setup["arbiter_key"].raw if "arbiter_key" in setup else b"",
        sharers=setup.get("sharers", ()),
        disputes=_DISPUTES[setup.get("disputes", DisputePolicy.GO_ON)],
        people=[
            pb.Person(seat=seat, person_id=fact.person, field=fact.field, value=fact.value)
            for seat, fact in setup.get("people", ())
        ],
    )


def append(
    match_id: str, move: AnyMove, after: After, request_id: str | None, key: SecretKey | None
) -> pb.AppendMoveRequest:
    """For one move."""
    return pb.AppendMoveRequest(
        match_id=match_id,
        expected_sequence=sequence_of(after),
        request_id=request_id or new_request_id(),
        move=move_message(move),
        signature=sign_move(key, after, move),
    )


def retract(match_id: str, to: int, after: After, options: RetractOptions) -> pb.RetractRequest:
    """For a takeback."""
    actor, reason = options.get("actor", ARBITER), options.get("reason", "")
    content = encode_retraction(Retraction(to, reason))
    return pb.RetractRequest(
        match_id=match_id,
        expected_sequence=sequence_of(after),
        request_id=options.get("request_id") or new_request_id(),
        actor=actor_message(actor),
        to_sequence=to,
        reason=reason,
        signature=sign_entry(options.get("key"), after, EntryKind.RETRACT, actor, content),
    )


def list_matches(filters: MatchFilters, token: str) -> pb.ListMatchesRequest:
    """For a page of matches."""
    state = filters.get("state")
    return pb.ListMatchesRequest(
        game=filters.get("game", ""),
        seat=filters.get("seat", ""),
        state=pb.MATCH_STATE_UNSPECIFIED
        if state is None
        else pb.MatchState.Value(f"MATCH_STATE_{state.name}"),
        start_time=_time(filters.get("started_from")),
        end_time=_time(filters.get("started_before")),
        page_token=token,
    )


def check_move(subject: Subject, move: AnyMove) -> pb.CheckMoveRequest:
    """For a verdict."""
    request = pb.CheckMoveRequest(move=move_message(move))
    _set_subject(request, subject)
    return request


def legal_moves(subject: Subject, actor: Actor | None, token: str) -> pb.ListLegalMovesRequest:
    """For a page of legal moves."""
    request = pb.ListLegalMovesRequest(
        actor=None if actor is None else actor_message(actor), page_token=token
    )
    _set_subject(request, subject)
    return request


def move_message(move: AnyMove) -> entries.Move:
    """A move in either form."""
    if isinstance(move, str):
        return entries.Move(text=move)
    encoded = entries.EncodedMove(actor=actor_message(move.actor), data=move.data)
    return entries.Move(encoded=encoded)


def actor_message(actor: Actor) -> entries.Actor:
    """Who acts."""
    if isinstance(actor, Office):
        return entries.Actor(office=entries.Office.Value(f"OFFICE_{actor.name}"))
    return entries.Actor(seat=actor)


def viewer_message(viewer: Viewer) -> entries.Viewer:
    """Who looks."""
    if isinstance(viewer, Onlooker):
        return entries.Viewer(onlooker=entries.Onlooker.Value(f"ONLOOKER_{viewer.name}"))
    return entries.Viewer(seat=viewer)


def _time(moment: datetime | None) -> Timestamp | None:
    if moment is None:
        return None
    stamp = Timestamp()
    stamp.FromDatetime(moment)
    return stamp


def _set_subject(request: pb.CheckMoveRequest | pb.ListLegalMovesRequest, subject: Subject) -> None:
    match subject:
        case str():
            request.stored.match_id = subject
        case StoredMatch():
            request.stored.CopyFrom(pb.MatchAt(match_id=subject.id, sequence=subject.sequence))
        case Transcript():
            request.transcript = subject.text
        case Position():
            request.position.CopyFrom(pb.PositionLine(game=subject.game, line=subject.line))
