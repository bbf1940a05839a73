"""Where a rule stands, in words that need no key."""

import re

from records.games.citations import source_words
from records.games.shipped import SHIPPED


def test_no_rule_cites_a_line_by_its_letter() -> None:
    words = [
        source_words(game.about, edition.key, rule.source)
        for game in SHIPPED
        for edition in game.about.editions
        for rule in game.about.rules
    ]

    assert len(words) > 500
    assert [each for each in words if re.search(r"\bL[0-9]|-line", each)] == []
