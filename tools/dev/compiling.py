"""Compiles what judges every move, with mypyc, beside its sources: the same code, about twice as quick.

`python -m tools.dev.compiling` does so in the work tree; a wheel that is built with
HATCH_BUILD_HOOK_ENABLE_CUSTOM=1 has the compiled modules in it.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import chdir
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]

MODULES: Final = (
    "rules/kernel/value.py",
    "rules/qin/board.py",
    "rules/qin/decide.py",
    "rules/qin/events.py",
    "rules/qin/evolve.py",
    "rules/qin/growth.py",
    "rules/qin/moves.py",
    "rules/qin/outcome.py",
    "rules/qin/placements.py",
    "rules/qin/resolve.py",
    "rules/qin/state.py",
    "rules/qin/tiles.py",
    "rules/qin/villages.py",
    "records/codec/qin_events.py",
    "records/codec/qin_state.py",
)

_SHARED: Final = "shiji"
"""All modules are one library, NAME__mypyc, which each of them loads."""


def compiled() -> Iterator[tuple[Path, Path]]:
    """Each source that has a compiled form for this Python, and that."""
    for name in MODULES:
        source = ROOT / name
        form = source.with_suffix(EXTENSION_SUFFIXES[0])
        if form.exists():
            yield source, form


def outdated() -> list[Path]:
    """The sources that were changed after they were compiled: Python would run what they were."""
    return [source for source, form in compiled() if form.stat().st_mtime < source.stat().st_mtime]


def compile_in_place() -> list[Path]:
    """Compile all of them, and answer what was made."""
    from mypyc.build import mypycify  # noqa: PLC0415 - what is not compiled needs no compiler
    from setuptools import Distribution  # noqa: PLC0415 - as above
    from setuptools.command.build_ext import build_ext  # noqa: PLC0415 - as above

    with chdir(ROOT), TemporaryDirectory() as scratch:
        modules = mypycify(
            ["--config-file=pyproject.toml", *MODULES], target_dir=scratch, group_name=_SHARED
        )
        command = build_ext(Distribution({"name": _SHARED, "ext_modules": modules}))
        command.inplace = True
        command.build_temp = scratch
        command.build_lib = scratch
        command.ensure_finalized()
        command.run()
    made = [ROOT / f"{_SHARED}__mypyc{EXTENSION_SUFFIXES[0]}", *(form for _, form in compiled())]
    for each in made:
        os.utime(each)
    return made


def main() -> None:
    """Compile in the work tree."""
    sys.stdout.write(f"compiled {len(compile_in_place())} modules\n")


if __name__ == "__main__":
    main()
