"""The `shiji` command, which imports only the subcommand that it runs."""

import importlib
import io
import os
import sys
from dataclasses import dataclass
from typing import Final

import click

CANNOT_READ: Final = 2
"""Exit code if a file or an argument could not be read."""

INTERRUPTED: Final = 130
"""Exit code after Ctrl-C, the same as a shell's; 1 would mean that a record is bad."""

_PLUGINS: Final = "shiji.games"
"""The name of an ImportError that is about an installed game."""


@dataclass(frozen=True, slots=True)
class Subcommand:
    """The module of a subcommand and its line in `shiji --help`."""

    module: str
    """Defines the click command as `command`."""
    help: str


SUBCOMMANDS: Final = {
    "demo": Subcommand(
        "tools.commands.demo", "Take a tour: play a match, try an illegal move, audit, tamper, audit again."
    ),
    "serve": Subcommand("tools.commands.serve", "Start the server: gRPC, JSON and pages."),
    "token": Subcommand("tools.commands.token", "Create, list and revoke tokens for callers of a server."),
    "doctor": Subcommand(
        "tools.commands.doctor", "Check an archive, a configuration or a running server for problems."
    ),
    "verify": Subcommand("tools.commands.verify", "Judge transcripts and record files, offline."),
    "show": Subcommand("tools.commands.show", "Show the board after any entry of a record."),
    "replay": Subcommand("tools.commands.replay", "Step through a record, in the terminal or as a page."),
    "diff": Subcommand("tools.commands.diff", "Compare two records of one match."),
    "web": Subcommand("tools.commands.web", "Serve the pages of an archive, which is only read."),
    "list": Subcommand("tools.commands.list", "List the matches of an archive."),
    "index": Subcommand("tools.commands.index", "Bring the index of an archive up to date."),
    "audit": Subcommand("tools.commands.audit", "Audit every match of an archive."),
    "import": Subcommand("tools.commands.import_", "Verify records and store them in an archive."),
    "export": Subcommand("tools.commands.export", "Write matches of an archive to files."),
    "migrate": Subcommand(
        "tools.commands.migrate", "Create or update the tables of an archive in PostgreSQL."
    ),
    "backup": Subcommand("tools.commands.backup", "Copy an archive while a server writes it."),
    "copy": Subcommand("tools.commands.copy", "Copy an archive from one engine to another."),
    "forget": Subcommand("tools.commands.forget", "Delete what an archive stores about a person."),
    "bundle": Subcommand("tools.commands.bundle", "Write a record and its proofs to one file."),
    "checkpoint": Subcommand("tools.commands.checkpoint", "Sign a checkpoint of an archive."),
    "witness": Subcommand("tools.commands.witness", "Cosign a checkpoint that extends the last one seen."),
    "tiles": Subcommand("tools.commands.tiles", "Write the Merkle tree of an archive as files."),
    "keygen": Subcommand("tools.commands.keygen", "Generate a key for a seat, a log or a witness."),
    "perft": Subcommand("tools.commands.perft", "Count sequences of legal moves."),
    "games": Subcommand("tools.commands.games", "List the games that this build knows."),
    "check-game": Subcommand(
        "tools.commands.check_game", "Try the laws that every game must keep on an installed game."
    ),
    "rules": Subcommand(
        "tools.commands.rules", "Show the rules, options and rulings of a game, or one by its id."
    ),
    "components": Subcommand("tools.commands.components", "List component sets, or check one of your own."),
    "boards": Subcommand("tools.commands.boards", "List the boards that this build knows."),
}
"""All subcommands, in the order of `shiji --help`: first for users, then for archives and evidence, then
reference."""


class _CannotImport(click.ClickException):
    """A subcommand, or what escapes its errors, cannot be imported because of what else is installed."""


def _why_not_imported(fault: ImportError) -> str | None:
    """Why a subcommand cannot be imported, where users can do something about it."""
    if fault.name == _PLUGINS:
        return str(fault)
    from tools.doctor import finding, packages  # noqa: PLC0415 - only where something is wrong

    foreign = [found for found in packages.examine() if found.health is finding.Health.WRONG]
    return "; ".join(f"{found.found}: {found.advice}" for found in foreign) or None


class _LazyGroup(click.Group):
    """A group that imports a subcommand when it runs, and none of them for the list in `--help`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(SUBCOMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name not in SUBCOMMANDS:
            return None
        module = SUBCOMMANDS[cmd_name].module
        try:
            command: object = getattr(importlib.import_module(module), "command", None)
        except ImportError as fault:
            why = _why_not_imported(fault)
            if why is None:
                raise
            raise _CannotImport(why) from fault
        if not isinstance(command, click.Command):
            raise TypeError(f"{module} has no click command called `command`")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl([(name, subcommand.help) for name, subcommand in SUBCOMMANDS.items()])

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except _CannotImport as fault:
            fault.show()
            ctx.exit(CANNOT_READ)
        except click.ClickException as fault:
            _show(fault)
            ctx.exit(CANNOT_READ)
        except KeyboardInterrupt:
            ctx.exit(INTERRUPTED)


def _show(fault: click.ClickException) -> None:
    """Print an error as click does, but escaped: it may quote a file or a server."""
    from tools.terminal.output import show_error  # noqa: PLC0415 - `--help` needs nothing of it

    message = io.StringIO()
    fault.show(message)
    for line in message.getvalue().removesuffix("\n").split("\n"):
        show_error(line)


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="shiji", message="%(prog)s %(version)s")
def shiji() -> None:
    """Keep records of board games and judge them against the rules."""


def main() -> None:
    """Run the command; it is no error if the reader of its output stops early (`shiji … | head`)."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # as Python does for standard error
    try:
        shiji(prog_name="shiji")
    except OSError as fault:
        click.echo(f"Error: {fault.strerror or fault}", err=True)  # such as a full disk
        sys.exit(CANNOT_READ)
    finally:
        try:
            if sys.stdout is not None:  # None if it was already closed when Python started
                sys.stdout.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
