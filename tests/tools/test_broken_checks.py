"""Each check of an audit, taken out, lets a mutant of the short run of test_mutants.py deceive."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from records.audit import choices, parts
from records.audit.unproven import UnprovenReads
from records.evidence.signing import Keyring
from rules.kernel.setup import GameKey
from tests.tools.forms import form_named, forms_of
from tests.tools.memo import remembering
from tests.tools.test_mutants import judge

Patch = pytest.MonkeyPatch

SHORT = 500
"""Mutants per game in the short run."""


def no_fault(*_: object) -> None:
    """A check that finds nothing."""


@dataclass(frozen=True)
class Check:
    """A check: what it is for, how it is taken out, and a mutant of the short run that it should stop."""

    name: str
    take_out: Callable[[Patch], None]
    game: GameKey
    form: str
    seed: int


def without(owner: object, name: str) -> Callable[[Patch], None]:
    """Takes out the check of this name."""
    return lambda patch: patch.setattr(owner, name, no_fault)


CHECKS = [
    Check("what everybody sees", without(parts, "_other_public"), GameKey("qin"), "sealed", 18),
    Check("sealed draws", without(parts, "openings_fault"), GameKey("qin"), "signed", 1),
    Check("digests of parts", without(parts, "hidden_fault"), GameKey("khan"), "recorder deals", 6),
    Check("contents of parts", without(parts, "other_parts"), GameKey("qin"), "sealed", 18),
    Check(
        "choices as they were sealed",
        lambda patch: patch.setattr(choices, "opens", lambda *_: True),
        GameKey("great-wall"),
        "sealed",
        18,
    ),
    Check("signatures", without(Keyring, "check"), GameKey("qin"), "signed", 4),
    Check(
        "backs of sealed cards",
        without(UnprovenReads, "note_draw"),
        GameKey("great-wall"),
        "sealed",
        10,
    ),
]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.name)
def test_the_short_run_finds_that_the_check_is_missing(
    check: Check, tmp_path: Path, monkeypatch: Patch
) -> None:
    form = form_named(check.form)
    check.take_out(monkeypatch)

    with remembering():
        found = any(
            judge(check.game, form, seed, tmp_path / "mutant").how
            for seed in dict.fromkeys((check.seed, *range(SHORT // len(forms_of(check.game)))))
        )

    assert found
