"""One record on a page, with its steps, its verdict and its entries."""

from collections.abc import Iterator
from dataclasses import dataclass

from records.audit.judged_file import FileReport, ShownEntry, verdict_words
from records.games.citations import rulings_for, source_words
from records.games.html import Html, joined, tag
from records.replay.transcript_numbers import shifts
from records.verdict import CorruptAt, DivergedAt, IllegalAt, grouped
from rules.kernel.rule import Rule, Violation
from tools.report.file_report import match_lines
from tools.report.steps import Step, steps_of


@dataclass(frozen=True, slots=True)
class Lane:
    """A record on a page, which may show several side by side."""

    name: str
    """Title of the record on the page; empty if it is the only one."""
    judged: FileReport
    steps: tuple[Step, ...]

    @property
    def last(self) -> int:
        """Number of the last step."""
        return len(self.steps) - 1

    @property
    def refused(self) -> Step | None:
        """The step that breaks the rules, if one does."""
        return self.steps[-1] if self.steps[-1].refused else None

    @property
    def unjudged(self) -> list[tuple[int, ShownEntry]]:
        """The entries after the last one judged, with their numbers."""
        last = max(self.judged.report.good, self.steps[-1].number)
        return list(enumerate(self.judged.entries[last:], start=last + 1))

    @property
    def rules(self) -> Iterator[Rule]:
        """All rules that the record's steps cite, in order; a rule may occur more than once."""
        for step in self.steps:
            for event in step.events:
                yield from event.rules
            if step.refused:
                yield from (violation.rule for violation in step.refused.violations)


def lane(name: str, judged: FileReport) -> Lane:
    """Divide a judged record into steps for a page."""
    return Lane(name, judged, steps_of(judged))


def match_facts(one: Lane) -> Html:
    """The game, the seats and the further tags of the record."""
    rows = (joined(tag("dt", line.label), tag("dd", line.text)) for line in match_lines(one.judged.header))
    return tag("dl", *rows, class_="facts")


def verdict(one: Lane) -> Html:
    """The verdict and all rules broken."""
    judged = one.judged
    result = judged.report.verdict
    words = verdict_words(judged)
    violations = result.violations if isinstance(result, IllegalAt) else ()
    return tag(
        "section",
        tag(
            "div",
            tag("h2", f"{one.name}: {words}" if one.name else words.capitalize(), class_="said"),
            tag("a", f"show entry {one.last} on the board", href=f"#entry={one.last}")
            if violations
            else None,
        ),
        tag("p", result.why) if isinstance(result, DivergedAt | CorruptAt) else None,
        *(tag("p", f"{reason}: {entries}") for reason, entries in grouped(judged.report.unjudged)),
        *(_violation(one, violation) for violation in violations),
        class_=f"verdict {judged.verdict}",
    )


def source_of(one: Lane, rule: Rule) -> str:
    """Where the rulebooks of the match state a rule."""
    header = one.judged.header
    return source_words(header.game.about, header.start.setup.edition, rule.source)


def _violation(one: Lane, violation: Violation) -> Html:
    rule = violation.rule
    header = one.judged.header
    rulings = rulings_for(header.game.about, rule, header.start.setup.rulings)
    rows = [
        ("why", violation.why),
        ("concerns", " ".join(violation.places)),
        ("rule", rule.text),
        ("source", source_of(one, rule)),
        *(("ruling", str(ruling)) for ruling in rulings),
    ]
    return tag(
        "article",
        tag("p", tag("b", rule.id), f" {rule.title}"),
        tag(
            "dl", *(joined(tag("dt", label), tag("dd", text)) for label, text in rows if text), class_="facts"
        ),
    )


def entry_list(one: Lane, begin: int = 0, end: int | None = None) -> Html:
    """The entries of a range of steps, or up to the end of the record; each one links to its board."""
    last = one.last if end is None else end
    shifted = frozenset(shifts(one.judged.transcript_numbers))
    items = [_linked_entry(one, at, shifted) for at in range(begin, last + 1)]
    if end is None:
        items += [
            tag("li", *_entry_parts(number, entry), tag("em", " not judged"), class_="unjudged")
            for number, entry in one.unjudged
        ]
    return tag("ol", *items, class_="entries")


def _linked_entry(one: Lane, at: int, shifted: frozenset[int]) -> Html:
    step = one.steps[at]
    if step.entry is None:
        parts: list[str] = [tag("span", "0", class_="n"), " start"]
    else:
        parts = _entry_parts(step.number, step.entry)
    if step.number in shifted:
        parts.append(tag("span", f" {step.elsewhere}", class_="comment"))
    if step.refused:
        parts.append(tag("strong", " illegal"))
    return tag("li", tag("a", *parts, href=f"#entry={at}"))


def _entry_parts(number: int, entry: ShownEntry) -> list[str]:
    parts: list[str] = [tag("span", str(number), class_="n"), f" {entry.text}"]
    if entry.comment:
        parts.append(tag("span", entry.comment, class_="comment"))
    return parts
