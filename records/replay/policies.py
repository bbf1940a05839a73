"""What the header of a match allows: who deals, and who takes entries back."""

from collections.abc import Iterable
from typing import Final

from records.entry import (
    CHANCE_NUMBER,
    MOVE,
    SERVICE,
    Entry,
    EntryKind,
    MatchHeader,
    RetractPolicy,
    TakebackPolicy,
    actor_number,
)
from records.replay.disputes import Disputes
from rules.kernel.actors import ARBITER, CHANCE, Actor, Office
from rules.kernel.rule import Rule, RuleId, Violation
from rules.kernel.setup import RECORDED, BadSetup

_SHOWN_BY_CHANCE: Final = frozenset({MOVE, EntryKind.REVEAL_CHOICES})

DEAL_1: Final = Rule(
    RuleId("SHIJI-DEAL-1"),
    "Who deals",
    "the header of the match",
    "In a match whose header has the service deal, nobody else supplies the draws.",
)

TAKEBACK_1: Final = Rule(
    RuleId("SHIJI-TAKEBACK-1"),
    "Who may take back",
    "the header of the match",
    "Entries are taken back only by those whom the header of the match allows to, and by a seat to whom all "
    "others have granted it.",
)


def may_not_deal(header: MatchHeader, actor: Actor) -> Violation | None:
    """Why clients may not append a move of this actor; None if they may."""
    if actor is CHANCE and header.dealer is SERVICE:
        return Violation(DEAL_1, "in this match the service deals and draws by itself")
    return None


def require_known_dealer(header: MatchHeader) -> None:
    """Raises BadSetup if the service would have to deal draws that are not recorded."""
    if header.dealer is SERVICE and header.setup.draws is not RECORDED:
        raise BadSetup("draws", "a match in which the service deals must record its draws")


def may_not_retract(
    header: MatchHeader, actor: Actor, disputes: Disputes, to_sequence: int
) -> Violation | None:
    """Why the actor may not take back to this sequence; None if the actor may."""
    if disputes.may_take_back(actor_number(actor), to_sequence):
        return None
    if header.retract is RetractPolicy.NOBODY:
        return Violation(TAKEBACK_1, "in this match nothing is taken back")
    if actor is ARBITER:
        return None
    if header.retract is RetractPolicy.ARBITER:
        return Violation(TAKEBACK_1, "in this match only the arbiter takes entries back")
    if isinstance(actor, Office) or actor >= len(header.setup.seats):
        return Violation(TAKEBACK_1, "in this match the arbiter and the seats take entries back, nobody else")
    return None


def crosses_draw(header: MatchHeader, actor: Actor, taken_back: Iterable[Entry]) -> Violation | None:
    """Why a seat may not take these entries back: it would choose again, knowing what they showed.

    Records of version 1 may have such retractions from before this rule, so their audits do not ask for it.
    """
    if isinstance(actor, Office) or header.takebacks is TakebackPolicy.PAST_REVEALED:
        return None
    for entry in taken_back:
        if entry.kind in _SHOWN_BY_CHANCE and entry.actor == CHANCE_NUMBER:
            what = "draw" if entry.kind == MOVE else "reveal"
            return Violation(
                TAKEBACK_1,
                f"a seat does not take back past the {what} in entry {entry.sequence}, which has shown "
                "something; the arbiter may",
            )
    return None
