"""Callers, their roles, and what a role allows; access.py decides what they may do and see in a match."""

from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from records.entry import MatchId
from rules.kernel.actors import Seat
from service.errors import CallError, Reason


class Role(Enum):
    """The role of a caller; it decides which methods the caller may use."""

    ADMIN = "admin"
    """May do everything, but sees no hidden hands of a match in progress."""
    RECORDER = "recorder"
    """An app that keeps records: starts matches and appends for every seat of its owner's matches."""
    AUDITOR = "auditor"
    """Reads and audits; appends nothing."""
    SEAT = "seat"
    """One seat of one match: appends its own moves, sees its own hand."""


RECORDING_ROLES: Final = frozenset({Role.ADMIN, Role.RECORDER})
"""Roles that start and import matches."""

READING_ROLES: Final = frozenset({Role.ADMIN, Role.RECORDER, Role.AUDITOR})
"""Roles that read the whole archive."""


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
    owner: str | None = None
    """Whose matches the token is for. None for a seat, which has only its match, and where the server
    requires no tokens: there all matches are everybody's."""
    account: str = field(default="", compare=False)
    """Whose share of the server its calls use: the owner of the token or of the seat's match, or else the
    name. Callers with one account share what one may have."""

    def __post_init__(self) -> None:
        if not self.account:
            object.__setattr__(self, "account", self.owner or self.match or self.name)


def require_recorder(caller: Caller) -> None:
    """Raises CallError unless the caller may start matches and import records."""
    if caller.role not in RECORDING_ROLES:
        raise wrong_role("recorder")


def require_reader(caller: Caller) -> None:
    """Raises CallError unless the caller may read the whole archive."""
    if caller.role not in READING_ROLES:
        raise wrong_role("auditor")


def wrong_role(needed: str) -> CallError:
    """The error for a caller that lacks the role."""
    return CallError(Reason.NOT_YOUR_ROLE, f"this method needs the role {needed}", {"role": needed})
