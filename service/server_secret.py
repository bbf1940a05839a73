"""The secret of a server: how components lie in the matches that it deals, and the tokens of their seats.

It lies in a file beside the archive: a copy of the archive tells nothing of what is still to be drawn.
"""

import hmac
import os
import re
import secrets
from pathlib import Path
from typing import Final, Self

from records.entry import MatchId
from rules.kernel.actors import Seat

SIZE: Final = 32

_SEAT_TOKEN: Final = re.compile(
    r"shiji-seat\.(?P<match>[A-Za-z0-9_-]{1,100})\.(?P<seat>[0-9]{1,2})\.[0-9a-f]{64}"
)


class BadServerSecret(ValueError):
    """The file holds no secret."""


class Secret:
    """What only the server knows."""

    def __init__(self, key: bytes) -> None:
        if len(key) != SIZE:
            raise BadServerSecret(f"a secret has {SIZE} bytes, and this one {len(key)}")
        self._key: Final = key

    @classmethod
    def load(cls, path: Path) -> Self:
        """The secret in this file, made if there is none."""
        try:
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            try:
                return cls(bytes.fromhex(path.read_text("ascii").strip()))
            except ValueError as fault:
                raise BadServerSecret(
                    f"{path} holds no secret of a server: {SIZE} bytes in hexadecimal"
                ) from fault
        with os.fdopen(handle, "w", encoding="ascii") as file:
            key = secrets.token_bytes(SIZE)
            file.write(f"{key.hex()}\n")
            file.flush()
            os.fsync(file.fileno())
        return cls(key)

    def of_match(self, match: MatchId) -> bytes:
        """What the orders of a match are shuffled by."""
        return self._mac("deal", match)

    def seat_token(self, match: MatchId, seat: Seat) -> str:
        """The bearer token of a seat: always the same, so that it need not be kept anywhere."""
        return f"shiji-seat.{match}.{seat}.{self._mac('seat', match, str(seat)).hex()}"

    def seat_of(self, token: str) -> tuple[MatchId, Seat] | None:
        """Whose token it is; None where it is no seat's of any match of this server."""
        found = _SEAT_TOKEN.fullmatch(token)
        if found is None:
            return None
        match, seat = MatchId(found["match"]), Seat(int(found["seat"]))
        return (match, seat) if hmac.compare_digest(token, self.seat_token(match, seat)) else None

    def _mac(self, purpose: str, *parts: str) -> bytes:
        said = "\x00".join((f"shiji/{purpose}/1", *parts))
        return hmac.digest(self._key, said.encode(), "sha256")
