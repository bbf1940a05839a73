"""`shiji bundle`: writes a record and its proofs to one file."""

import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import quote

import click
from msgspec import structs
from shiji.client import Client, RecordFormat

from records.audit.bundle import (
    CosignedCheckpoint,
    NotCovered,
    judge_bundle,
    read_bundle,
    with_known_signatures,
    write_bundle,
)
from records.entry import MatchId
from records.evidence.checkpoint import Checkpoint, parse_checkpoint
from records.evidence.merkle import OutsideTree, Proof
from records.evidence.multiproof import prove_together, runs_of
from records.evidence.note import SignatureType, SignerKey, VerifierKey, parse_note, parse_verifier_key
from records.files.record_file import read_record
from records.ledger.redaction import redacted
from records.log.contract import Log
from records.log.tree import Tree
from records.replay.fold import BadRecord, open_record
from rules.kernel.actors import AUDITOR
from tools.report.checkpoint_args import (
    as_log_key,
    as_witness_keys,
    load_signer_key,
    read_checkpoint,
    require_signature,
)
from tools.report.file_report import BAD, caution_line
from tools.terminal.archives import NoSuchRecord, match_named
from tools.terminal.atomic_files import save_bytes
from tools.terminal.output import Line, file_name, show, show_error
from tools.terminal.progress import exit_on_archive_fault, read_only_opener
from tools.terminal.server_args import CA, SERVER, TOKEN, connected

_PUBLISHING_SECONDS: Final = 2.0
"""How long a bundle waits for a checkpoint: the server that numbers entries publishes one every second."""

_PUBLISHED_EVERY_SECONDS: Final = 0.25


@click.command(
    epilog="Exit codes: 0 written, 1 the archive or the server contradicts the checkpoint, 2 the archive or"
    " an argument could not be read, or the file could not be written.\n\n"
    "Examples: shiji bundle shiji.db MATCH --checkpoint cosigned --log-key VKEY --witness-key VKEY;"
    " shiji bundle --server 127.0.0.1:50051 MATCH"
)
@click.argument("source", metavar="[DB] MATCH", nargs=-1, required=True)
@click.option(
    "--out",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File to write; by default MATCH.bundle.",
)
@click.option(
    "--checkpoint",
    "checkpoint_file",
    metavar="FILE",
    type=click.Path(),
    help="A checkpoint of the archive that covers the record, with its cosignatures.",
)
@click.option(
    "--log-key", metavar="VKEY", callback=as_log_key, help="The log's key, which signed the checkpoint."
)
@click.option(
    "--witness-key",
    "witness_keys",
    metavar="VKEY",
    multiple=True,
    callback=as_witness_keys,
    help="Key of a witness that cosigned the checkpoint; other cosignatures are left out. May be repeated.",
)
@click.option(
    "--key",
    "key_file",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="The secret key of the log: sign a new checkpoint, instead of using --checkpoint.",
)
@SERVER
@TOKEN
@CA
@click.pass_context
def command(  # noqa: PLR0913 - one parameter per option
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
    """Write a record and its proofs to one file: signatures, opened draws and its place in a log.

    The record comes from an archive, or with --server from a running server, which signs a checkpoint if none
    is given. Of a match in an archive, enough of the beginning of its id will do. `shiji verify` judges a
    bundle without any other file. A bundle from an archive without --checkpoint or --key does not prove that
    a log holds the record. A bundle reveals all hands.
    """
    if len(source) != (1 if server else 2):
        raise click.UsageError("give the archive and the match, or --server and the match")
    match = MatchId(source[-1])
    given = None
    if checkpoint_file is not None and log_key is not None and key_file is None:
        given = _CheckpointFile(checkpoint_file, (log_key, *witness_keys))
    elif checkpoint_file is not None or log_key is not None or witness_keys:
        raise click.UsageError(
            "--checkpoint needs --log-key, --witness-key needs both, and --key excludes them all"
        )
    try:
        if server is not None:
            with connected(server, token, ca) as client:
                data = _from_server(client, match, given)
        else:
            key = None if key_file is None else load_signer_key(key_file, SignatureType.ED25519)
            with exit_on_archive_fault(), read_only_opener(source[0])() as log:
                match = _named(log, source)
                data = _from_archive(log, match, given, key)
    except NotCovered as fault:
        if given is None:
            raise click.UsageError(str(fault)) from None
        raise click.BadParameter(str(fault), param_hint="'--checkpoint'") from None
    except _BadProof as fault:
        show_error(f"Error: {fault}.")
        ctx.exit(BAD)
    path = out or Path(f"{quote(match, safe='')}.bundle")
    save_bytes(path, data, private=True)
    show([Line(f"{file_name(str(path))} written, {len(data)} bytes", style="bold"), *_cautions(data)])


def _cautions(data: bytes) -> Iterator[Line]:
    """What to be warned of in the match of a bundle; nothing if its header cannot be read."""
    with suppress(BadRecord):
        caution = open_record(read_bundle(data).record.entries[0]).start.display.caution()
        if caution:
            yield caution_line(caution)


def _named(log: Log, source: tuple[str, ...]) -> MatchId:
    try:
        return match_named(log, source[-1], source[0]).match
    except NoSuchRecord as fault:
        raise click.BadParameter("\n  ".join((str(fault), *fault.candidates)), param_hint="'MATCH'") from None


class _BadProof(Exception):
    """The archive contradicts the checkpoint, or the server's proofs are wrong."""


@dataclass(frozen=True, slots=True)
class _CheckpointFile:
    """A checkpoint in a file, and the keys that must have signed it."""

    path: str
    keys: tuple[VerifierKey, ...]

    def load(self) -> tuple[CosignedCheckpoint, Checkpoint]:
        """The checkpoint with the signatures of these keys; ends the command if one is missing."""
        note, checkpoint = read_checkpoint(self.path)
        for key in self.keys:
            require_signature(note, key, self.path)
        return with_known_signatures(note, self.keys), checkpoint


def _from_archive(log: Log, match: MatchId, given: _CheckpointFile | None, key: SignerKey | None) -> bytes:
    tree = Tree(log)
    entries = list(log.read(match))
    cosigned = None if key is None else CosignedCheckpoint(tree.checkpoint(key), (key.verifier,))
    if given is not None:
        cosigned, checkpoint = given.load()
        if breach := tree.breach(checkpoint):
            raise _BadProof(f"{file_name(given.path)}: {breach}")
    return write_bundle(redacted(entries, AUDITOR), cosigned, tree.together)


def _signed_by_server(client: Client, last: int) -> tuple[CosignedCheckpoint, Checkpoint]:
    """A checkpoint that covers this position; servers without the log's key wait until another publishes one.

    Raises NotCovered if none does in time.
    """
    end = time.monotonic() + _PUBLISHING_SECONDS
    while True:
        signed = client.checkpoint()
        cosigned = with_known_signatures(parse_note(signed.note), [parse_verifier_key(signed.verifier_key)])
        checkpoint = parse_checkpoint(cosigned.note.text)
        if checkpoint.size >= last:
            return cosigned, checkpoint
        if time.monotonic() >= end:
            raise NotCovered(
                f"the record ends at entry {last} of the archive, and the newest published checkpoint covers "
                f"{checkpoint.size}: try again in a second"
            )
        time.sleep(_PUBLISHED_EVERY_SECONDS)


def _from_server(client: Client, match: MatchId, given: _CheckpointFile | None) -> bytes:
    record = read_record(client.export_record(match, RecordFormat.RECORD).content)
    if given is not None:
        cosigned, checkpoint = given.load()
    else:
        last = client.inclusion_proof(match, record.entries[-1].sequence).log_number
        cosigned, checkpoint = _signed_by_server(client, last)
    runs: dict[tuple[int, int], bytes] = {}
    entries = []
    for entry in redacted(record.entries, AUDITOR):
        proof = client.inclusion_proof(match, entry.sequence, checkpoint.size)
        runs.update(runs_of(proof.log_number - 1, checkpoint.size, proof.hashes))
        entries.append(structs.replace(entry, position=proof.log_number))

    def prove(positions: Sequence[int], size: int) -> Proof:
        return prove_together([each - 1 for each in positions], size, lambda start, end: runs[start, end])

    mismatch = _BadProof("the server's proofs do not match the checkpoint")
    try:
        data = write_bundle(entries, cosigned, prove)
    except (KeyError, OutsideTree):
        raise mismatch from None
    if judge_bundle(read_bundle(data)).proven.checkpoint is None:
        raise mismatch
    return data
