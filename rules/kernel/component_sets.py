"""Component sets of a game: files that list what is printed, their canonical text and hash, and shipped ones.

A game states the schema of its files as a msgspec Struct. A match header names a shipped set, with or without
its hash, or gives any other in full.
"""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Generic, Protocol, TypeVar

import msgspec

from rules.kernel.setup import BadSetup, ComponentFault, ComponentSet, UnreadableComponents
from rules.kernel.text import quoted
from rules.kernel.toml_text import shallow

SET_PREFIX: Final = "set:"
HASH_MARK: Final = "#sha256="
_MAX_SET_CHARACTERS: Final = 65_536
"""No set has a longer canonical text."""
_MAX_TEXT_CHARACTERS: Final = 200
_SET_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,60}")


class SetFile(Protocol):
    """Everything that a file says."""

    @property
    def set_id(self) -> str:
        """The name of the set."""
        ...


class SourcedFile(SetFile, Protocol):
    """A file that says where the set is from."""

    @property
    def invented(self) -> bool:
        """Whether it is no transcription of the published game."""
        ...

    @property
    def transcribed_from(self) -> str:
        """What was transcribed, by whom and when."""
        ...


File = TypeVar("File", bound=SetFile)
Sourced = TypeVar("Sourced", bound=SourcedFile)


class ComponentSets(Generic[File]):
    """The sets of a game: those that are shipped, and any that a match brings."""

    def __init__(
        self,
        kind: type[File],
        shipped: tuple[ComponentSet, ...],
        normal: Callable[[File], File] = lambda file: file,
    ) -> None:
        """`normal` gives files the same form that say the same."""
        self._kind: Final = kind
        self._shipped: Final = shipped
        self._normal: Final = normal
        self.find: Final = lru_cache(maxsize=32)(self._find)
        """The set that a match header names or gives; not checked yet."""
        self._file: Final = lru_cache(maxsize=len(shipped))(self._read_shipped)

    def read(self, text: str) -> File:
        """A component file in TOML; not checked yet."""
        try:
            return msgspec.toml.decode(shallow(text), type=self._kind)
        except (msgspec.MsgspecError, ValueError, RecursionError) as fault:
            raise UnreadableComponents(_with_field(str(fault))) from None

    def canonical_text(self, file: File) -> str:
        """The set as JSON without blanks: the same for sets that say the same."""
        text = msgspec.json.encode(self._normal(file), order="deterministic")
        return text.decode().replace(" ", "\\u0020")

    def hash(self, file: File) -> str:
        """SHA-256 of the canonical text, in hexadecimal."""
        return hashlib.sha256(self.canonical_text(file).encode()).hexdigest()

    def tag(self, file: File) -> str:
        """How a match header calls the set: a shipped one by name and hash, any other in full."""
        if self._is_shipped(file):
            return f"{file.set_id}{HASH_MARK}{self.hash(file)}"
        return SET_PREFIX + self.canonical_text(file)

    def is_impostor(self, file: File) -> bool:
        """Whether it bears the name of a shipped set without being it."""
        return file.set_id in self._names() and not self._is_shipped(file)

    def _is_shipped(self, file: File) -> bool:
        return file.set_id in self._names() and self.hash(file) == self.hash(self._file(file.set_id))

    def _names(self) -> Iterator[str]:
        return (known.name for known in self._shipped)

    def _read_shipped(self, name: str) -> File:
        return self.read(next(known.data for known in self._shipped if known.name == name))

    def _find(self, text: str) -> File:
        if text.startswith(SET_PREFIX):
            if len(text) > _MAX_SET_CHARACTERS:
                raise BadSetup(
                    "components", f"the component set is longer than {_MAX_SET_CHARACTERS} characters"
                )
            try:
                return self._normal(msgspec.json.decode(text.removeprefix(SET_PREFIX), type=self._kind))
            except (msgspec.MsgspecError, ValueError, RecursionError) as fault:
                why = f"the component set cannot be read: {_with_field(str(fault))}"
                raise BadSetup("components", why) from None
        name, mark, stated = text.partition(HASH_MARK)
        if name not in self._names():
            known = f"known: {', '.join(self._names())}, or give one in full as {SET_PREFIX}…"
            raise BadSetup("components", f"no component set is called {quoted(name)}; {known}")
        file = self._file(name)
        if mark and stated != self.hash(file):
            raise BadSetup("components", f"{name} has the hash {self.hash(file)}, not {quoted(stated, 70)}")
        return file


def _with_field(fault: str) -> str:
    """'Expected `int`, got `str` - at `$.shape[3].value`' with the field as a file has it."""
    what, _, where = fault.partition(" - at ")
    field = where.strip("`").removeprefix("$.").removeprefix("$")
    return f"{field}: {what}" if field else what


def source_faults(
    sets: ComponentSets[Sourced], file: Sourced, texts: Iterable[tuple[str, str]]
) -> Iterator[tuple[str, str]]:
    """What is wrong with the name of a set, with its source, and with texts that it has, by field."""
    if not _SET_ID.fullmatch(file.set_id):
        yield "set_id", f"{quoted(file.set_id)}; expected letters, digits, points, - and _"
    if sets.is_impostor(file):
        yield "set_id", f"{file.set_id} is the name of a shipped set that says something else"
    for field, text in (("transcribed_from", file.transcribed_from), *texts):
        if not text.isprintable() or len(text) > _MAX_TEXT_CHARACTERS:
            yield field, f"expected at most {_MAX_TEXT_CHARACTERS} printable characters"
    if not file.invented and not file.transcribed_from.strip():
        yield "transcribed_from", "it is empty; expected edition, printing, by whom and when"


@dataclass(frozen=True, slots=True)
class FileCheck(Generic[File]):
    """A check of a file that may find several faults, each a field and why it is wrong."""

    name: str
    """'CHK-2'."""
    find: Callable[[File], Iterable[tuple[str, str]]]
    warning: bool = False
    """Whether a match can still be played with a set in which it finds something."""


def found(checks: Iterable[FileCheck[File]], file: File) -> list[ComponentFault]:
    """Everything that the checks find, in their order."""
    return [
        ComponentFault(check.name, field, why, check.warning)
        for check in checks
        for field, why in check.find(file)
    ]


def require_sound_set(faults: Iterable[ComponentFault]) -> None:
    """Raises BadSetup for a set with which no match can be played."""
    wrong = [fault for fault in faults if not fault.warning]
    if wrong:
        first = wrong[0]
        more = f"; and {len(wrong) - 1} more" if len(wrong) > 1 else ""
        raise BadSetup("components", f"{first.field}: {first.why} ({first.check}){more}")
