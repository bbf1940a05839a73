"""The audit of one record: every entry is checked, judged again and compared with what the record tells."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter
from typing import Final, TypeAlias

from records.audit.rule_change import RuleChange
from records.audit.transcript import judge_result
from records.codec.evidence import CorruptEvidence, decode_seal
from records.codec.shape import CorruptEvents, CorruptMove
from records.entry import (
    GENESIS,
    MOVE,
    RETRACT,
    Entry,
    EntryKind,
    MatchHeader,
    MatchId,
    actor_number,
    actor_of,
)
from records.entry_rules import actor_fault
from records.files.comments import RESULT, unwritable
from records.files.tags import read_result
from records.files.transcript import Tag, UnreadableTranscript
from records.games.candidate import Candidate
from records.games.state import BatchVerdict, GameState
from records.log.contract import LogUnreadable, UnreadableEntry
from records.replay.disputes import Disputes
from records.replay.fold import (
    MOST_ENTRIES,
    NOTICES,
    BadRecord,
    chain_fault,
    needs_vouching,
    open_record,
    retracted_to,
    unknown_kind,
)
from records.replay.guards import GuardRejected, Guards
from records.replay.retraction import may_not_retract
from records.replay.sealed_draws import Sealing, draw_fault, in_full, public_digest, skipped_valid_order
from records.replay.wording import describe_entry
from records.verdict import AuditReport, CorruptAt, DivergedAt, IllegalAt, Verdict, Verified
from rules.kernel.actors import ARBITER, CHANCE
from rules.kernel.edition import UnknownEdition, UnknownRuling
from rules.kernel.rule import Illegal
from rules.kernel.setup import BadSetup

BadVerdict: TypeAlias = IllegalAt | DivergedAt | CorruptAt

EntryCheck: TypeAlias = Callable[[MatchHeader, GameState, Entry], str | None]
"""Looks at a good entry and at how the match stood before it; says in what else it diverges."""

_BY_ARBITER: Final = actor_number(ARBITER)
_OTHER_STATE: Final = "the record tells another state (digest) than the rules lead to"
_LEAST_ACTOR: Final = min(_BY_ARBITER, actor_number(CHANCE))


def audit_record(
    match: MatchId,
    entries: Iterable[Entry],
    *,
    change: RuleChange | None = None,
    notice: EntryCheck | None = None,
) -> AuditReport:
    """The verdict on what should be the record of a match; bytes that make no sense are a verdict too.

    With a change of rules the moves are judged by these, and it is asked whether they cause what the record
    tells; digests of states are then not compared, since other rules may keep other states.
    """
    audit = RecordAudit(match, entries, change, notice)
    audit.link()
    audit.judge()
    return audit.report()


class RecordAudit:
    """A record on its way through the audit: it is read, then comes link(), then judge(), then report().

    Who audits several takes each step with all of them: that keeps a processor's caches warm.
    """

    def __init__(
        self,
        match: MatchId,
        entries: Iterable[Entry],
        change: RuleChange | None = None,
        notice: EntryCheck | None = None,
    ) -> None:
        self.match = match
        self.change = change
        self.notice = notice
        self.kept: list[Entry] = []
        """All that can be read of it."""
        self.unread: BadVerdict | None = None
        """What is wrong with the entry behind these."""
        try:
            self.kept += entries
        except LogUnreadable as fault:
            hurt = fault.sequence if isinstance(fault, UnreadableEntry) else None
            self.unread = CorruptAt(len(self.kept) if hurt is None else hurt, str(fault))
        self.linked, self.broken = 0, ""
        """How many entries, from the first, follow on each other, and what is wrong with the next."""
        self.bad: BadVerdict | None = None
        """The first entry that is not good."""
        self.header: MatchHeader | None = None
        self.state: GameState | None = None
        self.guards: Guards | None = None
        self.vouchings: list[Guards] = []
        """By sequence: what vouches for each entry, where not only its hash does."""
        self.hidden = 0
        """So many draws the record does not tell."""
        self.due = 0
        """The sequence of the first entry that is not known to be good."""
        self.past: list[tuple[int, Callable[[int], GameState]]] = []
        """From each of these sequences on: how the match stood after a good entry, by how far on it is."""

    def link(self) -> None:
        """Find out how far the chain of hashes holds."""
        self.linked, self.broken = self._links()

    def judge(self) -> None:
        """Find the first bad entry."""
        entries = self.kept
        if not entries:
            return
        self.bad = self._open(entries[0], self.broken if not self.linked else None)
        linked, broken = self._vouched(entries, self.linked, self.broken)
        while self.bad is None and self.due < linked:
            run = _moves(entries, self.due, linked)
            self.bad = self._judge(run) if run else self._other(entries[self.due])
        if self.bad is None and broken:
            self.bad = CorruptAt(linked, broken)

    def report(self) -> AuditReport:
        """The verdict, and how far the record is good."""
        verdict = self.bad or self.unread or self._end()
        count = len(self.kept) + (self.unread is not None)
        good = max(self.due - 1, 0)
        return AuditReport(self.match, verdict, max(count - 1, 0), good, self.header, self.state, self.hidden)

    def _links(self) -> tuple[int, str]:
        match, previous, position = self.match, GENESIS, 0
        requests: dict[str, int] = {}
        for due, entry in enumerate(self.kept):
            why = chain_fault(entry, match, due, previous)
            if why is not None:
                return due, why
            place, request = entry.position, entry.request
            if place and place <= position:
                return due, f"its position in the archive, {place}, is not after that of the entry before"
            if request in requests:
                return due, f"its request id is that of entry {requests[request]}"
            if due > MOST_ENTRIES:
                return due, f"no record has more than {MOST_ENTRIES} entries"
            requests[request] = due
            previous, position = entry.hash, place
        return len(self.kept), ""

    def _vouched(self, entries: Sequence[Entry], linked: int, broken: str) -> tuple[int, str]:
        """How many of the linked entries are signed as they should be, and what is wrong with the next."""
        guards = self.guards
        if guards is None or (guards.idle and not any(map(needs_vouching, entries))):
            return linked, broken
        for entry in entries[:linked]:
            self.vouchings.append(guards)
            try:
                guards = guards.after(entry)
            except GuardRejected as fault:
                return entry.sequence, str(fault)
        self.guards = guards
        return linked, broken

    def _end(self) -> Verdict:
        """The verdict on the record as a whole, of which every entry is good."""
        if self.state is None or self.header is None:
            return CorruptAt(0, "there is no entry at all")
        last = self.due - 1
        problems = self.state.problems()
        if problems:
            return DivergedAt(last, f"no match can stand like this: {'; '.join(problems)}")
        stated = dict(self.header.tags).get(RESULT)
        if stated is None:
            return Verified()
        try:
            result = read_result(Tag(RESULT, stated), self.header.setup.seats)
        except UnreadableTranscript as fault:
            return DivergedAt(last, fault.why)
        return judge_result(result, self.state, last)

    def _open(self, entry: Entry, why: str | None) -> BadVerdict | None:
        try:
            opened = open_record(entry)
        except BadRecord as fault:
            return CorruptAt(0, why or fault.why)
        self.header, start, self.guards = opened.header, opened.start, opened.guards
        if self.change is not None:
            try:
                start = opened.game.start(self.change.applied(opened.game, opened.header.setup))
            except (BadSetup, UnknownEdition, UnknownRuling) as fault:
                return DivergedAt(0, f"the match could not be laid out: {fault}")
        self.state = start  # what a person can look at, even if the entry turns out to be bad
        if why is not None:
            return CorruptAt(0, why)
        if entry.actor != _BY_ARBITER or entry.events:
            return CorruptAt(0, "a header is the arbiter's and causes nothing")
        why = unwritable(opened.game, opened.header)
        if why is not None:
            return CorruptAt(0, why)
        return self._go_back(start, entry)

    def _judge(self, run: Sequence[Entry]) -> BadVerdict | None:
        """Moves that follow each other."""
        header, state = self._known()
        if header.pledge:
            return self._judge_sealed(header, run)
        actors = {number: actor_of(number) for number in range(_LEAST_ACTOR, len(header.setup.seats))}
        asked: list[Candidate] = []
        corrupt: str | None = None
        for entry in run:
            actor = actors.get(entry.actor)
            if actor is None:
                number = entry.actor
                corrupt = f"there is no seat {number}" if number >= 0 else f"{number} is no actor"
                break
            try:
                asked.append(state.parse_bytes(actor, entry.move))
            except CorruptMove as fault:
                corrupt = f"the move cannot be read: {fault}"
                break
        judged = state.judge_all(asked)
        bad = self._take(header, run[: len(judged.events)], judged)
        if bad is not None:
            return bad
        if judged.wrong is not None:
            text = self._now().write_move(asked[len(judged.events)])
            return IllegalAt(self.due, text, judged.wrong.violations)
        return None if corrupt is None else CorruptAt(self.due, corrupt)

    def _take(self, header: MatchHeader, run: Sequence[Entry], judged: BatchVerdict) -> BadVerdict | None:
        """Go on over legal moves as far as the record tells what they cause."""
        if not run:
            return None
        states = [entry.state for entry in run]
        digests = judged.digests() if self.change is None else states
        if self.notice is None and digests == states and judged.events == [entry.events for entry in run]:
            self.past.append((self.due, judged.state))
            self.due += len(run)
            self.state = judged.state(-1)
            return None
        for place, (entry, events, digest) in enumerate(zip(run, judged.events, digests, strict=True)):
            bad = self._compare(header, entry, events)
            if bad is None and digest != entry.state:
                bad = DivergedAt(self.due, _OTHER_STATE)
            if bad is not None:
                return bad
            self._go_on(judged.state(place))
        return None

    def _compare(self, header: MatchHeader, entry: Entry, events: bytes) -> BadVerdict | None:
        """Whether the record tells what a legal move causes."""
        if events != entry.events:
            bad = self._other_events(self._now(), entry, events)
            if bad is not None:
                return bad
        if self.notice is not None:
            why = self.notice(header, self._now(), entry)
            if why is not None:
                return DivergedAt(self.due, why)
        return None

    def _other_events(self, state: GameState, entry: Entry, events: bytes) -> BadVerdict | None:
        try:
            if state.same_events(entry.events, events):
                return None
            return DivergedAt(
                self.due,
                "the record tells other events than the move causes by the rules",
                state.tell_events(entry.events),
                state.tell_events(events),
            )
        except CorruptEvents as fault:
            return CorruptAt(self.due, f"the events cannot be read: {fault}")

    def _other(self, entry: Entry) -> BadVerdict | None:
        header, _ = self._known()
        stranger = actor_fault(header, entry.kind, entry.actor) if entry.kind in NOTICES else None
        if stranger is not None:
            return CorruptAt(self.due, stranger)
        if entry.kind == RETRACT:
            return self._retract(entry)
        if entry.kind not in NOTICES:
            return CorruptAt(self.due, unknown_kind(entry).why)
        if entry.events:
            return CorruptAt(self.due, "a notice causes nothing")
        if entry.kind == EntryKind.SEAL and self._was_chosen(entry):
            return DivergedAt(self.due, "an order that came before this one could have stood")
        return self._go_back(self._now(), entry)

    def _judge_sealed(self, header: MatchHeader, run: Sequence[Entry]) -> BadVerdict | None:
        """Moves of a match in which the service draws from sealed orders."""
        for entry in run:
            if not _LEAST_ACTOR <= entry.actor < len(header.setup.seats):
                return CorruptAt(self.due, f"there is no actor {entry.actor}")
            bad = self._judge_one(header, entry)
            if bad is not None:
                return bad
        return None

    def _judge_one(self, header: MatchHeader, entry: Entry) -> BadVerdict | None:
        before, actor = self._now(), actor_of(entry.actor)
        try:
            move, events = in_full(entry)
            candidate = before.parse_bytes(actor, move)
            verdict = before.judge(candidate)
            if isinstance(verdict, Illegal):
                return IllegalAt(self.due, before.write_move(candidate), verdict.violations)
            if actor is CHANCE and not entry.secret:
                self.hidden += 1
            elif entry.secret and self.change is None:
                why = draw_fault(before, self._sealing(), entry)
                if why is not None:
                    return DivergedAt(self.due, why)
            same = before.same_events(events, verdict.events)
            # Of what is hidden the rules make less: that nobody can place a tile shows only in full.
            after = verdict.after if same or not self.hidden else before.fold(events)
        except (CorruptMove, CorruptEvidence, CorruptEvents) as fault:
            return CorruptAt(self.due, f"the entry cannot be read: {fault}")
        if not same and not self.hidden:
            return self._other_events(before, entry, verdict.events)
        if self.change is None and public_digest(header, after) != entry.state:
            return DivergedAt(self.due, _OTHER_STATE)
        self._go_on(after)
        return None

    def _sealing(self) -> Sealing:
        """What is sealed before the entry that is due."""
        sealing = self.vouchings[self.due].sealing
        if sealing is None:
            raise TypeError("the match is sealed")
        return sealing

    def _was_chosen(self, entry: Entry) -> bool:
        """Whether the service passed over an order that the rules would have taken, as far as that shows."""
        final = self.guards.sealing if self.guards else None
        if final is None or not final.secret:
            return False
        sealed = decode_seal(entry.move)
        return skipped_valid_order(self._now(), self._sealing(), sealed, final.seed(final.secret))

    def _retract(self, entry: Entry) -> BadVerdict | None:
        header, state = self._known()
        try:
            actor, after = actor_of(entry.actor), self._stood(retracted_to(entry))
        except BadRecord as fault:
            return CorruptAt(self.due, fault.why)
        except ValueError as fault:
            return CorruptAt(self.due, str(fault))
        if entry.events:
            return CorruptAt(self.due, "a retraction causes nothing")
        disputes = self.vouchings[self.due].disputes if self.vouchings else Disputes.of(header)
        violation = may_not_retract(header, actor, disputes, retracted_to(entry))
        if violation is not None:
            return IllegalAt(self.due, describe_entry(header, state, entry), (violation,))
        return self._go_back(after, entry)

    def _go_back(self, after: GameState, entry: Entry) -> DivergedAt | None:
        """The match stands as it did once, if the record's digest says so too."""
        header, _ = self._known()
        if self.change is None and public_digest(header, after) != entry.state:
            return DivergedAt(self.due, _OTHER_STATE)
        self._go_on(after)
        return None

    def _go_on(self, after: GameState) -> None:
        self.past.append((self.due, lambda _: after))
        self.due += 1
        self.state = after

    def _stood(self, sequence: int) -> GameState:
        """How the match stood after a good entry."""
        first, state = self.past[bisect_right(self.past, sequence, key=itemgetter(0)) - 1]
        return state(sequence - first)

    def _now(self) -> GameState:
        """How it stands after the last good entry."""
        return self._known()[1]

    def _known(self) -> tuple[MatchHeader, GameState]:
        if self.header is None or self.state is None:
            raise TypeError("the header comes first")
        return self.header, self.state


def _moves(entries: Sequence[Entry], start: int, end: int) -> Sequence[Entry]:
    """The moves from one entry on, up to the next that is none."""
    stop = start
    while stop < end and entries[stop].kind == MOVE:
        stop += 1
    return entries[start:stop]
