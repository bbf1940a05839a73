"""What each caller may do and see."""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from records.entry import Dealer, MatchId
from records.replay.fold import MatchSnapshot
from rules.kernel.actors import AUDITOR, Actor, Seat, Viewer
from service.errors import CallError, Reason


class Role(Enum):
    """The role of a caller; it decides which methods the caller may use."""

    ADMIN = "admin"
    """May do everything."""
    RECORDER = "recorder"
    """An app that keeps records: starts matches and appends for every seat."""
    AUDITOR = "auditor"
    """Reads and audits; appends nothing."""
    SEAT = "seat"
    """One seat of one match: appends its own moves, sees its own hand."""


_SEAT: Final = Role.SEAT
"""Bound once, as looking up a member of an Enum is slow, and every call does it."""

RECORDING_ROLES: Final = frozenset({Role.ADMIN, Role.RECORDER})
"""Roles that append for every seat of a match."""

_READING_ROLES: Final = frozenset({Role.ADMIN, Role.RECORDER, Role.AUDITOR})


@dataclass(frozen=True, slots=True)
class Caller:
    """An authenticated caller."""

    name: str
    """The name in logs and limits: that of the token or certificate, or else the address."""
    role: Role
    match: MatchId | None = None
    """Of a seat: its match."""
    seat: Seat | None = None
    """Of a seat: which one."""


def require_recorder(caller: Caller) -> None:
    """Raises CallError unless the caller may start matches and import records."""
    if caller.role not in RECORDING_ROLES:
        raise _role("recorder")


def require_reader(caller: Caller) -> None:
    """Raises CallError unless the caller may read the whole archive."""
    if caller.role not in _READING_ROLES:
        raise _role("auditor")


def require_own_match(caller: Caller, match: MatchId) -> None:
    """Raises CallError where the caller is a seat of another match."""
    if caller.role is _SEAT and caller.match != match:
        raise CallError(Reason.NOT_YOUR_SEAT, "the token is for a seat of another match")


def require_own_actor(caller: Caller, match: MatchId, actor: Actor) -> None:
    """Raises CallError unless the caller may act as the actor: a seat for itself, a recorder for all."""
    if caller.role is _SEAT:
        require_own_match(caller, match)
        if actor != caller.seat:
            raise CallError(Reason.NOT_YOUR_SEAT, "the token is for another seat")
    elif caller.role not in RECORDING_ROLES:
        raise _role("recorder")


def require_may_see(caller: Caller, match: MatchId, current: MatchSnapshot, viewer: Viewer) -> None:
    """Raises CallError unless the caller may see the match as the viewer does.

    A seat sees its own hand only; the view of an auditor is open once the match is over.
    """
    require_own_match(caller, match)
    if viewer is AUDITOR:
        if caller.role not in _READING_ROLES:
            raise _role("auditor")
        if _hides_hands(caller, current):
            raise CallError(
                Reason.MATCH_NOT_OVER,
                f"match {match} is not over, and its hands are hidden until it is",
                {"match_id": match},
            )
    elif caller.role is _SEAT and isinstance(viewer, int) and viewer != caller.seat:
        raise CallError(Reason.NOT_YOUR_SEAT, "the token is for another seat")
    elif caller.role is Role.AUDITOR and isinstance(viewer, int):
        raise _role("recorder")


def _hides_hands(caller: Caller, current: MatchSnapshot) -> bool:
    """Whether hands are hidden from the caller: from everybody but the recorder that entered the draws."""
    entered_draws = caller.role in RECORDING_ROLES and current.header.dealer is Dealer.RECORDER
    return current.state.has_secrets() and not entered_draws and current.state.outcome() is None


def _role(needed: str) -> CallError:
    return CallError(Reason.NOT_YOUR_ROLE, f"this method needs the role {needed}", {"role": needed})
