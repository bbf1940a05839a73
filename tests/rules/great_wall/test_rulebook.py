"""Law 9: every rule is named by a check and by a move that breaks it, or says why nothing can."""

import re
from collections.abc import Callable

import pytest
from msgspec import structs

from records.games.citations import rulings_for
from rules.great_wall import pending as p
from rules.great_wall import rulebook
from rules.great_wall.agenda import AGENDA, RULES_OF_MOVES
from rules.great_wall.game import GREAT_WALL
from rules.great_wall.kinds import REED, Clan, Location
from rules.great_wall.pending import Task
from rules.great_wall.rulings import RULINGS
from rules.great_wall.state import State
from rules.kernel.rule import Rule
from rules.kernel.setup import RECORDED
from tests.rules.great_wall.positions import (
    BLUE,
    GREEN,
    C,
    L,
    asking,
    at_location,
    begun,
    broken,
    clerks,
    foremen,
    holding,
    horde,
    on_track,
    settled,
    tactic,
    wall,
)

CHECKED = AGENDA.checked | RULES_OF_MOVES | {rulebook.course.ASK_02}


def rich(state: State) -> State:
    return holding(state, GREEN, "w20s20g20c20")


def poor(state: State, **parts: object) -> State:
    return holding(state, GREEN, "w0s0g0c0", **parts)


def at(place: Location, *tasks: Task, of: Callable[[State], State] = rich) -> State:
    return at_location(of(begun()), place, *tasks)


def outside(state: State, *tasks: Task) -> State:
    return asking(state, *tasks, clan=None)


def order() -> State:
    state = wall(begun(), L, hordes={"h3-l": "1..."}, rest={})
    return asking(state, p.OrderDue(GREEN, (0, 0, 0)), p.Settle(GREEN))


def shooting() -> State:
    return outside(wall(begun(), L, hordes={"h3-l": "x..."}, firing={GREEN: 1}), p.FireDue(GREEN, L, 1))


def losing(chi: int = 0) -> State:
    state = holding(wall(begun(), L, hordes={"h3-l": "11.."}), GREEN, f"w0s0g0c{chi}")
    return outside(state, p.LoseDue(GREEN, L, horde(state, "h3-l")), p.BatchEnd())


def requests(name: str, **parts: object) -> State:
    state = begun(3, coop=True)
    request = state.table.parts.request_names.number_of[name]
    state = structs.replace(state, coop=structs.replace(state.in_coop, requests=(request,)))
    return asking(poor(state, **parts), p.FulfilDue((), ()), p.EndCheck(), p.NextYear(), clan=None)


def placing() -> State:
    return outside(on_track(begun(), (0, GREEN, "drill")), p.PlaceDue(GREEN))


def solo() -> State:
    return begun(1)


BARRACKS = (p.RecruitDue(GREEN, 1), p.Settle(GREEN))
BUILDERS = (p.BuildDue(GREEN, 1, ()), p.Settle(GREEN))
NOT_A_QUESTION_OF_GREEN = asking(begun(), p.ClerksDue(GREEN, Clan(GREEN), 1, ()))

BREAKS: dict[str, tuple[Callable[[], State], str]] = {
    "GW-ASK-02": (lambda: NOT_A_QUESTION_OF_GREEN, "blue done"),
    "GW-ASK-03": (lambda: NOT_A_QUESTION_OF_GREEN, "green take wood"),
    "GW-AUT-01": (lambda: NOT_A_QUESTION_OF_GREEN, "green pick economy"),
    "GW-AUT-02": (
        lambda: outside(on_track(begun(), (0, GREEN, "drill")), p.PlaceDue(GREEN)),
        "green place 0",
    ),
    "GW-CRD-09": (
        lambda: outside(on_track(begun(), (0, GREEN, "drill")), p.PlaceDue(GREEN)),
        "green place 5",
    ),
    "GW-CRD-07": (
        lambda: asking(
            on_track(begun(), (1, GREEN, "betrayal"), (2, BLUE, "economy")),
            p.CopyDue(GREEN, begun().table.parts.script_names.number_of["betrayal.1.else"]),
        ),
        "green copy green",
    ),
    "GW-LOC-03": (
        lambda: asking(clerks(begun(), "embassy:1+academy:1"), p.ActsDue(Clan(GREEN), (), ())),
        "green activate sawmill",
    ),
    "GW-ADV-04": (lambda: asking(clerks(begun(), "quarry:1"), p.AdvanceDue(GREEN)), "green activate sawmill"),
    "GW-2P-10": (
        lambda: asking(clerks(begun(2), "embassy:r+academy:1+builders:1"), p.ActsDue(Clan(GREEN), (), ())),
        "green activate embassy",
    ),
    "GW-CLK-03": (
        lambda: asking(clerks(begun(), "gold-mine:122"), p.ClerksDue(GREEN, Clan(GREEN), 1, ())),
        "green move gold-mine temple",
    ),
    "GW-CLK-04": (
        lambda: asking(clerks(begun(), "gold-mine:222"), p.ClerksDue(GREEN, Clan(GREEN), 1, ())),
        "green move reserve gold-mine",
    ),
    "GW-CLK-05": (lambda: NOT_A_QUESTION_OF_GREEN, "green move quarry temple"),
    "GW-CLK-06": (lambda: NOT_A_QUESTION_OF_GREEN, "green move reserve warehouse"),
    "GW-2P-09": (lambda: asking(begun(2), p.ClerksDue(GREEN, REED, 1, ())), "green reed sawmill quarry"),
    "GW-2P-12": (lambda: NOT_A_QUESTION_OF_GREEN, "green reed sawmill quarry"),
    "GW-2P-17": (
        lambda: at_location(begun(2), Location.EMBASSY, p.DismissDue(GREEN)),
        "green reed dismiss a44",
    ),
    "GW-2P-18": (
        lambda: at_location(begun(2), Location.BUILDERS, p.ReedBarricadeDue(GREEN)),
        "green reed barricade L",
    ),
    "GW-BAR-01": (lambda: NOT_A_QUESTION_OF_GREEN, "green recruit spearman rest L"),
    "GW-BAR-02": (lambda: at(Location.BARRACKS, *BARRACKS, of=poor), "green recruit spearman rest L"),
    "GW-BAR-03": (
        lambda: at_location(rich(begun(2)), Location.BARRACKS, *BARRACKS),
        "green recruit spearman rest L",
    ),
    "GW-ATK-01": (lambda: NOT_A_QUESTION_OF_GREEN, "green shoot L1a1"),
    "GW-ATK-02": (order, "green attack archer L1b1"),
    "GW-ATK-05": (
        lambda: at_location(rich(wall(begun(), L, hordes={"h3-l": "x..."})), Location.BARRACKS, *BARRACKS),
        "green recruit spearman L1a1",
    ),
    "GW-ATK-07": (
        lambda: at_location(rich(wall(begun(), L, hordes={"h3-l": ""})), Location.BARRACKS, *BARRACKS),
        "green recruit horseman L1a1b2",
    ),
    "GW-ATK-08": (shooting, "green shoot L1a1"),
    "GW-CRD-13": (
        lambda: at_location(rich(wall(begun(), L, hordes={"h5-l": ""})), Location.BARRACKS, *BARRACKS),
        "green recruit horseman L1a1b1",
    ),
    "GW-BLD-01": (lambda: NOT_A_QUESTION_OF_GREEN, "green wall L w5"),
    "GW-BLD-02": (lambda: at(Location.BUILDERS, *BUILDERS), "green barricade L w2"),
    "GW-BLD-03": (
        lambda: at_location(rich(wall(begun(), L, level=3)), Location.BUILDERS, *BUILDERS),
        "green wall L w5",
    ),
    "GW-BLD-05": (lambda: at(Location.BUILDERS, *BUILDERS), "green wall L w4"),
    "GW-EMB-01": (lambda: at(Location.EMBASSY, p.HireDue(GREEN, 1), of=poor), "green hire clerk"),
    "GW-EMB-02": (lambda: at(Location.EMBASSY, p.HireDue(GREEN, 1), of=poor), "green hire a04 active"),
    "GW-EMB-03": (lambda: at(Location.EMBASSY, p.HireDue(GREEN, 1)), "green hire a44 active"),
    "GW-EMB-04": (
        lambda: asking(structs.replace(begun(), time=1), p.AdvisorsDue(1)),
        "advisor a04",
    ),
    "GW-LOG-01": (lambda: at(Location.LOGISTICS, p.MarchDue(GREEN, 1)), "green march L L"),
    "GW-LOG-02": (lambda: at(Location.LOGISTICS, p.ShiftDue(GREEN, L, C)), "green lower 1"),
    "GW-PRD-02": (
        lambda: at(Location.SAWMILL, p.UpgradeDue(GREEN, Location.SAWMILL), of=poor),
        "green upgrade sawmill spearman",
    ),
    "GW-PRD-04": (
        lambda: at_location(
            holding(rich(begun()), GREEN, reserve=(0, 1, 0)),
            Location.SAWMILL,
            p.UpgradeDue(GREEN, Location.SAWMILL),
        ),
        "green upgrade sawmill spearman",
    ),
    "GW-PRD-06": (
        lambda: asking(foremen(rich(begun()), GREEN, sawmill=3), p.UpgradesDue(GREEN, 1, ())),
        "green upgrade sawmill",
    ),
    "GW-PRD-07": (
        lambda: at(Location.SAWMILL, p.DonateDue(GREEN, Location.SAWMILL), of=poor),
        "green donate",
    ),
    "GW-PRD-08": (lambda: at(Location.TEMPLE, p.UpgradeDue(GREEN, Location.TEMPLE)), "green donate"),
    "GW-ACA-01": (lambda: at(Location.ACADEMY, p.StudyDue(GREEN, 1)), "green study 2"),
    "GW-TEH-01": (lambda: NOT_A_QUESTION_OF_GREEN, "green rise"),
    "GW-KIL-01": (losing, "green lose s2 save -"),
    "GW-SAV-01": (losing, "green lose - save s1"),
    "GW-SHM-04": (
        lambda: outside(holding(begun(), GREEN, reserve=(1, 0, 0)), p.ShameDue(GREEN)),
        "green shame archer",
    ),
    "GW-SHM-07": (
        lambda: outside(poor(begun(), shamed=(1, 0, 0)), p.CleanseDue(GREEN)),
        "green cleanse spearman",
    ),
    "GW-SUM-04": (
        lambda: outside(
            holding(begun(), GREEN, strategies=(), discarded=begun().table.cards), p.RecoverDue(GREEN)
        ),
        "green honour",
    ),
    "GW-TAC-01": (lambda: NOT_A_QUESTION_OF_GREEN, "green play retreat"),
    "GW-TAC-02": (
        lambda: at_location(
            poor(begun(), tactics=(tactic(begun(), "ceremony"),)), Location.ACADEMY, p.StudyDue(GREEN, 1)
        ),
        "green play ceremony boosted",
    ),
    "GW-CRD-11": (
        lambda: asking(holding(begun(), GREEN, tactics=(tactic(begun(), "harvest"),) * 6), p.LimitDue(GREEN)),
        "green discard retreat",
    ),
    "GW-CRD-12": (
        lambda: asking(
            holding(begun(draws=RECORDED), GREEN, tactics=(tactic(begun(), "harvest"),) * 2),
            p.DrawDue(GREEN, 1),
        ),
        "draw harvest",
    ),
    "GW-CRD-15": (lambda: outside(_only_hordes_of(begun(), "l"), p.TopDue()), "top right"),
    "GW-INV-03": (lambda: outside(structs.replace(begun(), top=L), p.HordesDue(1)), "horde h8-r left"),
    "GW-SET-10": (lambda: outside(begun(draws=RECORDED), p.DealDue(GREEN)), "deal green song-ci general-02"),
    "GW-SET-11": (lambda: outside(begun(draws=RECORDED), p.AdviseDue(GREEN)), "advise green a01 a02"),
    "GW-SET-12": (
        lambda: asking(begun(), p.OpenGeneralDue(GREEN), clan=None),
        "green general song-ci",
    ),
    "GW-SET-13": (lambda: asking(begun(), p.AdvisorsDue(1), p.Autumn(), clan=None), "advisor a04"),
    "GW-SOL-07": (lambda: outside(solo(), p.QinTrackDue()), "track wood wood gold chi wound"),
    "GW-SOL-18": (
        lambda: outside(
            structs.replace(solo(), qin=structs.replace(solo().of_qin, played=(solo().table.cards[2],))),
            p.SoloDue(),
        ),
        "solo economy",
    ),
    "GW-SOL-27": (lambda: outside(solo(), p.EnlistDue()), "green enlist a44"),
    "GW-COP-02": (lambda: outside(begun(3, coop=True), p.RequestsDue(1)), "request warriors-for-the-guard"),
    "GW-COP-08": (lambda: NOT_A_QUESTION_OF_GREEN, "green fulfil request-05"),
    "GW-COP-09": (lambda: requests("request-10"), "green fulfil request-10"),
    "GW-COP-12": (lambda: outside(_revealed("event-01"), p.EventDue()), "event event-01"),
    "GW-COP-15": (lambda: outside(begun(3, coop=True), p.ShameDue(GREEN)), "green shame k1-l"),
    "GW-COP-16": (lambda: outside(poor(begun(3, coop=True), honour=9), p.ShameDue(GREEN)), "green shed"),
    "GW-COP-17": (
        lambda: asking(begun(3, coop=True), p.ClerksDue(GREEN, Clan(GREEN), 1, ())),
        "green recover",
    ),
    "GW-COP-18": (
        lambda: asking(
            holding(begun(3, coop=True), GREEN, discarded=begun().table.cards[:1]), p.AgainDue(GREEN)
        ),
        "green recover drill",
    ),
}
"""By rule: a move that breaks it and no other."""


def _only_hordes_of(state: State, back: str) -> State:
    """All but the hordes with one back lie in the discard."""
    names = state.table.parts.horde_names.number_of
    gone = tuple(number for name, number in names.items() if not name.endswith(back))
    return structs.replace(state, hordes=structs.replace(state.hordes, discard=gone))


def _revealed(name: str) -> State:
    state = begun(3, coop=True)
    event = state.table.parts.event_names.number_of[name]
    return structs.replace(state, coop=structs.replace(state.in_coop, events=(event,)))


@pytest.mark.parametrize("rule", rulebook.RULES, ids=lambda rule: rule.id)
def test_law_9_a_rule_has_a_check_and_a_move_that_breaks_it_or_says_why_not(rule: Rule) -> None:
    if rule.unchecked:
        assert rule not in CHECKED
        assert rule.id not in BREAKS
    elif rule.id in TOGETHER:
        assert rule in CHECKED
    else:
        position, text = BREAKS[rule.id]

        assert rule in CHECKED
        assert broken(position(), text) == [rule.id]


TOGETHER = {"GW-ATK-03"}
"""Broken only beside GW-ATK-02: see the test below."""


def test_a_soldier_on_a_horde_cannot_attack_again_and_none_rests_there() -> None:
    assert broken(order(), "green attack spearman L1b1") == ["GW-ATK-02", "GW-ATK-03"]


def test_law_9_every_rule_that_is_checked_is_in_the_rulebook() -> None:
    assert set(rulebook.RULES) >= CHECKED


def test_every_ambiguity_of_the_digest_is_a_ruling() -> None:
    numbers = [found for ruling in RULINGS for found in re.findall(r"AMB-\d+", ruling.ambiguity)]

    assert sorted(numbers) == [f"AMB-{number:02}" for number in range(1, 69)]


def test_every_ruling_bears_on_a_rule_and_reasons_name_rules_of_the_game() -> None:
    ids = {rule.id for rule in rulebook.RULES}
    bearing = {ruling.ruling for rule in rulebook.RULES for ruling in rulings_for(GREAT_WALL.about, rule)}

    assert bearing == set(RULINGS)
    assert [
        name
        for rule in rulebook.RULES
        for name in re.findall(r"GW-\w+-\d+", rule.unchecked)
        if name not in ids
    ] == []


def test_those_that_can_be_played_both_ways_are_switchable() -> None:
    assert {ruling.name: ruling.offered for ruling in RULINGS if ruling.switchable} == {
        "reed-counts": ("no", "yes"),
        "strategy-spaces": ("four", "players"),
        "double-build": ("yes", "no"),
        "pool-empty": ("at-check", "latched"),
        "qin-order": ("lowest", "highest"),
        "qin-fill": ("columns", "rows"),
        "coop-pool": ("loss", "on"),
        "coop-claim": ("nothing", "reward"),
    }


def test_a_seat_is_never_asked_or_passed_over_because_of_what_it_hides() -> None:
    """GW-ASK-01: rich or poor, with or without tactics, the same seats are asked the same questions."""
    for tasks in ((p.RecruitDue(GREEN, 1),), (p.BuildDue(GREEN, 1, ()),), (p.HireDue(GREEN, 1),)):
        for of in (rich, poor):
            state = settled(at_location(of(begun()), Location.BARRACKS, *tasks))
            assert GREAT_WALL.awaiting(state) == (GREEN,)
