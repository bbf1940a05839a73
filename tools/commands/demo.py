"""`shiji demo`: a tour, from starting a server to finding a tampered record."""

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
"""Names of the seats, in seat order."""

GREEN: Final = Seat(0)
"""The seat that tries an illegal move."""

_ENTRIES_BEFORE_ILLEGAL_MOVE: Final = 12
"""Minimum number of entries before the illegal move: enough that tiles lie on the board."""

_STOP_SECONDS: Final = 10.0
"""Timeout for the server to stop; generous, because an idle server stops at once."""


@click.command(epilog="Example: shiji demo --seed 7 --out tour")
@click.option(
    "--seed", metavar="N", type=int, default=1, show_default=True, help="The same seed plays the same match."
)
@click.option(
    "--out",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="A new or empty folder for the files of the tour; by default a temporary folder.",
)
def command(seed: int, out: Path | None) -> None:
    """Take a tour: play a match, try an illegal move, export the record, audit it, tamper with it.

    The tour takes a few seconds and needs no preparation. Each step shows what you would type yourself.
    """
    folder = _folder(out)
    archive, transcript, page = (folder / name for name in ("archive.db", "match.shiji", "match.html"))
    with _server(archive) as address, Client(address) as client:
        match = _start_match(client, address)
        sequence = _play(client, match, seed)
        _step(6, "The record is exported as text, which can be read without a server")
        _python(f"Path({str(transcript)!r}).write_bytes(client.export_record(match.id).content)")
        transcript.write_bytes(client.export_record(match.id).content)
    _shell("show", transcript)
    _shell("replay", transcript, "--html", page)
    _step(7, "The archive is audited: every hash, move, event and state")
    _shell("audit", archive)
    _tamper(archive, folder / "tampered.db", sequence)
    _step(9, f"The files of this tour are in {folder}")
    _typed(f"shiji replay {shlex.quote(str(transcript))}")
    show(
        [
            Line(f"{page.name} opens in any browser, and can be sent to the other players.", indent=2),
            Line("docs/client.md and examples/ show how an app does all of this.", indent=2),
        ]
    )


def _folder(out: Path | None) -> Path:
    if out is None:
        return Path(tempfile.mkdtemp(prefix="shiji-demo-"))
    try:
        out.mkdir(parents=True, exist_ok=True)
        empty = not any(out.iterdir())
    except OSError as fault:
        raise click.BadParameter(f"{file_name(str(out))}: {fault.strerror}", param_hint="'--out'") from fault
    if not empty:
        raise click.BadParameter(
            f"{file_name(str(out))} is not empty; choose another folder", param_hint="'--out'"
        )
    return out


@contextmanager
def _server(archive: Path) -> Iterator[str]:
    """Run a server on a free port, in a separate process that ignores the user's SHIJI_ environment."""
    _step(1, "Start a server with a new archive")
    listen = ("--db", str(archive), "--listen", "127.0.0.1:0")
    _typed(shlex.join(("shiji", "serve", *listen)))
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SHIJI_")}
    with subprocess.Popen(  # noqa: S603 - our own server
        [sys.executable, "-m", "service", *listen, "--log-level", "error"],
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    ) as process:
        try:
            greeting = process.stdout.readline().rstrip() if process.stdout else ""
            address = re.search(r"listens on (\S+)\.$", greeting)
            if address is None:
                raise click.ClickException("the server did not start; `shiji serve` shows why")
            show([Line(greeting, indent=2)])
            yield address[1]
            process.terminate()
            process.wait(_STOP_SECONDS)
        finally:
            process.kill()


def _start_match(client: Client, address: str) -> Match:
    _step(2, "An app starts a match of Qin, in which every tile drawn is recorded")
    _python("from tools.client import Chance, Client")
    _python(f'client = Client("{address}")')
    _python(f'match = client.start_match("qin", {json.dumps(SEATS)}, chance=Chance.RECORDED).match')
    match = client.start_match("qin", SEATS, chance=Chance.RECORDED).match
    show([Line(f"match {match.id} on the board {match.components}, by the rules {match.edition}", indent=2)])
    return match


def _play(client: Client, match: Match, seed: int) -> int:
    """Play the match to its end while a spectator follows; returns the sequence of a move to tamper with."""
    _step(3, f"{SEATS[0]} compares several moves before each turn, {SEATS[1]} plays at random (seed {seed})")
    _python('verdict = client.append(match.id, "green …", after=match.sequence)')
    show([Line("A spectator follows the match live, without seeing anyone's hand:", indent=2)])
    _python("for entry in client.follow(match.id): print(entry.sequence, entry.text)")
    live = zip(Players(client, match, seed).moves(), client.follow(match.id, from_sequence=1), strict=False)
    tile, sequence = "", 0
    for stored, entry in live:
        show([Line(f"{entry.sequence} {entry.text}", indent=2)])
        if entry.actor is not CHANCE:
            tile, sequence = entry.text.partition(" ")[2], entry.sequence
        if entry.sequence >= _ENTRIES_BEFORE_ILLEGAL_MOVE and stored.awaiting == (GREEN,):
            break
    _try_illegal_move(client, match, f"{SEATS[GREEN]} {tile}", entry.sequence)
    _step(5, "The match continues to its end")
    *_, (stored, entry) = live
    show([Line(f"{entry.sequence} {entry.text}", indent=2)])
    _python("client.match(match.id).outcome")
    show([Line(f"{stored.outcome}", indent=2)])
    return sequence


def _try_illegal_move(client: Client, match: Match, move: str, after: int) -> None:
    _step(4, f"{SEATS[GREEN]} places a tile on another one and is refused; the verdict cites the rule")
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


def _tamper(archive: Path, copy: Path, sequence: int) -> None:
    _step(8, "In a copy of the archive, one move is attributed to the other player; the audit finds it")
    _typed(shlex.join(("cp", str(archive), str(copy))))
    shutil.copyfile(archive, copy)
    change = f"DROP TRIGGER entry_updated; UPDATE entry SET actor = 1 - actor WHERE sequence = {sequence}"  # noqa: S608 - the number is ours
    _typed(shlex.join(("sqlite3", str(copy), change)))
    with closing(sqlite3.connect(copy)) as database:
        database.executescript(change)
    _shell("audit", copy)


def _step(number: int, title: str) -> None:
    show([BLANK, Line(f"{number}. {title}", style="bold")])


def _shell(*arguments: str | Path) -> None:
    """Run a subcommand as a user would type it; its exit code is ignored, because some records are bad."""
    words = [str(argument) for argument in arguments]
    _typed(shlex.join(("shiji", *words)))
    shiji.main(words, prog_name="shiji", standalone_mode=False)


def _typed(text: str) -> None:
    show([Line(f"$ {text}", indent=2, style="cyan", wraps=False)])


def _python(text: str) -> None:
    show([Line(f">>> {text}", indent=2, style="cyan", wraps=False)])
