"""One part of a campaign: some calls to a new server, or some files of one kind."""

import random
import time
import traceback
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.fuzz.files import KINDS
from tests.fuzz.findings import Findings
from tests.fuzz.sending import send_many

CALLS: Final = "calls"
"""The kind that is not a file."""

_KEPT_BYTES: Final = 3000
"""Bytes of a file that are shown with what is wrong with it."""


def run_part(kind: str, seed: int, part: int, size: int, sample: int) -> Findings:
    """The findings of a part, which is the same for the same seed and number."""
    if kind == CALLS:
        return send_many(f"{seed} {part}", size, sample)
    found = Findings(done=size)
    with TemporaryDirectory() as folder:
        path = Path(folder, "file")
        for number in range(part * size, (part + 1) * size):
            dice = random.Random(f"{seed} {kind} {number}")  # noqa: S311 - the same each time
            data = KINDS[kind].make(dice)
            began = time.process_time()
            try:
                KINDS[kind].read(data, path, dice)
                found.took(time.process_time() - began, f"{kind} {number}")
                KINDS[kind].show(path, dice)
            except Exception:  # noqa: BLE001 - whatever it is, it is what is looked for
                shown = data[:_KEPT_BYTES]
                found.crashes.append(f"{kind} {number}: {shown!r}\n{traceback.format_exc()}")
    return found
