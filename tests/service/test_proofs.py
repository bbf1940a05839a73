"""What a real server promises and proves, and a witness that watches it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from grpc import StatusCode
from shiji import AUDITOR, Client, errors
from shiji.record.v1 import record_service_pb2 as pb

from records.evidence.checkpoint import Checkpoint, parse_checkpoint
from records.evidence.merkle import check_consistency, check_inclusion, leaf_hash
from records.evidence.note import parse_note, parse_verifier_key, verified
from tests.service.calls import refusal
from tests.service.servers import Running, serving
from tests.tools.logs import Key, new_key, new_witness
from tests.tools.running import run, run_process


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> Key:
    return new_key(tmp_path_factory.mktemp("key") / "log.key")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, key: Key) -> Iterator[Running]:
    db = tmp_path_factory.mktemp("archive") / "archive.db"
    with serving(db, "--log-key", key.file) as running:
        yield running


@pytest.fixture
def client(server: Running) -> Iterator[Client]:
    with Client(server.address) as connected:
        yield connected


def cosigned(client: Client, key: Key, size: int | None = None) -> Checkpoint:
    signed = client.checkpoint(size)
    note = parse_note(signed.note)
    assert signed.verifier_key == key.public
    assert verified(note, [parse_verifier_key(key.public)])
    return parse_checkpoint(note.text)


def play(client: Client, moves: int = 2) -> str:
    match = client.start_match("qin", ["green", "violet"]).match.id
    for after, move in enumerate(("green Re8Re9", "violet Yg8Bh8")[:moves]):
        client.append(match, move, after=after)
    return match


def test_every_entry_is_proven_to_be_in_the_log(client: Client, key: Key) -> None:
    match = play(client)
    play(client)
    checkpoint = cosigned(client, key)

    for entry in client.read(match, viewer=AUDITOR):
        proof = client.inclusion_proof(match, entry.sequence)

        assert (proof.log_number, proof.size) == (entry.log_number, checkpoint.size)
        leaf = leaf_hash(entry.hash)
        check_inclusion(leaf, proof.log_number - 1, checkpoint.size, proof.hashes, checkpoint.root)


def test_an_entry_is_found_by_its_position_too(server: Running, client: Client) -> None:
    match = play(client)
    by_match = client.inclusion_proof(match, 1)

    by_position = server.stub.GetInclusionProof(pb.GetInclusionProofRequest(position=by_match.log_number))

    assert tuple(by_position.hashes) == by_match.hashes


def test_a_grown_log_is_proven_consistent_with_its_earlier_size(client: Client, key: Key) -> None:
    play(client)
    before = cosigned(client, key)
    play(client)
    after = cosigned(client, key)

    proof = client.consistency_proof(before.size)

    check_consistency(before.size, before.root, after.size, after.root, proof)
    assert proof == client.consistency_proof(before.size, after.size)
    assert cosigned(client, key, before.size) == before


def test_sizes_and_entries_that_the_log_never_had_are_refused(client: Client) -> None:
    match = play(client)

    with pytest.raises(errors.OutsideLog):
        client.checkpoint(9999)
    with pytest.raises(errors.OutsideLog):
        client.consistency_proof(9999)
    with pytest.raises(errors.OutsideLog):
        client.inclusion_proof(match, 2, size=1)
    with pytest.raises(errors.NoSuchEntry):
        client.inclusion_proof(match, 99)
    with pytest.raises(errors.NoSuchMatch):
        client.inclusion_proof("none", 0)


def test_a_request_that_names_no_entry_is_refused(server: Running) -> None:
    error = refusal(lambda: server.stub.GetInclusionProof(pb.GetInclusionProofRequest()))

    assert (error.reason, error.metadata["field"]) == ("BAD_FIELD", "entry")


def test_a_server_without_a_log_key_issues_no_checkpoints_or_proofs(tmp_path: Path) -> None:
    with serving(tmp_path / "archive.db") as running:
        for call in (
            lambda: running.stub.GetCheckpoint(pb.GetCheckpointRequest()),
            lambda: running.stub.GetInclusionProof(pb.GetInclusionProofRequest(position=1)),
            lambda: running.stub.GetConsistencyProof(pb.GetConsistencyProofRequest()),
        ):
            error = refusal(call)

            assert (error.code, error.reason) == (StatusCode.FAILED_PRECONDITION, "NO_LOG_KEY")


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (None, "cannot be read: No such file"),
        ("nonsense", "does not hold the key of a log"),
        ("\0\ufeff", "does not hold the key of a log"),
    ],
)
def test_a_server_does_not_start_with_a_bad_log_key(tmp_path: Path, content: str | None, why: str) -> None:
    file = tmp_path / "log.key"
    if content is not None:
        file.write_text(content)

    done = run_process("serve", "--db", tmp_path / "archive.db", "--listen", "127.0.0.1:0", "--log-key", file)

    assert done.code == 2
    assert why in done.err
    assert "Traceback" not in done.err


def test_a_witness_follows_a_server(server: Running, client: Client, key: Key, tmp_path: Path) -> None:
    witness = new_witness(tmp_path, key)
    sizes = []
    for _ in range(3):
        play(client)

        result = witness.ask("--server", server.address)

        assert result.exit_code == 0, result.stderr
        note = parse_note(result.stdout_bytes)
        assert len(verified(note, [parse_verifier_key(witness.key.public)])) == 1
        sizes.append(parse_checkpoint(note.text).size)
    assert sizes == sorted(set(sizes))


def test_a_bundle_from_a_server_equals_the_one_from_its_archive(
    server: Running, client: Client, key: Key, tmp_path: Path
) -> None:
    play(client)
    match = play(client)
    note = tmp_path / "checkpoint"
    note.write_bytes(client.checkpoint().note)
    cosigned = ("--checkpoint", note, "--log-key", key.public)
    one, other = tmp_path / "one.bundle", tmp_path / "other.bundle"

    result = run("bundle", "--server", server.address, match, *cosigned, "--out", one)

    assert result.exit_code == 0, result.stderr
    assert run("bundle", server.db, match, *cosigned, "--out", other).exit_code == 0
    assert one.read_bytes() == other.read_bytes()
    assert run("verify", one, "--log-key", key.public).exit_code == 0


def test_a_server_signs_the_checkpoint_of_a_bundle_itself(
    server: Running, client: Client, key: Key, tmp_path: Path
) -> None:
    match = play(client)
    bundle = tmp_path / "match.bundle"

    assert run("bundle", "--server", server.address, match, "--out", bundle).exit_code == 0
    assert run("verify", bundle, "--log-key", key.public).exit_code == 0


def test_a_bundle_that_a_server_cannot_make_is_refused_with_the_reason(
    server: Running, client: Client, key: Key, tmp_path: Path
) -> None:
    play(client)
    match = play(client)
    note = tmp_path / "checkpoint"
    note.write_bytes(client.checkpoint(3).note)
    cosigned = ("--checkpoint", note, "--log-key", key.public)

    assert "OUTSIDE_LOG" in run("bundle", "--server", server.address, match, *cosigned).stderr
    assert "NO_SUCH_MATCH" in run("bundle", "--server", server.address, "none").stderr
    assert "give the archive and the match" in run("bundle", "--server", server.address, "x", "y").stderr


def test_a_witness_reports_why_a_server_gives_no_checkpoint(tmp_path: Path, key: Key) -> None:
    witness = new_witness(tmp_path, key)
    with serving(tmp_path / "archive.db") as running:
        result = witness.ask("--server", running.address)

    assert result.exit_code == 2
    assert "NO_LOG_KEY" in result.stderr
