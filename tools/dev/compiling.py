"""`make compile`: compiles what judges every move, with mypyc, beside its sources.

It is the same code, a good deal quicker. Python takes the compiled form where there is one, and the source
where there is none; outdated() tells where a source has changed since.
"""

import sys
from collections.abc import Iterator
from contextlib import chdir
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]

MODULES: Final = (
    "rules/kernel/cells.py",
    "rules/kernel/value.py",
    "rules/qin/board.py",
    "rules/qin/decide.py",
    "rules/qin/events.py",
    "rules/qin/evolve.py",
    "rules/qin/growth.py",
    "rules/qin/invariants.py",
    "rules/qin/moves.py",
    "rules/qin/notation.py",
    "rules/qin/outcome.py",
    "rules/qin/placements.py",
    "rules/qin/position.py",
    "rules/qin/resolve.py",
    "rules/qin/state.py",
    "rules/qin/tiles.py",
    "rules/qin/villages.py",
    "records/codec/qin_events.py",
    "records/codec/qin_state.py",
)

_SUFFIX: Final = EXTENSION_SUFFIXES[0]


def compiled() -> Iterator[tuple[Path, Path]]:
    """Each source that has a compiled form for this Python, and that."""
    for module in MODULES:
        source = ROOT / module
        form = source.with_suffix(_SUFFIX)
        if form.exists():
            yield source, form


def outdated() -> list[str]:
    """The sources that have changed since they were compiled: Python would run what they were."""
    return [
        str(source.relative_to(ROOT))
        for source, form in compiled()
        if form.stat().st_mtime < source.stat().st_mtime
    ]


def compile_into(folder: Path) -> list[Path]:
    """Compile all modules, and answer the files that were made, from this folder on."""
    # Whoever asks only what is outdated needs no compiler.
    from mypyc.build import mypycify  # noqa: PLC0415
    from setuptools import Distribution  # noqa: PLC0415
    from setuptools.command.build_ext import build_ext  # noqa: PLC0415

    with chdir(ROOT), TemporaryDirectory() as scratch:
        extensions = mypycify(
            ["--config-file=pyproject.toml", *MODULES], target_dir=scratch, group_name="shiji"
        )
        command = build_ext(Distribution({"name": "shiji", "ext_modules": extensions}))
        command.build_temp, command.build_lib = scratch, str(folder)
        command.ensure_finalized()
        command.run()
    return [made.relative_to(folder) for made in folder.rglob(f"*{_SUFFIX}")]


def compile_in_place() -> None:
    """Put what was compiled beside its sources, each file at once: whoever runs the old one keeps it."""
    with TemporaryDirectory(dir=ROOT / ".venv") as folder:
        for made in compile_into(Path(folder)):
            Path(folder, made).replace(ROOT / made)


def main() -> None:
    """Compile in the work tree."""
    sys.stdout.write("Compiling Qin's rules: half a minute, and only when they have changed.\n")
    sys.stdout.flush()
    compile_in_place()


if __name__ == "__main__":
    main()
