"""The text that the entries of a record hold, and whether it may enter one."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from records.codec.concealment import decode_close
from records.codec.evidence import decode_dispute, decode_request, decode_resolution
from records.codec.header import decode_header, decode_retraction
from records.entry import Entry, EntryKind, MatchHeader
from records.text import (
    MAX_COMPONENTS_CHARS,
    MAX_NAME_CHARS,
    MAX_PERSONAL_FIELD_CHARS,
    MAX_REQUEST_ID_CHARS,
    MAX_STATEMENT_CHARS,
    MAX_TAG_VALUE_CHARS,
    BadText,
    check_text,
)

_MAX_STORED_REQUEST: Final = MAX_REQUEST_ID_CHARS + len("/20000")
"""Characters of a stored request id: the second entry of a request has its id with /2 behind it."""


class FieldText(NamedTuple):
    """A text, the field that holds it and how long it may be."""

    field: str
    text: str
    most: int


def check_statement(kind: int, move: bytes) -> None:
    """BadText if what an entry of this kind states is nothing that a record takes.

    Raises CorruptHeader, CorruptRetraction or CorruptEvidence where it cannot be read.
    """
    for field, text, most in _statements(kind, move):
        check_text(field, text, most)


def check_header(header: MatchHeader) -> None:
    """BadText if the header holds text that no record takes."""
    for field, text, most in _header_texts(header):
        check_text(field, text, most)


def entry_text_fault(entry: Entry) -> BadText | None:
    """The first text of a stored or sent entry that no record takes any more; None where there is none.

    An entry that cannot be read has none: reading it is the audit's.
    """
    try:
        check_text("request", entry.request, _MAX_STORED_REQUEST)
        if entry.kind != EntryKind.MOVE:
            check_statement(entry.kind, entry.move)
    except BadText as fault:
        return fault
    except ValueError:
        return None
    return None


def _statements(kind: int, move: bytes) -> Iterator[FieldText]:
    match kind:
        case EntryKind.HEADER:
            yield from _header_texts(decode_header(move))
        case EntryKind.RETRACT:
            yield FieldText("reason", decode_retraction(move).reason, MAX_STATEMENT_CHARS)
        case EntryKind.OPEN_DISPUTE:
            yield FieldText("claim", decode_dispute(move).claim, MAX_STATEMENT_CHARS)
        case EntryKind.RESOLVE_DISPUTE:
            yield FieldText("decision", decode_resolution(move).decision, MAX_STATEMENT_CHARS)
        case EntryKind.REQUEST_TAKEBACK:
            yield FieldText("reason", decode_request(move).reason, MAX_STATEMENT_CHARS)
        case EntryKind.CLOSE:
            yield FieldText("reason", decode_close(move).reason, MAX_STATEMENT_CHARS)
        case _:
            return


def _header_texts(header: MatchHeader) -> Iterator[FieldText]:
    setup = header.setup
    yield FieldText("game", header.game, MAX_NAME_CHARS)
    yield FieldText("edition", setup.edition, MAX_NAME_CHARS)
    yield FieldText("components", setup.components, MAX_COMPONENTS_CHARS)
    for place, name in enumerate(setup.seats):
        yield FieldText(f"seats[{place}]", name, MAX_NAME_CHARS)
    for place, (name, value) in enumerate(setup.rulings):
        yield FieldText(f"rulings[{place}].name", name, MAX_NAME_CHARS)
        yield FieldText(f"rulings[{place}].value", value, MAX_NAME_CHARS)
    for place, (name, value) in enumerate(setup.options):
        yield FieldText(f"options[{place}].name", name, MAX_NAME_CHARS)
        yield FieldText(f"options[{place}].value", value, MAX_NAME_CHARS)
    for place, (name, value) in enumerate(header.tags):
        yield FieldText(f"tags[{place}].name", name, MAX_NAME_CHARS)
        yield FieldText(f"tags[{place}].value", value, MAX_TAG_VALUE_CHARS)
    for place, each in enumerate(header.people):
        yield FieldText(f"people[{place}].field", each.field, MAX_PERSONAL_FIELD_CHARS)
