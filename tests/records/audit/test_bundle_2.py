"""The bundle of version 2: it states digests instead of words, and shows concealed parts."""

import json
import random
import re
from collections.abc import Callable

import msgspec
import pytest

from records.audit.bundle import judge_bundle, read_bundle, write_bundle
from records.audit.envelope import UnreadableBundle
from records.entry import Entry
from records.evidence.framing import framed_hash
from records.files.record_file import read_record
from records.ledger.redaction import redacted
from records.verdict import CorruptAt, DivergedAt, Verdict, Verified, VerifiedAsShown
from rules.kernel.actors import SPECTATOR, Seat, Viewer
from tools.dev.golden_version_2 import FOLDER, LOG, WITNESS

SEALED = (FOLDER / "sealed.bundle").read_bytes()
UNSEALED = (FOLDER / "unsealed.bundle").read_bytes()
BOTH = pytest.mark.parametrize("data", [SEALED, UNSEALED], ids=["sealed", "unsealed"])
CHANGED_BYTES = 600
"""Bytes that are changed in each bundle, spread at random."""


def entries_of(data: bytes) -> list[Entry]:
    return list(read_record(data.partition(b"\n")[2]).entries)


def envelope(data: bytes) -> dict[str, dict[str, object]]:
    fields: dict[str, dict[str, object]] = json.loads(data.partition(b"\n")[0])
    return fields


def edited(change: Callable[[dict[str, dict[str, object]]], None], data: bytes = SEALED) -> bytes:
    """The bundle with another envelope, in canonical form."""
    fields = envelope(data)
    change(fields)
    return msgspec.json.encode(fields) + b"\n" + data.partition(b"\n")[2]


def verdict(data: bytes) -> Verdict:
    return judge_bundle(read_bundle(data), [LOG.verifier, WITNESS.verifier]).report.verdict


@BOTH
def test_it_is_verified_and_in_the_log(data: bytes) -> None:
    judged = judge_bundle(read_bundle(data), [LOG.verifier, WITNESS.verifier])

    assert judged.report.verdict == Verified()
    assert judged.proven.chain
    assert judged.proven.checkpoint is not None


@BOTH
def test_it_states_the_digest_of_the_last_entry_and_no_position(data: bytes) -> None:
    stated = envelope(data)["verdict"]

    assert stated["state"] == entries_of(data)[-1].state.hex()
    assert "position" not in stated
    assert b'"text"' not in data
    assert b'"told"' not in data


def test_the_components_are_bound_to_the_digest_of_the_start() -> None:
    about = envelope(SEALED)["about"]

    start = entries_of(SEALED)[0].state
    stated = framed_hash("shiji/components/2", "qin", str(about["components"]), start)
    assert about["components_hash"] == stated.hex()


@BOTH
def test_no_byte_can_be_changed(data: bytes) -> None:
    dice = random.Random(len(data))  # noqa: S311 - tests want the same bytes again
    for at in dice.sample(range(len(data)), CHANGED_BYTES):
        changed = data[:at] + bytes([data[at] ^ 1 << dice.randrange(8)]) + data[at + 1 :]
        try:
            found = verdict(changed)
        except UnreadableBundle:
            continue

        assert not isinstance(found, Verified | VerifiedAsShown), (at, data[at - 20 : at + 20])


@pytest.mark.parametrize("key", ["concealed", "parts", "openings"])
def test_nothing_concealed_can_be_removed(key: str) -> None:
    lines = SEALED.split(b"\n")
    drawn = next(at for at, line in enumerate(lines) if f'"{key}"'.encode() in line)
    fields = json.loads(lines[drawn])
    del fields[key]
    lines[drawn] = msgspec.json.encode(fields)

    assert isinstance(verdict(b"\n".join(lines)), CorruptAt | DivergedAt)


@pytest.mark.parametrize(
    ("field", "value"),
    [("state", "00" * 32), ("state", ""), ("winners", ["green"]), ("verdict", "as-shown"), ("entries", 1)],
)
def test_a_false_statement_is_found(field: str, value: object) -> None:
    def change(fields: dict[str, dict[str, object]]) -> None:
        fields["verdict"][field] = value

    assert isinstance(verdict(edited(change)), DivergedAt)


@pytest.mark.parametrize("viewer", [SPECTATOR, Seat(0)])
def test_a_redacted_bundle_says_so_itself(viewer: Viewer) -> None:
    data = write_bundle(redacted(entries_of(SEALED), viewer), None, lambda _, __: ())

    assert envelope(data)["verdict"]["verdict"] == "as-shown"
    assert isinstance(judge_bundle(read_bundle(data)).report.verdict, VerifiedAsShown)


def test_the_parts_of_a_bundle_are_of_one_version() -> None:
    other = (FOLDER / "v1-unsealed.bundle").read_bytes()
    mixed = SEALED.partition(b"\n")[0] + b"\n" + other.partition(b"\n")[2]

    with pytest.raises(UnreadableBundle, match="a bundle of version 2 holds a record file of that version"):
        read_bundle(mixed)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda fields: fields["verdict"].update(position="x"), "unknown field `position`"),
        (lambda fields: fields["verdict"].pop("state"), "missing required field `state`"),
        (lambda fields: fields.update(format="shiji-bundle/1"), "unknown field `state`|missing"),
        (lambda fields: fields.update(format="shiji-bundle/3"), "version '3' of bundles; use a newer one"),
    ],
)
def test_an_envelope_of_another_version_is_refused(
    change: Callable[[dict[str, dict[str, object]]], None], why: str
) -> None:
    with pytest.raises(UnreadableBundle, match=re.compile(why)):
        read_bundle(edited(change))
