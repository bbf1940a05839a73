"""What a build judges and words by: the same code and games give the same verdicts and the same words."""

import hashlib
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.metadata import EntryPoint, version
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from records.games.registry import GAMES, installed_plugins

_JUDGING: Final = {".py", ".toml", ".json"}
"""The kinds of files that verdicts depend on."""

_OWN: Final = ("rules", "records")


@cache
def build_words() -> str:
    """The version, the games with their editions, and a digest of the code that judges, in one line."""
    return words_with(installed_plugins())


def words_with(plugins: Iterable[EntryPoint]) -> str:
    """What build_words says where these plug-ins are installed.

    The code of a plug-in counts as well as its version: one that is being written keeps its version.
    """
    known = sorted(plugins, key=lambda each: (each.name, each.value))
    digest = hashlib.sha256()
    for package in dict.fromkeys((*_OWN, *(each.module.partition(".")[0] for each in known))):
        for path, content in _sources(package):
            digest.update(f"{path}\0{len(content)}\0".encode() + content)
    games = " ".join(sorted(GAMES.keys))
    others = [f"{each.name}={each.dist.name}-{each.dist.version}" for each in known if each.dist]
    return f"shiji {version('shiji')} {digest.hexdigest()[:16]}, games {' '.join([games, *others])}"


def _sources(package: str) -> Iterator[tuple[str, bytes]]:
    """The files of a package, or of a single module, that judge: code and data, by their paths within it."""
    spec = find_spec(package)
    if spec is None:
        return
    if spec.submodule_search_locations is None:
        if spec.origin is not None:
            yield package, Path(spec.origin).read_bytes()
        return
    for folder in sorted(spec.submodule_search_locations):
        root = Path(folder)
        for path in sorted(root.rglob("*")):
            if path.suffix in _JUDGING:
                yield f"{package}/{path.relative_to(root).as_posix()}", path.read_bytes()
