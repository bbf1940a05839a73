"""`shiji components`: lists the component sets that this build knows, and checks those in files."""

import tomllib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

import click

from records.files.transcript import Tag, write_tag
from records.games.bound import BoundGame
from records.games.registry import GAMES, UnknownGame, find_game
from rules.kernel.setup import ComponentReport, ComponentSet, UnreadableComponents
from rules.kernel.text import quoted
from rules.kernel.toml_text import shallow
from tools.report.file_report import BAD
from tools.terminal.output import BLANK, Line, file_name, plural, show, show_json

_SCHEMA_SUFFIX: Final = "-components/"
"""Follows the game's key in the schema of a component file: schema = "GAME-components/1"."""

_MAX_FILE_BYTES: Final = 1_000_000
"""Maximum size of a component file, far more than a real one needs; a larger file is not parsed."""


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
    """Print a shipped set as a file, which can be the start of your own transcription."""
    known = {each.name: each for game in GAMES for each in game.about.components}
    if name not in known:
        why = f"no component set is called {quoted(name)}; known: {', '.join(known)}"
        raise click.BadParameter(why, param_hint="NAME")
    click.echo(known[name].data.rstrip("\n"))


@command.command("check")
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--game", "key", help="The game of the file, if the file does not say so itself.")
@click.option("--json", "as_object", is_flag=True, help="Print a JSON object.")
@click.pass_context
def check(ctx: click.Context, file: Path, *, key: str | None, as_object: bool) -> None:
    """Check a component file against all counts that the game's rulebook states.

    Exit codes: 0 a match can be played with it, 1 a count does not match, 2 the file could not be read.
    """
    name = file_name(str(file))
    try:
        game, report = _check(_read_text(file), key)
    except UnreadableComponents as fault:
        raise click.BadParameter(f"{name}: {fault}", param_hint="FILE") from None
    if as_object:
        show_json(_as_json(name, game, report))
    else:
        show(_report_lines(name, game, report))
    ctx.exit(0 if report.playable else BAD)


def _read_text(file: Path) -> str:
    try:
        data = file.read_bytes()
    except OSError as fault:
        raise UnreadableComponents(fault.strerror or str(fault)) from None
    if len(data) > _MAX_FILE_BYTES:
        raise UnreadableComponents(f"it has more than {_MAX_FILE_BYTES} bytes")
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise UnreadableComponents("it is not in UTF-8") from None


def _check(text: str, key: str | None) -> tuple[BoundGame, ComponentReport]:
    """Check the components by the rules of the game that the user or the file names, or that can read it."""
    if key is not None:
        return _check_as(_find(key), text)
    try:
        schema: object = tomllib.loads(shallow(text)).get("schema")
    except (ValueError, RecursionError) as fault:  # a number may be too long, and a list nested too deeply
        raise UnreadableComponents(f"it cannot be read as TOML: {fault}") from None
    able = [game for game in GAMES if game.game.check_components is not None]
    for game in able:
        if isinstance(schema, str) and schema.startswith(f"{game.about.key}{_SCHEMA_SUFFIX}"):
            return _check_as(game, text)
    for game in able if schema is None else ():
        with suppress(UnreadableComponents):
            return _check_as(game, text)
    expected = f"expected GAME{_SCHEMA_SUFFIX}1, or the name of the game as --game"
    found = "the file has none" if schema is None else f"{quoted(str(schema))} is not known"
    raise UnreadableComponents(f"schema: {found}; {expected}")


def _find(key: str) -> BoundGame:
    try:
        return find_game(key)
    except UnknownGame as fault:
        raise click.BadParameter(str(fault), param_hint="'--game'") from None


def _check_as(game: BoundGame, text: str) -> tuple[BoundGame, ComponentReport]:
    report = game.check_components(text)
    if report is None:
        raise UnreadableComponents(f"{game.about.title} has no component files")
    return game, report


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


def _report_lines(name: str, game: BoundGame, report: ComponentReport) -> Iterator[Line]:
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
