"""Starts the server from the command line."""

import asyncio
import shutil
import sys
import sysconfig
from importlib.metadata import version
from pathlib import Path

import click

from service.address import Address, BadAddress
from service.server import CannotListen, serve


def _address(ctx: click.Context, param: click.Parameter, value: str) -> Address:
    try:
        return Address.read(value)
    except BadAddress as fault:
        raise click.BadParameter(str(fault), ctx, param) from fault


@click.command()
@click.option(
    "--db",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("shiji.db"),
    show_default=True,
    help="The SQLite file with the records.",
)
@click.option(
    "--listen",
    metavar="HOST:PORT",
    callback=_address,
    default="127.0.0.1:50051",
    show_default=True,
    help="Where to listen; port 0 means any that is free.",
)
def command(db: Path, listen: Address) -> None:
    """Start the gRPC server; Ctrl-C stops it."""

    def announce(address: Address) -> None:
        click.echo(f"Shiji {version('shiji')} listens on {address}.")
        click.echo(f"It answers grpc.health.v1 and reflection so far; {db} is not opened yet.")
        click.echo(f"Ctrl-C stops it. Next, in another terminal: {_shiji()} games")

    try:
        asyncio.run(serve(listen, announce))
    except CannotListen as fault:
        raise click.BadParameter(str(fault), param_hint="'--listen'") from fault
    click.echo("Stopped.")


def _shiji() -> str:
    """How to call `shiji` from here."""
    if shutil.which("shiji"):
        return "shiji"
    scripts = Path(sysconfig.get_path("scripts"))
    here = Path.cwd()
    return str((scripts.relative_to(here) if scripts.is_relative_to(here) else scripts) / "shiji")


if __name__ == "__main__":
    sys.exit(command(prog_name="python -m service"))
