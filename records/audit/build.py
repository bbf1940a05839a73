"""What a build judges by: the same code and games give the same verdicts."""

import hashlib
from collections.abc import Iterator
from functools import cache
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import Final

import records
import rules
from records.games.registry import GAMES, installed_plugins

_JUDGING: Final = {".py", ".toml", ".json"}
"""The kinds of files that verdicts depend on."""


@cache
def build_words() -> str:
    """The version, the games with their editions, and a digest of the code that judges, in one line."""
    digest = hashlib.sha256()
    for package in (rules, records):
        for path, content in _sources(package):
            digest.update(f"{path}\0{len(content)}\0".encode() + content)
    games = " ".join(sorted(GAMES.keys))
    plugins = [(each.name, each.dist) for each in installed_plugins()]
    others = sorted(f"{name}={dist.name}-{dist.version}" for name, dist in plugins if dist)
    return f"shiji {version('shiji')} {digest.hexdigest()[:16]}, games {' '.join([games, *others])}"


def _sources(package: ModuleType) -> Iterator[tuple[str, bytes]]:
    """The files of a package that judge, by their paths within it: code and data."""
    for folder in sorted(package.__path__):
        root = Path(folder)
        for path in sorted(root.rglob("*")):
            if path.suffix in _JUDGING:
                yield f"{package.__name__}/{path.relative_to(root).as_posix()}", path.read_bytes()
