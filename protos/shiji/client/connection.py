"""The connection to a server: address, channel options, TLS files and credentials."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

import grpc

LOCAL: Final = "127.0.0.1:50051"
"""The address of the server that `make run` starts."""

OPTIONS: Final = (
    # gRPC's defaults would keep the client waiting long after the server is back.
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 1_000),
    ("grpc.min_reconnect_backoff_ms", 5_000),  # despite its name, the timeout of one attempt
    ("grpc.keepalive_time_ms", 60_000),
    ("grpc.keepalive_timeout_ms", 20_000),
)

Metadata: TypeAlias = tuple[tuple[str, str], ...]
"""The gRPC metadata that is sent with every call."""

_LOOPBACK: Final = re.compile(r"(unix:.*|localhost(:\d+)?|127(\.\d+){3}(:\d+)?|\[::1\](:\d+)?)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Tls:
    """The PEM files of an encrypted connection."""

    root: Path | None = None
    """The authority of the server's certificate; None means those that this machine trusts."""
    certificate: Path | None = None
    """The client's own certificate, for servers that require one."""
    key: Path | None = None

    def credentials(self) -> grpc.ChannelCredentials:
        """Load the files for gRPC; raises OSError if one cannot be read."""
        return grpc.ssl_channel_credentials(*map(_read, (self.root, self.key, self.certificate)))


def call_metadata(target: str, token: str | None, tls: Tls | None) -> Metadata:
    """The metadata with the token; raises ValueError if it would cross a network unencrypted."""
    if token is None:
        return ()
    if tls is None and not _LOOPBACK.fullmatch(target):
        raise ValueError(f"refusing to send a token to {target} unencrypted: pass tls=Tls() as well")
    return (("authorization", f"Bearer {token}"),)


def _read(path: Path | None) -> bytes | None:
    return None if path is None else path.read_bytes()
