"""The rules of Qin against python-chess and against the naive reducer of the tests, in one run."""

import random
import sys
from typing import Final

import chess

from rules.kernel.rule import Illegal
from rules.kernel.setup import UNRECORDED
from rules.kernel.value import Value
from rules.qin.components import BIRD
from rules.qin.game import QIN
from rules.qin.moves import PlaceTile
from rules.qin.notation import write_placement
from rules.qin.placements import ALL_KINDS, placements
from rules.qin.state import OVER, PLACING, Placing, State, Table
from tests.rules.qin.naive import Naive
from tools.dev.bench.qin_games import Game, play, start
from tools.dev.bench.report import Line
from tools.dev.bench.rounds import measure

GAMES: Final = 24
PLIES: Final = 80
MIDDLE: Final = (15, 25, 35, 45)
"""After so many moves a position counts as mid-game."""


_SHARED: Final = (*range(257), *PLACING, *OVER.values())
"""Values that all states have in common: Python's own small numbers, whose turn it is."""


def lines(rounds: int) -> list[Line]:
    """Everything measured of the rules."""
    games = [play(seed, 2 + seed % 3) for seed in range(GAMES)]
    chess_games = [_chess_game(seed) for seed in range(GAMES)]
    return [*_applying(games, chess_games, rounds), *_listing(games, chess_games, rounds), _size(games)]


def _applying(games: list[Game], chess_games: list[list[chess.Move]], rounds: int) -> list[Line]:
    found = measure(
        {
            "qin": lambda: sum(_apply(game) for game in games),
            "chess": lambda: sum(_apply_chess(moves) for moves in chess_games),
            "naive": lambda: sum(_apply_naive(game) for game in games[:1]),
        },
        rounds,
    )
    return [
        Line("Qin: validate and apply, events included", found.rate("qin"), "moves/s"),
        Line("python-chess: move in legal_moves, then push", found.rate("chess"), "moves/s"),
        Line("the naive reducer of the tests", found.rate("naive"), "moves/s"),
        Line("validate and apply, to python-chess", found.ratio("qin", "chess"), "x", 1.0),
        Line("validate and apply, to the naive reducer", found.ratio("qin", "naive"), "x", 20.0),
    ]


def _listing(games: list[Game], chess_games: list[list[chess.Move]], rounds: int) -> list[Line]:
    middles = [(state, held) for game in games for state, held in _middles(game)]
    boards = [board for moves in chess_games for board in _chess_middles(moves)]

    def listed(*, all_kinds: bool) -> int:
        for state, held in middles:
            if isinstance(state.turn, Placing):
                list(placements(state, state.turn.seat, ALL_KINDS if all_kinds else held))
        return len(middles)

    def listed_chess() -> int:
        for board in boards:
            list(board.legal_moves)
        return len(boards)

    found = measure(
        {
            "hand": lambda: listed(all_kinds=False),
            "all": lambda: listed(all_kinds=True),
            "chess": listed_chess,
        },
        rounds,
    )
    return [
        Line("Qin: list all placements of a hand, mid-game", found.rate("hand"), "positions/s"),
        Line("Qin: list all placements of all six kinds, mid-game", found.rate("all"), "positions/s"),
        Line("python-chess: list all legal moves", found.rate("chess"), "positions/s"),
        Line("listing a hand, to python-chess", found.ratio("hand", "chess"), "x", 1.0),
        Line("listing all six kinds, to python-chess", found.ratio("all", "chess"), "x"),
    ]


def _apply(game: Game) -> int:
    state = start(game.seats, UNRECORDED)
    for actor, move in game.moves:
        verdict = QIN.decide(state, actor, move)
        if isinstance(verdict, Illegal):
            raise TypeError(verdict)
        state = QIN.fold(state, verdict)
    return len(game.moves)


def _apply_naive(game: Game) -> int:
    naive = Naive(BIRD.data, game.seats)
    done = 0
    for actor, move in game.moves:
        if isinstance(move, PlaceTile) and isinstance(actor, int):
            naive.play(actor, write_placement(move))
            done += 1
    return done


def _chess_game(seed: int) -> list[chess.Move]:
    chance = random.Random(seed)  # noqa: S311 - the same games every time
    board = chess.Board()
    moves: list[chess.Move] = []
    while not board.is_game_over() and len(moves) < PLIES:
        moves.append(chance.choice(list(board.legal_moves)))
        board.push(moves[-1])
    return moves


def _apply_chess(moves: list[chess.Move]) -> int:
    board = chess.Board()
    for move in moves:
        if move not in board.legal_moves:
            raise TypeError(move)
        board.push(move)
    return len(moves)


def _middles(game: Game) -> list[tuple[State, int]]:
    """Mid-game positions with the kinds that the seat to act held in the real game."""
    found = []
    state = start(game.seats, UNRECORDED)
    for number, (actor, move) in enumerate(game.moves):
        if number in MIDDLE:
            found.append((state, game.held[number]))
        verdict = QIN.decide(state, actor, move)
        if isinstance(verdict, Illegal):
            raise TypeError(verdict)
        state = QIN.fold(state, verdict)
    return found


def _chess_middles(moves: list[chess.Move]) -> list[chess.Board]:
    boards = []
    board = chess.Board()
    for number, move in enumerate(moves):
        if number in MIDDLE:
            boards.append(board.copy(stack=False))
        board.push(move)
    return boards


def _size(games: list[Game]) -> Line:
    """The largest state of any of the games, in bytes, with all that belongs to it alone."""
    largest = 0
    for game in games:
        state = start(game.seats, UNRECORDED)
        for actor, move in game.moves:
            verdict = QIN.decide(state, actor, move)
            if not isinstance(verdict, Illegal):
                state = QIN.fold(state, verdict)
            largest = max(largest, _bytes(state, set()))
    return Line("the largest state of these games, its table apart", largest, "bytes", 4096, at_most=True)


def _bytes(value: object, seen: set[int]) -> int:
    if id(value) in seen or isinstance(value, Table) or value in _SHARED:
        return 0
    seen.add(id(value))
    parts: tuple[object, ...] = ()
    if isinstance(value, tuple):
        parts = value
    elif isinstance(value, Value):
        parts = tuple(getattr(value, name) for name in type(value).__match_args__)
    return sys.getsizeof(value) + sum(_bytes(part, seen) for part in parts)
