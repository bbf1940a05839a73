"""`shiji bundle`: a record with everything that proves it, in one file."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import click
from msgspec import structs

from records.audit.bundle import (
    CosignedCheckpoint,
    NotCovered,
    judge_bundle,
    promise_of,
    read_bundle,
    write_bundle,
)
from records.entry import MatchId
from records.evidence.checkpoint import Checkpoint, parse_checkpoint
from records.evidence.merkle import OutsideTree, Proof
from records.evidence.multiproof import prove_together, runs_of
from records.evidence.note import SignatureType, SignerKey, VerifierKey, parse_note, parse_verifier_key
from records.files.record_file import read_record
from records.log.contract import Log
from records.log.tree import Tree
from tools.client import Client, RecordFormat
from tools.report.checkpoint_args import (
    as_log_key,
    as_witness_keys,
    read_checkpoint,
    require_signature,
    signer,
)
from tools.report.file_report import BAD
from tools.terminal.atomic_files import save
from tools.terminal.output import Line, file_name, show
from tools.terminal.progress import faults_told, reading
from tools.terminal.server_args import CA, SERVER, TOKEN, connected


@click.command(
    epilog="Exit codes: 0 written, 1 the archive breaks the promise of the checkpoint, 2 the archive or an"
    " argument could not be read, or the file not be written.\n\n"
    "Examples: shiji bundle shiji.db MATCH --checkpoint cosigned --log-key VKEY --witness-key VKEY;"
    " shiji bundle --server 127.0.0.1:50051 MATCH"
)
@click.argument("source", metavar="[DB] MATCH", nargs=-1, required=True)
@click.option(
    "--out",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Where it is written; MATCH.bundle unless it is said.",
)
@click.option(
    "--checkpoint",
    "checkpoint_file",
    metavar="FILE",
    type=click.Path(),
    help="A checkpoint of the archive that is newer than the record, with its cosignatures.",
)
@click.option("--log-key", metavar="VKEY", callback=as_log_key, help="The key that the log signed it with.")
@click.option(
    "--witness-key",
    "witness_keys",
    metavar="VKEY",
    multiple=True,
    callback=as_witness_keys,
    help="The key of a witness that cosigned it; may be repeated. Cosignatures of others are left out.",
)
@click.option(
    "--key",
    "key_file",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="The secret key of the log: sign a checkpoint now, in place of --checkpoint.",
)
@SERVER
@TOKEN
@CA
@click.pass_context
def command(  # noqa: PLR0913 - one for each option
    ctx: click.Context,
    source: tuple[str, ...],
    *,
    out: Path | None,
    checkpoint_file: str | None,
    log_key: VerifierKey | None,
    witness_keys: tuple[VerifierKey, ...],
    key_file: Path | None,
    server: str | None,
    token: str | None,
    ca: Path | None,
) -> None:
    """Write a record with everything that proves it: signatures, openings of draws, and its place in a log.

    It comes from an archive, or with --server from a running server, which signs a checkpoint if none is
    given. Whoever has it judges it with `shiji verify` and nothing else. An archive's bundle without
    --checkpoint or --key does not show that a log holds the record. A bundle tells all hands.
    """
    if len(source) != (1 if server else 2):
        raise click.UsageError("give the archive and the match, or --server and the match")
    match = MatchId(source[-1])
    given = None
    if checkpoint_file is not None and log_key is not None and key_file is None:
        given = _Given(checkpoint_file, (log_key, *witness_keys))
    elif checkpoint_file is not None or log_key is not None or witness_keys:
        raise click.UsageError(
            "--checkpoint needs --log-key beside it, --witness-key both, and --key neither"
        )
    try:
        if server is not None:
            with connected(server, token, ca) as client:
                data = _from_server(client, match, given)
        else:
            key = None if key_file is None else signer(key_file, SignatureType.ED25519)
            with faults_told(), reading(source[0])() as log:
                data = _from_archive(log, match, given, key)
    except NotCovered as fault:
        raise click.BadParameter(str(fault), param_hint="'--checkpoint'") from None
    except _Broken as fault:
        click.echo(f"Error: {fault}.", err=True)
        ctx.exit(BAD)
    path = out or Path(f"{quote(match, safe='')}.bundle")
    save(path, data)
    show([Line(f"{file_name(str(path))} written, {len(data)} bytes", style="bold")])


class _Broken(Exception):
    """The archive does not keep what its log promised, or a server's proofs do not hold."""


@dataclass(frozen=True, slots=True)
class _Given:
    """A checkpoint in a file, and whoever must have signed it."""

    path: str
    keys: tuple[VerifierKey, ...]

    def promise(self) -> tuple[CosignedCheckpoint, Checkpoint]:
        """The checkpoint with those signatures; the command ends where one is missing."""
        note, checkpoint = read_checkpoint(self.path)
        for key in self.keys:
            require_signature(note, key, self.path)
        return promise_of(note, self.keys), checkpoint


def _from_archive(log: Log, match: MatchId, given: _Given | None, key: SignerKey | None) -> bytes:
    tree = Tree(log)
    entries = list(log.read(match))
    if not entries:
        raise click.BadParameter(f"there is no match {match}", param_hint="'MATCH'")
    promise = None if key is None else CosignedCheckpoint(tree.checkpoint(key), (key.verifier,))
    if given is not None:
        promise, checkpoint = given.promise()
        if breach := tree.breach(checkpoint):
            raise _Broken(f"{file_name(given.path)}: {breach}")
    return write_bundle(entries, promise, tree.together)


def _from_server(client: Client, match: MatchId, given: _Given | None) -> bytes:
    record = read_record(client.export_record(match, RecordFormat.RECORD).content)
    if given is not None:
        promise, checkpoint = given.promise()
    else:
        told = client.checkpoint()
        promise = promise_of(parse_note(told.note), [parse_verifier_key(told.verifier_key)])
        checkpoint = parse_checkpoint(promise.note.text)
    runs: dict[tuple[int, int], bytes] = {}
    entries = []
    for entry in record.entries:
        proof = client.inclusion_proof(match, entry.sequence, checkpoint.size)
        runs.update(runs_of(proof.position - 1, checkpoint.size, proof.hashes))
        entries.append(structs.replace(entry, position=proof.position))

    def prove(positions: Sequence[int], size: int) -> Proof:
        return prove_together([each - 1 for each in positions], size, lambda start, end: runs[start, end])

    lie = _Broken("what the server proves is not what the checkpoint promises")
    try:
        data = write_bundle(entries, promise, prove)
    except (KeyError, OutsideTree):
        raise lie from None
    if judge_bundle(read_bundle(data)).proven.checkpoint is None:
        raise lie
    return data
