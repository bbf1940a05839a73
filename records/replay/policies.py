"""Who tells what chance brings."""

from typing import Final

from records.entry import SERVICE, MatchHeader
from rules.kernel.actors import CHANCE, Actor
from rules.kernel.rule import Rule, RuleId, Violation
from rules.kernel.setup import RECORDED, BadSetup

DEAL_1: Final = Rule(
    RuleId("SHIJI-DEAL-1"),
    "Who deals",
    "the header of the match",
    "In a match whose header has the service deal, nobody else tells what chance brings.",
)


def may_not_deal(header: MatchHeader, actor: Actor) -> Violation | None:
    """Why the actor may not append a move of his own accord; None where the rules of the game decide."""
    if actor is CHANCE and header.dealer is SERVICE:
        return Violation(DEAL_1, "in this match the service deals and draws by itself")
    return None


def require_known_dealer(header: MatchHeader) -> None:
    """BadSetup where the service would deal what nobody records."""
    if header.dealer is SERVICE and header.setup.draws is not RECORDED:
        raise BadSetup("draws", "where the service deals, draws are recorded")
