"""How far the audit of a record has come: the entries, the state and the guards after the last good one."""

from collections.abc import Callable, Iterable
from typing import Final, TypeAlias

from records.audit.good_states import GoodStates
from records.audit.rule_change import RuleChange
from records.audit.unproven import UnprovenReads
from records.entry import ENTRY_VERSION_1, Entry, EntryKind, MatchHeader, MatchId
from records.games.state import GameState
from records.log.contract import LogUnreadable, UnreadableEntry
from records.replay.disclosure import public_digest
from records.replay.guards import Guards
from records.replay.seals import Sealing
from records.verdict import BadVerdict, CorruptAt, DivergedAt, Unjudged

EntryCheck: TypeAlias = Callable[[MatchHeader, GameState, Entry], str | None]
"""A further check of a good entry, given the state before it: returns what is wrong, or None."""

OTHER_STATE: Final = "the record has another state (digest) than the rules lead to"


class AuditProgress:
    """The entries of a record that could be read, and what is known after those that are good."""

    def __init__(
        self,
        match: MatchId,
        entries: Iterable[Entry],
        change: RuleChange | None = None,
        check: EntryCheck | None = None,
        *,
        complete: bool = False,
    ) -> None:
        self.match = match
        self.change = change
        self.check = check
        self.complete = complete
        self.kept: list[Entry] = []
        """The entries that could be read."""
        self.unread: BadVerdict | None = None
        """The verdict on the entry after these, if it could not be read."""
        try:
            self.kept += entries
        except LogUnreadable as fault:
            sequence = fault.sequence if isinstance(fault, UnreadableEntry) else None
            self.unread = CorruptAt(len(self.kept) if sequence is None else sequence, str(fault))
        self.linked, self.broken = 0, ""
        """The number of entries, from the first, with intact hash chain, and what is wrong with the next."""
        self.bad: BadVerdict | None = None
        """The verdict on the first bad entry."""
        self.missing_game = ""
        """Why the record cannot be judged here, if its game is not installed."""
        self.header: MatchHeader | None = None
        self.state: GameState | None = None
        self.guards: Guards | None = None
        self.guards_before: list[Guards] = []
        """The guards before each entry, by sequence, without disputes; empty if the record needs none."""
        self.seed: bytes | None = None
        """The seed of all sealed orders, if the record reveals it."""
        self.lacking = False
        """Whether something is left out, so that the state is not known in full."""
        self.unjudged: list[Unjudged] = []
        """The good entries that could be judged only as far as they are shown."""
        self.reads = UnprovenReads()
        self.problems: tuple[str, ...] = ()
        """The invariants that the last state breaks, in words."""
        self.due = 0
        """The sequence of the first entry that is not known to be good."""
        self.past = GoodStates()

    def _has_choices(self) -> bool:
        """Whether seats may choose in secret, so that each move is judged by who is asked."""
        header, state = self._known()
        return header.entry_version != ENTRY_VERSION_1 and state.has_choices()

    def _guards_now(self) -> Guards:
        """The guards before the entry that is due."""
        guards = self.guards_before[self.due] if self.due < len(self.guards_before) else self.guards
        if guards is None:
            raise TypeError("the header was not read")
        return guards

    def _is_over(self) -> bool:
        """Whether nothing is played after the last good entry."""
        closed = self.kept[self.due - 1].kind == EntryKind.CLOSE
        return closed or self._now().outcome() is not None

    def _sealing_now(self) -> Sealing | None:
        """The sealing before the entry that is due; None if nothing is sealed."""
        return self.guards_before[self.due].sealing if self.guards_before else None

    def _restore(self, after: GameState, entry: Entry) -> DivergedAt | None:
        """Continue from an earlier state, if the digest in the record is that of the state."""
        header, _ = self._known()
        if self.change is None and public_digest(header, after) != entry.state:
            return DivergedAt(self.due, OTHER_STATE)
        self._go_on(after)
        return None

    def _go_on(self, after: GameState) -> None:
        self.past.add(self.due, lambda _: after)
        self.due += 1
        self.state = after

    def _now(self) -> GameState:
        """The state after the last good entry."""
        return self._known()[1]

    def _known(self) -> tuple[MatchHeader, GameState]:
        if self.header is None or self.state is None:
            raise TypeError("the header was not read")
        return self.header, self.state
