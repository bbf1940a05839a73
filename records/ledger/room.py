"""How many entries a record takes, and how many notices of each actor, so that moves always have room."""

from typing import Final

from records.entry import ARBITER_NUMBER, MatchId
from records.ledger.results import RecordFull, TooManyNotices
from records.replay.fold import MOST_ENTRIES, MOST_PLAYED_ENTRIES, MatchSnapshot
from records.replay.notice_counts import is_counted, notices_of

MOST_NOTICES: Final = 4_000
"""The maximum number of notices and takebacks of all seats of a match together: a fifth of a record."""

MOST_NOTICES_EACH: Final = 500
"""The maximum number of notices and takebacks of one actor, of however few: far more than any match has."""


def notices_each(seats: int) -> int:
    """The maximum number of notices and takebacks of one actor in a match with this number of seats.

    No seat can use up what belongs to another.
    """
    return min(MOST_NOTICES_EACH, MOST_NOTICES // max(seats, 1))


def require_room(match: MatchId, current: MatchSnapshot, actor: int, kind: int) -> None:
    """Raises RecordFull or TooManyNotices if the actor, by number, cannot add an entry of this kind."""
    most = MOST_ENTRIES if actor == ARBITER_NUMBER else MOST_PLAYED_ENTRIES
    if current.sequence >= most:
        raise RecordFull(match, most)
    if is_counted(kind, actor):
        each = notices_each(len(current.header.setup.seats))
        if notices_of(current.notices, actor) >= each:
            raise TooManyNotices(match, each)
