"""What a plug-in imports: of Shiji, only the kernel is public and stable."""

import ast
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from importlib.util import find_spec
from pathlib import Path
from typing import Final

KERNEL: Final = "rules.kernel"
OURS: Final = frozenset(("rules", "records", "service", "tools", "shiji"))
"""The top-level packages of Shiji."""


def foreign_imports(point: EntryPoint) -> Iterator[str]:
    """Every import of something of Shiji other than the kernel, with its place."""
    for path in _sources(point.module.partition(".")[0]):
        for node in ast.walk(ast.parse(path.read_bytes(), str(path))):
            for name in _imported(node):
                if name.partition(".")[0] in OURS and not f"{name}.".startswith(f"{KERNEL}."):
                    yield f"{path.name}:{getattr(node, 'lineno', 0)}: {name}"


def _imported(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and not node.level and node.module is not None:
        yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _sources(package: str) -> Iterator[Path]:
    spec = find_spec(package)
    if spec is None:
        return
    if spec.submodule_search_locations is None:
        yield from [Path(spec.origin)] if spec.origin and spec.origin.endswith(".py") else []
        return
    for folder in spec.submodule_search_locations:
        yield from sorted(Path(folder).rglob("*.py"))
