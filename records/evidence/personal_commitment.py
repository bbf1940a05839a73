"""Commitments to facts about people: without the person's key nobody can connect them with the facts."""

import hmac
from dataclasses import dataclass
from typing import Final

from records.evidence.framing import frame

PERSONAL_KEY_BYTES: Final = 32
"""The size of a person's key, in bytes."""

MAX_FACT_CHARS: Final = 1000
"""The maximum length of a fact, in characters: far more than any name."""


class BadPersonKey(ValueError):
    """A person's key that does not have 32 bytes."""


class TooLong(ValueError):
    """A fact that is longer than a record may commit to."""


class NotCommitted(ValueError):
    """The commitment was not made to this value under this key."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact about a person."""

    person: str
    """The person's id in the register of people; it is in no record."""
    field: str
    """'name', 'club', …"""
    value: str


def commit_personal(key: bytes, field: str, value: str) -> bytes:
    """The commitment that a record stores in place of a fact about a person.

    The key belongs to the person, 32 bytes from secrets.token_bytes, and is stored outside the record. While
    it exists it proves which value was committed to. Once it is deleted, nobody can find the value, even by
    guessing.
    """
    if len(key) != PERSONAL_KEY_BYTES:
        raise BadPersonKey(f"a person's key has {PERSONAL_KEY_BYTES} bytes, not {len(key)}")
    if len(value) > MAX_FACT_CHARS:
        raise TooLong(f"a person's {field} has at most {MAX_FACT_CHARS} characters, not {len(value)}")
    return hmac.digest(key, frame("shiji/person/1", field, value), "sha256")


def check_personal(commitment: bytes, key: bytes, field: str, value: str) -> None:
    """Raises NotCommitted unless the commitment was made to this value under this key."""
    if not hmac.compare_digest(commit_personal(key, field, value), commitment):
        raise NotCommitted(f"the record does not commit to this {field} under this key")
