"""A page of a match that somebody asks for: what they may see of it, and everything that it depends on."""

from collections.abc import Hashable

from msgspec import Struct
from shiji.record.v1.entry_pb2 import Viewer as ViewerMessage

from records.entry import MatchId
from records.index.values import LastAudit
from records.ledger.results import NoSuchEntry
from records.replay.fold import MatchSnapshot
from rules.kernel.actors import SPECTATOR, Viewer
from service.authorization import READING_ROLES, Caller
from service.http.pages.play_view import PlayView, play_view
from service.messages import Viewpoint, require_own_match
from service.requests import match_id, viewer_of
from service.resources import Resources


def default_viewer(caller: Caller) -> Viewer:
    """As whom a caller looks at a match unless it says something else."""
    return SPECTATOR if caller.seat is None else caller.seat


class MatchRequest(Struct, frozen=True):
    """A page of a match that a caller may see, and everything that it depends on."""

    match: MatchId
    current: MatchSnapshot
    viewpoint: Viewpoint
    seen_as: Viewer
    shown: int
    """The sequence of the entry whose position is shown."""
    play: PlayView
    whole: bool
    audited: LastAudit | None

    @property
    def key(self) -> Hashable:
        """Equal for requests whose pages are the same: the hash stands for the whole record."""
        current, viewpoint = self.current, self.viewpoint
        return (
            self.match,
            current.hash,
            current.copy,
            current.lacks_parts,
            self.seen_as,
            viewpoint.viewer,
            viewpoint.parts,
            self.shown,
            self.play,
            self.whole,
            self.audited,
        )


def match_request(
    resources: Resources,
    caller: Caller,
    *,
    match_text: str,
    sequence: int | None,
    asked: ViewerMessage | None,
) -> MatchRequest:
    """A page of a match after an entry, by default the last, as the caller may see it; raises CallError."""
    match = match_id(match_text)
    require_own_match(caller, match)
    current = resources.ledger.current(match)
    seen_as = default_viewer(caller) if asked is None else viewer_of(asked, current.header)
    viewpoint = resources.access.looking(caller, match, current, seen_as)
    shown = current.sequence if sequence is None else sequence
    if shown > current.sequence:
        raise NoSuchEntry(match, shown)
    play = play_view(resources, caller, match, current, seen_as)
    whole = resources.access.sees_all(caller, match, current)
    audited = resources.index.last_audit(match) if caller.role in READING_ROLES else None
    return MatchRequest(match, current, viewpoint, seen_as, shown, play, whole, audited)
