"""Which owner each match belongs to: beside the records, in a file of its own where the archive is a file."""

import os
from collections import Counter, deque
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Final, Protocol, TypeAlias

import msgspec

from records.entry import MatchId

EVERYBODY: Final = ""
"""The owner of matches from before there were owners: every recorder acts in them, as it did then."""

_FORMAT: Final = "shiji-owners/1"

Owned: TypeAlias = tuple[MatchId, str]
"""A match and its owner."""

_Line = tuple[str, str]
"""A match and its owner, as a JSON array; the first line has the format and nothing."""


class BadOwners(ValueError):
    """The file with the owners cannot be read or written."""


class MatchOwners(Protocol):
    """Knows which owner each match belongs to."""

    def owned(self, match: MatchId, owner: str, /) -> bool:
        """Whether the match belongs to the owner."""

    def owner_of(self, match: MatchId, /) -> str | None:
        """The owner of a match, as far as it is known; never waits."""

    def claim(self, match: MatchId, owner: str, /) -> bool:
        """Record durably that a new match belongs to the owner; False if it belongs to another."""

    def count(self, owner: str, /) -> int:
        """The number of matches that belong to the owner."""


class StoredOwners(Protocol):
    """The owners of all matches, for copies of an archive."""

    def everything(self) -> Iterable[Owned]:
        """All matches that have an owner, by match."""

    def restore(self, owners: Iterable[Owned], /) -> None:
        """Keep owners from another archive; a match that has an owner already keeps it."""

    def close(self) -> None:
        """Release all resources."""


class Owners:
    """The owners of matches. A match that the file does not name belongs to nobody.

    The archive itself has no room for them: an owner is a matter of this server and not part of the record,
    whose hashes are the same in every archive, and an imported record keeps its bytes.
    """

    def __init__(self, path: Path, existing: Iterable[MatchId]) -> None:
        """Read the file, or create it: then the existing matches belong to everybody. Raises BadOwners."""
        self._path: Final = path
        self._owners: Final[dict[str, str]] = {}
        self._counts: Final = Counter[str]()
        self._read = 0
        """Bytes of the file that were read."""
        self._reading: Final = Lock()
        self._claiming: Final = Lock()
        """Apart, so that nobody who reads waits for a disk."""
        self._claims: Final = deque[Owned]()
        """Of threads that wait to write: the next one writes them all, and waits for the disk once."""
        try:
            if not path.exists():
                _create(path, [(_FORMAT, ""), *((match, EVERYBODY) for match in existing)])
            self._read_new()
        except OSError as fault:
            raise BadOwners(f"cannot read or write the owners {path}: {fault.strerror}") from fault
        if self._owners.pop(_FORMAT, None) is None:
            raise BadOwners(f"{path} does not hold the owners of matches, as {_FORMAT} describes them")

    def owned(self, match: MatchId, owner: str) -> bool:
        """Whether the match belongs to the owner."""
        return self._find(match) in {owner, EVERYBODY}

    def owner_of(self, match: MatchId) -> str | None:
        """The owner of a match; None if it belongs to everybody or to nobody."""
        return self._find(match) or None

    def count(self, owner: str) -> int:
        """The number of matches that belong to the owner."""
        return self._counts[owner]

    def _find(self, match: MatchId) -> str | None:
        found = self._owners.get(match)
        if found is None:  # another server on the same archive may have started it
            self._read_new()
            found = self._owners.get(match)
        return found

    def claim(self, match: MatchId, owner: str) -> bool:
        """Record durably that a new match belongs to the owner; False if it belongs to another."""
        if self._find(match) is None:
            self._claims.append((match, owner))
        with self._claiming:
            if self._find(match) is None:
                new = {match: owner}
                while self._claims:
                    other, its_owner = self._claims.popleft()
                    if self._find(other) is None:
                        new.setdefault(other, its_owner)
                self._write(new.items())
            return self._owners[match] in {owner, EVERYBODY}

    def _write(self, new: Iterable[Owned]) -> None:
        lines = b"".join(msgspec.json.encode(each) + b"\n" for each in new)
        with self._path.open("ab") as file:
            file.write(lines if file.tell() == self._read else b"\n" + lines)  # after half a line
            file.flush()
            os.fsync(file.fileno())
        self._read_new()

    def everything(self) -> Iterable[Owned]:
        """All matches that have an owner, by match."""
        return [(MatchId(match), owner) for match, owner in sorted(self._owners.items())]

    def _read_new(self) -> None:
        """Read what was added to the file. The first line about a match holds.

        A line that cannot be read gives nobody anything, and half a line is left until it is whole.
        """
        with self._reading:
            if self._path.stat().st_size == self._read:
                return
            with self._path.open("rb") as file:
                file.seek(self._read)
                for line in file:
                    if not line.endswith(b"\n"):
                        break
                    self._read += len(line)
                    with suppress(msgspec.MsgspecError, UnicodeDecodeError):
                        match, owner = msgspec.json.decode(line, type=_Line)
                        if match not in self._owners:
                            self._owners[match] = owner
                            self._counts[owner] += 1


class OwnersOfFile:
    """The owners of the matches of an archive in a file, for copies: there is no file of them at first.

    Where no server has ever required tokens, all matches belong to everybody.
    """

    def __init__(self, archive: Path, matches: Iterable[MatchId]) -> None:
        self._path: Final = owners_path(archive)
        self._matches: Final = matches

    def everything(self) -> Iterable[Owned]:
        """All matches that have an owner."""
        if self._path.exists():
            return Owners(self._path, ()).everything()
        return [(match, EVERYBODY) for match in self._matches]

    def restore(self, owners: Iterable[Owned]) -> None:
        """Keep owners from another archive; no file is made where everything belongs to everybody."""
        new = list(owners)
        if self._path.exists():
            known = Owners(self._path, ())
            for match, owner in new:
                known.claim(match, owner)
        elif any(owner != EVERYBODY for _, owner in new):
            _create(self._path, [(_FORMAT, ""), *new])

    def close(self) -> None:
        """Nothing to release."""


def owners_path(archive: Path) -> Path:
    """The file with the owners of the matches of an archive in a file."""
    return archive.with_name(f"{archive.name}.owners")


def _create(path: Path, lines: Iterable[_Line]) -> None:
    draft = path.with_name(f"{path.name}.new")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "wb") as file:
        for line in lines:
            file.write(msgspec.json.encode(line) + b"\n")
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
