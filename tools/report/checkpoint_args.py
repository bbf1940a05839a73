"""Checkpoints and the keys of logs and witnesses, as the commands take and show them."""

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
    Signature,
    SignatureType,
    SignerKey,
    VerifierKey,
    parse_note,
    parse_verifier_key,
    verified,
)
from records.files.key_file import load_signer
from tools.terminal.atomic_files import content
from tools.terminal.output import file_name

Given = ParamSpec("Given")
Answer = TypeVar("Answer")


def as_log_key(_ctx: click.Context, _option: click.Parameter, given: str | None) -> VerifierKey | None:
    """What --log-key gives: the key of a log, as `shiji keygen` printed it."""
    return None if given is None else _key(given, SignatureType.ED25519)


def as_log_keys(
    _ctx: click.Context, _option: click.Parameter, given: tuple[str, ...]
) -> tuple[VerifierKey, ...]:
    """What --log-key gives where there may be several."""
    return tuple(_key(text, SignatureType.ED25519) for text in given)


def as_witness_keys(
    _ctx: click.Context, _option: click.Parameter, given: tuple[str, ...]
) -> tuple[VerifierKey, ...]:
    """What --witness-key gives: keys of witnesses, as `shiji keygen` printed them."""
    return tuple(_key(text, SignatureType.COSIGNATURE) for text in given)


def trusting(command: Callable[Given, Answer]) -> Callable[Given, Answer]:
    """With the options --log-key and --witness-key, for a command that judges bundles."""
    log = click.option(
        "--log-key",
        "log_keys",
        metavar="VKEY",
        multiple=True,
        callback=as_log_keys,
        help="A log that you trust: a bundle must be shown to be in it.",
    )
    witness = click.option(
        "--witness-key",
        "witness_keys",
        metavar="VKEY",
        multiple=True,
        callback=as_witness_keys,
        help="A witness that you trust: it must have cosigned the checkpoint of a bundle. May be repeated.",
    )
    return log(witness(command))


def _key(text: str, kind: SignatureType) -> VerifierKey:
    try:
        key = parse_verifier_key(text)
    except BadKey as fault:
        raise click.BadParameter(str(fault)) from None
    if key.type is not kind:
        raise click.BadParameter(
            f"the key {key_name(key)} is of another kind: `shiji keygen --kind` has three"
        )
    return key


def signer(path: Path, kind: SignatureType) -> SignerKey:
    """The secret key in a file; one that cannot be had ends the command."""
    try:
        return load_signer(path, kind)
    except BadKey as fault:
        raise click.BadParameter(str(fault), param_hint="'--key'") from None
    except OSError as fault:
        raise click.BadParameter(
            f"{file_name(str(path))} cannot be read: {fault.strerror}", param_hint="'--key'"
        ) from None


def read_checkpoint(path: str) -> tuple[Note, Checkpoint]:
    """The checkpoint in a file, its signatures not yet verified; a file that has none ends the command."""
    try:
        note = parse_note(content(path))
        return note, parse_checkpoint(note.text)
    except (MalformedNote, MalformedCheckpoint) as fault:
        raise click.ClickException(f"{file_name(path)} is no checkpoint: {fault}") from None


def require_signature(note: Note, key: VerifierKey, path: str) -> None:
    """End the command if the key did not sign the note."""
    try:
        verified(note, [key])
    except (NoKnownSignature, WrongSignature) as fault:
        raise click.ClickException(f"{file_name(path)} is not signed by {key_name(key)}: {fault}") from None


def key_name(key: VerifierKey | Signature) -> str:
    """A key by its name and id."""
    return f"{key.name}+{key.id:08x}"
