"""What each viewer may see of an entry, and what an entry holds in full."""

from msgspec import structs

from records.codec.evidence import Concealed, decode_concealed
from records.entry import Entry, MatchHeader
from records.evidence.sealing import OpenedPlace
from records.games.candidate import Candidate
from records.games.state import GameState
from rules.kernel.actors import SPECTATOR, Actor, Viewer


def public_digest(header: MatchHeader, state: GameState) -> bytes:
    """The digest in an entry; in a sealed match, that of the spectator's view."""
    return (state.view(SPECTATOR) if header.pledge else state).digest()


def in_full(entry: Entry) -> tuple[bytes, bytes]:
    """The move and the events of an entry, with the hidden part if it is there; raises CorruptEvidence."""
    if not entry.secret:
        return entry.move, entry.events
    concealed = decode_concealed(entry.secret)
    return concealed.move, concealed.events


def for_viewer(before: GameState, actor: Actor, entry: Entry, viewer: Viewer) -> Entry:
    """The entry without its secret, if the viewer may not see that."""
    if not entry.secret:
        return entry
    move, _ = in_full(entry)
    seen = before.seen_move(before.parse_bytes(actor, move), viewer)
    return entry if seen.data == move else structs.replace(entry, secret=b"")


def conceal_draw(
    before: GameState, draw: Candidate, events: bytes, openings: tuple[OpenedPlace, ...]
) -> tuple[bytes, bytes, Concealed]:
    """Of version 1: the move and events of a draw as a spectator sees them, and the concealed part."""
    public = before.seen_move(draw, SPECTATOR).data, before.seen_events(events, SPECTATOR)
    return *public, Concealed(draw.data, events, openings)
