"""A new move of Khan needs its class, a line of notation and a line of its task: everything else follows."""

from typing import Final, TypeAlias

from msgspec import Struct

from records.codec.derived import Messages, derived
from records.codec.khan_state import state_bytes
from records.codec.schema import schema
from rules.kernel.actors import Seat
from rules.kernel.agenda import Agenda, by_checks
from rules.kernel.cells import cell_at, cell_name
from rules.kernel.language import Language
from rules.kernel.nouns import CELL
from rules.kernel.perft import perft_of
from rules.kernel.phrases import phrase
from rules.kernel.rule import Breach, Check, Illegal, Violation
from rules.kernel.statements import Statements
from rules.kernel.tasks import TaskCase
from rules.khan import rulebook, tasks
from rules.khan.agenda import ANSWER, POWER, STEP, Task, awaited, pending
from rules.khan.events import ActionForfeited, Event
from rules.khan.evolve import fold
from rules.khan.game import KHAN
from rules.khan.moves import Move, Pass
from rules.khan.notation import EVENTS, MOVES
from rules.khan.state import Acting, State, Table
from rules.khan.view import VIEWS
from tests.rules.khan.positions import position
from tests.rules.laws import cited

# moves.py


class Burn(Struct, frozen=True, gc=False):
    """Burn one's own yurt, for an action."""

    cell: int


Moves: TypeAlias = Move | Burn

# notation.py

STATED: Final[Statements[Table, Moves]] = Statements(Moves, *MOVES.each, phrase("burn", Burn, CELL))

# tasks.py


def _is_not_own(case: TaskCase[State, Acting, Burn]) -> Breach | None:
    bit = case.state.table.parts.board.bit[case.move.cell]
    return None if bit & case.state.yurts[case.task.seat] else Breach("no own yurt stands there")


ACTING: Final = tasks.ACTING.takes(
    Burn,
    (Check(rulebook.FREE_1, _is_not_own),),
    each=lambda state, due: map(Burn, state.table.parts.board.each(state.yurts[due.seat])),
    then=lambda case: (ActionForfeited(case.task.seat),),
)

# What follows is Khan's own, over the wider union.

AGENDA: Final[Agenda[State, Task, Moves, Event]] = Agenda(
    Task,
    tasks.CONSENT,
    tasks.BEGINNING,
    tasks.OPENING,
    tasks.DRAWING,
    tasks.TURNING,
    ACTING,
    tasks.DISCARDING,
    tasks.CHOOSING,
    tasks.CONQUERING,
    pending=pending,
    fold=fold,
    public=VIEWS.public,
    out_of_turn=lambda state, _: Violation(rulebook.TURN_1, awaited(state)),
    not_now=by_checks(POWER, ANSWER, STEP),
)
TEXT: Final = Language(STATED, lambda table: table.names, lambda table: (table.parts, table.names))
CODEC: Final = derived(
    lambda state: state.table,
    STATED,
    EVENTS,
    Messages(*schema("shiji.khan.v2", STATED, EVENTS).classes()),
    state_bytes=state_bytes,
    same_names=lambda table: (table.parts, len(table.names)),
)

RED: Final = Seat(0)
STATE: Final = position({"b9": "1", "c9": "1"}, "act:red:2")
B9: Final = cell_at(8, 1)


def test_it_is_written_and_read() -> None:
    assert cell_name(B9) == "b9"
    assert TEXT.write(STATE.table, RED, Burn(B9)) == "red burn b9"
    assert TEXT.read(STATE.table, "red burn b9") == (RED, Burn(B9))
    assert dict(TEXT.phrases)[Burn] == "burn CELL"


def test_it_travels_in_messages() -> None:
    assert CODEC.decode_move(STATE, CODEC.encode_move(STATE, Burn(B9))) == Burn(B9)


def test_the_bytes_of_all_other_moves_stay_as_they_are() -> None:
    for move in KHAN.legal_moves(STATE, RED):
        assert CODEC.decode_move(STATE, CODEC.encode_move(STATE, move)) == move


def test_it_is_listed_after_the_others_and_judged() -> None:
    listed = list(AGENDA.legal_moves(STATE, RED))

    assert listed[-2:] == [Burn(B9), Burn(cell_at(8, 2))]
    assert listed[:-2] == list(KHAN.legal_moves(STATE, RED))
    assert all(not isinstance(AGENDA.decide(STATE, RED, move), Illegal) for move in listed)
    assert cited(AGENDA.decide(STATE, RED, Burn(cell_at(0, 0)))) == ["KHAN-FREE-1"]


def test_in_another_step_it_breaks_the_rule_of_that_step() -> None:
    assert cited(AGENDA.decide(position({}, "special:red"), RED, Burn(B9))) == ["KHAN-TURN-1"]
    assert cited(AGENDA.decide(STATE, Seat(1), Burn(B9))) == ["KHAN-TURN-1"]
    assert cited(AGENDA.decide(STATE, RED, Pass())) == cited(KHAN.decide(STATE, RED, Pass()))


def test_it_counts_in_perft() -> None:
    count = perft_of(
        AGENDA.awaiting,
        AGENDA.legal_moves,
        AGENDA.decide,
        fold,
        lambda state, actor, move: TEXT.write(state.table, actor, move),
    ).count

    assert count(STATE, 1) == KHAN.perft.count(STATE, 1) + 2
