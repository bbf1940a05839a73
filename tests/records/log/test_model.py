"""Any engine against plain lists, whatever is appended, repeated, reused or reopened."""

import tempfile
from pathlib import Path

from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from records.entry import GENESIS, Entry, MatchId
from records.log.contract import NEW, Append, AppendResult, Log, RequestReused, SequenceTaken
from records.log.memory import MemoryLog
from records.log.sqlite import SqliteLog
from tests.postgres import NumberedLog, shared_cluster
from tests.records.log.making import entry, whole

MATCHES = st.sampled_from(["a", "b", "c"])
REQUESTS = st.sampled_from([f"r{n}" for n in range(6)])
MOVES = st.sampled_from([b"one", b"two"])

Requested = tuple[str, bytes, int]
"""The request id, the move and the actor of an entry."""


class Machine(RuleBasedStateMachine):
    """A model in which records are lists of what was appended, and the archive a list of all of it."""

    def __init__(self) -> None:
        super().__init__()
        self.records: dict[str, list[Requested]] = {}
        self.order: list[tuple[str, int]] = []
        self.log = self.opened()

    def opened(self) -> Log:
        return MemoryLog()

    def expected_answer(
        self, match: str, expected: int, requested: list[Requested]
    ) -> list[tuple[str, int]] | type:
        """The entries or the refusal that the log must return; what is stored is added to the model."""
        first = requested[0][0]
        known = None
        for name, record in self.records.items():
            for sequence, (request, _, _) in enumerate(record):
                if request == first and (sequence == 0 if expected == NEW else name == match):
                    known = name, sequence
        if known:
            name, sequence = known
            same = self.records[name][sequence : sequence + len(requested)] == requested
            return [(name, sequence + n) for n in range(len(requested))] if same else RequestReused
        record = self.records.get(match, [])
        if expected != len(record) - 1:
            return SequenceTaken
        if {request for request, _, _ in record} & {request for request, _, _ in requested}:
            return RequestReused
        stored = [(match, len(record) + n) for n in range(len(requested))]
        self.records.setdefault(match, []).extend(requested)
        self.order.extend(stored)
        return stored

    def made(self, match: str, expected: int, requested: list[Requested]) -> Append:
        head = self.log.head(MatchId(match))
        previous = head.hash if head and expected != NEW else GENESIS
        entries: list[Entry] = []
        for sequence, (request, move, actor) in enumerate(requested, start=expected + 1):
            entries.append(entry(match, sequence, previous, request=request, move=move, actor=actor))
            previous = entries[-1].hash
        return Append(MatchId(match), expected, tuple(entries))

    def compare(self, answer: AppendResult, expected: list[tuple[str, int]] | type) -> None:
        if isinstance(expected, type):
            assert isinstance(answer, expected)
            if isinstance(answer, SequenceTaken):
                assert answer.actual == len(self.records.get(answer.match, [])) - 1
        else:
            assert isinstance(answer, tuple)
            assert [(stored.match, stored.sequence) for stored in answer] == expected
            assert [self.at(stored.position) for stored in answer] == expected

    def at(self, position: int) -> tuple[str, int]:
        return self.order[position - 1]

    def compare_order(self, found: list[tuple[str, int]]) -> None:
        assert found == self.order

    @rule(
        match=MATCHES,
        behind=st.sampled_from([0, 0, 0, 1, -1, 3]),
        requested=st.lists(
            st.tuples(REQUESTS, MOVES, st.just(0)), min_size=1, max_size=3, unique_by=lambda t: t[0]
        ),
    )
    def append(self, match: str, behind: int, requested: list[Requested]) -> None:
        expected = max(len(self.records.get(match, [])) - 1 - behind, NEW)
        requested = [
            (request, move, -2 if not expected + 1 + n else 0)
            for n, (request, move, _) in enumerate(requested)
        ]
        append = self.made(match, expected, requested)

        (answer,) = self.log.write([append])

        self.compare(answer, self.expected_answer(match, expected, requested))

    @precondition(lambda self: self.order)
    @rule(data=st.data())
    def repeat(self, data: st.DataObject) -> None:
        match, sequence = data.draw(st.sampled_from(self.order))
        stored = self.records[match][sequence]

        (answer,) = self.log.write([self.made(match, sequence - 1, [stored])])

        assert isinstance(answer, tuple)
        assert [(first.match, first.sequence) for first in answer] == [(match, sequence)]

    @rule(requested=st.lists(st.tuples(MATCHES, REQUESTS, MOVES), min_size=2, max_size=5))
    def append_a_group(self, requested: list[tuple[str, str, bytes]]) -> None:
        """All are made from what the log has before, so that the later ones of a match are stale."""
        group = []
        for match, request, move in requested:
            expected = len(self.records.get(match, [])) - 1
            group.append((match, expected, [(request, move, -2 if expected == NEW else 0)]))
        appends = [self.made(*parts) for parts in group]

        answers = self.log.write(appends)

        for parts, answer in zip(group, answers, strict=True):
            self.compare(answer, self.expected_answer(*parts))

    @invariant()
    def same(self) -> None:
        records = whole(self.log)
        assert {
            match: [(stored.request, stored.move, stored.actor) for stored in record]
            for match, record in records.items()
        } == self.records
        self.compare_order([(stored.match, stored.sequence) for stored in self.log.archive()])

    def teardown(self) -> None:
        self.log.close()


class SqliteMachine(Machine):
    """The same over a file that is opened again now and then, and written to by a second log beside it."""

    def __init__(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        super().__init__()
        self.beside = self.opened()

    def opened(self) -> Log:
        return SqliteLog.open(Path(self.folder.name, "archive.db"))

    @rule()
    def reopen(self) -> None:
        self.log.close()
        self.log = self.opened()

    @rule()
    def change_places(self) -> None:
        self.log, self.beside = self.beside, self.log

    def teardown(self) -> None:
        super().teardown()
        self.beside.close()
        self.folder.cleanup()


class PostgresMachine(Machine):
    """The same over a database that two servers write to in turn; a group has its numbers in any order."""

    def __init__(self) -> None:
        self.target = shared_cluster().target()
        super().__init__()
        self.beside = self.opened()

    def opened(self) -> Log:
        return NumberedLog.open(self.target)

    def at(self, position: int) -> tuple[str, int]:
        (stored,) = self.log.archive(position - 1, 1)
        return stored.match, stored.sequence

    def compare_order(self, found: list[tuple[str, int]]) -> None:
        assert sorted(found) == sorted(self.order)
        self.order = found

    @rule()
    def change_places(self) -> None:
        self.log, self.beside = self.beside, self.log

    def teardown(self) -> None:
        super().teardown()
        self.beside.close()


TestMemory = Machine.TestCase
TestSqlite = SqliteMachine.TestCase
TestSqlite.settings = settings(stateful_step_count=20)
TestPostgres = PostgresMachine.TestCase
TestPostgres.settings = settings(max_examples=3, stateful_step_count=30, phases=(Phase.generate,))
