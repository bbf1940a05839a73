"""The code of the service shows nothing of a match but through its gate."""

import ast
from collections.abc import Iterator
from pathlib import Path

import service

FOLDER = Path(service.__file__).parent

SHOWING = {"view", "position", "seen_move", "seen_events", "write_move", "digest", "tell", "draw", "turn"}
"""Methods of a state, and of its display, whose results show it."""

MAKERS = {
    "Sight": "access.py",
    "public_digest": "messages.py",
    "for_viewer": "messages.py",
    "svg": "messages.py",
}
"""By function, the one module that calls it."""


def calls() -> Iterator[tuple[str, str, ast.Call]]:
    """Every call of a name or of a method without arguments by position, with its module."""
    for path in sorted(FOLDER.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call):
                name = (
                    node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                )
                yield path.name, name, node


def test_only_messages_are_built_from_what_a_state_shows() -> None:
    found = {
        (module, name)
        for module, name, node in calls()
        if name in SHOWING and isinstance(node.func, ast.Attribute) and module != "messages.py"
    }

    assert found == {("rpc.py", "turn")}  # of the intake


def test_only_the_gate_gives_out_sights() -> None:
    found = {name: {module for module, called, _ in calls() if called == name} for name in MAKERS}

    assert found == {name: {module} for name, module in MAKERS.items()}
