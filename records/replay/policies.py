"""What the header of a match allows: who deals, and who takes entries back."""

from typing import Final

from records.entry import SERVICE, MatchHeader, RetractPolicy, actor_number
from records.replay.disputes import Disputes
from rules.kernel.actors import ARBITER, CHANCE, Actor, Office
from rules.kernel.rule import Rule, RuleId, Violation
from rules.kernel.setup import RECORDED, BadSetup

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
