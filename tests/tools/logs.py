"""Keys and checkpoints for tests, made with the commands."""

from dataclasses import dataclass
from pathlib import Path

from click.testing import Result

from tests.tools.running import run

LOG = "example.com/shiji"


@dataclass(frozen=True, slots=True)
class Key:
    """A key of a log or a witness."""

    file: Path
    public: str


def new_key(file: Path, kind: str = "log", name: str = LOG) -> Key:
    """Generate a key in a new file."""
    done = run("keygen", "--kind", kind, "--name", name, "--out", file)
    assert done.exit_code == 0, done.stderr
    return Key(file, done.stdout.strip())


def checkpoint(db: Path, key: Key, out: Path, *options: str) -> Path:
    """Write a checkpoint of the archive, or with --old N a request for a witness."""
    done = run("checkpoint", db, "--key", key.file, "--out", out, *options)
    assert done.exit_code == 0, done.stderr
    return out


@dataclass(frozen=True, slots=True)
class Witness:
    """A witness of one log, with the last checkpoint that it saw."""

    key: Key
    log: Key
    state: Path

    def ask(self, *shown: str | Path) -> Result:
        """Ask it to cosign the checkpoint in a file or of a server."""
        return run(
            "witness", *shown, "--key", self.key.file, "--log-key", self.log.public, "--state", self.state
        )


def new_witness(folder: Path, log: Key, name: str = "witness.example") -> Witness:
    """A witness that has seen nothing yet."""
    return Witness(new_key(folder / f"{name}.key", "witness", name), log, folder / f"{name}.seen")
