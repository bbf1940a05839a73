"""`shiji check-game`: tries all laws on an installed game."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click

from records.games.bound import BoundGame
from records.games.plugins import messages_of
from records.games.registry import UnknownGame, find_game
from records.games.shipped import SHIPPED
from tools.laws.cases import UnreadableSuite, differences, not_broken, read_suite
from tools.laws.numbers import UnreadableProto, changed
from tools.laws.running import Tried, try_laws
from tools.report.file_report import BAD
from tools.terminal.atomic_files import save_bytes
from tools.terminal.output import Line, file_name, plural, show, show_json

_FILE: Final = click.Path(dir_okay=False, path_type=Path)
"""Type of the options that name a file."""

_LAW_9: Final = "law 9: every rule is broken by a case, or says why nothing can"


@click.command(
    "check-game", epilog="Example: shiji check-game goofspiel --proto goofspiel.proto --cases cases.toml"
)
@click.argument("name", metavar="NAME")
@click.option("--tries", type=click.IntRange(1), default=30, show_default=True, help="Tries per law.")
@click.option(
    "--seconds",
    type=click.FloatRange(0),
    default=10.0,
    show_default=True,
    help="Time per law, after which it is tried no further.",
)
@click.option(
    "--seed", type=int, default=0, show_default=True, help="The first seed; the same ones try the same."
)
@click.option(
    "--proto",
    type=_FILE,
    metavar="FILE",
    help="Write the .proto of the game; if the file is there, require that no number in it has changed.",
)
@click.option(
    "--cases", type=_FILE, metavar="FILE", help="Also judge the cases of an adjudication file (TOML)."
)
@click.option("--json", "as_objects", is_flag=True, help="Print one JSON object per line.")
@click.pass_context
def command(  # noqa: PLR0913 - one parameter per option
    ctx: click.Context,
    name: str,
    *,
    tries: int,
    seconds: float,
    seed: int,
    proto: Path | None,
    cases: Path | None,
    as_objects: bool,
) -> None:
    """Try all laws that every game must keep on the installed game NAME.

    Matches are played by chance; moves to try, and matches that a seat cannot tell apart, follow from what
    the game states. Law 9 needs --cases. Exit codes: 0 nothing was found, 1 a law is broken, 2 something
    could not be read.
    """
    try:
        game = find_game(name)
    except UnknownGame as fault:
        raise click.BadParameter(str(fault), param_hint="NAME") from None
    held = True
    for tried in _everything(game, proto, cases, try_laws(game, tries, seconds, seed)):
        held = held and tried.why is None
        if as_objects:
            show_json(_as_object(tried))
        else:
            show(_lines(name, tried))
    ctx.exit(0 if held else BAD)


def _everything(
    game: BoundGame, proto: Path | None, cases: Path | None, laws: Iterator[Tried]
) -> Iterator[Tried]:
    """What is quick comes first."""
    if proto is not None:
        yield _compare(game, proto)
    if cases is not None:
        yield from _judge(game, cases)
    yield from laws
    if cases is None:
        yield Tried(_LAW_9, 0, None, skipped="it needs published cases: --cases FILE")


def _compare(game: BoundGame, path: Path) -> Tried:
    if game.plugin is None or game.about.key in SHIPPED.keys:
        why = f"the .proto of {game.about.title} is part of Shiji, which keeps its numbers permanent itself"
        raise click.BadParameter(why, param_hint="'--proto'")
    now = messages_of(game.plugin).text()
    law = "the numbers of messages, fields and values are those of the .proto"
    try:
        written = path.read_text(encoding="utf-8") if path.exists() else now
        found = [*changed(written, now)]
    except OSError as fault:
        raise click.FileError(file_name(str(path)), fault.strerror or "it cannot be read") from None
    except (UnicodeDecodeError, UnreadableProto) as fault:
        raise click.BadParameter(f"{file_name(str(path))}: {fault}", param_hint="'--proto'") from None
    if not found:
        save_bytes(path, now.encode())
    return Tried(law, 1, "; ".join(found) or None)


def _judge(game: BoundGame, path: Path) -> Iterator[Tried]:
    try:
        cases = read_suite(path)
    except OSError as fault:
        raise click.FileError(file_name(str(path)), fault.strerror or "it cannot be read") from None
    except UnreadableSuite as fault:
        raise click.BadParameter(f"{file_name(str(path))}: {fault}", param_hint="'--cases'") from None
    wrong = [f"case {case.id}: {why}" for case in cases for why in differences(game.game, case)]
    yield Tried("cases are judged as published", len(cases), "; ".join(wrong) or None)
    unbroken = not_broken(game.game, cases)
    why = f"no case breaks {', '.join(unbroken)}; add one, or say in `unchecked` why no move can break it"
    yield Tried(_LAW_9, len(cases), why if unbroken else None)


def _as_object(tried: Tried) -> dict[str, object]:
    return {
        "law": tried.law,
        "tries": tried.tries,
        "broken": tried.why,
        "seed": tried.seed,
        "skipped": tried.skipped,
    }


def _lines(name: str, tried: Tried) -> Iterator[Line]:
    if tried.skipped is not None:
        yield Line(f"{tried.law}; {tried.skipped}", "not tried", style="yellow")
        return
    if tried.why is None:
        yield Line(f"{tried.law} ({plural(tried.tries, 'try', 'tries')})", "holds", style="green")
        return
    yield Line(tried.law, "broken", style="bold red")
    yield Line(tried.why, "", 2)
    if tried.seed is not None:
        yield Line(f"shiji check-game {name} --seed {tried.seed} --tries 1", "again", 2)
