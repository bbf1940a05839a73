"""Judges a file within a browser, where signatures can only be checked by the page around it."""

import json
from typing import Final

from records.audit.file_json import as_json
from records.audit.judged_file import FileReport, UnreadableFile, judge_source, verdict_words
from records.audit.sources import CannotRead, parse_record, record_in
from records.evidence.ed25519 import signatures_checked_by
from records.games.citations import rulings_for, source_words
from records.games.registry import is_plugin
from records.games.shipped import SHIPPED
from records.verdict import IllegalAt, grouped
from rules.kernel.text import quoted

ELSEWHERE: Final = "Where Shiji and the plug-in of that game are installed, this judges it: shiji verify FILE"
"""What to do about a game of another distribution, whose rules no browser has."""


class Judging:
    """The judging of one file, in as many attempts as it takes until every signature in it is known.

    A browser checks signatures while Python waits for nothing. So an attempt takes a signature that it has
    not met before for good, and remembers it; only an attempt without such signatures is a verdict.
    """

    def __init__(self, name: str, content: bytes | memoryview) -> None:
        self._name: Final = name
        self._content: Final = bytes(content)
        self._known: Final[dict[tuple[bytes, bytes, bytes], bool]] = {}
        self._met: Final[dict[tuple[bytes, bytes, bytes], None]] = {}

    def attempt(self) -> str:
        """Judge the file; the report as JSON."""
        self._met.clear()
        with signatures_checked_by(self._check):
            return report_of(self._name, self._content)

    def unknown(self) -> list[tuple[bytes, bytes, bytes]]:
        """Key, message and signature of those that the last attempt took for good without knowing."""
        return list(self._met)

    def refute(self, number: int) -> None:
        """Take note that one of the unknown signatures, by its number among them, is not good."""
        self._known[list(self._met)[number]] = False

    def confirm(self) -> None:
        """Take note that all other unknown signatures are good."""
        self._known.update(dict.fromkeys(self._met.keys() - self._known.keys(), True))

    def _check(self, key: bytes, message: bytes, signature: bytes) -> bool:
        known = self._known.get((key, message, signature))
        if known is None:
            self._met[key, message, signature] = None
            return True
        return known


def report_of(name: str, content: bytes) -> str:
    """What `shiji verify --json` prints, and besides the verdict as a sentence, with all broken rules."""
    judged = _judged(name, content)
    report = as_json(judged)
    if isinstance(judged, UnreadableFile) and judged.game and is_plugin(judged.game):
        known = ", ".join(SHIPPED.keys)
        report |= {
            "sentence": f"Not judged: {quoted(judged.game)} is none of the games whose rules are here",
            "why": f"These are {known}. {ELSEWHERE}",
            "excerpt": [],
            "broken": [],
        }
    elif isinstance(judged, UnreadableFile):
        report |= {
            "sentence": f"Unreadable: {judged.fault}",
            "excerpt": list(judged.fault.excerpt),
            "broken": [],
        }
    else:
        words = verdict_words(judged)
        report |= {"sentence": words[:1].upper() + words[1:], "excerpt": [], "broken": _broken(judged)}
        report["missing"] = [f"{reason}: {entries}" for reason, entries in grouped(judged.report.unjudged)]
        report["result"] = judged.report.reached.display.turn()
    return json.dumps(report)


def _judged(name: str, content: bytes) -> FileReport | UnreadableFile:
    try:
        return judge_source(name, parse_record(record_in(content)))
    except CannotRead as fault:
        return UnreadableFile(name, fault)


def _broken(judged: FileReport) -> list[dict[str, object]]:
    """Every rule that the first illegal entry breaks."""
    verdict, header = judged.report.verdict, judged.header
    if not isinstance(verdict, IllegalAt):
        return []
    about, setup = header.game.about, header.start.setup
    return [
        {
            "rule": each.rule.id,
            "title": each.rule.title,
            "why": each.why,
            "text": each.rule.text,
            "source": source_words(about, setup.edition, each.rule.source),
            "rulings": [str(ruling) for ruling in rulings_for(about, each.rule, setup.rulings)],
        }
        for each in verdict.violations
    ]
