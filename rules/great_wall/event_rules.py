"""By which rule an event happened, where that depends on the state before it."""

from typing import Final

from rules.great_wall import events as e
from rules.great_wall import pending as p
from rules.great_wall.kinds import QIN, REED, Cause, Clan, Ending, Kind
from rules.great_wall.rulebook import (
    cards,
    clerks,
    coop,
    course,
    places,
    reed,
    setting_up,
    shame,
    solo,
    wall,
)
from rules.great_wall.state import State
from rules.great_wall.tasks.shame import SHEDDING
from rules.great_wall.turns import active
from rules.kernel.rule import Rule


def _waits(state: State, *kinds: type[p.Task]) -> bool:
    """Whether a task of one of these kinds is pending."""
    return any(isinstance(task, kinds) for task in state.agenda)


def _of_clan(clan: Clan, of_seats: Rule, of_reed: Rule, of_qin: Rule) -> Rule:
    return {REED: of_reed, QIN: of_qin}.get(clan, of_seats)


def _card_rule(state: State) -> Rule:
    """Of what a card does: a tactic, a strategy on its turn, or an event of co-op."""
    if _waits(state, p.TacticEnd):
        return cards.TAC_02
    return coop.COP_12 if active(state) is None else cards.CRD_07


# Chance and the course of the year.


def request_rule(state: State, _: e.RequestLaid) -> Rule:
    """The first ones, and those that fill empty places."""
    return coop.COP_02 if _waits(state, p.SetOut) else coop.COP_11


def advisor_rule(state: State, _: e.AdvisorLaid) -> Rule:
    """At the set-up, in Spring, or in the embassy."""
    if _waits(state, p.Summer):
        return course.SPR_03
    return setting_up.SET_13 if _waits(state, p.Autumn) else places.EMB_04


_SHUFFLED: Final = {
    e.Deck.HORDES: wall.INV_01,
    e.Deck.ADVISORS: places.EMB_04,
    e.Deck.TACTICS: cards.CRD_12,
    e.Deck.SOLO: solo.SOL_18,
}


def shuffling_rule(_: State, event: e.DeckReshuffled) -> Rule:
    """By the deck; the rulebook has a rule of its own for tactics alone (AMB-39)."""
    return _SHUFFLED[event.deck]


def horde_rule(state: State, event: e.HordePlaced) -> Rule:
    """At the set-up, before an empty section, or where the indicator points."""
    if _waits(state, p.SetOut):
        if state.table.coop:
            return coop.COP_03
        return reed.TWO_03 if state.table.has_reed else setting_up.SET_07
    return wall.INV_03 if state.section(event.section).hordes else wall.INV_02


def drawing_rule(state: State, _: e.TacticDrawn) -> Rule:
    """At the set-up, by a card, or in the academy."""
    for task in state.agenda:
        match task:
            case p.Home():
                return places.ACA_01
            case p.TacticEnd() | p.StartActs():
                break
            case p.Summer():
                break
            case p.Autumn():
                return setting_up.SET_15
            case _:
                continue
    return _card_rule(state)


def placing_rule(_: State, event: e.StrategyPlaced) -> Rule:
    """Reed and Qin take the first free space."""
    return _of_clan(event.clan, course.AUT_02, reed.TWO_11, solo.SOL_18)


# Clerks and locations.


def clerk_rule(_: State, event: e.ClerkMoved) -> Rule:
    """Whose clerk it is."""
    return _of_clan(event.clan, clerks.CLK_02, reed.TWO_13, solo.SOL_22)


def activation_rule(_: State, event: e.LocationActivated) -> Rule:
    """In the activation step, or in advance."""
    return clerks.ADV_02 if event.advanced else clerks.LOC_03


def donation_rule(_: State, event: e.Donated) -> Rule:
    """Reed's unit comes from the stock."""
    return reed.TWO_15 if event.clan == REED else clerks.PRD_07


def rising_rule(state: State, event: e.TeaRose) -> Rule:
    """One place in the tea house, all places there, or what a card gives."""
    match state.ask:
        case p.RiseDue(alone=True):
            return clerks.TEH_03
        case p.RiseDue():
            return clerks.TEH_01
        case _:
            return reed.TWO_21 if event.clan == REED else course.TEA_04


_DECLINED: Final[dict[type[object], Rule]] = {
    p.ClerksDue: clerks.CLK_05,
    p.CopyDue: cards.CRD_07,
    p.AdvanceDue: clerks.ADV_01,
    p.OrderDue: wall.ATK_10,
    p.UpgradesDue: clerks.PRD_02,
    p.BarricadesDue: places.BLD_02,
    p.WoundsDue: wall.ATK_08,
    p.FreesDue: shame.SHM_07,
    p.CleanseDue: shame.SHM_07,
    p.ShameDue: shame.SHM_05,
    p.AgainDue: coop.COP_18,
    p.FulfilDue: coop.COP_08,
}
"""By the question; at locations players may decline by a rule of its own."""


def declining_rule(state: State, _: e.Declined) -> Rule:
    """By the question that was open."""
    return _DECLINED.get(type(state.ask), clerks.LOC_06)


# Hordes, soldiers and the wall.


def covering_rule(_: State, event: e.Covered) -> Rule:
    """By kind, or by whose soldier it is."""
    of_seats = wall.ATK_07 if event.kind is Kind.HORSEMAN else wall.ATK_05
    return _of_clan(event.clan, of_seats, reed.TWO_19, solo.SOL_26)


def posting_rule(_: State, event: e.ArcherPosted) -> Rule:
    """Qin's archers go where he attacks."""
    return solo.SOL_26 if event.clan == QIN else wall.ATK_08


def wounding_rule(state: State, event: e.Wounded) -> Rule:
    """By an archer, or by a card."""
    if event.clan == QIN:
        return solo.SOL_26
    return _card_rule(state) if isinstance(state.ask, p.WoundsDue) else wall.ATK_08


def barricade_rule(_: State, event: e.BarricadeBuilt) -> Rule:
    """Reed's barricade is free."""
    return reed.TWO_18 if event.clan == REED else places.BLD_02


def wall_rule(_: State, event: e.WallBuilt) -> Rule:
    """Qin builds where the indicator points."""
    return solo.SOL_16 if event.clan == QIN else places.BLD_03


def losing_rule(state: State, event: e.SoldiersLost) -> Rule:
    """On a defeated horde, or in a breach on a horde or in the slots."""
    if event.horde is None:
        return wall.BRE_04
    return wall.KIL_01 if _waits(state, p.Claim) else wall.BRE_02


def discarding_rule(state: State, _: e.HordeDiscarded) -> Rule:
    """Nobody was there, or Reed would claim it."""
    by_reed = isinstance(state.ask, p.Claim) and state.ask.clan == REED
    return reed.TWO_22 if by_reed else wall.DEF_08


# Shame.


def shaming_rule(state: State, _: e.ShameGained) -> Rule:
    """In a breach, at a location, for open requests, or by a card."""
    if _waits(state, p.Kill):
        return shame.SHM_01
    if _waits(state, p.EventDue):
        return coop.COP_11
    return coop.COP_12 if active(state) is None else shame.SHM_02


def cleansing_rule(state: State, _: e.ShameReturned) -> Rule:
    """In Summer, in the temple with Reed, or by a card."""
    match state.ask:
        case p.AbsolveDue():
            return reed.TWO_16
        case p.FreesDue():
            return _card_rule(state)
        case _:
            return coop.COP_16 if state.table.coop else shame.SHM_07


# Seasons, honour, resources and the end.


def ending_rule(state: State, event: e.MatchEnded) -> Rule:
    """What ended the match."""
    match event.cause:
        case Ending.SHAME:
            return coop.COP_22
        case Ending.REQUESTS:
            return coop.COP_21
        case Ending.POOL if state.table.has_qin:
            return solo.SOL_29
        case _:
            return coop.COP_23 if state.table.coop else course.END_02


_SEASONS: Final = {
    e.Season.SPRING: course.SPR_01,
    e.Season.SUMMER: course.SUM_01,
    e.Season.AUTUMN: course.AUT_01,
    e.Season.WINTER: course.WIN_01,
}


def season_rule(_: State, event: e.SeasonBegan) -> Rule:
    """What the season begins with."""
    return _SEASONS[event.season]


_BY_CAUSE: Final[dict[Cause, Rule]] = {
    Cause.OCCASION: cards.CRD_02,
    Cause.SPOT: wall.ATK_05,
    Cause.PRODUCTION: solo.SOL_23,
    Cause.DONATION: clerks.PRD_07,
    Cause.BUILDING: places.BLD_03,
    Cause.SOLDIERS: wall.DEF_02,
    Cause.ARCHERS: wall.DEF_03,
    Cause.SUMMER: course.SUM_04,
    Cause.WOUND: solo.SOL_26,
    Cause.HORDE: course.SCO_02,
    Cause.ARTEFACT: course.SCO_03,
}
"""By which rule honour and resources come."""
_PAID: Final[dict[type[object], Rule]] = {
    p.RecruitDue: places.BAR_02,
    p.BuildDue: places.BLD_05,
    p.HireDue: places.EMB_01,
    p.UpgradeDue: clerks.PRD_02,
    p.UpgradesDue: clerks.PRD_02,
    p.LoseDue: cards.SAV_01,
    p.CleanseDue: shame.SHM_07,
    p.FulfilDue: coop.COP_09,
    p.AgreeDue: coop.COP_09,
}
"""By which rule something is paid, by the question that is answered."""


def gaining_rule(state: State, event: e.Gained | e.RewardOwed) -> Rule:
    """A record that is not judged may name any cause."""
    if event.cause is Cause.CARD:
        return _card_rule(state)
    return _BY_CAUSE.get(event.cause, cards.EFX_02)


def paying_rule(state: State, event: e.Paid) -> Rule:
    """What was paid for."""
    _, _, gold, _ = event.resources
    hires_an_advisor = isinstance(state.ask, p.HireDue) and gold != state.table.parts.prices.clerk
    return places.EMB_02 if hires_an_advisor else _PAID.get(type(state.ask), cards.EFX_04)


def honouring_rule(state: State, event: e.HonourGained) -> Rule:
    """Where honour comes from."""
    if event.cause is Cause.BUILDING and event.n == state.table.parts.prices.barricade_honour:
        return places.BLD_02
    if event.cause is Cause.CARD:
        return _card_rule(state)
    if event.cause is Cause.HORDE and state.table.coop:
        return wall.DEF_10
    if event.cause is Cause.ARTEFACT and event.clan == QIN:
        return solo.SOL_17
    return _BY_CAUSE.get(event.cause, course.SCO_04)


def dishonouring_rule(state: State, event: e.HonourLost) -> Rule:
    """Shame costs honour at the end, without a token, without a place, or where it is shed."""
    if event.cause is Cause.REQUEST:
        return coop.COP_09
    match state.ask:
        case p.EndCheck():
            return course.SCO_01
        case p.TakeShame():
            return shame.SHM_06
        case p.ShameDue() if event.n < SHEDDING:
            return shame.SHM_05
        case _:
            return coop.COP_16
