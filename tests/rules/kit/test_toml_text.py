"""Keys of TOML files whose many parts would take minutes to parse."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.kernel.toml_text import shallow
from tools.laws.cases import UnreadableSuite, read_suite

parts = st.sampled_from(["a", "b-1", '"x.y"', '"\\""', "'{,'", "a ", "\t'b'"])


@given(
    st.lists(parts, min_size=1, max_size=20), st.sampled_from(["{} = 1", "[{}]", "[[{}]]", "x = {{{} = 1}}"])
)
def test_keys_of_up_to_20_parts_are_read(key: list[str], line: str) -> None:
    text = line.format(".".join(key))

    assert tomllib.loads(shallow(text))


@given(st.lists(parts, min_size=21, max_size=40), st.integers(0, 5))
@pytest.mark.parametrize("line", ["{} = 1", " [{}]", "[[ {}]]", "x = {{{} = 1}}", "x = {{y = 1, {} = 1}}"])
def test_keys_of_more_parts_are_refused_with_their_line(line: str, key: list[str], before: int) -> None:
    text = "# 1.2\n" * before + line.format(".".join(key))

    with pytest.raises(ValueError, match=f"^line {before + 1}: a key has more than 20 parts$"):
        shallow(text)


def test_dots_of_a_value_are_no_key() -> None:
    text = f'x = "{"a." * 100}"'

    assert shallow(text) is text


@pytest.mark.parametrize(
    "text", ["a." * 50_000 + "a = 1", "x = " + "[" * 50_000, "x = " + "1" * 5_000, "case = 1"]
)
def test_an_adjudication_file_that_cannot_be_read_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "suite.toml"
    path.write_text(text)

    with pytest.raises(UnreadableSuite):
        read_suite(path)
