"""Khan's moves and events, one line each; docs/khan.md lists the moves."""

from typing import Final

from rules.kernel.actors import Actor
from rules.kernel.language import Language
from rules.kernel.nouns import CELL, Flag
from rules.kernel.phrases import fact, phrase
from rules.kernel.statements import Statements
from rules.khan import events as e
from rules.khan import moves as m
from rules.khan.names import CARD, CAUSE, CELLS, COUNT, FOOTPRINT, LEADER, REGION, SEAT, SHAPE, SPECIAL
from rules.khan.state import State, Table

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

_TEXT: Final = Language(MOVES, lambda table: table.names, lambda table: (table.parts, table.names))


def write_move(state: State, actor: Actor, move: m.Move) -> str:
    """The move as a transcript has it, its actor included; footprints are canonical."""
    return _TEXT.write(state.table, actor, move)


def read_move(state: State, text: str) -> tuple[Actor, m.Move]:
    """The actor and the move of a transcript's line."""
    return _TEXT.read(state.table, text)
