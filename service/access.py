"""As whom a caller may look at a match, beside what it may do there (messages.py)."""

from typing import Final

from records.entry import ENTRY_VERSION_1, Dealer, MatchHeader, MatchId
from records.replay.fold import MatchSnapshot
from rules.kernel.actors import AUDITOR, SPECTATOR, Viewer
from service.authorization import READING_ROLES, Caller, Role, wrong_role
from service.errors import CallError, Reason
from service.messages import (
    ActorAccess,
    Viewpoint,
    hashes_hands,
    hides_hands,
    is_over,
    match_not_over,
    not_your_match,
    require_own_match,
)

_SEAT: Final = Role.SEAT
"""Bound once, as looking up a member of an Enum is slow, and every call does it."""


class Access(ActorAccess):
    """Decides what each caller may do and see in each match."""

    def looking(self, caller: Caller, match: MatchId, current: MatchSnapshot, viewer: Viewer) -> Viewpoint:
        """The viewpoint of a viewer that the caller may look as now; raises CallError.

        A seat sees its own hand only. The view of an auditor is open once the match is over, and before that
        to the recorder that entered the draws.
        """
        require_own_match(caller, match)
        if viewer is AUDITOR:
            if caller.role not in READING_ROLES:
                raise wrong_role("auditor")
            entered_draws = current.header.dealer is Dealer.RECORDER and self.trusts(caller, match)
            if hides_hands(current) and not entered_draws:
                raise match_not_over(match)
        elif isinstance(viewer, int):
            self._require_may_look_as_seat(caller, match, current, viewer)
        return Viewpoint(current.header, viewer, self._parts(caller, match, current, viewer))

    def _parts(self, caller: Caller, match: MatchId, current: MatchSnapshot, viewer: Viewer) -> Viewer:
        """As whom the caller sees concealed parts now.

        Choices of a match in progress are sealed even where the game has no hidden hands, so that an auditor
        may look: they are open to the seat that made them, and to the recorder of the match.
        """
        if current.header.entry_version == ENTRY_VERSION_1:
            return viewer
        if is_over(current):
            return AUDITOR
        return SPECTATOR if viewer is AUDITOR and not self.trusts(caller, match) else viewer

    def sees_all(self, caller: Caller, match: MatchId, current: MatchSnapshot) -> bool:
        """Whether the caller may see the whole of every entry of the match now."""
        try:
            self.looking(caller, match, current, AUDITOR)
        except CallError:
            return False
        return True

    def require_hashes(self, caller: Caller, match: MatchId, current: MatchSnapshot) -> None:
        """Raises CallError where a hash of the match could confirm to the caller what was drawn.

        There are few kinds of tiles. In version 2 and in a sealed match, hashes cover only what everybody
        sees, and salted digests.
        """
        if hashes_hands(current.header) and not self.sees_all(caller, match, current):
            raise match_not_over(match)

    def require_may_import(self, caller: Caller, match: MatchId, current: MatchSnapshot) -> None:
        """Raises CallError where the import of a guessed record could confirm what was dealt.

        Of version 2 nobody can guess a record: its hashes cover salts.
        """
        if current.header.entry_version != ENTRY_VERSION_1 or not hides_hands(current):
            return
        if current.header.dealer is Dealer.SERVICE or not self.trusts(caller, match):
            raise match_not_over(match)

    def claim(self, caller: Caller, match: MatchId) -> None:
        """Give a new match to the owner of the caller; raises CallError if it belongs to another."""
        if self._owners is None or caller.owner is None:
            return
        if not self._owners.claim(match, caller.owner):
            raise not_your_match(match)

    def _require_may_look_as_seat(
        self, caller: Caller, match: MatchId, current: MatchSnapshot, viewer: Viewer
    ) -> None:
        if caller.role is _SEAT:
            if viewer != caller.seat:
                raise CallError(Reason.NOT_YOUR_SEAT, "the token is for another seat")
        elif caller.role is Role.AUDITOR:
            raise wrong_role("recorder")
        elif hides_hands(current) and not self.trusts(caller, match):
            raise not_your_match(match) if caller.role is Role.RECORDER else match_not_over(match)


def open_viewpoint(header: MatchHeader) -> Viewpoint:
    """The viewpoint of a state that the caller has sent itself: there is nothing in it to hide."""
    return Viewpoint(header, AUDITOR, AUDITOR)


def public_viewpoint(header: MatchHeader) -> Viewpoint:
    """The viewpoint of everybody in a match in progress; for records too damaged to tell if it is over."""
    return Viewpoint(header, SPECTATOR, SPECTATOR)
