"""The ledger against a model in dictionaries, under random starts, appends, repeats and takebacks."""

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from records.codec.header import Retraction
from records.entry import EntryKind, MatchHeader, MatchId, RetractPolicy
from records.files.record_file import write_record
from records.files.transcript import write_transcript
from records.games.candidate import Candidate
from records.games.registry import find_game
from records.games.state import GameState
from records.ledger.ledger import Ledger
from records.ledger.notices import retract
from records.ledger.results import IllegalAmong, NotAllowed, NothingToRetract
from records.ledger.transfer import ImportConflict, Imported, VerifiedImport, as_transcript, judge, store
from records.log.contract import Log, RequestReused, SequenceTaken
from records.log.memory import MemoryLog
from records.log.sqlite import SqliteLog
from records.verdict import Verified
from rules.kernel.actors import ARBITER, Actor, Seat
from rules.kernel.rule import Illegal
from tests.postgres import NumberedLog, shared_cluster
from tests.records.matches import header

BOARDS = ("map:R...R/.....", "map:R../B..")
TEXTS = (
    "green pass",
    "violet pass",
    "green Rb1Bb2",
    "violet Rd1Bd2",
    "green Yc2Rc1",
    "violet Ra2Bb2",
    "green Rb1Rc1",
)
REQUESTS = st.sampled_from(["a", "b", "a/2", "c"]) | st.uuids().map(str)
BEHIND = st.sampled_from([0, 0, 0, 0, 1, 2, -1])
ACTORS = st.sampled_from([ARBITER, ARBITER, Seat(0), Seat(1), Seat(5)])
POLICIES = st.sampled_from(
    [RetractPolicy.ANY_SEAT, RetractPolicy.ARBITER, RetractPolicy.ANY_SEAT, RetractPolicy.NOBODY]
)


@dataclass
class Record:
    """A match in the model; the lists are indexed by sequence."""

    header: MatchHeader
    requests: list[str]
    asked: list[tuple[int, Actor, object]]
    states: list[GameState]
    """How it stood after each entry."""

    @property
    def head(self) -> int:
        return len(self.states) - 1


@dataclass
class Model:
    records: dict[MatchId, Record] = field(default_factory=dict)

    def entries(self) -> int:
        return sum(len(record.states) for record in self.records.values())


def known(
    record: Record, request: str, asked: Sequence[tuple[int, Actor, object]]
) -> list[int] | type | None:
    """The entries that a request was stored as, or that it was used for something else."""
    if request not in record.requests:
        return None
    made = [
        place
        for place, each in enumerate(record.requests)
        if each == request or each.startswith(f"{request}/")
    ]
    return made if [record.asked[place] for place in made] == list(asked) else RequestReused


class Machine(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.model = Model()
        self.log = self.opened()
        self.ledger = Ledger(self.log, cache=2)

    def opened(self) -> Log:
        return MemoryLog()

    def pick(self, data: st.DataObject, least: int = 0) -> tuple[MatchId, Record]:
        """A match with this number of entries."""
        found = [match for match, record in self.model.records.items() if record.head >= least]
        match = data.draw(st.sampled_from(found))
        return match, self.model.records[match]

    def begun(self) -> bool:
        return any(record.head for record in self.model.records.values())

    def moves(self, data: st.DataObject, record: Record, count: int) -> list[Candidate]:
        """Moves that may well be legal one after the other."""
        state, moves = record.states[-1], []
        for _ in range(count):
            actors = state.awaiting()
            legal = list(state.legal_moves(actors[0])) if actors else []
            if legal and data.draw(st.sampled_from([True, True, False])):
                moves.append(data.draw(st.sampled_from(legal)))
            else:
                moves.append(state.parse_text(data.draw(st.sampled_from(TEXTS))))
            verdict = state.judge(moves[-1])
            state = state if isinstance(verdict, Illegal) else verdict.after
        return moves

    @rule(
        board=st.sampled_from(BOARDS),
        policy=POLICIES,
        request=st.sampled_from(["one", "two", "three"]),
    )
    def start(self, board: str, policy: RetractPolicy, request: str) -> None:
        opening = header(board, retract=policy)
        before = {record.requests[0]: (match, record) for match, record in self.model.records.items()}
        try:
            started = self.ledger.start(opening, request)
        except RequestReused:
            assert request in before
            assert before[request][1].header != opening
            return
        if request in before:
            assert (started.entry.match, opening) == (before[request][0], before[request][1].header)
        else:
            state = find_game("qin").start(opening.setup)
            self.model.records[started.entry.match] = Record(
                opening, [request], [(EntryKind.HEADER, ARBITER, None)], [state]
            )
        assert started.state == self.model.records[started.entry.match].states[0]

    @precondition(lambda self: self.model.records)
    @rule(data=st.data(), behind=BEHIND, request=REQUESTS, count=st.integers(1, 3))
    def append(self, data: st.DataObject, behind: int, request: str, count: int) -> None:
        match, record = self.pick(data)
        moves = self.moves(data, record, count)
        self.ask(match, record, record.head - behind, request, moves)

    @precondition(lambda self: self.model.records)
    @rule(data=st.data(), request=st.uuids().map(str))
    def play(self, data: st.DataObject, request: str) -> None:
        """Legal moves at the right place, so that there is something to repeat and to take back."""
        match, record = self.pick(data)
        for number in range(3):
            awaited = record.states[-1].awaiting()
            if awaited:
                legal = list(record.states[-1].legal_moves(awaited[0]))
                move = data.draw(st.sampled_from(legal))
                self.ask(match, record, record.head, f"{request} {number}", [move])

    @precondition(begun)
    @rule(data=st.data(), behind=BEHIND, count=st.integers(1, 2))
    def repeat(self, data: st.DataObject, behind: int, count: int) -> None:
        """Repeat an earlier request, at any sequence."""
        match, record = self.pick(data, 1)
        asked = [place for place, (kind, _, _) in enumerate(record.asked) if kind == EntryKind.MOVE]
        if not asked:
            return
        first = data.draw(st.sampled_from(asked))
        moves = [
            move
            for kind, _, move in record.asked[first : first + count]
            if kind == EntryKind.MOVE and isinstance(move, Candidate)
        ]
        self.ask(match, record, record.head - behind, record.requests[first], moves)

    def ask(
        self, match: MatchId, record: Record, expected: int, request: str, moves: Sequence[Candidate]
    ) -> None:
        asked = [(EntryKind.MOVE, move.actor, move) for move in moves]
        requests = [request, *(f"{request}/{number}" for number in range(2, len(moves) + 1))]
        before = known(record, request, asked)
        states, illegal = [record.states[-1]], None
        for number, move in enumerate(moves):
            verdict = states[-1].judge(move)
            if isinstance(verdict, Illegal):
                illegal = number
                break
            states.append(verdict.after)
        try:
            answer = self.ledger.append_many(match, expected, request, moves)
        except RequestReused:
            assert before is RequestReused or (
                expected == record.head and set(requests[1:]) & set(record.requests)
            )
        except SequenceTaken as taken:
            assert before is None
            assert expected != record.head == taken.actual  # noqa: PT017 - one of several right answers
        else:
            if isinstance(before, list):
                assert not isinstance(answer, IllegalAmong)
                assert [each.entry.sequence for each in answer] == before
                assert [each.state for each in answer] == [record.states[place] for place in before]
                return
            assert before is None
            assert expected == record.head
            if isinstance(answer, IllegalAmong):
                assert answer.index == illegal
                return
            assert illegal is None
            assert [each.state for each in answer] == states[1:]
            record.requests += requests
            record.asked += asked
            record.states += states[1:]

    @precondition(begun)
    @rule(data=st.data(), behind=BEHIND, request=REQUESTS, actor=ACTORS)
    def retract(self, data: st.DataObject, behind: int, request: str, actor: Actor) -> None:
        match, record = self.pick(data, 1)
        expected = record.head - behind
        back = data.draw(st.integers(0, max(record.head - 1, 0)) | st.sampled_from([-1, record.head]))
        asked = (EntryKind.RETRACT, actor, back)
        before = known(record, request, [asked])
        policy = record.header.retract
        allowed = policy is not RetractPolicy.NOBODY and (
            actor is ARBITER or (policy is RetractPolicy.ANY_SEAT and actor in {Seat(0), Seat(1)})
        )
        try:
            answer = retract(self.ledger, match, expected, request, actor, Retraction(back))
        except NothingToRetract:
            assert not 0 <= back < expected
        except RequestReused:
            assert before is RequestReused
        except SequenceTaken as taken:
            assert before is None
            assert expected != record.head == taken.actual  # noqa: PT017 - one of several right answers
        except NotAllowed:
            assert not allowed
        else:
            if isinstance(before, list):
                assert [answer.entry.sequence] == before
            else:
                assert before is None
                assert allowed
                assert expected == record.head
                record.requests.append(request)
                record.asked.append(asked)
                record.states.append(record.states[back])
            assert answer.state == record.states[answer.entry.sequence]

    @precondition(lambda self: self.model.records)
    @rule(data=st.data())
    def look(self, data: st.DataObject) -> None:
        match, record = self.pick(data)
        sequence = data.draw(st.integers(0, record.head))
        (move,) = self.moves(data, record, 1)
        now = self.ledger.state_at(match)

        assert self.ledger.state_at(match, sequence) == record.states[sequence]
        assert now.judge(move) == record.states[-1].judge(move)

    @precondition(lambda self: self.model.records)
    @rule(data=st.data())
    def export_and_import(self, data: st.DataObject) -> None:
        """What is exported is known here, and the same elsewhere."""
        match, record = self.pick(data)
        entries = list(self.ledger.read(match))
        incoming = judge(b"".join(write_record(entries)))
        assert isinstance(incoming, VerifiedImport)
        elsewhere = Ledger(MemoryLog())

        assert store(self.log, [incoming]) == [Imported(match, record.head, 0)]
        assert store(elsewhere.log, [incoming]) == [Imported(match, record.head, record.head + 1)]
        assert elsewhere.state_at(match) == record.states[-1]

    @precondition(lambda self: self.model.records)
    @rule(data=st.data())
    def import_another_record(self, data: st.DataObject) -> None:
        """A record of the same match that went another way from some entry on is refused."""
        match, record = self.pick(data)
        fork = data.draw(st.integers(0, record.head))
        entries = list(self.ledger.read(match))[: fork + 1]
        elsewhere = Ledger(MemoryLog())
        first = judge(b"".join(write_record(entries)))
        assert isinstance(first, VerifiedImport)
        store(elsewhere.log, [first])
        state = record.states[fork]
        legal = list(state.legal_moves(state.awaiting()[0])) if state.awaiting() else []
        if fork == record.head or not legal:
            return
        elsewhere.append(match, fork, "another", data.draw(st.sampled_from(legal)))
        other = judge(b"".join(write_record(list(elsewhere.read(match)))))
        assert isinstance(other, VerifiedImport)

        (outcome,) = store(self.log, [other])

        assert isinstance(outcome, ImportConflict)
        assert f"they differ from entry {fork + 1}" in outcome.why

    @precondition(lambda self: self.model.records)
    @rule(data=st.data())
    def write_down(self, data: st.DataObject) -> None:
        """A transcript leads to the same state wherever it is imported."""
        match, record = self.pick(data)
        text = write_transcript(as_transcript(list(self.ledger.read(match))))
        incoming = judge(text.encode())
        assert isinstance(incoming, VerifiedImport)
        elsewhere = Ledger(MemoryLog())

        (imported,) = store(elsewhere.log, [incoming])

        assert elsewhere.state_at(imported.match) == record.states[-1]

    @rule()
    def forget(self) -> None:
        """As after a restart on the same log."""
        self.ledger = Ledger(self.log, cache=2)

    @invariant()
    def same(self) -> None:
        assert self.log.last_position() == self.model.entries()
        assert list(self.log.matches()) == list(self.model.records)
        for match, record in self.model.records.items():
            current = self.ledger.current(match)
            assert (current.sequence, current.header) == (record.head, record.header)
            assert current.state == record.states[-1]

    def teardown(self) -> None:
        for match, record in self.model.records.items():
            report = self.ledger.audit(match)
            assert (report.verdict, report.good) == (Verified(), record.head)
            assert report.state == record.states[-1]
        self.log.close()


class SqliteMachine(Machine):
    """The same over a file, which is opened again now and then."""

    def __init__(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        super().__init__()

    def opened(self) -> Log:
        return SqliteLog.open(Path(self.folder.name, "archive.db"))

    @rule()
    def reopen(self) -> None:
        self.log.close()
        self.log = self.opened()
        self.ledger = Ledger(self.log, cache=2)

    def teardown(self) -> None:
        super().teardown()
        self.folder.cleanup()


class PostgresMachine(Machine):
    """The same over a database; now and then another server goes on, which knows nothing yet or is behind."""

    def __init__(self) -> None:
        self.target = shared_cluster().target()
        super().__init__()
        self.beside = self.opened()
        self.other = Ledger(self.beside, cache=2)

    def opened(self) -> Log:
        return NumberedLog.open(self.target)

    @rule()
    def change_places(self) -> None:
        self.log, self.beside = self.beside, self.log
        self.ledger, self.other = self.other, self.ledger

    def teardown(self) -> None:
        super().teardown()
        self.beside.close()


TestMemory = Machine.TestCase
TestSqlite = SqliteMachine.TestCase
TestMemory.settings = TestSqlite.settings = settings(stateful_step_count=30)
TestPostgres = PostgresMachine.TestCase
TestPostgres.settings = settings(max_examples=3, stateful_step_count=30, phases=(Phase.generate,))
