"""Valid requests for every method, and mutations of them that are nearly valid."""

import random
from collections.abc import Iterator
from typing import Final

from google.protobuf import text_format
from google.protobuf.descriptor import FieldDescriptor, MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.protobuf.text_encoding import CEscape

GOOD: Final = {
    "StartMatch": (
        'request_id: "fuzz" game: "qin" seats: "green" seats: "violet" chance: CHANCE_SERVICE',
        (
            'request_id: "fuzz 2" game: "qin" edition: "qin/1" components: "map:R../..." seats: "a" '
            'seats: "b" rulings { name: "fair-start" value: "redeal-all" } tags { name: "Event" value: "x" }'
        ),
    ),
    "AppendMove": (
        'match_id: "{match}" expected_sequence: 4 request_id: "one" move { text: "violet pass" }',
        (
            'match_id: "{match}" expected_sequence: 4 request_id: "two" '
            'move { encoded { actor { seat: 1 } data: "\\n\\020\\n\\006\\010\\003\\022\\002i5" } }'
        ),
    ),
    "AppendMoves": (
        (
            'match_id: "{match}" expected_sequence: 4 request_id: "all" '
            'moves { text: "violet pass" } moves { text: "green Re8Re9" } brief: true'
        ),
    ),
    "Play": (
        'append { match_id: "{match}" expected_sequence: 4 request_id: "play" move { text: "violet pass" } }',
    ),
    "CheckMove": (
        'stored { match_id: "{match}" sequence: 3 } move { text: "violet pass" }',
        'position { game: "qin" line: "{position}" } move { text: "green Re8Re9" }',
        'transcript: "{transcript}" move { text: "green Re8Re9" }',
    ),
    "ListLegalMoves": (
        'stored { match_id: "{match}" } actor { seat: 1 } page_size: 3 page_token: "2"',
        (
            'stored { match_id: "{match}" } page_size: 3 '
            'filter { places: "e9" places: "f9" kind: "place tile" text: "r f9" }'
        ),
        'position { game: "qin" line: "{position}" } page_size: 3',
        'transcript: "{transcript}" page_size: 3',
    ),
    "GetMatch": ('match_id: "{match}"',),
    "ListMatches": (
        'game: "qin" seat: "green" state: MATCH_STATE_OPEN start_time { seconds: 1 } page_size: 3',
        'end_time { seconds: 8589934592 nanos: 5 } page_token: "1"',
        'order: MATCH_ORDER_NEWEST_FIRST match_id_prefix: "0" audit: AUDIT_STATE_NONE text: "green vio"',
    ),
    "GetState": (
        'match_id: "{match}" sequence: 2 viewer { seat: 1 } with_drawing: true',
        'match_id: "{match}" viewer { onlooker: ONLOOKER_AUDITOR } with_svg: true',
    ),
    "ReadRecord": ('match_id: "{match}" from_sequence: 1 viewer { seat: 1 }',),
    "FollowRecord": ('match_id: "{match}" from_sequence: 1 viewer { seat: 1 }',),
    "FollowArchive": ("after_position: 1 viewer { onlooker: ONLOOKER_AUDITOR }",),
    "ImportRecord": ('content: "{transcript}"',),
    "ExportRecord": ('match_id: "{match}" format: RECORD_FORMAT_RECORD',),
    "AuditMatch": ('match_id: "{match}"',),
    "AuditArchive": ("since_position: 2 with_verified: true",),
    "Retract": (
        (
            'match_id: "{match}" expected_sequence: 4 request_id: "back" to_sequence: 1 actor { seat: 1 } '
            'reason: "a slip"'
        ),
    ),
    "RotateKey": (
        (
            'match_id: "{match}" expected_sequence: 4 request_id: "key" actor { seat: 1 } signature: "x" '
            'rotation { public_key: "k" signature: "s" }'
        ),
    ),
}
"""Valid requests by method; values in braces depend on the match and are filled in."""

COMMON: Final = {
    "match_id": 'match_id: "{match}"',
    "expected_sequence": "expected_sequence: 4",
    "request_id": 'request_id: "common"',
    "actor": "actor { seat: 1 }",
}
"""Fields that most other requests have, with a valid value."""

NUMBERS: Final = (0, 1, 2, 7, 255, 2**15, 2**31 - 1, 2**31, 2**32 - 1, 2**53, 2**63 - 1, 2**63, 2**64 - 1)
TEXTS: Final = ("", " ", "\x00", "green", "qin", "史記", "?", "../..", "a" * 101, "x" * 5000, "-1", "9" * 30)
SIZES: Final = (0, 1, 5, 40, 70_000)


def mutants(method: MethodDescriptor, values: dict[str, str], dice: random.Random) -> Iterator[bytes]:
    """Requests with one to five mutations; a fifth of them also have a random byte changed on the wire."""
    kind = GetMessageClass(method.input_type)
    common = " ".join(COMMON[name] for name in method.input_type.fields_by_name if name in COMMON)
    while True:
        message = kind()
        line = dice.choice(GOOD.get(method.name, (common,)))
        for name, value in values.items():
            line = line.replace(f"{{{name}}}", CEscape(value.encode(), as_utf8=False))
        text_format.Parse(line, message)
        for _ in range(dice.choice((1, 1, 2, 5))):
            mutate(message, dice)
        data = bytearray(message.SerializeToString())
        if data and dice.random() < 0.2:
            data[dice.randrange(len(data))] = dice.randrange(256)
        yield bytes(data)


def mutate(message: Message, dice: random.Random) -> None:
    """Changes one field, anywhere in the message."""
    fields: list[FieldDescriptor] = [*message.DESCRIPTOR.fields]
    field = dice.choice(fields)
    if dice.random() < 0.15:
        message.ClearField(field.name)
    elif field.message_type is None:
        value = random_value(field, dice)
        if field.is_repeated:
            getattr(message, field.name).extend([value] * dice.choice((1, 2, 50)))
        else:
            setattr(message, field.name, value)
    elif field.is_repeated:
        items = getattr(message, field.name)
        if not items or dice.random() < 0.3:
            items.add()
        mutate(dice.choice(items), dice)
    else:
        inner: Message = getattr(message, field.name)
        inner.SetInParent()
        mutate(inner, dice)


def random_value(field: FieldDescriptor, dice: random.Random) -> int | str | bytes | bool:
    """A value that the type of the field allows, preferably at a limit."""
    match field.cpp_type:
        case FieldDescriptor.CPPTYPE_BOOL:
            return dice.random() < 0.5
        case FieldDescriptor.CPPTYPE_STRING:
            is_text = field.type == FieldDescriptor.TYPE_STRING
            return dice.choice(TEXTS) if is_text else dice.randbytes(dice.choice(SIZES))
        case FieldDescriptor.CPPTYPE_UINT64:
            return dice.choice(NUMBERS)
        case FieldDescriptor.CPPTYPE_INT64:
            return dice.choice(NUMBERS) - 2**63
        case FieldDescriptor.CPPTYPE_UINT32:
            return dice.choice(NUMBERS) % 2**32
        case _:
            return dice.choice(NUMBERS) % 2**32 - 2**31
