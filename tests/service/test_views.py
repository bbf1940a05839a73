"""What each viewer is shown of a match: of hands, hashes and concealed parts, in both versions of entries."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import pytest
from shiji.record.v1 import entry_pb2 as entries
from shiji.record.v1 import record_service_pb2 as pb

from records.codec.qin import QIN_CODEC
from records.entry import ENTRY_VERSION_1, MatchHeader, MatchId
from records.games import registry
from records.games.bound import bind
from records.games.known_games import KnownGames
from records.ledger.opening import header_entry
from rules.kernel import actors
from rules.kernel.actors import SPECTATOR, Actor, Seat, Viewer
from rules.kernel.edition import EditionKey
from rules.kernel.rule import Illegal, Violation
from rules.kernel.setup import Setup
from rules.qin import rulebook
from rules.qin.events import Event
from rules.qin.game import QIN
from rules.qin.moves import Move
from rules.qin.state import State
from rules.qin.tiles import KIND_OF
from service.messages import Viewpoint, entry_message
from tests.service.calls import AUDITOR, begin, refusal, seat, text
from tests.service.calls import SPECTATOR as SPECTATOR_LOOKS
from tests.service.running import InProcessService
from tools.dev.golden_version_2 import FOLDER as GOLDEN

MATCH = MatchId("match-1")
NAMES = ("green", "violet", "white")


def shown(running: InProcessService, match: str, viewer: entries.Viewer) -> list[entries.Entry]:
    request = pb.ReadRecordRequest(match_id=match, viewer=viewer)
    return [answer.entry for answer in running.stub.ReadRecord(request)]


def test_in_version_1_hashes_are_hidden_where_hands_are(running: InProcessService) -> None:
    content = (GOLDEN / "v1-recorded.jsonl").read_bytes()
    match = running.stub.ImportRecord(pb.ImportRecordRequest(content=content)).match_id

    for entry in (
        entry for viewer in (SPECTATOR_LOOKS, seat(0), seat(1)) for entry in shown(running, match, viewer)
    ):
        assert (entry.hash, entry.previous_hash, entry.state_digest, entry.request_id) == (b"", b"", b"", "")
        assert entry.version == 0
    assert not running.stub.GetState(pb.GetStateRequest(match_id=match, viewer=seat(1))).state_digest
    export = pb.ExportRecordRequest(match_id=match, viewer=seat(0), format=pb.RECORD_FORMAT_RECORD)
    assert refusal(lambda: running.stub.ExportRecord(export)).reason == "BAD_FIELD"


def test_in_version_2_only_parts_and_words_depend_on_the_viewer(running: InProcessService) -> None:
    table = begin(running.stub, chance=pb.CHANCE_RECORDED)
    table.play("deal green RR RY RB", "deal violet YY YB BB", "green Re8Re9", "draw RR")
    records = {who: table.record(looks) for who, looks in enumerate((seat(0), seat(1), SPECTATOR_LOOKS))}

    assert [bool(entry.parts) for entry in records[0]] == [False, True, False, False, True]
    assert [bool(entry.parts) for entry in records[1]] == [False, False, True, False, False]
    assert not any(entry.parts for entry in records[2])
    assert [entry.text for entry in records[2]][1:] == [
        "deal green ? ? ?",
        "deal violet ? ? ?",
        "green Re8Re9",
        "draw ?",
    ]
    for same in zip(*records.values(), strict=True):
        for entry in same:
            assert (len(entry.hash), len(entry.state_digest), entry.version) == (32, 32, 2)
            del entry.parts[:]
            entry.text = ""
        assert same[0] == same[1] == same[2]


def test_in_version_2_everybody_is_shown_all_parts_once_the_match_is_over(running: InProcessService) -> None:
    table = begin(running.stub, chance=pb.CHANCE_SERVICE, board="map:R.Y.B/...../.....")
    while table.stub.GetState(pb.GetStateRequest(match_id=table.match)).awaiting:
        hidden = [entry for entry in table.record() if entry.concealed and not entry.parts]
        assert hidden
        table.play(table.legal()[0])

    for looks in (SPECTATOR_LOOKS, seat(0), AUDITOR):
        assert all(len(entry.parts) == len(entry.concealed) for entry in table.record(looks))


@pytest.mark.parametrize("viewer", [SPECTATOR_LOOKS, seat(0)], ids=["spectator", "seat"])
def test_an_export_in_progress_has_the_parts_of_its_viewer(
    running: InProcessService, viewer: entries.Viewer
) -> None:
    table = begin(running.stub, chance=pb.CHANCE_RECORDED)
    table.play("deal green RR RY RB", "deal violet YY YB BB")
    export = pb.ExportRecordRequest(match_id=table.match, viewer=viewer, format=pb.RECORD_FORMAT_RECORD)
    content = running.stub.ExportRecord(export).content

    assert content.count(b'"parts"') == (viewer == seat(0))
    again = pb.ImportRecordRequest(content=content.replace(table.match.encode(), b"elsewhere"))
    assert refusal(lambda: running.stub.ImportRecord(again)).reason == "RECORD_NOT_VERIFIED"


def test_a_record_with_parts_left_out_is_imported_as_a_copy_that_is_only_read(
    running: InProcessService,
) -> None:
    content = (GOLDEN / "sealed-spectator.jsonl").read_bytes()
    whole = pb.ImportRecordRequest(content=content)
    as_shown = pb.ImportRecordRequest(content=content, as_shown=True)

    assert refusal(lambda: running.stub.ImportRecord(whole)).reason == "RECORD_NOT_VERIFIED"
    imported = running.stub.ImportRecord(as_shown)
    assert imported.copy
    assert running.stub.GetMatch(pb.GetMatchRequest(match_id=imported.match_id)).match.copy
    assert running.stub.ImportRecord(as_shown).added == 0


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
                assert bool(entry.parts) == (whose == who), entry.text
                assert bool(entry.openings) == (whose == who), entry.text
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


def test_the_moves_of_a_seat_are_judged_by_what_the_seat_sees(
    running: InProcessService, monkeypatch: pytest.MonkeyPatch
) -> None:
    peeking = replace(QIN, decide=_peeking, legal_moves=_peeking_moves)
    monkeypatch.setattr(registry, "GAMES", KnownGames({}, [bind(peeking, QIN_CODEC)]))
    table = begin(running.stub, chance=pb.CHANCE_RECORDED)
    table.play("deal green RY YY BB", "deal violet RR YB BB")
    stored, green = pb.MatchAt(match_id=table.match), entries.Actor(seat=0)
    check = pb.CheckMoveRequest(stored=stored, move=text("green Ye8Re9"))

    assert running.stub.CheckMove(check).legal
    assert running.stub.ListLegalMoves(pb.ListLegalMovesRequest(stored=stored, actor=green)).moves


def test_in_version_1_a_game_that_keeps_secrets_without_draws_shows_no_hashes() -> None:
    setup = Setup(EditionKey("qin/1"), ("green", "violet"), "bird")
    before = bind(replace(QIN, has_secrets=lambda _: True), QIN_CODEC).start(setup)
    header = MatchHeader(before.game, setup, entry_version=ENTRY_VERSION_1)
    first = header_entry(header, before, MATCH, "start", 1)

    def seen(viewer: Viewer) -> entries.Entry:
        return entry_message(Viewpoint(header, viewer, viewer), before, first)

    assert seen(actors.AUDITOR).hash == first.hash
    assert not seen(SPECTATOR).hash
    assert not seen(Seat(0)).state_digest
