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
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

import click
from shiji.client import CHANCE, Chance, Client, Illegal, Match, Seat

from tools.cli import shiji
from tools.commands.perft import read_option
from tools.demo_tour import QIN, Tour, tour_of
from tools.laws.setups import MOST_SEATS
from tools.terminal.output import BLANK, Line, file_name, show

_FIRST: Final = Seat(0)
"""The seat that tries an illegal move."""

_ENTRIES_BEFORE_ILLEGAL_MOVE: Final = 12
"""Minimum number of entries before the illegal move: enough that tiles lie on the board."""

_COMPARED: Final = 6
"""Maximum number of earlier moves that are tried again: few, because each one costs a call."""

_STOP_SECONDS: Final = 10.0
"""Timeout for the server to stop; generous, because an idle server stops at once."""


@click.command(epilog="Example: shiji demo --seed 7 --out tour")
@click.option("--game", "key", default=QIN, show_default=True, help="A game listed by `shiji games`.")
@click.option("--seats", type=click.IntRange(1, MOST_SEATS), help="Number of seats.")
@click.option("--edition", metavar="EDITION", help="Edition of the rules; the one of a new match if omitted.")
@click.option(
    "--option",
    "options",
    metavar="NAME=VALUE",
    multiple=True,
    help="Option of the rulebook that differs from its default. May be repeated.",
)
@click.option(
    "--seed", metavar="N", type=int, default=1, show_default=True, help="The same seed plays the same match."
)
@click.option(
    "--out",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="A new or empty folder for the files of the tour; by default a temporary folder.",
)
def command(  # noqa: PLR0913, PLR0917 - one parameter per option
    key: str,
    seats: int | None,
    edition: str | None,
    options: tuple[str, ...],
    seed: int,
    out: Path | None,
) -> None:
    """Take a tour: play a match, try an illegal move, export the record, audit it, tamper with it.

    The tour takes a few seconds and needs no preparation. Each step shows what you would type yourself.
    """
    tour = tour_of(key, seats, edition, [read_option(option) for option in options])
    folder = _folder(out)
    archive, transcript, page = (folder / name for name in ("archive.db", "match.shiji", "match.html"))
    with _server(archive) as address, Client(address) as client:
        match = _start_match(client, address, tour)
        sequence = _play(client, match, tour, seed)
        _step(6, "The record is exported as text, which can be read without a server")
        _python(f"Path({str(transcript)!r}).write_bytes(client.export_record(match.id).content)")
        transcript.write_bytes(client.export_record(match.id).content)
    _shell("show", transcript)
    _shell("replay", transcript, "--html", page)
    _step(7, "The archive is audited: every hash, move, event and state")
    _shell("audit", archive)
    _tamper(archive, folder / "tampered.db", sequence, tour)
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


def _start_match(client: Client, address: str, tour: Tour) -> Match:
    _step(2, tour.begins)
    _python("from shiji import Chance, Client")
    _python(f'client = Client("{address}")')
    given = ", ".join(f"{name}={_literal(value)}" for name, value in tour.options.items())
    _python(f"match = client.start_match({json.dumps(tour.game)}, {json.dumps(tour.seats)}, {given}).match")
    match = client.start_match(tour.game, tour.seats, **tour.options).match
    show([Line(f"match {match.id} on the board {match.components}, by the rules {match.edition}", indent=2)])
    return match


def _literal(value: object) -> str:
    return f"Chance.{value.name}" if isinstance(value, Chance) else repr(value)


def _play(client: Client, match: Match, tour: Tour, seed: int) -> int:
    """Play the match to its end while a spectator follows; returns the sequence of a move to tamper with."""
    _step(3, f"{tour.plays} (seed {seed})")
    _python(f'verdict = client.append(match.id, "{tour.seats[0]} …", after=match.sequence)')
    show([Line("A spectator follows the match live, without seeing anyone's hand:", indent=2)])
    _python("for entry in client.follow(match.id): print(entry.sequence, entry.text)")
    players = tour.players(client, match, seed)
    moves, live = players.moves(), client.follow(match.id, from_sequence=1)
    sequence = 0
    for stored in moves:
        for entry in live:
            show([Line(f"{entry.sequence} {entry.text}", indent=2)])
            if entry.actor is not CHANCE:
                sequence = entry.sequence
            if entry.sequence == stored.sequence:
                break
        if stored.sequence >= _ENTRIES_BEFORE_ILLEGAL_MOVE and _FIRST in stored.awaiting:
            illegal = _illegal(client, match, tour, players.sent)
            if illegal is not None:
                _try_illegal_move(client, match, tour, illegal, stored.sequence)
                break
    _step(5, "The match continues to its end")
    for stored in moves:  # noqa: B007 - the last one is shown
        pass
    *_, entry = client.read(match.id)
    show([Line(f"{entry.sequence} {entry.text}", indent=2)])
    _python("client.match(match.id).outcome")
    show([Line(f"{stored.outcome}", indent=2)])
    return sequence


def _illegal(client: Client, match: Match, tour: Tour, sent: Sequence[str]) -> str | None:
    """A move of the first seat that somebody has made not long ago, and that would now be illegal."""
    for move in sent[: -_COMPARED - 1 : -1]:
        same = f"{tour.seats[_FIRST]} {move.partition(' ')[2]}"
        if isinstance(client.check(match.id, same), Illegal):
            return same
    return None


def _try_illegal_move(client: Client, match: Match, tour: Tour, move: str, after: int) -> None:
    _step(4, f"{tour.seats[_FIRST]} {tour.tries}")
    _python(f'verdict = client.append(match.id, "{move}", after={after})')
    verdict = client.append(match.id, move, after=after)
    for violation in verdict.violations if isinstance(verdict, Illegal) else ():
        concerns = [Line(" ".join(violation.places), "concerns", 4)] if violation.places else []
        show(
            [
                Line(f"{violation.rule} {violation.title}", indent=2, style="bold red"),
                Line(violation.why, "why", 4),
                *concerns,
                Line(violation.text, "rule", 4),
                Line(violation.source, "source", 4),
            ]
        )


def _tamper(archive: Path, copy: Path, sequence: int, tour: Tour) -> None:
    _step(8, f"In a copy of the archive, {tour.tampers}; the audit finds it")
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
