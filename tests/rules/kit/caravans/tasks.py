"""The questions and automatic tasks of the caravans."""

from collections.abc import Iterator
from typing import Final

from rules.kernel.actors import CHANCE, Actor, Seat
from rules.kernel.agenda import Agenda, by_move
from rules.kernel.rule import Breach, Check, Rule, RuleId, Violation
from rules.kernel.setup import UNRECORDED
from rules.kernel.tasks import TaskCase, automatic, task
from rules.kernel.views import Views, hidden, secret, secret_choice
from tests.rules.kit.caravans import values as v


def _rule(key: str, title: str) -> Rule:
    return Rule(RuleId(f"CAR-{key}"), title, "", title)


ASK_02 = _rule("ASK-02", "only who is awaited moves")
CRD_12 = _rule("CRD-12", "favours are dealt")
ROU_01 = _rule("ROU-01", "a route of the hand is picked")
FAV_01 = _rule("FAV-01", "a favour is played at a question of its window")
FAV_02 = _rule("FAV-02", "a boost is paid")
TAK_01 = _rule("TAK-01", "resources are taken one by one")
GUI_01 = _rule("GUI-01", "the guild builds where its host says")
UPG_01 = _rule("UPG-01", "a caravan is upgraded for silver")
ASK_03 = _rule("ASK-03", "a move answers the open question")
YEA_01 = _rule("YEA-01", "a year has its course")
RULES: Final = (ASK_02, CRD_12, ROU_01, FAV_01, FAV_02, TAK_01, UPG_01, GUI_01, ASK_03, YEA_01)

RULE_OF: Final[dict[type[v.Move], Rule]] = {
    v.DealFavour: CRD_12,
    v.PickRoute: ROU_01,
    v.PlayFavour: FAV_01,
    v.TakeResource: TAK_01,
    v.Upgrade: UPG_01,
    v.MoveGuild: GUI_01,
    v.Done: ASK_03,
}
"""What each kind of move breaks where the question is another one."""


def face_down(favours: tuple[v.Favour | None, ...]) -> tuple[None, ...]:
    return (None,) * len(favours)


def sealed(pick: v.Route | v.Sealed | None) -> v.Sealed | None:
    return None if pick is None else v.SEALED


def _drawing(state: v.State, _: v.DealFavour) -> Seat | None:
    return state.agenda[0].seat if state.agenda and isinstance(state.agenda[0], v.Deal) else None


VIEWS: Final[Views[v.State, v.Move, v.Event]] = Views(
    v.State,
    hidden("players.silver", lambda _: None),
    hidden("players.cloth", lambda _: None),
    hidden("players.favours", face_down),
    hidden("players.pick", sealed),
    secret(v.DealFavour, "favour", _drawing),
    secret(v.FavourDrawn, "favour", lambda _, event: event.seat),
    secret_choice(v.PickRoute, "route", lambda _: v.SEALED),
    secret(v.RoutePicked, "route", lambda _, event: event.seat, lambda _: v.SEALED),
)


# Chance.


def _none_left(case: TaskCase[v.State, v.Deal, v.DealFavour]) -> Breach | None:
    favour = case.move.favour
    if favour is None:
        return None
    seen = [*case.state.played, *(each for player in case.state.players for each in player.favours)]
    return Breach("every copy has been seen") if seen.count(favour) >= v.COPIES else None


def _dealt(state: v.State, due: v.Deal) -> tuple[v.FavourDrawn, ...]:
    return (v.FavourDrawn(due.seat, None),) if state.table.setup.draws is UNRECORDED else ()


DEAL: Final = task(v.State, v.Deal, CRD_12, lambda _, __: (CHANCE,), happens=_dealt).takes(
    v.DealFavour,
    (Check(CRD_12, _none_left),),
    each=lambda _, __: (v.DealFavour(favour) for favour in (*v.FAVOURS.number_of.values(), None)),
    then=lambda case: (v.FavourDrawn(case.task.seat, case.move.favour),),
)


# A sealed choice: every seat that has not answered is awaited, in any order.


def _not_answered(state: v.State, _: v.Pick) -> tuple[Actor, ...]:
    return tuple(seat for seat in state.table.seats if state.players[seat].pick is None)


def _revealed(state: v.State, _: v.Pick) -> tuple[v.Event, ...]:
    picks = [player.pick for player in state.players]
    known = [pick for pick in picks if isinstance(pick, int)]
    return (v.RoutesRevealed(tuple(known)),) if len(known) == len(picks) else ()


def _not_in_hand(case: TaskCase[v.State, v.Pick, v.PickRoute]) -> Breach | None:
    # An office is never awaited here.
    hand = case.state.players[_seat_of(case.actor)].routes
    return None if case.move.route in hand else Breach("the card is not in the hand")


def _seat_of(actor: Actor) -> Seat:
    assert isinstance(actor, int)
    return actor


PICK: Final = task(v.State, v.Pick, ROU_01, _not_answered, happens=_revealed, sealed=True).takes(
    v.PickRoute,
    (Check(ROU_01, _not_in_hand),),
    each=lambda _, __: (v.PickRoute(route) for route in v.ROUTES.number_of.values()),
    then=lambda case: (v.RoutePicked(_seat_of(case.actor), case.move.route),),
)


# Turns.


def _turn(state: v.State, due: v.Turn) -> tuple[v.Event, ...]:
    route = state.track[due.seat]
    if route == v.COAST:
        return (v.TasksDue((v.Take(due.seat, 2, played=False),)),)
    if route == v.RIVER:
        return (v.TasksDue((v.GuildBuilds(due.seat),)),)
    return (v.TasksDue((v.UpgradeDue(due.seat),)),)


TURN: Final = automatic(v.State, v.Turn, YEA_01, _turn)


def _not_held(case: TaskCase[v.State, v.Take, v.PlayFavour]) -> Breach | None:
    hand = case.state.players[case.task.seat].favours
    if case.move.favour in hand or (None in hand and case.state.played.count(case.move.favour) < v.COPIES):
        return None
    return Breach("the favour is not in the hand")


def _played_already(case: TaskCase[v.State, v.Take, v.PlayFavour]) -> Breach | None:
    return Breach("one favour at a question") if case.task.played else None


def _cannot_pay(case: TaskCase[v.State, v.Take, v.PlayFavour]) -> Breach | None:
    silver = case.state.players[case.task.seat].silver
    if not case.move.boosted or silver is None or silver >= v.BOOST:
        return None
    return Breach(f"a boost costs {v.BOOST} silver, and there are {silver}")


def _plays(_: v.State, __: v.Take) -> Iterator[v.PlayFavour]:
    for favour in v.FAVOURS.number_of.values():
        for boosted in (False, True):
            yield v.PlayFavour(favour, boosted)


TAKE: Final = (
    task(v.State, v.Take, TAK_01, lambda _, due: (due.seat,), forced=True)
    .takes(
        v.PlayFavour,
        (Check(FAV_01, _not_held), Check(FAV_01, _played_already)),
        (Check(FAV_02, _cannot_pay),),
        each=_plays,
        then=lambda case: (v.FavourPlayed(case.task.seat, case.move.favour, case.move.boosted),),
    )
    .takes(
        v.TakeResource,
        each=lambda _, __: (v.TakeResource(resource) for resource in v.Resource),
        then=lambda case: (v.ResourceTaken(case.task.seat, case.move.resource),),
    )
    .takes(v.Done, each=lambda _, __: (v.Done(),), then=lambda _: (v.TasksDue(()),))
)


def _no_silver(case: TaskCase[v.State, v.UpgradeDue, v.Upgrade]) -> Breach | None:
    silver = case.state.players[case.task.seat].silver
    return (
        None
        if silver is None or silver >= v.BOOST
        else Breach(f"it costs {v.BOOST} silver, and there are {silver}")
    )


UPGRADE_DUE: Final = (
    task(v.State, v.UpgradeDue, UPG_01, lambda _, due: (due.seat,), forced=True)
    .takes(
        v.Upgrade,
        (Check(UPG_01, _no_silver),),
        each=lambda _, __: (v.Upgrade(),),
        then=lambda case: (v.Upgraded(case.task.seat),),
    )
    .takes(v.Done, each=lambda _, __: (v.Done(),), then=lambda _: (v.TasksDue(()),))
)


# The automaton.


def _is_high(case: TaskCase[v.State, v.GuildBuilds, v.MoveGuild]) -> Breach | None:
    return Breach("the stage is complete") if case.state.road[case.move.stage] >= v.HIGHEST else None


GUILD_BUILDS: Final = task(
    v.State,
    v.GuildBuilds,
    GUI_01,
    lambda _, due: (due.host,),
    forced=True,
    lapses=lambda _, __: (v.TasksDue(()),),
).takes(
    v.MoveGuild,
    (Check(GUI_01, _is_high),),
    each=lambda _, __: (v.MoveGuild(stage) for stage in v.STAGES.number_of.values()),
    then=lambda case: (v.GuildBuilt(case.move.stage),),
)
GUILD_TURN: Final = automatic(
    v.State, v.GuildTurn, YEA_01, lambda state, _: (v.GuildScored(sum(state.road)),)
)
YEAR_END: Final = automatic(v.State, v.YearEnd, YEA_01, lambda _, __: (v.YearEnded(),))


def awaited(state: v.State) -> str:
    """What is asked, in words."""
    return f"{type(state.agenda[0]).__name__} is asked" if state.agenda else "the match is over"


AGENDA: Final[Agenda[v.State, v.Task, v.Move, v.Event]] = Agenda(
    v.Task,
    DEAL,
    PICK,
    TURN,
    TAKE,
    UPGRADE_DUE,
    GUILD_BUILDS,
    GUILD_TURN,
    YEAR_END,
    pending=lambda state: state.agenda,
    fold=v.fold,
    public=VIEWS.public,
    out_of_turn=lambda state, _: Violation(ASK_02, awaited(state)),
    not_now=by_move(lambda move: RULE_OF[type(move)], awaited),
)
