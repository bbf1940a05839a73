"""Secret keys in files that only their owner reads."""

import os
from pathlib import Path
from typing import Final

from records.evidence.ed25519 import BadKey
from records.evidence.note import SignatureType, SignerKey, parse_signer_key

_LARGEST: Final = 4096
_WHOSE: Final = {SignatureType.ED25519: "log", SignatureType.COSIGNATURE: "witness"}


def save_secret(path: Path, text: str) -> None:
    """Write a secret, durably, to a file that did not exist; FileExistsError if it did."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(f"{text}\n")
        file.flush()
        os.fsync(file.fileno())


def load_signer(path: Path, kind: SignatureType) -> SignerKey:
    """The key of a log or a witness in this file; BadKey, which does not show it, or OSError otherwise."""
    with path.open("rb") as file:
        data = file.read(_LARGEST)
    try:
        key = parse_signer_key(data.decode().removesuffix("\n"))
    except (BadKey, UnicodeDecodeError) as fault:
        why = "it is not text" if isinstance(fault, UnicodeDecodeError) else str(fault)
        raise BadKey(f"{path} holds no key of a {_WHOSE[kind]}: {why}") from None
    if key.type is not kind:
        raise BadKey(
            f"{path} holds the key of a {_WHOSE[key.type]}, not of a {_WHOSE[kind]}: "
            f"`shiji keygen --kind {_WHOSE[kind]}` makes one"
        )
    return key
