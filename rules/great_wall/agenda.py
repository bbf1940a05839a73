"""Everything that can be pending, put together: who is awaited, how moves are judged, which are legal."""

from typing import Final

from rules.great_wall import moves as m
from rules.great_wall.events import Event
from rules.great_wall.evolve import fold
from rules.great_wall.kinds import Location
from rules.great_wall.moves import Move
from rules.great_wall.pending import Home, Task
from rules.great_wall.question_words import asked_of
from rules.great_wall.rulebook import cards, clerks, coop, course, places, reed, shame, wall
from rules.great_wall.state import State
from rules.great_wall.tasks import (
    activation,
    barracks,
    builders,
    chance,
    hordes,
    production,
    setting_up,
    town,
    year,
)
from rules.great_wall.tasks import cards as card_tasks
from rules.great_wall.tasks import coop as coop_tasks
from rules.great_wall.tasks import reed as reed_tasks
from rules.great_wall.tasks import shame as shame_tasks
from rules.great_wall.view import VIEWS
from rules.kernel.actors import Actor
from rules.kernel.agenda import Agenda
from rules.kernel.rule import Rule, Violation
from rules.kernel.tasks import AnyTask, TaskCase

_RULE_OF: Final[dict[type[object], Rule]] = {
    m.Pick: course.AUT_01,
    m.Place: course.AUT_02,
    m.ActivateLocation: clerks.LOC_03,
    m.Recruit: places.BAR_01,
    m.Attack: wall.ATK_01,
    m.Shoot: wall.ATK_01,
    m.BuildBarricade: places.BLD_01,
    m.BuildWall: places.BLD_01,
    m.HireClerk: places.EMB_01,
    m.HireAdvisor: places.EMB_01,
    m.March: places.LOG_01,
    m.Shift: places.LOG_01,
    m.Lower: places.LOG_01,
    m.Cross: places.LOG_01,
    m.Upgrade: clerks.PRD_02,
    m.Donate: clerks.PRD_07,
    m.Study: places.ACA_01,
    m.Rise: clerks.TEH_01,
    m.Lose: wall.KIL_01,
    m.Cleanse: shame.SHM_07,
    m.PlaceShame: shame.SHM_04,
    m.Shed: shame.SHM_04,
    m.RecoverAll: course.SUM_04,
    m.RecoverOne: course.SUM_04,
    m.TakeHonour: course.SUM_04,
    m.PlayTactic: cards.TAC_01,
    m.DiscardTactic: cards.CRD_11,
    m.Fulfil: coop.COP_08,
    m.Agree: coop.COP_09,
    m.Refuse: coop.COP_09,
    m.MoveReed: reed.TWO_12,
    m.ReedSpearman: reed.TWO_12,
    m.ReedBarricade: reed.TWO_12,
    m.Dismiss: reed.TWO_12,
    m.Absolve: reed.TWO_12,
}
"""What a move breaks where the question is another one; any other breaks GW-ASK-03."""
_IN_COOP: Final[dict[type[object], Rule]] = dict.fromkeys(
    (m.RecoverAll, m.RecoverOne, m.TakeHonour), coop.COP_17
)
RULES_OF_MOVES: Final = frozenset((*_RULE_OF.values(), *_IN_COOP.values(), course.ASK_03, clerks.PRD_08))
"""Everything that a move can break by answering another question."""


def _not_now(_: AnyTask[State, Move, Event], case: TaskCase[State, Task, Move]) -> tuple[Violation, ...]:
    state, kind = case.state, type(case.move)
    rule = _RULE_OF.get(kind, course.ASK_03)
    if state.table.coop:
        rule = _IN_COOP.get(kind, rule)
    if kind is m.Donate and _activated(state) is Location.TEMPLE:
        rule = clerks.PRD_08
    return (Violation(rule, f"now {asked_of(state, AGENDA.awaiting(state))}"),)


def _activated(state: State) -> Location | None:
    return next((task.location for task in state.agenda if isinstance(task, Home)), None)


def _out_of_turn(state: State, _: Actor) -> Violation:
    awaited = AGENDA.awaiting(state)
    return Violation(course.ASK_02, f"now {asked_of(state, awaited)}" if awaited else "the match is over")


_KINDS: Final[tuple[AnyTask[State, Move, Event], ...]] = (
    chance.ARTEFACTS,
    chance.REQUESTS,
    chance.EVENT,
    chance.TOP,
    chance.HORDES,
    chance.DEAL,
    chance.ADVISE,
    chance.ADVISORS,
    chance.DRAW,
    chance.QIN_TRACK,
    chance.SOLO,
    setting_up.GENERAL,
    setting_up.ACTIVE,
    setting_up.OPEN_GENERAL,
    setting_up.OPEN_ACTIVE,
    setting_up.SET_OUT,
    year.SPRING,
    year.ENLIST,
    year.DROP_ADVISORS,
    year.SUMMER,
    year.CLEAR_TRACK,
    year.RECOVER,
    year.AUTUMN,
    year.PICK,
    year.PLACES,
    year.PLACE,
    year.CLAN_PLACES,
    year.TURNS,
    year.TURN,
    year.TURN_OVER,
    year.OTHERS,
    year.DO,
    year.WINTER,
    year.YEAR_END,
    year.END_CHECK,
    year.NEXT_YEAR,
    card_tasks.CLERKS,
    card_tasks.TAKE,
    card_tasks.COPY,
    card_tasks.WOUNDS,
    card_tasks.LIMIT,
    card_tasks.TACTIC_END,
    activation.START_ACTS,
    activation.ACTS,
    activation.ADVANCE,
    activation.ACTIVATE,
    activation.HOME,
    activation.SETTLE,
    production.COLLECT,
    production.UPGRADING,
    production.UPGRADE,
    production.UPGRADES,
    production.DONATING,
    production.DONATE,
    barracks.RECRUIT,
    barracks.ORDER,
    builders.BUILD,
    builders.BARRICADES,
    builders.AGAIN,
    town.RISE,
    town.HIRE,
    town.MARCH,
    town.SHIFT,
    town.STUDY,
    reed_tasks.REED_AT,
    reed_tasks.QIN_AT,
    reed_tasks.REED_SPEAR,
    reed_tasks.REED_BARRICADE,
    reed_tasks.DISMISS,
    shame_tasks.TAKE_SHAME,
    shame_tasks.SHAME,
    shame_tasks.CLEANSE,
    shame_tasks.FREES,
    shame_tasks.ABSOLVE,
    hordes.DEFEAT_CHECK,
    hordes.DEFEAT,
    hordes.CLAIM,
    hordes.KILL,
    hordes.LOSE,
    hordes.CLAN_DIES,
    hordes.BATCH_END,
    hordes.FIRE,
    hordes.QIN_FIRES,
    hordes.FIRING,
    hordes.ASSAULT,
    hordes.CLEAR_BARRICADES,
    coop_tasks.FULFIL,
    coop_tasks.AGREE,
)

AGENDA: Final[Agenda[State, Task, Move, Event]] = Agenda(
    Task,
    *_KINDS,
    coop_tasks.FreeKind({kind.kind: kind for kind in _KINDS}),
    pending=lambda state: state.agenda,
    fold=fold,
    public=VIEWS.public,
    out_of_turn=_out_of_turn,
    not_now=_not_now,
)
