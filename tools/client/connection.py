"""Where the server is, and how it knows the client."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

import grpc

LOCAL: Final = "127.0.0.1:50051"
"""Where `make run` starts a server."""

OPTIONS: Final = (
    # gRPC's own pauses between attempts to connect: it would else take its time after the server is back.
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 1_000),
    ("grpc.min_reconnect_backoff_ms", 5_000),  # for one attempt, in spite of its name
    ("grpc.keepalive_time_ms", 60_000),
    ("grpc.keepalive_timeout_ms", 20_000),
)

Metadata: TypeAlias = tuple[tuple[str, str], ...]
"""What every call tells of its caller."""

_LOOPBACK: Final = re.compile(r"(unix:.*|localhost(:\d+)?|127(\.\d+){3}(:\d+)?|\[::1\](:\d+)?)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Tls:
    """The PEM files of an encrypted connection."""

    root: Path | None = None
    """Whoever signed the server's certificate; None is whomever this machine trusts."""
    certificate: Path | None = None
    """The client's own, where the server asks for one."""
    key: Path | None = None

    def credentials(self) -> grpc.ChannelCredentials:
        """As gRPC has them; raises OSError where a file cannot be read."""
        return grpc.ssl_channel_credentials(*map(_read, (self.root, self.key, self.certificate)))


def call_metadata(target: str, token: str | None, tls: Tls | None) -> Metadata:
    """As gRPC has it; a token is not sent where others on the way could read it."""
    if token is None:
        return ()
    if tls is None and not _LOOPBACK.fullmatch(target):
        raise ValueError(f"a token is not sent to {target} unencrypted: give tls=Tls() as well")
    return (("authorization", f"Bearer {token}"),)


def _read(path: Path | None) -> bytes | None:
    return None if path is None else path.read_bytes()
