"""What the index knows of a match, and what can be asked of it."""

import enum
import re
from collections.abc import Callable, Iterable
from typing import Final

from msgspec import Struct

from records.entry import MatchId
from records.verdict import AS_SHOWN

_WORD: Final = re.compile(r"\w+")

_MAX_WORD_CHARS: Final = 40
"""Characters of a word that are compared: longer words with the same beginning are the same."""

_MAX_DIFFERENT_WORDS: Final = 200
"""Different words of a match that can be searched for; tags with more are found by their first ones."""


class PlayState(enum.IntEnum):
    """Whether a match is under way."""

    UNKNOWN = 0
    """Not folded yet."""
    OPEN = 1
    OVER = 2
    DAMAGED = 3

    @property
    def word(self) -> str:
        """The state in words."""
        return _STATE_WORDS[self]


_STATE_WORDS: Final = {
    PlayState.UNKNOWN: "not read yet",
    PlayState.OPEN: "under way",
    PlayState.OVER: "over",
    PlayState.DAMAGED: "damaged",
}


class AuditState(enum.IntEnum):
    """What the last audit found."""

    NONE = 0
    """It was never audited."""
    OUTDATED = 1
    """It was good when it was audited, and has more entries now."""
    VERIFIED = 2
    AS_SHOWN = 3
    ILLEGAL = 4
    DIVERGED = 5
    CORRUPT = 6

    @property
    def word(self) -> str:
        """The state in one word; for a verdict, that of the verdict."""
        return _AUDIT_WORDS[self]

    @property
    def bad(self) -> bool:
        """Whether the audit found something wrong."""
        return self >= AuditState.ILLEGAL


_AUDIT_WORDS: Final = {
    AuditState.NONE: "unaudited",
    AuditState.OUTDATED: "outdated",
    AuditState.VERIFIED: "verified",
    AuditState.AS_SHOWN: AS_SHOWN,
    AuditState.ILLEGAL: "illegal",
    AuditState.DIVERGED: "diverged",
    AuditState.CORRUPT: "corrupt",
}


class LastAudit(Struct, frozen=True):
    """The last audit of a match."""

    verdict: AuditState
    sequence: int
    """The last entry that it covered."""
    position: int
    """The last position of the archive that the audit covered."""
    time: int
    """When, in microseconds since 1970, UTC."""
    first_bad: int | None = None
    """The first entry that is not good; None if all are."""


class IndexedMatch(Struct, frozen=True):
    """A row of the index: a match as everybody may see it."""

    number: int
    """From 1, in the order in which the matches were stored."""
    match: MatchId
    game: str
    """Empty, like edition, if this build cannot read the header."""
    edition: str
    seats: tuple[str, ...]
    started: int
    """When the header was recorded, in microseconds since 1970, UTC."""
    header: bytes
    """The header as it is stored; empty if it cannot be read."""
    tags: tuple[tuple[str, str], ...] = ()
    words: str = ""
    """The words of tags and seats, for searches: in lower case, each once, with a space before and after."""
    copy: bool = False
    """Whether it was imported without some of its concealed parts, so that it can only be read."""
    state: PlayState = PlayState.UNKNOWN
    stale: bool = True
    """Whether it has entries that the following fields do not cover."""
    sequence: int = 0
    """The last entry."""
    active: int = 0
    """When that was recorded, in microseconds since 1970, UTC."""
    closed: bool = False
    """Whether the arbiter ended the match without a result."""
    awaiting: tuple[int, ...] = ()
    """The actors who must act, by number."""
    turn: str = ""
    """Whose turn it is, or who won, in words that everybody may read."""
    outcome: bytes = b""
    """How it ended, as JSON; empty if it has not."""
    winners: tuple[str, ...] = ()
    damage: str = ""
    """Why the record cannot be read; empty if it can."""
    audited: LastAudit | None = None
    touched: int = 0
    """The position of the archive at which it was last found to be stale."""

    @property
    def audit(self) -> AuditState:
        """What the last audit says of the match as it is now."""
        if self.audited is None:
            return AuditState.NONE
        grown = self.sequence > self.audited.sequence
        return AuditState.OUTDATED if grown and not self.audited.verdict.bad else self.audited.verdict


class MatchQuery(Struct, frozen=True):
    """Which matches to list; what is left empty does not filter."""

    game: str = ""
    seat: str = ""
    """The whole name of a seat."""
    state: PlayState | None = None
    """Damaged matches are always listed, since nobody knows whether they are over."""
    audit: AuditState | None = None
    prefix: str = ""
    """The beginning of the id."""
    text: str = ""
    """Beginnings of words in its tags and the names of its seats, in any case and order; all must occur."""
    start: int | None = None
    """Began then or later, in microseconds since 1970, UTC."""
    end: int | None = None
    """Began before then."""
    newest_first: bool = False

    @property
    def wanted_words(self) -> list[str]:
        """The beginnings of words to look for, the longest first."""
        return sorted(set(words_in([self.text])), key=lambda word: (-len(word), word))

    @property
    def states(self) -> tuple[PlayState, ...]:
        """The states that pass; empty if all do."""
        return () if self.state is None else tuple({self.state: 0, PlayState.DAMAGED: 0})

    def passes(self) -> Callable[[IndexedMatch], bool]:
        """Says whether a match passes every filter; state and audit of a stale one are not known yet."""
        game, seat, prefix, audit = self.game, self.seat, self.prefix, self.audit
        start, end, states = self.start, self.end, self.states
        words = [f" {word}" for word in self.wanted_words]

        def passes(row: IndexedMatch) -> bool:
            return (
                (not game or row.game == game)
                and (not seat or seat in row.seats or not row.seats)
                and (not states or row.stale or row.state in states)
                and (audit is None or row.stale or row.audit == audit)
                and (not prefix or row.match.startswith(prefix))
                and (start is None or row.started >= start)
                and (end is None or row.started < end)
                and all(word in row.words for word in words)
            )

        return passes


class MatchPage(Struct, frozen=True):
    """Some of the matches of a query."""

    rows: tuple[IndexedMatch, ...]
    """In order. Stale ones are to be refreshed, and then may no longer pass."""
    last: int | None
    """The number of the match to continue after; None if there are no more."""
    total: int = 0
    """How many matches pass in all."""
    exact: bool = True
    """Whether the total is exact: counting stops early, and stale matches are counted as they were."""


def words_in(texts: Iterable[str]) -> list[str]:
    """The words of some texts as they are searched for, each once."""
    found = (word[:_MAX_WORD_CHARS] for text in texts for word in _WORD.findall(text.casefold()))
    return list(dict.fromkeys(found))[:_MAX_DIFFERENT_WORDS]
