"""Protobuf read without passing anything over."""

from google.protobuf.json_format import MessageToJson
from google.protobuf.message import DecodeError, Message


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
