"""Options of the commands that call a running server."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import click
from shiji.client import Client, Refused, Tls

SERVER: Final = click.option("--server", metavar="HOST:PORT", help="Call this running server.")
"""The option --server."""

TOKEN: Final = click.option(
    "--token",
    metavar="TOKEN",
    envvar="SHIJI_TOKEN",
    show_envvar=True,
    help="The token for servers that require one.",
)
"""The option --token."""

CA: Final = click.option(
    "--ca",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Connect with TLS and trust these certificate authorities (PEM).",
)
"""The option --ca."""

_TIMEOUT_SECONDS: Final = 120.0
"""Timeout of a call, in seconds; long, because the first checkpoint reads the whole archive."""


@contextmanager
def connected(server: str, token: str | None, ca: Path | None) -> Iterator[Client]:
    """Connect to a server; any failure ends the command with a message."""
    try:
        with Client(server, token=token, tls=Tls(ca) if ca else None, timeout=_TIMEOUT_SECONDS) as client:
            yield client
    except Refused as fault:
        raise click.ClickException(f"{server}: {fault}. {fault.advice}") from None
    except (ValueError, OSError) as fault:
        raise click.ClickException(f"{server}: {fault}") from None
