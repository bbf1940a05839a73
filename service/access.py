"""The gate between a match and an answer: what a caller may do in a match, and as whom it may see it.

Every message that shows a state, a move, an event or a hash is built in messages.py, and needs a Sight to be
built; this module alone makes one, once it knows that the caller may have it.
"""

from typing import Final

from msgspec import Struct

from records.entry import ENTRY_VERSION_1, Concealment, Dealer, MatchHeader, MatchId
from records.games.state import GameState
from records.replay.fold import MatchSnapshot
from rules.kernel.actors import ARBITER, AUDITOR, SPECTATOR, Actor, Office, Viewer
from service.authorization import READING_ROLES, RECORDING_ROLES, Caller, Role, wrong_role
from service.errors import CallError, Reason
from service.owners import Owners

_SEAT: Final = Role.SEAT
_OPEN: Final = Concealment.OPEN
"""Bound once, as looking up a member of an Enum is slow, and every call does it."""


class Sight(Struct, frozen=True):
    """The right to see one match as one viewer does."""

    header: MatchHeader
    viewer: Viewer
    parts: Viewer
    """As whom concealed parts of entries are seen: as the viewer until the match is over, then as an auditor.

    Only in version 2; in version 1 always as the viewer."""


class Access:
    """Decides what each caller may do and see in each match."""

    def __init__(self, owners: Owners | None) -> None:
        """Without owners, because the server requires no tokens, all matches are everybody's."""
        self._owners: Final = owners

    def trusts(self, caller: Caller, match: MatchId) -> bool:
        """Whether the caller keeps the record of the match: it acts for every seat and may see every hand."""
        if caller.owner is None:
            return caller.role in RECORDING_ROLES
        return (
            caller.role is Role.RECORDER
            and self._owners is not None
            and self._owners.owned(match, caller.owner)
        )

    def acting(self, caller: Caller, match: MatchId, current: MatchSnapshot, actor: Actor) -> Sight:
        """The sight of an actor that the caller may act as; raises CallError.

        The arbiter and chance see as much as a spectator does.
        """
        if not self.trusts(caller, match):
            _require_may_act(caller, match, current, actor)
        viewer = SPECTATOR if isinstance(actor, Office) else actor
        return Sight(current.header, viewer, viewer)

    def require_at_table(self, caller: Caller, match: MatchId, current: MatchSnapshot) -> None:
        """Raises CallError unless the caller may act as some actor of the game."""
        if caller.role is _SEAT:
            require_own_match(caller, match)
        elif not self.trusts(caller, match):
            _require_may_judge(caller, match, current)

    def looking(self, caller: Caller, match: MatchId, current: MatchSnapshot, viewer: Viewer) -> Sight:
        """The sight of a viewer that the caller may look as now; raises CallError.

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
        return Sight(current.header, viewer, self._parts(caller, match, current, viewer))

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
            raise _not_your_match(match)

    def _require_may_look_as_seat(
        self, caller: Caller, match: MatchId, current: MatchSnapshot, viewer: Viewer
    ) -> None:
        if caller.role is _SEAT:
            if viewer != caller.seat:
                raise CallError(Reason.NOT_YOUR_SEAT, "the token is for another seat")
        elif caller.role is Role.AUDITOR:
            raise wrong_role("recorder")
        elif hides_hands(current) and not self.trusts(caller, match):
            raise _not_your_match(match) if caller.role is Role.RECORDER else match_not_over(match)


def open_sight(header: MatchHeader) -> Sight:
    """The sight of a state that the caller has sent itself: there is nothing in it to hide."""
    return Sight(header, AUDITOR, AUDITOR)


def require_own_match(caller: Caller, match: MatchId) -> None:
    """Raises CallError where the caller is a seat of another match."""
    if caller.role is _SEAT and caller.match != match:
        raise CallError(Reason.NOT_YOUR_SEAT, "the token is for a seat of another match")


def is_over(current: MatchSnapshot) -> bool:
    """Whether the match has ended, or the arbiter has closed it."""
    return current.state.outcome() is not None or current.guards.closed


def has_secrets(header: MatchHeader, state: GameState) -> bool:
    """Whether something of the match is hidden from some viewer.

    Everybody sees all of a match that was over when it was imported as a transcript.
    """
    return header.concealment is not _OPEN and state.has_secrets()


def hides_hands(current: MatchSnapshot) -> bool:
    """Whether the match is in progress and something in it is hidden."""
    return has_secrets(current.header, current.state) and not is_over(current)


def hashes_hands(header: MatchHeader) -> bool:
    """Whether hashes of the match cover hidden hands without a salt."""
    return header.entry_version == ENTRY_VERSION_1 and not header.pledge


def _require_may_act(caller: Caller, match: MatchId, current: MatchSnapshot, actor: Actor) -> None:
    if caller.role is _SEAT:
        require_own_match(caller, match)
        if actor != caller.seat:
            raise CallError(Reason.NOT_YOUR_SEAT, "the token is for another seat")
    elif actor is ARBITER and caller.role is Role.ADMIN:
        pass
    else:
        _require_may_judge(caller, match, current)


def _require_may_judge(caller: Caller, match: MatchId, current: MatchSnapshot) -> None:
    """Raises CallError where a caller that is no seat may not learn verdicts on moves."""
    if caller.role not in RECORDING_ROLES:
        raise wrong_role("recorder")
    if caller.role is Role.RECORDER:
        raise _not_your_match(match)
    if hides_hands(current):
        raise match_not_over(match)


def match_not_over(match: MatchId) -> CallError:
    """The error for what would show hidden hands."""
    return CallError(
        Reason.MATCH_NOT_OVER,
        f"match {match} is not over, and its hands are hidden until it is",
        {"match_id": match},
    )


def _not_your_match(match: MatchId) -> CallError:
    return CallError(
        Reason.NOT_YOUR_MATCH, f"match {match} belongs to another owner than the token", {"match_id": match}
    )
