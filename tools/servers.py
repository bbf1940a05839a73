"""Running servers as the commands reach them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import click

from tools.client import Client, Refused, Tls

SERVER: Final = click.option("--server", metavar="HOST:PORT", help="Ask this running server.")
TOKEN: Final = click.option(
    "--token", metavar="TOKEN", envvar="SHIJI_TOKEN", show_envvar=True, help="What the server asks for."
)
CA: Final = click.option(
    "--ca",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The server has TLS, signed by one of these (PEM).",
)

_TIMEOUT_SECONDS: Final = 120.0
"""So many seconds a server may take: for its first checkpoint it reads the whole archive."""


@contextmanager
def connected(server: str, token: str | None, ca: Path | None) -> Iterator[Client]:
    """A connection to a server; what it refuses, or that it cannot be reached, ends the command."""
    try:
        with Client(server, token=token, tls=Tls(ca) if ca else None, timeout=_TIMEOUT_SECONDS) as client:
            yield client
    except (Refused, ValueError, OSError) as fault:
        raise click.ClickException(f"{server}: {fault}") from None
