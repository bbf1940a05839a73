"""Which server signs, which one shows what was signed, and which archive is a restored backup."""

from http import HTTPStatus
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from shiji import Client
from shiji.record.v1 import record_service_pb2 as pb

from records.audit.bundle import judge_bundle, read_bundle
from records.evidence.checkpoint import parse_checkpoint
from records.evidence.merkle import check_inclusion, leaf_hash
from records.evidence.note import SignatureType, SignerKey, parse_note, parse_verifier_key, verified
from records.files.key_file import save_secret
from records.verdict import Verified
from tests.postgres import as_role, shared_cluster
from tests.service.calls import Table, begin
from tests.service.fleet.common import KEY, MOVES, NOT_SERVING, at, eventually, kept_size, stop
from tests.service.servers import TIMEOUT_SECONDS, Running, refused, serving
from tests.tools.logs import new_key
from tests.tools.running import run


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
