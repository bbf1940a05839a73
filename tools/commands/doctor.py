"""`shiji doctor`: looks for what is amiss with an archive, a configuration or a running server."""

import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import click

from service.address import Address, BadAddress
from service.config import BadConfig, Configured
from tools.doctor import archive, configuration, server
from tools.doctor.finding import Finding, Health, hint, unknown
from tools.terminal.output import Line, show, show_json

_FILE: Final = click.Path(dir_okay=False, path_type=Path)
_STYLES: Final = {
    Health.WELL: "green",
    Health.HINT: "yellow",
    Health.WRONG: "bold red",
    Health.UNKNOWN: "bold red",
}
_CODES: Final = {Health.WELL: 0, Health.HINT: 0, Health.WRONG: 1, Health.UNKNOWN: 2}


def _address(ctx: click.Context, param: click.Parameter, value: str | None) -> Address | None:
    try:
        return None if value is None else Address.read(value)
    except BadAddress as fault:
        raise click.BadParameter(str(fault), ctx, param) from fault


@click.command()
@click.option("--db", type=_FILE, metavar="FILE", help="Look at this archive.")
@click.option(
    "--config", "file", type=_FILE, metavar="FILE", help="Look at this configuration and its archive."
)
@click.option("--server", "called", metavar="HOST:PORT", callback=_address, help="Look at a running server.")
@click.option("--metrics", metavar="HOST:PORT", callback=_address, help="And at its clock, by its metrics.")
@click.option("--tls", is_flag=True, help="The server has TLS.")
@click.option("--ca", type=_FILE, metavar="FILE", help="The same, signed by one of these (PEM).")
@click.option(
    "--cert", type=_FILE, metavar="FILE", help="Your certificate, if the server asks for one (PEM)."
)
@click.option("--key", type=_FILE, metavar="FILE", help="Its private key (PEM).")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
def command(  # noqa: PLR0913 - a parameter an option
    *,
    db: Path | None,
    file: Path | None,
    called: Address | None,
    metrics: Address | None,
    tls: bool,
    ca: Path | None,
    cert: Path | None,
    key: Path | None,
    as_json: bool,
) -> None:
    """Look for what is amiss, and say what to do about it.

    Without an option: at what `shiji serve` would find here. Nothing is changed, and a server may run
    meanwhile. Exits with 0 if nothing must be done, 1 if something must, 2 if something could not be looked
    at.
    """
    findings: list[Finding] = []
    if file is not None or not (db or called or metrics):
        findings += _shown(_configured(file, db), as_json=as_json)
    elif db is not None:
        findings += _shown(archive.examine(db, db.with_name(f"{db.name}.secret")), as_json=as_json)
    if called is not None:
        secured = server.Tls(ca, cert, key) if tls or ca or cert else None
        findings += _shown(server.examine(called, secured), as_json=as_json)
    if metrics is not None:
        findings += _shown([server.clock(metrics)], as_json=as_json)
    sys.exit(max(_CODES[finding.health] for finding in findings))


def _configured(file: Path | None, db: Path | None) -> Iterator[Finding]:
    try:
        config = Configured.gather({"config": file}, os.environ).config
    except BadConfig as fault:
        yield unknown("configuration", str(fault), "mend it; `shiji serve --help` lists the options")
        return
    yield from configuration.examine(config)
    if db is None and not config.db.exists():
        yield hint("archive", f"{config.db} is not there yet", "the server makes it when it is started")
    else:
        yield from archive.examine(db or config.db, config.secret)


def _shown(findings: Iterable[Finding], *, as_json: bool) -> Iterator[Finding]:
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
