"""A new move of Khan needs its class, a line of notation and a line of its task: everything else follows."""

from dataclasses import replace
from typing import Final, TypeAlias, cast

import pytest
from msgspec import Struct

from records.codec.derived import Messages, derived
from records.codec.khan_state import state_bytes
from records.codec.schema import schema
from records.games.bound import bind_stated
from records.games.candidate import Candidate
from records.games.state import Applied
from rules.kernel.actors import AUDITOR, SPECTATOR, Seat, Viewer
from rules.kernel.agenda import Agenda, by_checks
from rules.kernel.cells import cell_at, cell_name
from rules.kernel.display import Highlights, TerminalSize
from rules.kernel.game import Game, Notation
from rules.kernel.language import Language
from rules.kernel.nouns import CELL
from rules.kernel.perft import perft_of
from rules.kernel.phrases import phrase
from rules.kernel.plugin import Plugin
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
from tests.rules.laws import cited, seeded
from tools.laws.court import Law, court
from tools.laws.derived import derived_trial
from tools.laws.numbers import changed

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
SCHEMA: Final = schema("shiji.khan.v1", STATED, EVENTS)
CODEC: Final = derived(
    lambda state: state.table,
    STATED,
    EVENTS,
    Messages(*SCHEMA.classes()),
    state_bytes=state_bytes,
    same_names=lambda table: (table.parts, len(table.names)),
)
GROWN: Final = replace(
    # In Khan itself the union would be the wider one, and with it the types of its views and pictures.
    cast("Game[State, Moves, Event]", KHAN),
    decide=AGENDA.decide,
    legal_moves=AGENDA.legal_moves,
    awaiting=AGENDA.awaiting,
    play=AGENDA.play,
    notation=replace(
        cast("Notation[State, Moves]", KHAN.notation),
        write_move=lambda state, actor, move: TEXT.write(state.table, actor, move),
        read_move=lambda state, text: TEXT.read(state.table, text),
    ),
    perft=perft_of(
        AGENDA.awaiting,
        AGENDA.legal_moves,
        AGENDA.decide,
        fold,
        lambda state, actor, move: TEXT.write(state.table, actor, move),
    ),
)
BOUND: Final = bind_stated(Plugin(GROWN, State, lambda state: state.table, STATED, EVENTS), CODEC)

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
    assert GROWN.perft.count(STATE, 1) == KHAN.perft.count(STATE, 1) + 2


# As records, the service and pages reach it.

BEFORE: Final = BOUND.read_position(KHAN.notation.write_position(STATE))


def burned() -> tuple[Candidate, Applied]:
    candidate = BEFORE.parse_text("red burn b9")
    verdict = BEFORE.judge(candidate)
    assert not isinstance(verdict, Illegal)
    return candidate, verdict


def test_the_position_after_it_is_a_line_that_reads_the_same() -> None:
    _, applied = burned()

    after = applied.after

    assert "act:red:1" in after.position()
    assert BOUND.read_position(after.position()) == after


@pytest.mark.parametrize("viewer", [RED, Seat(1), SPECTATOR, AUDITOR])
def test_views_show_it_to_everybody_and_judge_it_as_in_full(viewer: Viewer) -> None:
    candidate, applied = burned()

    seen = BEFORE.view(viewer)
    verdict = seen.judge(BEFORE.seen_move(candidate, viewer))

    assert seen.write_move(BEFORE.seen_move(candidate, viewer)) == "red burn b9"
    assert not isinstance(verdict, Illegal)
    assert verdict.events == BEFORE.seen_events(applied.events, viewer)
    assert verdict.after.view(viewer) == applied.after.view(viewer)


def test_it_is_added_to_the_proto_and_no_number_changes() -> None:
    before, now = schema("shiji.khan.v1", MOVES, EVENTS).text(), SCHEMA.text()

    assert [*changed(before, now)] == []
    added = [line for line in now.splitlines() if line not in before.splitlines()]
    assert added == [
        "    // `burn`.",
        "    Burn burn = 18;",
        "// Burn one's own yurt, for an action.",
        "message Burn {",
    ]


def test_it_is_described_and_drawn() -> None:
    candidate, applied = burned()
    last = Highlights(last=candidate)

    assert BEFORE.display.kind(candidate) == "burn"
    assert [said.text for said in BEFORE.display.describe(applied.events)] == ["red had no action to take"]
    styled = applied.after.display.styled_lines(last, TerminalSize(80))
    assert styled == applied.after.display.styled_lines(Highlights(), TerminalSize(80))
    assert applied.after.display.picture(last) == applied.after.display.picture(Highlights())


LAWS: Final = court(derived_trial(BOUND)).laws


@pytest.mark.parametrize("law", LAWS, ids=[law.name for law in LAWS])
def test_khan_with_it_keeps_the_laws(law: Law) -> None:
    for seed in range(3):
        law.holds(seeded(seed))
