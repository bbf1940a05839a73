"""The server's secret, from which deals are shuffled and the tokens of seats are derived.

It is kept in a file of its own, so that a copy of the archive does not reveal what is still to be drawn.
"""

import hmac
import os
import re
import secrets
from pathlib import Path
from typing import Final, Self

from records.entry import MatchId
from rules.kernel.actors import Seat

SECRET_BYTES: Final = 32
"""Length of the secret, that of the SHA-256 keys derived from it."""

_OWNER_MARK_CHARS: Final = 16
"""Characters of an owner's mark: 64 bits, too many to meet that of another owner by chance."""

_SEAT_TOKEN: Final = re.compile(
    r"shiji-seat\.(?P<match>[A-Za-z0-9_-]{1,100})\.(?P<seat>[0-9]{1,2})\.[0-9a-f]{64}"
)


class BadServerSecret(ValueError):
    """The file does not hold a server's secret."""


class ServerSecret:
    """The secret, and what is derived from it."""

    def __init__(self, key: bytes) -> None:
        if len(key) != SECRET_BYTES:
            raise BadServerSecret(f"a secret has {SECRET_BYTES} bytes, and this one has {len(key)}")
        self._key: Final = key

    @classmethod
    def load(cls, path: Path) -> Self:
        """The secret in this file, which is created if it does not exist."""
        try:
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            return cls._read(path)
        with os.fdopen(handle, "w", encoding="ascii") as file:
            key = secrets.token_bytes(SECRET_BYTES)
            file.write(f"{key.hex()}\n")
            file.flush()
            os.fsync(file.fileno())
        return cls(key)

    @classmethod
    def existing(cls, path: Path) -> Self:
        """The secret in this file, which several servers share and none of them creates."""
        try:
            return cls._read(path)
        except OSError as fault:
            raise BadServerSecret(
                f"the secret {path} cannot be read ({fault.strerror}): servers of one archive share it, so "
                "none of them creates it. Copy it from another server, or make the first one with "
                f"`openssl rand -hex {SECRET_BYTES}`"
            ) from fault

    @classmethod
    def _read(cls, path: Path) -> Self:
        try:
            return cls(bytes.fromhex(path.read_text("ascii").strip()))
        except ValueError as fault:
            raise BadServerSecret(
                f"{path} does not hold a server's secret: {SECRET_BYTES} bytes in hexadecimal"
            ) from fault

    @property
    def fingerprint(self) -> bytes:
        """By which servers find out that they have the same secret; it does not reveal the secret."""
        return self._mac("fingerprint")

    def of_match(self, match: MatchId) -> bytes:
        """The key by which the draws of a match are shuffled."""
        return self._mac("deal", match)

    def seat_token(self, match: MatchId, seat: Seat) -> str:
        """The bearer token of a seat: always the same, so that it need not be stored."""
        return f"shiji-seat.{match}.{seat}.{self._mac('seat', match, str(seat)).hex()}"

    def seat_of(self, token: str) -> tuple[MatchId, Seat] | None:
        """The seat whose token it is; None if it is not the token of a seat of this server."""
        found = _SEAT_TOKEN.fullmatch(token)
        if found is None:
            return None
        match, seat = MatchId(found["match"]), Seat(int(found["seat"]))
        return (match, seat) if hmac.compare_digest(token, self.seat_token(match, seat)) else None

    def start_request(self, owner: str, request: str) -> str:
        """The id under which the archive keeps an owner's request to start a match.

        It is the caller's id with a mark of the owner, which nobody else can make, so that owners neither
        find nor take each other's ids.
        """
        return f"{request}@{self._mac('owner', owner).hex()[:_OWNER_MARK_CHARS]}"

    def _mac(self, purpose: str, *parts: str) -> bytes:
        message = "\x00".join((f"shiji/{purpose}/1", *parts))
        return hmac.digest(self._key, message.encode(), "sha256")
