"""Keeps the texts of listed entries, so that a page that is made again reads only what is new."""

from collections import OrderedDict
from collections.abc import Sequence
from typing import Final

from records.entry import Entry, MatchId
from rules.kernel.actors import Viewer
from service.messages import Viewpoint

MAX_KEPT_LISTS: Final = 32
"""Lists that are kept, of some 100 bytes per entry: those of the matches that are watched now."""


class EntryTexts:
    """The texts of the entries of matches, by match and by what the viewer may see."""

    def __init__(self) -> None:
        self._kept: Final = OrderedDict[tuple[MatchId, Viewer, Viewer], tuple[bytes, tuple[str, ...]]]()
        """The texts from the first entry after the header on, with the hash of the last of these entries."""

    def known(self, viewpoint: Viewpoint, entries: Sequence[Entry]) -> tuple[str, ...]:
        """The texts of the first of these entries, as far as they are kept."""
        if not _from_the_start(entries):
            return ()
        key = _key(viewpoint, entries)
        last, texts = self._kept.get(key, (b"", ()))
        if not texts or len(texts) > len(entries) or entries[len(texts) - 1].hash != last:
            return ()
        self._kept.move_to_end(key)
        return texts

    def keep(self, viewpoint: Viewpoint, entries: Sequence[Entry], texts: Sequence[str]) -> None:
        """Keep the texts of all these entries; of entries in the middle of a match, nothing."""
        if not _from_the_start(entries):
            return
        key = _key(viewpoint, entries)
        self._kept[key] = entries[-1].hash, tuple(texts)
        self._kept.move_to_end(key)
        if len(self._kept) > MAX_KEPT_LISTS:
            self._kept.popitem(last=False)


def _from_the_start(entries: Sequence[Entry]) -> bool:
    return bool(entries) and entries[0].sequence == 1


def _key(viewpoint: Viewpoint, entries: Sequence[Entry]) -> tuple[MatchId, Viewer, Viewer]:
    return entries[0].match, viewpoint.viewer, viewpoint.parts
