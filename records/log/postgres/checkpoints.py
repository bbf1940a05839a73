"""Published checkpoints of a PostgreSQL archive: stored before they are shown, and kept outside as well."""

import os
import threading
import time
from pathlib import Path
from typing import Final

from records.evidence.checkpoint import Checkpoint, MalformedCheckpoint, parse_checkpoint
from records.evidence.note import (
    MalformedNote,
    Note,
    SignerKey,
    VerifierKey,
    format_note,
    parse_note,
    parse_verifier_key,
)
from records.log.contract import LogFault, LogReadOnly, LogUnavailable, LogUnreadable
from records.log.postgres.connection import Target, connect_to_write, translated
from records.log.postgres.fleet import require_same_log
from records.log.postgres.log import PostgresLog
from records.log.stored_notes import stored_note
from records.log.tree import Tree

_NEWEST: Final = "SELECT note FROM shiji.checkpoint ORDER BY size DESC LIMIT 1"

_OF_SIZE: Final = "SELECT note FROM shiji.checkpoint WHERE size = %b"
_VERIFIER: Final = "SELECT log_key FROM shiji.fleet WHERE log_key IS NOT NULL"


class BadCheckpointFile(LogFault):
    """The file with the newest checkpoint cannot be read or written."""


class PublishedCheckpoints:
    """Publishes checkpoints, and finds out when the archive is not the one they were published of.

    A restored backup lacks entries that were published, and would give their positions to others. The newest
    checkpoint that a server has seen is therefore in a file beside its secret, too.
    """

    def __init__(self, target: Target, log: PostgresLog, path: Path, key: SignerKey | None) -> None:
        self._target: Final = target
        self._log: Final = log
        self._path: Final = path
        self._key: Final = key
        self._lock: Final = threading.Lock()
        self._kept = _read(path)
        self._fault: str | None = None
        self._covered = time.monotonic()
        """When the newest checkpoint last covered all entries."""
        self._verifier = None if key is None else key.verifier
        self._confirmed = ""
        """The stored note that was last found to be on the standby, too."""
        self.compare_again()
        log.when_reconnected(self.compare_again)

    def uncovered_seconds(self) -> float:
        """How long the archive has had entries that no published checkpoint covers; 0 if none ever was."""
        return 0.0 if self._kept is None else time.monotonic() - self._covered

    def fault(self) -> str | None:
        """Why nothing may be stored, numbered or signed; None if the archive has all that was published."""
        return self._fault

    def compare_again(self) -> None:
        """Compare the archive, which may be another one, with the newest checkpoint that was seen."""
        with self._lock:
            self._compare()

    def _compare(self) -> Tree:
        """Returns the tree, of which nothing is known from before."""
        tree = Tree(self._log)
        if self._kept is not None and tree.breach(self._kept) is not None:
            self._fault = (
                f"it is not the archive of which a checkpoint of {self._kept.size} entries was published: "
                f"it has {tree.size}"
            )
        else:
            self._fault = None
        return tree

    def publish(self, note: Note) -> None:
        """Store a checkpoint before it is shown to anybody, on the standby too; raises LogFault."""
        checkpoint = parse_checkpoint(note.text)
        with self._lock:
            tree = self._compare()
            if self._fault is not None:
                raise LogReadOnly(self._fault)
            if (breach := tree.breach(checkpoint)) is not None:
                raise LogUnavailable(f"{self._target}: nothing was published, because {breach}")
        self._log.keep_checkpoints([note])
        self._keep(note)

    def look(self) -> None:
        """Publish a checkpoint if this server numbers entries and there are new ones; keep the newest one."""
        if self._fault is not None:
            self.compare_again()  # the right archive may be back
        if self._log.hold() is not None:
            return
        sequencer, kept = self._log.sequencer, self._kept
        leads = sequencer is not None and sequencer.status.leading
        if self._key is not None and leads:
            size = self._log.last_position()
            if size > (0 if kept is None else kept.size):
                self.publish(Tree(self._log).checkpoint(self._key, size))
        size = self._log.last_position()
        newest = self.newest()
        if newest is not None:
            self._keep(newest)
        if self._kept is not None and self._kept.size >= size:
            self._covered = time.monotonic()

    def newest(self) -> Note | None:
        """The checkpoint of the largest size that was published, and is on the standby too."""
        return self._stored(_NEWEST)

    def of_size(self, size: int) -> Note | None:
        """The checkpoint of this size, if one was published."""
        return self._stored(_OF_SIZE, size)

    def verifier(self) -> VerifierKey | None:
        """The key that verifies checkpoints; None if no server has had the log's key yet."""
        if self._verifier is None:
            rows = self._log.ask(_VERIFIER)
            self._verifier = parse_verifier_key(str(rows[0][0])) if rows else None
        return self._verifier

    def _stored(self, query: str, *parameters: object) -> Note | None:
        """The note that a query finds; another server may have stored it a moment ago."""
        rows = self._log.ask(query, *parameters)
        if not rows:
            return None
        text = str(rows[0][0])
        if text != self._confirmed:
            self._log.confirm()
            self._confirmed = text
        return stored_note(text)

    def _keep(self, note: Note) -> None:
        checkpoint = parse_checkpoint(note.text)
        with self._lock:
            if self._kept is not None and checkpoint.size <= self._kept.size:
                return
            tree = self._compare()  # what is kept must be contained in what takes its place
            if self._fault is not None:
                return
            if (breach := tree.breach(checkpoint)) is not None:
                raise LogUnreadable(f"{self._target} has a checkpoint that is not one of its own: {breach}")
            _write(self._path, format_note(note))
            self._kept = checkpoint


def publish_once(target: Target, path: Path, key: SignerKey, note: Note) -> None:
    """Store one checkpoint, signed with this key, as a server would that keeps the newest in this file."""
    with translated(target), connect_to_write(target, purpose="checkpoint") as session:
        require_same_log(target, session, key.verifier)
    with PostgresLog.open(target, sequence=False) as log:
        PublishedCheckpoints(target, log, path, key).publish(note)


def _read(path: Path) -> Checkpoint | None:
    try:
        return parse_checkpoint(parse_note(path.read_bytes()).text)
    except FileNotFoundError:
        return None
    except OSError as fault:
        raise BadCheckpointFile(f"the checkpoint {path} cannot be read: {fault.strerror}") from fault
    except (MalformedNote, MalformedCheckpoint) as fault:
        raise BadCheckpointFile(f"{path} is not a checkpoint: {fault}") from fault


def _write(path: Path, data: bytes) -> None:
    """Replace the file durably."""
    draft = path.with_name(f"{path.name}.{os.getpid()}.new")  # several processes may keep one file
    try:
        with draft.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError as fault:
        raise BadCheckpointFile(f"the checkpoint {path} cannot be written: {fault.strerror}") from fault
