"""From a state and a move to what happens, or to every rule that forbids it."""

from collections.abc import Iterable
from typing import TypeVar, assert_never

from rules.kernel.actors import CHANCE, Actor, Seat
from rules.kernel.rule import Check, Illegal, Rule, Violation, broken
from rules.kernel.setup import RECORDED
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
    Attempt,
    Deal,
    Draw,
    Placement,
    Word,
)
from rules.qin.events import Event, MatchEnded, TileDrawn, TilesDealt, TurnPassed
from rules.qin.evolve import fold, with_tile
from rules.qin.moves import DealTiles, DeclareEnd, DrawTile, Move, Pass, PlaceTile
from rules.qin.outcome import leaders
from rules.qin.placements import ALL_KINDS, TWO_COLOURED, can_place, can_surely_place
from rules.qin.resolve import caused
from rules.qin.state import Dealing, Drawing, EndReason, Placing, State
from rules.qin.tiles import EACH, KIND, KINDS, UNKNOWN, Counts, Kind

Case = TypeVar("Case")


def decide(state: State, actor: Actor, move: Move) -> tuple[Event, ...] | Illegal:
    """The events that the move causes, or the rules that it breaks."""
    turn = state.turn
    if isinstance(turn, Placing):
        if actor == turn.seat:
            if isinstance(move, PlaceTile):
                return _place(state, turn.seat, move)
            return _say(state, turn.seat, move)
    elif actor is CHANCE and isinstance(turn, Drawing | Dealing):
        return _by_chance(state, turn, move)
    return _refused(TURN, Attempt(state, actor))


def play(state: State, actor: Actor, move: Move) -> tuple[tuple[Event, ...], State] | Illegal:
    """The events that the move causes and the state after them, or the rules that it breaks."""
    events = decide(state, actor, move)
    return events if isinstance(events, Illegal) else (events, fold(state, events))


def _say(
    state: State, seat: Seat, move: Pass | DeclareEnd | DealTiles | DrawTile
) -> tuple[Event, ...] | Illegal:
    match move:
        case Pass():
            return _unless(PASSING, Word(state, seat)) or (TurnPassed(seat),)
        case DeclareEnd():
            return _unless(ENDING, Word(state, seat)) or (stall(state),)
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
    table, free = state.table, state.free
    board, first, second = table.board, move.first, move.second
    bit, near = board.bit, board.near
    cell, too = first.cell, second.cell
    tile, beside = bit[cell] | bit[too], near[cell] | near[too]
    if free & tile != tile or not near[cell] & bit[too] or not beside & (board.land ^ free):
        return _refused(GEOMETRY, Placement(state, seat, move))
    events = caused(state, seat, move)
    if not events:
        return _refused(JOINING, Placement(state, seat, move))
    kind = KIND[first.colour][second.colour]
    if not state.may_hold(seat, kind):
        return _refused(HOLDING, Placement(state, seat, move))
    if type(events[-1]) is MatchEnded:
        return events
    if table.draws is RECORDED:
        # While there are tiles to draw, whether anybody can place is asked after the draw (AMB-28).
        return events if state.stock else _unless_stalled(state, events)
    if state.stock or state.hands[(seat + 1) % len(state.hands)][UNKNOWN]:
        placed = state.placed
        free ^= tile
        left = _left(placed, kind) if EACH in placed or placed[kind] == EACH - 1 else ALL_KINDS
        if left & TWO_COLOURED == TWO_COLOURED and _has_open_pair(board, free, beside & free):
            return events
        if can_surely_place(board, with_tile(board, state.territories, move), left):
            return events
    return _unless_stalled(state, events)


def _has_open_pair(board: Board, free: CellSet, beside: CellSet) -> bool:
    """Whether two free cells lie side by side and one of them beside a territory, as these surely do.

    Where no hand is known and a tile of each two-colour kind is left, this shows that the match goes on: each
    of the two cells has at most three territories beside it, so at most one colour is barred there (a join
    takes two provinces), and some two-colour tile can lie on the pair.
    """
    if board.near_at[beside.bit_length()] & free:
        return True
    return bool(board.beside(board.beside(board.land ^ free) & free) & free)


def _left(placed: Counts, kind: Kind) -> int:
    """The kinds of which a tile is left after one of this kind, as bits."""
    left = ALL_KINDS
    for each in KINDS:
        if placed[each] + (each is kind) >= EACH:
            left ^= 1 << each
    return left


def _unless_stalled(state: State, events: tuple[Event, ...]) -> tuple[Event, ...]:
    """The events, and the end of the match where nobody can place a tile after them (QIN-END-3, AMB-28)."""
    after = fold(state, events)
    return (*events, stall(after)) if is_stalled(after) else events


def is_stalled(state: State) -> bool:
    """Whether the seats are to go on placing but no tile that they may hold can be placed.

    Hidden hands count: the end of a match shows to everybody.
    """
    asked = stalling_seats(state)
    if not asked:
        return False
    rulings = state.table.rulings
    held = {state.conceivably_held(seat): seat for seat in asked}
    if rulings.singles_to_mover or len(held) == len(asked):
        return not any(can_place(state, seat, state.conceivably_held(seat)) for seat in asked)
    # Where singles count for nobody, it makes no difference who would place a tile.
    return not any(can_place(state, seat, kinds) for kinds, seat in held.items())


def stalling_seats(state: State) -> tuple[Seat, ...]:
    """The seats that end the match if none of them can place; nobody where no tile is to be placed now."""
    turn = state.turn
    if not isinstance(turn, Placing):
        return ()
    return (turn.seat,) if state.table.rulings.stuck_ends else state.table.seats


def stall(state: State) -> MatchEnded:
    """The end of a match in which nobody can place a tile."""
    return MatchEnded(EndReason.NO_PLACEMENT, leaders(state))


def _unless(checks: Iterable[Check[Case]], case: Case) -> Illegal | None:
    violations = broken(checks, case)
    return Illegal(violations) if violations else None


def _refused(checks: Iterable[Check[Case]], case: Case) -> Illegal:
    return Illegal(broken(checks, case))


def _illegal(rule: Rule, why: str) -> Illegal:
    return Illegal((Violation(rule, why),))
