"""One record on a page: its steps, its verdict, its entries."""

from collections.abc import Iterator
from dataclasses import dataclass

from records.games.citations import rulings_for
from records.verdict import CorruptAt, DivergedAt, IllegalAt
from rules.kernel.rule import Rule, Violation
from tools.page.html import Html, joined, tag
from tools.report.file_report import FileReport, ShownEntry, described, verdict_words
from tools.report.steps import Step, steps_of


@dataclass(frozen=True, slots=True)
class Lane:
    """A record, and how a page with several of them calls it."""

    name: str
    judged: FileReport
    steps: tuple[Step, ...]

    @property
    def last(self) -> int:
        """The number of its last step."""
        return len(self.steps) - 1

    @property
    def refused(self) -> Step | None:
        """The step that breaks the rules, if one does."""
        return self.steps[-1] if self.steps[-1].refused else None

    @property
    def unjudged(self) -> list[tuple[int, ShownEntry]]:
        """The entries after the last that was judged, by their numbers."""
        last = max(self.judged.report.good, self.steps[-1].number)
        return list(enumerate(self.judged.entries[last:], start=last + 1))

    @property
    def rules(self) -> Iterator[Rule]:
        """Every rule that it cites, in order, some more than once."""
        for step in self.steps:
            for told in step.told:
                yield from told.rules
            if step.refused:
                yield from (violation.rule for violation in step.refused.violations)


def lane(name: str, judged: FileReport) -> Lane:
    """A record made ready for a page, with every entry that it has."""
    return Lane(name, judged, steps_of(judged))


def match_facts(one: Lane) -> Html:
    """What was played, by whom and when, as far as the record tells."""
    rows = (joined(tag("dt", line.label), tag("dd", line.text)) for line in described(one.judged.header))
    return tag("dl", *rows, class_="facts")


def verdict(one: Lane) -> Html:
    """The verdict, and every rule broken."""
    judged = one.judged
    told = judged.report.verdict
    words = verdict_words(judged)
    violations = told.violations if isinstance(told, IllegalAt) else ()
    return tag(
        "section",
        tag(
            "div",
            tag("h2", f"{one.name}: {words}" if one.name else words.capitalize(), class_="said"),
            tag("a", f"show entry {one.last} on the board", href=f"#entry={one.last}")
            if violations
            else None,
        ),
        tag("p", told.why) if isinstance(told, DivergedAt | CorruptAt) else None,
        *(_violation(one, violation) for violation in violations),
        class_=f"verdict {judged.verdict}",
    )


def _violation(one: Lane, violation: Violation) -> Html:
    rule = violation.rule
    header = one.judged.header
    rulings = rulings_for(header.game.about, rule, header.start.setup.rulings)
    rows = [
        ("why", violation.why),
        ("concerns", " ".join(violation.places)),
        ("rule", rule.text),
        ("source", rule.source),
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
    """The entries from one step to another, or to the end of the record; each step is a link to its board."""
    last = one.last if end is None else end
    items = [_linked(one, at) for at in range(begin, last + 1)]
    if end is None:
        items += [
            tag("li", *_told(number, entry), tag("em", " not judged"), class_="unjudged")
            for number, entry in one.unjudged
        ]
    return tag("ol", *items, class_="entries")


def _linked(one: Lane, at: int) -> Html:
    step = one.steps[at]
    told = [tag("span", "0", class_="n"), " start"] if step.entry is None else _told(step.number, step.entry)
    if step.refused:
        told.append(tag("strong", " illegal"))
    return tag("li", tag("a", *told, href=f"#entry={at}"))


def _told(number: int, entry: ShownEntry) -> list[str]:
    told: list[str] = [tag("span", str(number), class_="n"), f" {entry.text}"]
    if entry.comment:
        told.append(tag("span", entry.comment, class_="comment"))
    return told
