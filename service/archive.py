"""Opens the archive that a server serves, with what belongs to it: one file, or a database that is shared."""

from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from prometheus_client.registry import Collector

from records.audit.archive import OpenLog
from records.evidence.ed25519 import BadKey
from records.evidence.note import SignatureType, SignerKey
from records.files.key_file import load_signer
from records.log.contract import Log
from records.log.opening import postgres_target
from records.log.owners import MatchOwners, Owners
from records.log.people import Register, SqliteRegister
from records.log.sqlite import SqliteLog
from service.config import Config
from service.observability.metrics import FileGauges
from service.resources import StoredCheckpoints
from service.server_secret import ServerSecret
from service.storage_health import WatchStorage, watch_files

if TYPE_CHECKING:
    from records.log.postgres.log import PostgresLog


@dataclass(frozen=True, slots=True)
class ServedArchive:
    """An archive, and what a server keeps beside it."""

    log: Log
    secret: ServerSecret
    register: Register
    owners: MatchOwners | None
    """None where the server requires no tokens."""
    open_reader: OpenLog
    """Opens the archive again, for reading, also in another process."""
    beside: Path
    """The file beside which a server keeps what it derives from the archive."""
    watch: WatchStorage
    """Reports in health checks whether the archive can be used."""
    gauges: Collector
    """Metrics of the storage."""
    key: SignerKey | None = None
    """Signs checkpoints of the log."""
    checkpoints: StoredCheckpoints | None = None
    """Stores a checkpoint before it is shown, where several servers share the archive."""


def open_archive(config: Config, stack: ExitStack) -> ServedArchive:
    """The archive of a configuration; raises LogFault, BadServerSecret, BadOwners and BadKey."""
    return _shared(config, stack) if config.is_shared else _file(config, stack)


def _file(config: Config, stack: ExitStack) -> ServedArchive:
    path = config.file
    log = stack.enter_context(SqliteLog.open(path))
    return ServedArchive(
        log,
        ServerSecret.load(config.secret),
        stack.enter_context(closing(SqliteRegister(path))),
        Owners(config.owners, log.matches()) if config.tokens else None,
        partial(SqliteLog.open, path, read_only=True),
        path,
        partial(watch_files, log),
        FileGauges(log, path),
        _log_key(config),
    )


def _shared(config: Config, stack: ExitStack) -> ServedArchive:
    # All of these need psycopg, which servers of a file do without.
    from records.log.postgres.checkpoints import PublishedCheckpoints  # noqa: PLC0415
    from records.log.postgres.fleet import join_fleet  # noqa: PLC0415
    from records.log.postgres.log import PostgresLog  # noqa: PLC0415
    from records.log.postgres.owners import PostgresOwners  # noqa: PLC0415
    from records.log.postgres.people import PostgresRegister  # noqa: PLC0415
    from records.log.postgres.pulse import Pulse  # noqa: PLC0415
    from service.fleet_health import watch_fleet  # noqa: PLC0415
    from service.observability.fleet_metrics import FleetGauges  # noqa: PLC0415

    target = postgres_target(config.archive)
    secret = ServerSecret.existing(config.secret)
    sequencer = config.sequencer == "on"
    log = stack.enter_context(PostgresLog.open(target, sequence=False))
    key = _log_key(config)
    join_fleet(target, secret.fingerprint, sequencer=sequencer, key=None if key is None else key.verifier)
    pulse = stack.enter_context(closing(Pulse(target)))
    kept = config.secret.with_name(f"{config.secret.name}.checkpoint")
    checkpoints = PublishedCheckpoints(target, log, kept, key)
    log.hold = lambda: checkpoints.fault() or pulse.write_fault()
    if sequencer:
        log.begin_numbering()
    return ServedArchive(
        log,
        secret,
        stack.enter_context(closing(PostgresRegister(target, log.hold))),
        stack.enter_context(closing(PostgresOwners(target, log.hold))) if config.tokens else None,
        partial(_open_reader, config.archive),
        config.secret,
        partial(watch_fleet, log, pulse, checkpoints),
        FleetGauges(log, pulse, checkpoints),
        key,
        checkpoints,
    )


def _log_key(config: Config) -> SignerKey | None:
    if config.log_key is None:
        return None
    try:
        return load_signer(config.log_key, SignatureType.ED25519)
    except OSError as fault:
        raise BadKey(f"the log's key {config.log_key} cannot be read: {fault.strerror}") from fault


def _open_reader(address: str) -> "PostgresLog":
    """The archive for a process that reads for callers: from the primary, as long as there is one."""
    from records.log.postgres.log import PostgresLog  # noqa: PLC0415 - needs psycopg

    return PostgresLog.open(postgres_target(address), sequence=False)
