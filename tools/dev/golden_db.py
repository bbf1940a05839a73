"""Writes a small archive in the schema of today, to be opened and read by every later build.

A file that is there already is never written again. Its moves are made up: the schema does not know them.
"""

import json
from pathlib import Path
from typing import Final

import click

from records.entry import Entry, MatchId
from records.evidence.concealment import VIEW, Commitment, format_concealed
from records.log.contract import NEW, Append, Log
from records.log.schema import steps
from records.log.sqlite import SqliteLog
from tests.records.log.making import Scribe, entry

FOLDER: Final = Path(__file__).resolve().parents[2] / "tests/records/golden/db"


def described(told: Entry) -> dict[str, str | int]:
    """An entry as JSON can tell it."""
    return {
        "match": told.match,
        "sequence": told.sequence,
        "kind": told.kind,
        "actor": told.actor,
        "move": told.move.hex(),
        "events": told.events.hex(),
        "state": told.state.hex(),
        "request": told.request,
        "recorded": told.recorded,
        "previous": told.previous.hex(),
        "hash": told.hash.hex(),
        "position": told.position,
        "signature": told.signature.hex(),
        "secret": told.secret.hex(),
        **({"concealed": told.concealed.hex()} if told.concealed else {}),
    }


def _fill(log: Log) -> None:
    """Three matches that grow by turns, one of them with a header that this build cannot read, and a copy."""
    scribes = [Scribe("m-1"), Scribe("史記"), Scribe("later")]
    scribes[0].write(log, 3)
    scribes[1].write(log, request="a request of some length, with an é")
    scribes[2].write(log, move=b"\xff a header that nobody can read yet")
    for count in (1, 2, 5):
        for scribe in scribes:
            scribe.write(log, count)
    scribes[0].write(log, move=bytes(10_000))
    first = entry("copied", 0, concealed=format_concealed(()))
    parts = [Commitment(VIEW, audience, bytes([audience]) * 32) for audience in (1, 2)]
    drawn = entry("copied", 1, first.hash, actor=-1, concealed=format_concealed(parts))
    log.write([Append(MatchId("copied"), NEW, (first, drawn), copy=True)])


@click.command()
def main() -> None:
    """Write the archive, and what it holds as a JSON object a line."""
    path = FOLDER / f"v{len(steps())}.db"
    if path.exists():
        raise click.ClickException(f"{path} is there already, and stays as it is")
    FOLDER.mkdir(parents=True, exist_ok=True)
    with SqliteLog.open(path) as log:
        _fill(log)
        lines = [json.dumps(described(each), ensure_ascii=False) for each in log.archive()]
    path.with_suffix(".jsonl").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
