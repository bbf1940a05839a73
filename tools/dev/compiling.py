"""`make compile`: compiles what judges every move, with mypyc, beside its sources.

It is the same code, a good deal quicker. Python takes the compiled form where there is one, and the source
where there is none; outdated() tells where the two differ.
"""

import hashlib
import sys
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
    "rules/qin/words.py",
    "records/codec/qin_events.py",
    "records/codec/qin_state.py",
)

_SEEN: Final = (
    "pyproject.toml",
    "constraints.txt",
    "tools/dev/compiling.py",
    "rules/kernel/*.py",
    "rules/qin/*.py",
)
"""What else the compiler looks at: constants of modules that are not compiled go into those that are."""

_LIBRARY: Final = "shiji__mypyc"
"""All of them together are one library, which each of them loads."""

_SUFFIX: Final = EXTENSION_SUFFIXES[0]
_MADE_OF: Final = ".venv/.compiled"
"""Keeps the hash of what was compiled."""


def compiled(root: Path = ROOT) -> bool:
    """Whether anything is compiled for this Python."""
    return any(form.name.endswith(_SUFFIX) for form in _forms(root))


def outdated(root: Path = ROOT) -> bool:
    """Whether Python would run something else than the sources say, or nothing at all."""
    if not compiled(root):
        return False
    forms = {form for form in _forms(root) if form.name.endswith(_SUFFIX)}
    wanted = {root / name.replace(".py", _SUFFIX) for name in (f"{_LIBRARY}.py", *MODULES)}
    made_of = root / _MADE_OF
    return forms != wanted or not made_of.exists() or made_of.read_text() != hash_of_sources(root)


def compile_into(folder: Path) -> list[Path]:
    """Compile all modules, and answer the files that were made, from this folder on."""
    from mypyc.build import mypycify  # noqa: PLC0415 - whoever asks only what is outdated needs no compiler
    from setuptools import Distribution  # noqa: PLC0415 - as above
    from setuptools.command.build_ext import build_ext  # noqa: PLC0415 - as above

    with chdir(ROOT), TemporaryDirectory() as scratch:
        extensions = mypycify(
            ["--config-file=pyproject.toml", *MODULES],
            target_dir=scratch,
            group_name=_LIBRARY.removesuffix("__mypyc"),
        )
        command = build_ext(Distribution({"name": _LIBRARY, "ext_modules": extensions}))
        command.build_temp, command.build_lib = scratch, str(folder)
        command.ensure_finalized()
        command.run()
    return [made.relative_to(folder) for made in folder.rglob(f"*{_SUFFIX}")]


def compile_in_place() -> None:
    """Put what was compiled beside its sources. Whatever happens, nothing older stays there."""
    made_of = hash_of_sources(ROOT)
    for form in _forms(ROOT):
        form.unlink()  # whoever runs it keeps it
    with TemporaryDirectory(dir=ROOT / ".venv") as folder:
        for made in compile_into(Path(folder)):
            Path(folder, made).replace(ROOT / made)
    (ROOT / _MADE_OF).write_text(made_of)


def _forms(root: Path) -> list[Path]:
    return [*root.glob(f"{_LIBRARY}.*.so"), *root.glob("rules/*/*.so"), *root.glob("records/**/*.so")]


def hash_of_sources(root: Path) -> str:
    """Of all that the compiler looks at."""
    found = hashlib.sha256()
    for path in sorted({path for pattern in (*_SEEN, *MODULES) for path in root.glob(pattern)}):
        found.update(b"%s\0%d\0" % (str(path.relative_to(root)).encode(), path.stat().st_size))
        found.update(path.read_bytes())
    return found.hexdigest()


def main() -> None:
    """Compile in the work tree, if there is anything to do."""
    if compiled() and not outdated():
        return
    from setuptools.errors import BaseError, CCompilerError  # noqa: PLC0415 - as above

    sys.stdout.write("Compiling Qin's rules: half a minute, and only when they have changed.\n")
    sys.stdout.flush()
    try:
        compile_in_place()
    except (BaseError, CCompilerError):
        sys.exit("The compiler failed: a C compiler and Python's headers are needed (gcc, python3-dev).")


if __name__ == "__main__":
    main()
