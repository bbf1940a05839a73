"""The common part of all games' position lines: the options at the end, and the setup of the match."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from rules.kernel.edition import EditionKey, UnknownEdition, UnknownOption, UnknownRuling
from rules.kernel.setup import BadSetup, Draws, Setup
from rules.kernel.text import Word, quoted

Table = TypeVar("Table")

DRAWS = "draws"
EDITION = "edition"


def read_options(words: Iterable[Word]) -> dict[str, Word]:
    """Reads words of the form NAME=VALUE; returns the values by name."""
    options: dict[str, Word] = {}
    for word in words:
        name, sign, value = word.text.partition("=")
        if not (name and sign and value):
            raise word.fault(f"{quoted(word.text)} is no option; expected NAME=VALUE")
        if name in options:
            raise word.fault(f"the option {name} stands twice")
        options[name] = Word(value, word.column + len(name) + 1)
    return options


@dataclass(frozen=True, slots=True)
class SetupWords:
    """The words of a position line that describe the setup of the match."""

    components: Word
    seats: Sequence[Word]
    after: Word
    """The word after the seats; the error points at it if a seat is missing."""
    options: Mapping[str, Word]

    def laid_out(
        self,
        edition: EditionKey,
        own: Sequence[str],
        read: Callable[[Setup], Table],
        offered: Collection[str] = (),
    ) -> Table:
        """Reads the setup with a function of the game; an error points at the word that caused it.

        `edition` applies if the line has no such word; `own` are words of the game that are not of the setup,
        `offered` the options of the rulebook. All others are rulings.
        """
        options = self.options
        draws, stated = options.get(DRAWS), options.get(EDITION)
        if draws is not None and draws.text != Draws.RECORDED.value:
            raise draws.fault(
                f"{quoted(draws.text)} is no way to draw; expected {Draws.RECORDED.value} or no such option"
            )
        known = {DRAWS, EDITION, *own}
        chosen = sorted((name, word.text) for name, word in options.items() if name not in known)
        setup = Setup(
            edition=EditionKey(stated.text) if stated else edition,
            seats=tuple(seat.text for seat in self.seats),
            components=self.components.text,
            draws=Draws.RECORDED if draws else Draws.UNRECORDED,
            rulings=tuple(pair for pair in chosen if pair[0] not in offered),
            options=tuple(pair for pair in chosen if pair[0] in offered),
        )
        try:
            return read(setup)
        except BadSetup as fault:
            if fault.field == "components":
                raise self.components.fault(str(fault)) from None
            if fault.field == "options" and setup.options:
                raise options[setup.options[0][0]].fault(str(fault)) from None
            where = self.seats[fault.place] if fault.place < len(self.seats) else self.after
            raise where.fault(str(fault)) from None
        except UnknownEdition as fault:
            raise options[EDITION].fault(str(fault)) from None
        except (UnknownRuling, UnknownOption) as fault:
            raise options[fault.name].fault(str(fault)) from None
