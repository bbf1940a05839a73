"""`shiji serve`: starts the server, with gRPC, JSON and pages."""

from functools import partial

import click

from service.__main__ import command as plain
from service.__main__ import start
from tools.page.server_page import page_of

command = click.Command("serve", params=plain.params, callback=partial(start, page_of), help=plain.help)
