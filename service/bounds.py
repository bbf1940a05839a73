"""How large each field of a request may be, checked on its bytes before anything is parsed.

Every string, bytes and repeated field that a request can contain has a bound here, and the same number in its
comment in the .proto files; tests/service/test_bounds.py compares the two, so that a new field without a
bound fails the build. Numbers and enums are bounded by their type.
"""

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from google.protobuf.descriptor import Descriptor, FieldDescriptor

from records.text import (
    MAX_COMPONENTS_CHARS,
    MAX_NAME_CHARS,
    MAX_PERSON_ID_CHARS,
    MAX_PERSONAL_FIELD_CHARS,
    MAX_PERSONAL_VALUE_CHARS,
    MAX_REQUEST_ID_CHARS,
    MAX_STATEMENT_CHARS,
    MAX_TAG_VALUE_CHARS,
)
from service.errors import CallError, Reason, bad_field

MAX_MATCH_ID_CHARS: Final = 100
"""Characters of a match id: ours have 36, but imported records keep their ids."""

MAX_MOVE_TEXT_CHARS: Final = 4096
MAX_MOVE_BYTES: Final = 65_536
"""Size of one move as text and encoded, far above what any game needs."""

MAX_MOVES_PER_REQUEST: Final = 1000
"""Moves of one AppendMoves request, which are judged and written as a whole."""

MAX_TRANSCRIPT_CHARS: Final = 1_048_576
"""Characters of a transcript that a question brings along: a record of 20,000 entries with comments fits."""

MAX_POSITION_CHARS: Final = 131_072
"""Characters of a position line: twice the largest components, which it may repeat."""

MAX_CHOICES: Final = 100
"""Rulings, and options, of a match: no game has a third as many."""

MAX_SEATS_PER_REQUEST: Final = 16
"""Seats of a match, their keys and their shares: four times what any game takes."""

MAX_TAGS: Final = 200
MAX_PEOPLE: Final = 100
"""Tags and personal facts of a match, which every listing of it reads."""

MAX_SEARCH_CHARS: Final = 200
"""Characters of the words that matches are searched by."""

MAX_PAGE_TOKEN_CHARS: Final = 18
"""Digits of a page token: every such number fits into 64 bits."""

MAX_EXPORT_TOKEN_CHARS: Final = 40
"""Characters of the page token of an export: two numbers and half of a digest."""

MAX_FILTER_PLACES: Final = 20
"""Places that moves are filtered by: more than any move is about."""

SIGNATURE_BYTES: Final = 64
HASH_BYTES: Final = 32
"""Ed25519 signatures; SHA-256 hashes, salts, shares, and Ed25519 keys."""

MAX_REQUEST_FIELDS: Final = 8192
"""Fields of one request in all, counted with those inside of messages and those that this build does not
know: 1,000 encoded moves have 5,000. Bounds the work of looking at a request to a few milliseconds."""

_BY_NAME: Final[Mapping[str, int]] = {
    "match_id": MAX_MATCH_ID_CHARS,
    "request_id": MAX_REQUEST_ID_CHARS,
    "game": MAX_NAME_CHARS,
    "page_token": MAX_PAGE_TOKEN_CHARS,
    "reason": MAX_STATEMENT_CHARS,
    "signature": SIGNATURE_BYTES,
    "salt": HASH_BYTES,
    "transcript": MAX_TRANSCRIPT_CHARS,
}
"""Bounds of fields that mean the same in every message: characters of strings, bytes of bytes."""

_BY_FIELD: Final[Mapping[str, int]] = {
    "StartMatchRequest.edition": MAX_NAME_CHARS,
    "StartMatchRequest.components": MAX_COMPONENTS_CHARS,
    "StartMatchRequest.seats": MAX_NAME_CHARS,
    "StartMatchRequest.seat_keys": HASH_BYTES,
    "StartMatchRequest.arbiter_key": HASH_BYTES,
    "Ruling.name": MAX_NAME_CHARS,
    "Ruling.value": MAX_NAME_CHARS,
    "Option.name": MAX_NAME_CHARS,
    "Option.value": MAX_NAME_CHARS,
    "Tag.name": MAX_NAME_CHARS,
    "Tag.value": MAX_TAG_VALUE_CHARS,
    "Person.person_id": MAX_PERSON_ID_CHARS,
    "Person.field": MAX_PERSONAL_FIELD_CHARS,
    "Person.value": MAX_PERSONAL_VALUE_CHARS,
    "Actor.name": MAX_NAME_CHARS,
    "Move.text": MAX_MOVE_TEXT_CHARS,
    "EncodedMove.data": MAX_MOVE_BYTES,
    "PositionLine.line": MAX_POSITION_CHARS,
    "ListMatchesRequest.seat": MAX_NAME_CHARS,
    "ListMatchesRequest.match_id_prefix": MAX_MATCH_ID_CHARS,
    "ListMatchesRequest.text": MAX_SEARCH_CHARS,
    "MoveFilter.places": MAX_NAME_CHARS,
    "MoveFilter.kind": MAX_NAME_CHARS,
    "MoveFilter.text": MAX_SEARCH_CHARS,
    "ExportRecordRequest.page_token": MAX_EXPORT_TOKEN_CHARS,
    "OpenDisputeRequest.claim": MAX_STATEMENT_CHARS,
    "ResolveDisputeRequest.decision": MAX_STATEMENT_CHARS,
    "CommitShareRequest.commitment": HASH_BYTES,
    "RevealShareRequest.share": HASH_BYTES,
    "SealChoiceRequest.digest": HASH_BYTES,
    "RotateKey.public_key": HASH_BYTES,
}
"""Bounds of the other strings and bytes; of a repeated field, of each of its values."""

_COUNTS: Final[Mapping[str, int]] = {
    "StartMatchRequest.rulings": MAX_CHOICES,
    "StartMatchRequest.options": MAX_CHOICES,
    "StartMatchRequest.seats": MAX_SEATS_PER_REQUEST,
    "StartMatchRequest.seat_keys": MAX_SEATS_PER_REQUEST,
    "StartMatchRequest.sharers": MAX_SEATS_PER_REQUEST,
    "StartMatchRequest.tags": MAX_TAGS,
    "StartMatchRequest.people": MAX_PEOPLE,
    "AppendMovesRequest.moves": MAX_MOVES_PER_REQUEST,
    "MoveFilter.places": MAX_FILTER_PLACES,
}
"""Bounds of how often a repeated field may occur."""

WHOLE_MESSAGE: Final = frozenset({"ImportRecordRequest.content", "ComparedRecord.content"})
"""Files, which are bounded by max-message-bytes alone; what is in them is bounded where it is read."""

_MAX_UTF8_BYTES: Final = 4
"""Maximum bytes of one character."""
_MAX_VARINT_BYTES: Final = 10
"""Maximum bytes of a number in a message: 64 bits, seven in each."""
_LAST_VARINT_BYTE: Final = 127
"""A byte above this says that another follows."""
_DELIMITED: Final = 2
"""The wire type of strings, bytes and messages."""


class UnboundedField(TypeError):
    """A field of a request has no bound."""


class _FieldBound:
    """What is known of a field before it is parsed."""

    __slots__ = ("count", "inner", "is_text", "name", "size")

    def __init__(self, field: FieldDescriptor) -> None:
        self.name: Final = field.name
        self.is_text: Final = field.type == FieldDescriptor.TYPE_STRING
        self.size: Final = size_bound(field)
        """Characters or bytes; None where there is no bound but that of the message."""
        self.count: Final = count_bound(field)
        """Maximum occurrences; None for a field that is not repeated."""
        self.inner: Final = None if field.message_type is None else _shape_of(field.message_type)


_Shape: TypeAlias = dict[int, _FieldBound]
"""The bounds of a message, by the numbers of its fields."""


def size_bound(field: FieldDescriptor) -> int | None:
    """The maximum size of a field in characters or bytes, None where only the message bounds it.

    Raises UnboundedField for a string or bytes that the tables do not have.
    """
    if field.type not in {FieldDescriptor.TYPE_STRING, FieldDescriptor.TYPE_BYTES}:
        return None
    name = _name_of(field)
    if name in WHOLE_MESSAGE:
        return None
    bound = _BY_FIELD.get(name, _BY_NAME.get(field.name))
    if bound is None:
        raise UnboundedField(f"{name} has no bound in service/bounds.py")
    return bound


def count_bound(field: FieldDescriptor) -> int | None:
    """How often a field may occur, None if it is not repeated; raises UnboundedField."""
    if not field.is_repeated:
        return None
    name = _name_of(field)
    if name not in _COUNTS:
        raise UnboundedField(f"{name} has no bound in service/bounds.py")
    return _COUNTS[name]


def _name_of(field: FieldDescriptor) -> str:
    return f"{message_of(field).name}.{field.name}"


def message_of(field: FieldDescriptor) -> Descriptor:
    """The message that a field belongs to."""
    if field.containing_type is None:
        raise TypeError(f"{field.full_name} belongs to no message")
    return field.containing_type


def _shape_of(message: Descriptor) -> _Shape:
    return {field.number: _FieldBound(field) for field in message.fields}


def bounds_check(message: Descriptor) -> Callable[[bytes], None]:
    """Checks the bytes of such a request; raises CallError that names the field and its bound."""
    shape = _shape_of(message)

    def check(data: bytes) -> None:
        try:
            _scan(shape, data, 0, len(data), MAX_REQUEST_FIELDS)
        except _Exceeded as fault:
            raise bad_field(fault.path, fault.why) from None
        except (IndexError, _Malformed):
            raise CallError(Reason.UNREADABLE_REQUEST, f"the bytes are not a {message.name}") from None

    return check


class _Exceeded(Exception):
    """A field exceeds its bound."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(path, why)
        self.path = path
        self.why = why


class _Malformed(Exception):
    """The bytes are no message."""


def _scan(shape: _Shape, data: bytes, at: int, end: int, fields: int) -> int:
    """Look at the fields of a message without decoding them; returns how many more there may be."""
    counts: dict[int, int] = {}
    while at < end:
        fields -= 1
        if fields < 0:
            raise _Exceeded("request", f"it has more than {MAX_REQUEST_FIELDS} fields in all")
        key, start, at = _next_field(data, at)
        if at > end:
            raise _Malformed
        bound = shape.get(key >> 3)
        if bound is None:
            continue
        is_delimited = key & 7 == _DELIMITED
        index: int | None = None
        if bound.count is not None:
            index = counts.get(key, 0)
            packed = is_delimited and bound.size is None and bound.inner is None
            counts[key] = index + (_packed_values(data, start, at, bound.count) if packed else 1)
            if counts[key] > bound.count:
                raise _Exceeded(bound.name, f"must have at most {bound.count} values")
        if not is_delimited:
            continue
        if bound.inner is not None:
            try:
                fields = _scan(bound.inner, data, start, at, fields)
            except _Exceeded as fault:
                raise _Exceeded(f"{_path(bound, index)}.{fault.path}", fault.why) from None
        elif bound.size is not None and at - start > bound.size:
            _require_size(bound, data, start, at - start, index)
    return fields


def _next_field(data: bytes, at: int) -> tuple[int, int, int]:
    """The key of the field at a place, and where its content begins and ends."""
    key, at = _varint(data, at)
    match key & 7:
        case 2:
            size, start = _varint(data, at)
            return key, start, start + size
        case 0:
            return key, at, _varint(data, at)[1]
        case 1:
            return key, at, at + 8
        case 5:
            return key, at, at + 4
        case _:  # groups, which no message of ours has
            raise _Malformed


def _require_size(bound: _FieldBound, data: bytes, start: int, size: int, index: int | None) -> None:
    """Raises _Exceeded unless the field, with more bytes than its bound, is text with fewer characters."""
    most = bound.size or 0
    if not bound.is_text:
        raise _Exceeded(_path(bound, index), f"has at most {most} bytes, not {size}")
    text = data[start : start + size]
    if size <= _MAX_UTF8_BYTES * most and not text.isascii() and len(text.decode("utf-8", "replace")) <= most:
        return
    raise _Exceeded(_path(bound, index), f"has at most {most} characters")


def _path(bound: _FieldBound, index: int | None) -> str:
    return bound.name if index is None else f"{bound.name}[{index}]"


def _packed_values(data: bytes, start: int, end: int, most: int) -> int:
    """The number of packed numbers, as far as it matters."""
    looked_at = data[start : min(end, start + _MAX_VARINT_BYTES * (most + 1))]
    return sum(byte <= _LAST_VARINT_BYTE for byte in looked_at)


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """A number, and where it ends."""
    value = data[at]
    if value <= _LAST_VARINT_BYTE:
        return value, at + 1
    value &= 127
    for index in range(1, _MAX_VARINT_BYTES):
        byte = data[at + index]
        value |= (byte & 127) << 7 * index
        if byte <= _LAST_VARINT_BYTE:
            return value, at + index + 1
    raise _Malformed
