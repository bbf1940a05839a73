"""Verdicts as messages: broken rules, and reports of audits."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from shiji.verdict.v1 import verdict_pb2 as verdicts

from records.entry import MatchHeader
from records.games.citations import rulings_for, source_words
from records.games.registry import find_game
from records.verdict import AuditReport, CorruptAt, DivergedAt, IllegalAt, Verified, VerifiedAsShown, why
from rules.kernel.edition import EditionKey
from rules.kernel.rule import Violation
from rules.kernel.setup import GameKey

_MAX_KNOWN_SOURCES: Final = 1024
"""Sources of rules that are kept in words: all games together have some hundred rules."""

_VERDICTS: Final = {
    Verified: verdicts.VERDICT_VERIFIED,
    VerifiedAsShown: verdicts.VERDICT_AS_SHOWN,
    IllegalAt: verdicts.VERDICT_ILLEGAL,
    DivergedAt: verdicts.VERDICT_DIVERGED,
    CorruptAt: verdicts.VERDICT_CORRUPT,
}

_UNTIL_THE_END: Final = "the reason could reveal hidden hands, and is reported once the match is over"


@lru_cache(_MAX_KNOWN_SOURCES)
def _source_words(game: GameKey, edition: EditionKey, source: str) -> str:
    """Where a rule stands, in words."""
    return source_words(find_game(game).about, edition, source)


def violations_of(header: MatchHeader, violations: Iterable[Violation]) -> Iterator[verdicts.RuleViolation]:
    """Broken rules, each with the rulings in force that concern it."""
    about = find_game(header.game).about
    for violation in violations:
        rule = violation.rule
        yield verdicts.RuleViolation(
            rule_id=rule.id,
            title=rule.title,
            source=rule.source,
            source_words=_source_words(header.game, header.setup.edition, rule.source),
            text=rule.text,
            why=violation.why,
            places=violation.places,
            rulings=[
                verdicts.RulingInForce(
                    name=each.ruling.name,
                    value=each.reading.value,
                    question=each.ruling.question,
                    meaning=each.reading.text,
                )
                for each in rulings_for(about, rule, header.setup.rulings)
            ],
        )


def report_message(report: AuditReport, *, whole: bool) -> verdicts.AuditReport:
    """The audit report of a match; unless it is whole, without what could reveal a hidden hand."""
    verdict = report.verdict
    if not whole:
        return verdicts.AuditReport(
            match_id=report.match,
            verdict=_VERDICTS[type(verdict)],
            entries=report.entries,
            good=report.good,
            first_bad=report.first_bad,
            why="" if isinstance(verdict, Verified) else _UNTIL_THE_END,
            game=report.game or "",
            edition=report.edition or "",
            caution=report.caution,
        )
    message = verdicts.AuditReport(
        match_id=report.match,
        verdict=_VERDICTS[type(verdict)],
        entries=report.entries,
        good=report.good,
        first_bad=report.first_bad,
        why=why(verdict) or "",
        recorded_events=report.recorded,
        ruled_events=report.ruled,
        position=report.position or "",
        game=report.game or "",
        edition=report.edition or "",
        unjudged=[verdicts.Unjudged(sequence=each.sequence, why=each.why) for each in report.unjudged],
        caution=report.caution,
    )
    if report.header is not None and isinstance(verdict, IllegalAt):
        message.violations.extend(violations_of(report.header, verdict.violations))
    return message
