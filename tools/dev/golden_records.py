"""Makes golden archives and record files out of golden transcripts, one set for each schema and edition.

What is there already is never written again: it must be read and verified for ever, whatever comes later.
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
"""One of each kind."""

RECORDS: Final = ("last-pagoda", "end-declared-on-a-lake")
"""Those that are kept as record files too."""


def make(path: Path) -> None:
    """An archive with the transcripts and a match that was corrected, and what is to be found in it."""
    with SqliteLog.open(path) as log:
        incoming = [judge((FOLDER / f"{name}.shiji").read_bytes()) for name in TRANSCRIPTS]
        stored = store(log, [each for each in incoming if isinstance(each, VerifiedImport)])
        names = {each.match: name for each, name in zip(stored, TRANSCRIPTS, strict=True)}
        ledger = Ledger(log)
        corrected = _correct(ledger)
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


def _correct(ledger: Ledger) -> MatchId:
    """A match with takebacks, one of them taken back itself."""
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
            ledger.retract(match, last, request, Seat(last % 2), Retraction(step, "a slip"))
        else:
            asked = ledger.state_at(match).parse_text(step)
            if not isinstance(ledger.append(match, last, request, asked), Appended):
                raise click.ClickException(f"{step} is illegal")
    return match


@click.command()
def main() -> None:
    """Make the golden archive of this schema and edition, if there is none yet."""
    path = ARCHIVES / f"schema-{len(schema.steps())}-{QIN_1.replace('/', '-')}.db"
    if path.exists():
        click.echo(f"{path.name} is there already")
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
