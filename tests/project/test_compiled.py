"""The compiled form of the rules behaves like its sources."""

import os
import subprocess
import sys
import zipfile
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

from rules.qin import decide
from tests.project import uncompiled
from tests.project.places import ROOT
from tests.project.rule_hashes import hashes
from tools.dev import compiling

SUFFIX = EXTENSION_SUFFIXES[0]
MATCHES, CHUNK = 400, 50


@pytest.mark.skipif(uncompiled.REQUESTED, reason="the environment asks for the sources")
def test_the_tests_run_the_compiled_form() -> None:
    assert compiling.compiled(), "run `make compile`"
    assert decide.__file__.endswith(".so")


@pytest.mark.parametrize("first", range(0, MATCHES, CHUNK))
def test_the_compiled_form_gives_the_same_answers_as_the_sources(first: int) -> None:
    last = first + CHUNK
    sources = _python(
        "-m", "tests.project.rule_hashes", str(first), str(last), SHIJI_UNCOMPILED="1"
    ).splitlines()

    assert sources[0] == str(ROOT / "rules/qin/decide.py")
    assert list(hashes(range(first, last))) == sources[1:]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """The files of a work tree that matter here, with everything compiled."""
    made = [f"shiji__mypyc{SUFFIX}", *(name.replace(".py", SUFFIX) for name in compiling.MODULES)]
    for name in (*compiling.MODULES, *made, "rules/kernel/actors.py", ".venv/.compiled"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    (tmp_path / ".venv/.compiled").write_text(compiling.hash_of_sources(tmp_path))
    return tmp_path


def test_a_compiled_form_of_these_sources_is_up_to_date(tree: Path) -> None:
    assert compiling.compiled(tree)
    assert not compiling.outdated(tree)


@pytest.mark.parametrize("changed", [compiling.MODULES[3], "rules/kernel/actors.py", "rules/qin/new.py"])
def test_a_changed_source_makes_the_compiled_form_outdated(tree: Path, changed: str) -> None:
    (tree / changed).write_text("other")

    assert compiling.outdated(tree)


@pytest.mark.parametrize("missing", [f"shiji__mypyc{SUFFIX}", f"rules/qin/decide{SUFFIX}", ".venv/.compiled"])
def test_an_incomplete_compiled_form_is_outdated(tree: Path, missing: str) -> None:
    (tree / missing).unlink()

    assert compiling.outdated(tree)


def test_a_compiled_module_without_a_source_is_outdated(tree: Path) -> None:
    (tree / f"rules/qin/gone{SUFFIX}").touch()

    assert compiling.outdated(tree)


def test_sources_alone_are_never_outdated(tree: Path) -> None:
    for form in tree.rglob("*.so"):
        form.unlink()

    assert not compiling.compiled(tree)
    assert not compiling.outdated(tree)


@pytest.fixture
def compiled_for_later(tree: Path) -> Path:
    """A tree without a compiled form, in which one was compiled while a server ran."""
    later = tree / ".venv/compiled-next"
    for form in [path.relative_to(tree) for path in tree.rglob("*.so")]:
        (later / form).parent.mkdir(parents=True, exist_ok=True)
        (tree / form).replace(later / form)
    (later / ".venv").mkdir()
    (tree / ".venv/.compiled").replace(later / ".venv/.compiled")
    return tree


def test_what_was_compiled_while_a_server_ran_is_used_by_the_next(compiled_for_later: Path) -> None:
    assert not compiling.compiled(compiled_for_later)

    assert compiling.ready(compiled_for_later)

    assert compiling.compiled(compiled_for_later)
    assert not compiling.outdated(compiled_for_later)
    assert not (compiled_for_later / ".venv/compiled-next").exists()


def test_what_was_compiled_from_other_sources_is_not_used(compiled_for_later: Path) -> None:
    (compiled_for_later / compiling.MODULES[0]).write_text("changed since")

    assert not compiling.ready(compiled_for_later)
    assert not compiling.compiled(compiled_for_later)


def test_an_outdated_form_is_removed_before_the_server_starts(tree: Path) -> None:
    (tree / compiling.MODULES[0]).write_text("changed since")

    assert not compiling.ready(tree)
    assert not compiling.compiled(tree)


def test_what_could_not_be_compiled_is_not_tried_again_until_it_changes(tree: Path) -> None:
    compiling.remove(tree)
    (tree / ".venv/.not-compiled").write_text(compiling.hash_of_sources(tree))
    assert compiling.ready(tree)

    (tree / compiling.MODULES[0]).write_text("changed since")

    assert not compiling.ready(tree)


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
    """Output of this Python, started in a folder."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout
