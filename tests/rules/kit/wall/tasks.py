"""The questions and automatic tasks of the wall slice."""

from collections.abc import Iterator
from typing import Final

from rules.kernel.actors import CHANCE, Actor, Seat
from rules.kernel.agenda import Agenda, by_move
from rules.kernel.rule import Breach, Check, Rule, RuleId, Violation
from rules.kernel.setup import UNRECORDED
from rules.kernel.tasks import TaskCase, automatic, task
from rules.kernel.views import Views, hidden, secret, secret_choice
from tests.rules.kit.wall import values as v


def _rule(key: str, title: str) -> Rule:
    return Rule(RuleId(f"GW-{key}"), title, "", title)


ASK_02 = _rule("ASK-02", "only who is awaited moves")
CRD_12 = _rule("CRD-12", "tactics are dealt")
STR_01 = _rule("STR-01", "a strategy of the hand is picked")
TAC_01 = _rule("TAC-01", "a tactic is played at a question of its window")
TAC_02 = _rule("TAC-02", "a boost is paid")
TAK_01 = _rule("TAK-01", "resources are taken one by one")
REE_01 = _rule("REE-01", "Reed builds where its overlord says")
UPG_01 = _rule("UPG-01", "a foreman is upgraded for chi")
ASK_03 = _rule("ASK-03", "a move answers the open question")
YEA_01 = _rule("YEA-01", "a year has its course")
RULES: Final = (ASK_02, CRD_12, STR_01, TAC_01, TAC_02, TAK_01, UPG_01, REE_01, ASK_03, YEA_01)

RULE_OF: Final[dict[type[v.Move], Rule]] = {
    v.DealTactic: CRD_12,
    v.PickStrategy: STR_01,
    v.PlayTactic: TAC_01,
    v.TakeResource: TAK_01,
    v.Upgrade: UPG_01,
    v.MoveReed: REE_01,
    v.Done: ASK_03,
}
"""What each kind of move breaks where the question is another one."""


def face_down(tactics: tuple[v.Tactic | None, ...]) -> tuple[None, ...]:
    return (None,) * len(tactics)


def sealed(pick: v.Strategy | v.Sealed | None) -> v.Sealed | None:
    return None if pick is None else v.SEALED


def _drawing(state: v.State, _: v.DealTactic) -> Seat | None:
    return state.agenda[0].seat if state.agenda and isinstance(state.agenda[0], v.Deal) else None


VIEWS: Final[Views[v.State, v.Move, v.Event]] = Views(
    v.State,
    hidden("players.chi", lambda _: None),
    hidden("players.wood", lambda _: None),
    hidden("players.tactics", face_down),
    hidden("players.pick", sealed),
    secret(v.DealTactic, "tactic", _drawing),
    secret(v.TacticDrawn, "tactic", lambda _, event: event.seat),
    secret_choice(v.PickStrategy, "strategy", lambda _: v.SEALED),
    secret(v.StrategyPicked, "strategy", lambda _, event: event.seat, lambda _: v.SEALED),
)


# Chance.


def _none_left(case: TaskCase[v.State, v.Deal, v.DealTactic]) -> Breach | None:
    tactic = case.move.tactic
    if tactic is None:
        return None
    seen = [*case.state.played, *(each for player in case.state.players for each in player.tactics)]
    return Breach("every copy has been seen") if seen.count(tactic) >= v.COPIES else None


def _dealt(state: v.State, due: v.Deal) -> tuple[v.TacticDrawn, ...]:
    return (v.TacticDrawn(due.seat, None),) if state.table.setup.draws is UNRECORDED else ()


DEAL: Final = task(v.State, v.Deal, CRD_12, lambda _, __: (CHANCE,), happens=_dealt).takes(
    v.DealTactic,
    (Check(CRD_12, _none_left),),
    each=lambda _, __: (v.DealTactic(tactic) for tactic in (*v.TACTICS.number_of.values(), None)),
    then=lambda case: (v.TacticDrawn(case.task.seat, case.move.tactic),),
)


# A sealed choice: every seat that has not answered is awaited, in any order.


def _not_answered(state: v.State, _: v.Pick) -> tuple[Actor, ...]:
    return tuple(seat for seat in state.table.seats if state.players[seat].pick is None)


def _revealed(state: v.State, _: v.Pick) -> tuple[v.Event, ...]:
    picks = [player.pick for player in state.players]
    known = [pick for pick in picks if isinstance(pick, int)]
    return (v.StrategiesRevealed(tuple(known)),) if len(known) == len(picks) else ()


def _not_in_hand(case: TaskCase[v.State, v.Pick, v.PickStrategy]) -> Breach | None:
    # An office is never awaited here.
    hand = case.state.players[_seat_of(case.actor)].strategies
    return None if case.move.strategy in hand else Breach("the card is not in the hand")


def _seat_of(actor: Actor) -> Seat:
    assert isinstance(actor, int)
    return actor


PICK: Final = task(v.State, v.Pick, STR_01, _not_answered, happens=_revealed, sealed=True).takes(
    v.PickStrategy,
    (Check(STR_01, _not_in_hand),),
    each=lambda _, __: (v.PickStrategy(strategy) for strategy in v.STRATEGIES.number_of.values()),
    then=lambda case: (v.StrategyPicked(_seat_of(case.actor), case.move.strategy),),
)


# Turns.


def _turn(state: v.State, due: v.Turn) -> tuple[v.Event, ...]:
    strategy = state.track[due.seat]
    if strategy == v.ECONOMY:
        return (v.TasksDue((v.Take(due.seat, 2, played=False),)),)
    if strategy == v.BETRAYAL:
        return (v.TasksDue((v.ReedBuilds(due.seat),)),)
    return (v.TasksDue((v.UpgradeDue(due.seat),)),)


TURN: Final = automatic(v.State, v.Turn, YEA_01, _turn)


def _not_held(case: TaskCase[v.State, v.Take, v.PlayTactic]) -> Breach | None:
    hand = case.state.players[case.task.seat].tactics
    if case.move.tactic in hand or (None in hand and case.state.played.count(case.move.tactic) < v.COPIES):
        return None
    return Breach("the tactic is not in the hand")


def _played_already(case: TaskCase[v.State, v.Take, v.PlayTactic]) -> Breach | None:
    return Breach("one tactic at a question") if case.task.played else None


def _cannot_pay(case: TaskCase[v.State, v.Take, v.PlayTactic]) -> Breach | None:
    chi = case.state.players[case.task.seat].chi
    if not case.move.boosted or chi is None or chi >= v.BOOST:
        return None
    return Breach(f"a boost costs {v.BOOST} chi, and there are {chi}")


def _plays(_: v.State, __: v.Take) -> Iterator[v.PlayTactic]:
    for tactic in v.TACTICS.number_of.values():
        for boosted in (False, True):
            yield v.PlayTactic(tactic, boosted)


TAKE: Final = (
    task(v.State, v.Take, TAK_01, lambda _, due: (due.seat,), forced=True)
    .takes(
        v.PlayTactic,
        (Check(TAC_01, _not_held), Check(TAC_01, _played_already)),
        (Check(TAC_02, _cannot_pay),),
        each=_plays,
        then=lambda case: (v.TacticPlayed(case.task.seat, case.move.tactic, case.move.boosted),),
    )
    .takes(
        v.TakeResource,
        each=lambda _, __: (v.TakeResource(resource) for resource in v.Resource),
        then=lambda case: (v.ResourceTaken(case.task.seat, case.move.resource),),
    )
    .takes(v.Done, each=lambda _, __: (v.Done(),), then=lambda _: (v.TasksDue(()),))
)


def _no_chi(case: TaskCase[v.State, v.UpgradeDue, v.Upgrade]) -> Breach | None:
    chi = case.state.players[case.task.seat].chi
    return None if chi is None or chi >= v.BOOST else Breach(f"it costs {v.BOOST} chi, and there are {chi}")


UPGRADE_DUE: Final = (
    task(v.State, v.UpgradeDue, UPG_01, lambda _, due: (due.seat,), forced=True)
    .takes(
        v.Upgrade,
        (Check(UPG_01, _no_chi),),
        each=lambda _, __: (v.Upgrade(),),
        then=lambda case: (v.Upgraded(case.task.seat),),
    )
    .takes(v.Done, each=lambda _, __: (v.Done(),), then=lambda _: (v.TasksDue(()),))
)


# The automaton.


def _is_high(case: TaskCase[v.State, v.ReedBuilds, v.MoveReed]) -> Breach | None:
    return Breach("the section is complete") if case.state.wall[case.move.section] >= v.HIGHEST else None


REED_BUILDS: Final = task(
    v.State,
    v.ReedBuilds,
    REE_01,
    lambda _, due: (due.overlord,),
    forced=True,
    lapses=lambda _, __: (v.TasksDue(()),),
).takes(
    v.MoveReed,
    (Check(REE_01, _is_high),),
    each=lambda _, __: (v.MoveReed(section) for section in v.SECTIONS.number_of.values()),
    then=lambda case: (v.ReedBuilt(case.move.section),),
)
REED_TURN: Final = automatic(v.State, v.ReedTurn, YEA_01, lambda state, _: (v.ReedScored(sum(state.wall)),))
YEAR_END: Final = automatic(v.State, v.YearEnd, YEA_01, lambda _, __: (v.YearEnded(),))


def told(state: v.State) -> str:
    """What is asked, in words."""
    return f"{type(state.agenda[0]).__name__} is asked" if state.agenda else "the match is over"


AGENDA: Final[Agenda[v.State, v.Task, v.Move, v.Event]] = Agenda(
    v.Task,
    DEAL,
    PICK,
    TURN,
    TAKE,
    UPGRADE_DUE,
    REED_BUILDS,
    REED_TURN,
    YEAR_END,
    pending=lambda state: state.agenda,
    fold=v.fold,
    public=VIEWS.public,
    out_of_turn=lambda state, _: Violation(ASK_02, told(state)),
    not_now=by_move(lambda move: RULE_OF[type(move)], told),
)
