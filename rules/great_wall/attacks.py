"""What attacks and shots cause: soldiers on hordes, wounds, and what they give."""

from rules.great_wall.aim import card_of, horde_at
from rules.great_wall.events import ArcherPosted, Covered, Event, Wounded
from rules.great_wall.kinds import Cause, Cell, Clan, Kind, Occasion, Section
from rules.great_wall.moves import Slot, Spots
from rules.great_wall.occasions import honour, on_occasion, resources
from rules.great_wall.state import State
from rules.kernel.actors import Seat


def attack(state: State, seat: Seat, kind: Kind, target: Spots | Slot) -> tuple[Event, ...]:
    """A resting soldier of a seat attacks."""
    clan = Clan(seat)
    if kind is Kind.ARCHER:
        posted = ArcherPosted(clan, target.section)
        return (posted, *shot(state, clan, target)) if isinstance(target, Spots) else (posted,)
    if not isinstance(target, Spots):
        return ()
    covered = Covered(clan, kind, target.section, target.line, target.cells)
    return (
        covered,
        *_spot_rewards(state, seat, target),
        *on_occasion(state, clan, Occasion.COVER),
    )


def shot(state: State, clan: Clan, target: Spots) -> tuple[Event, ...]:
    """An archer in a slot wounds a spot."""
    return (
        *wound(clan, target.section, target.line, target.cells[0]),
        *on_occasion(state, clan, Occasion.SHOOT),
    )


def wound(clan: Clan, section: Section, line: int, cell: Cell) -> tuple[Event, ...]:
    """A wound marker, which gives nothing (GW-ATK-09)."""
    return (Wounded(clan, section, line, cell),)


def _spot_rewards(state: State, seat: Seat, target: Spots) -> tuple[Event, ...]:
    """Each covered spot gives what is printed on it (GW-ATK-05, AMB-17)."""
    lying = horde_at(state, target.section, target.line)
    if lying is None:
        return ()
    card = card_of(state, lying)
    found: list[Event] = []
    for cell in target.cells:
        reward = card.rewards[card.cells.index(cell)]
        if reward is None:
            continue
        if reward.resource is None:
            found += honour(Clan(seat), reward.n, Cause.SPOT)
        else:
            found += resources(state, seat, reward.resource, reward.n, Cause.SPOT)
    return tuple(found)
