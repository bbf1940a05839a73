"""Concealed parts of entries, and the entries of sealed choices, as protobuf bytes."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from shiji.record.v1 import evidence_pb2 as pb

from records.codec.evidence import CorruptEvidence, read, read_opening, write_opening, written
from records.evidence.concealment import (
    CHOICE,
    MAX_CONTENT_BYTES,
    MAX_PARTS,
    SALT_SIZE,
    VIEW,
    Commitment,
    Part,
)
from records.evidence.sealing import OpenedPlace

_KINDS = {VIEW: pb.PART_KIND_VIEW, CHOICE: pb.PART_KIND_CHOICE}


@dataclass(frozen=True, slots=True)
class Hidden:
    """What an archive keeps of an entry of version 2 outside its hash."""

    parts: tuple[Part, ...] = ()
    """Every concealed part that the server has seen, in the order of their places."""
    openings: tuple[OpenedPlace, ...] = ()
    """The places of sealed orders that the entry drew."""


@dataclass(frozen=True, slots=True)
class Choose:
    """A seat makes a sealed choice."""

    held: bool
    """Whether the service knows the choice; if not, the seat sealed it itself and must open it."""


@dataclass(frozen=True, slots=True)
class OpenChoice:
    """A seat opens the choice that it sealed itself."""

    choice: int
    """The sequence of the entry with the choice."""


@dataclass(frozen=True, slots=True)
class RevealedChoice:
    """A choice as it was sealed."""

    seat: int
    sequence: int
    """Of the entry with the choice, or with the arbiter's answer in its place."""
    salt: bytes
    """Of the choice; empty for an answer by the arbiter."""
    move: bytes


@dataclass(frozen=True, slots=True)
class AnswerFor:
    """The arbiter answers for a seat that did not choose or open."""

    seat: int
    move: bytes


@dataclass(frozen=True, slots=True)
class Close:
    """The arbiter ends the match without a result."""

    reason: str = ""


def encode_hidden(hidden: Hidden) -> bytes:
    """The bytes of what is kept outside the hash; none where there is nothing."""
    parts, openings = map(write_part, hidden.parts), map(write_opening, hidden.openings)
    return written(pb.Hidden(parts=parts, openings=openings))


_PARTS: Final = 0x0A
"""The first byte of the message: the field of its parts. What follows is their length."""
_SALT: Final = bytes((0x12, SALT_SIZE))
"""The first bytes of a part with place 0: the field of its salt, and the salt's length."""
_CONTENT: Final = 0x1A
"""The byte after the salt: the field of the content. What follows is its length."""
_LONGER: Final = 0x80
"""A byte of a length from which on another follows, with the next seven bits."""
_ONLY_PART_BYTES: Final = 2 + 2 + SALT_SIZE + 2 + 2
"""Fewer bytes hold no part with a content of two bytes or more."""

_RECENT_PARTS: Final = 64
"""Hidden parts that are kept decoded: each check of an entry reads those of the same entry again."""


@lru_cache(maxsize=_RECENT_PARTS)
def decode_hidden(data: bytes) -> Hidden:
    """What is kept outside the hash, as the bytes encode it, or CorruptEvidence."""
    return _read_only_part(data) or read_by_message(data)


def read_by_message(data: bytes) -> Hidden:
    """The same for any bytes, through the generated message."""
    message = read(pb.Hidden(), data, "hidden part of an entry")
    return Hidden(read_parts(message.parts), tuple(map(read_opening, message.openings)))


def _read_only_part(data: bytes) -> Hidden | None:
    """What is kept of most draws: the one part, and nothing else; None if the bytes are anything else.

    It reads the bytes that encode_hidden writes for that in a fifth of the time of the generated message.
    """
    size = len(data)
    if size < _ONLY_PART_BYTES or data[0] != _PARTS:
        return None
    at, end = 2, 2 + data[1]
    if data[1] >= _LONGER:
        at, end = 3, 3 + data[1] - _LONGER + data[2] * _LONGER
        if data[2] >= _LONGER:
            return None
    if end != size or data[at : at + 2] != _SALT or data[at + 34] != _CONTENT:
        return None
    start = at + 36
    length = data[start - 1]
    if length >= _LONGER:
        length += (data[start] - 1) * _LONGER
        start += 1
        if data[start - 1] >= _LONGER:
            return None
    if start + length != size:
        return None
    return Hidden((Part(0, data[at + 2 : at + 34], data[start:]),))


def write_part(part: Part) -> pb.Part:
    """The message of a part."""
    return pb.Part(place=part.place, salt=part.salt, content=part.content)


def read_parts(messages: Iterable[pb.Part]) -> tuple[Part, ...]:
    """The parts that messages encode, or CorruptEvidence where no entry has such parts."""
    parts: list[Part] = []
    for message in messages:
        place = message.place
        if place >= MAX_PARTS or (parts and place <= parts[-1].place):
            raise CorruptEvidence(f"part {place}: places are from 0 to {MAX_PARTS - 1}, each once, in order")
        if len(message.salt) != SALT_SIZE:
            raise CorruptEvidence(f"part {place}: a salt has {SALT_SIZE} bytes, not {len(message.salt)}")
        if len(message.content) > MAX_CONTENT_BYTES:
            raise CorruptEvidence(f"part {place}: a part has at most {MAX_CONTENT_BYTES} bytes")
        parts.append(Part(place, message.salt, message.content))
    return tuple(parts)


def write_commitment(commitment: Commitment) -> pb.Commitment:
    """The message of what everybody sees of a part."""
    return pb.Commitment(kind=_KINDS[commitment.kind], audience=commitment.audience, digest=commitment.digest)


def encode_choose(choose: Choose) -> bytes:
    """The bytes of a sealed choice."""
    return written(pb.Choose(held=choose.held))


def decode_choose(data: bytes) -> Choose:
    """The sealed choice that the bytes encode, or CorruptEvidence."""
    return Choose(read(pb.Choose(), data, "sealed choice").held)


def encode_open_choice(opened: OpenChoice) -> bytes:
    """The bytes of an entry that opens a choice."""
    return written(pb.OpenChoice(choice=opened.choice))


def decode_open_choice(data: bytes) -> OpenChoice:
    """The choice that is opened, as the bytes encode it, or CorruptEvidence."""
    return OpenChoice(read(pb.OpenChoice(), data, "opened choice").choice)


def encode_reveal(choices: tuple[RevealedChoice, ...]) -> bytes:
    """The bytes of revealed choices."""
    return written(
        pb.RevealChoices(
            choices=[
                pb.RevealedChoice(seat=each.seat, sequence=each.sequence, salt=each.salt, move=each.move)
                for each in choices
            ]
        )
    )


def decode_reveal(data: bytes) -> tuple[RevealedChoice, ...]:
    """The choices that the bytes reveal, or CorruptEvidence where seats are not in order, each once."""
    message = read(pb.RevealChoices(), data, "list of revealed choices")
    seats = [each.seat for each in message.choices]
    if sorted(set(seats)) != seats:
        raise CorruptEvidence("choices are revealed in the order of seats, each seat once")
    return tuple(RevealedChoice(each.seat, each.sequence, each.salt, each.move) for each in message.choices)


def encode_answer(answer: AnswerFor) -> bytes:
    """The bytes of an answer by the arbiter."""
    return written(pb.AnswerFor(seat=answer.seat, move=answer.move))


def decode_answer(data: bytes) -> AnswerFor:
    """The arbiter's answer that the bytes encode, or CorruptEvidence."""
    message = read(pb.AnswerFor(), data, "answer by the arbiter")
    return AnswerFor(message.seat, message.move)


def encode_close(close: Close) -> bytes:
    """The bytes of an end without a result."""
    return written(pb.Close(reason=close.reason))


def decode_close(data: bytes) -> Close:
    """The end without a result that the bytes encode, or CorruptEvidence."""
    return Close(read(pb.Close(), data, "close of a match").reason)
