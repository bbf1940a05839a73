"""What is said of events: by which rule honour and resources came and went, and what is asked of whom."""

import pytest
from msgspec import structs

from rules.great_wall import events as e
from rules.great_wall import pending as p
from rules.great_wall.kinds import QIN, REED, Cause, Clan, Ending, Resource
from rules.great_wall.rulebook import COOP_1, GREAT_WALL_1
from rules.great_wall.words import caution, tell, turn
from rules.kernel.edition import EditionKey
from rules.kernel.text import listed
from tests.rules.great_wall.positions import GREEN, SET, asking, begun

OF_GREEN = Clan(0)


def rules_of(event: e.Event, ask: p.Task | None = None, *, coop: bool = False) -> list[str]:
    """The rules that the account of an event cites, while a question is open."""
    state = begun(3, coop=coop)
    state = state if ask is None else structs.replace(state, ask=ask)
    return [rule.id for rule in tell(state, event).rules]


@pytest.mark.parametrize(
    ("cause", "n", "rule"),
    [
        (Cause.DONATION, 2, "GW-PRD-07"),
        (Cause.BUILDING, 2, "GW-BLD-02"),
        (Cause.BUILDING, 15, "GW-BLD-03"),
        (Cause.SOLDIERS, 2, "GW-DEF-02"),
        (Cause.ARCHERS, 4, "GW-DEF-03"),
        (Cause.SUMMER, 6, "GW-SUM-04"),
        (Cause.OCCASION, 6, "GW-CRD-02"),
        (Cause.HORDE, 10, "GW-SCO-02"),
        (Cause.ARTEFACT, 9, "GW-SCO-03"),
    ],
)
def test_honour_is_gained_by_the_rule_of_its_source(cause: Cause, n: int, rule: str) -> None:
    assert rules_of(e.HonourGained(OF_GREEN, n, cause)) == [rule]


def test_a_claimed_horde_that_pays_in_co_op_cites_its_own_rule() -> None:
    assert rules_of(e.HonourGained(OF_GREEN, 10, Cause.HORDE), coop=True) == ["GW-DEF-10"]


@pytest.mark.parametrize(
    ("ask", "n", "rule"),
    [
        (p.TakeShame(GREEN, 1), 5, "GW-SHM-06"),
        (p.ShameDue(GREEN), 5, "GW-SHM-05"),
        (p.ShameDue(GREEN), 10, "GW-COP-16"),
        (p.CleanseDue(GREEN), 10, "GW-COP-16"),
        (p.EndCheck(), 25, "GW-SCO-01"),
    ],
)
def test_honour_is_lost_by_the_rule_of_the_moment(ask: p.Task, n: int, rule: str) -> None:
    assert rules_of(e.HonourLost(OF_GREEN, n, Cause.SHAME), ask) == [rule]


@pytest.mark.parametrize(
    ("ask", "paid", "rule"),
    [
        (p.RecruitDue(GREEN, 1), (1, 2, 0, 0), "GW-BAR-02"),
        (p.HireDue(GREEN, 1), (0, 0, 2, 0), "GW-EMB-01"),
        (p.HireDue(GREEN, 1), (0, 0, 3, 0), "GW-EMB-02"),
        (p.CleanseDue(GREEN), (0, 0, 0, 2), "GW-SHM-07"),
    ],
)
def test_a_payment_cites_what_it_was_paid_for(
    ask: p.Task, paid: tuple[int, int, int, int], rule: str
) -> None:
    assert rules_of(e.Paid(GREEN, paid), ask) == [rule]


@pytest.mark.parametrize(
    ("edition", "seats", "cause", "rule"),
    [
        (GREAT_WALL_1, 3, Ending.WALLS, "GW-END-02"),
        (GREAT_WALL_1, 1, Ending.POOL, "GW-SOL-29"),
        (GREAT_WALL_1, 1, Ending.TIME, "GW-END-02"),
        (COOP_1, 3, Ending.REQUESTS, "GW-COP-21"),
        (COOP_1, 3, Ending.SHAME, "GW-COP-22"),
        (COOP_1, 3, Ending.POOL, "GW-COP-23"),
    ],
)
def test_the_end_names_who_won_and_the_rule_that_ended_it(
    edition: EditionKey, seats: int, cause: Ending, rule: str
) -> None:
    state = begun(seats, coop=edition == COOP_1)
    won, lost = e.MatchEnded(cause, state.table.seats), e.MatchEnded(cause, ())

    assert [cited.id for cited in tell(state, won).rules] == [rule]
    assert tell(state, won).text.endswith(f": {listed(state.table.names)} won")
    assert tell(state, lost).text.endswith(": nobody won")


def test_events_of_an_impossible_record_still_have_words() -> None:
    assert rules_of(e.Paid(GREEN, (1, 0, 0, 0)), p.Winter())
    assert rules_of(e.Gained(GREEN, Resource.WOOD, 1, Cause.REQUEST))
    assert rules_of(e.HonourGained(QIN, 1, Cause.SHAME))


def test_who_moves_the_clerks_of_reed_is_asked_for_those() -> None:
    own = asking(begun(2), p.ClerksDue(GREEN, Clan(0), 1, ()))
    reed = asking(begun(2), p.ClerksDue(GREEN, REED, 1, ()))

    assert turn(own).endswith("green is asked to move clerks")
    assert turn(reed).endswith("green is asked to move Reed's clerks")


def test_a_picture_says_that_the_set_is_invented() -> None:
    assert SET in caution(begun())
