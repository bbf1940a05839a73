"""`shiji components`: the component sets that this build knows, and whether a file holds a sound one."""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click

from records.files.transcript import Tag, write_tag
from records.games.bound import BoundGame
from records.games.registry import GAMES
from rules.kernel.setup import ComponentReport, ComponentSet, UnreadableComponents
from rules.kernel.text import quoted
from tools.report.file_report import BAD
from tools.terminal.output import BLANK, Line, file_name, plural, show, show_json

_SCHEMA: Final = "-components/"
"""A component file says which game it is for: schema = "GAME-components/1"."""

_LARGEST: Final = 1_000_000
"""No component file has more bytes."""


@click.group(invoke_without_command=True, epilog="Example: shiji components check mine.toml")
@click.pass_context
def command(ctx: click.Context) -> None:
    """List the component sets that this build knows; show one, or check a file of your own."""
    if ctx.invoked_subcommand is None:
        for game in GAMES:
            for known in game.about.components:
                show(_as_lines(game, known))


def _as_lines(game: BoundGame, known: ComponentSet) -> Iterator[Line]:
    yield Line(f"{known.name} ({game.about.title}, {known.kind})", style="bold")
    yield Line("yes" if known.verified else "no, nobody has compared it with the printed game", "verified", 2)
    yield Line(known.provenance, "source", 2)
    for note in known.notes:
        yield Line(note, "note", 2)
    yield Line(f"shiji components show {known.name}", "next", 2)


@command.command("show")
@click.argument("name", metavar="NAME")
def show_set(name: str) -> None:
    """Print a shipped set as a file, to begin a transcription with."""
    known = {each.name: each for game in GAMES for each in game.about.components}
    if name not in known:
        why = f"no component set is called {quoted(name)}; known: {', '.join(known)}"
        raise click.BadParameter(why, param_hint="NAME")
    click.echo(known[name].data.rstrip("\n"))


@command.command("check")
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--json", "as_object", is_flag=True, help="Print a JSON object.")
@click.pass_context
def check(ctx: click.Context, file: Path, *, as_object: bool) -> None:
    """Check a component file against every count that its game's rulebook states.

    Exit codes: 0 a match can be played with it, 1 something does not agree, 2 the file could not be read.
    """
    name = file_name(str(file))
    try:
        game, report = _judged(_text_of(file))
    except UnreadableComponents as fault:
        raise click.BadParameter(f"{name}: {fault}", param_hint="FILE") from None
    if as_object:
        show_json(_as_json(name, game, report))
    else:
        show(_report(name, game, report))
    ctx.exit(0 if report.playable else BAD)


def _text_of(file: Path) -> str:
    try:
        data = file.read_bytes()
    except OSError as fault:
        raise UnreadableComponents(fault.strerror or str(fault)) from None
    if len(data) > _LARGEST:
        raise UnreadableComponents(f"it has more than {_LARGEST} bytes")
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise UnreadableComponents("it is not in UTF-8") from None


def _judged(text: str) -> tuple[BoundGame, ComponentReport]:
    """By the game that the file says it is for."""
    try:
        schema: object = tomllib.loads(text).get("schema")
    except tomllib.TOMLDecodeError as fault:
        raise UnreadableComponents(f"it is no TOML: {fault}") from None
    for game in GAMES:
        if isinstance(schema, str) and schema.startswith(f"{game.about.key}{_SCHEMA}"):
            report = game.check_components(text)
            if report is not None:
                return game, report
    raise UnreadableComponents(f"schema: {quoted(str(schema))} is not known; expected GAME{_SCHEMA}1")


def _as_json(name: str, game: BoundGame, report: ComponentReport) -> dict[str, object]:
    return {
        "file": name,
        "game": game.about.key,
        "set": report.name,
        "provenance": report.provenance,
        "playable": report.playable,
        "faults": [
            {"check": fault.check, "field": fault.field, "why": fault.why, "warning": fault.warning}
            for fault in report.faults
        ],
        "hash": report.hash,
        "tag": report.tag,
    }


def _report(name: str, game: BoundGame, report: ComponentReport) -> Iterator[Line]:
    wrong = sum(1 for fault in report.faults if not fault.warning)
    verdict = f"{plural(wrong, 'fault', 'faults')}" if wrong else "sound"
    yield Line(f"{name}: {verdict}", style="bold red" if wrong else "bold green")
    yield Line(f"{report.name} ({game.about.title}), {report.provenance}", "set", 2)
    for fault in report.faults:
        yield Line(f"{fault.field}: {fault.why} ({fault.check})", "warning" if fault.warning else "fault", 2)
    yield Line(report.hash, "sha256", 2)
    if not wrong:
        yield BLANK
        yield Line(write_tag(Tag("Components", report.tag)), wraps=False)
