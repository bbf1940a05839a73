"""Entries of a record in words. The words are part of released file formats: do not change them."""

from collections.abc import Iterator, Sequence
from typing import Final

from records.codec.concealment import decode_answer, decode_close, decode_open_choice, decode_reveal
from records.codec.evidence import decode_dispute, decode_grant, decode_request, decode_resolution
from records.codec.header import decode_rotation
from records.codec.shape import CorruptEvents, CorruptMove
from records.entry import RETRACT, Entry, EntryKind, MatchHeader, actor_of
from records.evidence.ed25519 import PublicKey
from records.evidence.signing import key_id
from records.games.state import GameState
from records.replay.disclosure import in_full
from records.replay.fold import NOTICES, BadRecord, open_record, retracted_to
from rules.kernel.actors import Actor, Office, Seat

_CHOICES: Final = frozenset(
    {EntryKind.CHOOSE, EntryKind.OPEN_CHOICE, EntryKind.REVEAL_CHOICES, EntryKind.ANSWER_FOR}
)


def actor_name(header: MatchHeader, actor: Actor) -> str:
    """The name of an actor: of a seat its name, of an office its title."""
    if isinstance(actor, Office):
        return actor.value
    seats = header.setup.seats
    return seats[actor] if actor < len(seats) else f"seat {actor}"


def describe_entry(header: MatchHeader, before: GameState, entry: Entry) -> str:
    """An entry as one line: a move in notation, or a sentence about a retraction or notice.

    Raises CorruptMove, CorruptRecord or ValueError if the entry cannot be read.
    """
    actor = actor_of(entry.actor)
    if entry.kind == RETRACT:
        return f"{actor_name(header, actor)} goes back to entry {retracted_to(entry)}"
    if entry.kind in _CHOICES:
        return f"{actor_name(header, actor)} {_choice_text(before, entry)}"
    if entry.kind in NOTICES:
        return f"{actor_name(header, actor)} {_notice_text(entry)}"
    if not isinstance(actor, Office) and actor >= len(header.setup.seats):
        raise ValueError(f"there is no seat {actor}")
    return before.write_move(before.parse_bytes(actor, in_full(entry)[0]))


def _notice_text(entry: Entry) -> str:
    """The predicate of the sentence about a notice."""
    match EntryKind(entry.kind):
        case EntryKind.ROTATE_KEY:
            return f"signs with the key {key_id(PublicKey(decode_rotation(entry.move).key))} from here on"
        case EntryKind.SEAL:
            return "seals the order of what is drawn"
        case EntryKind.COMMIT_SHARE:
            return "commits to a share of it"
        case EntryKind.REVEAL_SHARE:
            return "reveals its share"
        case EntryKind.UNSEAL:
            return "lays open all that was sealed"
        case EntryKind.OPEN_DISPUTE:
            dispute = decode_dispute(entry.move)
            return f"disputes entry {dispute.at_sequence}: {dispute.claim}"
        case EntryKind.RESOLVE_DISPUTE:
            resolution = decode_resolution(entry.move)
            return f"settles the dispute of entry {resolution.dispute}: {resolution.decision}"
        case EntryKind.REQUEST_TAKEBACK:
            request = decode_request(entry.move)
            return f"asks to go back to entry {request.to_sequence}: {request.reason}"
        case EntryKind.GRANT_TAKEBACK:
            return f"grants what entry {decode_grant(entry.move).request} asks for"
        case EntryKind.CLOSE:
            reason = decode_close(entry.move).reason
            return f"closes the match: {reason}" if reason else "closes the match"
        case _:
            raise ValueError("this is no notice")


def _choice_text(before: GameState, entry: Entry) -> str:
    """The predicate of the sentence about an entry of a sealed choice."""
    if entry.kind == EntryKind.CHOOSE:
        return "chooses in secret"
    if entry.kind == EntryKind.OPEN_CHOICE:
        return f"opens the choice of entry {decode_open_choice(entry.move).choice}"
    if entry.kind == EntryKind.ANSWER_FOR:
        answer = decode_answer(entry.move)
        return f"answers: {_answer_text(before, answer.seat, answer.move)}"
    choices = [_answer_text(before, each.seat, each.move) for each in decode_reveal(entry.move)]
    return f"reveals: {', '.join(choices)}"


def explain_entry(before: GameState, entry: Entry) -> str:
    """The names of the cards that an entry chooses or reveals and what they do, where its text has their ids.

    Raises CorruptMove, CorruptRecord or ValueError if the entry cannot be read.
    """
    match EntryKind(entry.kind):
        case EntryKind.MOVE:
            return before.display.explain(before.parse_bytes(actor_of(entry.actor), in_full(entry)[0]))
        case EntryKind.ANSWER_FOR:
            answer = decode_answer(entry.move)
            return _explained(before, [(answer.seat, answer.move)])
        case EntryKind.REVEAL_CHOICES:
            return _explained(before, [(each.seat, each.move) for each in decode_reveal(entry.move)])
        case _:
            return ""


def _explained(before: GameState, answers: Sequence[tuple[int, bytes]]) -> str:
    names = before.setup.seats
    found = [
        (seat, before.display.explain(before.parse_bytes(Seat(seat), move)))
        for seat, move in answers
        if seat < len(names)
    ]
    return "; ".join(f"{names[seat]}: {words}" for seat, words in found if words)


def _answer_text(before: GameState, seat: int, move: bytes) -> str:
    if seat >= len(before.setup.seats):
        raise ValueError(f"there is no seat {seat}")
    return before.write_move(before.parse_bytes(Seat(seat), move))


def describe_entries(entries: Sequence[Entry]) -> Iterator[tuple[str | None, tuple[str, ...]]]:
    """The text and the events (JSON) of each entry; nothing for the header and what cannot be folded."""
    past: list[GameState] = []
    header: MatchHeader | None = None
    for entry in entries:
        text: str | None = None
        events: tuple[str, ...] = ()
        try:
            if header is None:
                opened = open_record(entry)
                header = opened.header
                past.append(opened.start)
            elif len(past) == entry.sequence:
                text, events = (
                    describe_entry(header, past[-1], entry),
                    past[-1].events_as_json(in_full(entry)[1]),
                )
                past.append(_after(past, entry))
        except (BadRecord, CorruptMove, CorruptEvents, ValueError):
            text, events = None, ()
        yield text, events


def _after(past: Sequence[GameState], entry: Entry) -> GameState:
    if entry.kind in NOTICES:
        return past[-1]
    return past[retracted_to(entry)] if entry.kind == RETRACT else past[-1].fold(in_full(entry)[1])
