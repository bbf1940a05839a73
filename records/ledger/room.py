"""How many entries a record takes, and how many notices of each actor, so that moves always have room."""

from typing import Final

from records.entry import MatchId, actor_number
from records.ledger.results import RecordFull, TooManyNotices
from records.replay.fold import MOST_ENTRIES, MatchSnapshot
from records.replay.notice_counts import is_counted, notices_of
from rules.kernel.actors import ARBITER

RESERVED_ENTRIES: Final = 500
"""The last entries of a record, which are only for the arbiter and for what the service draws and reveals: an
arbiter can settle, take back and close a record that is full for everybody else."""

MOST_NOTICES: Final = 4_000
"""The maximum number of notices and takebacks of all seats of a match together: a fifth of a record."""

MOST_NOTICES_EACH: Final = 500
"""The maximum number of notices and takebacks of one actor, of however few: far more than any match has."""

_BY_ARBITER: Final = actor_number(ARBITER)


def notices_each(seats: int) -> int:
    """The maximum number of notices and takebacks of one actor in a match of so many seats.

    No seat can use up what belongs to another.
    """
    return min(MOST_NOTICES_EACH, MOST_NOTICES // max(seats, 1))


def require_room(match: MatchId, current: MatchSnapshot, actor: int, kind: int, entries: int = 1) -> None:
    """Raises RecordFull or TooManyNotices if the actor, by number, cannot add so many entries of a kind."""
    most = MOST_ENTRIES if actor == _BY_ARBITER else MOST_ENTRIES - RESERVED_ENTRIES
    if current.sequence + entries > most:
        raise RecordFull(match, most)
    if is_counted(kind, actor):
        each = notices_each(len(current.header.setup.seats))
        if notices_of(current.notices, actor) + entries > each:
            raise TooManyNotices(match, each)
