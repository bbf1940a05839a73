"""`shiji keygen`: a new key of a seat, a log or a witness."""

import secrets
from pathlib import Path
from typing import Final

import click

from records.evidence.ed25519 import KEY_SIZE, BadKey, SecretKey
from records.evidence.note import SignatureType, SignerKey
from records.evidence.signing import public_text, secret_text
from records.files.key_file import save_secret
from tools.terminal.output import file_name

_SEAT: Final = "seat"
_KINDS: Final = {"log": SignatureType.ED25519, "witness": SignatureType.COSIGNATURE}


@click.command(
    epilog="Examples: shiji keygen --out green.key; shiji keygen --kind log --name example.com/shiji",
)
@click.option(
    "--kind",
    type=click.Choice([_SEAT, *_KINDS]),
    default=_SEAT,
    show_default=True,
    help="Whose key: a seat signs its moves, a log its checkpoints, a witness the checkpoints of others.",
)
@click.option("--name", metavar="NAME", help="Of a log or a witness, for ever: like example.com/shiji.")
@click.option(
    "--out",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Where the secret key is written; KIND.key unless it is said.",
)
def command(*, kind: str, name: str | None, out: Path | None) -> None:
    """Make a key: the secret goes to a new file that only you can read, the public part is printed.

    Give the public part to whoever shall check what the key signs. A file that is there is never overwritten.
    """
    secret, public = _made(kind, name)
    path = out or Path(f"{kind}.key")
    try:
        save_secret(path, secret)
    except FileExistsError:
        raise click.ClickException(
            f"{file_name(str(path))} is there already, and a key that is lost cannot be made again: "
            "choose another --out"
        ) from None
    except OSError as fault:
        raise click.ClickException(f"{file_name(str(path))} cannot be written: {fault.strerror}") from None
    click.echo(public)


def _made(kind: str, name: str | None) -> tuple[str, str]:
    """A new key as its two texts."""
    key = SecretKey(secrets.token_bytes(KEY_SIZE))
    if kind == _SEAT:
        if name is not None:
            raise click.BadParameter(
                "a seat's key has no name: the match's header tells whose it is", param_hint="'--name'"
            )
        return secret_text(key), public_text(key.public)
    if name is None:
        raise click.UsageError(f"the key of a {kind} has a name: --name example.com/shiji")
    signer = SignerKey(name, _KINDS[kind], key)
    try:
        public = signer.verifier.text
    except BadKey as fault:
        raise click.BadParameter(str(fault), param_hint="'--name'") from None
    return signer.secret_text, public
