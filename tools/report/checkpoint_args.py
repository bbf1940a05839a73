"""Command-line arguments for checkpoints and for the keys of logs and witnesses."""

from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec, TypeVar

import click

from records.evidence.checkpoint import Checkpoint, MalformedCheckpoint, parse_checkpoint
from records.evidence.ed25519 import BadKey, WrongSignature
from records.evidence.note import (
    MalformedNote,
    NoKnownSignature,
    Note,
    SignatureType,
    SignerKey,
    VerifierKey,
    key_name,
    parse_note,
    parse_verifier_key,
    verified,
)
from records.files.key_file import load_signer
from tools.terminal.atomic_files import read_content
from tools.terminal.output import file_name

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


def as_log_key(_ctx: click.Context, _option: click.Parameter, given: str | None) -> VerifierKey | None:
    """Parse --log-key: the public key of a log, as `shiji keygen` prints it."""
    return None if given is None else _key(given, SignatureType.ED25519)


def as_log_keys(
    _ctx: click.Context, _option: click.Parameter, given: tuple[str, ...]
) -> tuple[VerifierKey, ...]:
    """Parse --log-key where it may be repeated."""
    return tuple(_key(text, SignatureType.ED25519) for text in given)


def as_witness_keys(
    _ctx: click.Context, _option: click.Parameter, given: tuple[str, ...]
) -> tuple[VerifierKey, ...]:
    """Parse --witness-key: public keys of witnesses, as `shiji keygen` prints them."""
    return tuple(_key(text, SignatureType.COSIGNATURE) for text in given)


def trusted_key_options(command: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Add the options --log-key and --witness-key to a command that judges bundles."""
    log = click.option(
        "--log-key",
        "log_keys",
        metavar="VKEY",
        multiple=True,
        callback=as_log_keys,
        help="A log that you trust: a bundle must prove that it is in this log. May be repeated.",
    )
    witness = click.option(
        "--witness-key",
        "witness_keys",
        metavar="VKEY",
        multiple=True,
        callback=as_witness_keys,
        help="A witness that you trust: it must have cosigned the bundle's checkpoint. May be repeated.",
    )
    return log(witness(command))


def _key(text: str, kind: SignatureType) -> VerifierKey:
    try:
        key = parse_verifier_key(text)
    except BadKey as fault:
        raise click.BadParameter(str(fault)) from None
    if key.type is not kind:
        raise click.BadParameter(
            f"the key {key_name(key)} is of another kind; `shiji keygen --help` lists the kinds"
        )
    return key


def load_signer_key(path: Path, kind: SignatureType) -> SignerKey:
    """Read the secret key in a file; ends the command if there is none."""
    try:
        return load_signer(path, kind)
    except BadKey as fault:
        raise click.BadParameter(str(fault), param_hint="'--key'") from None
    except OSError as fault:
        raise click.BadParameter(
            f"{file_name(str(path))} cannot be read: {fault.strerror}", param_hint="'--key'"
        ) from None


def read_checkpoint(path: str) -> tuple[Note, Checkpoint]:
    """Read the checkpoint in a file without verifying its signatures; ends the command if there is none."""
    try:
        note = parse_note(read_content(path))
        return note, parse_checkpoint(note.text)
    except (MalformedNote, MalformedCheckpoint) as fault:
        raise click.ClickException(f"{file_name(path)} is not a checkpoint: {fault}") from None


def require_signature(note: Note, key: VerifierKey, path: str) -> None:
    """End the command if the key did not sign the note."""
    try:
        verified(note, [key])
    except (NoKnownSignature, WrongSignature) as fault:
        raise click.ClickException(f"{file_name(path)} is not signed by {key_name(key)}: {fault}") from None
