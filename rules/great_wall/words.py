"""Events and questions in words."""

from typing import Final

from rules.great_wall import events as e
from rules.great_wall import pending as p
from rules.great_wall.agenda import AGENDA
from rules.great_wall.choice_words import gives_in_words, name_in_words
from rules.great_wall.kinds import Advisor, Cause, Ending, General, Kind
from rules.great_wall.notation import EVENTS
from rules.great_wall.question_words import asked_of
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
from rules.great_wall.scoring import outcome
from rules.great_wall.state import State
from rules.great_wall.tasks.shame import SHEDDING
from rules.kernel.game import who_won
from rules.kernel.rule import Rule
from rules.kernel.sentences import sentences
from rules.kernel.text import listed

_ENDINGS: Final = {
    "walls": "enough walls are complete",
    "pool": "the shame pool is empty",
    "time": "the time track is at its end",
    "requests": "enough requests are fulfilled",
    "shame": "shame was gained from an empty pool",
}


def _dealt(state: State, event: e.GeneralsDealt) -> str:
    known = [_general(state, general) for general in event.generals if general is not None]
    hidden = None in event.generals
    return "{seat} was dealt generals" if hidden else f"{{seat}} was dealt {listed(known)}"


def _has_general(state: State, event: e.GeneralRevealed) -> str:
    return f"{{seat}} has the general {_general(state, event.general)}"


def _general(state: State, general: General) -> str:
    """'Song Ci (2 honour per assistant for each foreman upgraded)'."""
    parts = state.table.parts
    return f"{name_in_words(parts.general_names.names[general])} ({gives_in_words(parts.generals[general])})"


def _advised(state: State, event: e.AdvisorsDealt) -> str:
    known = [_advisor(state, advisor) for advisor in event.advisors if advisor is not None]
    hidden = None in event.advisors
    return "{seat} was dealt advisors" if hidden else f"{{seat}} was dealt {listed(known)}"


def _has_active(state: State, event: e.AdvisorsRevealed) -> str:
    return f"{{seat}} has {_advisor(state, event.advisor)} as active advisor"


def _advisor(state: State, advisor: Advisor) -> str:
    """'a07 (1 chi for each donation)': the cards of the set have no names."""
    parts = state.table.parts
    return f"{parts.advisor_names.names[advisor]} ({gives_in_words(parts.advisors[advisor])})"


def _drew(_: State, event: e.TacticDrawn) -> str:
    return "{seat} drew a tactic" if event.tactic is None else "{seat} drew {tactic}"


def _moved(_: State, event: e.ClerkMoved) -> str:
    if event.source is None:
        return "{clan} sent a clerk from the reserve to the {target}"
    return "{clan} moved a clerk from the {source} to the {target}"


def _one(kind: Kind) -> str:
    return f"{'an' if kind is Kind.ARCHER else 'a'} {kind.word}"


def _upgraded(_: State, event: e.ForemanUpgraded) -> str:
    if event.kind is None:
        return "{clan}'s foreman at the {location} rose a level"
    return f"{_one(event.kind)} of {{clan}} became foreman at the {{location}}"


def _lost(_: State, event: e.SoldiersLost) -> str:
    place = "in the slots of {section}" if event.horde is None else "on {horde}"
    return f"{{clan}} lost {{killed}} and saved {{saved}} {place}"


def _ended(state: State, event: e.MatchEnded) -> str:
    won = listed([state.table.names[seat] for seat in event.winners]) if event.winners else "nobody"
    return f"the match is over, as {_ENDINGS[event.cause.value]}: {won} won"


def _ending_rule(state: State, event: e.MatchEnded) -> Rule:
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
"""What each season begins with."""


def _season_rule(_: State, event: e.SeasonBegan) -> Rule:
    return _SEASONS[event.season]


_BY_CAUSE: Final[dict[Cause, Rule]] = {
    Cause.CARD: cards.CRD_07,
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


def _gaining_rule(_: State, event: e.Gained | e.RewardOwed) -> Rule:
    """A record that is not judged may name any cause."""
    return _BY_CAUSE.get(event.cause, cards.EFX_02)


def _paying_rule(state: State, event: e.Paid) -> Rule:
    _, _, gold, _ = event.resources
    hires_an_advisor = isinstance(state.ask, p.HireDue) and gold != state.table.parts.prices.clerk
    return places.EMB_02 if hires_an_advisor else _PAID.get(type(state.ask), cards.EFX_04)


def _honouring_rule(state: State, event: e.HonourGained) -> Rule:
    if event.cause is Cause.BUILDING and event.n == state.table.parts.prices.barricade_honour:
        return places.BLD_02
    if event.cause is Cause.HORDE and state.table.coop:
        return wall.DEF_10
    return _BY_CAUSE.get(event.cause, course.SCO_04)


def _dishonouring_rule(state: State, event: e.HonourLost) -> Rule:
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


describe: Final = (
    sentences(State)
    .unsaid(e.TasksDue)
    .on(e.ArtefactsLaid, "the artefacts are {artefacts}", setting_up.SET_04)
    .on(e.RequestLaid, "{request} lies open", coop.COP_02)
    .on(e.EventRevealed, "{event} was revealed", coop.COP_12)
    .on(e.TopShown, "the indicator points {section}", cards.CRD_15)
    .on(e.GeneralsDealt, _dealt, setting_up.SET_10)
    .on(e.AdvisorsDealt, _advised, setting_up.SET_11)
    .on(e.GeneralChosen, "{seat} chose a general", setting_up.SET_12)
    .on(e.ActiveChosen, "{seat} chose an active advisor", setting_up.SET_12)
    .on(e.GeneralRevealed, _has_general, setting_up.SET_12)
    .on(e.AdvisorsRevealed, _has_active, setting_up.SET_12)
    .on(e.QinAdvised, "Qin has {n} assistants", solo.SOL_08)
    .on(e.TeaStacked, "the tea order is {clans}", setting_up.SET_18)
    .on(e.StartTaken, "{seat} started with {resources}", setting_up.SET_15)
    .on(e.AdvisorLaid, "{advisor} lies on the advisor track", setting_up.SET_13)
    .on(e.TacticDrawn, _drew, cards.CRD_12)
    .on(e.TrackLaid, "Qin's track is {tokens}", solo.SOL_07)
    .on(e.SoloCardTurned, "Qin plays {card}", solo.SOL_18)
    .on(e.DeckReshuffled, "the discard became a new deck: {deck}", cards.CRD_12)
    .on(e.SeasonBegan, "{season} began", _season_rule)
    .on(e.TimeAdvanced, "a year passed", course.SPR_01)
    .on(e.HordePlaced, "{horde} lies before {section}", wall.INV_03)
    .on(e.Raided, "{horde} raided {section}, and {removed} shame left the pool", wall.INV_04, wall.RAI_01)
    .on(e.AdvisorsDropped, "the {n} leftmost advisors left the track", course.SPR_03)
    .on(e.AdvisorEnlisted, "{advisor} assists Qin", solo.SOL_27)
    .on(e.IncomePaid, "{seat} had an income of {resources}", course.SUM_01)
    .on(e.TrackCleared, "the strategy track was cleared", course.SUM_03)
    .on(e.CardsRecovered, "{seat} recovered all strategy cards", course.SUM_04)
    .on(e.CardRecovered, "{seat} recovered {card}", coop.COP_18)
    .on(e.StrategyPicked, "{seat} picked a strategy", course.AUT_01)
    .on(e.StrategyRevealed, "{seat} plays {card}", course.AUT_01)
    .on(e.StrategyPlaced, "{clan} placed {card} on space {space}", course.AUT_02)
    .on(e.TurnBegan, "the turn of {clan} began", course.AUT_03)
    .on(e.TurnEnded, "the turn of {clan} ended", course.AUT_03)
    .on(e.MatchEnded, _ended, _ending_rule)
    .on(e.ClerkMoved, _moved, clerks.CLK_02)
    .on(e.LocationActivated, "the {location} was activated", clerks.LOC_03)
    .on(e.Collected, "{seat} collected {n} {resource}", clerks.PRD_01)
    .on(e.ForemanUpgraded, _upgraded, clerks.PRD_02)
    .on(e.Donated, "{clan} donated 1 {resource}", clerks.PRD_07)
    .on(e.ClerksReturned, "clerks went home from the {location}", clerks.LOC_07)
    .on(e.TokenAdvanced, "{token} went to the front of Qin's track", solo.SOL_13)
    .on(e.TeaRose, "{clan} rose {places} in tea order", clerks.TEH_01)
    .on(e.ClerkHired, "{seat} hired a clerk", places.EMB_01)
    .on(e.AdvisorHired, "{seat} hired {advisor} as {role}", places.EMB_03)
    .on(e.AdvisorDismissed, "{advisor} was dismissed", reed.TWO_17)
    .on(e.SoldiersMoved, "{seat} moved {n} {kind} from {origin} to {goal}", places.LOG_01)
    .on(e.Recruited, lambda _, event: f"{{seat}} recruited {_one(event.kind)} at {{section}}", places.BAR_01)
    .on(e.Covered, "a {kind} of {clan} attacked line {line} of {section} at {cells}", wall.ATK_01)
    .on(e.ArcherPosted, "an archer of {clan} took a firing slot of {section}", wall.ATK_08)
    .on(e.Wounded, "{clan} wounded line {line} of {section} at {cell}", wall.ATK_08)
    .on(e.BarricadeBuilt, "{clan} built a barricade at {section}", places.BLD_02)
    .on(e.WallBuilt, "{clan} built a part of the wall at {section}", places.BLD_03)
    .on(e.WarehouseUsed, "{units} came from the warehouse", places.BLD_05)
    .on(e.HordeDefeated, "{horde} was defeated", wall.DEF_01)
    .on(e.SoldiersLost, _lost, wall.KIL_01)
    .on(e.SoldiersRested, "the survivors on {horde} rest at {section}", wall.DEF_05)
    .on(e.HordeClaimed, "{clan} claimed {horde}", wall.DEF_05)
    .on(e.HordeDiscarded, "nobody claimed {horde}", wall.DEF_08)
    .on(e.SectionHeld, "{section} held: defence {defence}, power {power}", course.WIN_03)
    .on(e.SectionBreached, "{section} was breached: defence {defence}, power {power}", course.WIN_03)
    .on(e.BarricadesCleared, "all barricades were discarded", course.WIN_04)
    .on(e.Gained, "{seat} gained {n} {resource}", _gaining_rule)
    .on(e.RewardOwed, "{seat} is owed {n} {resource}", _gaining_rule, cards.EFX_04)
    .on(e.OwedCredited, "{seat} got what was owed", cards.EFX_04)
    .on(e.Paid, "{seat} paid {resources}", _paying_rule)
    .on(e.Lost, "{seat} lost {n} {resource}", coop.COP_12)
    .on(e.HonourGained, "{clan} gained {n} honour ({cause})", _honouring_rule)
    .on(e.HonourLost, "{clan} lost {n} honour ({cause})", _dishonouring_rule)
    .on(e.ShameGained, "{seat} gained shame", shame.SHM_04)
    .on(e.ShamePlaced, "{seat} placed shame on {token}", shame.SHM_04)
    .on(e.ShameShed, "{seat} shed the shame", coop.COP_16)
    .on(e.ShameRemoved, "{seat} had no place for the shame", shame.SHM_05)
    .on(e.ShameReturned, "{seat} returned the shame on {token}", shame.SHM_07)
    .on(
        e.TacticPlayed,
        lambda _, event: "{seat} played {tactic}, boosted" if event.boosted else "{seat} played {tactic}",
        cards.TAC_01,
    )
    .on(e.TacticSpent, "{tactic} went to the discard", cards.TAC_03)
    .on(e.TacticDiscarded, "{seat} discarded {tactic}", cards.CRD_11)
    .on(e.SavesGranted, "{seat} may save {n} soldiers without chi", cards.SAV_02)
    .on(e.SavesUsed, "{seat} saved {n} soldiers without chi", cards.SAV_02)
    .on(e.SavesLapsed, "saves without chi lapsed", cards.SAV_02)
    .on(e.RequestFulfilled, "{request} was fulfilled", coop.COP_09)
    .on(e.SacrificeMade, "{seat} sacrificed {figures}", coop.COP_10)
    .on(e.RequestProposed, "{seat} proposed to fulfil {request}", coop.COP_09)
    .on(e.RequestAgreed, "{seat} agreed to {request}", coop.COP_09)
    .on(e.RequestRefused, "{seat} refused {request}", coop.COP_09)
    .on(e.Declined, "{seat} does nothing more here", clerks.LOC_06)
    .of(EVENTS, lambda state: state.table)
)


def turn(state: State) -> str:
    """Whose turn it is and what is asked, or who won."""
    ended = outcome(state)
    if ended is not None:
        return f"{who_won(ended, state.table.names)}: {_ENDINGS[ended.reason]}"
    return f"year {state.time + 1}: {asked_of(state, AGENDA.awaiting(state))}"


def caution(state: State) -> str:
    """That the components are invented, where they are."""
    parts = state.table.parts
    if not parts.invented:
        return ""
    return f"{parts.set_id} is invented: these are not the cards and numbers of the published game"
