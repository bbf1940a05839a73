"""`shiji doctor`: checks an archive, a configuration or a running server for problems."""

import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import click

from records.log.opening import is_postgres
from service.address import Address, BadAddress
from service.config import BadConfig, Configured
from tools.doctor import archive, configuration, database, games, packages, server
from tools.doctor.finding import Finding, Health, hint, unknown
from tools.terminal.output import Line, show, show_json

_FILE: Final = click.Path(dir_okay=False, path_type=Path)
"""Type of the options that name a file."""

_STYLES: Final = {
    Health.WELL: "green",
    Health.HINT: "yellow",
    Health.WRONG: "bold red",
    Health.UNKNOWN: "bold red",
}
"""Styles of rich by the health of a finding."""

_EXIT_CODES: Final = {Health.WELL: 0, Health.HINT: 0, Health.WRONG: 1, Health.UNKNOWN: 2}
"""Exit codes by the health of a finding; the highest of all findings is the command's."""


def _address(ctx: click.Context, param: click.Parameter, value: str | None) -> Address | None:
    try:
        return None if value is None else Address.read(value)
    except BadAddress as fault:
        raise click.BadParameter(str(fault), ctx, param) from fault


@click.command()
@click.option("--db", type=_FILE, metavar="FILE", help="Check this archive.")
@click.option("--log", "url", metavar="URL", help="Check this archive in PostgreSQL, and its database.")
@click.option(
    "--config", "file", type=_FILE, metavar="FILE", help="Check this configuration and its archive."
)
@click.option("--server", "called", metavar="HOST:PORT", callback=_address, help="Check a running server.")
@click.option(
    "--metrics", metavar="HOST:PORT", callback=_address, help="Check a server's clock, through its metrics."
)
@click.option("--tls", is_flag=True, help="Connect to the server with TLS.")
@click.option(
    "--ca",
    type=_FILE,
    metavar="FILE",
    help="Connect with TLS and trust these certificate authorities (PEM).",
)
@click.option(
    "--cert", type=_FILE, metavar="FILE", help="Your certificate, if the server asks for one (PEM)."
)
@click.option("--key", type=_FILE, metavar="FILE", help="The private key of your certificate (PEM).")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line.")
def command(  # noqa: PLR0913 - one parameter per option
    *,
    db: Path | None,
    url: str | None,
    file: Path | None,
    called: Address | None,
    metrics: Address | None,
    tls: bool,
    ca: Path | None,
    cert: Path | None,
    key: Path | None,
    as_json: bool,
) -> None:
    """Look for problems, and say how to fix them.

    Without options, check the configuration and the archive that `shiji serve` would use here, list the games
    that are installed, and check that no foreign package has the name of one of Shiji's. Nothing is changed,
    and the server may be running. Exit codes: 0 nothing needs to be done, 1 something needs to be done,
    2 something could not be checked.
    """
    findings: list[Finding] = []
    if not (file or db or url or called or metrics):
        findings += _print_each((*packages.examine(), *games.examine()), as_json=as_json)
    if file is not None or not (db or url or called or metrics):
        findings += _print_each(_examine_config(file, db), as_json=as_json)
    elif db is not None:
        findings += _print_each(archive.examine(db, db.with_name(f"{db.name}.secret")), as_json=as_json)
    if url is not None:
        findings += _print_each(_examine_url(url), as_json=as_json)
    if called is not None:
        files = server.TlsFiles(ca, cert, key) if tls or ca or cert else None
        findings += _print_each(server.examine(called, files), as_json=as_json)
    if metrics is not None:
        findings += _print_each([server.clock(metrics)], as_json=as_json)
    sys.exit(max(_EXIT_CODES[finding.health] for finding in findings))


def _examine_config(file: Path | None, db: Path | None) -> Iterator[Finding]:
    try:
        config = Configured.gather({"config": file}, os.environ).config
    except BadConfig as fault:
        yield unknown("configuration", str(fault), "correct it; `shiji serve --help` lists the options")
        return
    yield from configuration.examine(config)
    if db is None and config.is_shared:
        yield from database.examine(config.archive)
    elif db is None and not config.file.exists():
        yield hint("archive", f"{config.file} does not exist yet", "the server creates it when it starts")
    else:
        yield from archive.examine(db or config.file, config.secret)


def _examine_url(url: str) -> Iterator[Finding]:
    if is_postgres(url):
        yield from database.examine(url)
    else:
        yield unknown(
            "archive", f"{url} is not an address like postgresql://HOST/NAME", "for a file, give --db"
        )


def _print_each(findings: Iterable[Finding], *, as_json: bool) -> Iterator[Finding]:
    """Prints each finding as soon as the check is done, and yields it."""
    for finding in findings:
        if as_json:
            show_json(
                {
                    "about": finding.about,
                    "health": finding.health.value,
                    "found": finding.found,
                    "advice": finding.advice or None,
                }
            )
        else:
            show(_lines(finding))
        yield finding


def _lines(finding: Finding) -> Iterator[Line]:
    yield Line(f"{finding.about}: {finding.found}", finding.health.value, style=_STYLES[finding.health])
    if finding.advice:
        yield Line(finding.advice, "", indent=10)
