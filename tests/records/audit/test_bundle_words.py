"""The words in a bundle: other builds may choose others, but none may say anything false."""

import json
from collections.abc import Callable, Iterator

import msgspec
import pytest
from google.protobuf.descriptor import Descriptor
from google.protobuf.message_factory import GetMessageClass
from hypothesis import given
from hypothesis import strategies as st
from shiji.khan.v1 import khan_pb2
from shiji.qin.v1 import qin_pb2

from records.codec.wire import as_json, same_json
from records.entry import EntryKind
from records.verdict import CorruptAt, Verdict, Verified
from tests.records.bundles import judged
from tools.dev.golden_bundle import LOG, PATH, WITNESS, make

GOLDEN = PATH.read_bytes()
LINES = GOLDEN.splitlines()[2:]
"""By sequence."""

KINDS = [EntryKind(json.loads(line)["kind"]) for line in LINES]
MOVES = [sequence for sequence, kind in enumerate(KINDS) if kind is EntryKind.MOVE]
OTHERS = [sequence for sequence in range(1, len(LINES)) if sequence not in MOVES]
UNSET: tuple[object, ...] = (0, 0.0, False, "", "0", [], "COLOUR_UNSPECIFIED")


def edited(sequence: int, change: Callable[[dict[str, object]], object]) -> bytes:
    """The bundle with another line for one entry."""
    line = json.loads(LINES[sequence])
    change(line)
    kept = GOLDEN.splitlines()
    kept[sequence + 2] = msgspec.json.encode(line)
    return b"\n".join(kept) + b"\n"


def verdict_of(sequence: int, change: Callable[[dict[str, object]], object]) -> Verdict:
    return judged(edited(sequence, change)).report.verdict


def events_of(line: dict[str, object]) -> list[dict[str, object]]:
    events = line["told"]
    assert isinstance(events, list)
    return events


def objects(value: object) -> Iterator[dict[str, object]]:
    """Every JSON object in a value."""
    if isinstance(value, dict):
        yield value
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from objects(part)


def test_the_golden_bundle_has_every_kind_of_entry_and_verifies() -> None:
    found = judged(GOLDEN, LOG.verifier, WITNESS.verifier)

    assert set(KINDS) == {kind for kind in EntryKind if kind <= EntryKind.COMMIT_SHARE}
    assert found.report.verdict == Verified()
    assert (found.proven.chain, found.proven.unsigned) == (True, None)


def test_this_build_writes_it_in_the_same_words_so_that_the_first_builds_verify_it() -> None:
    assert make() == GOLDEN


@pytest.mark.parametrize("sequence", OTHERS, ids=lambda sequence: f"{sequence}-{KINDS[sequence].name}")
@pytest.mark.parametrize("words", ["said in other words", "", None])
def test_what_is_no_move_may_be_described_in_other_words(sequence: int, words: str | None) -> None:
    def reword(line: dict[str, object]) -> None:
        del line["text"]
        line.update({} if words is None else {"text": words})
        for key in ("signature", "secret"):  # which stand behind the words
            if key in line:
                line[key] = line.pop(key)

    assert verdict_of(sequence, reword) == Verified()


@pytest.mark.parametrize("sequence", MOVES)
def test_a_move_is_described_as_itself_or_not_at_all(sequence: int) -> None:
    def lie(line: dict[str, object]) -> None:
        line["text"] = "green pass"

    found = verdict_of(sequence, lie)

    assert isinstance(found, CorruptAt)
    assert found.sequence == sequence
    assert verdict_of(sequence, lambda line: line.pop("text")) == Verified()


@pytest.mark.parametrize("value", UNSET, ids=repr)
def test_a_later_build_may_print_a_further_field_that_is_not_set(value: object) -> None:
    def extend(line: dict[str, object]) -> None:
        for each in objects(events_of(line)):
            each["a_later_field"] = value

    for sequence in MOVES:
        assert verdict_of(sequence, extend) == Verified()


def test_an_earlier_build_may_not_have_known_a_field_that_is_not_set() -> None:
    def shorten(line: dict[str, object]) -> None:
        for each in objects(events_of(line)):
            for name in [name for name, value in each.items() if value in UNSET]:
                del each[name]

    shortened = [sequence for sequence in MOVES if edited(sequence, shorten) != GOLDEN]

    assert len(shortened) > len(MOVES) // 4
    for sequence in shortened:
        assert verdict_of(sequence, shorten) == Verified()


@given(st.data())
def test_no_field_of_an_event_can_be_changed_added_or_left_out(data: st.DataObject) -> None:
    sequence = data.draw(st.sampled_from(MOVES))

    def change(line: dict[str, object]) -> None:
        each = data.draw(st.sampled_from(list(objects(events_of(line)))))
        name = data.draw(st.sampled_from(sorted(each)))
        match data.draw(st.sampled_from(["change", "add", "leave out", "rename"])):
            case "change":
                each[name] = data.draw(st.sampled_from([7, "x", [9], True, None, {}]))
            case "add":
                each["a_later_field"] = data.draw(st.sampled_from([1, "x", [0], True, None, {}]))
            case "leave out":
                if each.pop(name) in UNSET:
                    each["a_later_field"] = 1
            case _:
                each[f"{name}s"] = each.pop(name)

    found = verdict_of(sequence, change)

    assert isinstance(found, CorruptAt)
    assert found.sequence == sequence


@pytest.mark.parametrize(
    "change",
    [lambda events: events.pop(), lambda events: events.append(events[0]), lambda events: events.reverse()],
    ids=["fewer", "more", "another order"],
)
def test_the_events_must_be_all_there_in_their_order(
    change: Callable[[list[dict[str, object]]], object],
) -> None:
    last = MOVES[-1]
    assert len(json.loads(LINES[last])["told"]) > 1

    assert isinstance(verdict_of(last, lambda line: change(events_of(line))), CorruptAt)


@pytest.mark.parametrize(
    "message",
    [*qin_pb2.DESCRIPTOR.message_types_by_name.values(), *khan_pb2.DESCRIPTOR.message_types_by_name.values()],
    ids=lambda message: message.full_name,
)
def test_whatever_a_message_prints_when_nothing_is_set_counts_as_not_set(message: Descriptor) -> None:
    empty = as_json(GetMessageClass(message)()).encode()

    assert same_json(empty, b"{}")
    assert same_json(b"{}", empty)


def test_what_is_no_json_is_the_same_as_nothing() -> None:
    assert not same_json(b"{", b"{")
    assert not same_json(b"[" * 100_000, b"[" * 100_000)
    assert not same_json(b"1", b"true")
    assert same_json(b'{"a":[{"b":1,"c":0}]}', b'{ "a" : [ {"b": 1} ] }')
