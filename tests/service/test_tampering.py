"""Attacks by someone with access to the archive file or the log's key, on a real archive and server."""

import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest
from shiji import Client
from shiji.record.v1 import entry_pb2 as entries
from shiji.record.v1 import record_service_pb2 as pb

from records.entry import Entry, EntryKind, MatchId, with_hash
from records.evidence.ed25519 import SecretKey
from records.evidence.note import parse_note, parse_verifier_key, verified
from records.evidence.signing import Claim
from records.ledger.ledger import Ledger
from records.log.contract import NEW, Append
from records.log.memory import MemoryLog
from records.log.sqlite import SqliteLog, row_of
from records.log.sqlite_rows import INSERT_ENTRY
from tests.records.archives import damage, open_log, unguarded
from tests.records.matches import MOVES, Table
from tests.service.calls import refusal, request_id
from tests.service.servers import serving
from tests.tools.logs import Key, Witness, checkpoint, new_key, new_witness
from tests.tools.running import run

GREEN, VIOLET = SecretKey(b"g" * 32), SecretKey(b"v" * 32)
OTHERWISE = (*MOVES[:4], "green Bi8Bi9")
"""The same match with a different last move of green."""


@dataclass(frozen=True, slots=True)
class Site:
    """A log of two matches, and a witness that saw it while its server ran."""

    db: Path
    key: Key
    witness: Witness
    matches: tuple[MatchId, ...]

    def flaws(self) -> str:
        """What an audit finds that compares the archive with the witness's checkpoint."""
        return self._audited("--checkpoint", self.witness.state, "--log-key", self.key.public)

    def flaws_without_a_checkpoint(self) -> str:
        """What an audit finds without a checkpoint."""
        return self._audited()

    def _audited(self, *options: str | Path) -> str:
        result = run("audit", self.db, *options)
        return result.stdout if result.exit_code else ""

    def refusal_by(self, witness: Witness) -> str:
        """Why a witness refuses the checkpoint of a server over this archive; empty if it cosigns."""
        with serving(self.db, "--log-key", self.key.file) as server:
            result = witness.ask("--server", server.address)
        return result.stderr if result.exit_code else ""

    def record(self, number: int) -> list[Entry]:
        with open_log(self.db) as log:
            return list(log.read(self.matches[number]))


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Site:
    folder = tmp_path_factory.mktemp("site")
    db, key = folder / "archive.db", new_key(folder / "log.key")
    witness = new_witness(folder, key)
    with serving(db, "--log-key", key.file) as server, Client(server.address) as client:
        matches = [client.start_match("qin", ["green", "violet"]).match.id for _ in range(2)]
        for after, move in enumerate(MOVES):
            for match in matches:
                client.append(match, move, after=after)
        assert witness.ask("--server", server.address).exit_code == 0
    return Site(db, key, witness, tuple(map(MatchId, matches)))


@pytest.fixture
def site(built: Site, tmp_path: Path) -> Site:
    """A copy to damage."""
    folder = tmp_path / "site"
    shutil.copytree(built.db.parent, folder)
    key = Key(folder / "log.key", built.key.public)
    state = folder / built.witness.state.name
    witness = Witness(Key(folder / built.witness.key.file.name, built.witness.key.public), key, state)
    return Site(folder / "archive.db", key, witness, built.matches)


def rewrite(db: Path, record: Sequence[Entry]) -> None:
    """Replaces a match in the file by another record of it, with valid hashes."""
    with unguarded(db) as raw:
        for entry in record:
            raw.execute(
                "UPDATE entry SET move = ?, events = ?, state = ?, request = ?, recorded = ?, previous = ?, "
                "hash = ? "
                "WHERE sequence = ? AND match = (SELECT number FROM match WHERE id = ?)",
                (
                    entry.move,
                    entry.events,
                    entry.state,
                    entry.request,
                    entry.recorded,
                    entry.previous,
                    entry.hash,
                    entry.sequence,
                    entry.match,
                ),
            )


def replayed_otherwise(header: Entry, moves: Sequence[str] = OTHERWISE) -> list[Entry]:
    """Another record with the same header, in which every move is legal."""
    log = MemoryLog()
    log.write([Append(header.match, NEW, (header,))])
    table = Table(Ledger(log), header.match)
    table.play(*moves)
    return table.entries


def close_gap(*positions: int) -> list[str]:
    """SQL that deletes entries and renumbers the ones after them."""
    statements = []
    for position in sorted(positions, reverse=True):
        statements += [
            f"DELETE FROM entry WHERE position = {position}",  # noqa: S608 - the test's own words
            f"UPDATE entry SET position = -position WHERE position > {position}",  # noqa: S608 - likewise
            "UPDATE entry SET position = -position - 1 WHERE position < 0",
        ]
    return statements


def test_an_unchanged_archive_matches_its_checkpoint(site: Site) -> None:
    assert site.flaws() == ""
    assert site.refusal_by(site.witness) == ""


def test_a_removed_row_is_found(site: Site) -> None:
    damage(site.db, "DELETE FROM entry WHERE position = 5")

    assert "position 5 is missing" in site.flaws()


def test_swapped_rows_are_found_only_with_the_checkpoint(site: Site) -> None:
    damage(
        site.db,
        "UPDATE entry SET position = -4 WHERE position = 4",
        "UPDATE entry SET position = 4 WHERE position = 5",
        "UPDATE entry SET position = 5 WHERE position = -4",
    )

    assert site.flaws_without_a_checkpoint() == ""
    assert "are not those that the checkpoint promises" in site.flaws()
    assert "Refused (Forked)" in site.refusal_by(site.witness)


def test_a_match_without_its_end_is_found_only_with_the_checkpoint(site: Site) -> None:
    last = site.record(0)[-1]
    damage(site.db, *close_gap(last.position))

    assert site.flaws_without_a_checkpoint() == ""
    assert "the checkpoint promises 12 entries and the archive has 11: 1 are gone" in site.flaws()
    assert "Refused (Smaller)" in site.refusal_by(site.witness)


def test_a_match_without_its_end_in_a_log_that_has_grown_since_is_found(site: Site) -> None:
    damage(site.db, *close_gap(site.record(0)[-1].position))
    with SqliteLog.open(site.db) as log:
        Table(Ledger(log), site.matches[1], 5).play("violet pass")

    assert site.flaws_without_a_checkpoint() == ""
    assert "are not those that the checkpoint promises" in site.flaws()


def test_a_rewritten_chain_with_valid_hashes_is_found_only_with_the_checkpoint(site: Site) -> None:
    rewrite(site.db, replayed_otherwise(site.record(0)[0]))

    assert site.flaws_without_a_checkpoint() == ""
    assert "are not those that the checkpoint promises" in site.flaws()
    assert "Refused (Forked)" in site.refusal_by(site.witness)


def test_a_rewritten_log_that_has_grown_since_is_refused_by_its_witness(site: Site) -> None:
    rewrite(site.db, replayed_otherwise(site.record(0)[0]))
    with SqliteLog.open(site.db) as log:
        Table(Ledger(log), site.matches[1], 5).play("violet pass")

    assert "Refused (Inconsistent)" in site.refusal_by(site.witness)


def test_a_forked_log_is_found_when_two_witnesses_compare(site: Site, tmp_path: Path) -> None:
    other = new_witness(tmp_path, site.key, "other.example")
    fork = Site(tmp_path / "fork.db", site.key, other, site.matches)
    with closing(sqlite3.connect(site.db)) as whole, closing(sqlite3.connect(fork.db)) as copy:
        whole.backup(copy)
    rewrite(fork.db, replayed_otherwise(site.record(0)[0]))

    assert fork.refusal_by(other) == ""

    one, two = (parse_note(each.read_bytes()) for each in (site.witness.state, other.state))
    log_key = parse_verifier_key(site.key.public)
    assert verified(one, [log_key])
    assert verified(two, [log_key])
    assert one.text != two.text
    assert "Refused (Forked)" in site.witness.ask(other.state).stderr
    assert "Refused (Forked)" in other.ask(site.witness.state).stderr


def test_a_rewritten_match_cannot_be_bundled_with_the_old_checkpoint(site: Site, tmp_path: Path) -> None:
    cosigned = ("--checkpoint", site.witness.state, "--log-key", site.key.public)
    bundle = tmp_path / "match.bundle"
    assert run("bundle", site.db, site.matches[0], *cosigned, "--out", bundle).exit_code == 0
    rewrite(site.db, replayed_otherwise(site.record(0)[0]))

    result = run("bundle", site.db, site.matches[0], *cosigned, "--out", tmp_path / "forged.bundle")

    assert result.exit_code == 1
    assert run("verify", bundle, "--log-key", site.key.public).exit_code == 0


def test_an_operator_that_signs_a_rewritten_log_is_caught_by_the_old_checkpoint(
    site: Site, tmp_path: Path
) -> None:
    rewrite(site.db, replayed_otherwise(site.record(0)[0]))
    counting_from_now = checkpoint(site.db, site.key, tmp_path / "anew")
    bundle = tmp_path / "forged.bundle"
    run("bundle", site.db, site.matches[0], "--key", site.key.file, "--out", bundle)

    assert run("verify", bundle, "--log-key", site.key.public).exit_code == 0
    assert run("verify", bundle, "--witness-key", site.witness.key.public).exit_code == 1
    assert "Refused (Forked)" in site.witness.ask(counting_from_now).stderr


def test_a_signature_from_another_match_or_another_seat_is_refused_and_nothing_is_stored(
    tmp_path: Path,
) -> None:
    with serving(tmp_path / "archive.db") as server:

        def start() -> entries.Entry:
            request = pb.StartMatchRequest(request_id=request_id(), game="qin", seats=["green", "violet"])
            request.seat_keys.extend([GREEN.public.raw, VIOLET.public.raw])
            return server.stub.StartMatch(request).entries[0]

        def signed(at: entries.Entry, key: SecretKey) -> bytes:
            claim = Claim(MatchId(at.match_id), 1, EntryKind.MOVE, 0, at.hash, move, at.version)
            return key.sign(claim.digest)

        def append(at: entries.Entry, signature: bytes) -> pb.AppendMoveResponse:
            encoded = entries.EncodedMove(actor=entries.Actor(seat=0), data=move)
            return server.stub.AppendMove(
                pb.AppendMoveRequest(
                    match_id=at.match_id,
                    request_id=request_id(),
                    move=entries.Move(encoded=encoded),
                    signature=signature,
                )
            )

        one, other = start(), start()
        with open_log(tmp_path / "archive.db") as log:
            state = Ledger(log).current(MatchId(one.match_id)).state
            move = state.parse_text(MOVES[0]).data
        append(one, signed(one, GREEN))

        assert refusal(lambda: append(other, signed(one, GREEN))).reason == "NOT_SIGNED"
        assert refusal(lambda: append(other, signed(other, VIOLET))).reason == "NOT_SIGNED"
        assert refusal(lambda: append(other, b"")).reason == "NOT_SIGNED"
        assert server.stub.GetMatch(pb.GetMatchRequest(match_id=other.match_id)).match.sequence == 0


def test_a_row_appended_without_the_seats_key_is_found(tmp_path: Path) -> None:
    db = tmp_path / "archive.db"
    with serving(db) as server:
        request = pb.StartMatchRequest(request_id="start", game="qin", seats=["green", "violet"])
        request.seat_keys.extend([GREEN.public.raw, VIOLET.public.raw])
        match = MatchId(server.stub.StartMatch(request).match.match_id)
    with open_log(db) as log:
        (header,) = log.read(match)
        move = Ledger(log).current(match).state.parse_text(MOVES[0]).data
    unsigned = with_hash(
        Entry(
            match=match,
            sequence=1,
            kind=EntryKind.MOVE,
            actor=0,
            move=move,
            events=b"",
            state=header.state,
            request="forged",
            recorded=header.recorded,
            previous=header.hash,
            concealed=header.concealed,
        )
    )
    with unguarded(db) as raw:
        raw.execute(INSERT_ENTRY, row_of(unsigned, 2, 1))

    result = run("audit", db)

    assert result.exit_code == 1
    assert "corrupt at entry 1 of 1" in result.stdout
    assert "and this is not signed" in result.stdout
