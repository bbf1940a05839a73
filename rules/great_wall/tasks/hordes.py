"""Defeated hordes, losses, firing and the assault."""

from collections.abc import Iterator
from itertools import product
from typing import Final

from rules.great_wall.aim import archers_may_wound, card_of
from rules.great_wall.attacks import shot
from rules.great_wall.card_words import figures_in_words
from rules.great_wall.events import (
    BarricadesCleared,
    HordeClaimed,
    HordeDefeated,
    HordeDiscarded,
    OwedCredited,
    Paid,
    SavesLapsed,
    SavesUsed,
    SectionBreached,
    SectionHeld,
    SoldiersLost,
    SoldiersRested,
)
from rules.great_wall.folds.change import added
from rules.great_wall.kinds import (
    KINDS,
    NOBODY,
    REED,
    Cause,
    Clan,
    Figures,
    Horde,
    Occasion,
    Resource,
    Section,
    Window,
    of_seat,
    seat_of,
)
from rules.great_wall.moves import Lose, Shoot
from rules.great_wall.occasions import has, honour, on_occasion, only, short_of
from rules.great_wall.pending import (
    Assault,
    BatchEnd,
    Claim,
    ClanDies,
    ClearBarricades,
    Defeat,
    DefeatCheck,
    Fire,
    FireDue,
    Kill,
    LoseDue,
    QinFires,
    Step,
    TakeShame,
    Task,
)
from rules.great_wall.qin import qin_fires
from rules.great_wall.rounds import in_turn
from rules.great_wall.rulebook import cards, course, wall
from rules.great_wall.state import State
from rules.great_wall.tasks.barracks import shot_aim
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
from rules.great_wall.wall import Lying, WallSection, is_full, owners_on, soldiers_on, spots_of
from rules.kernel.actors import Seat
from rules.kernel.rule import Breach, Check
from rules.kernel.tasks import automatic, its_seat, task

_SHARE: Final = 2
"""Honour for soldiers on a defeated horde, and for each archer of its section."""

# Defeats.


def _check(state: State, _: DefeatCheck) -> Events:
    """The full cards, fixed before the first is resolved (AMB-18)."""
    full = [
        lying.horde
        for section in state.table.sections
        for lying in state.section(section).hordes
        if is_full(lying.marks)
    ]
    return (then(*((Defeat(tuple(full)),) if full else ())),)


DEFEAT_CHECK: Final = automatic(State, DefeatCheck, wall.DEF_09, _check)


def _lying(state: State, horde: Horde) -> tuple[Section, Lying] | None:
    for section in state.table.sections:
        for lying in state.section(section).hordes:
            if lying.horde == horde:
                return section, lying
    return None


def _defeat(state: State, due: Defeat) -> Events:
    """Who claims is settled before anybody dies (GW-DEF-01, GW-DEF-05)."""
    rest = (Defeat(due.hordes[1:]),) if due.hordes[1:] else ()
    found = _lying(state, due.hordes[0]) if due.hordes else None
    if found is None:
        return (then(*rest),)
    section, lying = found
    shares: Events = ()
    for clan in state.tea:
        if clan in owners_on(lying.marks):
            shares += honour(clan, _SHARE, Cause.SOLDIERS)
            shares += on_occasion(state, clan, Occasion.SHARE)
    for clan in state.tea:
        shares += honour(clan, _SHARE * state.section(section).firing[clan], Cause.ARCHERS)
    claimer = max(state.tea, key=lambda clan: spots_of(lying.marks, clan), default=None)
    if claimer is None or not spots_of(lying.marks, claimer):
        claimer = None
    return (
        HordeDefeated(lying.horde),
        *shares,
        then(Kill(section, lying.horde), Claim(section, lying.horde, claimer), *rest),
    )


DEFEAT: Final = automatic(State, Defeat, wall.DEF_01, _defeat)


def _claim(state: State, due: Claim) -> Events:
    """Survivors rest; the card goes to its claimer, of Reed to the discard; the others close up."""
    lying = next((each for each in state.section(due.section).hordes if each.horde == due.horde), None)
    if lying is None:
        return (FINISHED,)
    rested: Events = (SoldiersRested(due.section, due.horde),) if owners_on(lying.marks) else ()
    if due.clan is None or due.clan == REED:
        return (*rested, HordeDiscarded(due.section, due.horde), FINISHED)
    pays = state.table.coop and state.table.rulings.claims_pay
    reward = card_of(state, lying).reward if pays else 0
    return (
        *rested,
        HordeClaimed(due.clan, due.section, due.horde),
        *honour(due.clan, reward, Cause.HORDE),
        *on_occasion(state, due.clan, Occasion.CLAIM),
        FINISHED,
    )


CLAIM: Final = automatic(State, Claim, wall.DEF_05, _claim)


# Losses.


def _line(state: State, section: Section, horde: Horde) -> int | None:
    hordes = [lying.horde for lying in state.section(section).hordes]
    return hordes.index(horde) + 1 if horde in hordes else None


def at_risk(state: State, clan: Clan, section: Section, horde: Horde | None) -> tuple[int, Figures]:
    """How many soldiers of a clan die at a place, and those among whom they are chosen."""
    there = state.section(section)
    if horde is None:
        archers = there.firing[clan]
        return archers, (0, archers, 0)
    line = _line(state, section, horde)
    if line is None:
        return 0, NOBODY
    lying = there.hordes[line - 1]
    standing = soldiers_on(lying.marks, clan)
    deadly = state.mortality + card_of(state, lying).change("mortality", front=line == 1)
    return min(max(0, deadly), sum(standing)), standing


def _kill(state: State, due: Kill) -> Events:
    """Clan by clan in tea order, each at all its places; one batch (GW-SAV-02)."""
    there = state.section(due.section)
    places: tuple[Horde | None, ...] = (due.horde,)
    if due.horde is None:
        places = (*(lying.horde for lying in there.hordes), None)
    tasks: list[Task] = []
    for clan in state.tea:
        for place in places:
            n, _ = at_risk(state, clan, due.section, place)
            seat = seat_of(clan)
            if n:
                tasks.append(
                    ClanDies(clan, due.section, place) if seat is None else LoseDue(seat, due.section, place)
                )
    return (then(*tasks, BatchEnd()),)


KILL: Final = automatic(State, Kill, wall.BRE_02, _kill)


def _nobody_at_risk(state: State, due: LoseDue) -> Events:
    n, _ = at_risk(state, of_seat(due.seat), due.section, due.horde)
    return () if n else (FINISHED,)


def _wrong_count(case: Case[LoseDue, Lose]) -> Breach | None:
    due = case.task
    n, standing = at_risk(case.state, of_seat(due.seat), due.section, due.horde)
    gone = added(case.move.killed, case.move.saved)
    if sum(gone) != n:
        return Breach(f"{sum(gone)} soldiers are named, and {n} must be")
    more = any(gone[kind] > standing[kind] for kind in KINDS)
    return Breach(f"only {figures_in_words(standing)} stand there") if more else None


def save_cost(state: State) -> int:
    """Chi for each soldier saved."""
    return max(0, state.table.parts.prices.save + state.passive("save-cost"))


def _chi(state: State, seat: Seat, saved: Figures) -> tuple[int, int]:
    """Free saves that are used, and the chi for the others."""
    free = min(sum(saved), state.saves_of(seat))
    return free, (sum(saved) - free) * save_cost(state)


def _cannot_save(case: Case[LoseDue, Lose]) -> Breach | None:
    seat = case.task.seat
    _, chi = _chi(case.state, seat, case.move.saved)
    cost = only(Resource.CHI, chi)
    return None if has(case.state, seat, cost) else Breach(short_of(case.state, seat, cost))


def _losses(state: State, due: LoseDue) -> Iterator[Lose]:
    n, standing = at_risk(state, of_seat(due.seat), due.section, due.horde)
    choices = [range(min(n, standing[kind]) + 1) for kind in KINDS]
    for spearmen, archers, horsemen in product(*choices):
        killed = (spearmen, archers, horsemen)
        left = n - sum(killed)
        if left < 0:
            continue
        spare = [range(min(left, standing[kind] - killed[kind]) + 1) for kind in KINDS]
        for more_spearmen, more_archers, more_horsemen in product(*spare):
            if more_spearmen + more_archers + more_horsemen == left:
                yield Lose(killed, (more_spearmen, more_archers, more_horsemen))


def _lost(case: Case[LoseDue, Lose]) -> Events:
    state, due, move = case.state, case.task, case.move
    clan = of_seat(due.seat)
    free, chi = _chi(state, due.seat, move.saved)
    return (
        *((SavesUsed(due.seat, free),) if free else ()),
        *((Paid(due.seat, only(Resource.CHI, chi)),) if chi else ()),
        SoldiersLost(clan, due.section, due.horde, move.killed, move.saved),
        *on_occasion(state, clan, Occasion.KILLED, sum(move.killed)),
        *on_occasion(state, clan, Occasion.SAVED, sum(move.saved)),
        FINISHED,
    )


LOSE: Final = playing(
    task(State, LoseDue, course.ASK_03, its_seat, happens=_nobody_at_risk), in_window(Window.LOSSES)
).takes(
    Lose,
    (Check(wall.KIL_01, _wrong_count),),
    (Check(cards.SAV_01, _cannot_save),),
    each=_losses,
    then=_lost,
)


def _clan_dies(state: State, due: ClanDies) -> Events:
    """Reed and Qin save nobody; spearmen die first."""
    n, standing = at_risk(state, due.clan, due.section, due.horde)
    if not n:
        return (FINISHED,)
    killed = [0, 0, 0]
    for kind in KINDS:
        killed[kind] = min(standing[kind], n - sum(killed))
    spearmen, archers, horsemen = killed
    return (
        SoldiersLost(due.clan, due.section, due.horde, (spearmen, archers, horsemen), NOBODY),
        *on_occasion(state, due.clan, Occasion.KILLED, n),
        FINISHED,
    )


CLAN_DIES: Final = automatic(State, ClanDies, wall.BRE_02, _clan_dies)


def _batch_end(state: State, _: BatchEnd) -> Events:
    lapsed: Events = (SavesLapsed(),) if state.saves else ()
    return (*(OwedCredited(owed.seat) for owed in state.owed), *lapsed, FINISHED)


BATCH_END: Final = automatic(State, BatchEnd, cards.SAV_02, _batch_end)


# Firing.


def _fire(state: State, due: Fire) -> Events:
    firing = state.section(due.section).firing
    clans = tuple(clan for clan in state.table.clans if firing[clan])
    return (then(*in_turn(state, Step.FIRE, clans, section=due.section)),)


FIRE: Final = automatic(State, Fire, course.WIN_01, _fire)
QIN_FIRES: Final = automatic(
    State, QinFires, course.WIN_01, lambda state, due: caused(*qin_fires(state, due.section), FINISHED)
)


def _nothing_to_wound(state: State, due: FireDue) -> Events:
    spot = next(archers_may_wound(state, due.section), None)
    return () if due.left > 0 and spot is not None else (FINISHED,)


def _elsewhere(case: Case[FireDue, Shoot]) -> Breach | None:
    section = case.move.target.section
    other = section is not case.task.section
    return breach_if(other, f"archers of {case.task.section.letter} fire", section.letter)


def _no_spot(case: Case[FireDue, Shoot]) -> Breach | None:
    return _elsewhere(case) or shot_aim(wall.ATK_08, case)


def _immune(case: Case[FireDue, Shoot]) -> Breach | None:
    return None if _elsewhere(case) else shot_aim(cards.CRD_13, case)


def _shot(case: Case[FireDue, Shoot]) -> Events:
    due = case.task
    rest = (FireDue(due.seat, due.section, due.left - 1),) if due.left > 1 else ()
    return (*shot(case.state, of_seat(due.seat), case.move.target), then(*rest))


FIRING: Final = playing(
    task(State, FireDue, course.ASK_03, its_seat, happens=_nothing_to_wound), in_window(Window.FIRE)
).takes(
    Shoot,
    (Check(wall.ATK_08, _no_spot), Check(cards.CRD_13, _immune)),
    each=lambda state, due: map(Shoot, archers_may_wound(state, due.section)),
    then=_shot,
)


# The assault.


def power_of(state: State, section: WallSection) -> int:
    """The power of the hordes before a section."""
    change = state.passive("power")
    return sum(
        max(0, card.power + card.change("power", front=line == 0) + change)
        for line, card in enumerate(card_of(state, lying) for lying in section.hordes)
    )


def defence_of(state: State, section: WallSection) -> int:
    """The defence of a section: its wall and its barricades."""
    parts = state.table.parts
    each = parts.prices.barricade_defence + state.passive("barricade")
    each += sum(
        card_of(state, lying).change("barricade", front=line == 0)
        for line, lying in enumerate(section.hordes)
    )
    return parts.wall[section.level].defence + section.barricades * max(0, each)


def _assault(state: State, due: Assault) -> Events:
    there = state.section(due.section)
    defence, power = defence_of(state, there), power_of(state, there)
    if defence >= power:
        held: Events = (SectionHeld(due.section, defence, power),)
        for clan in state.tea:
            held += on_occasion(state, clan, Occasion.HOLD)
        return (*held, FINISHED)
    shame = [(seat, _absent(there, of_seat(seat))) for seat in state.seats_in_tea_order]
    tasks: list[Task] = [TakeShame(seat, n) for seat, n in shame if n]
    return (
        SectionBreached(due.section, defence, power),
        then(*tasks, Kill(due.section, None)),
    )


def _absent(section: WallSection, clan: Clan) -> int:
    """Hordes on which a clan has no soldier (GW-BRE-01)."""
    return sum(soldiers_on(lying.marks, clan) == NOBODY for lying in section.hordes)


ASSAULT: Final = automatic(State, Assault, course.WIN_03, _assault)
CLEAR_BARRICADES: Final = automatic(
    State, ClearBarricades, course.WIN_04, lambda _, __: caused(BarricadesCleared(), FINISHED)
)
