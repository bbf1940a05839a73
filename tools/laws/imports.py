"""What a plug-in imports: of Shiji, only rules.kernel.api is public and stable."""

import ast
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from importlib.util import find_spec
from pathlib import Path
from typing import Final

API: Final = "rules.kernel.api"
OURS: Final = frozenset(("rules", "records", "service", "tools", "shiji"))
"""The top-level packages of Shiji."""


def foreign_imports(point: EntryPoint) -> Iterator[str]:
    """Every import of something of Shiji that is not public, in words, with its file and line."""
    for root, path in _sources(point.module.partition(".")[0]):
        for node in ast.walk(ast.parse(path.read_bytes(), str(path))):
            for name in _imported(node):
                if name.partition(".")[0] in OURS and not f"{name}.".startswith(f"{API}."):
                    place = f"{path.relative_to(root).as_posix()}, line {getattr(node, 'lineno', 0)}"
                    yield f"{place}, imports {name}"


def _imported(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and not node.level and node.module is not None:
        yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _sources(package: str) -> Iterator[tuple[Path, Path]]:
    """Each source file of an installed package or module, after the folder that it is installed in."""
    spec = find_spec(package)
    if spec is None:
        return
    if spec.submodule_search_locations is None:
        if spec.origin and spec.origin.endswith(".py"):
            yield Path(spec.origin).parent, Path(spec.origin)
        return
    for folder in spec.submodule_search_locations:
        yield from ((Path(folder).parent, path) for path in sorted(Path(folder).rglob("*.py")))
