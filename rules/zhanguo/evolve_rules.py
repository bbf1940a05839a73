"""What all events share: how they change a player or the base frame, and what they cannot do."""

from msgspec import structs

from rules.kernel.actors import Seat
from rules.kernel.places import with_one
from rules.zhanguo.frames import Base
from rules.zhanguo.state import State


class ImpossibleEvent(ValueError):
    """No match has this event in this state."""


def based(state: State, frame: Base) -> State:
    """With another base frame beneath the choices that are pending."""
    return structs.replace(state, agenda=(*state.agenda[:-1], frame))


def with_parts(state: State, seat: Seat, **parts: object) -> State:
    """With other parts of a player."""
    player = structs.replace(state.players[seat], **parts)
    return structs.replace(state, players=with_one(state.players, seat, player))


def require(possible: object, why: str) -> None:
    """Raises ImpossibleEvent unless it is possible."""
    if not possible:
        raise ImpossibleEvent(why)
