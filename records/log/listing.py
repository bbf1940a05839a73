"""What a listing tells of a match, told from its header."""

from dataclasses import dataclass

from records.codec.header import CorruptHeader, decode_header
from records.entry import Entry, MatchId


@dataclass(frozen=True, slots=True)
class MatchListing:
    """What a listing tells of a match, all of it from the header."""

    number: int
    """From 1, in the order in which the matches began."""
    match: MatchId
    game: str
    """Empty, as edition and seats are, where the header is none that this build can read."""
    edition: str
    seats: tuple[str, ...]
    started: int
    """When its header was recorded, in microseconds since 1970, UTC."""


def listed(number: int, header: Entry) -> MatchListing:
    """The listing of the match that this header opens, be it one that this build can read or not."""
    try:
        told = decode_header(header.move)
    except CorruptHeader:
        return MatchListing(number, header.match, "", "", (), header.recorded)
    return MatchListing(
        number, header.match, told.game, told.setup.edition, told.setup.seats, header.recorded
    )
