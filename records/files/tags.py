"""The tags of a transcript: the game, the setup of the match, and the stated result."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

from records.files.transcript import Tag, Transcript, UnreadableTranscript
from records.games.bound import BoundGame
from records.games.registry import UnknownGame, find_game
from records.games.state import GameState
from rules.kernel.edition import EditionKey, UnknownEdition, UnknownOption, UnknownRuling
from rules.kernel.setup import BadSetup, Draws, Setup
from rules.kernel.text import quoted, words

FORMAT: Final = "shiji/1"
"""The value of the tag Format: the format and version of a transcript."""

UNSTATED: Final = "*"
"""The result of a match that is not over, or whose result the record does not state."""

NOBODY: Final = "-"
"""The result of a match that ended and that no seat won; where a seat is called so, it means that seat."""

_COMPONENTS: Final = ("Board", "Components")
"""Either name is accepted; the first is written for games that have a board."""

_KNOWN: Final = ("Format", "Game", "Edition", "Options", "Rulings", *_COMPONENTS, "Seats", "Draws", "Result")
_BY_LOOKS: Final = {name.lower().removesuffix("s"): name for name in _KNOWN}


@dataclass(frozen=True, slots=True)
class Header:
    """What the tags determine."""

    game: BoundGame
    start: GameState
    """The match before the first entry."""
    result: frozenset[str] | None
    """The names of the winners, none if nobody won; None if the result is not stated."""
    further: tuple[Tag, ...]
    """Tags that the rules do not use, such as names, event, place and date."""


def read_header(transcript: Transcript) -> Header:
    """Read the tags; raises UnreadableTranscript with the place of the tag."""
    tags = {tag.name: tag for tag in transcript.tags}
    further = tuple(tag for tag in transcript.tags if tag.name not in _KNOWN)
    _require_no_lookalikes(further)
    known = _Tags(tags, _end_of_tags(transcript))
    _read_format(known.need("Format"))
    game = _read_game(known.need("Game"))
    edition, components, seats = known.need("Edition"), known.need(*_COMPONENTS), known.need("Seats")
    setup = Setup(
        edition=EditionKey(edition.value),
        seats=tuple(seats.value.split()),
        components=components.value,
        draws=_read_draws(known.get("Draws", Draws.UNRECORDED.value)),
        rulings=_read_choices(known.get("Rulings", ""), "ruling", "major-conflict=major-keeps"),
        options=_read_choices(known.get("Options", ""), "option", "mausoleum=tokens"),
    )
    try:
        start = game.start(setup)
    except UnknownEdition as fault:
        raise edition.fault(str(fault)) from None
    except UnknownRuling as fault:
        raise tags["Rulings"].fault(str(fault)) from None
    except UnknownOption as fault:
        raise tags["Options"].fault(str(fault)) from None
    except BadSetup as fault:
        by_field = {"components": components, "seats": seats, "options": tags.get("Options", tags["Game"])}
        blamed = by_field.get(fault.field, tags["Game"])
        raise blamed.fault(str(fault)) from None
    return Header(game, start, read_result(known.get("Result", UNSTATED), setup.seats), further)


def taken_names(tags: Iterable[Tag]) -> tuple[str, ...]:
    """The names among these that are not free for further tags, as they say what the match is."""
    return tuple(tag.name for tag in tags if tag.name in _KNOWN)


def write_header(
    game: BoundGame, setup: Setup, winners: Collection[str] | None = None, further: Iterable[Tag] = ()
) -> tuple[Tag, ...]:
    """The tags for a match with this setup, and with these winners if it is over."""
    about = game.about
    has_board = any(component.kind == "board" for component in about.components)
    return (
        Tag("Format", FORMAT),
        Tag("Game", about.key),
        Tag("Edition", setup.edition),
        *([Tag("Options", _write_choices(setup.options))] if setup.options else ()),
        Tag("Rulings", _write_choices(setup.rulings)),
        Tag(_COMPONENTS[0] if has_board else _COMPONENTS[1], setup.components),
        Tag("Seats", " ".join(setup.seats)),
        Tag("Draws", setup.draws.value),
        Tag("Result", write_result(setup.seats, winners)),
        *further,
    )


@dataclass(frozen=True, slots=True)
class _Tags:
    tags: dict[str, Tag]
    end: int
    """The line at which a missing tag is reported."""

    def need(self, *names: str) -> Tag:
        """The only tag with one of these names; raises UnreadableTranscript."""
        found = [self.tags[name] for name in names if name in self.tags]
        if not found:
            raise UnreadableTranscript(self.end, 1, f'the tag [{names[0]} "…"] is missing')
        if len(found) > 1:
            one, other = sorted(found, key=lambda tag: tag.line)
            raise other.fault(f"the tag {one.name} on line {one.line} already says this")
        return found[0]

    def get(self, name: str, default: str) -> Tag:
        return self.tags.get(name) or Tag(name, default)


def _end_of_tags(transcript: Transcript) -> int:
    last = max((tag.line for tag in transcript.tags), default=0)
    return last + 1


def _require_no_lookalikes(further: tuple[Tag, ...]) -> None:
    """Refuses misspelt tags: a ruling or an option in one would be ignored without notice."""
    for tag in further:
        meant = _BY_LOOKS.get(tag.name.lower().removesuffix("s"))
        if meant is not None:
            raise tag.fault(f"there is no tag {tag.name}; it is written {meant}")


def _read_format(tag: Tag) -> None:
    if tag.value != FORMAT:
        raise tag.fault(f"this build does not read the format {quoted(tag.value)}; expected {FORMAT}")


def _read_game(tag: Tag) -> BoundGame:
    try:
        return find_game(tag.value)
    except UnknownGame as fault:
        raise tag.fault(str(fault)) from None


def _read_draws(tag: Tag) -> Draws:
    try:
        return Draws(tag.value)
    except ValueError:
        expected = " or ".join(draws.value for draws in Draws)
        raise tag.fault(f"draws are {expected}, not {quoted(tag.value)}") from None


def _write_choices(chosen: tuple[tuple[str, str], ...]) -> str:
    return " ".join(f"{name}={value}" for name, value in chosen)


def _read_choices(tag: Tag, what: str, example: str) -> tuple[tuple[str, str], ...]:
    chosen = []
    for word in words(tag.value):
        name, sign, value = word.text.partition("=")
        if not (name and sign and value):
            raise tag.fault(f"{quoted(word.text)} is no {what}; expected NAME=VALUE, as in {example}")
        chosen.append((name, value))
    return tuple(sorted(chosen))


def write_result(seats: tuple[str, ...], winners: Collection[str] | None) -> str:
    """The result of a match with these winners; None if it is not over or not stated."""
    if winners is None or (not winners and NOBODY in seats):
        return UNSTATED
    return " ".join(winners) or NOBODY


def result_names(text: str, seats: tuple[str, ...]) -> tuple[str, ...] | None:
    """The names in a result, as they stand there; none if nobody won, None if nothing is stated."""
    if text == UNSTATED:
        return None
    return () if text == NOBODY and NOBODY not in seats else tuple(text.split())


def read_result(tag: Tag, seats: tuple[str, ...]) -> frozenset[str] | None:
    """The names of the winners that a result states; None if it states nothing."""
    winners = result_names(tag.value, seats)
    if winners is None:
        return None
    if not winners and tag.value != NOBODY:
        raise tag.fault(f"the result is empty; expected the winners' names, or {UNSTATED} for none stated")
    for name in winners:
        if name not in seats:
            raise tag.fault(f"{quoted(name)} is no seat; expected {', '.join(seats)} or {UNSTATED}")
        if winners.count(name) > 1:
            raise tag.fault(f"{name} is in the result twice")
    return frozenset(winners)
