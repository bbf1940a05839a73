"""Writes a small archive in the schema of today, to be opened and read by every later build.

A file that is there already is never written again. Its moves are made up: the schema does not know them.
"""

import json
from pathlib import Path
from typing import Final

import click

from records.entry import Entry
from records.log.contract import Log
from records.log.schema import steps
from records.log.sqlite import SqliteLog
from tests.records.log.making import Scribe

FOLDER: Final = Path(__file__).resolve().parents[2] / "tests/records/golden/db"


def described(entry: Entry) -> dict[str, str | int]:
    """An entry as JSON can tell it."""
    return {
        "match": entry.match,
        "sequence": entry.sequence,
        "kind": entry.kind,
        "actor": entry.actor,
        "move": entry.move.hex(),
        "events": entry.events.hex(),
        "state": entry.state.hex(),
        "request": entry.request,
        "recorded": entry.recorded,
        "previous": entry.previous.hex(),
        "hash": entry.hash.hex(),
        "position": entry.position,
        "signature": entry.signature.hex(),
        "secret": entry.secret.hex(),
    }


def _fill(log: Log) -> None:
    """Three matches that grow by turns, one of them with a header that this build cannot read."""
    scribes = [Scribe("m-1"), Scribe("史記"), Scribe("later")]
    scribes[0].write(log, 3)
    scribes[1].write(log, request="a request of some length, with an é")
    scribes[2].write(log, move=b"\xff a header that nobody can read yet")
    for count in (1, 2, 5):
        for scribe in scribes:
            scribe.write(log, count)
    scribes[0].write(log, move=bytes(10_000))


@click.command()
def main() -> None:
    """Write the archive, and what it holds as a JSON object a line."""
    path = FOLDER / f"v{len(steps())}.db"
    if path.exists():
        raise click.ClickException(f"{path} is there already, and stays as it is")
    FOLDER.mkdir(parents=True, exist_ok=True)
    with SqliteLog.open(path) as log:
        _fill(log)
        lines = [json.dumps(described(entry), ensure_ascii=False) for entry in log.archive()]
    path.with_suffix(".jsonl").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
