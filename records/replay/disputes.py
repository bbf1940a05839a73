"""Open disputes and takeback requests at each point of a record, which keeps all of them for ever."""

from dataclasses import dataclass, replace

from records.codec.evidence import (
    decode_dispute,
    decode_grant,
    decode_request,
    decode_resolution,
)
from records.entry import (
    ARBITER_NUMBER,
    CHANCE_NUMBER,
    DisputePolicy,
    Entry,
    EntryKind,
    MatchHeader,
)


class Disallowed(ValueError):
    """An entry that the open disputes and requests do not allow."""


class Frozen(Disallowed):
    """A move while the match waits for an open dispute."""


@dataclass(frozen=True, slots=True)
class OpenRequest:
    """A seat's request to take entries back, and the agreements to it so far."""

    sequence: int
    """The sequence of the entry with the request."""
    seat: int
    to_sequence: int
    granted: tuple[int, ...] = ()
    """The other seats that have agreed."""


@dataclass(frozen=True, slots=True)
class Disputes:
    """The disputes and the request that are open at one point of a record."""

    seats: int
    freezes: bool
    open: tuple[int, ...] = ()
    """The sequences of the entries that opened the disputes that are not settled."""
    request: OpenRequest | None = None

    @classmethod
    def of(cls, header: MatchHeader) -> "Disputes":
        """Nothing is open at the start of a match."""
        return cls(len(header.setup.seats), header.disputes is DisputePolicy.FREEZE)

    def may_take_back(self, actor: int, to_sequence: int) -> bool:
        """Whether all other seats have agreed that this seat takes back to this sequence."""
        asked = self.request
        return (
            asked is not None
            and (asked.seat, asked.to_sequence) == (actor, to_sequence)
            and len(asked.granted) == self.seats - 1
        )

    def after(self, entry: Entry) -> "Disputes":
        """What is open after the entry; raises Disallowed, or CorruptEvidence if it cannot be read."""
        match entry.kind:
            case EntryKind.MOVE | EntryKind.CHOOSE | EntryKind.OPEN_CHOICE | EntryKind.ANSWER_FOR:
                if self.freezes and self.open:
                    raise Frozen(f"the match waits until the dispute of entry {self.open[0]} is settled")
                goes_on = self.request is not None and entry.actor != CHANCE_NUMBER
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
        if entry.actor == CHANCE_NUMBER:
            raise Disallowed("chance cannot open a dispute")
        if decode_dispute(entry.move).at_sequence >= entry.sequence:
            raise Disallowed("a dispute must be about an earlier entry")
        return replace(self, open=(*self.open, entry.sequence))

    def _resolved(self, entry: Entry) -> "Disputes":
        dispute = decode_resolution(entry.move).dispute
        if entry.actor != ARBITER_NUMBER:
            raise Disallowed("only the arbiter can settle a dispute")
        if dispute not in self.open:
            raise Disallowed(f"entry {dispute} did not open a dispute that is still unsettled")
        return replace(self, open=tuple(each for each in self.open if each != dispute))

    def _requested(self, entry: Entry) -> "Disputes":
        to_sequence = decode_request(entry.move).to_sequence
        if not 0 <= entry.actor < self.seats:
            raise Disallowed("only seats request a takeback; the arbiter takes back without a request")
        if to_sequence >= entry.sequence - 1:
            raise Disallowed(
                f"nothing can be taken back from entry {entry.sequence - 1} to entry {to_sequence}"
            )
        return replace(self, request=OpenRequest(entry.sequence, entry.actor, to_sequence))

    def _granted(self, entry: Entry) -> "Disputes":
        asked = self.request
        if asked is None or decode_grant(entry.move).request != asked.sequence:
            raise Disallowed("there is no such request any more: a request is open until the next move")
        if not 0 <= entry.actor < self.seats or entry.actor in {asked.seat, *asked.granted}:
            raise Disallowed("each of the other seats agrees once")
        return replace(self, request=replace(asked, granted=(*asked.granted, entry.actor)))
