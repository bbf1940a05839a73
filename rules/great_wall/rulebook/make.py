"""How rules are written down, and collected."""

from rules.kernel.rule import Rule, RuleId


def rule(key: str, title: str, source: str, text: str, unchecked: str = "") -> Rule:
    """A rule by its permanent id; `unchecked` says why no move can break it."""
    return Rule(RuleId(key), title, source, text, unchecked)
