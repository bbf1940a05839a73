"""`shiji games`: lists the games that this build knows."""

from collections.abc import Iterator

import click

from records.games.registry import GAMES
from rules.kernel.edition import Edition
from rules.kernel.game import About
from tools.terminal.output import Line, plural, show, show_json


@click.command(epilog="Example: shiji games --json")
@click.option("--json", "as_objects", is_flag=True, help="Print one JSON object per line.")
def command(*, as_objects: bool) -> None:
    """List the games that this build knows, with their editions."""
    for game in GAMES:
        if as_objects:
            show_json(_as_json(game.about))
        else:
            show(_as_lines(game.about))


def _as_json(about: About) -> dict[str, object]:
    return {
        "game": about.key,
        "title": about.title,
        "author": about.author,
        "editions": [
            {
                "edition": edition.key,
                "title": edition.title,
                "seats": list(edition.seats),
                "sources": list(edition.sources),
            }
            for edition in about.editions
        ],
        "rules": len(about.rules),
        "options": len(about.options),
        "rulings": len(about.rulings),
        "components": [component.name for component in about.components],
    }


def _as_lines(about: About) -> Iterator[Line]:
    yield Line(f"{about.key}: {about.title} ({about.author})", style="bold")
    for edition in about.editions:
        yield Line(f"{edition.key}: {edition.title}{_seats(edition)}", "edition", 2)
        for source in edition.sources:
            yield Line(source, "source", 4)
    options = f", {plural(len(about.options), 'option', 'options')}" if about.options else ""
    rules = f"{len(about.rules)} rules, {plural(len(about.rulings), 'ruling', 'rulings')}"
    yield Line(f"{rules}{options}", "rulebook", 2)
    for component in about.components:
        yield Line(component.name, "board" if component.kind == "board" else "set", 2)
        yield Line(component.provenance, "source", 4)
    yield Line(f"shiji rules {about.key}", "next", 2)


def _seats(edition: Edition) -> str:
    """The numbers of seats, as the end of the line about an edition."""
    if not edition.seats:
        return ""
    least, most = edition.seats[0], edition.seats[-1]
    return f"; {plural(least, 'seat', 'seats')}" if least == most else f"; {least} to {most} seats"
