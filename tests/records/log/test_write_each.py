"""Appends that are written together have each an answer or a fault of their own."""

from collections.abc import Sequence

import pytest

from records.log.contract import (
    Append,
    AppendResult,
    Log,
    LogBusy,
    LogUnavailable,
    LogUnreadable,
    RequestReused,
    SequenceTaken,
    write_each,
)
from records.log.memory import MemoryLog
from tests.records.log.making import RecordWriter, whole


class Troubled(MemoryLog):
    """Raises a fault whenever it is to store something of the match that is in trouble, or of any match."""

    def __init__(self, fault: Exception, match: str | None = None) -> None:
        super().__init__()
        self.fault = fault
        self.match = match

    def write(self, appends: Sequence[Append], *, wait: bool = True) -> list[AppendResult]:
        if self.match is None or self.match in {append.match for append in appends}:
            raise self.fault
        return super().write(appends, wait=wait)


def of_matches(*names: str) -> list[Append]:
    return [RecordWriter(name).next() for name in names]


def test_a_refusal_is_the_answer_to_its_own_append(log: Log) -> None:
    stored, taken, reused = write_each(
        log,
        [
            RecordWriter("m").next(request="start"),
            RecordWriter("m").next(request="again"),
            RecordWriter("n").next(request="start", move=b"another header"),
        ],
    )

    assert isinstance(stored, tuple)
    assert isinstance(taken, SequenceTaken)
    assert isinstance(reused, RequestReused)
    assert [*log.archive()] == [*stored]


def test_where_the_storage_is_unavailable_everybody_gets_an_exception_of_their_own() -> None:
    faults = write_each(Troubled(LogUnavailable("the disk is full")), of_matches("a", "b", "c"))

    assert [(type(fault), str(fault)) for fault in faults] == [(LogUnavailable, "the disk is full")] * 3
    assert len({id(fault) for fault in faults}) == 3


@pytest.mark.parametrize("fault", [ZeroDivisionError("a bug"), LogUnreadable("one damaged match")])
def test_an_append_that_breaks_the_log_does_not_fail_its_neighbours(fault: Exception) -> None:
    log = Troubled(fault, "b")

    first, bad, last = write_each(log, of_matches("a", "b", "c"))

    assert bad is fault
    assert (isinstance(first, tuple), isinstance(last, tuple)) == (True, True)
    assert list(whole(log)) == ["a", "c"]


def test_only_a_caller_that_does_not_wait_is_sent_away_while_others_write() -> None:
    log = Troubled(LogBusy("others write"))
    with pytest.raises(LogBusy):
        write_each(log, of_matches("a", "b"), wait=False)

    assert list(map(type, write_each(log, of_matches("a", "b")))) == [LogBusy, LogBusy]
