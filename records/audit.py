"""The audit of one record: every entry is checked, judged again and compared with what the record tells."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeAlias

from records.annotations import RESULT, unwritable
from records.arbiter import Accepted, Standing
from records.codec.shape import CorruptEvents
from records.entry import GENESIS, Entry, EntryKind, MatchHeader, MatchId, actor_number, actor_of
from records.header import read_result
from records.log import LogUnreadable, UnreadableEntry
from records.replay import MOST_ENTRIES, BadRecord, broken_link, open_record, retracted_to, unknown_kind
from records.retraction import may_not_retract
from records.rule_change import RuleChange
from records.telling import told
from records.transcript import Tag, UnreadableTranscript
from records.verdict import CorruptAt, DivergedAt, IllegalAt, MatchReport, Verdict, Verified
from records.verify import judge_result
from rules.kernel.actors import ARBITER, CHANCE, Actor, Seat
from rules.kernel.edition import UnknownEdition, UnknownRuling
from rules.kernel.rule import Illegal
from rules.kernel.setup import BadSetup

Bad: TypeAlias = IllegalAt | DivergedAt | CorruptAt

Notice: TypeAlias = Callable[[MatchHeader, Standing, Entry], str | None]
"""Looks at a good entry and at how the match stood before it; says in what else it diverges."""

_BY_ARBITER: Final = actor_number(ARBITER)
_OTHER_STATE: Final = "the record tells another state (digest) than the rules lead to"
_LEAST_ACTOR: Final = min(_BY_ARBITER, actor_number(CHANCE))
_MOVE: Final = EntryKind.MOVE.value


def audit_record(
    match: MatchId,
    entries: Iterable[Entry],
    *,
    change: RuleChange | None = None,
    notice: Notice | None = None,
) -> MatchReport:
    """The verdict on what should be the record of a match; bytes that make no sense are a verdict too.

    With a change of rules the moves are judged by these, and it is asked whether they cause what the record
    tells; digests of states are then not compared, since other rules may keep other states.
    """
    kept: list[Entry] = []
    bad: Bad | None = None
    try:
        kept += entries
    except LogUnreadable as fault:
        hurt = fault.sequence if isinstance(fault, UnreadableEntry) else None
        bad = CorruptAt(len(kept) if hurt is None else hurt, str(fault))
    walk = _Walk(match, change, notice)
    verdict = walk.through(kept) or bad or walk.end()
    count = len(kept) + (bad is not None)
    return MatchReport(match, verdict, max(count - 1, 0), max(walk.due - 1, 0), walk.header, walk.standing)


class _Walk:
    """A record on its way through the audit."""

    def __init__(self, match: MatchId, change: RuleChange | None, notice: Notice | None) -> None:
        self.match = match
        self.change = change
        self.notice = notice
        self.header: MatchHeader | None = None
        self.standing: Standing | None = None
        self.past: list[Standing] = []
        """By sequence: how the match stood after each good entry."""

    @property
    def due(self) -> int:
        """The sequence of the first entry that is not known to be good."""
        return len(self.past)

    def through(self, entries: Sequence[Entry]) -> Bad | None:
        """What is wrong with the first bad entry; where none is, all of them are good."""
        linked, broken = self._linked(entries)
        if not entries:
            return None
        bad = self._open(entries[0], broken if not linked else None)
        while bad is None and self.due < linked:
            run = _moves(entries, self.due, linked)
            bad = self._judge(run) if run else self._retract(entries[self.due])
        return bad or (CorruptAt(linked, broken) if broken else None)

    def _linked(self, entries: Sequence[Entry]) -> tuple[int, str | None]:
        """How many entries, from the first, follow on each other, and what is wrong with the next."""
        previous, position = GENESIS, 0
        requests: dict[str, int] = {}
        for due, entry in enumerate(entries):
            why = broken_link(entry, self.match, due, previous)
            if why is not None:
                return due, why
            if entry.position and entry.position <= position:
                return (
                    due,
                    f"its position in the archive, {entry.position}, is not after that of the entry before",
                )
            if entry.request in requests:
                return due, f"its request id is that of entry {requests[entry.request]}"
            if due > MOST_ENTRIES:
                return due, f"no record has more than {MOST_ENTRIES} entries"
            requests[entry.request] = due
            previous, position = entry.hash, entry.position
        return len(entries), None

    def end(self) -> Verdict:
        """The verdict on the record as a whole, of which every entry is good."""
        if self.standing is None or self.header is None:
            return CorruptAt(0, "there is no entry at all")
        last = self.due - 1
        problems = self.standing.problems()
        if problems:
            return DivergedAt(last, f"no match can stand like this: {'; '.join(problems)}")
        stated = dict(self.header.tags).get(RESULT)
        if stated is None:
            return Verified()
        try:
            result = read_result(Tag(RESULT, stated), self.header.setup.seats)
        except UnreadableTranscript as fault:
            return DivergedAt(last, fault.why)
        return judge_result(result, self.standing, last)

    def _open(self, entry: Entry, why: str | None) -> Bad | None:
        try:
            opened = open_record(entry)
        except BadRecord as fault:
            return CorruptAt(0, why or fault.why)
        self.header, start = opened.header, opened.start
        if self.change is not None:
            try:
                start = opened.arbiter.start(self.change.applied(opened.arbiter, opened.header.setup))
            except (BadSetup, UnknownEdition, UnknownRuling) as fault:
                return DivergedAt(0, f"the match could not be laid out: {fault}")
        self.standing = start  # what a person can look at, even if the entry turns out to be bad
        if why is not None:
            return CorruptAt(0, why)
        if entry.actor != _BY_ARBITER or entry.events:
            return CorruptAt(0, "a header is the arbiter's and causes nothing")
        why = unwritable(opened.arbiter, opened.header)
        if why is not None:
            return CorruptAt(0, why)
        return self._go_back(start, entry)

    def _judge(self, run: Sequence[Entry]) -> Bad | None:
        """Moves that follow each other."""
        header, standing = self._known()
        seats = len(header.setup.seats)
        asked: list[tuple[Actor, bytes]] = []
        stranger: str | None = None
        for entry in run:
            number = entry.actor
            if not _LEAST_ACTOR <= number < seats:
                stranger = f"there is no seat {number}" if number >= 0 else f"{number} is no actor"
                break
            asked.append((Seat(number) if number >= 0 else actor_of(number), entry.move))
        accepted, wrong = standing.judge_all(asked)
        digests = [verdict.after.digest() for verdict in accepted] if self.change is None else None
        for place, verdict in enumerate(accepted):
            entry = run[place]
            bad = self._compare(header, entry, verdict)
            if bad is None and digests is not None and digests[place] != entry.state:
                bad = DivergedAt(self.due, _OTHER_STATE)
            if bad is not None:
                return bad
            self._go_on(verdict.after)
        if isinstance(wrong, Illegal):
            entry = run[len(accepted)]
            return IllegalAt(self.due, told(header, self.past[-1], entry), wrong.violations)
        if wrong is not None:
            return CorruptAt(self.due, f"the move cannot be read: {wrong}")
        return None if stranger is None else CorruptAt(self.due, stranger)

    def _compare(self, header: MatchHeader, entry: Entry, verdict: Accepted) -> Bad | None:
        """Whether the record tells what a legal move causes."""
        if verdict.events != entry.events:
            bad = self._other_events(self.past[-1], entry, verdict)
            if bad is not None:
                return bad
        if self.notice is not None:
            why = self.notice(header, self.past[-1], entry)
            if why is not None:
                return DivergedAt(self.due, why)
        return None

    def _other_events(self, standing: Standing, entry: Entry, verdict: Accepted) -> Bad | None:
        try:
            if standing.same_events(entry.events, verdict.events):
                return None
            return DivergedAt(
                self.due,
                "the record tells other events than the move causes by the rules",
                standing.tell_events(entry.events),
                standing.tell_events(verdict.events),
            )
        except CorruptEvents as fault:
            return CorruptAt(self.due, f"the events cannot be read: {fault}")

    def _retract(self, entry: Entry) -> Bad | None:
        header, standing = self._known()
        if entry.kind != EntryKind.RETRACT:
            return CorruptAt(self.due, unknown_kind(entry).why)
        try:
            actor, after = actor_of(entry.actor), self.past[retracted_to(entry)]
        except BadRecord as fault:
            return CorruptAt(self.due, fault.why)
        except ValueError as fault:
            return CorruptAt(self.due, str(fault))
        if entry.events:
            return CorruptAt(self.due, "a retraction causes nothing")
        violation = may_not_retract(header, actor)
        if violation is not None:
            return IllegalAt(self.due, told(header, standing, entry), (violation,))
        return self._go_back(after, entry)

    def _go_back(self, after: Standing, entry: Entry) -> DivergedAt | None:
        """The match stands as it did once, if the record's digest says so too."""
        if self.change is None and after.digest() != entry.state:
            return DivergedAt(self.due, _OTHER_STATE)
        self._go_on(after)
        return None

    def _go_on(self, after: Standing) -> None:
        self.past.append(after)
        self.standing = after

    def _known(self) -> tuple[MatchHeader, Standing]:
        if self.header is None or self.standing is None:
            raise TypeError("the header comes first")
        return self.header, self.standing


def _moves(entries: Sequence[Entry], start: int, end: int) -> Sequence[Entry]:
    """The moves from one entry on, up to the next that is none."""
    stop = start
    while stop < end and entries[stop].kind == _MOVE:
        stop += 1
    return entries[start:stop]
