"""Every request that a viewer can send about a match, method by method."""

from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property
from itertools import cycle, islice

from google.protobuf.message import Message
from shiji.record.v1 import entry_pb2 as entries
from shiji.record.v1 import record_service_pb2 as pb

from records.codec.header import decode_header
from records.entry import ENTRY_VERSION_1, HEADER, MOVE, Entry, actor_number, actor_of
from records.evidence.concealment import DIGEST_SIZE, SALT_SIZE
from records.files.record_file import write_record
from records.games.candidate import Candidate
from records.games.state import Applied, GameState
from records.ledger.ledger import Ledger
from records.log.memory import MemoryLog
from records.replay.disclosure import in_full
from rules.kernel.actors import CHANCE, Actor, Seat
from service.messages import actor_message
from service.methods.notices import NoticeRequest
from tests.service.calls import AUDITOR, SPECTATOR, seat, text
from tests.service.pairs import Pair, encoded
from tests.service.twin_services import STARTED_MICROSECONDS

_LONGEST_BATCH = 4
"""Moves of a batch that probes what the service draws between them."""
_NEWEST = pb.MATCH_ORDER_NEWEST_FIRST
_PROBES = 12
"""Moves of other seats and draws that a viewer tries as its own."""


@dataclass(frozen=True)
class Table:
    """What the requests are made from; it is all from the first world, and sent to both."""

    pair: Pair
    record: bytes
    """A record with the draws of the first world, as somebody would guess it.

    Empty where the order is sealed: the worlds commit to different ones."""

    @classmethod
    def of(cls, pair: Pair) -> "Table":
        if pair.start.chance == pb.CHANCE_SERVICE or pair.damaged:
            return cls(pair, b"")
        entries = list(pair.worlds[0].ledger.read(pair.match))
        if any(entry.kind not in {HEADER, MOVE} for entry in entries):
            return cls(pair, b"")
        if pair.version != ENTRY_VERSION_1:
            entries = _salted_anew(entries)
        return cls(pair, b"".join(write_record(entries)))

    @property
    def seats(self) -> range:
        return range(len(self.pair.start.seats))

    @property
    def own(self) -> Seat:
        """The seat that the caller acts as, whether or not it may."""
        if isinstance(self.pair.viewer, int):
            return self.pair.viewer
        return next((actor for actor in self.pair.state.awaiting() if isinstance(actor, int)), Seat(0))

    @property
    def legal(self) -> list[Candidate]:
        """Moves of the own seat that are legal now."""
        return list(islice(self.pair.state.legal_moves(self.own), 3))

    @property
    def probes(self) -> list[entries.Move]:
        """Moves that are not legal for the own seat, made from what others hold, and draws."""
        state, own = self.pair.state, self.own
        found = []
        actors: list[Actor] = [*map(Seat, self.seats), CHANCE]
        for other in actors:
            for move in islice(state.legal_moves(other), 0, 400, 40):
                probe = state.parse_bytes(own, move.data) if other is not CHANCE else move
                if other is CHANCE or not isinstance(state.judge(probe), Applied):
                    found.append(encoded(probe.actor, probe.data))
        found += [encoded(CHANCE, move.data) for move in self.pair.drawn]
        return [*found[:: max(len(found) // _PROBES, 1)], text(f"{self.pair.start.seats[own]} nonsense")]

    @property
    def past_a_draw(self) -> list[Candidate]:
        """Moves between which the service draws; only the draws of the first world allow the last."""
        pair, moves = self.pair, list[Candidate]()
        if pair.start.chance != pb.CHANCE_SERVICE or pair.damaged:
            return []
        runs = [
            world.ledger.builder(pair.match, world.ledger.current(pair.match), "batch")
            for world in pair.worlds
        ]
        while len(moves) < _LONGEST_BATCH and runs[0].state.awaiting() == runs[1].state.awaiting() != ():
            actor = runs[0].state.awaiting()[0]
            here, there = (list(islice(run.state.legal_moves(actor), 400)) for run in runs)
            known = {move.data for move in there}
            only_here = [move for move in here if move.data not in known]
            if moves and only_here:
                return [*moves, only_here[0]]
            both = [move for move in here if move.data in known]
            if not both:
                break
            move = next((each for each in both if draws_after(runs[0].state, each)), both[0])
            for run in runs:
                run.play(move)
                run.deal()
            moves.append(move)
        return []

    @property
    def asked(self) -> int:
        """How many seats have yet to choose in secret; what the last of them chooses reveals all choices."""
        return len(self.pair.state.asked_in_secret())

    @property
    def choices(self) -> list[entries.Move]:
        """What seats may choose now; where nobody chooses in secret, moves of the own seat."""
        state, asked = self.pair.state, self.pair.state.asked_in_secret() or (self.own,)
        moves = [move for seat in asked for move in islice(state.legal_moves(seat), 3)]
        return [encoded(move.actor, move.data) for move in moves]

    @property
    def viewers(self) -> list[entries.Viewer]:
        return [SPECTATOR, AUDITOR, *map(seat, self.seats)]

    @property
    def sequences(self) -> list[int]:
        last = self.pair.last
        return sorted({0, 1, last // 2, last, last + 1})

    @property
    def request_ids(self) -> list[str]:
        start, last = self.pair.start.request_id, self.pair.last
        return ["new", start, f"move {last - 1}", *(entry.request for entry in self.draws)]

    @cached_property
    def draws(self) -> list[Entry]:
        """The latest draws of the record, whose request ids may be derived from that of a seat's move."""
        drawn = self.pair.worlds[0].ledger.log.read(self.pair.match)
        return [entry for entry in drawn if (entry.kind, entry.actor) == (MOVE, actor_number(CHANCE))][-4:]


def _salted_anew(record: list[Entry]) -> list[Entry]:
    """The same record but for its salts: nobody can guess those."""
    first = record[0]
    times = iter(entry.recorded for entry in record)
    ledger = Ledger(
        MemoryLog(),
        clock=lambda: next(times),
        new_id=lambda: first.match,
        salts=lambda: b"\1" * SALT_SIZE,
    )
    ledger.start(decode_header(first.move), first.request)
    for entry in record[1:]:
        state, actor = ledger.current(first.match).state, actor_of(entry.actor)
        move = state.parse_bytes(actor, in_full(entry)[0])
        ledger.append(first.match, entry.sequence - 1, entry.request, move)
    return list(ledger.read(first.match))


def draws_after(state: GameState, move: Candidate) -> bool:
    """Whether something is drawn after a legal move."""
    applied = state.judge(move)
    return isinstance(applied, Applied) and CHANCE in applied.after.awaiting()


Requests = Iterator[Message]


def _start_match(table: Table) -> Requests:
    yield table.pair.start


def _probes(table: Table) -> Requests:
    pair = table.pair
    for index, probe in enumerate(table.probes):
        ids = table.request_ids
        yield pb.AppendMoveRequest(
            match_id=pair.match,
            expected_sequence=pair.last - (index % 3 == 1),
            request_id=ids[index % len(ids)],
            move=probe,
            brief=index % 2 == 0,
        )


def _append_move(table: Table) -> Requests:
    yield from _probes(table)
    for entry in table.draws:
        yield pb.AppendMoveRequest(
            match_id=table.pair.match,
            expected_sequence=table.pair.last - 1,
            request_id=entry.request,
            move=encoded(CHANCE, entry.move),
        )


def _append_moves(table: Table) -> Requests:
    pair = table.pair
    batches = [[encoded(move.actor, move.data), probe] for move in table.legal[:1] for probe in table.probes]
    past = [encoded(move.actor, move.data) for move in table.past_a_draw]
    for moves in (*batches, *([past] * (len(batches) + 1) if past else ())):
        yield pb.AppendMovesRequest(
            match_id=pair.match, expected_sequence=pair.last, request_id="batch", moves=moves
        )


def _play(table: Table) -> Requests:
    for request in _append_move(table):
        assert isinstance(request, pb.AppendMoveRequest)
        yield pb.PlayRequest(append=request)


def _check_move(table: Table) -> Requests:
    own = [encoded(move.actor, move.data) for move in table.legal]
    for move in (*own, *table.probes):
        for sequence in (table.pair.last, table.pair.last // 2):
            stored = pb.MatchAt(match_id=table.pair.match, sequence=sequence)
            yield pb.CheckMoveRequest(stored=stored, move=move)


def _list_legal_moves(table: Table) -> Requests:
    for sequence in table.sequences:
        for actor in (*map(Seat, table.seats), CHANCE):
            stored = pb.MatchAt(match_id=table.pair.match, sequence=sequence)
            yield pb.ListLegalMovesRequest(stored=stored, actor=actor_message(actor, ()), page_size=500)
    now = pb.ListLegalMovesRequest(stored=pb.MatchAt(match_id=table.pair.match), page_size=500)
    yield now
    described = deepcopy(now)
    described.filter.SetInParent()
    yield described


def _get_match(table: Table) -> Requests:
    yield pb.GetMatchRequest(match_id=table.pair.match)


def _list_matches(table: Table) -> Requests:
    """Of this match by its id or by the names of its seats; if nothing else differs, of all."""
    pair = table.pair
    by_id = pb.ListMatchesRequest(match_id_prefix=pair.match)
    by_seat = pb.ListMatchesRequest(seat=pair.start.seats[0])
    everything = [pb.ListMatchesRequest(page_size=1)] if pair.worlds[0].alike else []
    narrowed = cycle((by_id, by_seat, *everything))
    for _ in range(pair.position % 3):  # not the same for the same filter in every pair
        next(narrowed)
    filters = [
        *(pb.ListMatchesRequest(state=state) for state in pb.MatchState.values()),
        *(pb.ListMatchesRequest(audit=audit, order=_NEWEST) for audit in entries.AuditState.values()),
    ]
    for wanted in filters:
        wanted.MergeFrom(next(narrowed))
        yield wanted
    yield pb.ListMatchesRequest(text=" ".join(pair.start.seats), game=pair.start.game)
    timed = deepcopy(by_seat)
    timed.end_time.FromMicroseconds(STARTED_MICROSECONDS + 1 + pair.position % 2)
    yield timed
    yield pb.ListMatchesRequest(seat=pair.start.seats[0], page_size=1, page_token=str(pair.position % 2))


def _get_state(table: Table) -> Requests:
    for viewer in table.viewers:
        for sequence in table.sequences:
            yield pb.GetStateRequest(
                match_id=table.pair.match, sequence=sequence, viewer=viewer, with_drawing=True, with_svg=True
            )


def _read_record(table: Table) -> Requests:
    for viewer in table.viewers:
        yield pb.ReadRecordRequest(match_id=table.pair.match, viewer=viewer)


def _follow_record(table: Table) -> Requests:
    for viewer in table.viewers:
        yield pb.FollowRecordRequest(match_id=table.pair.match, viewer=viewer, with_state=True)


def _follow_archive(table: Table) -> Requests:
    for viewer in (SPECTATOR, AUDITOR):
        yield pb.FollowArchiveRequest(after_position=table.pair.position, viewer=viewer)


def _import_record(table: Table) -> Requests:
    yield pb.ImportRecordRequest(content=table.record)


def _export_record(table: Table) -> Requests:
    for viewer in table.viewers:
        for form in (pb.RECORD_FORMAT_RECORD, pb.RECORD_FORMAT_TRANSCRIPT):
            yield pb.ExportRecordRequest(match_id=table.pair.match, viewer=viewer, format=form)


def _audit_match(table: Table) -> Requests:
    yield pb.AuditMatchRequest(match_id=table.pair.match)


def _audit_archive(table: Table) -> Requests:
    yield pb.AuditArchiveRequest(since_position=table.pair.position, with_verified=True)


def _retract(table: Table) -> Requests:
    actors = (entries.Actor(seat=table.own), entries.Actor(office=entries.OFFICE_ARBITER))
    for actor, sequence in zip(actors, (table.pair.last - 1, table.pair.last // 2), strict=True):
        yield pb.RetractRequest(
            match_id=table.pair.match,
            expected_sequence=table.pair.last,
            request_id=f"back {sequence}",
            to_sequence=max(sequence, 0),
            actor=actor,
        )


def _notice(template: NoticeRequest) -> Callable[[Table], Requests]:
    def requests(table: Table) -> Requests:
        for request_id in ("notice", *table.request_ids[2:]):
            request = deepcopy(template)
            request.match_id = table.pair.match
            request.expected_sequence = table.pair.last
            request.request_id = request_id
            if isinstance(request, pb.RotateKeyRequest | pb.OpenDisputeRequest):
                request.actor.seat = table.own
            elif not isinstance(request, pb.ResolveDisputeRequest):
                request.seat = table.own
            yield request

    return requests


def _choose(table: Table) -> Requests:
    for move in table.choices if table.asked > 1 else ():
        yield pb.ChooseRequest(
            match_id=table.pair.match,
            expected_sequence=table.pair.last,
            request_id="choose",
            move=move,
            salt=bytes(SALT_SIZE),
        )


def _seal_choice(table: Table) -> Requests:
    for number in table.seats:
        yield pb.SealChoiceRequest(
            match_id=table.pair.match,
            expected_sequence=table.pair.last,
            request_id="seal",
            seat=number,
            digest=bytes(DIGEST_SIZE),
        )


def _open_choice(table: Table) -> Requests:
    for move in table.choices:
        yield pb.OpenChoiceRequest(
            match_id=table.pair.match,
            expected_sequence=table.pair.last,
            request_id="open",
            move=move,
            salt=bytes(SALT_SIZE),
        )


def _answer_for(table: Table) -> Requests:
    for move in table.choices if table.asked != 1 else ():
        yield pb.AnswerForRequest(
            match_id=table.pair.match,
            expected_sequence=table.pair.last,
            request_id="answer",
            move=move,
        )


def _close_match(table: Table) -> Requests:
    if table.pair.start.chance != pb.CHANCE_SERVICE:  # there, its secret follows
        yield pb.CloseMatchRequest(
            match_id=table.pair.match, expected_sequence=table.pair.last, request_id="close", reason="late"
        )


def _compare_records(table: Table) -> Requests:
    sent, stored = pb.ComparedRecord(content=table.record), pb.ComparedRecord(match_id=table.pair.match)
    yield pb.CompareRecordsRequest(one=sent, other=sent)
    yield pb.CompareRecordsRequest(one=stored, other=sent)


def _get_checkpoint(table: Table) -> Requests:
    yield pb.GetCheckpointRequest(size=table.pair.position + 1)


def _get_inclusion_proof(table: Table) -> Requests:
    for sequence in table.sequences:
        place = pb.EntryPlace(match_id=table.pair.match, sequence=sequence)
        yield pb.GetInclusionProofRequest(place=place)
        yield pb.GetInclusionProofRequest(position=table.pair.position + 1 + min(sequence, table.pair.last))


def _get_consistency_proof(table: Table) -> Requests:
    yield pb.GetConsistencyProofRequest(old_size=table.pair.position, new_size=table.pair.position + 1)


ASKING: Mapping[str, Callable[[Table], Requests]] = {
    "StartMatch": _start_match,
    "CheckMove": _check_move,
    "ListLegalMoves": _list_legal_moves,
    "GetMatch": _get_match,
    "ListMatches": _list_matches,
    "GetState": _get_state,
    "ReadRecord": _read_record,
    "FollowRecord": _follow_record,
    "FollowArchive": _follow_archive,
    "ImportRecord": _import_record,
    "ExportRecord": _export_record,
    "AuditMatch": _audit_match,
    "AuditArchive": _audit_archive,
    "CompareRecords": _compare_records,
    "GetCheckpoint": _get_checkpoint,
    "GetInclusionProof": _get_inclusion_proof,
    "GetConsistencyProof": _get_consistency_proof,
    "AppendMove": _append_move,
    "AppendMoves": _append_moves,
    "Play": _play,
    "RotateKey": _notice(pb.RotateKeyRequest()),
    "CommitShare": _notice(pb.CommitShareRequest(commitment=bytes(32))),
    "RevealShare": _notice(pb.RevealShareRequest(share=bytes(32))),
    "ResolveDispute": _notice(pb.ResolveDisputeRequest(dispute=1, decision="so be it")),
    "GrantTakeback": _notice(pb.GrantTakebackRequest(request=1)),
    "Retract": _retract,
    "RequestTakeback": _notice(pb.RequestTakebackRequest(to_sequence=0, reason="a slip")),
    "SealChoice": _seal_choice,
    "OpenChoice": _open_choice,
    "Choose": _choose,
    "AnswerFor": _answer_for,
    "OpenDispute": _notice(pb.OpenDisputeRequest(at_sequence=0, claim="not so")),
    "CloseMatch": _close_match,
}
"""By method, what a viewer may try. Requests that may change the record come last."""
