"""Records of the dike, for tests of what Qin and Khan do not have."""

import re
from functools import cache
from typing import Final

import pytest

from records.games import registry
from records.games.plugins import bind_plugin
from tests.project.places import ROOT
from tests.records.texts import text
from tests.rules.kit.dike.game import COMPONENTS, PLUGIN

DRY: Final = ("green build", "green fish", "green fish")
"""One seat wins."""
FLOODED: Final = ("green fish", "green fish", "green fish")
"""One seat loses to the river."""
DRY_TOGETHER: Final = ("green build", "red fish") * 3
FLOODED_TOGETHER: Final = ("green fish", "red fish") * 3


_IMPORT: Final = re.compile(r"^from records\.games\.registry import .*\bGAMES\b", re.MULTILINE)


@cache
def _importers() -> tuple[str, ...]:
    """The modules that import the games by name."""
    paths = [path for folder in ("records", "service", "tools") for path in (ROOT / folder).rglob("*.py")]
    return tuple(
        ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for path in sorted(paths)
        if _IMPORT.search(path.read_text())
    )


def register(monkeypatch: pytest.MonkeyPatch) -> None:
    """Adds the dike to the games that this build knows, until the test is over."""
    games = registry.GAMES.and_also(bind_plugin(PLUGIN))
    # The registry comes last: a module that is imported only now would keep what it has then.
    for module in (*_importers(), registry.__name__):
        monkeypatch.setattr(f"{module}.GAMES", games)


def alone(*moves: str, **tags: str | None) -> str:
    """The transcript of a match of one seat."""
    stated = {"Game": "dike", "Edition": "dike/1", "Board": None, "Components": COMPONENTS.name}
    return text(*moves, **{**stated, "Seats": "green", **tags})


def together(*moves: str, **tags: str | None) -> str:
    """The transcript of a match that two seats win or lose together."""
    return alone(*moves, **{"Edition": "dike-together/1", "Seats": "green red", **tags})
