"""What a seat or another viewer may see of a state, of a move and of its events."""

from typing import Final, TypeVar

from rules.great_wall import events as e
from rules.great_wall import moves as m
from rules.great_wall.kinds import SEALED, Advisor, Sealed, Tactic
from rules.great_wall.pending import DrawDue
from rules.great_wall.state import SeatSecret, State
from rules.kernel.actors import Seat
from rules.kernel.views import Views, hidden, secret, secret_choice

Thing = TypeVar("Thing")


def _face_down(cards: tuple[Thing | None, ...]) -> tuple[None, ...]:
    return (None,) * len(cards)


def _assistants(cards: tuple[Advisor | None, ...]) -> tuple[Advisor | None, ...]:
    """The dealt one lies face down (AMB-36)."""
    return (None, *cards[1:]) if cards else ()


def _sealed(answer: int | Sealed | None) -> Sealed | None:
    return None if answer is None else SEALED


def _secret(own: SeatSecret) -> SeatSecret:
    return SeatSecret(
        generals=_face_down(own.generals),
        advisors=_face_down(own.advisors),
        general=_sealed(own.general),
        active=_sealed(own.active),
        pick=_sealed(own.pick),
    )


def _drawing(state: State, _: m.DrawTactic) -> Seat | None:
    due = state.agenda[0] if state.agenda else None
    return due.seat if isinstance(due, DrawDue) else None


def _hand(cards: tuple[Tactic | None, ...]) -> tuple[None, ...]:
    return _face_down(cards)


def _is_dealt(state: State) -> bool:
    """Generals and advisors are chosen in secret where deals are recorded; else nothing is left to hide."""
    return state.table.recorded


VIEWS: Final[Views[State, m.Move, e.Event]] = Views(
    State,
    hidden("players.resources", lambda _: None),
    hidden("players.tactics", _hand),
    hidden("players.assistants", _assistants),
    hidden("secrets", _secret),
    secret(m.Deal, "generals", lambda _, move: move.seat, _face_down),
    secret(m.Advise, "advisors", lambda _, move: move.seat, _face_down),
    secret(m.DrawTactic, "tactic", _drawing),
    secret_choice(m.ChooseGeneral, "general", lambda _: SEALED, applies=_is_dealt),
    secret_choice(m.ChooseActive, "advisor", lambda _: SEALED, applies=_is_dealt),
    secret_choice(m.Pick, "card", lambda _: SEALED),
    secret(e.GeneralsDealt, "generals", lambda _, event: event.seat, _face_down),
    secret(e.AdvisorsDealt, "advisors", lambda _, event: event.seat, _face_down),
    secret(e.TacticDrawn, "tactic", lambda _, event: event.seat),
    secret(e.GeneralChosen, "general", lambda _, event: event.seat, lambda _: SEALED),
    secret(e.ActiveChosen, "advisor", lambda _, event: event.seat, lambda _: SEALED),
    secret(e.AdvisorsRevealed, "assistant", lambda _, event: event.seat),
    secret(e.StrategyPicked, "card", lambda _, event: event.seat, lambda _: SEALED),
)


def has_secrets(_: State) -> bool:
    """Every match has: what lies behind screens, and picks until they are revealed."""
    return True
