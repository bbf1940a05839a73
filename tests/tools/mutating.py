"""Mutants of records: changed as a forger would who recomputes every hash."""

import json
import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace

import msgspec
from msgspec import structs

from records.codec.concealment import Hidden, decode_hidden, encode_hidden
from records.codec.shape import CorruptEvents
from records.entry import Entry, EntryKind, with_hash
from records.evidence.concealment import (
    format_concealed,
    parse_concealed,
)
from records.evidence.sealing import OpenedPlace
from records.files.record_file import write_record
from records.replay.disclosure import in_full, public_digest
from records.replay.fold import CHANGES, BadRecord, open_record
from tests.tools.forging import forged, recommitted
from tests.tools.forging_choices import is_revealed, with_other_choice

FIELDS = [name for name in Entry.__struct_fields__ if name not in {"position", "previous", "hash"}]
Path = tuple[str | int, ...]
"""The way to a value in a JSON document."""
DONATED_PARTS = 2
"""The mutation that takes the parts of another entry."""
OTHER_CHOICES = 0.2
"""How often another choice is forged where choices were revealed."""
HIGHEST = {"kind": max(EntryKind).value}
"""Higher kinds have no meaning in any build."""


def file_of(entries: Sequence[Entry], first_line: bytes | None) -> bytes:
    """The record file, or the bundle with this envelope; raises UnwritableRecord."""
    data = b"".join(write_record(entries))
    return data if first_line is None else first_line + b"\n" + data


def mutated(entries: Sequence[Entry], dice: random.Random) -> list[Entry]:
    """The record with something changed, digests sometimes and hashes always recomputed."""
    choices = OTHER_CHOICES if is_revealed(entries) else 0
    while True:
        if dice.random() < choices:
            mutant = rechained(with_other_choice(entries, dice))
        else:
            mutant = rechained(forged(entries, dice)) if dice.random() < 0.5 else altered(entries, dice)
        if mutant != list(entries):
            return mutant


def is_prefix(mutant: Sequence[Entry], entries: Sequence[Entry]) -> bool:
    """Whether a mutant is the record cut off, which nobody can see in it."""
    return list(mutant) == list(entries[: len(mutant)])


def altered(entries: Sequence[Entry], dice: random.Random) -> list[Entry]:
    """The record with an entry changed, moved, repeated, removed, or the last it has."""
    sealed = bool(open_record(entries[0]).header.pledge)
    changed = list(entries)
    place = any_place(entries, dice)
    # Whole moves in another order, with fitting digests, are the record of another match that may be legal:
    # only signatures tell them apart.
    redigests = any(entry.signature for entry in entries)
    match dice.randrange(10):
        case 0:
            del changed[place:]
            changed = changed or list(entries[:1])
        case 1 if place:
            del changed[place]
        case 2:
            changed.insert(place, changed[dice.randrange(len(changed))])
        case 3:
            other = any_place(entries, dice)
            changed[place], changed[other] = changed[other], changed[place]
        case 4 | 5 | 6 if any(entry.secret for entry in entries) and entries[0].concealed:
            drawn = [number for number, entry in enumerate(entries) if len(entry.concealed) > 1]
            place = dice.choice(drawn)
            changed[place] = with_other_parts(
                changed[place], changed[dice.choice(drawn)], dice, sealed=sealed
            )
        case _:
            redigests = True
            field = dice.choice(FIELDS)
            value = getattr(dice.choice(entries) if dice.random() < 0.4 else changed[place], field)
            other_value = mutated_value(value, dice, HIGHEST.get(field, 500))
            changed[place] = structs.replace(changed[place], **{field: other_value})
    if dice.random() < 0.9:
        changed = [structs.replace(entry, sequence=number) for number, entry in enumerate(changed)]
    if redigests and dice.random() < 0.6:
        changed = redigested(changed)
    return rechained(changed)


def any_place(entries: Sequence[Entry], dice: random.Random) -> int:
    """The place of an entry, of a rare kind as often as of a frequent one."""
    kind = dice.choice(sorted({entry.kind for entry in entries}))
    return dice.choice([place for place, entry in enumerate(entries) if entry.kind == kind])


def rechained(entries: Sequence[Entry]) -> list[Entry]:
    chain: list[Entry] = []
    for entry in entries:
        previous = chain[-1].hash if chain else bytes(32)
        chain.append(with_hash(structs.replace(entry, previous=previous)))
    return chain


def mutated_value(value: object, dice: random.Random, highest: int) -> object:
    match value:
        case int():
            return dice.choice((value, value + 1, max(value - 1, 0), 0, 1, highest))
        case str():
            return dice.choice((value, f"{value}~", "other"))
        case bytes():
            at = dice.randrange(len(value) + 1)
            middle = bytes([value[at] ^ 1 << dice.randrange(8)]) if at < len(value) else b"\0"
            return dice.choice((value, b"", value[:at] + middle + value[at + 1 :], value[:at], value[at:]))
        case _:
            raise TypeError(f"no field of an entry is {value!r}")


def with_other_parts(entry: Entry, donor: Entry, dice: random.Random, *, sealed: bool) -> Entry:
    """The entry with other concealed parts, openings or commitments; a forger can compute the digests.

    Where nothing is sealed or signed, a whole draw of another entry may make the record of another match.
    """
    parts, openings = list(hidden(entry).parts), list(hidden(entry).openings)
    theirs = hidden(donor)
    commitments = list(parse_concealed(entry.concealed))
    what = dice.randrange(9)
    match what:
        case 0:
            parts = parts[1:]
        case 1:
            openings = openings[1:]
        case 2:  # DONATED_PARTS
            parts = list(theirs.parts)
        case 3:
            openings = list(theirs.openings)
        case 4 if parts:
            at = dice.randrange(len(parts))
            name = dice.choice(("salt", "content"))
            other = mutated_value(getattr(parts[at], name), dice, 0)
            parts[at] = structs.replace(parts[at], **{name: other})
        case 5 if openings:
            at = dice.randrange(len(openings))
            openings[at] = with_other_token(openings[at], dice)
        case 6:
            at = dice.randrange(len(commitments))
            audience = dice.choice((0, 1, 2, 3, 4, commitments[at].audience))
            commitments[at] = structs.replace(commitments[at], audience=audience)
        case 7:
            del commitments[dice.randrange(len(commitments))]
        case _:
            commitments = list(parse_concealed(donor.concealed))
    if dice.random() < 0.6 and (sealed or what != DONATED_PARTS):
        commitments = recommitted(entry, commitments, parts)
    return structs.replace(
        entry,
        concealed=format_concealed(commitments),
        secret=encode_hidden(Hidden(tuple(parts), tuple(openings))),
    )


def hidden(entry: Entry) -> Hidden:
    return decode_hidden(entry.secret) if entry.secret else Hidden()


def with_other_token(opened: OpenedPlace, dice: random.Random) -> OpenedPlace:
    return dice.choice(
        (
            replace(opened, index=opened.index + 1),
            replace(opened, token=f"{opened.token}~"),
            replace(opened, salt=bytes(32)),
            replace(opened, proof=opened.proof[1:]),
            replace(opened, deck="other"),
        )
    )


def redigested(entries: list[Entry]) -> list[Entry]:
    """With the digests that the recorded events lead to, as far as they can be folded."""
    digested: list[Entry] = []
    with suppress(BadRecord, CorruptEvents, ValueError):
        opened = open_record(entries[0])
        state = opened.start
        for entry in entries:
            if entry.kind == EntryKind.RETRACT:
                break
            if entry.kind in CHANGES:
                state = state.fold(in_full(entry)[1])
            digested.append(structs.replace(entry, state=public_digest(opened.header, state)))
    return [*digested, *entries[len(digested) :]]


def mutated_envelope(line: bytes, dice: random.Random) -> bytes:
    """An envelope in canonical form of which one value is another."""
    fields: object = json.loads(line)
    while True:
        path = dice.choice(paths(fields)[1:])
        other = msgspec.json.encode(changed_at(fields, path, lambda value: other_json(value, dice)))
        if other != line:
            return other


def paths(value: object) -> list[Path]:
    """Where each value of a JSON document is, the document itself first."""
    inner: list[tuple[str | int, object]] = []
    if isinstance(value, dict):
        inner = list(value.items())
    elif isinstance(value, list):
        inner = list(enumerate(value))
    return [(), *((key, *path) for key, each in inner for path in paths(each))]


def changed_at(value: object, path: Path, change: Callable[[object], object]) -> object:
    if not path:
        return change(value)
    key, *rest = path
    if isinstance(value, dict):
        return {**value, key: changed_at(value[key], tuple(rest), change)}
    assert isinstance(value, list)
    return [changed_at(each, tuple(rest), change) if at == key else each for at, each in enumerate(value)]


def other_json(value: object, dice: random.Random) -> object:
    match value:
        case bool() | None:
            return dice.choice((0, 1, "", None))
        case int():
            return dice.choice((value + 1, value - 1, 0, None))
        case str():
            at = dice.randrange(len(value) + 1)
            return dice.choice((value[:at], f"{value[:at]}0{value[at + 1 :]}", "", None))
        case list():
            return dice.choice((value[1:], [*value, *value[:1]], value[::-1], None))
        case _:
            return dice.choice((None, {}))
