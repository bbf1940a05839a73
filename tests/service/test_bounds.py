"""Every field of a request has a bound, which its comment states and which is checked before it is parsed."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message_factory import GetMessageClass
from hypothesis import given
from hypothesis import strategies as st
from shiji.record.v1 import entry_pb2 as entries
from shiji.record.v1 import record_service_pb2 as pb

from service import bounds
from service.bounds import bounds_check, count_bound, message_of, size_bound
from service.errors import CallError, Reason
from service.rpc import DESCRIPTOR
from tests.project.places import ROOT

PROTOS = ROOT / "protos"
REQUESTS = [method.input_type for method in DESCRIPTOR.methods]


def fields_of(message: Descriptor, seen: set[str] | None = None) -> Iterator[FieldDescriptor]:
    """The fields that a request can contain, with those inside of messages."""
    seen = set() if seen is None else seen
    if message.full_name in seen:
        return
    seen.add(message.full_name)
    for field in message.fields:
        yield field
        if field.message_type is not None:
            yield from fields_of(field.message_type, seen)


BOUNDED = {
    field.full_name: field
    for request in REQUESTS
    for field in fields_of(request)
    if size_bound(field) is not None or count_bound(field) is not None
}


def comment_of(field: FieldDescriptor) -> str:
    """The comment above a field in its .proto file."""
    lines = Path(PROTOS / message_of(field).file.name).read_text("utf-8").splitlines()
    start = lines.index(f"message {message_of(field).name} {{")
    at = next(
        at for at in range(start, len(lines)) if re.search(rf" {field.name} = {field.number};", lines[at])
    )
    comment: list[str] = []
    while lines[at - 1].lstrip().startswith("//"):
        at -= 1
        comment.insert(0, lines[at].strip(" /"))
    return " ".join(comment)


@pytest.mark.parametrize("name", BOUNDED)
def test_the_comment_of_a_field_states_its_bound(name: str) -> None:
    field = BOUNDED[name]
    comment = comment_of(field)
    size = None if field.name == "seat_keys" else size_bound(field)

    stated = [f"{bound:,}" for bound in (size, count_bound(field)) if bound is not None]
    assert [number for number in stated if number not in comment] == []


def test_a_new_field_without_a_bound_is_found() -> None:
    with pytest.raises(bounds.UnboundedField, match=r"Refusal\."):
        bounds_check(pb.Refusal.DESCRIPTOR)


def paths_to(name: str) -> Iterator[tuple[Descriptor, list[FieldDescriptor]]]:
    """The ways from a request to a field."""

    def search(message: Descriptor, path: list[FieldDescriptor]) -> Iterator[list[FieldDescriptor]]:
        for field in message.fields:
            if field.full_name == name:
                yield [*path, field]
            elif field.message_type is not None and field not in path:
                yield from search(field.message_type, [*path, field])

    for request in REQUESTS:
        for path in search(request, []):
            yield request, path


def varint(number: int) -> bytes:
    head = b""
    while number > 127:
        head += bytes([number & 127 | 128])
        number >>= 7
    return head + bytes([number])


def delimited(field: FieldDescriptor, content: bytes) -> bytes:
    return varint(field.number << 3 | 2) + varint(len(content)) + content


def wrapped(path: list[FieldDescriptor], content: bytes) -> bytes:
    """The bytes of a request in which the last field of the path has this encoding."""
    for field in reversed(path[:-1]):
        content = delimited(field, content)
    return content


def faults(request: Descriptor, data: bytes) -> str:
    """The field that a request is refused for; empty if it is within its bounds."""
    try:
        bounds_check(request)(data)
    except CallError as fault:
        return fault.fields[0].path
    return ""


def named(path: list[FieldDescriptor]) -> str:
    return ".".join(f"{field.name}[0]" if field.is_repeated else field.name for field in path)


@pytest.mark.parametrize("name", [name for name, field in BOUNDED.items() if size_bound(field) is not None])
def test_a_field_is_refused_just_beyond_its_bound_wherever_it_is(name: str) -> None:
    most = size_bound(BOUNDED[name])
    assert most is not None
    for request, path in paths_to(name):
        full, beyond = (wrapped(path, delimited(path[-1], bytes(size))) for size in (most, most + 1))

        assert faults(request, full) == ""
        assert faults(request, beyond) == named(path)


@pytest.mark.parametrize("name", [name for name, field in BOUNDED.items() if count_bound(field) is not None])
def test_a_repeated_field_is_refused_with_one_value_too_many(name: str) -> None:
    field, most = BOUNDED[name], count_bound(BOUNDED[name])
    assert most is not None
    packed = field.message_type is None and size_bound(field) is None
    full, beyond = (
        delimited(field, b"\1" * count) if packed else delimited(field, b"") * count
        for count in (most, most + 1)
    )

    assert faults(message_of(field), full) == ""
    assert faults(message_of(field), beyond) == field.name


def test_characters_are_counted_and_not_bytes() -> None:
    for letter in "aß史🀄":
        move = pb.AppendMoveRequest(move=entries.Move(text=letter * bounds.MAX_MOVE_TEXT_CHARS))
        assert faults(pb.AppendMoveRequest.DESCRIPTOR, move.SerializeToString()) == ""
        move.move.text += letter
        assert faults(pb.AppendMoveRequest.DESCRIPTOR, move.SerializeToString()) == "move.text"


def test_a_number_that_is_repeated_without_packing_is_counted_too() -> None:
    sharers = pb.StartMatchRequest.DESCRIPTOR.fields_by_name["sharers"]
    one = varint(sharers.number << 3) + b"\1"

    assert faults(pb.StartMatchRequest.DESCRIPTOR, one * bounds.MAX_SEATS_PER_REQUEST) == ""
    assert faults(pb.StartMatchRequest.DESCRIPTOR, one * (bounds.MAX_SEATS_PER_REQUEST + 1)) == "sharers"


def test_fields_that_no_build_knows_are_counted() -> None:
    unknown = varint(500 << 3) + b"\1"

    assert faults(pb.GetMatchRequest.DESCRIPTOR, unknown * bounds.MAX_REQUEST_FIELDS) == ""
    assert faults(pb.GetMatchRequest.DESCRIPTOR, unknown * (bounds.MAX_REQUEST_FIELDS + 1)) == "request"


@given(st.sampled_from(REQUESTS), st.binary(max_size=300))
def test_any_bytes_are_within_bounds_or_refused(request_type: Descriptor, data: bytes) -> None:
    reason = None
    try:
        bounds_check(request_type)(data)
    except CallError as fault:
        reason = fault.reason

    assert reason in {None, Reason.BAD_FIELD, Reason.UNREADABLE_REQUEST}


@given(st.sampled_from(REQUESTS), st.binary(max_size=100))
def test_whatever_parses_and_is_small_is_within_bounds(request_type: Descriptor, text: bytes) -> None:
    message = GetMessageClass(request_type)()
    for field in request_type.fields:
        if field.type == FieldDescriptor.TYPE_BYTES and not field.is_repeated:
            setattr(message, field.name, text[: size_bound(field)])

    assert faults(request_type, message.SerializeToString()) == ""
