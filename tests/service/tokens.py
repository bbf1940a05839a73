"""Tokens for tests, made as a user makes them."""

from pathlib import Path

from tests.tools.running import run


def new_token(file: Path, name: str, role: str, *further: str) -> str:
    """A token in the file, which is made if there is none: what its bearer says."""
    done = run("token", "new", "--tokens", file, "--name", name, "--role", role, *further)
    assert done.exit_code == 0, done.stderr
    return done.stdout.strip()
