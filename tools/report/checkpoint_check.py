"""Checks that an archive still holds the entries that a checkpoint commits to."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

import click

from records.audit.archive import OpenLog, Summary
from records.evidence.checkpoint import Checkpoint
from records.evidence.note import Note, VerifierKey, key_name
from records.log.contract import UnreadableEntry
from records.log.tree import Tree
from tools.report.checkpoint_args import read_checkpoint, require_signature
from tools.terminal.output import Line, plural


@dataclass(slots=True)
class CheckpointCheck:
    """The comparison of an archive with a checkpoint."""

    note: Note
    checkpoint: Checkpoint
    key: VerifierKey | None
    """The key that the checkpoint is signed with, if the user named it."""
    breach: str | None = None
    """How the archive differs from the checkpoint."""

    @classmethod
    def read(cls, path: str, key: VerifierKey | None) -> Self:
        """Read the checkpoint in a file; ends the command if there is none or the key did not sign it."""
        note, checkpoint = read_checkpoint(path)
        if key is not None:
            require_signature(note, key, path)
            if key.name != checkpoint.origin:
                raise click.BadParameter(
                    f"the checkpoint is of the log {checkpoint.origin}, but the key is of {key.name}",
                    param_hint="'--log-key'",
                )
        return cls(note, checkpoint, key)

    def run(self, open_log: OpenLog, summary: Summary) -> None:
        """Compare the archive with the checkpoint; a difference is added to the flaws of the summary."""
        with open_log() as log:
            try:
                self.breach = Tree(log, stored=False).breach(self.checkpoint)
            except UnreadableEntry as fault:
                self.breach = str(fault)
        if self.breach is not None:
            summary.flaw(self.breach)

    def as_json(self) -> dict[str, object]:
        """The result as a JSON object."""
        return {
            "origin": self.checkpoint.origin,
            "size": self.checkpoint.size,
            "kept": self.breach is None,
            "why": self.breach or "",
            "keys": [key_name(each) for each in self.note.signatures],
            "known": self.key is not None,
        }

    def as_lines(self) -> Iterator[Line]:
        """The result as lines; a breach is not among them, because it is listed with the flaws."""
        if self.breach is None:
            entries = plural(self.checkpoint.size, "entry", "entries")
            yield Line(f"all {entries} that {self.checkpoint.origin} promised are there", "promise", 2)
        if self.key is None:
            names = ", ".join(key_name(each) for each in self.note.signatures)
            yield Line(f"signed by keys that you did not name (--log-key): {names}", "unknown", 2)
