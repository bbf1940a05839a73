"""Starts the server from the command line."""

import asyncio
import os
import shutil
import sys
import sysconfig
from importlib.metadata import version
from pathlib import Path
from typing import Final

import click
import uvloop

from records.evidence.ed25519 import BadKey
from records.log.contract import LogFault
from records.log.opening import shown_address
from records.log.owners import BadOwners
from service.address import Address
from service.config import DEFAULT_WEB, OPTIONS, BadConfig, Config, ConfigOption, Configured
from service.observability import logs
from service.observability.metrics_port import MetricsPortTaken
from service.observability.observer import TracingMissing
from service.resources import PageOf
from service.server import CannotListen, Listening, serve
from service.server_secret import BadServerSecret
from service.tls import BadCertificate
from service.tokens import BadTokens
from service.worker_servers import WorkerFailed, WorkerServers

_CANNOT_SERVE: Final = (
    CannotListen,
    MetricsPortTaken,
    TracingMissing,
    BadOwners,
    BadServerSecret,
    BadTokens,
    BadCertificate,
    BadKey,
    WorkerFailed,
)


def _flags() -> list[click.Parameter]:
    """A flag for each option; Configured.gather reads its value, as it does from file and environment."""
    return [
        click.Option(
            ["--config"], metavar="FILE", help="A TOML file with any of the options below. [SHIJI_CONFIG]"
        ),
        *(
            click.Option(
                [f"--{option.name}"],
                metavar=option.takes or None,
                is_flag=not option.takes,
                default=None,
                help=f"{option.help} [{_default(option)}]",
            )
            for option in OPTIONS.values()
        ),
        click.Option(["--check-config"], is_flag=True, help="Print every option with its source, and exit."),
    ]


def _default(option: ConfigOption) -> str:
    has_default = option.default is not None and option.default is not False
    return f"{option.variable}; {option.default}" if has_default else option.variable


def start(page_of: PageOf | None = None, *, check_config: bool, **flags: object) -> None:
    """Start the server by its flags; with a function for them, it has pages of matches to download."""
    try:
        given = {name.replace("_", "-"): value for name, value in flags.items()}
        configured = Configured.gather(given, os.environ)
    except BadConfig as fault:
        raise click.UsageError(str(fault)) from fault
    if check_config:
        click.echo(str(configured))
    else:
        _serve(configured.config, page_of)


def _serve(config: Config, page_of: PageOf | None) -> None:
    def announce(listening: Listening) -> None:
        several = f" with {config.workers} processes" if config.workers > 1 else ""
        click.echo(f"Shiji {version('shiji')} listens{several} on {listening.grpc}.")
        click.echo(f"Records are kept in {shown_address(config.archive)}. {_access(config)}")
        click.echo(_web(config, listening.web))
        click.echo(f"Ctrl-C stops it. Next, in another terminal: {_shiji()} games")

    logs.set_up(config.log_format, config.log_level)
    try:
        if config.workers > 1:
            WorkerServers(config, page_of).run(announce)
        else:
            with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
                runner.run(serve(config, announce, page_of))
    except _CANNOT_SERVE as fault:
        raise click.UsageError(str(fault)) from fault
    except (LogFault, OSError) as fault:
        raise click.BadParameter(str(fault), param_hint=f"'--{'log' if config.log else 'db'}'") from fault
    click.echo("Stopped.")


def _web(config: Config, address: Address | None) -> str:
    """Where the HTTP port is."""
    if address is not None:
        return f"Pages, and JSON over HTTP: http{'s' if config.tls_cert else ''}://{address}/ (docs/http.md)"
    if config.no_web:
        return "There is no HTTP port (--no-web)."
    return f"There is no HTTP port: {DEFAULT_WEB} is taken. Give another with --web HOST:PORT."


def _access(config: Config) -> str:
    """Who may call."""
    if config.tokens:
        return f"Callers need a token from {config.tokens}, or the token of a seat."
    if config.certifies:
        return f"Anyone with a certificate signed by {config.tls_client_ca} may do everything."
    reach = "on this machine" if config.listen.is_loopback else "who can reach it"
    return f"Anyone {reach} may do everything: no tokens are required (--tokens)."


def _shiji() -> str:
    """The command that runs `shiji` from here."""
    if shutil.which("shiji"):
        return "shiji"
    scripts = Path(sysconfig.get_path("scripts"))
    here = Path.cwd()
    return str((scripts.relative_to(here) if scripts.is_relative_to(here) else scripts) / "shiji")


command = click.Command(
    "serve",
    params=_flags(),
    callback=start,
    help="""Start the server: gRPC, and JSON and pages over HTTP. Ctrl-C stops it.

    Every option can also be set in the environment, under the name in brackets, or in a TOML file, under its
    own name. A flag takes precedence over the environment, the environment over the file, the file over the
    default. Paths in the file are relative to its folder.
    """,
)


if __name__ == "__main__":
    sys.exit(command(prog_name="python -m service"))
