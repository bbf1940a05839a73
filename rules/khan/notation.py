"""Khan's nouns, moves and events, each stated once; docs/khan.md lists the moves."""

from typing import Final

from rules.kernel.actors import Actor
from rules.kernel.cells import Cell
from rules.kernel.composed import Gathered
from rules.kernel.forms import Unnamed
from rules.kernel.language import Language
from rules.kernel.nouns import CELL, Choice, Flag, Named, Seats, number
from rules.kernel.phrases import fact, phrase
from rules.kernel.statements import Statements
from rules.khan import events as e
from rules.khan import moves as m
from rules.khan.board import CellSet
from rules.khan.cards import REGIONS, SPECIALS, CardKind, Leader
from rules.khan.shapes import ShapeKind
from rules.khan.state import State, Table


def _footprint(_: Table, cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
    if not cells or len(set(cells)) < len(cells):
        raise Unnamed("a cell stands twice in the footprint", "expected the cells under a piece, each once")
    return tuple(sorted(cells))


def _cell_set(table: Table, cells: tuple[Cell, ...]) -> CellSet:
    return table.parts.board.union(_footprint(table, cells))


SEAT: Final = Seats[Table](lambda table: table.names)
CARD: Final = Named[Table, CardKind]("card", lambda table: table.parts.faces, too_many=True)
LEADER: Final = Named[Table, Leader]("leader", lambda table: table.parts.leader_names)
SHAPE: Final = Named[Table, ShapeKind]("shape", lambda table: table.parts.shape_names)
REGION: Final = Choice("region", REGIONS, [region.word for region in REGIONS])
SPECIAL: Final = Choice("special", SPECIALS, [special.name.lower() for special in SPECIALS], "special card")
CAUSE: Final = Choice("cause", tuple(e.Cause), [cause.value for cause in e.Cause])
COUNT: Final = number("count", (1 << 32) - 1)
FOOTPRINT: Final = Gathered[Table, tuple[Cell, ...], Cell](
    "cells", CELL, lambda _, cells: sorted(cells), _footprint, article="its cells"
)
CELLS: Final = Gathered[Table, CellSet, Cell](
    "cells", CELL, lambda table, cells: table.parts.board.each(cells), _cell_set
)

MOVES: Final[Statements[Table, m.Move]] = Statements(
    m.Move,
    phrase("first", m.DrawFirstPlayer, SEAT, chance=True),
    phrase("turn", m.TurnCard, CARD, chance=True),
    phrase("draw", m.DrawCard, CARD.or_unknown(), chance=True),
    phrase("yurt", m.PlaceYurt, CELL),
    phrase("invade", m.Invade, CELL, CARD),
    phrase("chase", m.Chase, LEADER),
    phrase("conquer", m.Conquer, SHAPE, FOOTPRINT),
    phrase("anywhere", m.InvadeAnywhere, CELL),
    phrase("discard", m.Discard, CARD),
    phrase("done", m.Finish),
    phrase("morale", m.RaiseMorale),
    phrase("protection", m.InvokeProtection),
    phrase("support", m.InvokeSupport, REGION.or_nothing()),
    phrase("explore", m.Explore, SHAPE),
    phrase("agree", m.Agree),
    phrase("refuse", m.Refuse),
    phrase("pass", m.Pass, arm="pass_turn"),
)

EVENTS: Final[Statements[Table, e.Event]] = Statements(
    e.Event,
    fact(e.FirstPlayerDrawn, SEAT),
    fact(e.OpeningYurtPlaced, SEAT, CELL),
    fact(e.CardDrawn, SEAT, CARD.or_unknown()),
    fact(e.CardsDrawn, SEAT, COUNT),
    fact(e.DeckReshuffled),
    fact(e.TurnBegan, SEAT),
    fact(e.CardTurned, CARD),
    fact(e.LeaderFled, LEADER, CELL, CELL, Flag("from camp")),
    fact(e.LeaderRemoved, LEADER, CELL, CAUSE),
    fact(e.FinalPhaseTriggered, Flag("in actions")),
    fact(e.YurtPlacedByCard, SEAT, CARD, CELL),
    fact(e.LeaderAnnounced, SEAT, LEADER),
    fact(e.YurtPlacedAnywhere, SEAT, CELL),
    fact(e.CardDiscarded, SEAT, CARD),
    fact(e.DiscardingEnded, SEAT),
    fact(e.ConquestProposed, SEAT, SHAPE, CELLS, SEAT.several()),
    fact(e.ConsentGiven, SEAT),
    fact(e.ConsentRefused, SEAT),
    fact(e.PiecePlaced, SEAT, SHAPE, CELLS, SEAT.several()),
    fact(e.ActionForfeited, SEAT),
    fact(e.SpecialRetired, SEAT, SPECIAL),
    fact(e.SpecialUsed, SEAT, SPECIAL, REGION.or_nothing(), SHAPE.or_nothing()),
    fact(e.SpecialDeclined, SEAT),
    fact(e.TurnPassed, SEAT),
    fact(e.MatchEnded, COUNT.several(), SEAT.several()),
)

LANGUAGE: Final = Language(MOVES, lambda table: table.names, lambda table: (table.parts, table.names))


def write_move(state: State, actor: Actor, move: m.Move) -> str:
    """The move as a transcript has it, its actor included; footprints are canonical."""
    return LANGUAGE.write(state.table, actor, move)


def read_move(state: State, text: str) -> tuple[Actor, m.Move]:
    """The actor and the move of a transcript's line."""
    return LANGUAGE.read(state.table, text)
