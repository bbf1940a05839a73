"""Looks at the records that a fuzzed server has stored: they verify, and a sample is read and rendered."""

import random
from pathlib import Path
from typing import Final

from records.audit.judged_file import FileReport
from records.entry import MatchId
from records.files.record_file import write_record
from records.ledger.ledger import Ledger
from records.ledger.redaction import CannotRedact, redacted
from records.verdict import Verified, VerifiedAsShown, word
from rules.kernel.actors import AUDITOR, SPECTATOR
from rules.kernel.display import Highlights
from tests.fuzz.findings import Findings
from tests.tools.running import run
from tools.page.page import replay_page
from tools.report.file_verdict import judge_file

_GOOD: Final = {"verified", "as-shown"}


def look_at_records(ledger: Ledger, sample: int, folder: Path, found: Findings) -> None:
    """Audit every record; export and render some of them."""
    matches = list(ledger.log.matches())
    for match in matches:
        verdict = ledger.audit(match).verdict
        allowed = Verified | VerifiedAsShown if ledger.log.is_copy(match) else Verified
        if isinstance(verdict, allowed):
            found.verified += 1
        else:
            found.crashes.append(f"the stored record {match} is {word(verdict)}: {verdict}")
    dice = random.Random(len(matches))  # noqa: S311 - the same each time
    for match in dice.sample(matches, min(sample, len(matches))):
        _render(ledger, match, folder, found, dice)


def _render(ledger: Ledger, match: MatchId, folder: Path, found: Findings, dice: random.Random) -> None:
    """Export as for everybody and in full; draw one of both in the terminal, the other as SVG and a page."""
    entries, path = list(ledger.read(match)), folder / "exported.jsonl"
    in_terminal = dice.choice((SPECTATOR, AUDITOR))
    for viewer in (SPECTATOR, AUDITOR):
        try:
            path.write_bytes(b"".join(write_record(redacted(entries, viewer))))
        except CannotRedact:  # of version 1: such a match is exported once it is over
            continue
        judged = judge_file(str(path))
        if not isinstance(judged, FileReport) or judged.verdict not in _GOOD:
            found.crashes.append(f"the export of {match} is {judged.verdict}")
            continue
        if viewer is in_terminal:
            shown = run("replay", path)
            if shown.exit_code:
                found.crashes.append(f"the terminal does not show {match}: {shown.output}")
        else:
            replay_page(judged)
            judged.report.reached.display.picture(Highlights())
    found.rendered += 1
