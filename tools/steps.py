"""A judged record, step by step."""

from collections.abc import Iterator
from dataclasses import dataclass

from records.arbiter import Standing
from records.candidate import Candidate
from records.entry import EntryKind, actor_of
from records.replay import NOTICES, retracted_to
from records.sealed import in_full
from records.transcript import Entry
from records.verdict import IllegalAt
from rules.kernel.display import Marks, Told
from rules.kernel.rule import Illegal
from tools.verdicts import Judged


@dataclass(frozen=True, slots=True)
class Step:
    """What there is to see at an entry of a record."""

    number: int
    """0 is the start."""
    entry: Entry | None
    """None at the start."""
    standing: Standing
    """How the match stands after the entry, or before it if it is refused."""
    marks: Marks[Candidate]
    told: tuple[Told, ...] = ()
    """What the entry did."""
    refused: IllegalAt | None = None
    back_to: int | None = None
    """The entry that it went back to, where it took others back."""

    def heading(self, entries: int) -> str:
        """Which one it is, of so many."""
        if self.entry is None:
            return f"at the start, before entry 1 of {entries}" if entries else "at the start"
        place = f"entry {self.number} of {entries}"
        return (
            f"{place} is refused: {self.entry.text}" if self.refused else f"after {place}: {self.entry.text}"
        )


def steps_of(judged: Judged) -> tuple[Step, ...]:
    """The start, every good entry, and the illegal one if there is one; what follows it is not judged."""
    steps = [Step(0, None, judged.header.start, Marks())]
    for number in range(1, judged.report.good + 1):
        steps.append(_good_step(judged, steps, number))
    illegal = judged.report.verdict
    if isinstance(illegal, IllegalAt):
        standing = steps[-1].standing
        tried = None if _retracts(judged, illegal.sequence) else _asked(judged, standing, illegal.sequence)
        places = tuple(place for violation in illegal.violations for place in violation.places)
        entry = judged.entries[illegal.sequence - 1]
        marks = Marks(refused=tried, places=places)
        steps.append(Step(illegal.sequence, entry, standing, marks, refused=illegal))
    return tuple(steps)


def _good_step(judged: Judged, before: list[Step], number: int) -> Step:
    entry = judged.entries[number - 1]
    if _retracts(judged, number):
        back_to = retracted_to(judged.stored[number])
        return Step(number, entry, before[back_to].standing, before[back_to].marks, back_to=back_to)
    standing = before[-1].standing
    if judged.stored:
        stored = judged.stored[number]
        if stored.kind in NOTICES:
            return Step(number, entry, standing, before[-1].marks)
        events = in_full(stored)[1]
        last = _asked(judged, standing, number)
        return Step(number, entry, standing.fold(events), Marks(last=last), standing.display.tell(events))
    candidate = _asked(judged, standing, number)
    verdict = standing.judge(candidate)
    if isinstance(verdict, Illegal):
        raise TypeError(f"entry {number} was legal a moment ago")
    return Step(number, entry, verdict.after, Marks(last=candidate), standing.display.tell(verdict.events))


def _retracts(judged: Judged, number: int) -> bool:
    return bool(judged.stored) and judged.stored[number].kind == EntryKind.RETRACT


def _asked(judged: Judged, standing: Standing, number: int) -> Candidate:
    if judged.stored:
        stored = judged.stored[number]
        return standing.parse_bytes(actor_of(stored.actor), in_full(stored)[0])
    return standing.parse_text(judged.entries[number - 1].text)


def taken_back(steps: tuple[Step, ...]) -> Iterator[Step | None]:
    """At each step, the end of the branch that was taken back last; None as long as there is none."""
    last: Step | None = None
    for number, step in enumerate(steps):
        if step.back_to is not None:
            last = steps[number - 1]
        yield last


def that_stand(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """The steps that no later one has taken back, and none that takes others back."""
    heads: list[int] = []
    before: dict[int, int] = {}
    for step in steps:
        if step.back_to is not None:
            heads.append(heads[step.back_to])
            continue
        if heads:
            before[step.number] = heads[-1]
        heads.append(step.number)
    line = [heads[-1]]
    while line[-1] in before:
        line.append(before[line[-1]])
    return tuple(steps[number] for number in reversed(line))


def alike(one: tuple[Step, ...], other: tuple[Step, ...]) -> int:
    """The last step up to which two records show the same; -1 where they do not even begin alike."""
    same = -1
    for here, there in zip(one, other, strict=False):
        if _seen(here) != _seen(there):
            break
        same += 1
    return same


def _seen(step: Step) -> tuple[object, ...]:
    standing = step.standing
    return standing.setup, standing.digest(), step.marks, step.back_to
