"""What a log says of its tree."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from records.evidence.checkpoint import Checkpoint, MalformedCheckpoint, parse_checkpoint
from records.evidence.merkle import EMPTY_ROOT
from records.evidence.note import parse_note
from tests.records.evidence.test_note import PUBLIC_LOG

ROOT = "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I="
EXAMPLE = f"example.com/behind-the-sofa\n20852163\n{ROOT}\n"

lines = st.text(st.characters(codec="utf-8", min_codepoint=0x20), min_size=1)


def test_the_example_of_the_specification_is_read() -> None:
    found = parse_checkpoint(EXAMPLE)

    assert (found.origin, found.size) == ("example.com/behind-the-sofa", 20_852_163)
    assert found.root.hex().startswith("0ac5186a91863e8e")
    assert found.text == EXAMPLE


def test_a_public_logs_checkpoint_is_read() -> None:
    note = parse_note(PUBLIC_LOG.encode())

    assert parse_checkpoint(note.text).size == 1_432_088_532


@given(lines, st.integers(1, 2**63 - 1), st.binary(min_size=32, max_size=32), st.lists(lines, max_size=3))
def test_a_checkpoint_is_read_as_it_is_written(
    origin: str, size: int, root: bytes, extensions: list[str]
) -> None:
    checkpoint = Checkpoint(origin, size, root, tuple(extensions))

    assert parse_checkpoint(checkpoint.text) == checkpoint


@pytest.mark.parametrize("two", ["log\nmore", "", "\n"])
def test_two_lines_are_not_one(two: str) -> None:
    with pytest.raises(MalformedCheckpoint, match="one line"):
        Checkpoint(two, 0, EMPTY_ROOT)
    with pytest.raises(MalformedCheckpoint, match="one line"):
        Checkpoint("log", 0, EMPTY_ROOT, (two,))


def test_an_empty_log_has_a_checkpoint_too() -> None:
    assert parse_checkpoint(Checkpoint("log", 0, EMPTY_ROOT).text).size == 0


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "one line each"),
        ("log\n1\n", "one line each"),
        (EXAMPLE[:-1], "one line each"),
        (f"\n1\n{ROOT}\n", "one line"),
        (f"log\n\n{ROOT}\n", "not the size"),
        (f"log\n01\n{ROOT}\n", "not the size"),
        (f"log\n-1\n{ROOT}\n", "not the size"),
        (f"log\n+1\n{ROOT}\n", "not the size"),
        (f"log\n1 \n{ROOT}\n", "not the size"),
        (f"log\n\u0661\n{ROOT}\n", "not the size"),
        (f"log\n9223372036854775808\n{ROOT}\n", "from 0 to"),
        ("log\n" + "9" * 100_000 + f"\n{ROOT}\n", "not the size"),
        (f"log\n0\n{ROOT}\n", "empty tree"),
        ("log\n1\nAAAA\n", "32 bytes"),
        ("log\n1\n?\n", "base64"),
        (f"log\n1\n{ROOT}\n\n", "one line"),
        (f"log\n1\n{ROOT}\n\nmore\n", "one line"),
    ],
)
def test_any_other_text_is_no_checkpoint(text: str, why: str) -> None:
    with pytest.raises(MalformedCheckpoint, match=why):
        parse_checkpoint(text)
