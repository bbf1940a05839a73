"""The course of the year: spring, summer, autumn's cards and turns, and the year's end."""

from collections.abc import Iterator
from typing import Final

from rules.great_wall.effects import perform
from rules.great_wall.events import (
    AdvisorEnlisted,
    AdvisorsDropped,
    CardsRecovered,
    IncomePaid,
    Season,
    SeasonBegan,
    StrategyPicked,
    StrategyPlaced,
    StrategyRevealed,
    TimeAdvanced,
    TrackCleared,
    TurnBegan,
    TurnEnded,
)
from rules.great_wall.kinds import (
    PRODUCTION,
    QIN,
    REED,
    Cause,
    Clan,
    Holdings,
    Occasion,
    Strategy,
    Window,
    of_seat,
    seat_of,
)
from rules.great_wall.moves import Enlist, Pick, Place, RecoverAll, TakeHonour
from rules.great_wall.occasions import honour, on_occasion
from rules.great_wall.pending import (
    AdvisorsDue,
    Assault,
    Autumn,
    ClanPlaces,
    CleanseDue,
    ClearBarricades,
    ClearTrack,
    DefeatCheck,
    Do,
    DropAdvisors,
    EndCheck,
    EnlistDue,
    EventDue,
    Fire,
    FulfilDue,
    HordesDue,
    NextYear,
    Others,
    PickDue,
    PlaceDue,
    Places,
    RecoverDue,
    RequestsDue,
    SoloDue,
    Spring,
    StartActs,
    Step,
    Summer,
    TakeShame,
    Task,
    Turn,
    TurnOver,
    Turns,
    Winter,
    YearEnd,
)
from rules.great_wall.rounds import in_turn
from rules.great_wall.rulebook import cards, coop, course, solo
from rules.great_wall.scoring import end_check
from rules.great_wall.state import OnTrack, State
from rules.great_wall.tasks.common import (
    FINISHED,
    Case,
    Events,
    breach_if,
    caused,
    in_window,
    playing,
    then,
)
from rules.great_wall.tasks.setting_up import seat_who
from rules.kernel.actors import Actor, Seat
from rules.kernel.rule import Breach, Check
from rules.kernel.tasks import automatic, its_seat, task

_ON_TRACK: Final = 4
_DROPPED: Final = 2
"""Advisors that leave the track in Spring (GW-SPR-03)."""
_HONOUR_PER_CARD: Final = 2
_FIFTH: Final = 5

# Spring.


def _spring(state: State, _: Spring) -> Events:
    table, slot = state.table, state.time + 1
    n = table.board.invasions[slot] + table.coop + state.passive("spring")
    change: tuple[Task, ...] = (DropAdvisors(_DROPPED),)
    if table.has_qin:
        change = (EnlistDue(),)
    return (SeasonBegan(Season.SPRING), TimeAdvanced(), then(HordesDue(max(0, n)), *change))


SPRING: Final = automatic(State, Spring, course.SPR_01, _spring)


def _drop(state: State, due: DropAdvisors) -> Events:
    track = len(state.advisors.track)
    gone = min(due.n, track)
    dropped: Events = (AdvisorsDropped(gone),) if gone else ()
    return (*dropped, then(AdvisorsDue(_ON_TRACK - track + gone)))


DROP_ADVISORS: Final = automatic(State, DropAdvisors, course.SPR_03, _drop)


def _too_few(state: State, _: EnlistDue) -> Events:
    return (then(DropAdvisors(_DROPPED)),) if len(state.advisors.track) < _DROPPED else ()


def _not_leftmost(case: Case[EnlistDue, Enlist]) -> Breach | None:
    leftmost = case.state.advisors.track[:_DROPPED]
    names = case.state.table.parts.advisor_names.names
    why = f"{' or '.join(names[each] for each in leftmost)} goes to Qin: they are the two leftmost advisors"
    return breach_if(case.move.advisor not in leftmost, why)


ENLIST: Final = task(State, EnlistDue, course.ASK_03, lambda _, __: (Seat(0),), happens=_too_few).takes(
    Enlist,
    (Check(solo.SOL_27, _not_leftmost),),
    each=lambda state, _: map(Enlist, state.advisors.track[:_DROPPED]),
    then=lambda case: caused(AdvisorEnlisted(case.move.advisor), then(DropAdvisors(_DROPPED - 1))),
)


# Summer.


def _income(state: State, seat: Seat) -> Holdings:
    """Each foreman gives its level, as events change it (GW-SUM-01)."""
    change = state.passive("income")
    levels = [state.foreman_level(of_seat(seat), place) for place in PRODUCTION]
    wood, stone, gold, chi = (max(0, level + change) if level else 0 for level in levels)
    return wood, stone, gold, chi


def _summer(state: State, _: Summer) -> Events:
    found: Events = (SeasonBegan(Season.SUMMER),)
    for clan in state.tea:
        seat = seat_of(clan)
        income = (0, 0, 0, 0) if seat is None else _income(state, seat)
        if seat is not None and any(income):
            found += (IncomePaid(seat, income),)
        found += on_occasion(state, clan, Occasion.INCOME)
    return (*found, then(*map(CleanseDue, state.seats_in_tea_order), ClearTrack()))


SUMMER: Final = automatic(State, Summer, course.SUM_01, _summer)


def _clear(state: State, _: ClearTrack) -> Events:
    asked = () if state.table.coop else map(RecoverDue, state.seats_in_tea_order)
    return (TrackCleared(), then(*asked))


CLEAR_TRACK: Final = automatic(State, ClearTrack, course.SUM_03, _clear)


def _nothing_discarded(state: State, due: RecoverDue) -> Events:
    return () if state.players[due.seat].discarded else (FINISHED,)


def _empty_hand(case: Case[RecoverDue, TakeHonour]) -> Breach | None:
    hand = case.state.players[case.task.seat].strategies
    return None if hand else Breach("with an empty hand the cards are taken back")


def _honour_instead(case: Case[RecoverDue, TakeHonour]) -> Events:
    n = _HONOUR_PER_CARD * len(case.state.players[case.task.seat].discarded)
    return (*honour(of_seat(case.task.seat), n, Cause.SUMMER), FINISHED)


RECOVER: Final = (
    playing(
        task(State, RecoverDue, course.ASK_03, its_seat, happens=_nothing_discarded),
        in_window(Window.SUMMER),
    )
    .takes(
        RecoverAll,
        each=lambda _, __: (RecoverAll(),),
        then=lambda case: caused(CardsRecovered(case.task.seat), FINISHED),
    )
    .takes(
        TakeHonour,
        (Check(course.SUM_04, _empty_hand),),
        each=lambda _, __: (TakeHonour(),),
        then=_honour_instead,
    )
)


# Autumn: cards.


def _autumn(state: State, _: Autumn) -> Events:
    qin: tuple[Task, ...] = (SoloDue(),) if state.table.has_qin else ()
    return (SeasonBegan(Season.AUTUMN), then(PickDue(), *qin, Places(), Turns()))


AUTUMN: Final = automatic(State, Autumn, course.AUT_03, _autumn)


def _picking(state: State) -> tuple[Seat, ...]:
    return tuple(seat for seat in state.table.seats if state.players[seat].strategies)


def _not_picked(state: State, _: PickDue) -> tuple[Actor, ...]:
    return tuple(seat for seat in _picking(state) if state.secrets[seat].pick is None)


def _picks_known(state: State, _: PickDue) -> Events:
    found = [(seat, state.secrets[seat].pick) for seat in _picking(state)]
    known = [StrategyRevealed(seat, Strategy(pick)) for seat, pick in found if isinstance(pick, int)]
    return (*known, FINISHED) if len(known) == len(found) else ()


def _not_in_hand(case: Case[PickDue, Pick]) -> Breach | None:
    seat, table = seat_who(case.actor), case.state.table
    if not isinstance(case.move.card, int):
        return Breach("a strategy card is to be named")
    if case.move.card in case.state.players[seat].strategies:
        return None
    return Breach(f"{table.names[seat]} does not hold {table.parts.strategy_names.names[case.move.card]}")


PICK: Final = task(State, PickDue, course.ASK_03, _not_picked, happens=_picks_known, sealed=True).takes(
    Pick,
    (Check(course.AUT_01, _not_in_hand),),
    each=lambda state, _: map(Pick, state.table.cards),
    then=lambda case: (StrategyPicked(seat_who(case.actor), case.move.card),),
)


def _places(state: State, _: Places) -> Events:
    waiting = tuple(card.clan for card in state.track if not card.space)
    reed = (REED,) if state.table.has_reed else ()
    return (then(*in_turn(state, Step.PLACE, (*waiting, *reed))),)


PLACES: Final = automatic(State, Places, course.AUT_02, _places)


def _spaces(state: State) -> range:
    """The spaces that may be used: with Reed's card, which lies there in the end (AMB-04)."""
    has_reed = state.table.has_reed and all(card.clan != REED for card in state.track)
    return range(1, state.table.spaces(len(state.track) + has_reed) + 1)


def _free_spaces(state: State) -> Iterator[int]:
    taken = {card.space for card in state.track}
    return (space for space in _spaces(state) if space not in taken)


def _waiting(state: State, clan: Clan) -> OnTrack | None:
    return next((card for card in state.track if card.clan == clan and not card.space), None)


def _no_card(state: State, due: PlaceDue) -> Events:
    return () if _waiting(state, of_seat(due.seat)) else (FINISHED,)


def _fifth(case: Case[PlaceDue, Place]) -> Breach | None:
    return breach_if(case.move.space == _FIFTH, "the fifth space is for five players")


def _taken(case: Case[PlaceDue, Place]) -> Breach | None:
    wrong = case.move.space != _FIFTH and case.move.space not in _free_spaces(case.state)
    return breach_if(wrong, f"space {case.move.space} of the strategy track is not free")


def _placed(case: Case[PlaceDue, Place]) -> Events:
    clan = of_seat(case.task.seat)
    card = _waiting(case.state, clan)
    placed = () if card is None else (StrategyPlaced(clan, card.card, case.move.space),)
    return (*placed, FINISHED)


PLACE: Final = task(State, PlaceDue, course.ASK_03, its_seat, happens=_no_card).takes(
    Place,
    (Check(cards.CRD_09, _fifth), Check(course.AUT_02, _taken)),
    each=lambda state, _: map(Place, _free_spaces(state)),
    then=_placed,
)


def _clan_places(state: State, due: ClanPlaces) -> Events:
    """Reed and Qin take the first free space (GW-2P-11, GW-SOL-18)."""
    waiting = _waiting(state, due.clan)
    card = state.table.parts.reed_card if due.clan == REED else (waiting.card if waiting else None)
    space = next(_free_spaces(state), None)
    placed = () if card is None or space is None else (StrategyPlaced(due.clan, card, space),)
    return (*placed, FINISHED)


CLAN_PLACES: Final = automatic(State, ClanPlaces, course.AUT_02, _clan_places)


# Autumn: turns.


def _turns(state: State, _: Turns) -> Events:
    return (then(*(Turn(card.space) for card in state.track if card.space)),)


TURNS: Final = automatic(State, Turns, course.AUT_03, _turns)


def _turn(state: State, due: Turn) -> Events:
    parts = state.table.parts
    card = next((each for each in state.track if each.space == due.space), None)
    if card is None:
        return (FINISHED,)
    blocks = parts.qin_blocks[card.card] if card.clan == QIN else parts.blocks[card.card]
    done: list[Task] = [
        Others(card.clan, block.script) if block.others else Do(card.clan, block.script, 0)
        for block in blocks
    ]
    return (
        TurnBegan(card.clan),
        then(*done, StartActs(card.clan), DefeatCheck(), TurnOver(card.clan)),
    )


TURN: Final = automatic(State, Turn, course.AUT_03, _turn)
TURN_OVER: Final = automatic(
    State, TurnOver, course.AUT_03, lambda _, due: caused(TurnEnded(due.clan), FINISHED)
)


def _others(state: State, due: Others) -> Events:
    clans = tuple(clan for clan in state.table.clans if clan != due.clan)
    return (then(*in_turn(state, Step.OTHERS, clans, script=due.script)),)


OTHERS: Final = automatic(State, Others, cards.CRD_07, _others)
DO: Final = automatic(State, Do, cards.CRD_07, perform)


# Winter and the year's end.


def _winter(state: State, _: Winter) -> Events:
    sections = state.table.sections
    return (
        SeasonBegan(Season.WINTER),
        then(*map(Fire, sections), DefeatCheck(), *map(Assault, sections), ClearBarricades()),
    )


WINTER: Final = automatic(State, Winter, course.WIN_01, _winter)


def _year_end(state: State, _: YearEnd) -> Events:
    fulfil: tuple[Task, ...] = (FulfilDue((), ()),) if state.table.coop else ()
    return (then(*fulfil, EndCheck(), NextYear()),)


YEAR_END: Final = automatic(State, YearEnd, course.WIN_05, _year_end)
END_CHECK: Final = automatic(State, EndCheck, course.END_02, lambda state, _: end_check(state) or (FINISHED,))


def _next_year(state: State, _: NextYear) -> Events:
    year = (Spring(), Summer(), Autumn(), Winter(), YearEnd())
    if state.coop is None:
        return (then(*year),)
    lying = len(state.coop.requests)
    shame = [TakeShame(seat, lying) for seat in state.seats_in_tea_order if lying]
    return (then(*shame, RequestsDue(state.table.request_slots - lying), EventDue(), *year),)


NEXT_YEAR: Final = automatic(State, NextYear, coop.COP_11, _next_year)
