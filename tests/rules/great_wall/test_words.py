"""What is said of events, questions and refusals: by which rule, and of whom, how many and where."""

import pytest
from msgspec import structs

from rules.great_wall import events as e
from rules.great_wall import pending as p
from rules.great_wall.choice_words import gives_in_words
from rules.great_wall.game import GREAT_WALL
from rules.great_wall.kinds import (
    QIN,
    REED,
    SEALED,
    Advisor,
    Cause,
    Cell,
    Clan,
    Ending,
    General,
    Horde,
    Kind,
    Location,
    Occasion,
    Request,
    Resource,
    Role,
    Script,
    Section,
    Strategy,
    Tactic,
)
from rules.great_wall.moves import ChooseActive, ChooseGeneral, Done, Fulfil, HireAdvisor, Move
from rules.great_wall.parts import GeneralCard
from rules.great_wall.rulebook import COOP_1, GREAT_WALL_1
from rules.great_wall.state import State
from rules.great_wall.words import caution, describe, turn
from rules.kernel.edition import EditionKey
from rules.kernel.text import listed
from tests.rules.great_wall.positions import GREEN, SET, L, asking, at_location, begun, wall, why
from tests.rules.great_wall.test_rulebook import BREAKS, BUILDERS, rich

OF_GREEN = Clan(0)


def test_a_choice_of_a_general_says_who_it_is_what_it_gives_and_what_it_starts_with() -> None:
    text = GREAT_WALL.display.explain(begun(), ChooseGeneral(General(0)))

    assert text == (
        "Song Ci gives 2 honour per assistant for each foreman upgraded "
        "and starts with 4 wood, 4 stone, 4 gold, 4 chi, 2 tactics and tea value 32"
    )


def test_a_choice_of_an_advisor_or_a_request_says_what_the_card_does() -> None:
    def text(move: Move) -> str:
        return GREAT_WALL.display.explain(begun(3, coop=True), move)

    assert text(ChooseActive(Advisor(6))) == "gives 1 chi for each donation while active"
    assert text(HireAdvisor(Advisor(6), Role.ASSISTANT)) == text(ChooseActive(Advisor(6)))
    assert text(Fulfil(Request(0))).startswith(("every player gives", "one player gives", "there must be"))


def test_a_sealed_choice_and_a_move_without_a_card_say_nothing() -> None:
    for move in (ChooseGeneral(SEALED), ChooseActive(SEALED), Done()):
        assert GREAT_WALL.display.explain(begun(), move) == ""


def test_every_occasion_of_a_general_has_words() -> None:
    parts = begun(3, coop=True).table.parts

    assert all(gives_in_words(GeneralCard(occasion, parts.generals[0].rewards)) for occasion in Occasion)


def test_generals_that_are_dealt_and_revealed_have_names_and_say_what_they_give() -> None:
    state, song_ci = begun(), "Song Ci (2 honour per assistant for each foreman upgraded)"
    dealt = describe(state, e.GeneralsDealt(GREEN, (General(0), General(1)))).text

    assert dealt == f"green was dealt {song_ci} and General 02 (1 chi per assistant for each tactic played)"
    assert describe(state, e.GeneralRevealed(GREEN, General(0))).text == f"green has the general {song_ci}"
    assert describe(state, e.GeneralsDealt(GREEN, (None, None))).text == "green was dealt generals"
    advisors = describe(state, e.AdvisorsRevealed(GREEN, Advisor(6), None)).text
    assert advisors == "green has a07 (1 chi for each donation) as active advisor"


def rules_of(event: e.Event, ask: p.Task | None = None, *, coop: bool = False) -> list[str]:
    """The rules that the account of an event cites, while a question is open."""
    state = begun(3, coop=coop)
    state = state if ask is None else structs.replace(state, ask=ask)
    return [rule.id for rule in describe(state, event).rules]


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

    assert [cited.id for cited in describe(state, won).rules] == [rule]
    assert describe(state, won).text.endswith(f": {listed(state.table.names)} won")
    assert describe(state, lost).text.endswith(": nobody won")


@pytest.mark.parametrize(
    ("season", "rule"),
    [
        (e.Season.SPRING, "GW-SPR-01"),
        (e.Season.SUMMER, "GW-SUM-01"),
        (e.Season.AUTUMN, "GW-AUT-01"),
        (e.Season.WINTER, "GW-WIN-01"),
    ],
)
def test_a_season_begins_by_its_own_first_rule(season: e.Season, rule: str) -> None:
    assert rules_of(e.SeasonBegan(season)) == [rule]


def rule_of(state: State, event: e.Event, *agenda: p.Task) -> str:
    """The rule that the account of an event cites, in a state in which these tasks are pending."""
    if agenda:
        state = structs.replace(state, ask=agenda[0], then=agenda[1:])
    return ", ".join(rule.id for rule in describe(state, event).rules)


A07, TURN = e.AdvisorLaid(Advisor(6)), p.TurnOver(OF_GREEN)


@pytest.mark.parametrize(
    ("agenda", "rule"),
    [
        ((p.AdvisorsDue(4), p.DrawDue(GREEN, 2), p.Autumn(), p.Winter(), p.YearEnd()), "GW-SET-13"),
        ((p.AdvisorsDue(2), p.Summer(), p.Autumn(), p.Winter(), p.YearEnd()), "GW-SPR-03"),
        ((p.AdvisorsDue(1), p.Home(Location.EMBASSY, advanced=False), TURN, p.Winter()), "GW-EMB-04"),
    ],
)
def test_an_advisor_is_laid_at_the_set_up_in_spring_or_after_a_hire(
    agenda: tuple[p.Task, ...], rule: str
) -> None:
    assert rule_of(begun(), A07, *agenda) == rule


def test_a_horde_is_placed_at_the_set_up_before_an_empty_section_or_where_the_indicator_points() -> None:
    placed, set_up = e.HordePlaced(Horde(23), Section.LEFT), (p.HordesDue(1), p.SetOut())
    bare = structs.replace(begun(), left=structs.replace(begun().section(Section.LEFT), hordes=()))

    assert rule_of(bare, placed, p.HordesDue(1)) == "GW-INV-02"
    assert rule_of(begun(), placed, p.HordesDue(1)) == "GW-INV-03"
    assert rule_of(begun(4), placed, *set_up) == "GW-SET-07"
    assert rule_of(begun(2), placed, *set_up) == "GW-2P-03"
    assert rule_of(begun(3, coop=True), placed, *set_up) == "GW-COP-03"


@pytest.mark.parametrize(
    ("clan", "ask", "rule"),
    [
        (OF_GREEN, p.RiseDue(GREEN, alone=False), "GW-TEH-01"),
        (OF_GREEN, p.RiseDue(GREEN, alone=True), "GW-TEH-03"),
        (REED, p.ReedAt(Location.TEA_HOUSE), "GW-2P-21"),
        (OF_GREEN, p.Do(OF_GREEN, Script(0), 0), "GW-TEA-04"),
    ],
)
def test_a_marker_rises_in_the_tea_house_alone_there_or_by_a_card(clan: Clan, ask: p.Task, rule: str) -> None:
    assert rule_of(begun(2), e.TeaRose(clan, 1), ask) == rule


SPOT = Cell(0)
L1 = (Section.LEFT, 1, (SPOT,))
SPEARMAN = (1, 0, 0)


@pytest.mark.parametrize(
    ("event", "agenda", "rule"),
    [
        (e.ClerkMoved(OF_GREEN, None, Location.TEMPLE), (), "GW-CLK-02"),
        (e.ClerkMoved(REED, Location.QUARRY, Location.TEMPLE), (), "GW-2P-13"),
        (e.ClerkMoved(QIN, None, Location.TEMPLE), (), "GW-SOL-22"),
        (e.LocationActivated(Location.TEMPLE, advanced=False), (), "GW-LOC-03"),
        (e.LocationActivated(Location.TEMPLE, advanced=True), (), "GW-ADV-02"),
        (e.Donated(OF_GREEN, Resource.WOOD), (), "GW-PRD-07"),
        (e.Donated(REED, Resource.WOOD), (), "GW-2P-15"),
        (e.Covered(OF_GREEN, Kind.SPEARMAN, *L1), (), "GW-ATK-05"),
        (e.Covered(OF_GREEN, Kind.HORSEMAN, *L1), (), "GW-ATK-07"),
        (e.Covered(REED, Kind.SPEARMAN, *L1), (), "GW-2P-19"),
        (e.Covered(QIN, Kind.SPEARMAN, *L1), (), "GW-SOL-26"),
        (e.ArcherPosted(OF_GREEN, Section.LEFT), (), "GW-ATK-08"),
        (e.ArcherPosted(QIN, Section.LEFT), (), "GW-SOL-26"),
        (e.Wounded(OF_GREEN, Section.LEFT, 1, SPOT), (), "GW-ATK-08"),
        (e.Wounded(QIN, Section.LEFT, 1, SPOT), (), "GW-SOL-26"),
        (e.Wounded(OF_GREEN, Section.LEFT, 1, SPOT), (p.WoundsDue(GREEN, 1, 1), TURN), "GW-CRD-07"),
        (e.BarricadeBuilt(OF_GREEN, Section.LEFT), (), "GW-BLD-02"),
        (e.BarricadeBuilt(REED, Section.LEFT), (), "GW-2P-18"),
        (e.WallBuilt(OF_GREEN, Section.LEFT), (), "GW-BLD-03"),
        (e.WallBuilt(QIN, Section.LEFT), (), "GW-SOL-16"),
        (
            e.SoldiersLost(OF_GREEN, Section.LEFT, Horde(0), SPEARMAN, SPEARMAN),
            (p.LoseDue(GREEN, Section.LEFT, Horde(0)), p.Claim(Section.LEFT, Horde(0), None)),
            "GW-KIL-01",
        ),
        (
            e.SoldiersLost(OF_GREEN, Section.LEFT, Horde(0), SPEARMAN, SPEARMAN),
            (p.LoseDue(GREEN, Section.LEFT, Horde(0)), p.BatchEnd()),
            "GW-BRE-02",
        ),
        (e.SoldiersLost(OF_GREEN, Section.LEFT, None, SPEARMAN, SPEARMAN), (p.BatchEnd(),), "GW-BRE-04"),
        (e.HordeDiscarded(Section.LEFT, Horde(0)), (p.Claim(Section.LEFT, Horde(0), None),), "GW-DEF-08"),
        (e.HordeDiscarded(Section.LEFT, Horde(0)), (p.Claim(Section.LEFT, Horde(0), REED),), "GW-2P-22"),
        (e.ShameGained(GREEN), (p.TakeShame(GREEN, 1), p.Kill(Section.LEFT, None)), "GW-SHM-01"),
        (e.ShameGained(GREEN), (p.TakeShame(GREEN, 1), TURN), "GW-SHM-02"),
        (e.ShameGained(GREEN), (p.TakeShame(GREEN, 1), p.RequestsDue(1), p.EventDue()), "GW-COP-11"),
        (e.ShameGained(GREEN), (p.TakeShame(GREEN, 1), p.Spring()), "GW-COP-12"),
        (e.ShameReturned(GREEN, Kind.SPEARMAN), (p.CleanseDue(GREEN),), "GW-SHM-07"),
        (e.ShameReturned(GREEN, Kind.SPEARMAN), (p.AbsolveDue(GREEN), TURN), "GW-2P-16"),
        (e.ShameReturned(GREEN, Kind.SPEARMAN), (p.FreesDue(GREEN, 1), TURN), "GW-CRD-07"),
        (e.TacticDrawn(GREEN, None), (p.DrawDue(GREEN, 1), p.Autumn()), "GW-SET-15"),
        (e.TacticDrawn(GREEN, None), (p.DrawDue(GREEN, 1), p.StartActs(OF_GREEN), TURN), "GW-CRD-07"),
        (
            e.TacticDrawn(GREEN, None),
            (p.DrawDue(GREEN, 1), p.Home(Location.ACADEMY, advanced=False), TURN),
            "GW-ACA-01",
        ),
        (
            e.TacticDrawn(GREEN, None),
            (p.DrawDue(GREEN, 1), p.TacticEnd(GREEN, Tactic(0)), p.Home(Location.ACADEMY, advanced=False)),
            "GW-TAC-02",
        ),
        (e.TacticDrawn(GREEN, None), (p.DrawDue(GREEN, 1), p.Spring(), p.Summer(), p.Autumn()), "GW-COP-12"),
        (e.RequestLaid(Request(0)), (p.RequestsDue(1), p.SetOut()), "GW-COP-02"),
        (e.RequestLaid(Request(0)), (p.RequestsDue(1), p.EventDue()), "GW-COP-11"),
        (e.StrategyPlaced(OF_GREEN, Strategy(0), 1), (), "GW-AUT-02"),
        (e.StrategyPlaced(REED, Strategy(0), 1), (), "GW-2P-11"),
        (e.StrategyPlaced(QIN, Strategy(0), 1), (), "GW-SOL-18"),
        (e.DeckReshuffled(e.Deck.TACTICS), (), "GW-CRD-12"),
        (e.DeckReshuffled(e.Deck.HORDES), (), "GW-INV-01"),
        (e.HonourGained(OF_GREEN, 1, Cause.CARD), (p.Do(OF_GREEN, Script(0), 0), TURN), "GW-CRD-07"),
        (e.HonourGained(OF_GREEN, 1, Cause.CARD), (p.Do(OF_GREEN, Script(0), 0),), "GW-COP-12"),
        (e.HonourGained(QIN, 60, Cause.ARTEFACT), (p.EndCheck(),), "GW-SOL-17"),
        (e.Declined(GREEN), (p.RecruitDue(GREEN, 1),), "GW-LOC-06"),
        (e.Declined(GREEN), (p.ClerksDue(GREEN, OF_GREEN, 1, ()),), "GW-CLK-05"),
    ],
)
def test_an_event_cites_the_rule_of_its_case(event: e.Event, agenda: tuple[p.Task, ...], rule: str) -> None:
    """Who it is about and what is pending decide; the state is of a solo match, where all clans play."""
    assert rule_of(begun(1), event, *agenda) == rule


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (e.Paid(GREEN, (2, 0, 1, 3)), "green paid 2 wood, 1 gold and 3 chi"),
        (e.WarehouseUsed((0, 3, 0)), "3 stone came from the warehouse"),
        (e.IncomePaid(GREEN, (1, 0, 0, 0)), "green had an income of 1 wood"),
        (e.StartTaken(GREEN, (4, 4, 4, 4)), "green started with 4 wood, 4 stone, 4 gold and 4 chi"),
        (
            e.SoldiersLost(OF_GREEN, Section.LEFT, Horde(0), (2, 0, 0), (0, 0, 1)),
            "green lost 2 spearmen and saved 1 horseman on h1-l",
        ),
        (
            e.SoldiersLost(OF_GREEN, Section.LEFT, None, (0, 1, 0), (0, 0, 0)),
            "green lost 1 archer and saved nobody in the slots of L",
        ),
        (e.SacrificeMade(GREEN, (1, 1, 0)), "green sacrificed 1 spearman and 1 archer"),
    ],
)
def test_amounts_and_soldiers_are_told_in_words(event: e.Event, text: str) -> None:
    assert describe(begun(), event).text == text


def test_events_of_an_impossible_record_still_have_words() -> None:
    assert rules_of(e.Paid(GREEN, (1, 0, 0, 0)), p.Winter())
    assert rules_of(e.Gained(GREEN, Resource.WOOD, 1, Cause.REQUEST))
    assert rules_of(e.HonourGained(QIN, 1, Cause.SHAME))


def test_who_moves_the_clerks_of_reed_is_asked_for_those() -> None:
    own = asking(begun(2), p.ClerksDue(GREEN, Clan(0), 1, ()))
    reed = asking(begun(2), p.ClerksDue(GREEN, REED, 1, ()))

    assert turn(own).endswith("green is asked to move clerks")
    assert turn(reed).endswith("green is asked to move Reed's clerks")


@pytest.mark.parametrize(
    ("ask", "text"),
    [
        (p.UpgradeDue(GREEN, Location.SAWMILL), "green is asked to upgrade a foreman at the sawmill"),
        (p.DonateDue(GREEN, Location.QUARRY), "green is asked to donate at the quarry"),
        (p.ShiftDue(GREEN, Section.CENTRE, Section.RIGHT), "green is asked to move soldiers from C to R"),
        (
            p.LoseDue(GREEN, Section.LEFT, None),
            "green is asked to name the dead and the saved in the slots of L",
        ),
        (
            p.LoseDue(GREEN, Section.LEFT, Horde(0)),
            "green is asked to name the dead and the saved on k1-l at L",
        ),
        (p.FireDue(GREEN, Section.LEFT, 1), "green is asked to fire at L"),
        (
            p.AgreeDue(Request(4), (), (), ()),
            "green, blue and red are asked to agree to a request that everybody pays for: request-05",
        ),
    ],
)
def test_a_question_says_what_it_is_about(ask: p.Task, text: str) -> None:
    assert turn(structs.replace(begun(3, coop=True), ask=ask)).endswith(f": {text}")


def test_a_picture_says_that_the_set_is_invented() -> None:
    assert SET in caution(begun())


REASONS = {
    "GW-ADV-04": "green has no clerk at the sawmill",
    "GW-ATK-05": "L1a1 is not empty",
    "GW-ATK-07": "a1 and b2 of L1 are not side by side",
    "GW-BAR-02": "it costs 1 wood (green has 0), 2 stone (green has 0)",
    "GW-BLD-05": "the warehouse holds nothing, so green adds 5, not 4",
    "GW-COP-09": "it costs 2 wood (green has 0), 4 gold (green has 0)",
    "GW-COP-16": "shedding costs 10 honour (green has 9)",
    "GW-COP-18": "green has no drill in the discard",
    "GW-CRD-11": "green does not hold retreat",
    "GW-CRD-12": "every copy of harvest has been seen",
    "GW-EMB-03": "a44 is not on the advisor track",
    "GW-INV-03": "the back of h8-r shows right, and left lay on top",
    "GW-LOC-03": "0 of 5 slots of the sawmill are filled",
    "GW-LOG-02": "green has no archer in the slots of L; those that rest stay so",
    "GW-PRD-04": "green has no usable spearman in reserve",
    "GW-PRD-07": "green holds no wood",
    "GW-SET-12": "song-ci is taken",
    "GW-SHM-04": "green has no archer without a token in reserve",
    "GW-SOL-27": "a02 or a03 goes to Qin: they are the two leftmost advisors",
}
"""By rule: the reason that a player gets."""


@pytest.mark.parametrize(("rule", "reason"), REASONS.items())
def test_a_refusal_names_whom_how_many_or_where(rule: str, reason: str) -> None:
    position, text = BREAKS[rule]

    assert why(position(), text) == reason


@pytest.mark.parametrize(
    ("ware", "text", "reason"),
    [
        ((0, 3, 0), "green wall L s5", "the warehouse holds 3 stone, so green adds 2, not 5"),
        (
            (4, 2, 0),
            "green wall L w3",
            "the warehouse holds 4 wood and 2 stone, so all 5 are taken from there, not 3",
        ),
        ((4, 2, 0), "green wall L w2s3", "the warehouse holds 4 wood and 2 stone, and no more"),
        ((0, 0, 0), "green barricade L", "it costs 2, and no payment is named"),
    ],
)
def test_a_wrong_payment_is_explained_by_what_the_warehouse_holds(
    ware: tuple[int, int, int], text: str, reason: str
) -> None:
    state = at_location(wall(rich(begun()), L, barricades=0), Location.BUILDERS, *BUILDERS)

    assert why(structs.replace(state, ware=ware), text) == reason
