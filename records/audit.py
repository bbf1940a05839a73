"""The audit of one record: every entry is checked, judged again and compared with what the record tells."""

from collections.abc import Callable, Iterable
from typing import Final, TypeAlias

from records.annotations import RESULT, unwritable
from records.arbiter import Accepted, Standing
from records.codec.shape import CorruptEvents, CorruptMove
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
from rules.kernel.actors import ARBITER, Seat
from rules.kernel.edition import UnknownEdition, UnknownRuling
from rules.kernel.rule import Illegal
from rules.kernel.setup import BadSetup

Bad: TypeAlias = IllegalAt | DivergedAt | CorruptAt

Notice: TypeAlias = Callable[[MatchHeader, Standing, Entry], str | None]
"""Looks at a good entry and at how the match stood before it; says in what else it diverges."""

_BY_ARBITER: Final = actor_number(ARBITER)
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
    walk = _Walk(match, change, notice)
    bad: Bad | None = None
    count = 0
    try:
        for entry in entries:
            count += 1
            if bad is None:
                bad = walk.step(entry)
    except LogUnreadable as fault:
        hurt = fault.sequence if isinstance(fault, UnreadableEntry) else None
        bad = bad or CorruptAt(count if hurt is None else hurt, str(fault))
        count += 1
    verdict = bad or walk.end()
    return MatchReport(match, verdict, max(count - 1, 0), max(walk.due - 1, 0), walk.header, walk.standing)


class _Walk:
    """A record on its way through the audit."""

    def __init__(self, match: MatchId, change: RuleChange | None, notice: Notice | None) -> None:
        self.match = match
        self.change = change
        self.notice = notice
        self.due = 0
        """The sequence of the entry that comes next."""
        self.previous = GENESIS
        self.position = 0
        self.header: MatchHeader | None = None
        self.standing: Standing | None = None
        self.past: list[Standing] = []
        """By sequence: how the match stood after each good entry."""
        self.requests: dict[str, int] = {}

    def step(self, entry: Entry) -> Bad | None:
        """What is wrong with the next entry; where nothing is, the walk has gone on."""
        due = self.due
        why = broken_link(entry, self.match, due, self.previous)
        if why is None and (
            entry.position <= self.position or entry.request in self.requests or due > MOST_ENTRIES
        ):
            why = self._misplaced(entry)
        header, standing = self.header, self.standing
        if standing is None or header is None:
            bad = self._open(entry, why)
        elif why is not None:
            bad = CorruptAt(due, why)
        elif entry.kind == _MOVE:
            bad = self._judge(header, standing, entry)
        else:
            bad = self._retract(header, standing, entry)
        if bad is None:
            self.requests[entry.request] = due
            self.previous, self.position = entry.hash, entry.position
            self.due = due + 1
        return bad

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

    def _misplaced(self, entry: Entry) -> str | None:
        if entry.position and entry.position <= self.position:
            return f"its position in the archive, {entry.position}, is not after that of the entry before"
        first = self.requests.get(entry.request)
        if first is not None:
            return f"its request id is that of entry {first}"
        if self.due > MOST_ENTRIES:
            return f"no record has more than {MOST_ENTRIES} entries"
        return None

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
        return self._go_on(start, entry)

    def _judge(self, header: MatchHeader, standing: Standing, entry: Entry) -> Bad | None:
        number = entry.actor
        if number >= len(header.setup.seats):
            return CorruptAt(self.due, f"there is no seat {number}")
        try:
            verdict = standing.judge(Seat(number) if number >= 0 else actor_of(number), entry.move)
        except CorruptMove as fault:
            return CorruptAt(self.due, f"the move cannot be read: {fault}")
        except ValueError as fault:
            return CorruptAt(self.due, str(fault))
        if isinstance(verdict, Illegal):
            return IllegalAt(self.due, told(header, standing, entry), verdict.violations)
        if verdict.events != entry.events:
            bad = self._other_events(standing, entry, verdict)
            if bad is not None:
                return bad
        if self.notice is not None:
            why = self.notice(header, standing, entry)
            if why is not None:
                return DivergedAt(self.due, why)
        return self._go_on(verdict.after, entry)

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

    def _retract(self, header: MatchHeader, standing: Standing, entry: Entry) -> Bad | None:
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
        return self._go_on(after, entry)

    def _go_on(self, after: Standing, entry: Entry) -> DivergedAt | None:
        """The match stands like this now, if the record's digest says so too."""
        if self.change is None and after.digest() != entry.state:
            return DivergedAt(self.due, "the record tells another state (digest) than the rules lead to")
        self.past.append(after)
        self.standing = after
        return None
