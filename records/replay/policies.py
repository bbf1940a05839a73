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
    "In a match whose header has the service deal, nobody else tells what chance brings.",
)

TAKEBACK_1: Final = Rule(
    RuleId("SHIJI-TAKEBACK-1"),
    "Who may take back",
    "the header of the match",
    "Entries are taken back only by those whom the header of the match allows to, and by a seat to whom all "
    "others have granted it.",
)
"""The one rule that is the record's own and no game's."""


def may_not_deal(header: MatchHeader, actor: Actor) -> Violation | None:
    """Why the actor may not append a move of his own accord; None where the rules of the game decide."""
    if actor is CHANCE and header.dealer is SERVICE:
        return Violation(DEAL_1, "in this match the service deals and draws by itself")
    return None


def require_known_dealer(header: MatchHeader) -> None:
    """BadSetup where the service would deal what nobody records."""
    if header.dealer is SERVICE and header.setup.draws is not RECORDED:
        raise BadSetup("draws", "where the service deals, draws are recorded")


def may_not_retract(
    header: MatchHeader, actor: Actor, disputes: Disputes, to_sequence: int
) -> Violation | None:
    """Why the actor may not go back so far in this match; None where he may."""
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
