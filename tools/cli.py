"""The `shiji` command: finds the subcommand that was asked for and imports only that one."""

import importlib
import io
import os
import sys
from dataclasses import dataclass
from typing import Final

import click

CANNOT_READ: Final = 2
"""Exit code where a file or an argument could not be read."""

INTERRUPTED: Final = 130
"""Exit code after Ctrl-C, as a shell gives it: 1 would say that a record is bad."""


@dataclass(frozen=True, slots=True)
class Subcommand:
    """Where a subcommand is, and what `shiji --help` says of it."""

    module: str
    """Has the click command as its `command`."""
    help: str


SUBCOMMANDS: Final = {
    "demo": Subcommand(
        "tools.commands.demo", "Take a tour: a match played, refused a move, audited, tampered with."
    ),
    "serve": Subcommand("tools.commands.serve", "Start the gRPC server."),
    "token": Subcommand("tools.commands.token", "Make, list and revoke the tokens of a server's callers."),
    "doctor": Subcommand(
        "tools.commands.doctor", "Look for what is amiss with an archive, a configuration or a server."
    ),
    "verify": Subcommand("tools.commands.verify", "Judge transcripts and record files, offline."),
    "show": Subcommand("tools.commands.show", "Show the board after any entry of a record."),
    "replay": Subcommand("tools.commands.replay", "Step through a record, in the terminal or as a page."),
    "diff": Subcommand("tools.commands.diff", "Compare two records of one match."),
    "audit": Subcommand("tools.commands.audit", "Audit every match of an archive."),
    "import": Subcommand("tools.commands.import_", "Verify records and store them in an archive."),
    "export": Subcommand("tools.commands.export", "Write matches of an archive to files."),
    "forget": Subcommand("tools.commands.forget", "Delete what an archive knows of a person."),
    "bundle": Subcommand("tools.commands.bundle", "Write a record with everything that proves it."),
    "checkpoint": Subcommand("tools.commands.checkpoint", "Sign what an archive promises to hold."),
    "witness": Subcommand("tools.commands.witness", "Cosign checkpoints of a log that carries on."),
    "tiles": Subcommand("tools.commands.tiles", "Write the tree over an archive as files."),
    "keygen": Subcommand("tools.commands.keygen", "Make a key of a seat, a log or a witness."),
    "perft": Subcommand("tools.commands.perft", "Count sequences of legal moves."),
    "games": Subcommand("tools.commands.games", "List the games that this build knows."),
    "rules": Subcommand("tools.commands.rules", "Show the rules and rulings of a game, or one by its id."),
    "components": Subcommand("tools.commands.components", "List component sets, or check one of your own."),
    "boards": Subcommand("tools.commands.boards", "List the boards that this build knows."),
}


class _Lazy(click.Group):
    """A group whose subcommands are imported when they run, and not for a list of them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(SUBCOMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name not in SUBCOMMANDS:
            return None
        module = SUBCOMMANDS[cmd_name].module
        command: object = getattr(importlib.import_module(module), "command", None)
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
        except click.ClickException as fault:
            fault.show()
            ctx.exit(CANNOT_READ)
        except KeyboardInterrupt:
            ctx.exit(INTERRUPTED)


@click.group(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="shiji", message="%(prog)s %(version)s")
def shiji() -> None:
    """Keep records of board games and judge them against the rules."""


def main() -> None:
    """Run the command; that nobody reads its output any more (`shiji … | head`) is no fault."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # as Python has it for standard error
    try:
        shiji(prog_name="shiji")
    except OSError as fault:
        click.echo(f"Error: {fault.strerror or fault}", err=True)  # such as a full disk
        sys.exit(CANNOT_READ)
    finally:
        try:
            if sys.stdout is not None:  # it is None where it was closed from outside
                sys.stdout.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
