"""Checkpoints (C2SP tlog-checkpoint): the size and root of a log's tree, as the text of a signed note."""

import re
from dataclasses import dataclass
from typing import Final

from records.evidence.framing import BadBase64, from_base64, to_base64
from records.evidence.merkle import EMPTY_ROOT, HASH_SIZE, MAX_LEAVES
from rules.kernel.text import quoted

_SIZE: Final = re.compile(r"0|[1-9][0-9]{0,18}")
_MIN_LINES: Final = 3
"""The lines of a checkpoint without extensions."""


class MalformedCheckpoint(ValueError):
    """The text of the note is not a checkpoint."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The size and the root of a log's tree."""

    origin: str
    """The permanent name of the log, such as example.com/shiji."""
    size: int
    root: bytes
    extensions: tuple[str, ...] = ()
    """Further lines, which we do not interpret; they are signed with the rest."""

    def __post_init__(self) -> None:
        if not 0 <= self.size <= MAX_LEAVES:
            raise MalformedCheckpoint(f"a tree has from 0 to {MAX_LEAVES} leaves")
        if len(self.root) != HASH_SIZE:
            raise MalformedCheckpoint(f"a root has {HASH_SIZE} bytes, not {len(self.root)}")
        if self.size == 0 and self.root != EMPTY_ROOT:
            raise MalformedCheckpoint("the size is 0, but the root is not that of an empty tree")
        if any("\n" in line or not line for line in (self.origin, *self.extensions)):
            raise MalformedCheckpoint("the origin and every extension is one line that is not empty")

    @property
    def text(self) -> str:
        """The text of the note, which is signed."""
        return "".join(
            f"{line}\n" for line in (self.origin, self.size, to_base64(self.root), *self.extensions)
        )


def parse_checkpoint(text: str) -> Checkpoint:
    """Parse the text of a note; raises MalformedCheckpoint."""
    lines = text.removesuffix("\n").split("\n")
    if len(lines) < _MIN_LINES or not text.endswith("\n"):
        raise MalformedCheckpoint("a checkpoint has one line each for its origin, size and root")
    origin, size, root, *extensions = lines
    if not _SIZE.fullmatch(size):
        raise MalformedCheckpoint(f"{quoted(size)} is not the size of a tree")
    try:
        raw = from_base64(root)
    except BadBase64:
        raise MalformedCheckpoint(f"{quoted(root)} is not the base64 of a root") from None
    return Checkpoint(origin, int(size), raw, tuple(extensions))
