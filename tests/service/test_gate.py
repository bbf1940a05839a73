"""The code of the service shows nothing of a match but through its gate."""

import ast
from collections.abc import Iterator
from pathlib import Path

import service

FOLDER = Path(service.__file__).parent

SHOWING = {"view", "position", "seen_move", "seen_events", "write_move", "draw"}
"""Methods of a state or its display that show it, as far as nothing else has methods of that name."""

MAKERS = {
    "Viewpoint": {"messages.py", "access.py"},  # for those who act, and for those who look
    "public_digest": {"state_messages.py"},
    "for_viewer": {"messages.py"},
    "redacted": {"state_messages.py"},
    "svg": {"state_messages.py"},
}
"""By function, the modules that call it."""


def calls() -> Iterator[tuple[str, str]]:
    """The module and the name of every function or method that is called."""
    for path in sorted(FOLDER.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call):
                called = node.func
                yield (
                    path.name,
                    called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", ""),
                )


def test_only_messages_are_built_from_what_a_state_shows() -> None:
    assert {module for module, name in calls() if name in SHOWING} == {"messages.py", "state_messages.py"}


def test_only_the_gate_gives_out_viewpoints() -> None:
    found = {maker: {module for module, name in calls() if name == maker} for maker in MAKERS}

    assert found == MAKERS
