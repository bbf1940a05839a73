"""docs/great_wall.md agrees with the code."""

import re
from typing import get_args

from rules.great_wall.component_checks import check_file
from rules.great_wall.components import SHIPPED
from rules.great_wall.game import GREAT_WALL
from rules.great_wall.moves import Move
from rules.great_wall.notation import EVENTS
from rules.great_wall.pending_text import STATED
from tests.project.places import ROOT

PAGE = (ROOT / "docs/great_wall.md").read_text()


def test_every_move_is_on_the_page() -> None:
    named = set(re.findall(r"\| ([A-Z][A-Za-z]+) \|$", PAGE, re.MULTILINE))

    assert {kind.__name__ for kind in get_args(Move)} <= named


def test_every_task_is_on_the_page_with_its_parts() -> None:
    words = [":".join((one.words[0][0], *(name.upper() for name in one.names))) for one in STATED.each]

    assert [word for word in words if f"| `{word}` |" not in PAGE] == []


def test_every_event_is_on_the_page_with_its_parts() -> None:
    stated = [f"| `{one.make.__name__}({', '.join(one.names)})` |" for one in EVENTS.each]

    assert [row for row in stated if row not in PAGE] == []


def test_every_rule_that_a_move_can_break_is_on_the_page() -> None:
    assert [rule.id for rule in GREAT_WALL.about.rules if not rule.unchecked and rule.id not in PAGE] == []


def test_every_ruling_that_a_match_may_choose_is_on_the_page() -> None:
    for ruling in GREAT_WALL.about.rulings:
        if ruling.switchable:
            assert f"`{ruling.name}` ({ruling.ambiguity})" in PAGE
            assert all(f"`{value}`" in PAGE for value in ruling.offered)


def test_the_shipped_set_is_on_the_page_called_invented_and_can_be_played() -> None:
    assert [known.name for known in SHIPPED if known.name not in PAGE] == []
    assert "is invented" in PAGE
    assert all(check_file(known.data).playable for known in SHIPPED)
