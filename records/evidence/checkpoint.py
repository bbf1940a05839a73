"""Checkpoints after C2SP's tlog-checkpoint: what a log says of its tree, as the text of a signed note."""

import re
from dataclasses import dataclass
from typing import Final

from records.evidence.framing import BadBase64, from_base64, to_base64
from records.evidence.merkle import EMPTY_ROOT, HASH_SIZE, MAX_SIZE
from rules.kernel.text import quoted

_SIZE: Final = re.compile(r"0|[1-9][0-9]{0,18}")
_LINES: Final = 3


class MalformedCheckpoint(ValueError):
    """The text of the note is no checkpoint."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The size and the root of the tree of one log."""

    origin: str
    """The log, for ever: a name like example.com/shiji."""
    size: int
    root: bytes
    extensions: tuple[str, ...] = ()
    """Further lines, which mean nothing to us and are signed with the rest."""

    def __post_init__(self) -> None:
        if not 0 <= self.size <= MAX_SIZE:
            raise MalformedCheckpoint(f"a tree has from 0 to {MAX_SIZE} leaves")
        if len(self.root) != HASH_SIZE:
            raise MalformedCheckpoint(f"a root has {HASH_SIZE} bytes, and this one {len(self.root)}")
        if self.size == 0 and self.root != EMPTY_ROOT:
            raise MalformedCheckpoint("the root is not that of an empty tree")
        if any("\n" in line or not line for line in (self.origin, *self.extensions)):
            raise MalformedCheckpoint("the origin and every extension is one line that is not empty")

    @property
    def text(self) -> str:
        """The text to sign."""
        return "".join(
            f"{line}\n" for line in (self.origin, self.size, to_base64(self.root), *self.extensions)
        )


def parse_checkpoint(text: str) -> Checkpoint:
    """The checkpoint that the text of a note is; MalformedCheckpoint if it is none."""
    lines = text.removesuffix("\n").split("\n")
    if len(lines) < _LINES or not text.endswith("\n"):
        raise MalformedCheckpoint("a checkpoint has a line each for its origin, size and root")
    origin, size, root, *extensions = lines
    if not _SIZE.fullmatch(size):
        raise MalformedCheckpoint(f"{quoted(size)} is no size of a tree")
    try:
        raw = from_base64(root)
    except BadBase64:
        raise MalformedCheckpoint(f"{quoted(root)} is not the base64 of a root") from None
    return Checkpoint(origin, int(size), raw, tuple(extensions))
