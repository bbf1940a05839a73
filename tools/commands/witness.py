"""`shiji witness`: cosigns a checkpoint of a log if it extends the last one seen."""

import fcntl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import click
from shiji.client import Client

from records.evidence.checkpoint import Checkpoint, MalformedCheckpoint, parse_checkpoint
from records.evidence.note import SignatureType, SignerKey, VerifierKey, format_note
from records.evidence.witness import Cosigned, Forked, Inconsistent, WitnessRefusal, witness
from records.evidence.witness_request import MalformedRequest, WitnessRequest, format_request, parse_request
from tools.report.checkpoint_args import as_log_key, load_signer_key, read_checkpoint, require_signature
from tools.report.file_report import BAD
from tools.terminal.atomic_files import read_content, save_bytes
from tools.terminal.output import file_name, show_error
from tools.terminal.server_args import CA, SERVER, TOKEN, connected


@click.command(
    epilog="Exit codes: 0 cosigned, 1 refused, 2 a file or an argument could not be read.\n\n"
    "Examples: shiji witness request --key witness.key --log-key VKEY --state shiji.seen;"
    " shiji witness --server 127.0.0.1:50051 --key witness.key --log-key VKEY --state shiji.seen"
)
@click.argument("file", metavar="[FILE]", required=False, type=click.Path())
@click.option(
    "--key",
    "key_file",
    metavar="FILE",
    required=True,
    type=click.Path(path_type=Path),
    help="The secret key of the witness, from `shiji keygen --kind witness`.",
)
@click.option(
    "--log-key", metavar="VKEY", callback=as_log_key, required=True, help="The key that the log signs with."
)
@click.option(
    "--state",
    metavar="FILE",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="File with the last checkpoint seen of this log; created if it does not exist.",
)
@SERVER
@TOKEN
@CA
@click.pass_context
def command(  # noqa: PLR0913 - one parameter per option
    ctx: click.Context,
    file: str | None,
    *,
    key_file: Path,
    log_key: VerifierKey,
    state: Path,
    server: str | None,
    token: str | None,
    ca: Path | None,
) -> None:
    """Cosign a checkpoint if it extends the last one seen of its log, and print it with the cosignature.

    FILE is the output of `shiji checkpoint --old N`, or just a checkpoint if none was seen before; - is
    standard input. A checkpoint that does not extend the last one is saved beside the state file: the two
    together prove that the log has changed or removed entries.
    """
    if (file is None) == (server is None):
        raise click.UsageError("give either a FILE or a --server")
    key = load_signer_key(key_file, SignatureType.COSIGNATURE)
    with _locked(state):
        last = _last_seen(state, key)
        if server is not None:
            with connected(server, token, ca) as client:
                request = _fetch_request(client, last)
        else:
            request = _read_request(file or "")
        answer = _answer(request, last, key, log_key)
        if isinstance(answer, Cosigned):
            others = tuple(
                each
                for each in request.note.signatures
                if (each.name, each.id) != (key.name, key.verifier.id)
            )
            note = replace(request.note, signatures=(*others, answer.cosignature))
            save_bytes(state, format_note(note), durable=True)
            click.echo(format_note(note), nl=False)
            return
        _refuse(ctx, answer, request, state)


@contextmanager
def _locked(state: Path) -> Iterator[None]:
    """Locks the state file: two witnesses at once could cosign checkpoints that contradict each other."""
    lock = state.with_name(f"{state.name}.lock")
    try:
        with lock.open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield
    except OSError as fault:
        raise click.BadParameter(
            f"{file_name(str(lock))} cannot be locked: {fault.strerror}", param_hint="'--state'"
        ) from None


def _last_seen(state: Path, key: SignerKey) -> Checkpoint | None:
    """The last checkpoint seen, which must have the witness's own cosignature."""
    if not state.exists():
        return None
    note, checkpoint = read_checkpoint(str(state))
    require_signature(note, key.verifier, str(state))
    return checkpoint


def _read_request(file: str) -> WitnessRequest:
    try:
        return parse_request(read_content(file))
    except MalformedRequest as fault:
        raise click.ClickException(f"{file_name(file)} is not a request for a witness: {fault}") from None


def _fetch_request(client: Client, last: Checkpoint | None) -> WitnessRequest:
    """The server's checkpoint, and the proof that it extends the last one."""
    old = last.size if last else 0
    fetched = parse_request(client.checkpoint().note)
    size = parse_checkpoint(fetched.note.text).size
    return WitnessRequest(old, client.consistency_proof(old, size) if old <= size else (), fetched.note)


def _answer(
    request: WitnessRequest, last: Checkpoint | None, key: SignerKey, log_key: VerifierKey
) -> Cosigned | WitnessRefusal:
    """The witness's answer; ends the command if the proof does not start at the size last seen."""
    try:
        found = parse_checkpoint(request.note.text)
    except MalformedCheckpoint as fault:
        raise click.ClickException(f"this is not a checkpoint: {fault}") from None
    old = last.size if last else 0
    if last is not None and last.origin != found.origin:
        raise click.BadParameter(
            f"it is of the log {last.origin}, but the checkpoint is of {found.origin}; use one file per log",
            param_hint="'--state'",
        )
    if old < found.size and request.old != old:
        raise click.ClickException(
            f"the log had {old} entries when last seen; make the request with `shiji checkpoint --old {old}`"
        )
    return witness(
        request.note,
        request.proof,
        logs={log_key.name: (log_key,)},
        seen={last.origin: last} if last else {},
        key=key,
        time=int(time.time()),
    )


def _refuse(ctx: click.Context, answer: WitnessRefusal, request: WitnessRequest, state: Path) -> None:
    show_error(f"Refused ({type(answer).__name__}): {answer.why}.")
    if isinstance(answer, Forked | Inconsistent):
        refused = state.with_name(f"{state.name}.{answer.found.size}-{answer.found.root[:8].hex()}.refused")
        save_bytes(refused, format_request(request), durable=True)
        show_error(f"Last seen: {file_name(str(state))}; refused: {file_name(str(refused))}.")
    ctx.exit(BAD)
