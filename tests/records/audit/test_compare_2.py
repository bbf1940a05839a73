"""Two records of a match of version 2, which may show different parts."""

import pytest
from msgspec import structs

from records.audit.compare import Branch, compare
from records.audit.record import audit_record
from records.codec.concealment import Hidden, encode_hidden
from records.entry import Entry
from records.evidence.concealment import VIEW, Commitment, Part, format_concealed
from records.evidence.sealing import OpenedPlace
from tests.records.log.making import entry

PARTS = (Part(0, b"s" * 32, b"for green"), Part(1, b"t" * 32, b"for violet"))
OPENED = OpenedPlace(3, "RB", b"o" * 32, (), "tiles")


NOTHING = Hidden()


def record(hidden: Hidden = NOTHING, match: str = "m", digest: bytes = bytes(32)) -> list[Entry]:
    """A header and a draw with two concealed parts."""
    first = entry(match, 0, concealed=format_concealed(()), request="start")
    committed = [Commitment(VIEW, audience, digest) for audience in (1, 2)]
    drawn = entry(match, 1, first.hash, actor=-1, concealed=format_concealed(committed), request="draw")
    return [first, structs.replace(drawn, secret=encode_hidden(hidden))]


def branch(entries: list[Entry]) -> Branch:
    return Branch(audit_record(entries[0].match, entries), tuple(entries))


@pytest.mark.parametrize("kept", [0, 1])
def test_a_part_that_only_one_of_them_shows_is_no_difference(kept: int) -> None:
    whole = record(Hidden(PARTS, (OPENED,)))
    redacted = record(Hidden(PARTS[kept : kept + 1]))

    for other in (redacted, record()):
        assert compare(branch(whole), branch(other)).identical == 2
    assert compare(branch(whole), branch(redacted)).same


@pytest.mark.parametrize(
    ("hidden", "field"),
    [
        (Hidden((Part(1, b"t" * 32, b"another card"),)), "parts"),
        (Hidden((Part(1, b"u" * 32, b"for violet"),)), "parts"),
        (Hidden((), (OpenedPlace(3, "RR", b"o" * 32, (), "tiles"),)), "openings"),
    ],
)
def test_another_part_in_the_same_place_is_one(hidden: Hidden, field: str) -> None:
    compared = compare(branch(record(Hidden(PARTS, (OPENED,)))), branch(record(hidden)))

    assert compared.fields == (field,)
    assert compared.contradict


def test_another_digest_is_a_difference_even_where_no_part_is_shown() -> None:
    compared = compare(branch(record()), branch(record(digest=b"d" * 32)))

    assert compared.fields == ("hash", "concealed")
    assert compared.contradict


def test_parts_that_cannot_be_read_are_a_difference() -> None:
    first, drawn = record(Hidden(PARTS))

    compared = compare(branch([first, drawn]), branch([first, structs.replace(drawn, secret=b"\xff")]))

    assert compared.fields == ("secret",)


def test_the_salts_of_another_match_are_no_difference() -> None:
    salted_anew = tuple(structs.replace(part, salt=b"z" * 32) for part in PARTS)

    here = branch(record(Hidden(PARTS)))

    assert compare(here, branch(record(Hidden(salted_anew), match="other", digest=b"d" * 32))).same
    other = compare(here, branch(record(Hidden((Part(0, b"s" * 32, b"for me"),)), match="other")))
    assert other.fields == ("parts",)
