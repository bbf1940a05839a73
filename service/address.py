"""The address that a server listens on."""

import re
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final, Self

HIGHEST_PORT: Final = 65535
"""The highest TCP port."""

_ADDRESS: Final = re.compile(r"(?P<host>\[[0-9a-fA-F:.]+\]|[^\s:\[\]]+):(?P<port>[0-9]{1,5})", re.ASCII)


class BadAddress(ValueError):
    """The text is not an address."""


@dataclass(frozen=True, slots=True)
class Address:
    """A host and a port; port 0 means any free port."""

    host: str
    """A name or an IP address; an IPv6 address without its brackets."""
    port: int

    @classmethod
    def read(cls, text: str) -> Self:
        """The address in the text, such as 127.0.0.1:50051 or [::1]:50051; raises BadAddress."""
        found = _ADDRESS.fullmatch(text)
        if found is None:
            raise BadAddress(f"{text!r} is not HOST:PORT, such as 127.0.0.1:50051 or [::1]:50051")
        port = int(found["port"])
        if port > HIGHEST_PORT:
            raise BadAddress(f"{port} is not a port: the highest is {HIGHEST_PORT}")
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
