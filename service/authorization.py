"""Who calls, and how far he may go."""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from records.entry import Dealer, MatchId
from records.replay.fold import MatchSnapshot
from rules.kernel.actors import AUDITOR, Actor, Seat, Viewer
from service.errors import CallError, Reason


class Role(Enum):
    """What a caller is to the server."""

    ADMIN = "admin"
    """May do everything."""
    RECORDER = "recorder"
    """An app that keeps records: starts matches and appends for every seat."""
    AUDITOR = "auditor"
    """Reads and audits; appends nothing."""
    SEAT = "seat"
    """One seat of one match: appends its own moves, sees its own hand."""


_SEAT: Final = Role.SEAT
RECORDERS: Final = frozenset({Role.ADMIN, Role.RECORDER})
"""Roles that append for every seat of every match."""

_READERS: Final = frozenset({Role.ADMIN, Role.RECORDER, Role.AUDITOR})


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls."""

    name: str
    """What logs and limits call him: a token's name, or an address."""
    role: Role
    match: MatchId | None = None
    """Of a seat: its match."""
    seat: Seat | None = None
    """Of a seat: which one."""


def require_recorder(caller: Caller) -> None:
    """Only whoever keeps records starts matches and imports."""
    if caller.role not in RECORDERS:
        raise _role("recorder")


def require_reader(caller: Caller) -> None:
    """Only whoever is trusted with all records reads the whole archive."""
    if caller.role not in _READERS:
        raise _role("auditor")


def require_own_match(caller: Caller, match: MatchId) -> None:
    """A seat looks at its own match only."""
    if caller.role is _SEAT and caller.match != match:
        raise CallError(Reason.NOT_YOUR_SEAT, "the token is for a seat of another match")


def require_own_actor(caller: Caller, match: MatchId, actor: Actor) -> None:
    """A seat asks for itself; whoever keeps the record for everybody."""
    if caller.role is _SEAT:
        require_own_match(caller, match)
        if actor != caller.seat:
            raise CallError(Reason.NOT_YOUR_SEAT, "the token is for another seat")
    elif caller.role not in RECORDERS:
        raise _role("recorder")


def require_may_see(caller: Caller, match: MatchId, current: MatchSnapshot, viewer: Viewer) -> None:
    """Nobody sees more than he may: a seat its own hand, an auditor all of it once the match is over."""
    require_own_match(caller, match)
    if viewer is AUDITOR:
        if caller.role not in _READERS:
            raise _role("auditor")
        if _is_secret(caller, current):
            raise CallError(
                Reason.MATCH_NOT_OVER,
                f"match {match} goes on, and its hands are hidden until it is over",
                {"match_id": match},
            )
    elif caller.role is _SEAT and isinstance(viewer, int) and viewer != caller.seat:
        raise CallError(Reason.NOT_YOUR_SEAT, "the token is for another seat")
    elif caller.role is Role.AUDITOR and isinstance(viewer, int):
        raise _role("recorder")


def _is_secret(caller: Caller, current: MatchSnapshot) -> bool:
    """Whoever told the draws knows them; where the service deals, nobody does before the end."""
    told_them = caller.role in RECORDERS and current.header.dealer is Dealer.RECORDER
    return current.state.has_secrets() and not told_them and current.state.outcome() is None


def _role(needed: str) -> CallError:
    return CallError(Reason.NOT_YOUR_ROLE, f"this takes the role {needed}", {"role": needed})
