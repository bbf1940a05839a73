"""What is compiled does what its sources say."""

import os
import subprocess
import sys
import zipfile
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

from rules.qin import decide
from tests.project.places import ROOT
from tests.project.telling import MATCHES, told
from tools.dev import compiling


def test_the_tests_run_the_compiled_form() -> None:
    assert decide.__file__.endswith(".so"), "run `make compile`"
    assert [source for source, _ in compiling.compiled()] == [ROOT / name for name in compiling.MODULES]


def test_the_compiled_form_says_what_the_sources_say() -> None:
    sources = _python("-m", "tests.project.telling", SHIJI_UNCOMPILED="1").splitlines()

    assert sources[0] == str(ROOT / "rules/qin/decide.py")
    assert len(sources) == MATCHES + 1
    assert list(told()) == sources[1:]


def test_a_source_that_has_changed_since_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(compiling, "ROOT", tmp_path)
    for name in compiling.MODULES[:3]:
        source = tmp_path / name
        source.parent.mkdir(parents=True, exist_ok=True)
        source.touch()
        if name != compiling.MODULES[2]:
            source.with_suffix(EXTENSION_SUFFIXES[0]).touch()
    assert compiling.outdated() == []

    os.utime(tmp_path / compiling.MODULES[1], (2**31, 2**31))

    assert compiling.outdated() == [compiling.MODULES[1]]


def test_a_wheel_can_have_the_compiled_form_in_it(tmp_path: Path) -> None:
    _python(
        "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path), HATCH_BUILD_HOOK_ENABLE_CUSTOM="1"
    )
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as content:
        content.extractall(tmp_path / "installed")

    found = _python("-c", "import rules.qin.decide as d; print(d.__file__)", folder=tmp_path / "installed")

    assert "none-any" not in wheel.name
    assert Path(found.strip()).parent == tmp_path / "installed/rules/qin"
    assert found.strip().endswith(".so")


def _python(*arguments: str, folder: Path = ROOT, **environment: str) -> str:
    """What this Python prints, started in a folder."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout
