"""How far the entries of a record are chained, each to the one before it."""

from collections.abc import Sequence

from records.entry import ENTRY_VERSION_1, GENESIS, Entry, MatchId, entry_version
from records.replay.fold import MOST_ENTRIES, chain_fault


def intact_links(match: MatchId, entries: Sequence[Entry]) -> tuple[int, str]:
    """The number of entries, from the first, with an intact chain, and what is wrong with the next."""
    previous, position = GENESIS, 0
    requests: dict[str, int] = {}
    version = entry_version(entries[0]) if entries else ENTRY_VERSION_1
    for due, entry in enumerate(entries):
        why = chain_fault(entry, match, due, previous)
        if why is not None:
            return due, why
        if entry_version(entry) != version:
            return due, f"it is of entry version {entry_version(entry)}, and the match of {version}"
        place, request = entry.position, entry.request
        if place and place <= position:
            return due, f"its position in the archive, {place}, is not after that of the previous entry"
        if request in requests:
            return due, f"entry {requests[request]} has the same request id"
        if due > MOST_ENTRIES:
            return due, f"no record has more than {MOST_ENTRIES} entries"
        requests[request] = due
        previous, position = entry.hash, place
    return len(entries), ""
