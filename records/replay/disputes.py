"""Disputes and takebacks as entries: what was claimed, asked for, granted and settled stays for ever."""

from dataclasses import dataclass, replace
from typing import Final

from records.codec.evidence import (
    decode_dispute,
    decode_grant,
    decode_request,
    decode_resolution,
)
from records.entry import DisputePolicy, Entry, EntryKind, MatchHeader, actor_number
from rules.kernel.actors import ARBITER, CHANCE

_BY_ARBITER: Final = actor_number(ARBITER)
_BY_CHANCE: Final = actor_number(CHANCE)


class Disallowed(ValueError):
    """An entry that a dispute, a request or the lack of one does not allow."""


class Frozen(Disallowed):
    """A dispute is open, and the match waits for it."""


@dataclass(frozen=True, slots=True)
class TakebackRequest:
    """A seat asks to take back."""

    sequence: int
    """Of the entry that asks."""
    seat: int
    to_sequence: int
    granted: tuple[int, ...] = ()
    """The seats that have agreed."""


@dataclass(frozen=True, slots=True)
class Disputes:
    """What is open at one point of a record."""

    seats: int
    freezes: bool
    open: tuple[int, ...] = ()
    """The sequences of the entries that opened a dispute which is not settled."""
    request: TakebackRequest | None = None

    @classmethod
    def of(cls, header: MatchHeader) -> "Disputes":
        """Nothing is open when a match begins."""
        return cls(len(header.setup.seats), header.disputes is DisputePolicy.FREEZE)

    def may_take_back(self, actor: int, to_sequence: int) -> bool:
        """Whether all others have agreed that the seat goes back so far."""
        asked = self.request
        return (
            asked is not None
            and (asked.seat, asked.to_sequence) == (actor, to_sequence)
            and len(asked.granted) == self.seats - 1
        )

    def after(self, entry: Entry) -> "Disputes":
        """What is open after the entry; Disallowed, or CorruptEvidence where it says nothing."""
        match entry.kind:
            case EntryKind.MOVE:
                if self.freezes and self.open:
                    raise Frozen(f"the match waits until the dispute of entry {self.open[0]} is settled")
                goes_on = self.request is not None and entry.actor != _BY_CHANCE
                return replace(self, request=None) if goes_on else self
            case EntryKind.RETRACT:
                return replace(self, request=None)
            case EntryKind.OPEN_DISPUTE:
                return self._opened(entry)
            case EntryKind.RESOLVE_DISPUTE:
                return self._resolved(entry)
            case EntryKind.REQUEST_TAKEBACK:
                return self._requested(entry)
            case EntryKind.GRANT_TAKEBACK:
                return self._granted(entry)
            case _:
                return self

    def _opened(self, entry: Entry) -> "Disputes":
        if entry.actor == _BY_CHANCE:
            raise Disallowed("chance disputes nothing")
        if decode_dispute(entry.move).at_sequence >= entry.sequence:
            raise Disallowed("a dispute is about an entry that stands before it")
        return replace(self, open=(*self.open, entry.sequence))

    def _resolved(self, entry: Entry) -> "Disputes":
        dispute = decode_resolution(entry.move).dispute
        if entry.actor != _BY_ARBITER:
            raise Disallowed("only the arbiter settles a dispute")
        if dispute not in self.open:
            raise Disallowed(f"entry {dispute} opened no dispute that is not settled yet")
        return replace(self, open=tuple(each for each in self.open if each != dispute))

    def _requested(self, entry: Entry) -> "Disputes":
        to_sequence = decode_request(entry.move).to_sequence
        if not 0 <= entry.actor < self.seats:
            raise Disallowed("a seat asks to take back; the arbiter does it")
        if to_sequence >= entry.sequence - 1:
            raise Disallowed(f"from entry {entry.sequence - 1} nothing goes back to entry {to_sequence}")
        return replace(self, request=TakebackRequest(entry.sequence, entry.actor, to_sequence))

    def _granted(self, entry: Entry) -> "Disputes":
        asked = self.request
        if asked is None or decode_grant(entry.move).request != asked.sequence:
            raise Disallowed("nobody asks for that any more: a request holds until the next move")
        if not 0 <= entry.actor < self.seats or entry.actor in {asked.seat, *asked.granted}:
            raise Disallowed("each of the other seats agrees, once")
        return replace(self, request=replace(asked, granted=(*asked.granted, entry.actor)))
