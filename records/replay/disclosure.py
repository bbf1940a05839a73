"""What each viewer may see of an entry, and what an entry holds in full."""

from collections.abc import Sequence

from msgspec import structs

from records.codec.concealment import Hidden, decode_choose, decode_hidden, encode_hidden
from records.codec.evidence import Concealed, CorruptEvidence, decode_concealed
from records.entry import (
    ENTRY_VERSION_1,
    MOVE,
    Concealment,
    Entry,
    EntryKind,
    MatchHeader,
)
from records.evidence.concealment import BadPart, Commitment, parse_concealed, parse_view
from records.evidence.sealing import OpenedPlace
from records.games.candidate import Candidate
from records.games.state import GameState
from rules.kernel.actors import AUDITOR, SPECTATOR, Actor, Viewer
from rules.kernel.setup import RECORDED


def conceals(header: MatchHeader, state: GameState) -> bool:
    """Whether the entries of a match have parts for what its game declares secret.

    Where draws are not recorded, nobody has secrets to record; what seats choose in secret is sealed apart.
    """
    return (
        header.entry_version != ENTRY_VERSION_1
        and header.concealment is Concealment.SECRETS
        and header.setup.draws is RECORDED
        and state.has_secrets()
    )


def public_view(header: MatchHeader, state: GameState) -> GameState:
    """The state that the digest in an entry is of: what everybody sees.

    In version 1 only a sealed match has such a digest; the others' is of the state.
    """
    return state if shows_all(header, state) else state.view(SPECTATOR)


def shows_all(header: MatchHeader, state: GameState) -> bool:
    """Whether the digests of a match are of its whole states; the same for every state of the match."""
    if header.entry_version == ENTRY_VERSION_1:
        return not header.pledge
    return header.concealment is Concealment.OPEN or not state.has_secrets()


def public_digest(header: MatchHeader, state: GameState) -> bytes:
    """The digest in an entry after which the match is in this state."""
    return public_view(header, state).digest()


def in_full(entry: Entry) -> tuple[bytes, bytes]:
    """The move and the events of an entry, as far as its secret shows them; raises CorruptEvidence.

    Of version 2, it is the last of the parts shown: the last of all holds everything.
    """
    if not entry.secret:
        return entry.move, entry.events
    if not entry.concealed:
        concealed = decode_concealed(entry.secret)
        return concealed.move, concealed.events
    parts = decode_hidden(entry.secret).parts
    if not parts or entry.kind not in {MOVE, EntryKind.REVEAL_CHOICES}:
        return entry.move, entry.events
    try:
        view = parse_view(parts[-1].content)
    except BadPart as fault:
        raise CorruptEvidence(str(fault)) from fault
    # A reveal itself is public; only what it caused can be concealed.
    return (view.move if entry.kind == MOVE else entry.move), view.events


def hidden_of(entry: Entry) -> Hidden:
    """What is kept of an entry of version 2 outside its hash; raises CorruptEvidence."""
    return decode_hidden(entry.secret) if entry.secret else Hidden()


def missing_parts(entry: Entry) -> int:
    """How many of the parts that an entry of version 2 commits to are not kept beside it.

    Raises BadConcealed or CorruptEvidence. A choice that its seat sealed itself is not missing: nobody else
    has it until it is revealed.
    """
    committed = len(parse_concealed(entry.concealed))
    if not committed:
        return 0
    if entry.kind == EntryKind.CHOOSE and not decode_choose(entry.move).held:
        return 0
    return committed - len(hidden_of(entry).parts)


def for_viewer(before: GameState, actor: Actor, entry: Entry, viewer: Viewer) -> Entry:
    """The entry without what the viewer may not see of it while the match is under way."""
    if not entry.secret or viewer is AUDITOR:
        return entry
    if entry.concealed:
        return _redacted(entry, viewer)
    move, _ = in_full(entry)
    seen = before.seen_move(before.parse_bytes(actor, move), viewer)
    return entry if seen.data == move else structs.replace(entry, secret=b"")


def _redacted(entry: Entry, viewer: Viewer) -> Entry:
    """Only the parts with the viewer's bit; openings go to those who see the entry in full."""
    hidden, commitments = decode_hidden(entry.secret), parse_concealed(entry.concealed)
    parts = tuple(part for part in hidden.parts if may_open(commitments[part.place], viewer))
    openings = hidden.openings if sees_in_full(commitments, viewer) else ()
    return structs.replace(entry, secret=encode_hidden(Hidden(parts, openings)))


def may_open(commitment: Commitment, viewer: Viewer) -> bool:
    """Whether the viewer may see a concealed part while the match is under way; an auditor sees all."""
    return viewer is AUDITOR or (isinstance(viewer, int) and bool(commitment.audience >> viewer & 1))


def sees_in_full(commitments: Sequence[Commitment], viewer: Viewer) -> bool:
    """Whether the viewer may see all of an entry: the last part holds everything."""
    return not commitments or may_open(commitments[-1], viewer)


def conceal_draw(
    before: GameState, draw: Candidate, events: bytes, openings: tuple[OpenedPlace, ...]
) -> tuple[bytes, bytes, Concealed]:
    """Of version 1: the move and events of a draw as a spectator sees them, and the concealed part."""
    public = before.seen_move(draw, SPECTATOR).data, before.seen_events(events, SPECTATOR)
    return *public, Concealed(draw.data, events, openings)
