"""What a listing tells of a match, told from its header."""

from records.codec.header import CorruptHeader, decode_header
from records.entry import Entry
from records.log.contract import MatchListing


def listed(number: int, header: Entry, *, copy: bool = False) -> MatchListing:
    """The listing of the match that this header opens, be it one that this build can read or not."""
    try:
        told = decode_header(header.move)
    except CorruptHeader:
        return MatchListing(number, header.match, "", "", (), header.recorded, copy)
    setup = told.setup
    return MatchListing(number, header.match, told.game, setup.edition, setup.seats, header.recorded, copy)
