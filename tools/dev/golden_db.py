"""Writes a small golden archive in the current schema.

An existing file is never written again: every later build must read it. The moves are arbitrary bytes, which
the schema does not interpret.
"""

import json
from pathlib import Path
from typing import Final

import click

from records.entry import Entry, MatchId
from records.evidence.concealment import VIEW, Commitment, format_concealed
from records.evidence.ed25519 import SecretKey
from records.evidence.note import SignatureType, SignerKey
from records.log.contract import NEW, Append, Log
from records.log.schema import steps
from records.log.sqlite import SqliteLog
from records.log.tree import Tree
from tests.records.log.making import RecordWriter, entry

FOLDER: Final = Path(__file__).resolve().parents[2] / "tests/records/golden/db"
"""Folder of the golden archives."""

SIGNER: Final = SignerKey("example.com/golden", SignatureType.ED25519, SecretKey(bytes(range(32))))
"""Signs the checkpoints in golden archives."""

CHECKPOINT_SIZES: Final = (7, 260)
"""Entries that their checkpoints cover."""


def described(stored: Entry) -> dict[str, str | int]:
    """An entry as a JSON object, with its bytes in hexadecimal."""
    return {
        "match": stored.match,
        "sequence": stored.sequence,
        "kind": stored.kind,
        "actor": stored.actor,
        "move": stored.move.hex(),
        "events": stored.events.hex(),
        "state": stored.state.hex(),
        "request": stored.request,
        "recorded": stored.recorded,
        "previous": stored.previous.hex(),
        "hash": stored.hash.hex(),
        "position": stored.position,
        "signature": stored.signature.hex(),
        "secret": stored.secret.hex(),
        **({"concealed": stored.concealed.hex()} if stored.concealed else {}),
    }


def _fill(log: Log) -> None:
    """Write three matches in turn, one of them with a header that this build cannot read, and a copy.

    They have more entries than a tile of the Merkle tree, and two published checkpoints.
    """
    writers = [RecordWriter("m-1"), RecordWriter("史記"), RecordWriter("later")]
    writers[0].write(log, 3)
    writers[1].write(log, request="a request of some length, with an é")
    writers[2].write(log, move=b"\xff a header that nobody can read yet")
    for count in (1, 2, 5):
        for writer in writers:
            writer.write(log, count)
    writers[0].write(log, move=bytes(10_000))
    writers[1].write(log, 250)
    first = entry("copied", 0, concealed=format_concealed(()))
    parts = [Commitment(VIEW, audience, bytes([audience]) * 32) for audience in (1, 2)]
    drawn = entry("copied", 1, first.hash, actor=-1, concealed=format_concealed(parts))
    log.write([Append(MatchId("copied"), NEW, (first, drawn), copy=True)])
    log.keep_checkpoints([Tree(log).checkpoint(SIGNER, size) for size in CHECKPOINT_SIZES])


@click.command()
def main() -> None:
    """Write the archive, and its entries as one JSON object per line."""
    path = FOLDER / f"v{len(steps())}.db"
    if path.exists():
        raise click.ClickException(f"{path} exists already and is never written again")
    FOLDER.mkdir(parents=True, exist_ok=True)
    with SqliteLog.open(path) as log:
        _fill(log)
        lines = [json.dumps(described(each), ensure_ascii=False) for each in log.archive()]
    path.with_suffix(".jsonl").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
