"""One part of a campaign: some calls to a new server, or some files of one kind."""

import random
import traceback
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.fuzz.files import KINDS, Corpus, Kind
from tests.fuzz.findings import SLOW_SECONDS, TRIES, Findings, Stopwatch
from tests.fuzz.sending import send_many

CALLS: Final = "calls"
"""The kind that is not a file."""

_SHOWN_EVERY: Final = 50
"""One file in this many is also shown by commands, besides those with an outcome that was new."""


def run_part(kind: str, seed: int, part: int, size: int, sample: int) -> Findings:
    """The findings of a part, which is the same for the same seed, number and size."""
    if kind == CALLS:
        return send_many(f"{seed} {part}", size, sample)
    found, corpus = Findings(done=size), Corpus(KINDS[kind])
    with TemporaryDirectory() as folder:
        path = Path(folder, "file")
        for number in range(part * size, (part + 1) * size):
            dice = random.Random(f"{seed} {kind} {number}")  # noqa: S311 - the same each time
            data, name = corpus.next(dice), f"{kind}-{number}"
            try:
                outcome, seconds = _read(KINDS[kind], data, path, dice)
                if corpus.learn(data, outcome) or number % _SHOWN_EVERY == 0:
                    KINDS[kind].show(path, dice)
            except Exception:  # noqa: BLE001 - whatever it is, it is what is looked for
                found.crashes.append(f"{name}: {traceback.format_exc()}")
                found.data[name] = data
            else:
                if found.took(seconds, name):
                    found.data[name] = data
    return found


def _read(kind: Kind, data: bytes, path: Path, dice: random.Random) -> tuple[str, float]:
    """What became of a file, and how long that took; if it was long, the shortest of some tries."""
    watch = Stopwatch()
    outcome = kind.read(data, path, dice)
    seconds, tries = watch.seconds, 1
    while seconds > SLOW_SECONDS and tries < TRIES:
        watch = Stopwatch()
        kind.read(data, path, dice)
        seconds, tries = min(seconds, watch.seconds), tries + 1
    return outcome, seconds
