"""Runs the `shiji` command, in this process or in one of its own."""

import subprocess
from dataclasses import dataclass
from pathlib import Path

from click.testing import CliRunner, Result

from tests.project.places import SHIJI
from tools.cli import shiji


def run(*arguments: str | Path, stdin: str | bytes | None = None) -> Result:
    """Run the command in this process; an exception that it does not catch is raised."""
    return CliRunner().invoke(
        shiji, [str(argument) for argument in arguments], input=stdin, catch_exceptions=False
    )


@dataclass(frozen=True, slots=True)
class Done:
    code: int
    out: str
    err: str


def run_process(*arguments: str | Path, stdin: bytes | None = b"", **environment: str) -> Done:
    """Run the installed command with only this environment; None closes standard input."""
    closing = ["sh", "-c", 'exec "$0" "$@" <&-'] if stdin is None else []
    done = subprocess.run(
        [*closing, SHIJI, *arguments],
        input=stdin or b"",
        capture_output=True,
        check=False,
        env=environment,
        timeout=60,
    )
    return Done(done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"))
