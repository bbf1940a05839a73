"""The tokens that callers have, in a file that knows only their hashes."""

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

PREFIX: Final = "shiji_"
"""By this people, and tools that look for leaked secrets, know what it is."""

_SIZE: Final = 32

Name = Annotated[str, Meta(pattern=r"^[A-Za-z0-9._@-]{1,64}$")]
Time = Annotated[datetime, Meta(tz=True)]
Digest = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class BadTokens(ValueError):
    """The file with the tokens cannot be read, or cannot be changed like this."""


class Token(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Somebody who may call, by the hash of what he must say."""

    name: Name
    role: Role
    sha256: Digest
    made: Time
    expires: Time | None = None
    match: str | None = None
    """Of a seat: its match."""
    seat: Annotated[int, Meta(ge=0)] | None = None
    """Of a seat: which one."""

    def __post_init__(self) -> None:
        if not (self.role is Role.SEAT) == (self.match is not None) == (self.seat is not None):
            raise ValueError(f"{self.name}: a seat has a match and a number, and nobody else has")

    def expired(self, now: datetime) -> bool:
        """Whether its time is over."""
        return self.expires is not None and self.expires <= now

    @property
    def caller(self) -> Caller:
        """Whoever calls with it."""
        match = None if self.match is None else MatchId(self.match)
        return Caller(self.name, self.role, match, None if self.seat is None else Seat(self.seat))


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    format: Literal["shiji-tokens/1"]
    tokens: tuple[Token, ...]

    def __post_init__(self) -> None:
        if len({token.name for token in self.tokens}) < len(self.tokens):
            raise ValueError("two tokens have one name")


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
    except msgspec.MsgspecError as fault:
        raise BadTokens(f"{path} cannot hold these tokens: {fault}") from fault


@contextmanager
def changing(path: Path) -> Iterator[list[Token]]:
    """The tokens in the file, to be changed; then all of it is written anew, or nothing; raises BadTokens."""
    draft = path.with_name(f"{path.name}.new")
    try:
        # Whoever else changes the file waits for the draft to be gone: no change is lost.
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError as fault:
        raise BadTokens(f"{path} is being changed; if nobody does, delete {draft}") from fault
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
    """What the bearer of a new token says."""
    return PREFIX + secrets.token_urlsafe(_SIZE)


def digest_of(secret: str) -> str:
    """What a file knows of it. As it is random through and through, no salt and no slow hash is needed."""
    return hashlib.sha256(secret.encode()).hexdigest()
