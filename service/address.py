"""The address that a server listens on."""

import re
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final, Self

HIGHEST_PORT: Final = 65535

_ADDRESS: Final = re.compile(r"(?P<host>\[[0-9a-fA-F:.]+\]|[^\s:\[\]]+):(?P<port>[0-9]{1,5})", re.ASCII)


class BadAddress(ValueError):
    """The text is no address."""


@dataclass(frozen=True, slots=True)
class Address:
    """A host and a port; port 0 means any that is free."""

    host: str
    """A name or a number; of IPv6 without its brackets."""
    port: int

    @classmethod
    def read(cls, text: str) -> Self:
        """The address that the text gives, as in 127.0.0.1:50051 or [::1]:50051."""
        found = _ADDRESS.fullmatch(text)
        if found is None:
            raise BadAddress(f"{text!r} is not HOST:PORT, as in 127.0.0.1:50051 or [::1]:50051")
        port = int(found["port"])
        if port > HIGHEST_PORT:
            raise BadAddress(f"{port} is no port: the highest is {HIGHEST_PORT}")
        return cls(found["host"].strip("[]"), port)

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can reach it."""
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"
