"""What an answer says to a viewer apart from commitments, which differ with what they commit to."""

import json
from collections.abc import Sequence

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from shiji.record.v1 import entry_pb2 as entries
from shiji.record.v1 import record_service_pb2 as pb

from records.entry import ENTRY_VERSION_1, EntryKind
from tests.service.pairs import Pair

COMMITMENTS = {"GetCheckpoint", "GetInclusionProof", "GetConsistencyProof"}
"""Methods whose responses commit to other entries, the hidden ones of version 1 included. docs/security.md
says what a caller can do with that; only whether they answer is compared."""

PROVES_ONE = {"GetInclusionProof"}
"""Must not answer at all about an entry of version 1 whose own hash could confirm a guess."""

GUESSED = {"CompareRecords"}
"""Methods that answer with what the caller has sent, which may be a good guess."""

_COMMITTING = {"hash", "previous_hash", "previous", "head", "pledge", "secret", "digest", "salt", "proof"}
"""Fields of messages and keys of record files that commit to something hidden, or open what a viewer sees."""
_COMMITTING_MESSAGES = {entries.ENTRY_KIND_HEADER, entries.ENTRY_KIND_SEAL}
_COMMITTING_KINDS = {EntryKind.HEADER, EntryKind.SEAL}
"""Kinds of entries that are commitments as a whole: a header has a pledge."""


def visible(pair: Pair, method: str, answered: Sequence[Message] | str) -> object:
    """What an answer says; of commitments, how many bytes they have."""
    if isinstance(answered, str):
        return answered
    salted = is_salted(pair)
    for each in answered:
        if isinstance(each, pb.ListMatchesResponse):
            _drop_others(pair, each)
    if method in COMMITMENTS and (salted or method not in PROVES_ONE):
        return "answered"
    return [_without_commitments(message) if salted else message for message in answered]


def shows_all(pair: Pair, method: str, answered: Sequence[Message] | str) -> bool:
    """Whether an answer has the position with everything in it that is hidden from the viewer."""
    whole = pair.state.position()
    if isinstance(answered, str) or method in GUESSED or whole == pair.state.view(pair.viewer).position():
        return False
    return any(whole.encode() in message.SerializeToString() for message in answered)


def _drop_others(pair: Pair, listed: pb.ListMatchesResponse) -> None:
    """Drop the matches of other pairs, which may commit to something else; they count in the total."""
    series = pair.match.rpartition("-")[0]
    own = [each for each in listed.matches if each.match_id.rpartition("-")[0] == series]
    del listed.matches[:]
    listed.matches.extend(own)


def is_salted(pair: Pair) -> bool:
    """Whether commitments reveal nothing, and may differ between the worlds."""
    return pair.version != ENTRY_VERSION_1 or pair.start.chance == pb.CHANCE_SERVICE


def _without_commitments(message: Message) -> object:
    fields = dict[str, object]()
    for described, value in message.ListFields():
        fields[described.name] = _blank(value) if described.name in _COMMITTING else _fields(described, value)
    if isinstance(message, entries.Entry) and message.kind in _COMMITTING_MESSAGES:
        fields.pop("move", None)
        fields.pop("text", None)
    if isinstance(message, pb.ExportRecordResponse) and message.content.startswith(b"{"):
        fields["content"] = lines_without_commitments(message.content)
    return fields


def _fields(described: FieldDescriptor, value: object) -> object:
    if isinstance(value, Message):
        return _without_commitments(value)
    if described.message_type is None or described.message_type.GetOptions().map_entry:
        return value
    assert isinstance(value, Sequence)
    return [_without_commitments(each) for each in value]


def lines_without_commitments(content: bytes) -> list[object]:
    """The lines of a record file, or of other JSON."""
    return [_line(json.loads(line)) for line in content.splitlines()]


def _line(value: object) -> object:
    """A line of a record file, or a value in it."""
    if isinstance(value, list):
        return [_line(each) for each in value]
    if not isinstance(value, dict):
        return value
    line = {key: _blank(each) if key in _COMMITTING else _line(each) for key, each in value.items()}
    if line.get("kind") in _COMMITTING_KINDS and "sequence" in line:
        del line["move"]
    return line


def _blank(value: object) -> object:
    if isinstance(value, bytes | str):
        return len(value)
    return [_blank(each) for each in value] if isinstance(value, Sequence) else _line(value)
