"""Builds are distinguished by everything that they judge and word by."""

import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from records.audit.build import build_words, words_with
from rules.kernel.plugin import GROUP


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of which modules are imported."""
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    return tmp_path


def test_a_plug_in_that_words_something_differently_makes_another_build(folder: Path) -> None:
    package = folder / "herons"
    package.mkdir()
    (package / "__init__.py").touch()
    words = package / "words.py"
    point = EntryPoint("herons", "herons.game:PLUGIN", GROUP)
    found = []

    for sentence in ("flies", "walks", "flies"):
        words.write_text(f"MOVE = 'a heron {sentence}'\n")
        found.append(words_with([point]))

    assert found[0] != found[1]
    assert found[0] == found[2]
    assert found[0] != words_with([])


def test_a_plug_in_of_a_single_module_counts_too(folder: Path) -> None:
    module = folder / "storks.py"
    point = EntryPoint("storks", "storks:PLUGIN", GROUP)

    module.write_text("LEGS = 2\n")
    before = words_with([point])
    module.write_text("LEGS = 1\n")

    assert words_with([point]) != before


def test_the_same_build_is_always_called_the_same() -> None:
    assert words_with([]).startswith("shiji ")
    assert build_words() == build_words()
