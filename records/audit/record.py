"""The audit of one record: every entry is checked, judged again and compared with what the record says."""

from collections.abc import Iterable, Sequence
from typing import Final

from records.audit.choices import (
    CHOICE_KINDS,
    ChoiceContext,
    judge_choice,
    missing_reveal,
    open_move_fault,
)
from records.audit.concealed_run import judge_run
from records.audit.ending import end_fault
from records.audit.links import intact_links
from records.audit.move import JudgedMove, SealedContext, judge_sealed, other_events
from records.audit.notices import NoticeContext, notice_fault
from records.audit.parts import PartsContext, judge_parts
from records.audit.progress import OTHER_STATE, AuditProgress, EntryCheck
from records.audit.reading import read_moves
from records.audit.rule_change import RuleChange
from records.codec.evidence import CorruptEvidence
from records.codec.shape import CorruptEvents, CorruptMove
from records.entry import (
    ENTRY_VERSION_1,
    MOVE,
    RETRACT,
    Entry,
    EntryKind,
    MatchHeader,
    MatchId,
    actor_number,
    actor_of,
)
from records.files.comments import unwritable
from records.games.registry import UnknownGame
from records.games.state import BatchVerdict, GameState
from records.replay.disclosure import conceals, public_digest, shows_all
from records.replay.disputes import Disputes
from records.replay.entry_rules import actor_fault, entry_fault
from records.replay.fold import (
    NOTICES,
    BadRecord,
    need_guards,
    open_record,
    retracted_to,
    unknown_kind,
)
from records.replay.guards import GuardRejected
from records.replay.policies import crosses_draw, may_not_retract
from records.replay.wording import describe_entry
from records.verdict import (
    AuditReport,
    BadVerdict,
    CorruptAt,
    DivergedAt,
    IllegalAt,
    Unjudged,
    Verdict,
    Verified,
    VerifiedAsShown,
)
from rules.kernel.actors import CHANCE
from rules.kernel.edition import UnknownEdition, UnknownOption, UnknownRuling
from rules.kernel.setup import BadSetup

_LOST: Final = "the archive lacks what was drawn here: it was removed, or imported without it"


def audit_record(
    match: MatchId,
    entries: Iterable[Entry],
    *,
    change: RuleChange | None = None,
    check: EntryCheck | None = None,
    complete: bool = False,
) -> AuditReport:
    """Audit what should be the record of a match; unreadable bytes lead to a verdict, not to an exception.

    With changed rules, the moves are judged by those and their events compared with the record. Digests are
    not compared then, since other rules may have other states. A `complete` record is one from an archive,
    which holds everything that its server has seen: it is corrupt if something is left out of it.
    """
    audit = RecordAudit(match, entries, change, check, complete=complete)
    audit.link()
    audit.judge()
    return audit.report()


class RecordAudit(AuditProgress):
    """The audit of one record in steps: the constructor reads it, then call link(), judge() and report().

    An audit of several records takes each step for all of them, which keeps the processor's caches warm.
    """

    def link(self) -> None:
        """Find out how far the hash chain is intact."""
        self.linked, self.broken = intact_links(self.match, self.kept)

    def judge(self) -> None:
        """Find the first bad entry."""
        entries = self.kept
        if not entries:
            return
        self.bad = self._open(entries[0], self.broken if not self.linked else None)
        linked, broken = self._check_guards(entries, self.linked, self.broken)
        while self.bad is None and self.due < linked:
            run = _moves(entries, self.due, linked)
            self.bad = self._judge(run) if run else self._other(entries[self.due])
        if self.bad is None and broken:
            self.bad = CorruptAt(linked, broken)

    def report(self) -> AuditReport:
        """The report on the record."""
        # Before anything else is asked of the state: a forged one may have no outcome.
        self.problems = self.state.problems() if self.state else ()
        verdict = self.bad or self.unread or self._end()
        count = len(self.kept) + (self.unread is not None)
        good = max(self.due - 1, 0)
        return AuditReport(
            self.match,
            verdict,
            max(count - 1, 0),
            good,
            self.header,
            self.state,
            impossible=bool(self.problems),
        )

    def _check_guards(self, entries: Sequence[Entry], linked: int, broken: str) -> tuple[int, str]:
        """The number of linked entries that pass the guards, and what is wrong with the next."""
        guards = self.guards
        if guards is None or (guards.idle and not need_guards(entries)):
            return linked, broken
        for entry in entries[:linked]:
            self.guards_before.append(guards.without_disputes())
            try:
                guards = guards.after(entry)
            except GuardRejected as fault:
                return entry.sequence, str(fault)
        self.guards = guards
        if guards.sealing is not None and guards.sealing.secret:
            self.seed = guards.sealing.seed(guards.sealing.secret)
        return linked, broken

    def _end(self) -> Verdict:
        """The verdict on a record whose entries are all good: its end and its stated result."""
        if self.state is None or self.header is None:
            return CorruptAt(0, "the record has no entries")
        bad = end_fault(self.header, self.state, self.problems, self.due - 1)
        if bad is not None:
            return bad
        unjudged = sorted([*self.unjudged, *self.reads.unjudged()], key=lambda each: each.sequence)
        return VerifiedAsShown(tuple(unjudged)) if unjudged else Verified()

    def _open(self, entry: Entry, why: str | None) -> BadVerdict | None:
        try:
            opened = open_record(entry)
        except BadRecord as fault:
            if why is None and isinstance(fault.__cause__, UnknownGame):
                self.missing_game = fault.why
            return CorruptAt(0, why or fault.why)
        self.header, start, self.guards = opened.header, opened.start, opened.guards
        if self.change is not None:
            try:
                start = opened.game.start(self.change.applied(opened.game, opened.header.setup))
            except (BadSetup, UnknownEdition, UnknownRuling, UnknownOption) as fault:
                return DivergedAt(0, f"the match cannot be set up: {fault}")
        self.state = start  # shown to people, even if the entry turns out to be bad
        if why is not None:
            return CorruptAt(0, why)
        why = entry_fault(opened.header, entry) or unwritable(opened.game, opened.header)
        if why is not None:
            return CorruptAt(0, why)
        return self._restore(start, entry)

    def _judge(self, run: Sequence[Entry]) -> BadVerdict | None:
        """Judge consecutive moves."""
        header, state = self._known()
        concealed = conceals(header, state)
        if header.pledge or concealed or self._has_choices():
            if concealed and self._take_concealed(header, run):
                return None
            return self._judge_each(header, run)
        exact = header.entry_version != ENTRY_VERSION_1 and self.change is None
        candidates, corrupt = read_moves(header, state, run, exact=exact)
        judged = state.judge_all(candidates)
        bad = self._take(header, run[: len(judged.events)], judged)
        if bad is not None:
            return bad
        if judged.wrong is not None:
            text = self._now().write_move(candidates[len(judged.events)])
            return IllegalAt(self.due, text, judged.wrong.violations)
        return None if corrupt is None else CorruptAt(self.due, corrupt)

    def _take(self, header: MatchHeader, run: Sequence[Entry], judged: BatchVerdict) -> BadVerdict | None:
        """Advance over legal moves as long as the record has their events and digests."""
        if not run:
            return None
        states = [entry.state for entry in run]
        digests = states
        if self.change is None:
            whole = shows_all(header, self._now())
            digests = judged.digests() if whole else judged.public_digests()
        if self.check is None and digests == states and judged.events == [entry.events for entry in run]:
            self._advance(len(run), judged)
            return None
        for place, (entry, events, digest) in enumerate(zip(run, judged.events, digests, strict=True)):
            bad = self._compare(header, entry, events)
            if bad is None and digest != entry.state:
                bad = DivergedAt(self.due, OTHER_STATE)
            if bad is not None:
                return bad
            self._go_on(judged.state(place))
        return None

    def _take_concealed(self, header: MatchHeader, run: Sequence[Entry]) -> bool:
        """Advance over moves with concealed parts, if all is as it should be and nothing is left out.

        Otherwise nothing is done: each move has to be judged by itself.
        """
        ordinary = self.change is None and self.check is None and not self.lacking
        if not ordinary or header.pledge or self._has_choices():
            return False
        judged = judge_run(header, self._now(), run)
        if judged is not None:
            self._advance(len(run), judged)
        return judged is not None

    def _advance(self, moves: int, judged: BatchVerdict) -> None:
        """Go on after a number of good moves."""
        self.past.add(self.due, judged.state)
        self.due += moves
        self.state = judged.state(-1)

    def _compare(self, header: MatchHeader, entry: Entry, events: bytes) -> BadVerdict | None:
        """Compare the events of a legal move with the record, and run the further check."""
        if events != entry.events:
            bad = other_events(self._now(), entry, events, exact=header.entry_version != ENTRY_VERSION_1)
            if bad is not None:
                return bad
        if self.check is not None:
            why = self.check(header, self._now(), entry)
            if why is not None:
                return DivergedAt(self.due, why)
        return None

    def _other(self, entry: Entry) -> BadVerdict | None:
        header, _ = self._known()
        if entry.kind != RETRACT and entry.kind not in NOTICES and entry.kind not in CHOICE_KINDS:
            return CorruptAt(self.due, unknown_kind(entry).why)
        why = entry_fault(header, entry)
        if why is not None:
            return CorruptAt(self.due, why)
        if entry.kind == RETRACT:
            return self._retract(entry)
        if entry.kind in CHOICE_KINDS:
            return self._judge_choice(header, entry)
        context = NoticeContext(self._sealing_now(), self.seed, self._is_over(), self.change is not None)
        why = notice_fault(header, self._now(), entry, context)
        if why is not None:
            return DivergedAt(self.due, why)
        return self._restore(self._now(), entry) or (
            self._not_unsealed(header) if entry.kind == EntryKind.CLOSE else None
        )

    def _judge_each(self, header: MatchHeader, run: Sequence[Entry]) -> BadVerdict | None:
        """Judge consecutive moves of a match in which something is concealed."""
        for entry in run:
            bad = self._judge_one(header, entry)
            if bad is not None:
                return bad
        return None

    def _judge_one(self, header: MatchHeader, entry: Entry) -> BadVerdict | None:
        before = self._now()
        is_old = header.entry_version == ENTRY_VERSION_1
        fault = actor_fault(header, entry.kind, entry.actor) if is_old else entry_fault(header, entry)
        if fault is not None:
            return CorruptAt(self.due, fault)
        why = open_move_fault(header, before, entry.actor)
        if why is not None:
            return DivergedAt(self.due, why)
        try:
            judged = self._judge_old(before, entry) if is_old else self._judge_parts(header, before, entry)
        except (CorruptMove, CorruptEvidence, CorruptEvents) as bad:
            return CorruptAt(self.due, f"the entry cannot be read: {bad}")
        if not isinstance(judged, JudgedMove):
            return judged
        sequence, sealing = self.due, self._sealing_now()
        refused = self._accept(header, entry, judged)
        if refused is None and sealing is not None and self._leaves_unproven(entry):
            self.reads.note_draw(before, sealing, sequence)
        return refused

    def _leaves_unproven(self, entry: Entry) -> bool:
        """Whether something of the draw may be proven only later; an archive is trusted with that."""
        is_sealed = self.seed is None and self.change is None and not self.complete
        return is_sealed and entry.actor == actor_number(CHANCE)

    def _judge_old(self, before: GameState, entry: Entry) -> JudgedMove | BadVerdict:
        sealing = self._sealing_now()
        if sealing is None:
            raise TypeError("the match is sealed")
        context = SealedContext(sealing, self.seed, self.lacking, self.change is not None)
        return judge_sealed(before, entry, context)

    def _judge_parts(self, header: MatchHeader, before: GameState, entry: Entry) -> JudgedMove | BadVerdict:
        hides, sealing = conceals(header, before), self._sealing_now()
        context = PartsContext(hides, sealing, self.seed, self.lacking, self.change is not None)
        return judge_parts(before, entry, context)

    def _judge_choice(self, header: MatchHeader, entry: Entry) -> BadVerdict | None:
        choices = self.guards_before[self.due].choices
        asked = self.past.after(choices.first - 1) if choices.answers else self._now()
        context = ChoiceContext(header, self._now(), asked, choices, self.seed)
        try:
            judged = judge_choice(entry, context)
        except (CorruptMove, CorruptEvidence, CorruptEvents) as fault:
            return CorruptAt(self.due, f"the entry cannot be read: {fault}")
        if not isinstance(judged, JudgedMove):
            return judged
        bad = self._accept(header, entry, judged)
        if bad is not None or entry.kind == EntryKind.REVEAL_CHOICES:
            return bad
        following = self.kept[self.due] if self.due < len(self.kept) else None
        if following is not None and following.kind == EntryKind.REVEAL_CHOICES:
            return None
        why = missing_reveal(self._now(), self._guards_now().choices)
        return None if why is None else DivergedAt(self.due - 1, why)

    def _accept(self, header: MatchHeader, entry: Entry, judged: JudgedMove) -> BadVerdict | None:
        """Advance over a good move, if the digest is right and nothing is lost."""
        if judged.left_out and self.complete:
            return CorruptAt(self.due, _LOST)
        self.lacking = self.lacking or judged.lacking
        if self.change is None and public_digest(header, judged.after) != entry.state:
            return DivergedAt(self.due, OTHER_STATE)
        if self.check is not None and (why := self.check(header, self._now(), entry)) is not None:
            return DivergedAt(self.due, why)
        if judged.unjudged is not None:
            self.unjudged.append(Unjudged(self.due, judged.unjudged))
        self._go_on(judged.after)
        return self._not_unsealed(header)

    def _not_unsealed(self, header: MatchHeader) -> BadVerdict | None:
        """The verdict on a sealed match that is over and whose secret does not follow at once."""
        if header.entry_version == ENTRY_VERSION_1 or not header.pledge or not self._is_over():
            return None
        sealing = self._guards_now().sealing
        if sealing is None or not sealing.shared:
            return None  # closed before anything could be sealed
        following = self.kept[self.due] if self.due < len(self.kept) else None
        if following is None or following.kind != EntryKind.UNSEAL:
            return DivergedAt(self.due - 1, "the match is over, and what was sealed is not revealed with it")
        return None

    def _retract(self, entry: Entry) -> BadVerdict | None:
        header, state = self._known()
        try:
            actor, after = actor_of(entry.actor), self.past.after(retracted_to(entry))
        except BadRecord as fault:
            return CorruptAt(self.due, fault.why)
        except ValueError as fault:
            return CorruptAt(self.due, str(fault))
        disputes = self.guards_before[self.due].disputes if self.guards_before else Disputes.of(header)
        back_to = retracted_to(entry)
        violation = may_not_retract(header, actor, disputes, back_to)
        if violation is None and header.entry_version != ENTRY_VERSION_1:
            violation = crosses_draw(header, actor, map(self.kept.__getitem__, range(back_to + 1, self.due)))
        if violation is not None:
            return IllegalAt(self.due, describe_entry(header, state, entry), (violation,))
        return self._restore(after, entry)


def _moves(entries: Sequence[Entry], start: int, end: int) -> Sequence[Entry]:
    """The consecutive moves from one entry on."""
    stop = start
    while stop < end and entries[stop].kind == MOVE:
        stop += 1
    return entries[start:stop]
