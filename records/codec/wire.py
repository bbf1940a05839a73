"""Protobuf read without passing anything over."""

from typing import Final

import msgspec
from google.protobuf.json_format import MessageToJson
from google.protobuf.message import DecodeError, Message

_DEFAULTS: Final[tuple[object, ...]] = (0, "", "0", [])
"""What as_json prints for fields that are not set, beside the names of enums; false and 0.0 equal 0.

An empty object is none: it is a message that is set. Events have no maps.
"""

_UNSET_ENUM: Final = "_UNSPECIFIED"
"""How the name of every enum's zero ends: buf lint demands it."""


class Garbled(ValueError):
    """The bytes are no message of this kind, or one that makes no sense."""


class UnknownField(Garbled):
    """The message has a field that this build does not know, and that may change what all of it means."""


def parse(message: Message, data: bytes) -> None:
    """Fill an empty message; raises Garbled or UnknownField."""
    _fill(message, data)
    message.DiscardUnknownFields()
    if message.ByteSize() != len(data):
        # Fields are missing now, or were written at greater length than need be, which does no harm.
        known = message.ByteSize()
        message.Clear()
        _fill(message, data)
        if message.ByteSize() != known:
            raise UnknownField("the message has a field that this build does not know")


def _fill(message: Message, data: bytes) -> None:
    try:
        message.ParseFromString(data)
    except DecodeError:
        raise Garbled("the bytes are no protobuf message of this kind") from None


def as_json(message: Message) -> str:
    """The message on one line, for people; nothing is left out."""
    return MessageToJson(
        message, indent=None, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )


def same_json(one: bytes, other: bytes) -> bool:
    """Whether two texts by as_json, perhaps of different builds, are of the same message.

    A build that knows a further field prints its default, so one text may lack fields that have their
    default in the other. Never both: fields are only ever added.
    """
    try:
        return _same(msgspec.json.decode(one), msgspec.json.decode(other))
    except (msgspec.DecodeError, ValueError, RecursionError):
        return False


def _same(one: object, other: object) -> bool:
    if isinstance(one, dict) and isinstance(other, dict):
        more, fewer = (one, other) if len(one) > len(other) else (other, one)
        return fewer.keys() <= more.keys() and all(
            _same(value, fewer[name]) if name in fewer else _is_default(value) for name, value in more.items()
        )
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return type(one) is type(other) and one == other


def _is_default(value: object) -> bool:
    return value in _DEFAULTS or (isinstance(value, str) and value.endswith(_UNSET_ENUM))
