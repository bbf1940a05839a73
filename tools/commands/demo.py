"""`shiji demo`: a tour, from a server of its own to a record that somebody has tampered with."""

import json
import os
import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

import click

from tools.cli import shiji
from tools.client import CHANCE, Chance, Client, Illegal, Match, Seat
from tools.demo_players import Players
from tools.terminal.output import BLANK, Line, file_name, show

SEATS: Final = ("green", "violet")
GREEN: Final = Seat(0)

_MIDWAY: Final = 12
"""After so many entries one of the players tries something illegal."""

_PATIENCE: Final = 10.0
"""So many seconds the server has to stop."""


@click.command(epilog="Example: shiji demo --seed 7 --out tour")
@click.option(
    "--seed", metavar="N", type=int, default=1, show_default=True, help="The same seed plays the same match."
)
@click.option(
    "--out",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where to leave what the tour makes: a new or empty folder. By default a temporary one.",
)
def command(seed: int, out: Path | None) -> None:
    """Take a tour: a match is played, refused a move, recorded, audited and tampered with.

    It takes some seconds, needs nothing, and says at each step what you would type yourself.
    """
    folder = _folder(out)
    archive, transcript, page = (folder / name for name in ("archive.db", "match.shiji", "match.html"))
    with _server(archive) as address, Client(address) as client:
        match = _begun(client, address)
        midway = _played(client, match, seed)
        _step(6, "The record is kept as text, which needs no server to be read")
        _python(f"Path({str(transcript)!r}).write_bytes(client.export_record(match.id).content)")
        transcript.write_bytes(client.export_record(match.id).content)
    _shell("show", transcript)
    _shell("replay", transcript, "--html", page)
    _step(7, "The archive is audited: every hash, move, event and state")
    _shell("audit", archive)
    _tampered(archive, folder / "tampered.db", midway)
    _step(9, f"What is left for you is in {folder}")
    _typed(f"shiji replay {shlex.quote(str(transcript))}")
    show(
        [
            Line(f"{page.name} opens in any browser, and can be sent to whoever was at the table.", indent=2),
            Line("docs/client.md and examples/ show how an app does all of this.", indent=2),
        ]
    )


def _folder(asked: Path | None) -> Path:
    if asked is None:
        return Path(tempfile.mkdtemp(prefix="shiji-demo-"))
    try:
        asked.mkdir(parents=True, exist_ok=True)
        empty = not any(asked.iterdir())
    except OSError as fault:
        raise click.BadParameter(
            f"{file_name(str(asked))}: {fault.strerror}", param_hint="'--out'"
        ) from fault
    if not empty:
        raise click.BadParameter(
            f"{file_name(str(asked))} is not empty: name another folder", param_hint="'--out'"
        )
    return asked


@contextmanager
def _server(archive: Path) -> Iterator[str]:
    """A server in a process of its own, on a free port; whatever it is told elsewhere does not count here."""
    _step(1, "A server, over an archive of its own")
    listen = ("--db", str(archive), "--listen", "127.0.0.1:0")
    _typed(shlex.join(("shiji", "serve", *listen)))
    own = {name: value for name, value in os.environ.items() if not name.startswith("SHIJI_")}
    with subprocess.Popen(  # noqa: S603 - our own server
        [sys.executable, "-m", "service", *listen, "--log-level", "error"],
        stdout=subprocess.PIPE,
        text=True,
        env=own,
    ) as process:
        try:
            told = process.stdout.readline().rstrip() if process.stdout else ""
            address = re.search(r"listens on (\S+)\.$", told)
            if address is None:
                raise click.ClickException("the server did not start: try `shiji serve`")
            show([Line(told, indent=2)])
            yield address[1]
            process.terminate()
            process.wait(_PATIENCE)
        finally:
            process.kill()


def _begun(client: Client, address: str) -> Match:
    _step(2, "An app begins a match of Qin, and tells the server every tile that is drawn")
    _python("from tools.client import Chance, Client")
    _python(f'client = Client("{address}")')
    _python(f'match = client.start_match("qin", {json.dumps(SEATS)}, chance=Chance.RECORDED).match')
    match = client.start_match("qin", SEATS, chance=Chance.RECORDED).match
    show([Line(f"match {match.id} on the board {match.components}, by the rules {match.edition}", indent=2)])
    return match


def _played(client: Client, match: Match, seed: int) -> int:
    """Play the match to its end, with somebody looking on; the sequence of a move from its middle."""
    _step(3, f"{SEATS[0]} tries some moves out before playing one, {SEATS[1]} plays any (seed {seed})")
    _python('verdict = client.append(match.id, "green …", after=match.sequence)')
    show([Line("A spectator follows it live, and sees nobody's hand:", indent=2)])
    _python("for entry in client.follow(match.id): print(entry.sequence, entry.text)")
    live = zip(Players(client, match, seed).moves(), client.follow(match.id, from_sequence=1), strict=False)
    tile, midway = "", 0
    for stored, entry in live:
        show([Line(f"{entry.sequence} {entry.text}", indent=2)])
        if entry.actor is not CHANCE:
            tile, midway = entry.text.partition(" ")[2], entry.sequence
        if entry.sequence >= _MIDWAY and stored.awaiting == (GREEN,):
            break
    _refused(client, match, f"{SEATS[GREEN]} {tile}", entry.sequence)
    _step(5, "The match goes on to its end")
    *_, (stored, entry) = live
    show([Line(f"{entry.sequence} {entry.text}", indent=2)])
    _python("client.match(match.id).outcome")
    show([Line(f"{stored.outcome}", indent=2)])
    return midway


def _refused(client: Client, match: Match, move: str, after: int) -> None:
    _step(4, f"{SEATS[GREEN]} puts a tile where one lies already, and is refused; the verdict cites the rule")
    _python(f'verdict = client.append(match.id, "{move}", after={after})')
    verdict = client.append(match.id, move, after=after)
    for violation in verdict.violations if isinstance(verdict, Illegal) else ():
        show(
            [
                Line(f"{violation.rule} {violation.title}", indent=2, style="bold red"),
                Line(violation.why, "why", 4),
                Line(" ".join(violation.places), "concerns", 4),
                Line(violation.text, "rule", 4),
                Line(violation.source, "source", 4),
            ]
        )


def _tampered(archive: Path, copy: Path, sequence: int) -> None:
    _step(8, "Somebody gives one move of a copy to the other player, and the audit finds it")
    _typed(shlex.join(("cp", str(archive), str(copy))))
    shutil.copyfile(archive, copy)
    change = f"DROP TRIGGER entry_updated; UPDATE entry SET actor = 1 - actor WHERE sequence = {sequence}"  # noqa: S608 - a number of our own
    _typed(shlex.join(("sqlite3", str(copy), change)))
    with closing(sqlite3.connect(copy)) as database:
        database.executescript(change)
    _shell("audit", copy)


def _step(number: int, title: str) -> None:
    show([BLANK, Line(f"{number}. {title}", style="bold")])


def _shell(*arguments: str | Path) -> None:
    """Run one of our commands as a user would type it; what it thinks of a record is the point of it."""
    words = [str(argument) for argument in arguments]
    _typed(shlex.join(("shiji", *words)))
    shiji.main(words, prog_name="shiji", standalone_mode=False)


def _typed(text: str) -> None:
    show([Line(f"$ {text}", indent=2, style="cyan", wraps=False)])


def _python(text: str) -> None:
    show([Line(f">>> {text}", indent=2, style="cyan", wraps=False)])
