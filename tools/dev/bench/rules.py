"""Compares the rules of Qin with python-chess and with the naive reducer of the tests."""

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
from tools.dev.bench.qin_games import PlayedGame, play, start
from tools.dev.bench.report import Figure
from tools.dev.bench.rounds import measure

GAME_COUNT: Final = 24
"""Number of games of Qin and of chess."""

MAX_CHESS_MOVES: Final = 80
"""Maximum moves in a game of chess: about as many as in a game of Qin."""

MID_GAME_MOVES: Final = (15, 25, 35, 45)
"""Numbers of moves after which positions are taken as mid-game."""

_SHARED: Final = (*range(257), *PLACING, *OVER.values())
"""Values that all states share: Python's small integers, and the values for whose turn it is."""


def lines(rounds: int) -> list[Figure]:
    """Measure the rules."""
    games = [play(seed, 2 + seed % 3) for seed in range(GAME_COUNT)]
    chess_games = [_chess_game(seed) for seed in range(GAME_COUNT)]
    return [*_applying(games, chess_games, rounds), *_listing(games, chess_games, rounds), _size(games)]


def _applying(games: list[PlayedGame], chess_games: list[list[chess.Move]], rounds: int) -> list[Figure]:
    found = measure(
        {
            "qin": lambda: sum(_apply(game) for game in games),
            "chess": lambda: sum(_apply_chess(moves) for moves in chess_games),
            "naive": lambda: sum(_apply_naive(game) for game in games[:1]),
        },
        rounds,
    )
    return [
        Figure("Qin: validate and apply, events included", found.rate("qin"), "moves/s"),
        Figure("python-chess: move in legal_moves, then push", found.rate("chess"), "moves/s"),
        Figure("the naive reducer of the tests", found.rate("naive"), "moves/s"),
        Figure("validate and apply, to python-chess", found.ratio("qin", "chess"), "x", 1.0),
        Figure("validate and apply, to the naive reducer", found.ratio("qin", "naive"), "x", 20.0),
    ]


def _listing(games: list[PlayedGame], chess_games: list[list[chess.Move]], rounds: int) -> list[Figure]:
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
        Figure("Qin: list all placements of a hand, mid-game", found.rate("hand"), "positions/s"),
        Figure("Qin: list all placements of all six kinds, mid-game", found.rate("all"), "positions/s"),
        Figure("python-chess: list all legal moves", found.rate("chess"), "positions/s"),
        Figure("listing a hand, to python-chess", found.ratio("hand", "chess"), "x", 1.0),
        Figure("listing all six kinds, to python-chess", found.ratio("all", "chess"), "x"),
    ]


def _apply(game: PlayedGame) -> int:
    state = start(game.seats, UNRECORDED)
    for actor, move in game.moves:
        verdict = QIN.decide(state, actor, move)
        if isinstance(verdict, Illegal):
            raise TypeError(verdict)
        state = QIN.fold(state, verdict)
    return len(game.moves)


def _apply_naive(game: PlayedGame) -> int:
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
    while not board.is_game_over() and len(moves) < MAX_CHESS_MOVES:
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


def _middles(game: PlayedGame) -> list[tuple[State, int]]:
    """Mid-game positions, with the kinds of tile that the acting seat held in the game."""
    found = []
    state = start(game.seats, UNRECORDED)
    for number, (actor, move) in enumerate(game.moves):
        if number in MID_GAME_MOVES:
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
        if number in MID_GAME_MOVES:
            boards.append(board.copy(stack=False))
        board.push(move)
    return boards


def _size(games: list[PlayedGame]) -> Figure:
    """Size of the largest state of the games in bytes, without what states share."""
    largest = 0
    for game in games:
        state = start(game.seats, UNRECORDED)
        for actor, move in game.moves:
            verdict = QIN.decide(state, actor, move)
            if not isinstance(verdict, Illegal):
                state = QIN.fold(state, verdict)
            largest = max(largest, _bytes(state, set()))
    return Figure("the largest state of these games, without its table", largest, "bytes", 4096, at_most=True)


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
