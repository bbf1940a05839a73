"""`shiji witness`: cosigns checkpoints of a log that carries on what was seen of it before."""

import fcntl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import click

from records.evidence.checkpoint import Checkpoint, MalformedCheckpoint, parse_checkpoint
from records.evidence.note import SignatureType, SignerKey, VerifierKey, format_note
from records.evidence.witness import Cosigned, Forked, Inconsistent, WitnessRefusal, witness
from records.evidence.witness_request import MalformedRequest, WitnessRequest, format_request, parse_request
from tools.client import Client
from tools.report.checkpoint_args import as_log_key, read_checkpoint, require_signature, signer
from tools.report.file_report import BAD
from tools.terminal.atomic_files import content, save
from tools.terminal.output import file_name
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
    help="The secret key of the witness, made by `shiji keygen --kind witness`.",
)
@click.option(
    "--log-key", metavar="VKEY", callback=as_log_key, required=True, help="The key that the log signs with."
)
@click.option(
    "--state",
    metavar="FILE",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="Where the last checkpoint seen of this log is kept; made if there is none.",
)
@SERVER
@TOKEN
@CA
@click.pass_context
def command(  # noqa: PLR0913 - one for each option
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
    """Cosign a checkpoint if it carries on the last one seen of its log; print it with the cosignature.

    FILE is what `shiji checkpoint --old N` prints, or a checkpoint alone where none was seen before; - is
    standard input. A checkpoint that does not carry on the last one is kept beside the state: the two
    together show what the log has done.
    """
    if (file is None) == (server is None):
        raise click.UsageError("give either a FILE or a --server")
    key = signer(key_file, SignatureType.COSIGNATURE)
    with _alone(state):
        last = _last(state, key)
        if server is not None:
            with connected(server, token, ca) as client:
                request = _asked(client, last)
        else:
            request = _read(file or "")
        answer = _judged(request, last, key, log_key)
        if isinstance(answer, Cosigned):
            others = tuple(
                each
                for each in request.note.signatures
                if (each.name, each.id) != (key.name, key.verifier.id)
            )
            note = replace(request.note, signatures=(*others, answer.cosignature))
            save(state, format_note(note), durable=True)
            click.echo(format_note(note), nl=False)
            return
        _refused(ctx, answer, request, state)


@contextmanager
def _alone(state: Path) -> Iterator[None]:
    """Two at once could each cosign what the other must not."""
    lock = state.with_name(f"{state.name}.lock")
    try:
        with lock.open("w") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            yield
    except OSError as fault:
        raise click.BadParameter(
            f"{file_name(str(lock))} cannot be locked: {fault.strerror}", param_hint="'--state'"
        ) from None


def _last(state: Path, key: SignerKey) -> Checkpoint | None:
    """What was seen last: the witness's own cosignature stands for it."""
    if not state.exists():
        return None
    note, checkpoint = read_checkpoint(str(state))
    require_signature(note, key.verifier, str(state))
    return checkpoint


def _read(file: str) -> WitnessRequest:
    try:
        return parse_request(content(file))
    except MalformedRequest as fault:
        raise click.ClickException(
            f"{file_name(file)} asks for nothing that a witness does: {fault}"
        ) from None


def _asked(client: Client, last: Checkpoint | None) -> WitnessRequest:
    """The server's checkpoint, and the proof that it carries on the last one."""
    old = last.size if last else 0
    told = parse_request(client.checkpoint().note)
    size = parse_checkpoint(told.note.text).size
    return WitnessRequest(old, client.consistency_proof(old, size) if old <= size else (), told.note)


def _judged(
    request: WitnessRequest, last: Checkpoint | None, key: SignerKey, log_key: VerifierKey
) -> Cosigned | WitnessRefusal:
    """The witness's answer; a request that begins at another size than the one seen last ends the command."""
    try:
        found = parse_checkpoint(request.note.text)
    except MalformedCheckpoint as fault:
        raise click.ClickException(f"this is no checkpoint: {fault}") from None
    old = last.size if last else 0
    if last is not None and last.origin != found.origin:
        raise click.BadParameter(
            f"it is of the log {last.origin}, and this is {found.origin}: keep a file for each",
            param_hint="'--state'",
        )
    if old < found.size and request.old != old:
        raise click.ClickException(
            f"the log had {old} entries when it was last seen: ask with `shiji checkpoint --old {old}`"
        )
    return witness(
        request.note,
        request.proof,
        logs={log_key.name: (log_key,)},
        seen={last.origin: last} if last else {},
        key=key,
        time=int(time.time()),
    )


def _refused(ctx: click.Context, answer: WitnessRefusal, request: WitnessRequest, state: Path) -> None:
    click.echo(f"Refused ({type(answer).__name__}): {answer.why}.", err=True)
    if isinstance(answer, Forked | Inconsistent):
        beside = state.with_name(f"{state.name}.{answer.found.size}-{answer.found.root[:8].hex()}.refused")
        save(beside, format_request(request), durable=True)
        click.echo(f"Seen before: {file_name(str(state))}; now: {file_name(str(beside))}.", err=True)
    ctx.exit(BAD)
