"""The file with the callers' tokens, which holds only their hashes."""

import hashlib
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from records.entry import MatchId
from rules.kernel.actors import Seat
from service.authorization import Caller, Role

_PREFIX: Final = "shiji_"
"""Every token begins with this, so that people and secret scanners recognise it."""

_TOKEN_BYTES: Final = 32
"""Random bytes of a token: too many to guess, so its hash needs no salt and need not be slow."""

Name = Annotated[str, Meta(pattern=r"^[A-Za-z0-9._@-]{1,64}$")]
Time = Annotated[datetime, Meta(tz=True)]
Digest = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class BadTokens(ValueError):
    """The file with the tokens cannot be read, or the change to it is not allowed."""


class Token(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A token by its hash, and what its bearer may do."""

    name: Name
    role: Role
    sha256: Digest
    made: Time
    expires: Time | None = None
    match: str | None = None
    """Of a seat: its match."""
    seat: Annotated[int, Meta(ge=0)] | None = None
    """Of a seat: which one."""
    owner: Name | None = None
    """Whose matches it is for, shared with other tokens of the same owner; by default its own name."""

    def __post_init__(self) -> None:
        if not (self.role is Role.SEAT) == (self.match is not None) == (self.seat is not None):
            raise ValueError(f"{self.name}: the role seat, and no other, takes a match and a seat number")
        if self.role is Role.SEAT and self.owner is not None:
            raise ValueError(f"{self.name}: the token of a seat belongs to the owner of its match")

    def expired(self, now: datetime) -> bool:
        """Whether it has expired."""
        return self.expires is not None and self.expires <= now

    @property
    def caller(self) -> Caller:
        """The caller that it authenticates."""
        if self.match is None or self.seat is None:
            return Caller(self.name, self.role, owner=self.owner or self.name)
        return Caller(self.name, self.role, MatchId(self.match), Seat(self.seat))


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    format: Literal["shiji-tokens/1"]
    tokens: tuple[Token, ...]

    def __post_init__(self) -> None:
        if len({token.name for token in self.tokens}) < len(self.tokens):
            raise ValueError("two tokens have the same name")


def read_tokens(path: Path) -> tuple[Token, ...]:
    """The tokens in the file; raises BadTokens."""
    try:
        return _decoded(path.read_bytes(), path)
    except OSError as fault:
        raise BadTokens(
            f"cannot read the tokens {path}: {fault.strerror}; `shiji token new` makes such a file"
        ) from fault


def _decoded(written: bytes, path: Path) -> tuple[Token, ...]:
    try:
        return msgspec.json.decode(written, type=_File).tokens
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as fault:
        raise BadTokens(f"{path} cannot hold these tokens: {fault}") from fault


@contextmanager
def changing(path: Path) -> Iterator[list[Token]]:
    """The tokens in the file, to be changed in place; the file is then replaced as a whole. Raises BadTokens.

    If the block raises, the file stays as it was.
    """
    draft = path.with_name(f"{path.name}.new")
    try:
        # The draft serves as a lock, so that concurrent changes are not lost.
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError as fault:
        raise BadTokens(f"another program is changing {path}; if none is, delete {draft}") from fault
    except OSError as fault:
        raise BadTokens(f"cannot write {draft}: {fault.strerror}") from fault
    try:
        with os.fdopen(handle, "wb") as file:
            tokens = list(read_tokens(path)) if path.exists() else []
            yield tokens
            written = msgspec.json.encode(_File("shiji-tokens/1", tuple(tokens)))
            _decoded(written, path)
            file.write(msgspec.json.format(written, indent=2) + b"\n")
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def new_secret() -> str:
    """A new random token."""
    return _PREFIX + secrets.token_urlsafe(_TOKEN_BYTES)


def digest_of(secret: str) -> str:
    """The hash of a token, as the file holds it."""
    return hashlib.sha256(secret.encode()).hexdigest()
