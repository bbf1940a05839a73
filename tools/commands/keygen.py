"""`shiji keygen`: generates a key for a seat, a log or a witness."""

import secrets
from pathlib import Path
from typing import Final

import click

from records.evidence.ed25519 import KEY_SIZE, BadKey, SecretKey
from records.evidence.note import SignatureType, SignerKey
from records.evidence.signing import public_text, secret_text
from records.files.key_file import save_secret
from tools.terminal.output import file_name

_SEAT_KIND: Final = "seat"
"""The kind of key that has no name and no signature type."""

_NAMED_KINDS: Final = {"log": SignatureType.ED25519, "witness": SignatureType.COSIGNATURE}
"""Signature types of the kinds of key that have a name."""


@click.command(
    epilog="Examples: shiji keygen --out green.key; shiji keygen --kind log --name example.com/shiji",
)
@click.option(
    "--kind",
    type=click.Choice([_SEAT_KIND, *_NAMED_KINDS]),
    default=_SEAT_KIND,
    show_default=True,
    help="What the key signs: a seat's moves, a log's checkpoints, or as a witness the checkpoints of logs.",
)
@click.option(
    "--name",
    metavar="NAME",
    help="Permanent name of the log or witness, such as example.com/shiji.",
)
@click.option(
    "--out",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File for the secret key; by default KIND.key.",
)
def command(*, kind: str, name: str | None, out: Path | None) -> None:
    """Generate a key: write the secret part to a new file that only you can read, and print the public part.

    Give the public part to everyone who will check what the key signs. An existing file is never overwritten.
    """
    secret, public = _generate(kind, name)
    path = out or Path(f"{kind}.key")
    try:
        save_secret(path, secret)
    except FileExistsError:
        raise click.ClickException(
            f"{file_name(str(path))} exists already, and a lost key cannot be restored: choose another --out"
        ) from None
    except OSError as fault:
        raise click.ClickException(f"{file_name(str(path))} cannot be written: {fault.strerror}") from None
    click.echo(public)


def _generate(kind: str, name: str | None) -> tuple[str, str]:
    """The secret and the public text of a new key."""
    key = SecretKey(secrets.token_bytes(KEY_SIZE))
    if kind == _SEAT_KIND:
        if name is not None:
            raise click.BadParameter(
                "a seat's key has no name: the match header says which seat it belongs to",
                param_hint="'--name'",
            )
        return secret_text(key), public_text(key.public)
    if name is None:
        raise click.UsageError(f"the key of a {kind} needs a name, such as --name example.com/shiji")
    signer = SignerKey(name, _NAMED_KINDS[kind], key)
    try:
        public = signer.verifier.text
    except BadKey as fault:
        raise click.BadParameter(str(fault), param_hint="'--name'") from None
    return signer.secret_text, public
