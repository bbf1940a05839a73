"""The register of people: personal data beside the log, which can be deleted.

The log has only commitments, made under a key of each person. Once that key is deleted, nobody can find out
what a record committed to, and every hash, signature and proof remains valid.
"""

import secrets
import sqlite3
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from records.evidence.personal_commitment import PERSONAL_KEY_BYTES, Fact, check_personal, commit_personal
from records.log.sqlite_file import READER_CACHE_KIB, translated
from records.text import MAX_PERSON_ID_CHARS, MAX_PERSONAL_FIELD_CHARS, MAX_PERSONAL_VALUE_CHARS, check_text


class StoredFact(NamedTuple):
    """A fact about a person with what a register keeps beside it."""

    key: bytes
    commitment: bytes
    fact: Fact


class Register(ABC):
    """Stores facts about people until they are deleted; every method may raise LogFault."""

    def remember(self, facts: Iterable[Fact]) -> tuple[bytes, ...]:
        """Store the facts durably, and return the commitment to each for the record; raises BadText."""
        kept = tuple(facts)
        for place, fact in enumerate(kept):
            check_text(f"people[{place}].person_id", fact.person, MAX_PERSON_ID_CHARS, least=1)
            check_text(f"people[{place}].field", fact.field, MAX_PERSONAL_FIELD_CHARS, least=1)
            check_text(f"people[{place}].value", fact.value, MAX_PERSONAL_VALUE_CHARS, least=1)
        return self._keep_all(kept)

    @abstractmethod
    def _keep_all(self, facts: tuple[Fact, ...]) -> tuple[bytes, ...]:
        """Keep the facts, which are checked."""

    @abstractmethod
    def everything(self) -> Iterator[StoredFact]:
        """All facts with the keys of their people, for a copy of the archive."""

    @abstractmethod
    def restore(self, facts: Iterable[StoredFact]) -> None:
        """Keep facts from another archive under the same keys; what is known already is left as it is."""

    @abstractmethod
    def recall(self, commitment: bytes) -> Fact | None:
        """The fact behind a commitment; None if it was deleted, was changed, or is unknown."""

    @abstractmethod
    def forget(self, person: str) -> int:
        """Delete all facts about a person, and the person's key; returns the number of facts."""

    @abstractmethod
    def close(self) -> None:
        """Release all resources."""


class MemoryRegister(Register):
    """A register in memory."""

    def __init__(self) -> None:
        self._keys: Final[dict[str, bytes]] = {}
        self._facts: Final[dict[bytes, Fact]] = {}

    def _keep_all(self, facts: tuple[Fact, ...]) -> tuple[bytes, ...]:
        commitments = []
        for fact in facts:
            key = self._keys.setdefault(fact.person, secrets.token_bytes(PERSONAL_KEY_BYTES))
            commitments.append(commit_personal(key, fact.field, fact.value))
            self._facts[commitments[-1]] = fact
        return tuple(commitments)

    def everything(self) -> Iterator[StoredFact]:
        """All facts with the keys of their people."""
        return iter(
            [StoredFact(self._keys[fact.person], key, fact) for key, fact in sorted(self._facts.items())]
        )

    def restore(self, facts: Iterable[StoredFact]) -> None:
        """Keep facts from another archive."""
        for key, commitment, fact in facts:
            self._keys.setdefault(fact.person, key)
            self._facts.setdefault(commitment, fact)

    def recall(self, commitment: bytes) -> Fact | None:
        """The fact behind a commitment."""
        return self._facts.get(commitment)

    def forget(self, person: str) -> int:
        """Delete all facts about a person, and the person's key."""
        self._keys.pop(person, None)
        gone = [commitment for commitment, fact in self._facts.items() if fact.person == person]
        for commitment in gone:
            del self._facts[commitment]
        return len(gone)

    def close(self) -> None:
        """Nothing to release."""


class SqliteRegister(Register):
    """The register in an existing archive file, which other programs may use at the same time."""

    def __init__(self, path: Path) -> None:
        self._path: Final = path
        self._lock: Final = threading.Lock()
        self._reading: Final = threading.Lock()
        """Separate from the writer's lock, since a writer may wait for another program."""
        with translated(path):
            self._connection: Final = _connect(path)
            self._connection.execute("PRAGMA synchronous = FULL")
            self._connection.execute("PRAGMA secure_delete = ON")
            self._reader: Final = _connect(path)

    def _keep_all(self, facts: tuple[Fact, ...]) -> tuple[bytes, ...]:
        """In one transaction."""
        if not facts:
            return ()
        with self._lock, translated(self._path), self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            return tuple(self._store(fact) for fact in facts)

    def _store(self, fact: Fact) -> bytes:
        new = (fact.person, secrets.token_bytes(PERSONAL_KEY_BYTES))
        self._connection.execute("INSERT OR IGNORE INTO person (id, key) VALUES (?, ?)", new)
        row: tuple[bytes] = self._connection.execute(
            "SELECT key FROM person WHERE id = ?", (fact.person,)
        ).fetchone()
        commitment = commit_personal(row[0], fact.field, fact.value)
        self._connection.execute(
            "INSERT OR IGNORE INTO personal (commitment, person, field, value) VALUES (?, ?, ?, ?)",
            (commitment, fact.person, fact.field, fact.value),
        )
        return commitment

    def everything(self) -> Iterator[StoredFact]:
        """All facts with the keys of their people."""
        with self._reading, translated(self._path):
            rows: list[tuple[bytes, bytes, str, str, str]] = self._reader.execute(
                "SELECT key, commitment, person, field, value FROM personal "
                "JOIN person ON person.id = personal.person ORDER BY commitment"
            ).fetchall()
        return (StoredFact(key, commitment, Fact(*fact)) for key, commitment, *fact in rows)

    def restore(self, facts: Iterable[StoredFact]) -> None:
        """Keep facts from another archive, in one transaction."""
        with self._lock, translated(self._path), self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            for key, commitment, fact in facts:
                self._connection.execute(
                    "INSERT OR IGNORE INTO person (id, key) VALUES (?, ?)", (fact.person, key)
                )
                self._connection.execute(
                    "INSERT OR IGNORE INTO personal (commitment, person, field, value) VALUES (?, ?, ?, ?)",
                    (commitment, fact.person, fact.field, fact.value),
                )

    def recall(self, commitment: bytes) -> Fact | None:
        """The fact behind a commitment."""
        with self._reading, translated(self._path):
            row: tuple[bytes, str, str, str] | None = self._reader.execute(
                "SELECT key, person, field, value FROM personal JOIN person ON person.id = personal.person "
                "WHERE commitment = ?",
                (commitment,),
            ).fetchone()
        if row is None:
            return None
        key, person, field, value = row
        fact = Fact(person, field, value)
        try:
            check_personal(commitment, key, fact.field, fact.value)
        except ValueError:
            return None  # the table was changed: this is not what the record commits to
        return fact

    def forget(self, person: str) -> int:
        """Delete all facts about a person and the person's key, in the file and in its write-ahead log."""
        with self._lock, translated(self._path):
            with self._connection:
                self._connection.execute("BEGIN IMMEDIATE")
                gone = self._connection.execute("DELETE FROM personal WHERE person = ?", (person,)).rowcount
                self._connection.execute("DELETE FROM person WHERE id = ?", (person,))
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return gone

    def close(self) -> None:
        """Close the connections."""
        self._reader.close()
        self._connection.close()


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw", uri=True, isolation_level=None, check_same_thread=False
    )
    connection.execute(f"PRAGMA cache_size = {-READER_CACHE_KIB}")
    return connection
