"""No response, error, stream or count reveals to a viewer what that viewer may not see."""

import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import count, islice
from pathlib import Path

import grpc
import pytest
from google.protobuf.message import Message
from hypothesis import given, settings
from hypothesis import strategies as st
from shiji.record.v1 import entry_pb2 as entries
from shiji.record.v1 import record_service_pb2 as pb
from shiji.record.v1.record_service_pb2_grpc import RecordServiceStub

from records.codec.qin import QIN_CODEC
from records.entry import MatchHeader, MatchId
from records.games import registry
from records.games.bound import bind
from records.ledger.ledger import Ledger
from records.ledger.opening import header_entry
from records.log.sqlite import SqliteLog
from rules.kernel import actors
from rules.kernel.actors import CHANCE, SPECTATOR, Actor, Seat, Viewer
from rules.kernel.edition import EditionKey
from rules.kernel.rule import Illegal, Violation
from rules.kernel.setup import Setup
from rules.qin import rulebook
from rules.qin.events import Event
from rules.qin.game import QIN
from rules.qin.moves import Move
from rules.qin.state import State
from rules.qin.tiles import KIND_OF
from service.access import Sight
from service.messages import actor_message, entry_message
from tests.service.calls import AUDITOR, begin, refusal, seat, text
from tests.service.calls import SPECTATOR as SPECTATOR_LOOKS
from tests.service.running import InProcessService, serving_in_process
from tests.service.worlds import NAMES, World, twin_worlds

MATCH = MatchId("match-1")

Answers = list[tuple[str, bytes]]
"""Methods, each with all bytes of its responses or its error."""


@contextmanager
def service() -> Iterator[RecordServiceStub]:
    """A service whose ids and times are the same in every run."""
    times = count(1_700_000_000_000_000)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "archive.db"
        with SqliteLog.open(path) as log:
            ledger = Ledger(log, clock=lambda: next(times), new_id=lambda: MATCH)
            with serving_in_process(ledger, lambda: SqliteLog.open(path, read_only=True)) as running:
                yield running.stub


def start(stub: RecordServiceStub, world: World) -> pb.StartMatchResponse:
    request = pb.StartMatchRequest(
        request_id="start", game="qin", seats=world.state.setup.seats, chance=pb.CHANCE_RECORDED
    )
    return stub.StartMatch(request)


def moves(world: World) -> Iterator[tuple[Actor, pb.AppendMoveRequest]]:
    """The requests of the recorder, each with its actor."""
    for sequence, (actor, move) in enumerate(world.script):
        encoded = entries.EncodedMove(actor=actor_message(actor), data=move)
        request = pb.AppendMoveRequest(
            match_id=MATCH,
            expected_sequence=sequence,
            request_id=f"move {sequence}",
            move=entries.Move(encoded=encoded),
        )
        yield actor, request


def answer_bytes(call: Callable[[], Message | Iterable[Message]]) -> bytes:
    """All bytes that the caller gets, whether the call is answered or refused."""
    try:
        answer = call()
        every = [answer] if isinstance(answer, Message) else list(answer)
    except grpc.RpcError as fault:
        return refused_with(fault)
    return b"\n".join(each.SerializeToString(deterministic=True) for each in every)


def refused_with(fault: object) -> bytes:
    assert isinstance(fault, grpc.Call)
    return repr((fault.code(), fault.details(), fault.trailing_metadata())).encode()


def everything(world: World, viewer: Viewer) -> Answers:
    """Every answer that the viewer can get, before and after a retraction to the first deal."""
    answers: Answers = []
    with service() as stub:
        answers.append(("StartMatch", answer_bytes(lambda: start(stub, world))))
        for actor, request in moves(world):
            answer = answer_bytes(partial(stub.AppendMove, request))
            if actor is CHANCE or actor == viewer:
                answers.append(("AppendMove", answer))
        last = len(world.script)
        for name, call in (*questions(stub, viewer, last), *mistakes(stub, viewer, last)):
            answers.append((name, answer_bytes(call)))
        back = pb.RetractRequest(match_id=MATCH, expected_sequence=last, request_id="back", to_sequence=1)
        answers.append(("Retract", answer_bytes(lambda: stub.Retract(back))))
        last = stub.GetMatch(pb.GetMatchRequest(match_id=MATCH)).match.sequence
        answers.extend((name, answer_bytes(call)) for name, call in questions(stub, viewer, last))
    return answers


Question = tuple[str, Callable[[], Message | Iterable[Message]]]


def questions(stub: RecordServiceStub, viewer: Viewer, last: int) -> Iterator[Question]:
    """Every query that the viewer may send about the match, whose last entry is given."""
    looks = entries.Viewer(seat=viewer) if isinstance(viewer, int) else entries.Viewer()
    for sequence in sorted({0, last // 2, last}):
        state = pb.GetStateRequest(
            match_id=MATCH, sequence=sequence, viewer=looks, with_drawing=True, with_svg=True
        )
        yield "GetState", partial(stub.GetState, state)
    yield "GetMatch", partial(stub.GetMatch, pb.GetMatchRequest(match_id=MATCH))
    yield "ListMatches", partial(stub.ListMatches, pb.ListMatchesRequest(state=pb.MATCH_STATE_OPEN))
    yield "ReadRecord", partial(stub.ReadRecord, pb.ReadRecordRequest(match_id=MATCH, viewer=looks))
    follow = pb.FollowRecordRequest(match_id=MATCH, viewer=looks)
    yield "FollowRecord", lambda: islice(stub.FollowRecord(follow), last + 1)
    yield "FollowArchive", partial(followed, stub, pb.FollowArchiveRequest(), last + 1)
    yield "AuditArchive", partial(stub.AuditArchive, pb.AuditArchiveRequest(with_verified=True))
    if isinstance(viewer, int):
        stored, actor = pb.MatchAt(match_id=MATCH), entries.Actor(seat=viewer)
        listed = pb.ListLegalMovesRequest(stored=stored, actor=actor, page_size=50)
        yield "ListLegalMoves", partial(stub.ListLegalMoves, listed)
        for action in ("pass", "Re8Re9", "Yg8Bh8", "Ra2Rb2", "Bi8Yi9", "end"):
            move = text(f"{NAMES[viewer]} {action}")
            yield "CheckMove", partial(stub.CheckMove, pb.CheckMoveRequest(stored=stored, move=move))


def followed(stub: RecordServiceStub, request: pb.FollowArchiveRequest, most: int) -> Iterator[Message]:
    return islice(stub.FollowArchive(request), most)


def mistakes(stub: RecordServiceStub, viewer: Viewer, last: int) -> Iterator[Question]:
    """Requests that are refused; the errors must not reveal anything either."""
    name = NAMES[viewer] if isinstance(viewer, int) else NAMES[0]

    def append(move: str, expected: int = last, request: str = "mistake") -> Question:
        message = pb.AppendMoveRequest(
            match_id=MATCH, expected_sequence=expected, request_id=request, move=text(move)
        )
        return "AppendMove", partial(stub.AppendMove, message)

    yield append(f"{name} Ra2Rb2")
    yield append(f"{name} hello")
    yield append(f"{name} Re8Re9", last - 1)
    yield append(f"{name} Re8Re9", last + 1)
    yield append(f"{name} Ra2Rb2", request="move 2")
    yield append(f"{name} Ra2Rb2", request="start/2")
    yield "AuditMatch", partial(stub.GetState, pb.GetStateRequest(match_id=MATCH, sequence=last + 9))


@settings(max_examples=8)
@given(st.integers(2, 4), st.integers(0, 7), st.integers(0, 10**6), st.data())
def test_worlds_that_differ_only_in_hidden_tiles_give_the_viewer_identical_answers(
    seats: int, turns: int, seed: int, data: st.DataObject
) -> None:
    viewer: Viewer = data.draw(st.sampled_from([*map(Seat, range(seats)), SPECTATOR]))
    one, other = twin_worlds(seats, turns, seed, viewer)

    for here, there in zip(everything(one, viewer), everything(other, viewer), strict=True):
        assert here == there


def test_another_viewer_can_tell_the_worlds_apart() -> None:
    one, other = twin_worlds(2, 5, 7, Seat(0))

    assert one.state.view(Seat(0)) == other.state.view(Seat(0))
    assert everything(one, Seat(1)) != everything(other, Seat(1))


def test_where_hands_are_hidden_so_are_hashes_digests_and_request_ids() -> None:
    world, _ = twin_worlds(3, 4, 11, SPECTATOR)
    with service() as stub:
        start(stub, world)
        for _, request in moves(world):
            stub.AppendMove(request)
        seen = [
            answer.entry
            for viewer in (entries.Viewer(), seat(0), seat(2))
            for answer in stub.ReadRecord(pb.ReadRecordRequest(match_id=MATCH, viewer=viewer))
        ]

        assert len(seen) == 3 * (len(world.script) + 1)
        for entry in seen:
            assert (entry.hash, entry.previous_hash, entry.state_digest, entry.request_id) == (
                b"",
                b"",
                b"",
                "",
            )
        assert not stub.GetState(pb.GetStateRequest(match_id=MATCH, viewer=seat(1))).state_digest


def test_each_seat_sees_only_its_own_tiles_where_the_service_deals(
    running: InProcessService,
) -> None:
    table = begin(running.stub, chance=pb.CHANCE_SERVICE, seats=NAMES[:3])
    for _ in range(6):
        table.play(table.legal()[0])
    last = table.last + 1
    for who, looks in ((None, SPECTATOR_LOOKS), *((number, seat(number)) for number in range(3))):
        follow = pb.FollowRecordRequest(match_id=table.match, viewer=looks)
        followed = [answer.entry for answer in islice(table.stub.FollowRecord(follow), last)]
        turn = None
        for entry in followed:
            if entry.actor.HasField("seat"):
                turn = entry.actor.seat
            if entry.text.startswith(("deal ", "draw ")):
                whose = NAMES.index(entry.text.split()[1]) if entry.text.startswith("deal ") else turn
                assert ("?" not in entry.text) == (whose == who), entry.text
                assert bool(entry.secret) == (whose == who), entry.text
        assert followed == table.record(looks)
        hands = [
            word.rpartition(":")[2] for word in table.state(looks).position.split() if word.count(":") == 4
        ]
        assert [hand == "?,?,?" for hand in hands] == [number != who for number in range(3)]


def test_nobody_sees_all_dealt_tiles_before_the_end(running: InProcessService) -> None:
    table = begin(running.stub, chance=pb.CHANCE_SERVICE)
    stub, match = table.stub, table.match

    for call in (
        lambda: stub.GetState(pb.GetStateRequest(match_id=match, viewer=AUDITOR)),
        lambda: list(stub.ReadRecord(pb.ReadRecordRequest(match_id=match, viewer=AUDITOR))),
        lambda: list(stub.FollowRecord(pb.FollowRecordRequest(match_id=match, viewer=AUDITOR))),
        lambda: stub.ExportRecord(pb.ExportRecordRequest(match_id=match)),
        lambda: stub.AuditMatch(pb.AuditMatchRequest(match_id=match)),
    ):
        assert refusal(call).reason == "MATCH_NOT_OVER"


def _peeking(state: State, actor: Actor, move: Move) -> tuple[Event, ...] | Illegal:
    """Rules that forbid a seat everything while another holds a red tile."""
    held = [hand for seat, hand in zip(state.table.seats, state.hands, strict=True) if seat != actor]
    if isinstance(actor, int) and any(hand[KIND_OF["RR"]] for hand in held):
        return Illegal((Violation(rulebook.TURN_1, "somebody else holds RR"),))
    return QIN.decide(state, actor, move)


def _peeking_moves(state: State, actor: Actor) -> Iterator[Move]:
    for move in QIN.legal_moves(state, actor):
        if not isinstance(_peeking(state, actor, move), Illegal):
            yield move


def test_the_moves_of_a_seat_are_judged_by_what_the_seat_sees(monkeypatch: pytest.MonkeyPatch) -> None:
    peeking = replace(QIN, decide=_peeking, legal_moves=_peeking_moves)
    monkeypatch.setattr(registry, "GAMES", (bind(peeking, QIN_CODEC),))
    with service() as stub:
        table = begin(stub, chance=pb.CHANCE_RECORDED)
        table.play("deal green RY YY BB", "deal violet RR YB BB")
        stored, green = pb.MatchAt(match_id=table.match), entries.Actor(seat=0)

        check = pb.CheckMoveRequest(stored=stored, move=text("green Ye8Re9"))
        assert stub.CheckMove(check).legal
        assert stub.ListLegalMoves(pb.ListLegalMovesRequest(stored=stored, actor=green)).moves


def test_a_game_that_keeps_secrets_without_draws_shows_no_hashes() -> None:
    setup = Setup(EditionKey("qin/1"), ("green", "violet"), "bird")
    before = bind(replace(QIN, has_secrets=lambda _: True), QIN_CODEC).start(setup)
    header = MatchHeader(before.game, setup)
    first = header_entry(header, before, MATCH, "start", 1)

    def seen(viewer: Viewer) -> entries.Entry:
        return entry_message(Sight(header, viewer), before, first)

    assert seen(actors.AUDITOR).hash == first.hash
    assert not seen(SPECTATOR).hash
    assert not seen(Seat(0)).state_digest
