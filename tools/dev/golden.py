"""Plays matches of Qin with random and greedy players, and writes them as golden transcripts.

An existing transcript is never written again: every later build must verify it.
"""

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Final

import click

from records.files.tags import write_header
from records.files.transcript import Comment, Item, Tag, Transcript, TranscriptLine, write_transcript
from records.games.registry import find_game
from rules.kernel.actors import CHANCE, Actor, Seat
from rules.kernel.rule import Illegal
from rules.kernel.setup import Draws, Setup
from rules.qin.game import QIN
from rules.qin.moves import DealTiles, DeclareEnd, DrawTile, Move, Pass, PlaceTile
from rules.qin.notation import read_move, write_move
from rules.qin.position import write_position
from rules.qin.rulebook import QIN_1
from rules.qin.state import Drawing, State
from rules.qin.tiles import EACH, EMPTY, HAND, KINDS, Kind, hand_of, tiles_in

FOLDER: Final = Path(__file__).resolve().parents[2] / "tests/records/golden/qin"
"""Folder of the golden transcripts."""

POSITION: Final = "FinalPosition"
"""Name of the tag with the final position."""

_NAMES: Final = ("green", "violet", "white", "black")
"""Names of the seats, in seat order."""

LAKE: Final = "map:.....a/.R.~.a/..~~../b.~.Y./b...../...B.."
"""A board with water in the middle."""

TWINS: Final = "map:R......./.aa..b../....Y.../..c...dd/B......."
"""A board with villages of two cells."""

CORRIDOR: Final = "map:R.................a......Y"
"""A board of a single row, as wide as a board can be."""

TALL: Final = "map:" + "/".join(["R.", *[".."] * 40, "a.", *[".."] * 55, ".B"])
"""A board of two columns, almost as high as a board can be."""

CRAMPED: Final = "map:R.R.R/..a../Y...Y/.b.../B.B.B"
"""A small board with many starting territories."""

STARTS_SIDE_BY_SIDE: Final = "map:RR..../..YY../....BB/a....b"
"""A board with adjacent starting territories."""

POND: Final = "map:R.Y/.../B.~"
"""A board of three by three cells, with water in a corner."""


@dataclass(frozen=True, slots=True)
class Played:
    """A match that was played."""

    entries: tuple[TranscriptLine, ...]
    end: State

    @property
    def reason(self) -> str:
        """Why it is over; empty if it is not."""
        outcome = QIN.outcome(self.end)
        return outcome.reason if outcome else ""

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The winners; empty if it is not over."""
        outcome = QIN.outcome(self.end)
        return outcome.winners if outcome else ()

    @property
    def passes(self) -> int:
        """Number of passes."""
        return sum(entry.text.endswith(" pass") for entry in self.entries)


@dataclass(frozen=True, slots=True)
class Case:
    """A match to play."""

    seats: int = 2
    board: str = "bird"
    draws: Draws = Draws.UNRECORDED
    rulings: tuple[tuple[str, str], ...] = ()
    greedy: bool = False
    hidden: float = 0.0
    """Share of recorded draws that do not name the tile."""
    piles: bool = False
    """Whether draws name their pile."""
    idle: float = 0.0
    """Share of turns in which a seat passes although it could place."""
    stop: int = 1000
    """Number of entries after which nobody places."""
    ends: bool = False
    """Whether the players then declare the end of the match."""
    seed: int = 0
    wanted: Callable[[Played], bool] = lambda _: True
    """Seeds are tried from `seed` on until a match satisfies this."""
    annotated: bool = False
    """Whether the transcript has further tags and comments."""

    @property
    def setup(self) -> Setup:
        """The setup of the match."""
        return Setup(QIN_1, _NAMES[: self.seats], self.board, self.draws, self.rulings)


RECORDED: Final = Draws.RECORDED
"""Short for the cases below."""


def _last_pagoda(played: Played) -> bool:
    return played.reason == "last-pagoda"


def _stalled(played: Played) -> bool:
    return played.reason == "no-placement"


def _shared(played: Played) -> bool:
    return len(played.winners) > 1


def _passed(played: Played) -> bool:
    return played.passes > 0


def _matters(played: Played) -> bool:
    """Whether the match would have gone differently by the default rulings."""
    state = QIN.start(replace(QIN.setup(played.end), rulings=()))
    for entry in played.entries:
        verdict = QIN.decide(state, *read_move(state, entry.text))
        if isinstance(verdict, Illegal):
            return True
        state = QIN.fold(state, verdict)
    return state.turn != played.end.turn or state.provinces != played.end.provinces


def _won_in_anothers_turn(played: Played) -> bool:
    mover = played.entries[-1].text.split()[0]
    return _last_pagoda(played) and [played.end.table.names[seat] for seat in played.winners] != [mover]


CASES: Final = {
    "two-random": Case(seed=1),
    "three-random": Case(3, seed=2),
    "four-random": Case(4, seed=3),
    "two-greedy": Case(greedy=True, seed=4),
    "three-greedy": Case(3, greedy=True, seed=5),
    "four-greedy": Case(4, greedy=True, seed=6),
    "two-recorded": Case(draws=RECORDED, seed=7),
    "three-recorded": Case(3, draws=RECORDED, seed=8),
    "four-recorded": Case(4, draws=RECORDED, seed=9),
    "two-recorded-greedy": Case(draws=RECORDED, greedy=True, seed=10),
    "three-recorded-greedy": Case(3, draws=RECORDED, greedy=True, seed=11),
    "four-recorded-piles": Case(4, draws=RECORDED, piles=True, seed=12),
    "two-recorded-six-piles": Case(draws=RECORDED, piles=True, rulings=(("piles", "6"),), seed=13),
    "three-recorded-partly": Case(3, draws=RECORDED, hidden=0.3, seed=14),
    "two-recorded-not-told": Case(draws=RECORDED, hidden=1.0, stop=40, seed=15),
    "last-pagoda": Case(seed=16, wanted=_last_pagoda, annotated=True),
    "last-pagoda-in-anothers-turn": Case(3, draws=RECORDED, seed=10, wanted=_won_in_anothers_turn),
    "stalled": Case(4, draws=RECORDED, seed=17, wanted=_stalled),
    "stalled-pond": Case(board=POND, draws=RECORDED, wanted=_stalled),
    "shared-victory": Case(4, draws=RECORDED, seed=1, wanted=_shared),
    "shared-on-a-lake": Case(3, board=LAKE, draws=RECORDED, seed=7, wanted=_shared),
    "shared-by-both": Case(board=CRAMPED, wanted=_shared),
    "forced-pass": Case(3, board=CRAMPED, draws=RECORDED, seed=2608, wanted=_passed),
    "forced-pass-on-bird": Case(draws=RECORDED, seed=8585, wanted=_passed),
    "idle-passes": Case(3, idle=0.2, seed=18),
    "end-declared": Case(4, stop=30, ends=True, seed=19),
    "end-declared-on-a-lake": Case(board=LAKE, stop=4, ends=True, seed=20, annotated=True),
    "unfinished": Case(3, stop=25, seed=21, annotated=True),
    "unfinished-in-the-deal": Case(4, draws=RECORDED, stop=2, seed=22),
    "nothing-played": Case(stop=0),
    "lake": Case(4, board=LAKE, seed=23),
    "twins": Case(board=TWINS, greedy=True, seed=24),
    "corridor": Case(board=CORRIDOR, draws=RECORDED, seed=25),
    "tall": Case(3, board=TALL, stop=60, seed=26),
    "starts-side-by-side": Case(board=STARTS_SIDE_BY_SIDE, seed=27),
    "major-keeps": Case(4, rulings=(("major-conflict", "major-keeps"),), seed=163, wanted=_matters),
    "largest-counts": Case(3, rulings=(("join-count", "largest"),), seed=67, wanted=_matters),
    "any-tie": Case(4, rulings=(("join-tie", "any"),), seed=1565, wanted=_matters),
    "singles-to-the-mover": Case(rulings=(("singles", "mover"),), seed=18, wanted=_matters),
    "settled": Case(4, rulings=(("last-pagoda", "settled"),), seed=850, wanted=_matters),
    "stuck-ends": Case(
        3, board=CRAMPED, draws=RECORDED, rulings=(("stuck", "end"),), seed=2608, wanted=_matters
    ),
    "fair-start": Case(draws=RECORDED, rulings=(("fair-start", "redeal-all"), ("hands", "open")), seed=28),
    "every-ruling": Case(
        4,
        draws=RECORDED,
        piles=True,
        rulings=(
            ("fair-start", "redeal-all"),
            ("hands", "open"),
            ("join-count", "largest"),
            ("join-tie", "any"),
            ("last-pagoda", "settled"),
            ("major-conflict", "major-keeps"),
            ("piles", "3"),
            ("singles", "mover"),
            ("stuck", "end"),
        ),
        seed=29,
    ),
}
"""The matches to play, by the names of their transcripts."""


def transcript_of(case: Case, played: Played) -> Transcript:
    """The transcript of a match."""
    names = case.setup.seats
    further = [Tag(POSITION, write_position(played.end))]
    if case.annotated:
        further = [Tag("Event", r'The "golden" \ cup'), Tag("Date", "2026-11-16", "not a real one"), *further]
    game = find_game(QIN.about.key)
    tags = write_header(game, case.setup, [names[seat] for seat in played.winners] or None, further)
    items: tuple[Item, ...] = (*tags, *played.entries)
    if case.annotated and played.entries:
        first = replace(played.entries[0], comment="the first; with a semicolon")
        items = (Comment("before everything"), *tags, Comment(""), first, Comment("on a line of its own"))
        items += played.entries[1:]
    return Transcript(items)


def play(case: Case, seed: int) -> Played:
    """Play the match of a seed."""
    chance = random.Random(seed)  # noqa: S311 - the same seed must play the same match again
    bag = _bag(case, chance)
    state = QIN.start(case.setup)
    entries: list[TranscriptLine] = []
    while (awaited := QIN.awaiting(state)) and (case.ends or len(entries) < case.stop):
        actor = awaited[0]
        move: Move
        if actor is CHANCE:
            move = _chance_move(case, state, bag, chance)
        elif len(entries) < case.stop:
            move = _choose(case, state, actor, chance)
        else:
            move = DeclareEnd()
        entries.append(TranscriptLine(write_move(state, actor, move)))
        state = _after(state, actor, move)
    return Played(tuple(entries), state)


def _bag(case: Case, chance: random.Random) -> list[Kind]:
    """The tiles in the order in which they are drawn."""
    fair = dict(case.rulings).get("fair-start") == "redeal-all"
    bag = [kind for kind in KINDS for _ in range(EACH)]
    while True:
        chance.shuffle(bag)
        hands = [bag[HAND * seat : HAND * (seat + 1)] for seat in range(case.seats)]
        if not fair or all(any(tile.plain for tile in hand) for hand in hands):
            return list(bag)


def _chance_move(case: Case, state: State, bag: list[Kind], chance: random.Random) -> Move:
    def next_tile() -> Kind | None:
        tile = bag.pop(0)
        return None if chance.random() < case.hidden else tile

    if isinstance(state.turn, Drawing):
        tile = next_tile()
        piles = [None, *range(1, len(state.drawn) + 1)] if case.piles else [None]
        draws = [DrawTile(tile, pile) for pile in piles]
        # A hidden tile may have been played as another kind than the one in the bag.
        return chance.choice([draw for draw in draws if _is_legal(state, draw)] or [DrawTile(None)])
    seat = Seat(state.hands.index(EMPTY))
    return DealTiles(seat, tiles_in(hand_of(tuple(next_tile() for _ in range(HAND)))))


def _choose(case: Case, state: State, seat: Actor, chance: random.Random) -> Move:
    moves = list(QIN.legal_moves(state, seat))
    placements = [move for move in moves if isinstance(move, PlaceTile)]
    if not placements:
        return moves[0]
    if chance.random() < case.idle and Pass() in moves:
        return Pass()
    if not case.greedy:
        return chance.choice(placements)
    chance.shuffle(placements)
    return max(placements, key=lambda move: _gain(state, seat, move))


def _gain(state: State, seat: Actor, move: Move) -> int:
    after = _after(state, seat, move)
    return sum(after.on_board(other) * (1 if other == seat else -1) for other in state.table.seats)


def _after(state: State, actor: Actor, move: Move) -> State:
    verdict = QIN.decide(state, actor, move)
    if isinstance(verdict, Illegal):
        raise TypeError(f"{move} breaks {verdict.violations[0].rule.id}")
    return QIN.fold(state, verdict)


def _is_legal(state: State, draw: DrawTile) -> bool:
    return not isinstance(QIN.decide(state, CHANCE, draw), Illegal)


def _missing(folder: Path) -> Iterator[tuple[Path, Case]]:
    for name, case in CASES.items():
        path = folder / f"{name}.shiji"
        if not path.exists():
            yield path, case


@click.command()
def main() -> None:
    """Play and write the golden transcripts that do not exist yet."""
    for path, case in _missing(FOLDER):
        played = next(played for seed in count(case.seed) if case.wanted(played := play(case, seed)))
        path.write_text(write_transcript(transcript_of(case, played)), encoding="utf-8")
        click.echo(f"{path.name}: {len(played.entries)} entries, {played.reason or 'unfinished'}")


if __name__ == "__main__":
    main()
