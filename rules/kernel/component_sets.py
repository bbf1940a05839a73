"""Component files of a game: read, told apart by hash, and named in match headers."""

import hashlib
from collections.abc import Callable, Sequence
from typing import Final, Generic, TypeVar

import msgspec
from msgspec import Struct

from rules.kernel.setup import BadSetup, ComponentSet, UnreadableComponents
from rules.kernel.text import quoted

File = TypeVar("File", bound=Struct)

SET_PREFIX: Final = "set:"
HASH_MARK: Final = "#sha256="
_LONGEST: Final = 65_536
"""No set has a longer canonical text."""
_MOST: Final = 32
"""Sets kept that were given in full."""


class ComponentSets(Generic[File]):
    """The shipped sets of a game by name, and any other in full."""

    def __init__(
        self, kind: type[File], name_of: Callable[[File], str], shipped: Sequence[ComponentSet]
    ) -> None:
        self._decoder: Final = msgspec.json.Decoder(kind)
        self._kind: Final = kind
        self._name_of: Final = name_of
        self._shipped: Final = {known.name: self.read(known.data) for known in shipped}
        self._hashes: Final = {name: self.hash_of(file) for name, file in self._shipped.items()}
        self._given: Final[dict[str, File]] = {}

    def read(self, text: str) -> File:
        """A component file in TOML; raises UnreadableComponents. Its contents are not checked yet."""
        try:
            return msgspec.toml.decode(text, type=self._kind)
        except msgspec.MsgspecError as fault:
            raise UnreadableComponents(_placed(str(fault))) from None

    def canonical_text(self, file: File) -> str:
        """The set as JSON without blanks: the same for sets that say the same."""
        return msgspec.json.encode(file, order="deterministic").decode().replace(" ", "\\u0020")

    def hash_of(self, file: File) -> str:
        """SHA-256 of the canonical text, in hexadecimal."""
        return hashlib.sha256(self.canonical_text(file).encode()).hexdigest()

    def tag_of(self, file: File) -> str:
        """How a match header names the set: a shipped one by name and hash, any other in full."""
        name, found = self._name_of(file), self.hash_of(file)
        if self._hashes.get(name) == found:
            return f"{name}{HASH_MARK}{found}"
        return SET_PREFIX + self.canonical_text(file)

    def is_impostor(self, file: File) -> bool:
        """Whether it bears the name of a shipped set without being it."""
        name = self._name_of(file)
        return name in self._hashes and self._hashes[name] != self.hash_of(file)

    def find(self, text: str) -> File:
        """The set that a match header names, with or without its hash, or gives in full; raises BadSetup."""
        if text.startswith(SET_PREFIX):
            return self._in_full(text)
        name, mark, stated = text.partition(HASH_MARK)
        if name not in self._shipped:
            why = (
                f"no component set is called {quoted(name)}; known: {', '.join(self._shipped)}, "
                f"or give one in full as {SET_PREFIX}…"
            )
            raise BadSetup("components", why)
        if mark and stated != self._hashes[name]:
            why = f"{name} has the hash {self._hashes[name]}, not {quoted(stated, 70)}"
            raise BadSetup("components", why)
        return self._shipped[name]

    def _in_full(self, text: str) -> File:
        known = self._given.get(text)
        if known is not None:
            return known
        if len(text) > _LONGEST:
            raise BadSetup("components", f"the component set is longer than {_LONGEST} characters")
        try:
            file = self._decoder.decode(text.removeprefix(SET_PREFIX))
        except msgspec.MsgspecError as fault:
            why = f"the component set cannot be read: {_placed(str(fault))}"
            raise BadSetup("components", why) from None
        if len(self._given) >= _MOST:
            self._given.clear()
        self._given[text] = file
        return file


def _placed(fault: str) -> str:
    """'Expected `int`, got `str` - at `$.wall[3].defence`' with the field as a file has it."""
    what, _, where = fault.partition(" - at ")
    field = where.strip("`").removeprefix("$.").removeprefix("$")
    return f"{field}: {what}" if field else what
