"""Who may take entries of a record back."""

from typing import Final

from records.entry import MatchHeader, RetractPolicy, actor_number
from records.replay.disputes import Disputes
from rules.kernel.actors import ARBITER, Actor, Office
from rules.kernel.rule import Rule, RuleId, Violation

TAKEBACK_1: Final = Rule(
    RuleId("SHIJI-TAKEBACK-1"),
    "Who may take back",
    "the header of the match",
    "Entries are taken back only by those whom the header of the match allows to, and by a seat to whom all "
    "others have granted it.",
)
"""The one rule that is the record's own and no game's."""


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
