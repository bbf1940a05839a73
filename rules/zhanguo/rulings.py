"""What a match may choose: options that the rulebook offers, and rulings on what it leaves open."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from rules.kernel.edition import Option, OptionValue, Reading, Ruling, chosen, chosen_options
from rules.kernel.setup import BadSetup
from rules.zhanguo.rulings_settled import SETTLED

TABLE, MAUSOLEUM, RIVAL = "table", "mausoleum", "rival"
RIVAL_SEAT: Final = "li-si"
"""The name of Li Si's seat."""
LEVELS: Final = ("li-si-1", "li-si-2", "li-si-3", "li-si-4")
NO_RIVAL: Final = "none"

OPTIONS: Final = (
    Option(
        TABLE,
        "The unification table in use (ZHG-SET-02).",
        (
            OptionValue("T1", "The printed one: writing, currency, laws."),
            OptionValue("T2", "A face of the overlay: laws, writing, currency."),
            OptionValue("T3", "The other face: currency, laws, writing."),
        ),
        "L192",
    ),
    Option(
        MAUSOLEUM,
        "Where the targets of the Mausoleum come from (ZHG-SET-04, ZHG-SET-05).",
        (
            OptionValue("printed", "From the board."),
            OptionValue("tokens", "From tokens that are dealt over the spots: the advanced mode."),
        ),
        "L195-197",
    ),
    Option(
        RIVAL,
        f"Whether it is a solo match against Li Si, who then has the seat {RIVAL_SEAT} (ZHG-SOL-03).",
        (
            OptionValue(NO_RIVAL, "Nobody plays against Li Si."),
            *(OptionValue(level, f"Level {level[-1]} of 4.") for level in LEVELS),
        ),
        "L793-846",
    ),
)

SWITCHABLE: Final = (
    Ruling(
        "emperor-claim",
        "AMB-01",
        "Which walls take an Emperor tile?",
        (
            Reading("section", "The first wall in a section."),
            Reading("site", "Only the first wall on a site."),
        ),
        "L205 and the end of L516 speak of sections, the example on L528 of a site.",
    ),
    Ruling(
        "emperor-effect",
        "AMB-03",
        "Does an Emperor tile replace the trigger of its card?",
        (
            Reading("replaces", "Yes: the triggers of the tile are those of the card."),
            Reading("adds", "No: they are added to the printed one."),
        ),
        "L516: it lies on the trigger.",
    ),
    Ruling(
        "alchemist-position",
        "AMB-04",
        "Do Alchemist cards count for the position of a Unification card?",
        (
            Reading("counts", "Yes: every card that lies there counts."),
            Reading("ignored", "No: only Unification cards count; the limit of three counts all."),
        ),
        "L418 has them fill places.",
    ),
    Ruling(
        "governor-tiles",
        "AMB-05",
        "What are the two halves of a governor tile?",
        (
            Reading("two-spaces", "Two spaces, one governor each."),
            Reading("choose-one", "A choice: taking one half closes the other, for everybody."),
        ),
        "L931-935 speaks of two rightmost bonus spaces where there is one tile.",
    ),
    Ruling(
        "unlock-cost",
        "AMB-07",
        "What does a soldier cost in phase 3?",
        (
            Reading("value", "Tokens worth 3, a large one counting 2, without change."),
            Reading("count", "Exactly three tokens of any size."),
        ),
        "L665 mixes kinds and values.",
    ),
    Ruling(
        "governor-area",
        "AMB-47",
        "May a governor go into the area while spaces are free?",
        (
            Reading("always", "Yes."),
            Reading("no-bonus-left", "Only while no free space of the region has a bonus."),
        ),
        "L443 lets the player choose a space with or without a bonus.",
    ),
)

RULINGS: Final = tuple(sorted((*SWITCHABLE, *SETTLED), key=lambda ruling: ruling.ambiguity))
"""Every open question, by its number."""


@dataclass(frozen=True, slots=True)
class Options:
    """What a match has chosen of the rulebook's variants."""

    table: str
    tokens: bool
    """Whether the Mausoleum's targets are dealt."""
    level: int | None
    """Li Si's level, from 0; None without him."""
    given: tuple[tuple[str, str], ...]
    """Those that are not the default, sorted by name."""


@dataclass(frozen=True, slots=True)
class Rulings:
    """What a match has chosen of the readings."""

    claim_by_site: bool
    triggers_added: bool
    alchemists_ignored: bool
    half_closes: bool
    cost_by_count: bool
    area_last: bool
    given: tuple[tuple[str, str], ...]
    """Those that are not the default, sorted by name."""


def read_options(given: Iterable[tuple[str, str]]) -> Options:
    """The options of a header; raises UnknownOption."""
    found = chosen_options(OPTIONS, given)
    rival = found.in_force[RIVAL]
    return Options(
        found.in_force[TABLE],
        found.in_force[MAUSOLEUM] == "tokens",
        None if rival == NO_RIVAL else LEVELS.index(rival),
        found.given,
    )


def read_rulings(given: Iterable[tuple[str, str]]) -> Rulings:
    """The rulings of a header; raises UnknownRuling."""
    found = chosen(SWITCHABLE, given)
    force = found.in_force
    return Rulings(
        force["emperor-claim"] == "site",
        force["emperor-effect"] == "adds",
        force["alchemist-position"] == "ignored",
        force["governor-tiles"] == "choose-one",
        force["unlock-cost"] == "count",
        force["governor-area"] == "no-bonus-left",
        found.given,
    )


def require_rival(seats: tuple[str, ...], options: Options) -> None:
    """Raises BadSetup unless Li Si has a seat exactly where he plays (ZHG-SOL-05)."""
    solo = options.level is not None
    if solo and (len(seats) != 2 or RIVAL_SEAT not in seats):  # noqa: PLR2004 - the human and Li Si
        raise BadSetup("options", f"with {RIVAL} there are two seats, and one is called {RIVAL_SEAT}")
    if not solo and RIVAL_SEAT in seats:
        why = f"a seat is called {RIVAL_SEAT} only in a match with {RIVAL}"
        raise BadSetup("seats", why, seats.index(RIVAL_SEAT))
