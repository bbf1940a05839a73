"""Tokens have owners: what one owner's matches hide, the tokens of another do not learn."""

import json
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest
from shiji.record.v1 import entry_pb2 as entries
from shiji.record.v1 import header_pb2 as headers
from shiji.record.v1 import record_service_pb2 as pb

from records.entry import MatchId
from records.log.owners import BadOwners, Owners
from tests.service.calls import AUDITOR, SPECTATOR, refusal, request_id, seat, text
from tests.service.servers import TIMEOUT_SECONDS, Running, bearer, serving
from tests.service.tokens import new_token
from tests.tools.running import run
from tools.dev.golden_version_2 import FOLDER as GOLDEN

Metadata = tuple[tuple[str, str], ...]
ROLES = {
    "club": ("recorder",),
    "club-2": ("recorder", "--owner", "club"),
    "rival": ("recorder",),
    "auditor": ("auditor",),
    "ops": ("admin",),
}


class Club:
    """A server that requires tokens, with callers of several owners."""

    def __init__(self, running: Running, tokens: dict[str, str]) -> None:
        self.stub = running.stub
        self.tokens = tokens

    def by(self, name: str) -> Metadata:
        return bearer(self.tokens[name])

    def start(
        self, chance: pb.Chance.ValueType, by: str = "club", request: str = ""
    ) -> pb.StartMatchResponse:
        """A match of green and violet in which any seat may retract."""
        return self.stub.StartMatch(
            pb.StartMatchRequest(
                request_id=request or request_id(),
                game="qin",
                components="bird",
                seats=["green", "violet"],
                chance=chance,
                retract=headers.RETRACT_POLICY_ANY_SEAT,
            ),
            metadata=self.by(by),
            timeout=TIMEOUT_SECONDS,
        )

    def append(self, match: str, move: str, expected: int, by: Metadata) -> pb.Appended:
        request = pb.AppendMoveRequest(
            match_id=match, expected_sequence=expected, request_id=request_id(), move=text(move)
        )
        return self.stub.AppendMove(request, metadata=by, timeout=TIMEOUT_SECONDS).appended

    def state(self, match: str, viewer: entries.Viewer, by: Metadata) -> pb.GetStateResponse:
        request = pb.GetStateRequest(match_id=match, viewer=viewer)
        return self.stub.GetState(request, metadata=by, timeout=TIMEOUT_SECONDS)

    def recorded(self) -> str:
        """A match in which the club's recorder has dealt, and it is green's turn."""
        match = self.start(pb.CHANCE_RECORDED).match.match_id
        self.append(match, "deal green RR RY RB", 0, self.by("club"))
        self.append(match, "deal violet YY YB BB", 1, self.by("club"))
        return match


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    folder: Path = tmp_path_factory.mktemp("owners")
    tokens = {name: new_token(folder / "tokens", name, *role) for name, role in ROLES.items()}
    run("keygen", "--kind", "log", "--name", "example.com/shiji", "--out", folder / "log.key")
    flags = ("--tokens", folder / "tokens", "--log-key", folder / "log.key")
    with serving(folder / "shiji.db", *flags) as running:
        yield Club(running, tokens)


def test_tokens_of_one_owner_share_their_matches(club: Club) -> None:
    match = club.start(pb.CHANCE_SERVICE).match.match_id

    assert club.state(match, seat(0), club.by("club-2")) == club.state(match, seat(0), club.by("club"))
    assert club.state(match, seat(0), club.by("club")) != club.state(match, seat(1), club.by("club"))


@pytest.mark.parametrize("chance", [pb.CHANCE_UNRECORDED, pb.CHANCE_RECORDED, pb.CHANCE_SERVICE])
def test_another_owner_acts_for_nobody_and_sees_what_is_public(
    club: Club, chance: pb.Chance.ValueType
) -> None:
    started = club.start(chance)
    match, rival = started.match.match_id, club.by("rival")
    check = pb.CheckMoveRequest(stored=pb.MatchAt(match_id=match), move=text("green pass"))
    legal = pb.ListLegalMovesRequest(stored=pb.MatchAt(match_id=match))
    back = pb.RetractRequest(match_id=match, request_id=request_id(), expected_sequence=1)

    for call in (
        lambda: club.append(match, "green Re8Re9", started.match.sequence, rival),
        lambda: club.stub.CheckMove(check, metadata=rival, timeout=TIMEOUT_SECONDS),
        lambda: club.stub.ListLegalMoves(legal, metadata=rival, timeout=TIMEOUT_SECONDS),
        lambda: club.stub.Retract(back, metadata=rival, timeout=TIMEOUT_SECONDS),
    ):
        assert refusal(call).reason == "NOT_YOUR_MATCH"
    assert club.state(match, SPECTATOR, rival).sequence == started.match.sequence


@pytest.mark.parametrize(("caller", "reason"), [("rival", "NOT_YOUR_MATCH"), ("ops", "MATCH_NOT_OVER")])
@pytest.mark.parametrize("dealt_by_service", [False, True])
def test_neither_another_owner_nor_an_admin_sees_hidden_hands(
    club: Club, caller: str, reason: str, *, dealt_by_service: bool
) -> None:
    match = club.start(pb.CHANCE_SERVICE).match.match_id if dealt_by_service else club.recorded()
    by = club.by(caller)

    def read(viewer: entries.Viewer) -> Callable[[], object]:
        request = pb.ReadRecordRequest(match_id=match, viewer=viewer)
        return lambda: list(club.stub.ReadRecord(request, metadata=by, timeout=TIMEOUT_SECONDS))

    assert refusal(lambda: club.state(match, seat(0), by)).reason == reason
    assert refusal(read(seat(1))).reason == reason
    for call in (
        lambda: club.state(match, AUDITOR, by),
        read(AUDITOR),
        lambda: club.stub.ExportRecord(pb.ExportRecordRequest(match_id=match), metadata=by),
        lambda: club.stub.AuditMatch(pb.AuditMatchRequest(match_id=match), metadata=by),
    ):
        assert refusal(call).reason == "MATCH_NOT_OVER"
    assert "?" in club.state(match, SPECTATOR, by).position


def test_an_admin_cannot_probe_hidden_hands_by_moves_but_may_act_as_the_arbiter(club: Club) -> None:
    match, ops = club.recorded(), club.by("ops")
    for move in ("green Re8Re9", "draw RR"):
        assert refusal(partial(club.append, match, move, 2, ops)).reason == "MATCH_NOT_OVER"
    back = pb.RetractRequest(match_id=match, request_id=request_id(), expected_sequence=2, to_sequence=1)

    club.stub.Retract(back, metadata=ops, timeout=TIMEOUT_SECONDS)


def test_the_recorder_that_dealt_sees_the_hands(club: Club) -> None:
    assert "?" not in club.state(club.recorded(), AUDITOR, club.by("club-2")).position


def test_a_request_id_of_another_owner_is_free(club: Club) -> None:
    """Neither the match nor the tokens of its seats are returned to another owner."""
    request = request_id()
    ours = club.start(pb.CHANCE_SERVICE, request=request)
    theirs = club.start(pb.CHANCE_SERVICE, by="rival", request=request)
    again = club.start(pb.CHANCE_SERVICE, by="club-2", request=request)

    assert again == ours
    assert theirs.match.match_id != ours.match.match_id
    assert not set(theirs.seat_tokens) & set(ours.seat_tokens)


def test_a_request_id_that_is_too_long_with_its_owner_is_refused(club: Club) -> None:
    error = refusal(lambda: club.start(pb.CHANCE_UNRECORDED, request="r" * 200))

    assert (error.reason, error.metadata["field"]) == ("BAD_FIELD", "request_id")
    assert "at most 183" in error.message


def test_an_imported_match_belongs_to_its_importer(club: Club) -> None:
    source = club.start(pb.CHANCE_UNRECORDED)
    exported = club.stub.ExportRecord(
        pb.ExportRecordRequest(match_id=source.match.match_id, format=pb.RECORD_FORMAT_TRANSCRIPT),
        metadata=club.by("club"),
        timeout=TIMEOUT_SECONDS,
    )
    imported = club.stub.ImportRecord(
        pb.ImportRecordRequest(content=exported.content), metadata=club.by("rival"), timeout=TIMEOUT_SECONDS
    )

    error = refusal(lambda: club.append(imported.match_id, "green Re8Re9", 0, club.by("club")))
    assert error.reason == "NOT_YOUR_MATCH"
    club.append(imported.match_id, "green Re8Re9", 0, club.by("rival"))


def test_a_record_is_not_extended_by_the_import_of_another_owner(club: Club) -> None:
    match = club.start(pb.CHANCE_UNRECORDED).match.match_id
    export = pb.ExportRecordRequest(match_id=match, format=pb.RECORD_FORMAT_RECORD)
    content = club.stub.ExportRecord(export, metadata=club.by("club")).content
    club.append(match, "green Re8Re9", 0, club.by("club"))

    def imported(by: str) -> pb.ImportRecordResponse:
        request = pb.ImportRecordRequest(content=content)
        return club.stub.ImportRecord(request, metadata=club.by(by), timeout=TIMEOUT_SECONDS)

    assert imported("rival").added == imported("club").added == 0


@pytest.mark.parametrize("caller", ["rival", "auditor", "ops"])
def test_nobody_confirms_a_guessed_hand_by_import_comparison_or_proof(club: Club, caller: str) -> None:
    """In version 1, whose hashes cover hidden hands."""
    content, by = (GOLDEN / "v1-recorded.jsonl").read_bytes(), club.by(caller)
    imported = pb.ImportRecordRequest(content=content)
    match = club.stub.ImportRecord(imported, metadata=club.by("club")).match_id
    sent = pb.ComparedRecord(content=content)
    read = pb.ReadRecordRequest(match_id=match, from_sequence=1)
    position = next(iter(club.stub.ReadRecord(read, metadata=club.by("club")))).entry.position
    place = pb.GetInclusionProofRequest(place=pb.EntryPlace(match_id=match, sequence=1))
    calls = [
        lambda: club.stub.CompareRecords(pb.CompareRecordsRequest(one=sent, other=sent), metadata=by),
        lambda: club.stub.GetInclusionProof(place, metadata=by),
        lambda: club.stub.GetInclusionProof(pb.GetInclusionProofRequest(position=position), metadata=by),
    ]
    if caller != "auditor":
        calls.append(lambda: club.stub.ImportRecord(pb.ImportRecordRequest(content=content), metadata=by))

    for call in calls:
        assert refusal(call).reason == "MATCH_NOT_OVER"
    own = pb.CompareRecordsRequest(one=sent, other=sent)
    assert club.stub.CompareRecords(own, metadata=club.by("club")).one.in_log == 7
    assert club.stub.GetInclusionProof(place, metadata=club.by("club")).size


def test_an_auditor_who_follows_a_match_sees_nothing_more_once_it_is_reopened(club: Club) -> None:
    match, by = club.start(pb.CHANCE_RECORDED).match.match_id, club.by("club")
    last = 0
    legal = pb.ListLegalMovesRequest(stored=pb.MatchAt(match_id=match), page_size=1)
    while moves := club.stub.ListLegalMoves(legal, metadata=by).moves:
        last = club.append(match, moves[0].text, last, by).entries[-1].sequence
    record = pb.FollowRecordRequest(match_id=match, from_sequence=last, viewer=AUDITOR)
    following = club.stub.FollowRecord(record, metadata=club.by("auditor"), timeout=TIMEOUT_SECONDS)
    assert next(following).entry.hash
    assert _first_deal(club, match).parts

    back = pb.RetractRequest(match_id=match, request_id=request_id(), expected_sequence=last, to_sequence=2)
    club.stub.Retract(back, metadata=by, timeout=TIMEOUT_SECONDS)

    assert refusal(lambda: next(following)).reason == "MATCH_NOT_OVER"
    assert not _first_deal(club, match).parts


def _first_deal(club: Club, match: str) -> entries.Entry:
    """As an auditor is shown it who follows the archive from its start."""
    request = pb.FollowArchiveRequest(viewer=AUDITOR)
    everything = club.stub.FollowArchive(request, metadata=club.by("auditor"), timeout=TIMEOUT_SECONDS)
    shown = (answer.entry for answer in everything)
    found = next(entry for entry in shown if (entry.match_id, entry.sequence) == (match, 1))
    everything.cancel()
    return found


def test_owners_survive_a_restart_and_older_matches_are_everybodys(tmp_path: Path) -> None:
    file, db = tmp_path / "tokens", tmp_path / "shiji.db"
    tokens = {name: new_token(file, name, *ROLES[name]) for name in ("club", "rival")}
    with serving(db) as running:
        request = pb.StartMatchRequest(request_id="old", game="qin", seats=["green", "violet"])
        old = running.stub.StartMatch(request, timeout=TIMEOUT_SECONDS).match.match_id
    with serving(db, "--tokens", file) as running:
        new = Club(running, tokens).start(pb.CHANCE_SERVICE).match.match_id
    with serving(db, "--tokens", file) as running:
        club = Club(running, tokens)

        club.append(old, "green Re8Re9", 0, club.by("rival"))
        club.state(new, seat(0), club.by("club"))
        assert refusal(lambda: club.state(new, seat(0), club.by("rival"))).reason == "NOT_YOUR_MATCH"


MATCH, OTHER = MatchId("match-1"), MatchId("match-2")


def test_the_first_claim_holds_also_between_servers(tmp_path: Path) -> None:
    file = tmp_path / "owners"
    one, two = Owners(file, ()), Owners(file, ())

    assert one.claim(MATCH, "club")
    assert not two.claim(MATCH, "rival")
    assert two.owned(MATCH, "club")
    assert not Owners(file, ()).owned(MATCH, "rival")
    assert not one.owned(OTHER, "club")


def test_half_a_line_in_the_file_gives_nothing_and_loses_nothing(tmp_path: Path) -> None:
    file = tmp_path / "owners"
    assert Owners(file, ()).claim(MATCH, "club")
    with file.open("ab") as damaged:
        damaged.write(b'["match-2","riv')

    assert Owners(file, ()).claim(OTHER, "club")
    again = Owners(file, ())
    assert again.owned(MATCH, "club")
    assert again.owned(OTHER, "club")


def test_another_file_is_not_taken_for_owners(tmp_path: Path) -> None:
    file = tmp_path / "owners"
    file.write_text("hello\n")

    with pytest.raises(BadOwners, match="does not hold the owners"):
        Owners(file, ())


def test_the_owner_of_a_token_is_listed_and_old_files_are_read(tmp_path: Path) -> None:
    file = tmp_path / "tokens"
    new_token(file, "app", "recorder")
    assert "owner" not in file.read_text()
    new_token(file, "app-2", "recorder", "--owner", "club")

    lines = run("token", "list", "--tokens", file, "--json").stdout.splitlines()

    assert [json.loads(line).get("owner") for line in lines] == [None, "club"]
    assert "app-2: recorder of club" in run("token", "list", "--tokens", file).stdout


def test_the_token_of_a_seat_has_no_owner_of_its_own(tmp_path: Path) -> None:
    arguments = ("--name", "x", "--role", "seat", "--seat", "m/0", "--owner", "club")

    done = run("token", "new", "--tokens", tmp_path / "tokens", *arguments)

    assert done.exit_code == 2
    assert "belongs to the owner of its match" in done.stderr


def test_matches_that_are_claimed_at_the_same_time_all_get_their_owner(tmp_path: Path) -> None:
    owners = Owners(tmp_path / "owners", ())
    matches = [MatchId(f"m{number}") for number in range(1000)]

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(16) as threads:
            claimed = list(threads.map(lambda match: owners.claim(match, "club"), matches))
    finally:
        sys.setswitchinterval(interval)

    again = Owners(tmp_path / "owners", ())
    assert all(claimed)
    assert all(again.owned(match, "club") for match in matches)


def test_claims_that_wait_together_wait_for_the_disk_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    owners = Owners(tmp_path / "owners", ())
    syncs = list[int]()

    def slow_sync(file: int) -> None:
        syncs.append(file)
        time.sleep(0.01)

    monkeypatch.setattr("records.log.owners.os.fsync", slow_sync)
    with ThreadPoolExecutor(16) as threads:
        claimed = list(threads.map(lambda number: owners.claim(MatchId(f"m{number}"), "club"), range(160)))

    assert all(claimed)
    assert len(syncs) < 80
