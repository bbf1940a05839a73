"""Converts request messages to values of the records; errors name the path of the bad field."""

from typing import Final

from shiji.record.v1 import entry_pb2 as entries
from shiji.record.v1 import header_pb2 as headers
from shiji.record.v1 import record_service_pb2 as pb

from records.audit.transcript import verify_entries
from records.entry import (
    ChoicePolicy,
    Dealer,
    DisputePolicy,
    MatchHeader,
    MatchId,
    RetractPolicy,
    TakebackPolicy,
    actor_number,
)
from records.evidence.personal_commitment import Fact
from records.files.tags import read_header
from records.files.transcript import read_transcript
from records.games.registry import find_game
from records.games.state import GameState
from records.verdict import IllegalAt
from rules.kernel.actors import ARBITER, AUDITOR, SPECTATOR, Actor, Office, Seat, Viewer
from rules.kernel.edition import EditionKey
from rules.kernel.setup import Draws, GameKey, Setup
from rules.kernel.text import Unreadable
from service.bounds import MAX_MATCH_ID_CHARS
from service.errors import CallError, Reason, bad_field
from service.verdict_messages import violations_of

MAX_TAGS_CHARS: Final = 16_384
"""Maximum characters of all tags of a match together."""

_DRAWS_AND_DEALERS: Final = {
    pb.CHANCE_UNSPECIFIED: (Draws.UNRECORDED, Dealer.RECORDER),
    pb.CHANCE_UNRECORDED: (Draws.UNRECORDED, Dealer.RECORDER),
    pb.CHANCE_RECORDED: (Draws.RECORDED, Dealer.RECORDER),
    pb.CHANCE_SERVICE: (Draws.RECORDED, Dealer.SERVICE),
}
_RETRACT_POLICIES: Final = {
    headers.RETRACT_POLICY_UNSPECIFIED: RetractPolicy.ARBITER,
    headers.RETRACT_POLICY_ARBITER: RetractPolicy.ARBITER,
    headers.RETRACT_POLICY_NOBODY: RetractPolicy.NOBODY,
    headers.RETRACT_POLICY_ANY_SEAT: RetractPolicy.ANY_SEAT,
}
_DISPUTE_POLICIES: Final = {
    headers.DISPUTE_POLICY_UNSPECIFIED: DisputePolicy.GO_ON,
    headers.DISPUTE_POLICY_FREEZE: DisputePolicy.FREEZE,
}
_CHOICE_POLICIES: Final = {
    headers.CHOICE_POLICY_UNSPECIFIED: ChoicePolicy.WAIT,
    headers.CHOICE_POLICY_ARBITER: ChoicePolicy.ARBITER,
}
_TAKEBACK_POLICIES: Final = {
    headers.TAKEBACK_POLICY_UNSPECIFIED: TakebackPolicy.HIDDEN_ONLY,
    headers.TAKEBACK_POLICY_PAST_REVEALED: TakebackPolicy.PAST_REVEALED,
}
ONLOOKERS: Final = {
    entries.ONLOOKER_UNSPECIFIED: SPECTATOR,
    entries.ONLOOKER_SPECTATOR: SPECTATOR,
    entries.ONLOOKER_AUDITOR: AUDITOR,
}


def match_id(text: str) -> MatchId:
    """The id of a match, if it has a valid length."""
    if not 0 < len(text) <= MAX_MATCH_ID_CHARS:
        raise bad_field("match_id", f"an id has 1 to {MAX_MATCH_ID_CHARS} characters")
    return MatchId(text)


def header_of(request: pb.StartMatchRequest) -> MatchHeader:
    """The header of the match to start; raises UnknownGame."""
    about = find_game(request.game).about
    _require_known(request)
    if sum(len(tag.name) + len(tag.value) for tag in request.tags) > MAX_TAGS_CHARS:
        raise bad_field("tags", f"all tags together have at most {MAX_TAGS_CHARS} characters")
    draws, dealer = _DRAWS_AND_DEALERS[request.chance]
    setup = Setup(
        edition=EditionKey(request.edition or about.editions[-1].key),
        seats=tuple(request.seats),
        components=request.components or about.components[0].name,
        draws=draws,
        rulings=tuple((ruling.name, ruling.value) for ruling in request.rulings),
        options=tuple((option.name, option.value) for option in request.options),
    )
    return MatchHeader(
        game=GameKey(about.key),
        setup=setup,
        retract=_RETRACT_POLICIES[request.retract],
        tags=tuple((tag.name, tag.value) for tag in request.tags),
        dealer=dealer,
        keys=_keys(request),
        sharers=_sharers(request),
        disputes=_DISPUTE_POLICIES[request.disputes],
        choices=_CHOICE_POLICIES[request.choices],
        takebacks=_TAKEBACK_POLICIES[request.takebacks],
    )


def _require_known(request: pb.StartMatchRequest) -> None:
    """BAD_FIELD for a number of an enum that this build does not know."""
    for name, value, known in (
        ("chance", request.chance, _DRAWS_AND_DEALERS),
        ("retract", request.retract, _RETRACT_POLICIES),
        ("disputes", request.disputes, _DISPUTE_POLICIES),
        ("choices", request.choices, _CHOICE_POLICIES),
        ("takebacks", request.takebacks, _TAKEBACK_POLICIES),
    ):
        if value not in known:
            raise bad_field(name, f"{value} is not known")


def facts_of(request: pb.StartMatchRequest) -> list[Fact]:
    """The personal data in the request."""
    facts = []
    for index, person in enumerate(request.people):
        path = f"people[{index}]"
        if person.seat >= len(request.seats):
            raise bad_field(f"{path}.seat", f"the match has seats 0 to {len(request.seats) - 1}")
        facts.append(Fact(person.person_id, person.field, person.value))
    return facts


def _sharers(request: pb.StartMatchRequest) -> tuple[int, ...]:
    sharers = tuple(sorted(set(request.sharers)))
    if sharers and (request.chance != pb.CHANCE_SERVICE or sharers[-1] >= len(request.seats)):
        raise bad_field("sharers", "must be seats of the match, and only where the server deals")
    return sharers


def _keys(request: pb.StartMatchRequest) -> tuple[tuple[int, bytes], ...]:
    if len(request.seat_keys) not in {0, len(request.seats)}:
        raise bad_field(
            "seat_keys", f"give one key for each of the {len(request.seats)} seats; it may be empty"
        )
    keys = [*enumerate(request.seat_keys), (actor_number(ARBITER), request.arbiter_key)]
    return tuple((actor, key) for actor, key in keys if key)


def require_seat(header: MatchHeader, actor: Actor, path: str) -> None:
    """BAD_FIELD for a seat that the match does not have."""
    seats = len(header.setup.seats)
    if not isinstance(actor, Office) and actor >= seats:
        raise bad_field(path, f"the match has seats 0 to {seats - 1}")


def viewer_of(message: entries.Viewer, header: MatchHeader) -> Viewer:
    """The viewer that the message names; a spectator by default."""
    match message.WhichOneof("viewer"):
        case "seat":
            if message.seat >= len(header.setup.seats):
                raise bad_field("viewer.seat", f"the match has seats 0 to {len(header.setup.seats) - 1}")
            return Seat(message.seat)
        case "onlooker":
            if message.onlooker not in ONLOOKERS:
                raise bad_field("viewer.onlooker", f"{message.onlooker} is not known")
            return ONLOOKERS[message.onlooker]
        case None:
            return SPECTATOR


def state_in(request: pb.CheckMoveRequest | pb.ListLegalMovesRequest) -> GameState:
    """The state that the request contains, as a position or as a transcript that leads to it."""
    if request.WhichOneof("subject") == "position":
        try:
            return find_game(request.position.game).read_position(request.position.line)
        except Unreadable as fault:
            raise CallError(
                Reason.UNREADABLE_RECORD,
                f"position.line, column {fault.column}: {fault.why}",
                {"line": "1", "column": str(fault.column)},
            ) from fault
    transcript = read_transcript(request.transcript)
    header = read_header(transcript)
    report = verify_entries(header, transcript.entries)
    if isinstance(report.verdict, IllegalAt):
        match_header = MatchHeader(header.game.about.key, header.start.setup)
        violations = tuple(violations_of(match_header, report.verdict.violations))
        rules = ",".join(each.rule_id for each in violations)
        raise CallError(
            Reason.RECORD_NOT_VERIFIED,
            f"transcript: entry {report.verdict.sequence} breaks {rules}",
            {"verdict": "illegal", "sequence": str(report.verdict.sequence)},
            violations=violations,
        )
    return report.reached
