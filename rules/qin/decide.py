"""From a state and a move to what happens, or to every rule that forbids it."""

from collections.abc import Iterable
from typing import TypeVar, assert_never

from rules.kernel.actors import CHANCE, Actor, Seat
from rules.kernel.rule import Check, Illegal, Rule, Violation, broken
from rules.kernel.setup import Draws
from rules.qin import rulebook
from rules.qin.board import Board, CellSet
from rules.qin.checks import (
    DEAL,
    DEALT_TILES,
    DRAW,
    ENDING,
    GEOMETRY,
    HOLDING,
    JOINING,
    PASSING,
    TURN,
    Asking,
    Deal,
    Draw,
    Placement,
    Word,
)
from rules.qin.events import Event, MatchEnded, TileDrawn, TilesDealt, TurnPassed
from rules.qin.evolve import fold
from rules.qin.growth import growths, owners
from rules.qin.moves import DealTiles, DeclareEnd, DrawTile, Move, Pass, PlaceTile
from rules.qin.outcome import leaders
from rules.qin.placements import can_place
from rules.qin.resolve import resolve
from rules.qin.state import Dealing, Drawing, EndReason, Placing, State
from rules.qin.tiles import EACH, UNKNOWN, Kind

Case = TypeVar("Case")


def decide(state: State, actor: Actor, move: Move) -> tuple[Event, ...] | Illegal:
    """The events that the move causes, or the rules that it breaks."""
    turn = state.turn
    if isinstance(turn, Placing):
        if actor == turn.seat:
            return _by_seat(state, turn.seat, move)
    elif actor is CHANCE and isinstance(turn, Drawing | Dealing):
        return _by_chance(state, turn, move)
    return _refused(TURN, Asking(state, actor))


def _by_seat(state: State, seat: Seat, move: Move) -> tuple[Event, ...] | Illegal:
    match move:
        case PlaceTile():
            return _place(state, seat, move)
        case Pass():
            return _unless(PASSING, Word(state, seat)) or (TurnPassed(seat),)
        case DeclareEnd():
            return _unless(ENDING, Word(state, seat)) or (_stall(state),)
        case DealTiles() | DrawTile():
            return _illegal(rulebook.TURN_1, "tiles come by chance, not by a seat's wish")
        case _:
            assert_never(move)


def _by_chance(state: State, turn: Drawing | Dealing, move: Move) -> tuple[Event, ...] | Illegal:
    match move:
        case DealTiles():
            if isinstance(turn, Drawing):
                return _illegal(rulebook.DRAW_1, "a draw is due, not a deal")
            return _deal(state, move)
        case DrawTile():
            if isinstance(turn, Dealing):
                return _illegal(rulebook.SETUP_2, "the first hands are dealt before anybody draws")
            return _unless(DRAW, Draw(state, move)) or _unless_stalled(
                state, (TileDrawn(turn.seat, move.tile, move.pile),)
            )
        case PlaceTile() | Pass() | DeclareEnd():
            return _illegal(rulebook.TURN_1, "chance only deals and draws")
        case _:
            assert_never(move)


def _deal(state: State, move: DealTiles) -> tuple[Event, ...] | Illegal:
    case = Deal(state, move)
    return (
        _unless(DEAL, case)
        or _unless(DEALT_TILES, case)
        or _unless_stalled(state, (TilesDealt(move.seat, move.tiles),))
    )


def _place(state: State, seat: Seat, move: PlaceTile) -> tuple[Event, ...] | Illegal:
    """Quick questions first; the tables of checks explain a no."""
    table = state.table
    board = table.board
    first, second = move.first.cell, move.second.cell
    one, other = board.bit[first], board.bit[second]
    near = board.near[first]
    taken = state.taken
    free = board.steppe & ~taken
    if not (one & free and other & free and near & other and (near | board.near[second]) & taken):
        return _refused(GEOMETRY, Placement(state, seat, move))
    grown = growths(state, move)
    owned = owners(state, seat, grown)
    if owned is None:
        return _refused(JOINING, Placement(state, seat, move))
    kind, hand = move.kind, state.hands[seat]
    if not (hand[kind] or (hand[UNKNOWN] and state.unseen(kind) > 0)):
        return _refused(HOLDING, Placement(state, seat, move))
    events = resolve(state, seat, move, grown, owned)
    if isinstance(events[-1], MatchEnded):
        return events
    if state.stock:
        if table.draws is Draws.RECORDED:
            return events
        taken |= one | other
        if _surely_goes_on(board, taken, free & ~taken, state.placed, kind):
            return events
    return _unless_stalled(state, events)


def _surely_goes_on(board: Board, taken: CellSet, free: CellSet, placed: bytes, kind: Kind) -> bool:
    """Whether a quick look shows that a tile can be placed, where every seat may hold any kind that is left.

    On a pair of free cells each cell has at most three territories beside it, so at most one colour is barred there
    (a join takes two provinces); then some two-colour tile can lie on the pair.
    """
    stride = board.stride
    touching = taken << 1 | taken >> 1 | taken << stride | taken >> stride
    return bool(
        free & free << 1 & (touching | touching << 1) or free & free << stride & (touching | touching << stride)
    ) and all(placed[two] + (two == kind) < EACH for two in (Kind.RY, Kind.RB, Kind.YB))


def _unless_stalled(state: State, events: tuple[Event, ...]) -> tuple[Event, ...]:
    """The events, and the end of the match where nobody can place a tile after them (QIN-END-3, AMB-28)."""
    after = fold(state, events)
    return (*events, _stall(after)) if is_stalled(after) else events


def is_stalled(state: State) -> bool:
    """Whether the seats are to go on placing but no tile that they may hold can be placed."""
    turn = state.turn
    if not isinstance(turn, Placing):
        return False
    asked = (turn.seat,) if state.table.rulings.stuck_ends else state.table.seats
    return not any(can_place(state, seat, state.possibly_held(seat)) for seat in asked)


def _stall(state: State) -> MatchEnded:
    return MatchEnded(EndReason.NO_PLACEMENT, leaders(state))


def _unless(checks: Iterable[Check[Case]], case: Case) -> Illegal | None:
    violations = broken(checks, case)
    return Illegal(violations) if violations else None


def _refused(checks: Iterable[Check[Case]], case: Case) -> Illegal:
    return Illegal(broken(checks, case))


def _illegal(rule: Rule, why: str) -> Illegal:
    return Illegal((Violation(rule, why),))
