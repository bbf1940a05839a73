"""The files that pages load to judge records in the browser: Python for WebAssembly, and the rules."""

import gzip
import hashlib
import io
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

_PACKAGE: Final = "shiji_judge"
"""Of the distribution shiji-judge, which `pip install 'shiji[judge]'` installs."""

HOW_TO_GET: Final = "pip install 'shiji[judge]'"

_OWN: Final = ("records", "rules", "shiji")
_NOT_JUDGING: Final = frozenset({"client", "index", "ledger", "postgres"})
"""Folders of the packages that no judge imports."""

_EARLIEST: Final = (1980, 1, 1, 0, 0, 0)
"""The date of every file in an archive, so that the same files make the same bytes."""

_COMPRESSION_LEVEL: Final = 9
"""Of zip, its highest: files are compressed once and sent to every reader."""

_NAME_CHARACTERS: Final = 16
"""Hexadecimal digits of the hash by which files are addressed: enough that two builds share none."""


@dataclass(frozen=True, slots=True)
class JudgeFiles:
    """All files, compressed by gzip, and a name that changes with any of them."""

    name: str
    files: dict[str, bytes]
    licences: dict[str, str]
    """Of everything in them that is not ours, by name; they go wherever the files go."""


@cache
def judge_files() -> JudgeFiles | None:
    """The files; None where shiji-judge is not installed."""
    try:
        package = files(_PACKAGE)
        licences = {
            each.name: each.read_text("utf-8")
            for each in package.joinpath("licenses").iterdir()
            if each.name.endswith(".txt")
        }
        found = {
            each.name.removesuffix(".gz"): each.read_bytes()
            for each in sorted(package.iterdir(), key=lambda file: file.name)
            if each.name.endswith(".gz")
        }
    except (ModuleNotFoundError, FileNotFoundError):
        return None
    if not found:
        return None
    found["shiji.zip"] = gzip.compress(_own_code(), _COMPRESSION_LEVEL, mtime=0)
    digest = hashlib.sha256()
    for name, content in found.items():
        digest.update(name.encode() + b"\0" + hashlib.sha256(content).digest())
    return JudgeFiles(digest.hexdigest()[:_NAME_CHARACTERS], found, licences)


def _own_code() -> bytes:
    """The rules and what judges by them, as they are installed here, as a zip."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_STORED) as package:
        for name in _OWN:
            for path, file in _modules(files(name), name):
                package.writestr(zipfile.ZipInfo(path, _EARLIEST), file.read_bytes())
    return written.getvalue()


def _modules(folder: Traversable, path: str) -> Iterator[tuple[str, Traversable]]:
    for each in sorted(folder.iterdir(), key=lambda file: file.name):
        below = f"{path}/{each.name}"
        if each.is_dir() and each.name not in _NOT_JUDGING:
            yield from _modules(each, below)
        elif each.name.endswith(".py") and not each.name.endswith("_grpc.py"):
            yield below, each
