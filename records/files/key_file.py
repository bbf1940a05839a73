"""Files with secret keys, readable only by their owner."""

import os
from pathlib import Path
from typing import Final

from records.evidence.ed25519 import BadKey
from records.evidence.note import SignatureType, SignerKey, parse_signer_key

_MAX_KEY_FILE_BYTES: Final = 4096
"""Bytes of a key file that are read; a key has fewer."""

_WHOSE: Final = {SignatureType.ED25519: "log", SignatureType.COSIGNATURE: "witness"}


def save_secret(path: Path, text: str) -> None:
    """Write a secret durably to a new file; raises FileExistsError if the file exists."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(f"{text}\n")
        file.flush()
        os.fsync(file.fileno())


def load_signer(path: Path, kind: SignatureType) -> SignerKey:
    """Read the key of a log or a witness; raises OSError, or BadKey, which does not show the key."""
    with path.open("rb") as file:
        data = file.read(_MAX_KEY_FILE_BYTES)
    try:
        key = parse_signer_key(data.decode().removesuffix("\n"))
    except (BadKey, UnicodeDecodeError) as fault:
        why = "it is not text" if isinstance(fault, UnicodeDecodeError) else str(fault)
        raise BadKey(f"{path} does not hold the key of a {_WHOSE[kind]}: {why}") from None
    if key.type is not kind:
        raise BadKey(
            f"{path} holds the key of a {_WHOSE[key.type]}, not of a {_WHOSE[kind]}: "
            f"`shiji keygen --kind {_WHOSE[kind]}` makes one"
        )
    return key
