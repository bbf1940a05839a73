"""Judges a file within a browser, where signatures can only be checked by the page around it."""

import json
from dataclasses import replace
from typing import Final, TypeAlias

from records.audit.bundle import Proven
from records.audit.file_json import as_json
from records.audit.judged_file import FileReport, UnreadableFile, judge_source, verdict_words
from records.audit.sources import CannotRead, parse_record, record_in
from records.evidence.ed25519 import signatures_checked_by
from records.games.citations import rulings_for, source_words
from records.games.registry import is_plugin
from records.games.shipped import SHIPPED
from records.verdict import AS_SHOWN, IllegalAt, grouped
from rules.kernel.text import quoted

ELSEWHERE: Final = "Where Shiji and the plug-in of that game are installed, this judges it: shiji verify FILE"
"""What to do about a game of another distribution, whose rules no browser has."""


Signed: TypeAlias = tuple[bytes, bytes, bytes]
"""A key, a message and a signature."""

UNCHECKED: Final = "this browser has no Ed25519, or has it only on pages that are loaded securely"
"""Why a browser does not check signatures."""


class Judging:
    """The judging of one file, in as many attempts as it takes until every signature in it was asked about.

    A browser checks signatures while Python waits for nothing. So an attempt goes on past a signature of
    which it does not know whether it is good, and counts it: nothing is verified with a signature unchecked.
    """

    def __init__(self, name: str, content: bytes | memoryview) -> None:
        self._name: Final = name
        self._content: Final = bytes(content)
        self._answers: Final[dict[Signed, bool | None]] = {}
        """Whether a signature is good; None if the browser cannot tell."""
        self._unchecked: Final[dict[Signed, None]] = {}
        """What the last attempt met without knowing, in its order."""
        self._asked: tuple[Signed, ...] = ()

    def attempt(self) -> str:
        """Judge the file; the report as JSON."""
        self._unchecked.clear()
        with signatures_checked_by(self._check):
            judged = _judged(self._name, self._content)
        self._asked = tuple(each for each in self._unchecked if each not in self._answers)
        return _report(judged, len(self._unchecked))

    def unknown(self) -> list[Signed]:
        """The signatures that the last attempt met and that were not asked about before."""
        return list(self._asked)

    def confirm(self, number: int) -> None:
        """Take note that one of the unknown signatures, by its number among them, is good."""
        self._answers[self._asked[number]] = True

    def refute(self, number: int) -> None:
        """Take note that one of the unknown signatures is not good."""
        self._answers[self._asked[number]] = False

    def leave_unchecked(self, number: int) -> None:
        """Take note that nobody can tell here whether one of the unknown signatures is good."""
        self._answers[self._asked[number]] = None

    def _check(self, key: bytes, message: bytes, signature: bytes) -> bool:
        good = self._answers.get((key, message, signature))
        if good is None:
            self._unchecked[key, message, signature] = None
            return True
        return good


def report_of(name: str, content: bytes) -> str:
    """What `shiji verify --json` prints, and besides the verdict as a sentence, with all broken rules."""
    return _report(_judged(name, content), unchecked=0)


def _report(judged: FileReport | UnreadableFile, unchecked: int) -> str:
    missing: list[str] = []
    if unchecked:
        missing.append(f"{_not_checked(unchecked)}: {UNCHECKED}")
        judged = _without_what_is_signed(judged, missing[0])
    report = as_json(judged) | {"unchecked": unchecked, "excerpt": [], "broken": []}
    if isinstance(judged, FileReport):
        missing += [f"{reason}: {entries}" for reason, entries in grouped(judged.report.unjudged)]
        report |= {
            "verdict": AS_SHOWN if unchecked and judged.verdict == "verified" else judged.verdict,
            "sentence": _sentence(judged, unchecked),
            "broken": _broken(judged),
            "result": judged.report.reached.display.turn(),
        }
    elif judged.game and is_plugin(judged.game):
        known = ", ".join(SHIPPED.keys)
        report |= {
            "sentence": f"Not judged: {quoted(judged.game)} is none of the games whose rules are here",
            "why": f"These are {known}. {ELSEWHERE}",
        }
    else:
        report |= {"sentence": f"Unreadable: {judged.fault}", "excerpt": list(judged.fault.excerpt)}
    return json.dumps(report | {"missing": missing})


def _sentence(judged: FileReport, unchecked: int) -> str:
    words = verdict_words(judged)
    here = f"verified as far as this browser can check: {_not_checked(unchecked)}"
    if unchecked and judged.verdict == "verified":
        words = here
    elif unchecked and judged.verdict == AS_SHOWN:
        words = f"{words}; {here}"
    return words[:1].upper() + words[1:]


def _not_checked(unchecked: int) -> str:
    return f"{unchecked} {'signature' if unchecked == 1 else 'signatures'} not checked"


def _without_what_is_signed(judged: FileReport | UnreadableFile, why: str) -> FileReport | UnreadableFile:
    """Signatures that were not checked prove neither who signed nor that a log holds the record."""
    if isinstance(judged, UnreadableFile) or judged.proven is None:
        return judged
    return replace(judged, proven=Proven(judged.proven.chain, signed=0, unsigned=why))


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
