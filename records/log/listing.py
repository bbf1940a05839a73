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


def listed(number: int, header: Entry) -> MatchListing:
    """The row of the match that begins with this entry, even if this build cannot read the header."""
    try:
        decoded = decode_header(header.move)
    except CorruptHeader:
        return MatchListing(number, header.match, "", "", (), header.recorded)
    return MatchListing(
        number, header.match, decoded.game, decoded.setup.edition, decoded.setup.seats, header.recorded
    )
