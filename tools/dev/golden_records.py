"""Makes golden archives and record files from golden transcripts, one set per schema and edition.

An existing set is never written again: every later build must read and verify it.
"""

import json
import shutil
from pathlib import Path
from typing import Final

import click

from records.codec.header import Retraction
from records.entry import MatchHeader, MatchId, RetractPolicy
from records.files.record_file import write_record
from records.ledger.ledger import Ledger
from records.ledger.notices import retract
from records.ledger.results import Appended
from records.ledger.transfer import Imported, VerifiedImport, judge, store
from records.log import schema
from records.log.sqlite import SqliteLog
from rules.kernel.actors import Seat
from rules.kernel.setup import Setup
from rules.qin.game import QIN
from rules.qin.rulebook import QIN_1
from tools.dev.golden import FOLDER

ARCHIVES: Final = FOLDER.parent / "archives"
"""Folder of the golden archives."""

TRANSCRIPTS: Final = (
    "two-random",
    "three-greedy",
    "two-recorded",
    "four-recorded-piles",
    "three-recorded-partly",
    "last-pagoda",
    "stalled",
    "shared-victory",
    "idle-passes",
    "end-declared-on-a-lake",
    "unfinished",
    "nothing-played",
    "tall",
    "every-ruling",
)
"""Names of the transcripts in the archive, one for each kind of match."""

RECORDS: Final = ("last-pagoda", "end-declared-on-a-lake")
"""Names of those that are also written as record files."""


def make(path: Path) -> None:
    """Write an archive with the transcripts and a match with takebacks, and its expected contents."""
    with SqliteLog.open(path) as log:
        incoming = [judge((FOLDER / f"{name}.shiji").read_bytes()) for name in TRANSCRIPTS]
        stored = store(log, [each for each in incoming if isinstance(each, VerifiedImport)])
        names = {each.match: name for each, name in zip(stored, TRANSCRIPTS, strict=True)}
        ledger = Ledger(log)
        corrected = _play_corrected(ledger)
        names[corrected] = "corrected"
        expected = {
            match: {
                "name": name,
                "entries": ledger.current(match).sequence,
                "head": ledger.current(match).hash.hex(),
                "position": ledger.state_at(match).position(),
            }
            for match, name in names.items()
        }
        for match, name in names.items():
            if name in (*RECORDS, "corrected"):
                lines = write_record(list(ledger.read(match)))
                path.with_name(f"{path.stem}-{name}.jsonl").write_bytes(b"".join(lines))
        if any(not isinstance(each, Imported) for each in stored):
            raise click.ClickException("a golden transcript was refused")
    path.with_suffix(".json").write_text(json.dumps(expected, indent=1) + "\n", encoding="utf-8")


def _play_corrected(ledger: Ledger) -> MatchId:
    """Play a match with takebacks, one of which is itself taken back."""
    setup = Setup(QIN_1, ("green", "violet"), "bird")
    match = ledger.start(MatchHeader(QIN.about.key, setup, RetractPolicy.ANY_SEAT), "golden").entry.match
    steps: tuple[str | int, ...] = (
        "green Re8Re9",
        "violet Yg8Bh8",
        1,
        "violet Yg8Yg9",
        "green Yd8Rd9",
        2,
        5,
        "violet Bi8Bi9",
    )
    for last, step in enumerate(steps):
        request = f"golden {last + 1}"
        if isinstance(step, int):
            retract(ledger, match, last, request, Seat(last % 2), Retraction(step, "a slip"))
        else:
            candidate = ledger.state_at(match).parse_text(step)
            if not isinstance(ledger.append(match, last, request, candidate), Appended):
                raise click.ClickException(f"{step} is illegal")
    return match


@click.command()
def main() -> None:
    """Write the golden archive of this schema and edition, unless it exists already."""
    path = ARCHIVES / f"schema-{len(schema.steps())}-{QIN_1.replace('/', '-')}.db"
    if path.exists():
        click.echo(f"{path.name} exists already")
        return
    ARCHIVES.mkdir(exist_ok=True)
    scratch = path.with_name("making")
    scratch.mkdir()
    try:
        make(scratch / path.name)
        for made in scratch.iterdir():
            made.replace(ARCHIVES / made.name)
    finally:
        shutil.rmtree(scratch)
    click.echo(f"{path.name}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
