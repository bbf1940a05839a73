"""Searching for the elixir (ZHG-CRT-20 to -27): the action, and the choices at symbols."""

from collections.abc import Iterator
from typing import Final

from rules.kernel.actors import Seat
from rules.kernel.rule import Breach, Check
from rules.kernel.tasks import TaskCase, task
from rules.zhanguo import events as e
from rules.zhanguo import rulebook
from rules.zhanguo.effects import MoveBoat
from rules.zhanguo.frames import ActDue, MasterDue, PlaceDue, SymbolDue
from rules.zhanguo.moves import Done, PlaceAlchemist, Search, TakeMaster, UnlockSoldier
from rules.zhanguo.pieces import CARD_NAMES, COURT_STEP, REGIONS, Action, Official
from rules.zhanguo.queries import acting, awaits_seat, passes_test
from rules.zhanguo.resolve import resolve
from rules.zhanguo.state import State


def possible(state: State, seat: Seat) -> bool:
    """Whether the boat can move."""
    return state.players[seat].boat < state.table.printed.route.end


def _at_the_end(case: TaskCase[State, ActDue, Search]) -> Breach | None:
    if possible(case.state, case.task.seat):
        return None
    return Breach("the boat is at the end of the route already")


CHECKS: Final = ((Check(rulebook.CRT_20, _at_the_end),),)


def moves(state: State, due: ActDue) -> tuple[Search, ...]:
    """The one way to search."""
    return (Search(),) if possible(state, due.seat) else ()


def done(case: TaskCase[State, ActDue, Search]) -> tuple[e.Event, ...]:
    """The boat moves, and its symbols are asked."""
    seat = case.task.seat
    taken = e.ActionTaken(seat, Action.ELIXIR, passes_test(case.state, Action.ELIXIR))
    return (taken, *resolve(case.state, seat, (MoveBoat(COURT_STEP),), e.Source.BONUS))


# Symbols


def _none_locked(case: TaskCase[State, object, UnlockSoldier]) -> Breach | None:
    return None if case.state.players[acting(case.state)].locked else Breach("no soldier is locked")


def _unlocks(state: State, _: SymbolDue) -> tuple[UnlockSoldier, ...]:
    return (UnlockSoldier(),) if state.players[acting(state)].locked else ()


def _cannot_place(case: TaskCase[State, object, PlaceAlchemist]) -> Breach | None:
    """The card is not set aside, or at a symbol nobody is there to place it (ZHG-CRT-23)."""
    player = case.state.players[acting(case.state)]
    name, region = CARD_NAMES.names[case.move.card], case.move.region
    if case.move.card not in player.aside:
        return Breach(f"{name} is not set aside", (name,))
    if isinstance(case.task, SymbolDue) and not player.domains[region].officials[Official.ALCHEMIST]:
        return Breach(f"no alchemist is in {region.title}", (region.word,))
    return None


def _full(case: TaskCase[State, object, PlaceAlchemist]) -> Breach | None:
    region = case.move.region
    if not case.state.players[acting(case.state)].domains[region].full:
        return None
    return Breach(f"{region.title} holds three cards", (region.word,))


_PLACING: Final = (Check(rulebook.CRT_23, _cannot_place), Check(rulebook.UNI_01, _full))


def _at_symbol(state: State, _: SymbolDue) -> Iterator[PlaceAlchemist]:
    player = state.players[acting(state)]
    regions = [
        region
        for region in REGIONS
        if not player.domains[region].full and player.domains[region].officials[Official.ALCHEMIST]
    ]
    return (PlaceAlchemist(card, region) for card in player.aside for region in regions)


def _unlocked(case: TaskCase[State, SymbolDue, UnlockSoldier]) -> tuple[e.Event, ...]:
    return e.ChoiceMade(()), e.SoldiersUnlocked(acting(case.state), 1)


def _placed_at_symbol(case: TaskCase[State, SymbolDue, PlaceAlchemist]) -> tuple[e.Event, ...]:
    return e.ChoiceMade(()), e.AlchemistPlaced(acting(case.state), case.move.card, case.move.region)


SYMBOL: Final = (
    task(
        State, SymbolDue, rulebook.CRT_23, awaits_seat, forced=True, lapses=lambda _, __: (e.ChoiceLapsed(),)
    )
    .takes(UnlockSoldier, (Check(rulebook.CRT_23, _none_locked),), each=_unlocks, then=_unlocked, exact=True)
    .takes(PlaceAlchemist, _PLACING, each=_at_symbol, then=_placed_at_symbol, exact=True)
)


def _not_available(case: TaskCase[State, MasterDue, TakeMaster]) -> Breach | None:
    if case.move.card in case.state.masters:
        return None
    name = CARD_NAMES.names[case.move.card]
    return Breach(f"{name} is not available", (name,))


def _master_taken(case: TaskCase[State, MasterDue, TakeMaster]) -> tuple[e.Event, ...]:
    return e.ChoiceMade(()), e.MasterTaken(acting(case.state), case.move.card)


MASTER: Final = task(
    State, MasterDue, rulebook.CRT_25, awaits_seat, forced=True, lapses=lambda _, __: (e.ChoiceLapsed(),)
).takes(
    TakeMaster,
    (Check(rulebook.CRT_25, _not_available),),
    each=lambda state, _: (TakeMaster(card) for card in state.masters),
    then=_master_taken,
    exact=True,
)


# Placing by another effect


def _not_allowed(case: TaskCase[State, PlaceDue, PlaceAlchemist]) -> Breach | None:
    if case.move.region in case.task.regions:
        return None
    return Breach(f"the effect places nothing in {case.move.region.title}", (case.move.region.word,))


def can_place(state: State, seat: Seat, regions: tuple[object, ...]) -> bool:
    """Whether a card that is set aside fits into one of the regions."""
    player = state.players[seat]
    return bool(player.aside) and any(
        not player.domains[region].full for region in REGIONS if region in regions
    )


def _placements(state: State, due: PlaceDue) -> Iterator[PlaceAlchemist]:
    player = state.players[acting(state)]
    regions = [region for region in due.regions if not player.domains[region].full]
    return (PlaceAlchemist(card, region) for card in player.aside for region in regions)


def _placed(case: TaskCase[State, PlaceDue, PlaceAlchemist]) -> tuple[e.Event, ...]:
    """Only the first of several has to be placed (AMB-56)."""
    due = case.task
    rest = (PlaceDue(due.count - 1, due.regions, must=False),) if due.count > 1 else ()
    return e.ChoiceMade(rest), e.AlchemistPlaced(acting(case.state), case.move.card, case.move.region)


def _has_to(case: TaskCase[State, PlaceDue, Done]) -> Breach | None:
    return Breach("a card has to be placed") if case.task.must else None


PLACE: Final = (
    task(State, PlaceDue, rulebook.STM_01, awaits_seat, forced=True, lapses=lambda _, __: (e.ChoiceLapsed(),))
    .takes(
        PlaceAlchemist,
        (Check(rulebook.STM_01, _not_allowed),),
        _PLACING,
        each=_placements,
        then=_placed,
        exact=True,
    )
    .takes(
        Done,
        (Check(rulebook.ABL_25, _has_to),),
        each=lambda _, due: () if due.must else (Done(),),
        then=lambda _: (e.ChoiceMade(()),),
        exact=True,
    )
)
