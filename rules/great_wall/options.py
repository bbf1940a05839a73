"""The variant that the rulebook offers."""

from collections.abc import Iterable
from typing import Final

from rules.kernel.edition import Chosen, Option, OptionValue, chosen_options

QIN_HONOUR: Final = Option(
    "qin-honour",
    "Qin's honour at the start of a solo match.",
    (
        OptionValue("0", "Qin starts at 0."),
        OptionValue("50", "Harder: Qin starts at 50."),
        OptionValue("100", "Harder still: Qin starts with a token of 100."),
    ),
    "L1044",
)
OPTIONS: Final = (QIN_HONOUR,)


def read_options(given: Iterable[tuple[str, str]]) -> Chosen:
    """The options of a match header; raises UnknownOption."""
    return chosen_options(OPTIONS, given)
