"""`make compile`: compiles the modules that judge every move with mypyc, in place.

The compiled form is the same code, but much faster. Python imports the compiled form of a module if there is
one, and otherwise the source; outdated() detects a compiled form that differs from the sources.
"""

import hashlib
import shutil
import sys
from collections.abc import Iterable
from contextlib import chdir
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
"""Root of the work tree."""

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
    "rules/qin/view.py",
    "rules/qin/villages.py",
    "rules/qin/words.py",
    "records/codec/qin_events.py",
    "records/codec/qin_state.py",
)
"""The modules that are compiled: what judges, folds and encodes the moves of Qin."""

_OTHER_INPUTS: Final = (
    "pyproject.toml",
    "constraints.txt",
    "tools/dev/compiling.py",
    "rules/kernel/*.py",
    "rules/qin/*.py",
)
"""Other files that the result depends on: the compiler copies constants of modules that are not compiled."""

_LIBRARY: Final = "shiji__mypyc"
"""The library that holds the code of all compiled modules; each of them loads it."""

_SUFFIX: Final = EXTENSION_SUFFIXES[0]
"""Suffix of extension modules for this Python."""

_HASH_FILE: Final = ".venv/.compiled"
"""File with the hash of the sources that were compiled."""

_NEXT: Final = ".venv/compiled-next"
"""Folder with what was compiled while a server ran, which must not see it appear beside the sources."""

_FAILED: Final = ".venv/.not-compiled"
"""File with the hash of the sources that could not be compiled, so that it is not tried again."""


def compiled(root: Path = ROOT) -> bool:
    """Whether anything is compiled for this Python."""
    return any(form.name.endswith(_SUFFIX) for form in _forms(root))


def outdated(root: Path = ROOT) -> bool:
    """Whether the compiled form is incomplete or differs from the sources."""
    if not compiled(root):
        return False
    forms = {form for form in _forms(root) if form.name.endswith(_SUFFIX)}
    wanted = {root / name.replace(".py", _SUFFIX) for name in (f"{_LIBRARY}.py", *MODULES)}
    hash_file = root / _HASH_FILE
    return forms != wanted or not hash_file.exists() or hash_file.read_text() != hash_of_sources(root)


def compile_into(folder: Path) -> list[Path]:
    """Compile all modules; returns the paths of the new files, relative to the folder."""
    from mypyc.build import mypycify  # noqa: PLC0415 - outdated() must work without a compiler
    from setuptools import Distribution  # noqa: PLC0415 - outdated() must work without a compiler
    from setuptools.command.build_ext import build_ext  # noqa: PLC0415 - outdated() must work without a compiler

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
    """Compile, and put the result beside the sources; an older result is removed even if this fails."""
    source_hash = hash_of_sources(ROOT)
    remove(ROOT)
    with TemporaryDirectory(dir=ROOT / ".venv") as folder:
        _put_in_place(ROOT, Path(folder), compile_into(Path(folder)), source_hash)


def compile_for_later() -> bool:
    """Compile into a folder of its own, from which take_over() takes it; whether that succeeded."""
    from setuptools.errors import BaseError, CCompilerError  # noqa: PLC0415 - only needed to compile

    source_hash = hash_of_sources(ROOT)
    with TemporaryDirectory(dir=ROOT / ".venv") as folder:
        try:
            compile_into(Path(folder))
        except (BaseError, CCompilerError):
            (ROOT / _FAILED).write_text(source_hash)
            return False
        Path(folder, _HASH_FILE).parent.mkdir()
        Path(folder, _HASH_FILE).write_text(source_hash)
        shutil.rmtree(ROOT / _NEXT, ignore_errors=True)
        Path(folder).rename(ROOT / _NEXT)
        Path(folder).mkdir()  # for the end of this block, which removes it
    return True


def take_over(root: Path = ROOT) -> bool:
    """Put what compile_for_later() made beside the sources, if it was made from them; no server may run."""
    folder = root / _NEXT
    hash_file = folder / _HASH_FILE
    source_hash = hash_of_sources(root)
    if not hash_file.exists() or hash_file.read_text() != source_hash:
        return False
    remove(root)
    made = [path.relative_to(folder) for path in folder.rglob(f"*{_SUFFIX}")]
    _put_in_place(root, folder, made, source_hash)
    shutil.rmtree(folder)
    return True


def ready(root: Path = ROOT) -> bool:
    """Whether there is nothing to compile, now or in the background; an outdated form is removed."""
    if (compiled(root) and not outdated(root)) or take_over(root):
        return True
    remove(root)
    failed = root / _FAILED
    return failed.exists() and failed.read_text() == hash_of_sources(root)


def remove(root: Path) -> None:
    """Remove the compiled form; processes that have loaded it can go on using it."""
    for form in _forms(root):
        form.unlink()


def _put_in_place(root: Path, folder: Path, made: Iterable[Path], source_hash: str) -> None:
    for path in made:
        Path(folder, path).replace(root / path)
    (root / _HASH_FILE).write_text(source_hash)


def _forms(root: Path) -> list[Path]:
    return [*root.glob(f"{_LIBRARY}.*.so"), *root.glob("rules/*/*.so"), *root.glob("records/**/*.so")]


def hash_of_sources(root: Path) -> str:
    """Hash of all files that the compiled form depends on."""
    digest = hashlib.sha256()
    for path in sorted({path for pattern in (*_OTHER_INPUTS, *MODULES) for path in root.glob(pattern)}):
        digest.update(b"%s\0%d\0" % (str(path.relative_to(root)).encode(), path.stat().st_size))
        digest.update(path.read_bytes())
    return digest.hexdigest()


def main() -> None:
    """Compile in the work tree, if the compiled form is missing or outdated."""
    if (compiled() and not outdated()) or take_over():
        return
    from setuptools.errors import BaseError, CCompilerError  # noqa: PLC0415 - only needed to compile

    sys.stdout.write("Compiling Qin's rules, which takes half a minute and is done only after changes.\n")
    sys.stdout.flush()
    try:
        compile_in_place()
    except (BaseError, CCompilerError):
        sys.exit("The compiler failed; it needs a C compiler and Python's headers (gcc, python3-dev).")


if __name__ == "__main__":
    main()
