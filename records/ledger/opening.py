"""The start of a match: its id, the time, and the first entry of its record."""

import secrets
import time
from dataclasses import replace
from uuid import UUID

from records.codec.header import encode_header
from records.entry import (
    ENTRY_VERSION_1,
    ENTRY_VERSION_2,
    GENESIS,
    HEADER,
    Entry,
    MatchHeader,
    MatchId,
    actor_number,
    with_hash,
)
from records.evidence.concealment import SALT_SIZE
from records.files.tags import read_header, taken_names, write_header
from records.files.transcript import Tag, Transcript, UnreadableTranscript, Unwritable
from records.games.registry import find_game
from records.games.state import GameState
from records.replay.concealing import NOTHING_CONCEALED
from records.replay.disclosure import public_digest
from records.replay.entry_rules import seats_fault
from records.replay.entry_text import check_header
from records.replay.policies import require_known_dealer
from rules.kernel.actors import ARBITER
from rules.kernel.setup import BadSetup


def new_match_id() -> MatchId:
    """A UUID of version 7: the time in milliseconds, so that ids sort by age, then 74 random bits."""
    bits = time.time_ns() // 1_000_000 << 80 | 0x7 << 76 | secrets.randbits(12) << 64
    return MatchId(str(UUID(int=bits | 0b10 << 62 | secrets.randbits(62))))


def new_salt() -> bytes:
    """The salt of a concealed part, from the operating system."""
    return secrets.token_bytes(SALT_SIZE)


def header_entry(header: MatchHeader, start: GameState, match: MatchId, request: str, recorded: int) -> Entry:
    """The first entry of a record."""
    return with_hash(
        Entry(
            match,
            0,
            HEADER,
            actor_number(ARBITER),
            encode_header(header),
            b"",
            public_digest(header, start),
            request,
            recorded,
            GENESIS,
            concealed=b"" if header.entry_version == ENTRY_VERSION_1 else NOTHING_CONCEALED,
        )
    )


def checked_start(header: MatchHeader) -> tuple[MatchHeader, GameState]:
    """The header of a match that can start, completed by its game, and its first state.

    Raises BadSetup, BadText, UnknownGame, UnknownEdition, UnknownRuling or UnknownOption.
    """
    state = find_game(header.game).start(header.setup)
    header = replace(header, setup=state.setup)
    check_header(header)
    _require_seats_for_audiences(header)
    _require_valid_tags(header)
    require_known_dealer(header)
    return header, state


def asks_for_same_match(one: MatchHeader, other: MatchHeader) -> bool:
    """Whether two headers ask for the same; the pledge and the version of entries are not asked for."""
    return _asked(one) == _asked(other)


def _asked(header: MatchHeader) -> MatchHeader:
    return replace(header, pledge=b"", entry_version=ENTRY_VERSION_2)


def _require_seats_for_audiences(header: MatchHeader) -> None:
    """Raises BadSetup if a match of its version cannot have that many seats."""
    why = seats_fault(header)
    if why is not None:
        raise BadSetup("seats", why)


def _require_valid_tags(header: MatchHeader) -> None:
    """Raises BadSetup if the tags of a match cannot be written in a transcript."""
    try:
        further = [Tag(name, value) for name, value in header.tags]
        for name in taken_names(further):
            raise BadSetup("tags", f"{name} is no further tag: it says what the match is")
        read_header(Transcript(write_header(find_game(header.game), header.setup, None, further)))
    except (Unwritable, UnreadableTranscript) as fault:
        raise BadSetup("tags", str(fault)) from fault
