"""Messages of the service as values of the records; whatever is amiss is told with the path of its field."""

from typing import Final

from shiji.record.v1 import entry_pb2 as entries
from shiji.record.v1 import header_pb2 as headers
from shiji.record.v1 import record_service_pb2 as pb

from records.audit.transcript import verify_entries
from records.entry import Dealer, DisputePolicy, MatchHeader, MatchId, RetractPolicy, actor_number
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
from service.errors import CallError, Reason, bad_field
from service.messages import violations_of

LONGEST_ID: Final = 100
LONGEST_TAGS: Final = 16_384
MOST_MOVES: Final = 1000

_CHANCES: Final = {
    pb.CHANCE_UNSPECIFIED: (Draws.UNRECORDED, Dealer.RECORDER),
    pb.CHANCE_UNRECORDED: (Draws.UNRECORDED, Dealer.RECORDER),
    pb.CHANCE_RECORDED: (Draws.RECORDED, Dealer.RECORDER),
    pb.CHANCE_SERVICE: (Draws.RECORDED, Dealer.SERVICE),
}
_POLICIES: Final = {
    headers.RETRACT_POLICY_UNSPECIFIED: RetractPolicy.ARBITER,
    headers.RETRACT_POLICY_ARBITER: RetractPolicy.ARBITER,
    headers.RETRACT_POLICY_NOBODY: RetractPolicy.NOBODY,
    headers.RETRACT_POLICY_ANY_SEAT: RetractPolicy.ANY_SEAT,
}
_DISPUTES: Final = {
    headers.DISPUTE_POLICY_UNSPECIFIED: DisputePolicy.GO_ON,
    headers.DISPUTE_POLICY_FREEZE: DisputePolicy.FREEZE,
}
ONLOOKERS: Final = {
    entries.ONLOOKER_UNSPECIFIED: SPECTATOR,
    entries.ONLOOKER_SPECTATOR: SPECTATOR,
    entries.ONLOOKER_AUDITOR: AUDITOR,
}


def match_id(text: str) -> MatchId:
    """The id of a match."""
    if not 0 < len(text) <= LONGEST_ID:
        raise bad_field("match_id", f"an id has 1 to {LONGEST_ID} characters")
    return MatchId(text)


def header_of(request: pb.StartMatchRequest) -> MatchHeader:
    """What the match shall be laid out with; raises UnknownGame."""
    about = find_game(request.game).about
    if request.chance not in _CHANCES:
        raise bad_field("chance", f"{request.chance} is not known")
    if request.retract not in _POLICIES:
        raise bad_field("retract", f"{request.retract} is not known")
    if sum(len(tag.name) + len(tag.value) for tag in request.tags) > LONGEST_TAGS:
        raise bad_field("tags", f"all tags together have at most {LONGEST_TAGS} characters")
    if request.disputes not in _DISPUTES:
        raise bad_field("disputes", f"{request.disputes} is not known")
    draws, dealer = _CHANCES[request.chance]
    setup = Setup(
        edition=EditionKey(request.edition or about.editions[-1].key),
        seats=tuple(request.seats),
        components=request.components or about.components[0].name,
        draws=draws,
        rulings=tuple((ruling.name, ruling.value) for ruling in request.rulings),
    )
    return MatchHeader(
        game=GameKey(about.key),
        setup=setup,
        retract=_POLICIES[request.retract],
        tags=tuple((tag.name, tag.value) for tag in request.tags),
        dealer=dealer,
        keys=_keys(request),
        sharers=_sharers(request),
        disputes=_DISPUTES[request.disputes],
    )


def facts_of(request: pb.StartMatchRequest) -> list[Fact]:
    """What is told of the people at the table."""
    facts = []
    for place, person in enumerate(request.people):
        path = f"people[{place}]"
        if person.seat >= len(request.seats):
            raise bad_field(f"{path}.seat", f"the match has seats 0 to {len(request.seats) - 1}")
        facts.append(Fact(person.person_id, person.field, person.value))
    return facts


def _sharers(request: pb.StartMatchRequest) -> tuple[int, ...]:
    sharers = tuple(sorted(set(request.sharers)))
    if sharers and (request.chance != pb.CHANCE_SERVICE or sharers[-1] >= len(request.seats)):
        raise bad_field("sharers", "they are seats of the match, and the server deals")
    return sharers


def _keys(request: pb.StartMatchRequest) -> tuple[tuple[int, bytes], ...]:
    if len(request.seat_keys) not in {0, len(request.seats)}:
        raise bad_field(
            "seat_keys", f"{len(request.seats)} seats have as many keys; one that signs nothing an empty one"
        )
    keys = [*enumerate(request.seat_keys), (actor_number(ARBITER), request.arbiter_key)]
    return tuple((actor, key) for actor, key in keys if key)


def require_seat(header: MatchHeader, actor: Actor, path: str) -> None:
    """BAD_FIELD for a seat that the match does not have."""
    seats = len(header.setup.seats)
    if not isinstance(actor, Office) and actor >= seats:
        raise bad_field(path, f"the match has seats 0 to {seats - 1}")


def viewer_of(message: entries.Viewer, header: MatchHeader) -> Viewer:
    """Who looks; a spectator where nothing is said."""
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


def sent_along(request: pb.CheckMoveRequest | pb.ListLegalMovesRequest) -> GameState:
    """How the match stands that a transcript or a position tells of."""
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
        told = MatchHeader(header.game.about.key, header.start.setup)
        violations = tuple(violations_of(told, report.verdict.violations))
        rules = ",".join(each.rule_id for each in violations)
        raise CallError(
            Reason.RECORD_NOT_VERIFIED,
            f"transcript: entry {report.verdict.sequence} breaks {rules}",
            {"verdict": "illegal", "sequence": str(report.verdict.sequence)},
            violations=violations,
        )
    return report.reached
