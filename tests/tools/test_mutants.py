"""Mutants of records, with hashes recomputed as a forger would: none is verified with another story.

SHIJI_MUTANTS is the number of mutants per game, of all forms together, SHIJI_FIRST the number of the first;
`make mutate` makes many. Records that are only cut off are counted apart: nobody can see that.
"""

import os
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import pytest
from msgspec import structs

from records.audit.file_json import as_json
from records.audit.judged_file import FileReport
from records.audit.record import audit_record
from records.entry import Dealer, Entry, EntryKind
from records.evidence.concealment import BadConcealed, parse_concealed
from records.files.record_file import UnwritableRecord
from records.games.registry import GAMES
from records.replay.fold import BadRecord, moves_that_stand, open_record
from records.replay.wording import describe_entries
from records.verdict import Verdict, Verified, VerifiedAsShown
from rules.kernel.setup import GameKey
from tests.tools.forms import (
    KEPT_PLAYS,
    OF_VERSION_1,
    Form,
    envelope,
    form_named,
    forms_of,
    original,
    staged,
)
from tests.tools.memo import remembering
from tests.tools.mutating import file_of, is_prefix, mutated, mutated_envelope
from tools.report.file_report import as_lines
from tools.report.file_verdict import judge_file
from tools.report.steps import steps_of

MUTANTS = int(os.environ.get("SHIJI_MUTANTS", "500"))
FIRST = int(os.environ.get("SHIJI_FIRST", "0"))
PER_TEST = 500
"""Mutants per test: as many tests run side by side, and show how far a long run is."""
PER_PLAY = 500
"""Mutants that are made of one match; the next ones are made of another."""

JUDGED_TWICE = 150
"""Mutants whose moves are judged both together and one by one."""

Telling = tuple[int, str | None, tuple[str, ...], bytes | tuple[int, ...]]
"""Who moved, which move, what it caused, and for whom its concealed parts are."""


def seeds_of(game: GameKey, form: Form) -> range:
    """The seeds of a form: the mutants of a game are numbered, and its forms take turns."""
    forms = forms_of(game)
    first, last = (-((forms.index(form) - number) // len(forms)) for number in (FIRST, FIRST + MUTANTS))
    return range(first, last)


every_form = pytest.mark.parametrize(
    ("game", "form"),
    [pytest.param(game, form, id=f"{game}, {form.name}") for game in GAMES.keys for form in forms_of(game)],
)

every_chunk = pytest.mark.parametrize(
    ("game", "form", "seeds"),
    [
        pytest.param(game, form, seeds[at : at + PER_TEST], id=f"{game}, {form.name}, {seeds[at]}")
        for game in GAMES.keys
        for form in forms_of(game)
        for seeds in [seeds_of(game, form)]
        for at in range(0, len(seeds), PER_TEST)
    ],
)


def described(entries: Sequence[Entry]) -> tuple[Telling, ...]:
    """The moves that stand, with what they caused, as far as the record shows it.

    Seats are numbered: where nobody signs, a record with other names is one of other players.
    """
    tellings = _tellings(entries)
    unsealed = _is_unsealed(entries)
    return tuple(tellings[entry.sequence][unsealed] for entry in moves_that_stand(entries))


def _tellings(entries: Sequence[Entry]) -> list[tuple[Telling, Telling]]:
    """What each entry says in a record that is not unsealed, and in one that is."""
    numbers = _numbers(entries[0])
    described = zip(entries, describe_entries(entries), strict=True)
    words = [(entry, text and _numbered(text, numbers), events) for entry, (text, events) in described]
    return [
        (
            (entry.actor, text, events, _committed(entry, unsealed=False)),
            (entry.actor, text, events, _committed(entry, unsealed=True)),
        )
        for entry, text, events in words
    ]


def _is_unsealed(entries: Sequence[Entry]) -> bool:
    return any(entry.kind == EntryKind.UNSEAL for entry in entries)


def _numbers(first: Entry) -> dict[str, str]:
    try:
        seats = open_record(first).header.setup.seats
    except BadRecord:
        return {}
    return {name: str(number) for number, name in enumerate(seats)}


def _numbered(text: str, numbers: dict[str, str]) -> str:
    return " ".join(numbers.get(word, word) for word in text.split(" "))


def _committed(entry: Entry, *, unsealed: bool) -> bytes | tuple[int, ...]:
    """The commitments of an entry as far as they follow from it: once it is unsealed, salts do too."""
    if unsealed:
        return entry.concealed
    try:
        return tuple(each.audience for each in parse_concealed(entry.concealed))
    except BadConcealed:
        return b"unreadable"


def public(entries: Sequence[Entry]) -> list[Entry]:
    return [structs.replace(entry, secret=b"") for entry in entries]


@lru_cache(KEPT_PLAYS)
def stories(game: GameKey, form: Form, play: int) -> dict[int, list[tuple[set[Telling], ...]]]:
    """What the record says up to each of its entries, in full or in public, by the number of moves.

    Nobody sees that a record was cut off, or that parts were left out of one that is unsealed.
    """
    entries = original(game, form, play)
    pairs = list(zip(_tellings(entries), _tellings(public(entries)), strict=True))
    sayings = [tuple({full[unsealed], seen[unsealed]} for full, seen in pairs) for unsealed in (False, True)]
    found: dict[int, list[tuple[set[Telling], ...]]] = {}
    for last in range(1, len(entries) + 1):
        beginning = entries[:last]
        saying = sayings[_is_unsealed(beginning)]
        story = tuple(saying[entry.sequence] for entry in moves_that_stand(beginning))
        found.setdefault(len(story), []).append(story)
    return found


def is_true(game: GameKey, form: Form, play: int, mutant: Sequence[Entry]) -> bool:
    """Whether a mutant says nothing but what the original says, in full and in public."""
    whole, seen = described(mutant), described(public(mutant))
    return any(
        all(allowed.issuperset(pair) for allowed, *pair in zip(known, whole, seen, strict=True))
        for known in stories(game, form, play).get(len(whole), [])
    )


def deception(game: GameKey, form: Form, play: int, mutant: list[Entry], verdict: Verdict) -> str | None:
    """How a verdict on a mutant deceives; None if it does not."""
    if not isinstance(verdict, Verified | VerifiedAsShown) or is_true(game, form, play, mutant):
        return None
    if isinstance(verdict, Verified):
        return "verified, but says something else"
    listed = {each.sequence for each in verdict.unjudged}
    pairs = zip(mutant, original(game, form, play), strict=False)
    first = next((one.sequence for one, other in pairs if _content(one) != _content(other)), 0)
    return None if first in listed else f"entry {first} says something else and is not listed"


def _content(entry: Entry) -> tuple[bytes, ...]:
    return entry.move, entry.events, entry.concealed, entry.secret


def dice_of(game: GameKey, form: Form, seed: int) -> random.Random:
    return random.Random(f"{game} {form.name} {seed}")  # noqa: S311 - tests want the same mutants again


@dataclass(frozen=True)
class Judged:
    """What became of a mutant."""

    how: str | None = None
    """How it deceives a reader; None if it does not."""
    cut: bool = False
    """Whether it is only cut off."""


def judge(game: GameKey, form: Form, seed: int, path: Path) -> Judged:
    """Make a mutant and have it judged. A reader that raises fails the test by itself."""
    dice, play = dice_of(game, form, seed), seed // PER_PLAY
    mutant, true_line = list(original(game, form, play)), envelope(game, form, play)
    if true_line is not None and dice.random() < 0.4:
        return Judged(with_other_envelope(mutant, true_line, mutated_envelope(true_line, dice), path))
    mutant = mutated(mutant, dice)
    cut = is_prefix(mutant, original(game, form, play))
    path.unlink(missing_ok=True)  # to overwrite a file takes ten times as long
    try:
        path.write_bytes(file_of(mutant, true_line))
    except UnwritableRecord:
        verdict = audit_record(mutant[0].match, mutant).verdict
    else:
        judged = read_everything(path)
        if judged is None:
            return Judged(cut=cut)
        verdict = judged.report.verdict
    return Judged(deception(game, form, play, mutant, verdict), cut)


def with_other_envelope(
    entries: Sequence[Entry], true_line: bytes, first_line: bytes, path: Path
) -> str | None:
    """How a bundle with another envelope deceives a reader; None if it does not."""
    path.unlink(missing_ok=True)
    path.write_bytes(file_of(entries, first_line))
    judged = read_everything(path)
    if judged is None or not isinstance(judged.report.verdict, Verified | VerifiedAsShown):
        return None
    return None if is_harmless(true_line, first_line) else "verified with a false envelope"


def read_everything(path: Path) -> FileReport | None:
    """The report on a file, after everything was made of it that is shown; None if it cannot be read."""
    judged = judge_file(str(path))
    list(as_lines(judged))
    as_json(judged)
    if not isinstance(judged, FileReport):
        return None
    steps_of(judged)
    return judged


def is_harmless(true: bytes, forged: bytes) -> bool:
    """Whether a forged envelope only proves less."""
    begin, _, _ = true.partition(b',"log":')
    return forged == begin + b',"log":null}'


def verdict_on_the_original(game: GameKey, form: Form, play: int, path: Path) -> FileReport:
    """The verdict on the record that mutants are made of, which is as good as its form allows."""
    path.unlink(missing_ok=True)
    path.write_bytes(file_of(original(game, form, play), envelope(game, form, play)))
    judged = judge_file(str(path))
    assert isinstance(judged, FileReport)
    lacks = not form.ended and (
        original(game, form, play) != tuple(staged(game, form, play).entries)
        or (game == "great-wall" and form.dealer is Dealer.SERVICE)  # the back of a card is not proven yet
    )
    assert judged.verdict == ("as-shown" if lacks else "verified"), judged.report
    return judged


@every_form
def test_the_records_that_mutants_are_made_of_verify(game: GameKey, form: Form, tmp_path: Path) -> None:
    judged = verdict_on_the_original(game, form, 0, tmp_path / "original")

    # In other games than these, nothing may be hidden yet.
    assert judged.verdict == "as-shown" or form.shows_all or game not in OF_VERSION_1
    assert (judged.proven is not None and judged.proven.checkpoint is not None) == form.bundled


@pytest.mark.parametrize("game", GAMES.keys)
def test_mutants_are_made_of_every_kind_of_entry_that_a_game_can_have(game: GameKey) -> None:
    secret = {EntryKind.CHOOSE, EntryKind.OPEN_CHOICE, EntryKind.REVEAL_CHOICES, EntryKind.ANSWER_FOR}
    possible = set(EntryKind) if any(form.seals for form in forms_of(game)) else set(EntryKind) - secret

    assert {entry.kind for form in forms_of(game) for entry in original(game, form)} == possible


@pytest.mark.parametrize("game", GAMES.keys)
def test_mutants_are_made_of_matches_with_a_result_of_two_and_of_three_seats(game: GameKey) -> None:
    forms = [form for form in forms_of(game) if staged(game, form).current.state.outcome() is not None]

    assert {form.seats for form in forms} == {2, 3}


@every_chunk
def test_no_mutant_is_verified_while_it_says_something_else(
    game: GameKey, form: Form, seeds: range, tmp_path: Path, record_property: Callable[[str, int], None]
) -> None:
    found: list[tuple[int, str]] = []
    cut = 0
    with remembering():
        for play in sorted({seed // PER_PLAY for seed in seeds}):
            verdict_on_the_original(game, form, play, tmp_path / "original")
        for seed in seeds:
            judged = judge(game, form, seed, tmp_path / "mutant")
            cut += judged.cut
            if judged.how is not None:
                found.append((seed, judged.how))
    record_property(f"mutants of {game}", len(seeds))
    record_property(f"of them only cut off, of {game}", cut)
    record_property("deceived", len(found))

    assert found == []


def test_the_mutants_of_a_game_are_as_many_as_were_asked_for() -> None:
    for game in GAMES.keys:
        assert sum(len(seeds_of(game, form)) for form in forms_of(game)) == MUTANTS


@pytest.mark.parametrize("game", ["qin", "khan", "zhanguo"])
def test_moves_that_are_judged_together_get_the_verdict_of_moves_judged_one_by_one(game: GameKey) -> None:
    form = form_named("recorder deals")
    record = list(original(game, form))
    records = [record, *(mutated(record, dice_of(game, form, seed)) for seed in range(JUDGED_TWICE))]

    for entries in records:
        together = audit_record(entries[0].match, entries)
        one_by_one = audit_record(entries[0].match, entries, check=lambda *_: None)

        assert together.verdict == one_by_one.verdict
        assert together.state == one_by_one.state
