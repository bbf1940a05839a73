"""Small changes of a state that several events have in common."""

from collections.abc import Iterable
from typing import TypeVar

from msgspec import structs

from rules.great_wall.kinds import (
    MOST_SEATS,
    QIN,
    REED,
    Clan,
    Figures,
    Holdings,
    Kind,
    Location,
    Resource,
    Section,
)
from rules.great_wall.state import Player, Qin, State
from rules.great_wall.wall import Lying, WallSection
from rules.kernel.actors import Seat

Thing = TypeVar("Thing")


def with_player(state: State, seat: Seat, player: Player) -> State:
    """Another player on a seat."""
    players = state.players
    return structs.replace(state, players=(*players[:seat], player, *players[seat + 1 :]))


def with_qin(state: State, qin: Qin) -> State:
    """Qin changed."""
    return structs.replace(state, qin=qin)


def with_section(state: State, section: Section, wall: WallSection) -> State:
    """A section changed."""
    if section is Section.LEFT:
        return structs.replace(state, left=wall)
    if section is Section.CENTRE:
        return structs.replace(state, centre=wall)
    return structs.replace(state, right=wall)


def plus(figures: Figures, kind: Kind, n: int) -> Figures:
    """More of a kind; raises ValueError where there would be fewer than none."""
    spearmen, archers, horsemen = (have + (n if each == kind else 0) for each, have in enumerate(figures))
    return _three((spearmen, archers, horsemen))


def added(figures: Figures, others: Figures, sign: int = 1) -> Figures:
    """Both together, or the difference."""
    spearmen, archers, horsemen = figures
    return _three((spearmen + sign * others[0], archers + sign * others[1], horsemen + sign * others[2]))


def _three(found: Figures) -> Figures:
    if min(found) < 0:
        raise ValueError("there are fewer such figures than that")
    return found


def held(resources: Holdings | None, resource: Resource, n: int) -> Holdings | None:
    """Holdings with more of a resource; what is not known stays so."""
    if resources is None:
        return None
    amounts = [0, 0, 0, 0]
    amounts[resource] = n
    return summed(resources, amounts)


def summed(resources: Holdings | None, amounts: Iterable[int], sign: int = 1) -> Holdings | None:
    """Holdings and amounts together, or the difference; raises ValueError below nothing."""
    if resources is None:
        return None
    wood, stone, gold, chi = (have + sign * n for have, n in zip(resources, amounts, strict=True))
    if min(wood, stone, gold, chi) < 0:
        raise ValueError("a seat pays more than it has")
    return wood, stone, gold, chi


def with_resources(state: State, seat: Seat, resources: Holdings | None) -> State:
    """A seat with other holdings."""
    return with_player(state, seat, structs.replace(state.players[seat], resources=resources))


def with_reserve(state: State, clan: Clan, change: Figures, sign: int = 1) -> State:
    """Figures into a clan's reserve, or out of it."""
    reserve = added(state.reserve(clan), change, sign)
    if clan == REED:
        if reserve[1:] != (0, 0):
            raise ValueError("Reed has spearmen only")
        return structs.replace(state, reed=reserve[0])
    if clan == QIN:
        return with_qin(state, structs.replace(state.of_qin, reserve=reserve))
    player = state.players[clan]
    return with_player(state, Seat(clan), structs.replace(player, reserve=reserve))


def with_rest(wall: WallSection, seat: Seat, change: Figures, sign: int = 1) -> WallSection:
    """Figures into the rest zone of a section, or out of it."""
    rest = added(wall.rest[seat], change, sign)
    return structs.replace(wall, rest=(*wall.rest[:seat], rest, *wall.rest[seat + 1 :]))


def with_firing(wall: WallSection, clan: Clan, n: int) -> WallSection:
    """Archers into firing slots, or out of them."""
    firing = list(wall.firing)
    firing[clan] += n
    if firing[clan] < 0:
        raise ValueError("there are fewer archers in the slots than that")
    return structs.replace(wall, firing=tuple(firing))


def with_marks(wall: WallSection, line: int, marks: str) -> WallSection:
    """Other marks on the horde of a line, counted from 1."""
    lying = wall.hordes[line - 1]
    hordes = (*wall.hordes[: line - 1], Lying(lying.horde, marks), *wall.hordes[line:])
    return structs.replace(wall, hordes=hordes)


def with_clerks(state: State, location: Location, clan: Clan, n: int) -> State:
    """Clerks of a clan to a location, or away from it."""
    there = list(state.at[location])
    there[clan] += n
    if there[clan] < 0:
        raise ValueError("there are fewer clerks than that")
    return structs.replace(state, at=(*state.at[:location], tuple(there), *state.at[location + 1 :]))


def with_clerk_reserve(state: State, clan: Clan, n: int) -> State:
    """Clerks into a clan's reserve, or out of it."""
    if clan == QIN:
        qin = state.of_qin
        return with_qin(state, structs.replace(qin, clerks=_not_below(qin.clerks + n)))
    if clan >= MOST_SEATS:
        raise ValueError("Reed's clerks have no reserve")
    player = state.players[clan]
    return with_player(state, Seat(clan), structs.replace(player, clerks=_not_below(player.clerks + n)))


def with_honour(state: State, clan: Clan, n: int) -> State:
    """More or less honour; Reed never has any."""
    if clan == REED:
        raise ValueError("Reed has no honour")
    honour = _not_below(state.honour(clan) + n)
    if clan == QIN:
        return with_qin(state, structs.replace(state.of_qin, honour=honour))
    return with_player(state, Seat(clan), structs.replace(state.players[clan], honour=honour))


def _not_below(n: int) -> int:
    if n < 0:
        raise ValueError("there is less than that")
    return n


def into(things: tuple[Thing, ...], *more: Thing) -> tuple[Thing, ...]:
    """More things among others, in the order of the set."""
    return tuple(sorted((*things, *more), key=_place))


def _place(thing: object) -> int:
    return thing if isinstance(thing, int) else 1 << 30


def out_of(things: tuple[Thing, ...], thing: Thing) -> tuple[Thing, ...]:
    """Without one of them; raises ValueError where it is not there."""
    at = things.index(thing)
    return things[:at] + things[at + 1 :]


def out_of_hand(hand: tuple[Thing | None, ...], card: Thing) -> tuple[Thing | None, ...]:
    """Without a card, or without an unknown one that it may have been."""
    return out_of(hand, card if card in hand else None)
