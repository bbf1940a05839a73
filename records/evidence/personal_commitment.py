"""Names as commitments: a record keeps what only the person's key connects with the name."""

import hmac
from dataclasses import dataclass
from typing import Final

from records.evidence.framing import frame

KEY_SIZE: Final = 32
MAX_LENGTH: Final = 1000


class BadPersonKey(ValueError):
    """A person's key that does not have 32 bytes."""


class TooLong(ValueError):
    """More than a record commits to of a person in one go."""


class NotCommitted(ValueError):
    """The record was not made with this value under this key."""


@dataclass(frozen=True, slots=True)
class Fact:
    """Something about a person."""

    person: str
    """Whoever keeps the register knows him by this id; it is in no record."""
    field: str
    """'name', 'club', …"""
    value: str


def commit_personal(key: bytes, field: str, value: str) -> bytes:
    """What stands in a record for something about a person, such as the field name.

    The key is the person's own, 32 bytes from secrets.token_bytes, and is kept outside the record. While it
    exists it shows which value was committed to; once it is deleted nobody can tell, nor try a value out.
    """
    if len(key) != KEY_SIZE:
        raise BadPersonKey(f"a person's key has {KEY_SIZE} bytes, and this one {len(key)}")
    if len(value) > MAX_LENGTH:
        raise TooLong(f"a person's {field} has at most {MAX_LENGTH} characters, and this one {len(value)}")
    return hmac.digest(key, frame("shiji/person/1", field, value), "sha256")


def check_personal(commitment: bytes, key: bytes, field: str, value: str) -> None:
    """Passes if the commitment was made to this value under this key; NotCommitted otherwise."""
    if not hmac.compare_digest(commit_personal(key, field, value), commitment):
        raise NotCommitted(f"the record does not hold this {field} under this key")
