"""The tasks of the elixir slice: each with its checks and its moves."""

from collections.abc import Iterator
from typing import Final

from rules.kernel.actors import CHANCE, Actor, Seat
from rules.kernel.agenda import Agenda, by_task
from rules.kernel.rule import Breach, Check, Rule, RuleId, Violation
from rules.kernel.setup import UNRECORDED
from rules.kernel.tasks import TaskCase, task
from rules.kernel.views import Views, hidden, secret
from tests.rules.kit.elixir import values as v


def _rule(key: str, title: str) -> Rule:
    return Rule(RuleId(f"ZHG-{key}"), title, "", title)


RND_02 = _rule("RND-02", "one card of each aspect")
CMP_18 = _rule("CMP-18", "every number exists once")
PLY_01 = _rule("PLY-01", "a card of the hand is played")
CRT_02 = _rule("CRT-02", "a Court action is taken")
CRT_20 = _rule("CRT-20", "the boat moves")
CRT_23 = _rule("CRT-23", "a symbol lets one choose")
CRT_25 = _rule("CRT-25", "a Master is taken")
UNI_01 = _rule("UNI-01", "a region takes two cards")
ACT_01 = _rule("ACT-01", "own cards are activated")
ACT_03 = _rule("ACT-03", "each card once")
STM_03 = _rule("STM-03", "only who is awaited may act")
RULES: Final = (RND_02, CMP_18, PLY_01, CRT_02, CRT_20, CRT_23, CRT_25, UNI_01, ACT_01, ACT_03, STM_03)


def backs(hand: tuple[v.Card | v.Aspect, ...]) -> tuple[v.Aspect, ...]:
    return tuple(sorted(map(v.aspect_of, hand), key=v.ASPECTS.index))


def _drawing(state: v.State, _: v.Draw) -> Seat | None:
    return state.agenda[0].seat if state.agenda and isinstance(state.agenda[0], v.DrawCards) else None


VIEWS: Final[Views[v.State, v.Move, v.Event]] = Views(
    v.State,
    hidden("players.hand", backs),
    secret(v.Draw, "card", _drawing, v.aspect_of),
    secret(v.CardDrawn, "card", lambda _, event: event.seat, v.aspect_of),
)


def _seat(_: v.State, due: v.Play | v.Act | v.Step | v.Symbol | v.MasterDue) -> tuple[Actor, ...]:
    return (due.seat,)


# Drawing.


def _wrong_aspect(case: TaskCase[v.State, v.DrawCards, v.Draw]) -> Breach | None:
    right = v.aspect_of(case.move.card) is case.task.aspect
    return None if right else Breach("a card of another aspect is due")


def _not_there(case: TaskCase[v.State, v.DrawCards, v.Draw]) -> Breach | None:
    card, seat = case.move.card, case.task.seat
    if isinstance(card, v.Aspect):
        return None
    if v.deck_of(card) != seat:
        return Breach("the card is of another deck")
    seen = card in case.state.court or card in case.state.players[seat].hand
    return Breach("the card has been seen") if seen else None


def _dealt(state: v.State, due: v.DrawCards) -> tuple[v.CardDrawn, ...]:
    """Where draws are unrecorded, the hand is dealt of itself."""
    return (v.CardDrawn(due.seat, due.aspect),) if state.table.setup.draws is UNRECORDED else ()


def _draws(_: v.State, __: v.DrawCards) -> Iterator[v.Draw]:
    yield from (v.Draw(card) for card in v.CARDS.number_of.values())
    yield from (v.Draw(aspect) for aspect in v.ASPECTS)


DRAW_CARDS: Final = task(v.State, v.DrawCards, RND_02, lambda _, __: (CHANCE,), happens=_dealt).takes(
    v.Draw,
    (Check(RND_02, _wrong_aspect),),
    (Check(CMP_18, _not_there),),
    each=_draws,
    then=lambda case: (v.CardDrawn(case.task.seat, case.move.card),),
)


# Playing a card.


def _not_held(case: TaskCase[v.State, v.Play, v.PlayAtCourt]) -> Breach | None:
    hand, card = case.state.players[case.task.seat].hand, case.move.card
    may_be = v.aspect_of(card) in hand and v.deck_of(card) == case.task.seat
    return None if card in hand or may_be else Breach("the card is not in the hand")


def _already_seen(case: TaskCase[v.State, v.Play, v.PlayAtCourt]) -> Breach | None:
    return Breach("the card lies at Court") if case.move.card in case.state.court else None


PLAY: Final = task(v.State, v.Play, PLY_01, _seat).takes(
    v.PlayAtCourt,
    (Check(PLY_01, _not_held),),
    (Check(CMP_18, _already_seen),),
    each=lambda _, __: (v.PlayAtCourt(card) for card in v.CARDS.number_of.values()),
    then=lambda case: (v.CardPlayed(case.task.seat, case.move.card),),
)


# The boat.


def _at_the_end(case: TaskCase[v.State, v.Act, v.Search]) -> Breach | None:
    return Breach("the boat is at the end") if case.state.players[case.task.seat].boat == v.END else None


def _can_search(case: TaskCase[v.State, v.Act, v.Wait]) -> Breach | None:
    return None if case.state.players[case.task.seat].boat == v.END else Breach("the boat can move")


def moved(state: v.State, seat: Seat, by: int) -> tuple[v.Event, ...]:
    """The boat and the choices of the spaces that it passes, in their order."""
    start = state.players[seat].boat
    to = min(start + by, v.END)
    due: list[v.Task] = []
    for space in range(start + 1, to + 1):
        if space in v.ROUTE:
            due += [v.Symbol(seat)] * v.ROUTE[space] or [v.MasterDue(seat)]
    boat: tuple[v.Event, ...] = (v.BoatMoved(seat, to),) if to > start else ()
    return (*boat, v.ChoicesDue(tuple(due))) if due else boat


ACT: Final = (
    task(v.State, v.Act, CRT_02, _seat)
    .takes(
        v.Search,
        (Check(CRT_20, _at_the_end),),
        each=lambda _, __: (v.Search(),),
        then=lambda case: (v.ActionTaken(case.task.seat), *moved(case.state, case.task.seat, 3)),
    )
    .takes(
        v.Wait,
        (Check(CRT_02, _can_search),),
        each=lambda _, __: (v.Wait(),),
        then=lambda case: (v.ActionTaken(case.task.seat),),
    )
)


# Choices.


def _none_locked(case: TaskCase[v.State, v.Symbol, v.UnlockSoldier]) -> Breach | None:
    return None if case.state.players[case.task.seat].locked else Breach("no soldier is locked")


def _not_aside(case: TaskCase[v.State, v.Symbol, v.PlaceExtra]) -> Breach | None:
    return (
        None if case.move.card in case.state.players[case.task.seat].aside else Breach("it is not set aside")
    )


def _no_alchemist(case: TaskCase[v.State, v.Symbol, v.PlaceExtra]) -> Breach | None:
    return None if case.move.region in v.PRESENT else Breach(f"no alchemist is in {case.move.region.value}")


def _full(case: TaskCase[v.State, v.Symbol, v.PlaceExtra]) -> Breach | None:
    column = case.state.players[case.task.seat].columns[v.REGIONS.index(case.move.region)]
    return Breach(f"{case.move.region.value} is full") if len(column) >= v.FULL else None


def _placements(state: v.State, due: v.Symbol) -> Iterator[v.PlaceExtra]:
    return (v.PlaceExtra(card, region) for card in state.players[due.seat].aside for region in v.REGIONS)


SYMBOL: Final = (
    task(v.State, v.Symbol, CRT_23, _seat, forced=True, lapses=lambda _, due: (v.ChoiceLapsed(due.seat),))
    .takes(
        v.UnlockSoldier,
        (Check(CRT_23, _none_locked),),
        each=lambda _, __: (v.UnlockSoldier(),),
        then=lambda case: (v.SoldierUnlocked(case.task.seat),),
    )
    .takes(
        v.PlaceExtra,
        (Check(CRT_23, _not_aside), Check(CRT_23, _no_alchemist), Check(UNI_01, _full)),
        each=_placements,
        then=lambda case: (v.ExtraPlaced(case.task.seat, case.move.card, case.move.region),),
    )
)


def _not_available(case: TaskCase[v.State, v.MasterDue, v.TakeMaster]) -> Breach | None:
    return None if case.move.card in case.state.masters else Breach("it is not available")


MASTER: Final = task(
    v.State, v.MasterDue, CRT_25, _seat, forced=True, lapses=lambda _, due: (v.ChoiceLapsed(due.seat),)
).takes(
    v.TakeMaster,
    (Check(CRT_25, _not_available),),
    each=lambda state, _: (v.TakeMaster(card) for card in state.masters),
    then=lambda case: (v.MasterTaken(case.task.seat, case.move.card),),
)


# Activation.


def _not_placed(case: TaskCase[v.State, v.Step, v.Activate]) -> Breach | None:
    columns = case.state.players[case.task.seat].columns
    return None if any(case.move.card in column for column in columns) else Breach("it is above no board")


def _used(case: TaskCase[v.State, v.Step, v.Activate]) -> Breach | None:
    return Breach("it was activated in this turn") if case.move.card in case.task.used else None


def _activated(case: TaskCase[v.State, v.Step, v.Activate]) -> tuple[v.Event, ...]:
    """An Alchemist moves the boat on, a Master gives a choice: both can lead to further choices."""
    seat = case.task.seat
    effect: tuple[v.Event, ...] = (v.ChoicesDue((v.Symbol(seat),)),)
    if case.move.card in v.ALCHEMISTS:
        effect = moved(case.state, seat, 2)
    return (v.AbilityActivated(seat, case.move.card), *effect)


STEP: Final = (
    task(v.State, v.Step, ACT_01, _seat, forced=True)
    .takes(
        v.Activate,
        (Check(ACT_01, _not_placed),),
        (Check(ACT_03, _used),),
        each=lambda _, __: (v.Activate(card) for card in v.EXTRAS.number_of.values()),
        then=_activated,
    )
    .takes(
        v.Done,
        each=lambda _, __: (v.Done(),),
        then=lambda case: (v.TurnEnded(case.task.seat, case.by_itself),),
    )
)


def told(state: v.State) -> str:
    """What is awaited, in words."""
    if not state.agenda:
        return "the match is over"
    due = state.agenda[0]
    return f"{state.table.setup.seats[due.seat]}: {type(due).__name__} is due"


AGENDA: Final[Agenda[v.State, v.Task, v.Move, v.Event]] = Agenda(
    v.Task,
    DRAW_CARDS,
    PLAY,
    ACT,
    STEP,
    SYMBOL,
    MASTER,
    pending=lambda state: state.agenda,
    fold=v.fold,
    public=VIEWS.public,
    out_of_turn=lambda state, _: Violation(STM_03, told(state)),
    not_now=by_task(told),
)
