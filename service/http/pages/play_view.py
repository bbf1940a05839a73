"""Who may play on the page of a match, and what is asked of them."""

from msgspec import Struct

from records.entry import MatchId, actor_number
from records.replay.choices import answers_in_secret
from records.replay.fold import MatchSnapshot
from rules.kernel.actors import CHANCE, Actor, Seat, Viewer
from service.authorization import Caller
from service.errors import CallError
from service.messages import is_over
from service.resources import Resources


class PlayView(Struct, frozen=True):
    """What the caller may play."""

    seats: tuple[tuple[int, str], ...]
    """The seats that the caller may play for, by number and name; none once the match is over."""
    seat: int | None
    """The seat whose view is shown, if the caller may play for it."""
    awaited: bool
    """Whether this seat must act now."""
    secret: bool
    """Whether what it plays now is a choice that stays sealed until all have chosen."""
    drawing: bool
    """Whether it waits for chance. The service deals at once, so an app must report what was drawn."""
    signs: bool
    """Whether it signs its moves, which a page without its key cannot do."""


def play_view(
    resources: Resources, caller: Caller, match: MatchId, current: MatchSnapshot, seen_as: Viewer
) -> PlayView:
    """What the caller may play in a match that it looks at as this viewer."""
    if is_over(current) or current.copy:
        return PlayView((), None, awaited=False, secret=False, drawing=False, signs=False)
    names = current.header.setup.seats
    own = tuple(
        (number, name)
        for number, name in enumerate(names)
        if _may_act(resources, caller, match, current, Seat(number))
    )
    seat = seen_as if isinstance(seen_as, int) and seen_as in dict(own) else None
    if seat is None:
        return PlayView(own, None, awaited=False, secret=False, drawing=False, signs=False)
    return PlayView(
        own,
        seat,
        awaited=seat in current.awaiting(),
        secret=answers_in_secret(current.header, current.state, seat),
        drawing=CHANCE in current.awaiting(),
        signs=actor_number(seat) in dict(current.header.keys),
    )


def _may_act(
    resources: Resources, caller: Caller, match: MatchId, current: MatchSnapshot, actor: Actor
) -> bool:
    try:
        resources.access.acting(caller, match, current, actor)
    except CallError:
        return False
    return True
