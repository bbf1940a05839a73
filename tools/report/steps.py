"""Divides a judged record into steps: the position after each entry, and what the entry did."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from records.audit.judged_file import FileReport, ShownEntry
from records.entry import EntryKind, actor_of
from records.games.candidate import Candidate
from records.games.state import GameState
from records.replay.disclosure import in_full
from records.replay.fold import NOTICES, retracted_to
from records.replay.transcript_numbers import number_words
from records.replay.wording import explain_entry
from records.verdict import IllegalAt
from rules.kernel.display import EventText, Highlights
from rules.kernel.rule import Illegal


@dataclass(frozen=True, slots=True)
class Step:
    """An entry of a record and the position after it."""

    number: int
    """The number of the entry; 0 is the start."""
    entry: ShownEntry | None
    """None at the start."""
    state: GameState
    """The state after the entry, or before it if it is refused."""
    highlights: Highlights[Candidate]
    events: tuple[EventText, ...] = ()
    """Descriptions of what the entry did."""
    refused: IllegalAt | None = None
    back_to: int | None = None
    """For a takeback, the last entry that still counts."""
    elsewhere: str = ""
    """Its number in the transcript, in words, if that is another."""
    explanation: str = ""
    """The names of the cards that the move chooses and what they do, where its text has only their ids."""

    def heading(self, entries: int) -> str:
        """Number and text of the entry, given the number of entries in the record."""
        if self.entry is None:
            return f"at the start, before entry 1 of {entries}" if entries else "at the start"
        place = f"entry {self.number} of {entries}"
        if self.elsewhere:
            place = f"{place} ({self.elsewhere})"
        return (
            f"{place} is refused: {self.entry.text}" if self.refused else f"after {place}: {self.entry.text}"
        )


def step_json(step: Step) -> dict[str, object]:
    """A step as a JSON object."""
    return {
        "entry": step.number,
        "transcript": step.elsewhere,
        "text": step.entry.text if step.entry else "",
        "comment": (step.entry.comment if step.entry else None) or "",
        "events": [event.text for event in step.events],
        "refused": step.refused is not None,
        "position": step.state.position(),
        "turn": step.state.display.turn(),
    }


def steps_of(judged: FileReport) -> tuple[Step, ...]:
    """The start, every good entry, and the illegal one if there is one; what follows it is not judged."""
    steps = [Step(0, None, judged.header.start, Highlights())]
    for number in range(1, judged.report.good + 1):
        steps.append(_good_step(judged, steps, number))
    illegal = judged.report.verdict
    if isinstance(illegal, IllegalAt):
        state = steps[-1].state
        tried = _candidate(judged, state, illegal.sequence) if _moves(judged, illegal.sequence) else None
        places = tuple(place for violation in illegal.violations for place in violation.places)
        entry = judged.entries[illegal.sequence - 1]
        highlights = Highlights(refused=tried, places=places)
        explanation = "" if tried is None else state.display.explain(tried)
        step = Step(illegal.sequence, entry, state, highlights, refused=illegal, explanation=explanation)
        steps.append(step)
    numbers = judged.transcript_numbers
    if not numbers:
        return tuple(steps)
    return tuple(
        replace(step, elsewhere=number_words(numbers.get(step.number), step.number)) if step.number else step
        for step in steps
    )


def _good_step(judged: FileReport, before: list[Step], number: int) -> Step:
    entry = judged.entries[number - 1]
    if _retracts(judged, number):
        back_to = retracted_to(judged.stored[number])
        return Step(number, entry, before[back_to].state, before[back_to].highlights, back_to=back_to)
    state = before[-1].state
    if judged.stored:
        stored = judged.stored[number]
        if stored.kind in NOTICES:
            return Step(number, entry, state, before[-1].highlights)
        events = in_full(stored)[1]
        highlights = before[-1].highlights
        if _moves(judged, number):
            highlights = Highlights(last=_candidate(judged, state, number))
        texts, explanation = state.display.describe(events), explain_entry(state, stored)
        return Step(number, entry, state.fold(events), highlights, texts, explanation=explanation)
    candidate = _candidate(judged, state, number)
    verdict = state.judge(candidate)
    if isinstance(verdict, Illegal):
        raise TypeError(f"entry {number} was legal a moment ago")
    return Step(
        number,
        entry,
        verdict.after,
        Highlights(last=candidate),
        state.display.describe(verdict.events),
        explanation=state.display.explain(candidate),
    )


def _retracts(judged: FileReport, number: int) -> bool:
    return bool(judged.stored) and judged.stored[number].kind == EntryKind.RETRACT


def _moves(judged: FileReport, number: int) -> bool:
    """Whether the entry is a move, and neither a takeback nor a choice made or revealed."""
    return not judged.stored or judged.stored[number].kind == EntryKind.MOVE


def _candidate(judged: FileReport, state: GameState, number: int) -> Candidate:
    if judged.stored:
        stored = judged.stored[number]
        return state.parse_bytes(actor_of(stored.actor), in_full(stored)[0])
    return state.parse_text(judged.entries[number - 1].text)


def taken_back(steps: tuple[Step, ...]) -> Iterator[Step | None]:
    """For each step, the last step of the branch most recently taken back; None while there is none."""
    last: Step | None = None
    for number, step in enumerate(steps):
        if step.back_to is not None:
            last = steps[number - 1]
        yield last
