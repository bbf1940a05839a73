"""Changed rules for an audit, in place of those that a record was played by."""

from dataclasses import dataclass, replace

from records.games.bound import BoundGame
from records.games.registry import GAMES
from rules.kernel.edition import EditionKey, UnknownEdition, UnknownRuling
from rules.kernel.game import About
from rules.kernel.setup import Setup
from rules.kernel.text import quoted


@dataclass(frozen=True, slots=True)
class RuleChange:
    """An edition, rulings or both, in place of those in the header of a match."""

    edition: EditionKey | None = None
    rulings: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        """Raises UnknownEdition or UnknownRuling if no game has it; each game ignores changes for others."""
        abouts = [game.about for game in GAMES]
        if self.edition is not None and not any(_has_edition(about, self.edition) for about in abouts):
            known = ", ".join(edition.key for about in abouts for edition in about.editions)
            raise UnknownEdition(f"no edition is called {quoted(self.edition)}; known: {known}")
        for name, value in self.rulings:
            values = [value for about in abouts for value in _values(about, name)]
            if not values:
                raise UnknownRuling(name, f"no ruling that a match can choose is called {quoted(name)}")
            if value not in values:
                offered = " or ".join(values)
                raise UnknownRuling(name, f"ruling {name} has no value {quoted(value)}; it takes {offered}")

    def applied(self, game: BoundGame, setup: Setup) -> Setup:
        """The setup with those changes that concern its game."""
        about = game.about
        edition = setup.edition
        if self.edition is not None and _has_edition(about, self.edition):
            edition = self.edition
        rulings = dict(setup.rulings)
        rulings.update((name, value) for name, value in self.rulings if value in _values(about, name))
        return replace(setup, edition=edition, rulings=tuple(sorted(rulings.items())))


def _has_edition(about: About, key: EditionKey) -> bool:
    return any(edition.key == key for edition in about.editions)


def _values(about: About, name: str) -> tuple[str, ...]:
    """The values that a match of the game can choose for a ruling."""
    for ruling in about.rulings:
        if ruling.name == name and ruling.switchable:
            return ruling.offered
    return ()
