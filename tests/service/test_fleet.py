"""Several servers on one PostgreSQL archive: what each of them answers, shows and refuses."""

import os
import random
import secrets
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from http import HTTPStatus
from itertools import islice
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import psycopg
import pytest
from grpc import StatusCode
from grpc_health.v1.health_pb2 import HealthCheckResponse
from shiji import Client, Summary
from shiji.record.v1 import record_service_pb2 as pb
from shiji.record.v1.record_service_pb2_grpc import RecordServiceStub

from records.audit.bundle import judge_bundle, read_bundle
from records.entry import MatchId
from records.evidence.checkpoint import parse_checkpoint
from records.evidence.ed25519 import SecretKey
from records.evidence.merkle import check_inclusion, leaf_hash
from records.evidence.note import SignatureType, SignerKey, parse_note, parse_verifier_key, verified
from records.evidence.personal_commitment import Fact
from records.files.key_file import save_secret
from records.ledger.ledger import Ledger
from records.log.opening import open_log, open_register
from records.log.postgres.connection import Target
from records.log.postgres.log import PostgresLog
from records.verdict import Verified
from service.config import BadConfig, Configured
from tests.postgres import as_role, shared_cluster
from tests.service.calls import Table, begin
from tests.service.mutants import mutants
from tests.service.running import serving_in_process
from tests.service.servers import (
    SERVE,
    TIMEOUT_SECONDS,
    Running,
    bearer,
    connected,
    not_serving,
    refused,
    serving,
)
from tests.service.test_fuzz import METHODS, TRANSCRIPT, call
from tests.service.tokens import new_token
from tests.tools.logs import new_key
from tests.tools.running import run
from tools.dev.every_call import EveryCall

SERVING = HealthCheckResponse.SERVING
NOT_SERVING = HealthCheckResponse.NOT_SERVING
MOVES = ("green Re8Re9", "violet Yg8Bh8", "green Yd8Rd9", "violet Yg9Yg10")
WAIT_SECONDS = 120.0
KEY = SecretKey(bytes(range(32)))


@pytest.fixture(scope="module")
def secret(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("fleet") / "secret"
    path.write_text(secrets.token_hex(32))
    return path


@pytest.fixture(scope="module")
def target() -> Target:
    """An archive, as servers that number entries reach it."""
    return shared_cluster().target_of("server")


@pytest.fixture(scope="module")
def fleet(target: Target, secret: Path) -> Iterator[tuple[Running, Running]]:
    front = as_role(target, "front").url
    with (
        serving(target.url, "--secret-file", secret) as one,
        serving(front, "--secret-file", secret, "--sequencer", "off") as other,
    ):
        yield one, other


def eventually(true: Callable[[], bool]) -> None:
    """Waits until a question has the answer yes."""
    end = time.monotonic() + WAIT_SECONDS
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


def children(process: int) -> list[int]:
    """The server processes that a process has started, without those of Python itself."""
    found = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return [int(child) for child in found if b"spawn_main" in command_line(child)]


def command_line(process: str) -> bytes:
    """The command that a process runs; nothing of one that has ended."""
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except FileNotFoundError:
        return b""


def kept_size(secret: Path) -> int:
    """The size of the newest checkpoint that a server keeps beside its secret; 0 if there is none."""
    path = secret.with_name(f"{secret.name}.checkpoint")
    return parse_checkpoint(parse_note(path.read_bytes()).text).size if path.exists() else 0


def with_person(request: str) -> pb.StartMatchRequest:
    """A request to start a match with a fact about a person."""
    fact = pb.Person(person_id="player-1", field="name", value="Ann")
    return pb.StartMatchRequest(request_id=request, game="qin", seats=("green", "violet"), people=(fact,))


def stop(server: Running) -> None:
    server.signal(signal.SIGTERM)
    assert server.exit_code() == 0


def at(server: Running, table: Table) -> Table:
    """The same match, played at another server."""
    return Table(server.stub, table.match, table.last)


def hashes(table: Table) -> list[bytes]:
    """The hashes of all entries; their positions may come later."""
    return [entry.hash for entry in table.record()]


class TestTwoServers:
    def test_a_match_is_played_at_both(self, fleet: tuple[Running, Running]) -> None:
        one, other = fleet
        table = begin(one.stub)
        for number, move in enumerate(MOVES):
            table = at(fleet[(number + 1) % 2], table)
            table.play(move)

        assert [entry.text for entry in at(one, table).record()][1:] == list(MOVES)
        assert hashes(at(one, table)) == hashes(at(other, table))

    def test_a_repeated_request_is_answered_by_the_other_server_as_by_the_first(
        self, fleet: tuple[Running, Running]
    ) -> None:
        one, other = fleet
        table = begin(one.stub)
        request = table.append_request(MOVES[0])
        first = one.stub.AppendMove(request).appended

        repeat = other.stub.AppendMove(request).appended

        for answer in (first, repeat):
            for entry in answer.entries:
                entry.position = 0
        assert repeat == first

    def test_a_server_that_is_behind_says_where_the_match_is_and_goes_on_from_there(
        self, fleet: tuple[Running, Running]
    ) -> None:
        one, other = fleet
        table = begin(one.stub)
        behind = at(other, table)
        behind.record()
        table.play(MOVES[0])

        with refused() as refusal:
            behind.play(MOVES[0])

        assert refusal.reason == "SEQUENCE_TAKEN"
        assert refusal.metadata["actual_sequence"] == "1"
        at(other, table).play(MOVES[1])

    def test_followers_at_one_server_see_what_is_played_at_the_other(
        self, fleet: tuple[Running, Running]
    ) -> None:
        one, other = fleet
        table = begin(one.stub)
        following = other.stub.FollowRecord(
            pb.FollowRecordRequest(match_id=table.match), timeout=WAIT_SECONDS
        )
        first = next(following)
        after = first.entry.position
        archive = other.stub.FollowArchive(
            pb.FollowArchiveRequest(after_position=after), timeout=WAIT_SECONDS
        )
        table.play(*MOVES)

        followed = [answer.entry for answer in islice(following, len(MOVES))]
        numbered = [answer.entry.position for answer in islice(archive, len(MOVES))]
        following.cancel()
        archive.cancel()

        assert [entry.text for entry in followed] == list(MOVES)
        assert all(entry.position > after for entry in followed)
        assert numbered == list(range(after + 1, after + 1 + len(MOVES)))

    def test_every_method_works_at_every_server(self, target: Target, fleet: tuple[Running, Running]) -> None:
        noted: list[tuple[str, int]] = []
        for server in fleet:
            with Client(server.address, timeout=WAIT_SECONDS) as client:
                player = EveryCall(client, f"every {server.address}", lambda *each: noted.append(each[:2]))
                scenes = list(islice(player.play(), 5))

                assert scenes == ["_plain", "_signed", "_choices", "_imported", "_read"]

        with open_log(target.url, read_only=True) as log:
            heads = log.heads([MatchId(match) for match, _ in noted])
        assert all(heads[MatchId(match)].sequence >= sequence for match, sequence in noted)

    def test_many_callers_at_both_servers_lose_nothing(self, fleet: tuple[Running, Running]) -> None:
        tables = [begin(fleet[number % 2].stub) for number in range(12)]

        def play(number: int, table: Table) -> None:
            for turn, move in enumerate(MOVES):
                at(fleet[(number + turn) % 2], table).play(move)
                table.last += 1

        threads = [threading.Thread(target=play, args=each) for each in enumerate(tables)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

        assert {len(table.record()) for table in tables} == {len(MOVES) + 1}

    def test_an_audit_of_the_archive_is_clean_and_the_listing_complete(
        self, target: Target, fleet: tuple[Running, Running]
    ) -> None:
        one, other = fleet
        table = begin(one.stub)
        with open_log(target.url, read_only=True) as log:
            eventually(lambda: any(listed.match == table.match for listed in log.listing()))

        summary = list(other.stub.AuditArchive(pb.AuditArchiveRequest()))[-1].summary
        page = other.stub.ListMatches(pb.ListMatchesRequest(match_id_prefix=table.match))

        assert summary.clean
        assert [match.match_id for match in page.matches] == [table.match]

    def test_an_audit_of_the_archive_says_what_was_not_checked(self, fleet: tuple[Running, Running]) -> None:
        with Client(fleet[0].address) as client:
            *_, summary = client.audit_archive()

        assert isinstance(summary, Summary)
        assert summary.not_checked == ("indexes, because the extension amcheck is not installed",)
        assert summary.clean

    def test_what_is_started_at_one_server_can_be_dealt_and_looked_at_by_seats_at_the_other(
        self, fleet: tuple[Running, Running]
    ) -> None:
        one, other = fleet
        table = begin(one.stub, chance=pb.CHANCE_SERVICE)

        move = at(other, table).legal()[0]
        played = at(other, table).play(move)

        assert hashes(at(one, table)) == hashes(at(other, table))
        assert played.entries[-1].sequence > table.last

    def test_both_are_healthy_in_all_parts(self, fleet: tuple[Running, Running]) -> None:
        for server in fleet:
            parts = ("", "shiji.read", "shiji.write", "shiji.sequencer", "shiji.record.v1.RecordService")
            assert {server.check(part) for part in parts} == {SERVING}


class TestPeople:
    def test_facts_about_people_are_kept_by_servers_that_may_not_change_them(
        self, target: Target, fleet: tuple[Running, Running]
    ) -> None:
        for number, server in enumerate(fleet):
            begun = server.stub.StartMatch(with_person(f"people {number}"))
            assert begun.match.match_id

        owner = as_role(target, "owner").url
        with closing(open_register(owner)) as register:
            facts = [stored.fact for stored in register.everything()]
        assert Fact("player-1", "name", "Ann") in facts

    def test_a_missing_right_is_not_something_to_wait_for(self, secret: Path) -> None:
        target = shared_cluster().target_of("server")
        with psycopg.connect(as_role(target, "owner").url, autocommit=True) as owner:
            owner.execute("REVOKE INSERT ON shiji.person FROM shiji_server")
        with serving(target.url, "--secret-file", secret) as server, refused() as refusal:
            server.stub.StartMatch(with_person("refused"))

        assert refusal.code == StatusCode.FAILED_PRECONDITION
        assert refusal.reason == "STORAGE_FORBIDDEN"
        assert "grant" in refusal.message


class TestTheEventLoop:
    def test_a_server_answers_while_the_database_does_not(self, target: Target, secret: Path) -> None:
        """A lock on the table of matches stops every question; health checks go on, and nothing is lost."""
        with serving(target.url, "--secret-file", secret) as server, ExitStack() as stack:
            table = begin(server.stub)
            blocker = stack.enter_context(psycopg.connect(as_role(target, "owner").url))
            blocker.execute("LOCK TABLE shiji.match IN ACCESS EXCLUSIVE MODE")
            asked = [server.stub.GetMatch.future(pb.GetMatchRequest(match_id=table.match)) for _ in range(20)]
            append = server.stub.AppendMove.future(table.append_request(MOVES[0]))
            began = time.monotonic()

            assert server.check() == SERVING

            assert not append.done()
            assert not any(each.done() for each in asked)
            assert time.monotonic() - began < WAIT_SECONDS
            blocker.rollback()
            assert {each.result(WAIT_SECONDS).match.match_id for each in asked} == {table.match}
            assert append.result(WAIT_SECONDS).appended.entries[0].sequence == 1


class TestSeveralProcesses:
    def test_processes_share_a_port_and_one_that_ends_is_replaced(self, target: Target, secret: Path) -> None:
        with serving(target.url, "--secret-file", secret, "--workers", "2", "--no-web") as server:
            assert "listens with 2 processes on" in server.startup_lines[0]
            workers = children(server.process.pid)
            table = begin(server.stub)
            table.play(*MOVES[:2])
            os.kill(workers[0], signal.SIGKILL)
            eventually(lambda: len(children(server.process.pid)) >= len(workers))
            asked = pb.GetMatchRequest(match_id=table.match)
            for _ in range(8):
                with connected(server.address) as channel:
                    stub = RecordServiceStub(channel)
                    found = stub.GetMatch(asked, wait_for_ready=True, timeout=WAIT_SECONDS)
                    assert found.match.sequence == 2

            server.signal(signal.SIGTERM)

            assert server.exit_code() == 0

    def test_a_server_that_is_stopped_while_it_replaces_a_process_stops(
        self, target: Target, secret: Path
    ) -> None:
        with serving(target.url, "--secret-file", secret, "--workers", "2", "--no-web") as server:
            killed = children(server.process.pid)[0]
            os.kill(killed, signal.SIGKILL)
            eventually(lambda: not Path(f"/proc/{killed}").exists())  # the server has noticed
            server.signal(signal.SIGTERM)

            assert server.exit_code() == 0

    def test_a_file_has_one_process_and_the_reason_is_given(self, tmp_path: Path) -> None:
        outcome = not_serving(tmp_path / "games.db", "--workers", "2")

        assert outcome.returncode == 2
        assert "two processes on one SQLite file" in outcome.stderr

    def test_a_fault_of_a_process_is_that_of_the_server(self, target: Target, tmp_path: Path) -> None:
        outcome = not_serving(target.url, "--secret-file", tmp_path / "none", "--workers", "2")

        assert outcome.returncode == 2
        assert "none of them creates it" in outcome.stderr


class TestRestoredBackups:
    """A backup that lacks published entries must not give their positions to others."""

    def test_a_backup_without_published_entries_is_only_read(self, secret: Path, tmp_path: Path) -> None:
        cluster, target = shared_cluster(), shared_cluster().target_of("server")
        name = target.url.rpartition("/")[2]
        own = tmp_path / "secret"
        own.write_text(secret.read_text())
        save_secret(tmp_path / "key", SignerKey("example.com/log", SignatureType.ED25519, KEY).secret_text)
        flags = ("--secret-file", own, "--log-key", tmp_path / "key")
        with serving(target.url, *flags) as server:
            table = begin(server.stub)
            table.play(*MOVES[:2])
            eventually(lambda: kept_size(own) == 3)
            stop(server)
        cluster.execute(f"CREATE DATABASE {name}_backup TEMPLATE {name}")
        backup = target.url.replace(name, f"{name}_backup")
        with serving(target.url, *flags) as server:
            at(server, table).play(*MOVES[2:])
            eventually(lambda: kept_size(own) == 5)
            stop(server)

        with serving(backup, *flags) as server:
            restored = at(server, table)
            eventually(lambda: server.check("shiji.write") == NOT_SERVING)
            with refused() as refusal:
                restored.play(MOVES[2])
            with refused() as unsigned:
                server.stub.GetCheckpoint(pb.GetCheckpointRequest())

            assert "a checkpoint of 5 entries was published: it has 3" in refusal.message
            assert "a checkpoint of 5 entries was published: it has 3" in unsigned.message
            assert len(restored.record()) == 3
            stop(server)

        own.with_name("secret.checkpoint").unlink()
        with serving(backup, *flags) as server:
            at(server, table).play(MOVES[2])

    def test_who_signs_also_numbers(self) -> None:
        flags = {"log": "postgresql://localhost/x", "secret_file": "s", "log_key": "k", "sequencer": "off"}
        with pytest.raises(BadConfig, match="who signs also numbers"):
            TestOptions.gathered(**flags)


def bundle_of(server: Running, table: Table) -> bytes:
    """The bundle of a match, from the pages of a server."""
    with urlopen(f"http://{server.web}/matches/{table.match}/bundle", timeout=TIMEOUT_SECONDS) as download:
        content: bytes = download.read()
    return content


class TestFrontServers:
    """Servers without the log's key show what others have published."""

    def test_they_serve_stored_checkpoints_and_proofs(self, secret: Path, tmp_path: Path) -> None:
        target = shared_cluster().target_of("server")
        key = new_key(tmp_path / "log.key")
        own = tmp_path / "secret"
        own.write_text(secret.read_text())
        front = as_role(target, "front").url
        with (
            serving(target.url, "--secret-file", own, "--log-key", key.file) as signing,
            serving(front, "--secret-file", own, "--sequencer", "off", "--web", "127.0.0.1:0") as server,
            Client(server.address) as client,
        ):
            table = begin(signing.stub)
            table.play(*MOVES[:2])
            eventually(lambda: parse_checkpoint(parse_note(client.checkpoint().note).text).size == 3)

            signed = client.checkpoint()
            sized = client.checkpoint(3)
            proof = client.inclusion_proof(table.match, 1)

            assert signed == sized
            assert signed.verifier_key == key.public
            note = parse_note(signed.note)
            assert verified(note, [parse_verifier_key(key.public)])
            entry = table.record()[1]
            root = parse_checkpoint(note.text).root
            check_inclusion(leaf_hash(entry.hash), proof.log_number - 1, proof.size, proof.hashes, root)
            assert len(client.consistency_proof(1, 3)) > 0
            with refused() as refusal:
                server.stub.GetCheckpoint(pb.GetCheckpointRequest(size=2))
            assert refusal.reason == "NO_LOG_KEY"
            assert "no published checkpoint of 2 entries" in refusal.message
            with urlopen(f"http://{server.web}/matches/{table.match}/bundle") as download:
                assert b"example.com" in download.read()

    def test_bundles_wait_for_a_checkpoint_that_covers_the_record(self, secret: Path, tmp_path: Path) -> None:
        target, own = shared_cluster().target_of("server"), tmp_path / "secret"
        key = new_key(tmp_path / "log.key")
        own.write_text(secret.read_text())
        web = ("--secret-file", own, "--web", "127.0.0.1:0")
        with (
            serving(target.url, "--secret-file", own, "--log-key", key.file),
            serving(as_role(target, "front").url, *web, "--sequencer", "off") as server,
        ):
            table = begin(server.stub)
            table.play(*MOVES[:2])
            judged = judge_bundle(read_bundle(bundle_of(server, table)), [parse_verifier_key(key.public)])

        assert isinstance(judged.report.verdict, Verified)
        assert judged.proven.checkpoint is not None
        assert judged.proven.checkpoint.size == 3

        with serving(target.url, *web) as server:
            table = begin(server.stub)
            with pytest.raises(HTTPError) as refusal:
                bundle_of(server, table)
            written = run("bundle", "--server", server.address, table.match, "--out", tmp_path / "bundle")

        uncovered = "the record ends at entry 4 of the archive, and the newest published checkpoint covers 3"
        assert refusal.value.code == HTTPStatus.SERVICE_UNAVAILABLE
        assert uncovered in refusal.value.read().decode()
        assert written.exit_code == 2
        assert uncovered in " ".join(written.stderr.split())

    def test_in_a_fleet_without_a_log_key_they_prove_nothing(self, fleet: tuple[Running, Running]) -> None:
        for server in fleet:
            with refused() as refusal:
                server.stub.GetCheckpoint(pb.GetCheckpointRequest())
            assert refusal.reason == "NO_LOG_KEY"


class TestTokens:
    def test_owners_and_seats_are_the_same_at_every_server(
        self, target: Target, secret: Path, tmp_path: Path
    ) -> None:
        tokens = tmp_path / "tokens.json"
        club = bearer(new_token(tokens, "club", "recorder"))
        rival = bearer(new_token(tokens, "rival", "recorder"))
        flags = ("--secret-file", secret, "--tokens", tokens)
        with serving(target.url, *flags) as one, serving(target.url, *flags) as other:
            start = pb.StartMatchRequest(request_id="tokens", game="qin", seats=("green", "violet"))
            begun = one.stub.StartMatch(start, metadata=club)
            table = Table(other.stub, begun.match.match_id, 0)

            with refused() as refusal:
                other.stub.AppendMove(table.append_request(MOVES[0]), metadata=rival)
            assert refusal.reason == "NOT_YOUR_MATCH"

            seat = bearer(begun.seat_tokens[0])
            other.stub.AppendMove(table.append_request(MOVES[0]), metadata=seat)
            table.last = 1
            other.stub.AppendMove(table.append_request(MOVES[1]), metadata=club)
            assert one.stub.StartMatch(start, metadata=club).match.match_id == table.match


class TestFuzz:
    def test_changed_requests_are_answered_or_refused(self) -> None:
        with (
            PostgresLog.open(shared_cluster().target_of("server")) as log,
            serving_in_process(Ledger(log, secrets=lambda _: b"s" * 32)) as running,
        ):
            played = begin(running.stub, chance=pb.CHANCE_SERVICE)
            played.play(played.legal()[0])
            values = {"match": played.match, "position": played.state().position, "transcript": TRANSCRIPT}
            dice = random.Random(20)  # noqa: S311 - the same each time
            for method in METHODS:
                if method.name == "AuditArchive":
                    continue  # it opens the archive a second time, which this service cannot
                for data in islice(mutants(method, values, dice), 6):
                    assert call(running, method, data) not in {StatusCode.INTERNAL, StatusCode.UNKNOWN}


class TestStart:
    def test_without_a_secret_none_is_made(self, target: Target, tmp_path: Path) -> None:
        outcome = not_serving(target.url, "--secret-file", tmp_path / "none")

        assert outcome.returncode == 2
        assert "none of them creates it" in outcome.stderr
        assert not (tmp_path / "none").exists()

    @pytest.mark.usefixtures("fleet")
    def test_another_secret_is_refused(self, target: Target, tmp_path: Path) -> None:
        other = tmp_path / "other"
        other.write_text(secrets.token_hex(32))

        outcome = not_serving(target.url, "--secret-file", other)

        assert outcome.returncode == 2
        assert "is not that of the other servers" in outcome.stderr

    def test_a_server_that_does_not_number_does_not_found_a_fleet(self, secret: Path) -> None:
        outcome = not_serving(
            shared_cluster().target_of("front").url, "--secret-file", secret, "--sequencer", "off"
        )

        assert outcome.returncode == 2
        assert "first start a server that numbers entries" in outcome.stderr

    def test_no_server_migrates(self, secret: Path) -> None:
        cluster = shared_cluster()
        cluster.execute("CREATE DATABASE never_migrated")

        outcome = not_serving(cluster.address("never_migrated"), "--secret-file", secret)

        assert outcome.returncode == 2
        assert "run `shiji migrate` first" in outcome.stderr

    def test_a_schema_of_another_build_is_refused(self, secret: Path) -> None:
        target = shared_cluster().target_of("server")
        with psycopg.connect(as_role(target, "owner").url, autocommit=True) as owner:
            owner.execute("INSERT INTO shiji.migration (number, name) VALUES (99, 'from the future')")

        outcome = not_serving(target.url, "--secret-file", secret)

        assert outcome.returncode == 2
        assert "use a newer one" in outcome.stderr

    def test_a_role_without_the_right_to_number_is_refused_with_what_to_do(self, secret: Path) -> None:
        outcome = not_serving(shared_cluster().target_of("front").url, "--secret-file", secret)

        assert outcome.returncode == 2
        assert "GRANT shiji_sequencer TO front" in outcome.stderr


class TestOptions:
    @staticmethod
    def gathered(**flags: str) -> Configured:
        return Configured.gather({name.replace("_", "-"): value for name, value in flags.items()}, {})

    def test_a_file_may_be_given_as_an_address(self) -> None:
        config = self.gathered(log="sqlite:games.db").config

        assert config.file == Path("games.db")
        assert config.secret == Path("games.db.secret")
        assert not config.is_shared

    @pytest.mark.parametrize(
        ("flags", "why"),
        [
            ({"log": "postgresql://localhost/shiji"}, "needs --secret-file"),
            ({"log": "sqlite:a.db", "db": "b.db"}, "give one of them"),
            ({"log": "mysql://localhost/shiji"}, "takes sqlite:FILE or postgresql://"),
            ({"log": "sqlite:"}, "takes sqlite:FILE or postgresql://"),
            ({"log": "postgresql://db.example/shiji", "secret_file": "s"}, "sslmode=verify-full"),
            ({"log": "postgresql://localhost/shiji", "secret_file": "s", "db": "b.db"}, "give one of them"),
            ({"sequencer": "off"}, "for archives in PostgreSQL"),
            ({"log": "postgresql://localhost/", "secret_file": "s"}, "names no database"),
        ],
    )
    def test_options_that_do_not_name_one_archive_are_refused(self, flags: dict[str, str], why: str) -> None:
        with pytest.raises(BadConfig, match=why):
            self.gathered(**flags)

    @pytest.mark.parametrize(
        "address",
        [
            "postgresql://owner:hunter2@localhost/shiji",
            "postgresql://localhost/shiji?password=hunter2",
            "postgresql://owner:hunter2%zz@localhost/shiji",
        ],
    )
    def test_a_password_in_an_address_is_refused_and_not_repeated(self, address: str) -> None:
        outcome = subprocess.run(
            [*SERVE, "--log", address, "--secret-file", "s", "--check-config"],
            capture_output=True,
            text=True,
            check=False,
        )

        assert outcome.returncode == 2
        assert "hunter2" not in outcome.stdout + outcome.stderr
        assert "password" in outcome.stderr or "cannot be read" in outcome.stderr
