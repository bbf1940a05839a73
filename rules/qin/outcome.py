"""The outcome of a match."""

from rules.kernel.actors import Seat
from rules.kernel.game import Outcome
from rules.qin.state import EndReason, Over, State


def leaders(state: State) -> tuple[Seat, ...]:
    """The seats with the most pagodas on the board (QIN-END-4)."""
    return _ranked(state)[0]


def outcome(state: State) -> Outcome | None:
    """How the match ended; None while it is in progress."""
    turn = state.turn
    if not isinstance(turn, Over):
        return None
    ranking = _ranked(state)
    if turn.reason is EndReason.LAST_PAGODA and 0 in state.supplies:
        # The last pagoda wins at once, whatever was still due to others (QIN-END-1). A forged state may have
        # no empty supply: that is for the invariants to report.
        winner = Seat(state.supplies.index(0))
        others = tuple(tuple(seat for seat in level if seat != winner) for level in ranking)
        ranking = ((winner,), *[level for level in others if level])
    return Outcome(ranking[0], ranking, turn.reason.value)


def _ranked(state: State) -> tuple[tuple[Seat, ...], ...]:
    pagodas = {seat: state.on_board(seat) for seat in state.table.seats}
    return tuple(
        tuple(seat for seat in pagodas if pagodas[seat] == count)
        for count in sorted(set(pagodas.values()), reverse=True)
    )
