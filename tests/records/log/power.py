"""What is on a disk after a power cut, from a record of everything that a process did to an archive."""

import os
import random
import struct
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path
from typing import NamedTuple

from tests.records.log.shim import COMPILER

SUFFIXES = ("", "-wal", "-journal")
"""What the names of the files that are recorded end with, after that of the archive."""

_SOURCE = Path(__file__).with_name("disk_shim.c")
_RECORD = struct.Struct("=IIQQ")
_SECTOR = 512
"""Bytes that a disk writes wholly or not at all."""


class Kind(IntEnum):
    """What was done to a file."""

    WRITE = 1
    TRUNCATE = 2
    SYNC = 3
    UNLINK = 4
    SYNC_FOLDER = 5


class Operation(NamedTuple):
    """One thing that was done to a file."""

    kind: Kind
    file: int
    """The place of its suffix in SUFFIXES."""
    offset: int
    """Of a truncation: the new length."""
    data: bytes
    end: int
    """The length of the record of all operations after it."""


@dataclass(frozen=True, slots=True)
class Disk:
    """A compiled library that records what a process does to one archive, and can make its disk fail."""

    library: Path
    archive: Path
    trace: Path
    control: Path

    @classmethod
    def compiled(cls, folder: Path, archive: Path) -> "Disk":
        """Compile the library, once per folder."""
        library = folder / "disk_shim.so"
        if not library.exists():
            command = [str(COMPILER), "-shared", "-fPIC", "-O2", "-o", str(library), str(_SOURCE), "-ldl"]
            subprocess.run([*command, "-lpthread"], check=True)
        disk = cls(library, archive, archive.with_name("trace"), archive.with_name("control"))
        disk.trace.write_bytes(b"")
        disk.fail(0)
        return disk

    @property
    def environment(self) -> Mapping[str, str]:
        """For the process whose disk it is."""
        return {
            **os.environ,
            "LD_PRELOAD": str(self.library),
            "SHIJI_DISK_ARCHIVE": str(self.archive),
            "SHIJI_DISK_TRACE": str(self.trace),
            "SHIJI_DISK_CONTROL": str(self.control),
        }

    def fail(self, error: int) -> None:
        """Let all writes and syncs fail with this errno from now on; 0 lets them succeed."""
        with self.control.open("r+b" if self.control.exists() else "wb") as file:
            file.write(struct.pack("=Q", error))

    def length(self) -> int:
        """The length of the record of all operations so far."""
        return self.trace.stat().st_size

    def operations(self) -> Iterator[Operation]:
        """Everything that was done, in order."""
        raw, at = self.trace.read_bytes(), 0
        while at + _RECORD.size <= len(raw):
            kind, file, offset, length = _RECORD.unpack_from(raw, at)
            at += _RECORD.size
            data = raw[at : at + length]
            at += length
            if at > len(raw):
                return  # the process was killed while it wrote this down
            yield Operation(Kind(kind), file, offset, data, at)


@dataclass(slots=True)
class _File:
    """A file on a disk with a cache."""

    durable: bytearray | None = None
    """What a power cut leaves for certain; None if there may be no file."""
    cached: list[Operation] = field(default_factory=list)
    """What a power cut may undo."""

    def settle_removal(self) -> None:
        """The folder was synced: if the file was removed, that is durable."""
        kinds = [operation.kind for operation in self.cached]
        if Kind.UNLINK in kinds:
            del self.cached[: len(kinds) - kinds[::-1].index(Kind.UNLINK)]
            self.durable = None


def after_power_cut(operations: Iterator[Operation], end: int, chance: random.Random) -> dict[str, bytes]:
    """The files by suffix after a power cut at this length of the record.

    Of what was not synced, anything may be on the disk: nothing, all, some of it in any order, parts of it.
    """
    files = [_File() for _ in SUFFIXES]
    for operation in operations:
        if operation.end > end:
            break
        file = files[operation.file]
        if operation.kind is Kind.SYNC_FOLDER:
            for recorded in files:
                recorded.settle_removal()
        elif operation.kind is Kind.SYNC:
            for each in file.cached:
                file.durable = _applied(file.durable, each)
            file.cached.clear()
        else:
            file.cached.append(operation)
    left = [_left(file, chance) for file in files]
    return {suffix: bytes(raw) for suffix, raw in zip(SUFFIXES, left, strict=True) if raw is not None}


def _left(file: _File, chance: random.Random) -> bytearray | None:
    raw = file.durable
    kept = chance.choice((0.0, 0.5, 0.9, 1.0))
    torn = chance.choice((0.0, 0.0, 0.3))
    for operation in file.cached:
        if chance.random() >= kept:
            continue
        if operation.kind is Kind.WRITE and chance.random() < torn:
            for piece in _sectors(operation):
                if chance.random() < 0.5:
                    raw = _applied(raw, piece)
        else:
            raw = _applied(raw, operation)
    return raw


def _sectors(operation: Operation) -> Iterator[Operation]:
    """The parts of a write that fall into one sector each."""
    at = operation.offset
    end = at + len(operation.data)
    while at < end:
        following = min((at // _SECTOR + 1) * _SECTOR, end)
        part = operation.data[at - operation.offset : following - operation.offset]
        yield operation._replace(offset=at, data=part)
        at = following


def _applied(raw: bytearray | None, operation: Operation) -> bytearray | None:
    match operation.kind:
        case Kind.UNLINK:
            return None
        case Kind.TRUNCATE:
            raw = bytearray() if raw is None else raw
            del raw[operation.offset :]
            raw.extend(bytes(operation.offset - len(raw)))
        case Kind.WRITE:
            raw = bytearray() if raw is None else raw
            end = operation.offset + len(operation.data)
            if len(raw) < end:
                raw.extend(bytes(end - len(raw)))
            raw[operation.offset : end] = operation.data
        case Kind.SYNC | Kind.SYNC_FOLDER:
            pass
    return raw
