"""`shiji web`: serves the pages of an archive, which is only read."""

import asyncio
from functools import partial

import click
import uvloop

from records.log.opening import open_log
from service.address import Address, BadAddress
from service.config import DEFAULT_WEB, Config
from service.observability import logs
from service.page_server import serve_pages
from service.server import CannotListen
from tools.page.server_page import page_of
from tools.terminal.indexed_archives import index_place
from tools.terminal.output import file_name
from tools.terminal.progress import exit_on_archive_fault


@click.command(
    epilog="Exit codes: 0 it was stopped, 2 the archive or an argument could not be read, or the port is"
    " taken.\n\nExample: shiji web shiji.db --listen 127.0.0.1:8081"
)
@click.argument("archive", metavar="DB")
@click.option(
    "--listen",
    metavar="HOST:PORT",
    default=str(DEFAULT_WEB),
    show_default=True,
    help="Where to listen; port 0 means any free port.",
)
@click.option("--insecure", is_flag=True, help="Allow other machines to connect; they need no token.")
def command(archive: str, *, listen: str, insecure: bool) -> None:
    """Serve the pages of an archive: search, look at matches, audit and compare them.

    The archive is only read, also while a server writes it. Hands of matches under way stay hidden. Ctrl-C
    stops it.
    """
    try:
        address = Address.read(listen)
    except BadAddress as fault:
        raise click.BadParameter(str(fault), param_hint="'--listen'") from None
    if not (address.is_loopback or insecure):
        raise click.BadParameter(
            f"{address} is reached from other machines, and pages ask for no token: give --insecure too",
            param_hint="'--listen'",
        )
    config = Config()
    logs.set_up(config.log_format, "warning")

    def announce(listening: Address) -> None:
        click.echo(f"The pages of {file_name(archive)}: http://{listening}/ (Ctrl-C stops them)")

    serving = serve_pages(
        partial(open_log, archive, read_only=True),
        index_place(archive),
        address,
        config,
        announce,
        page_of=page_of,
    )
    with exit_on_archive_fault(), asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        try:
            runner.run(serving)
        except CannotListen as fault:
            raise click.BadParameter(str(fault), param_hint="'--listen'") from None
