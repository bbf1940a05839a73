"""Events and questions in words."""

from typing import Final

from rules.great_wall import event_rules as by
from rules.great_wall import events as e
from rules.great_wall.agenda import AGENDA
from rules.great_wall.card_words import each_resource, figures_in_words
from rules.great_wall.choice_words import gives_in_words, name_in_words
from rules.great_wall.kinds import Advisor, General, Holdings, Kind
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
from rules.kernel.game import who_won
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
    killed, saved = (figures_in_words(each) or "nobody" for each in (event.killed, event.saved))
    return f"{{clan}} lost {killed} and saved {saved} {place}"


def _sacrificed(_: State, event: e.SacrificeMade) -> str:
    return f"{{seat}} sacrificed {figures_in_words(event.figures)}"


def _amounts(resources: Holdings) -> str:
    return listed(each_resource(resources)) if any(resources) else "nothing"


def _started(_: State, event: e.StartTaken) -> str:
    return f"{{seat}} started with {_amounts(event.resources)}"


def _paid(_: State, event: e.Paid) -> str:
    return f"{{seat}} paid {_amounts(event.resources)}"


def _income(_: State, event: e.IncomePaid) -> str:
    return f"{{seat}} had an income of {_amounts(event.resources)}"


def _used(_: State, event: e.WarehouseUsed) -> str:
    return f"{_amounts((*event.units, 0))} came from the warehouse"


def _ended(state: State, event: e.MatchEnded) -> str:
    won = listed([state.table.names[seat] for seat in event.winners]) if event.winners else "nobody"
    return f"the match is over, as {_ENDINGS[event.cause.value]}: {won} won"


describe: Final = (
    sentences(State)
    .unsaid(e.TasksDue)
    .on(e.ArtefactsLaid, "the artefacts are {artefacts}", setting_up.SET_04)
    .on(e.RequestLaid, "{request} lies open", by.request_rule)
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
    .on(e.StartTaken, _started, setting_up.SET_15)
    .on(e.AdvisorLaid, "{advisor} lies on the advisor track", by.advisor_rule)
    .on(e.TacticDrawn, _drew, by.drawing_rule)
    .on(e.TrackLaid, "Qin's track is {tokens}", solo.SOL_07)
    .on(e.SoloCardTurned, "Qin plays {card}", solo.SOL_18)
    .on(e.DeckReshuffled, "the discard became a new deck: {deck}", by.shuffling_rule)
    .on(e.SeasonBegan, "{season} began", by.season_rule)
    .on(e.TimeAdvanced, "a year passed", course.SPR_01)
    .on(e.HordePlaced, "{horde} lies before {section}", by.horde_rule)
    .on(e.Raided, "{horde} raided {section}, and {removed} shame left the pool", wall.INV_04, wall.RAI_01)
    .on(e.AdvisorsDropped, "the {n} leftmost advisors left the track", course.SPR_03)
    .on(e.AdvisorEnlisted, "{advisor} assists Qin", solo.SOL_27)
    .on(e.IncomePaid, _income, course.SUM_01)
    .on(e.TrackCleared, "the strategy track was cleared", course.SUM_03)
    .on(e.CardsRecovered, "{seat} recovered all strategy cards", course.SUM_04)
    .on(e.CardRecovered, "{seat} recovered {card}", coop.COP_18)
    .on(e.StrategyPicked, "{seat} picked a strategy", course.AUT_01)
    .on(e.StrategyRevealed, "{seat} plays {card}", course.AUT_01)
    .on(e.StrategyPlaced, "{clan} placed {card} on space {space}", by.placing_rule)
    .on(e.TurnBegan, "the turn of {clan} began", course.AUT_03)
    .on(e.TurnEnded, "the turn of {clan} ended", course.AUT_03)
    .on(e.MatchEnded, _ended, by.ending_rule)
    .on(e.ClerkMoved, _moved, by.clerk_rule)
    .on(e.LocationActivated, "the {location} was activated", by.activation_rule)
    .on(e.Collected, "{seat} collected {n} {resource}", clerks.PRD_01)
    .on(e.ForemanUpgraded, _upgraded, clerks.PRD_02)
    .on(e.Donated, "{clan} donated 1 {resource}", by.donation_rule)
    .on(e.ClerksReturned, "clerks went home from the {location}", clerks.LOC_07)
    .on(e.TokenAdvanced, "{token} went to the front of Qin's track", solo.SOL_13)
    .on(e.TeaRose, "{clan} rose {places} in tea order", by.rising_rule)
    .on(e.ClerkHired, "{seat} hired a clerk", places.EMB_01)
    .on(e.AdvisorHired, "{seat} hired {advisor} as {role}", places.EMB_03)
    .on(e.AdvisorDismissed, "{advisor} was dismissed", reed.TWO_17)
    .on(e.SoldiersMoved, "{seat} moved {n} {kind} from {origin} to {goal}", places.LOG_01)
    .on(e.Recruited, lambda _, event: f"{{seat}} recruited {_one(event.kind)} at {{section}}", places.BAR_01)
    .on(e.Covered, "a {kind} of {clan} attacked line {line} of {section} at {cells}", by.covering_rule)
    .on(e.ArcherPosted, "an archer of {clan} took a firing slot of {section}", by.posting_rule)
    .on(e.Wounded, "{clan} wounded line {line} of {section} at {cell}", by.wounding_rule)
    .on(e.BarricadeBuilt, "{clan} built a barricade at {section}", by.barricade_rule)
    .on(e.WallBuilt, "{clan} built a part of the wall at {section}", by.wall_rule)
    .on(e.WarehouseUsed, _used, places.BLD_05)
    .on(e.HordeDefeated, "{horde} was defeated", wall.DEF_01)
    .on(e.SoldiersLost, _lost, by.losing_rule)
    .on(e.SoldiersRested, "the survivors on {horde} rest at {section}", wall.DEF_05)
    .on(e.HordeClaimed, "{clan} claimed {horde}", wall.DEF_05)
    .on(e.HordeDiscarded, "nobody claimed {horde}", by.discarding_rule)
    .on(e.SectionHeld, "{section} held: defence {defence}, power {power}", course.WIN_03)
    .on(e.SectionBreached, "{section} was breached: defence {defence}, power {power}", course.WIN_03)
    .on(e.BarricadesCleared, "all barricades were discarded", course.WIN_04)
    .on(e.Gained, "{seat} gained {n} {resource}", by.gaining_rule)
    .on(e.RewardOwed, "{seat} is owed {n} {resource}", by.gaining_rule, cards.EFX_04)
    .on(e.OwedCredited, "{seat} got what was owed", cards.EFX_04)
    .on(e.Paid, _paid, by.paying_rule)
    .on(e.Lost, "{seat} lost {n} {resource}", coop.COP_12)
    .on(e.HonourGained, "{clan} gained {n} honour ({cause})", by.honouring_rule)
    .on(e.HonourLost, "{clan} lost {n} honour ({cause})", by.dishonouring_rule)
    .on(e.ShameGained, "{seat} gained shame", by.shaming_rule)
    .on(e.ShamePlaced, "{seat} placed shame on {token}", shame.SHM_04)
    .on(e.ShameShed, "{seat} shed the shame", coop.COP_16)
    .on(e.ShameRemoved, "{seat} had no place for the shame", shame.SHM_05)
    .on(e.ShameReturned, "{seat} returned the shame on {token}", by.cleansing_rule)
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
    .on(e.SacrificeMade, _sacrificed, coop.COP_10)
    .on(e.RequestProposed, "{seat} proposed to fulfil {request}", coop.COP_09)
    .on(e.RequestAgreed, "{seat} agreed to {request}", coop.COP_09)
    .on(e.RequestRefused, "{seat} refused {request}", coop.COP_09)
    .on(e.Declined, "{seat} does nothing more here", by.declining_rule)
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
