"""Lists the games that a server here would know."""

from collections.abc import Iterator

from records.games.plugins import source_of
from records.games.registry import GAMES, installed_plugins
from records.games.shipped import SHIPPED
from tools.doctor.finding import Finding, well


def examine() -> Iterator[Finding]:
    """The games of Shiji, and those of other distributions, whose code runs in the server."""
    yield well("games", ", ".join(GAMES.keys))
    if len(GAMES) > len(SHIPPED):
        sources = dict.fromkeys(f"{point.name} of {source_of(point)}" for point in installed_plugins())
        yield well("plug-ins", f"{', '.join(sources)}: their code runs in the server")
