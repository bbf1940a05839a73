"""A row of the list of matches, built from a match header."""

from dataclasses import dataclass

from records.codec.header import CorruptHeader, decode_header
from records.entry import Entry, MatchId


@dataclass(frozen=True, slots=True)
class MatchListing:
    """A row of the list of matches; everything in it comes from the header."""

    number: int
    """From 1, in the order in which the matches began."""
    match: MatchId
    game: str
    """Empty, like edition and seats, if this build cannot read the header."""
    edition: str
    seats: tuple[str, ...]
    started: int
    """When the header was recorded, in microseconds since 1970, UTC."""
    copy: bool = False
    """Whether the match was imported without some of its concealed parts, so that it can only be read."""
    damaged: bool = False
    """Whether the row itself is damaged, so that the seats are unknown; the entries may be intact."""


def listed(number: int, header: Entry, *, copy: bool = False) -> MatchListing:
    """The row of the match that this header opens, whether or not this build can read it."""
    try:
        decoded = decode_header(header.move)
    except CorruptHeader:
        return MatchListing(number, header.match, "", "", (), header.recorded, copy)
    setup = decoded.setup
    return MatchListing(number, header.match, decoded.game, setup.edition, setup.seats, header.recorded, copy)
