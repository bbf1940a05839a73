"""Builds request messages from Python values."""

from collections.abc import Iterable
from datetime import datetime
from typing import Final, TypeAlias, TypedDict
from uuid import uuid4

from google.protobuf.timestamp_pb2 import Timestamp

from shiji.client.actors import ARBITER, Actor, Office, Onlooker, Seat, Viewer
from shiji.client.evidence import EncodedMove, Fact
from shiji.client.keys import PublicKey, SecretKey
from shiji.client.kinds import (
    Chance,
    ChoicePolicy,
    DisputePolicy,
    EntryKind,
    MatchState,
    RetractPolicy,
    TakebackPolicy,
)
from shiji.client.signing import After, sequence_of, sign_entry, sign_move
from shiji.client.values import Position, StoredMatch, Transcript
from shiji.record.v1 import entry_pb2 as entries
from shiji.record.v1 import header_pb2 as headers
from shiji.record.v1 import record_service_pb2 as pb

AnyMove: TypeAlias = str | EncodedMove
"""A move as text, as in a transcript ('green Re8Re9'), or as the game's own message."""

Subject: TypeAlias = str | StoredMatch | Transcript | Position
"""Where a move is judged; a string is the id of a stored match."""

_DISPUTES: Final = {
    DisputePolicy.GO_ON: headers.DISPUTE_POLICY_UNSPECIFIED,
    DisputePolicy.FREEZE: headers.DISPUTE_POLICY_FREEZE,
}
_CHOICES: Final = {
    ChoicePolicy.WAIT: headers.CHOICE_POLICY_UNSPECIFIED,
    ChoicePolicy.ARBITER: headers.CHOICE_POLICY_ARBITER,
}
_TAKEBACKS: Final = {
    TakebackPolicy.HIDDEN_ONLY: headers.TAKEBACK_POLICY_UNSPECIFIED,
    TakebackPolicy.PAST_REVEALED: headers.TAKEBACK_POLICY_PAST_REVEALED,
}


class MatchOptions(TypedDict, total=False):
    """Options of a new match."""

    edition: str
    """Default: the one that the game lists last."""
    rulings: Iterable[tuple[str, str]]
    """Name and value of each ruling that differs from the edition's default."""
    options: Iterable[tuple[str, str]]
    """Name and value of each option of the rulebook that differs from its default."""
    components: str
    """The board or component set, by name or in full. Default: the first that the server lists."""
    chance: Chance
    """Default: unrecorded."""
    retract: RetractPolicy
    """Who may take entries back. Default: the arbiter."""
    tags: Iterable[tuple[str, str]]
    """Further facts for the record, such as event, place or date."""
    seat_keys: Iterable[PublicKey | None]
    """One key or None per seat; a seat with a key must sign its requests. Default: no keys."""
    arbiter_key: PublicKey
    sharers: Iterable[Seat]
    """The seats that contribute to the shuffle, if the server deals."""
    disputes: DisputePolicy
    """What happens to play while a dispute is open. Default: it continues."""
    choices: ChoicePolicy
    """What happens when a seat does not make or open a sealed choice. Default: the match waits."""
    takebacks: TakebackPolicy
    """How far a seat may take back. Default: not past a draw or a revealed choice."""
    people: Iterable[tuple[Seat, Fact]]
    """Facts about the players. The record holds only commitments to them, so they can be erased later."""


class MatchFilters(TypedDict, total=False):
    """Which matches to list. Default: all."""

    game: str
    seat: str
    """The name of any seat of the match."""
    state: MatchState
    started_from: datetime
    started_before: datetime


class WriteOptions(TypedDict, total=False):
    """Options of every request that appends an entry."""

    request_id: str
    """Default: a new random id."""
    key: SecretKey
    """Signs the request; required if the match has a public key for the actor."""


class RetractOptions(WriteOptions, total=False):
    """Options of a takeback."""

    reason: str
    """Free text."""
    actor: Actor
    """Default: the arbiter."""


def new_request_id() -> str:
    """A random id."""
    return str(uuid4())


def start_match(
    game: str, seats: Iterable[str], request_id: str | None, options: MatchOptions
) -> pb.StartMatchRequest:
    """The request for a new match."""
    return pb.StartMatchRequest(
        request_id=request_id or new_request_id(),
        game=game,
        edition=options.get("edition", ""),
        rulings=[headers.Ruling(name=name, value=value) for name, value in options.get("rulings", ())],
        options=[headers.Option(name=name, value=value) for name, value in options.get("options", ())],
        components=options.get("components", ""),
        seats=seats,
        chance=pb.Chance.Value(f"CHANCE_{options.get('chance', Chance.UNRECORDED).name}"),
        retract=headers.RetractPolicy.Value(
            f"RETRACT_POLICY_{options.get('retract', RetractPolicy.ARBITER).name}"
        ),
        tags=[headers.Tag(name=name, value=value) for name, value in options.get("tags", ())],
        seat_keys=[b"" if key is None else key.raw for key in options.get("seat_keys", ())],
        arbiter_key=options["arbiter_key"].raw if "arbiter_key" in options else b"",
        sharers=options.get("sharers", ()),
        disputes=_DISPUTES[options.get("disputes", DisputePolicy.GO_ON)],
        choices=_CHOICES[options.get("choices", ChoicePolicy.WAIT)],
        takebacks=_TAKEBACKS[options.get("takebacks", TakebackPolicy.HIDDEN_ONLY)],
        people=[
            pb.Person(seat=seat, person_id=fact.person, field=fact.field, value=fact.value)
            for seat, fact in options.get("people", ())
        ],
    )


def append(
    match_id: str, move: AnyMove, after: After, request_id: str | None, key: SecretKey | None
) -> pb.AppendMoveRequest:
    """The request to append one move."""
    return pb.AppendMoveRequest(
        match_id=match_id,
        expected_sequence=sequence_of(after),
        request_id=request_id or new_request_id(),
        move=move_message(move),
        signature=sign_move(key, after, move),
    )


def retract(match_id: str, to: int, after: After, options: RetractOptions) -> pb.RetractRequest:
    """The request for a takeback."""
    actor, reason = options.get("actor", ARBITER), options.get("reason", "")
    content = headers.Retract(to_sequence=to, reason=reason)
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
    """The request for one page of matches."""
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
    """The request for a verdict."""
    request = pb.CheckMoveRequest(move=move_message(move))
    _set_subject(request, subject)
    return request


def legal_moves(subject: Subject, actor: Actor | None, token: str) -> pb.ListLegalMovesRequest:
    """The request for one page of legal moves."""
    request = pb.ListLegalMovesRequest(
        actor=None if actor is None else actor_message(actor), page_token=token
    )
    _set_subject(request, subject)
    return request


def move_message(move: AnyMove) -> entries.Move:
    """The message of a move in either form."""
    if isinstance(move, str):
        return entries.Move(text=move)
    encoded = entries.EncodedMove(actor=actor_message(move.actor), data=move.data)
    return entries.Move(encoded=encoded)


def actor_message(actor: Actor) -> entries.Actor:
    """The message of an actor."""
    if isinstance(actor, Office):
        return entries.Actor(office=entries.Office.Value(f"OFFICE_{actor.name}"))
    return entries.Actor(seat=actor)


def viewer_message(viewer: Viewer) -> entries.Viewer:
    """The message of a viewer."""
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
