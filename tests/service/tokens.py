"""Makes tokens for tests, with the command that users run."""

from pathlib import Path

from tests.tools.running import run


def new_token(file: Path, name: str, role: str, *further: str) -> str:
    """Adds a token to the file, which is created if it does not exist, and returns it."""
    done = run("token", "new", "--tokens", file, "--name", name, "--role", role, *further)
    assert done.exit_code == 0, done.stderr
    return done.stdout.strip()
