"""The `shiji` command, run as a user runs it."""

import subprocess
from dataclasses import dataclass
from pathlib import Path

from click.testing import CliRunner, Result

from tests.project.places import SHIJI
from tools.cli import shiji


def run(*arguments: str | Path, stdin: str | bytes | None = None) -> Result:
    """What the command answers, without a process of its own; an exception that it lets through is raised."""
    return CliRunner().invoke(
        shiji, [str(argument) for argument in arguments], input=stdin, catch_exceptions=False
    )


@dataclass(frozen=True, slots=True)
class Done:
    code: int
    out: str
    err: str


def run_process(*arguments: str | Path, stdin: bytes | None = b"", **environment: str) -> Done:
    """What the installed command answers, in an environment of only these; None closes standard input."""
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
