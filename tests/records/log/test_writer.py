"""Appends of many callers share one write, and each gets its own answer."""

import threading
import time
from collections.abc import Sequence
from concurrent.futures import CancelledError, Future, wait

import pytest

from records.entry import Entry
from records.log import (
    Answer,
    Append,
    BadAppend,
    Log,
    LogUnavailable,
    LogUnreadable,
    RequestReused,
    SequenceTaken,
)
from records.memory_log import MemoryLog
from records.writer import Writer
from tests.records.log.making import Scribe, whole


class Gated(MemoryLog):
    """Writes only while the gate is open, and remembers how large each group was."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = threading.Event()
        self.entered = threading.Event()
        self.groups: list[int] = []
        self.faults: list[Exception] = []
        self.poison: dict[str, Exception] = {}

    def write(self, appends: Sequence[Append], *, wait: bool = True) -> list[Answer]:
        self.entered.set()
        assert self.gate.wait(30)
        self.groups.append(len(appends))
        if self.faults:
            raise self.faults.pop()
        for append in appends:
            if append.match in self.poison:
                raise self.poison[append.match]
        return super().write(appends, wait=wait)


def held(writer: Writer, log: Gated) -> Future[tuple[Entry, ...]]:
    """An append that keeps the writer busy until the gate opens."""
    first = writer.submit(Scribe("first").next())
    assert log.entered.wait(30)
    return first


def test_an_append_is_answered_with_its_entries(log: Log) -> None:
    with Writer(log) as writer:
        stored = writer.submit(Scribe("m").next(2)).result(30)

    assert [*log.archive()] == [*stored]


def test_nobody_is_answered_before_the_write_is_done() -> None:
    log = Gated()
    with Writer(log) as writer:
        first = held(writer, log)
        time.sleep(0.02)
        answered_early = first.done()
        log.gate.set()
        stored = first.result(30)

    assert not answered_early
    assert stored[0].position == 1


def test_what_has_queued_up_is_one_group() -> None:
    log = Gated()
    with Writer(log) as writer:
        first = held(writer, log)
        others = [writer.submit(Scribe(f"m{n}").next()) for n in range(20)]
        log.gate.set()
        wait([first, *others], 30)

    assert log.groups == [1, 20]
    assert [other.result()[0].position for other in others] == list(range(2, 22))


def test_a_group_is_no_larger_than_it_may_be() -> None:
    log = Gated()
    with Writer(log, group=8) as writer:
        held(writer, log)
        for n in range(20):
            writer.submit(Scribe(f"m{n}").next())
        log.gate.set()

    assert log.groups == [1, 8, 8, 4]
    assert len(whole(log)) == 21


def test_whoever_finds_no_room_waits_until_there_is_some() -> None:
    log = Gated()
    with Writer(log, room=2) as writer:
        held(writer, log)
        writer.submit(Scribe("a").next())
        writer.submit(Scribe("b").next())
        late: list[Future[tuple[Entry, ...]]] = []
        callers = [
            threading.Thread(target=lambda n=n: late.append(writer.submit(Scribe(f"late {n}").next())))
            for n in range(3)
        ]
        for caller in callers:
            caller.start()
        time.sleep(0.05)
        handed_in_early = len(late)
        log.gate.set()
        for caller in callers:
            caller.join()

    assert handed_in_early == 0
    assert all(future.done() for future in late)
    assert len(whole(log)) == 6


def test_the_writer_lingers_for_company() -> None:
    log = Gated()
    log.gate.set()
    with Writer(log, linger=0.3, group=3) as writer:
        for n in range(3):
            writer.submit(Scribe(f"m{n}").next())
            time.sleep(0.01)

    assert log.groups == [3]


def test_lingering_ends() -> None:
    log = Gated()
    log.gate.set()
    with Writer(log, linger=0.01, group=3) as writer:
        stored = writer.submit(Scribe("m").next()).result(30)

    assert stored[0].position == 1


def test_a_refusal_goes_to_its_own_caller() -> None:
    log = Gated()
    m = Scribe("m")
    with Writer(log) as writer:
        held(writer, log)
        stored = writer.submit(m.next(request="start"))
        taken = writer.submit(Scribe("m").next(request="again"))
        reused = writer.submit(Scribe("n").next(request="start", move=b"other"))
        none = writer.submit(Append(m.match, 5, ()))
        log.gate.set()

    assert stored.result()[0].match == "m"
    for future, kind in ((taken, SequenceTaken), (reused, RequestReused), (none, BadAppend)):
        with pytest.raises(kind):
            future.result()
    assert log.groups == [1, 4]


def test_a_fault_of_the_storage_goes_to_everybody_and_the_next_group_is_written() -> None:
    log = Gated()
    with Writer(log) as writer:
        first = held(writer, log)
        second = writer.submit(Scribe("second").next())
        log.faults = [LogUnavailable("the disk is full")]
        log.gate.set()
        with pytest.raises(LogUnavailable, match="full"):
            first.result(30)
        assert second.result(30)[0].position == 1


def test_everybody_gets_an_exception_of_his_own() -> None:
    log = Gated()
    with Writer(log) as writer:
        first = held(writer, log)
        futures = [writer.submit(Scribe(f"m{n}").next()) for n in range(3)]
        log.faults = [LogUnavailable("full"), LogUnavailable("full")]
        log.gate.set()
        wait([first, *futures], 30)

    raised = [future.exception() for future in futures]
    assert [type(fault) for fault in raised] == [LogUnavailable] * 3
    assert len({id(fault) for fault in raised}) == 3


@pytest.mark.parametrize("fault", [ZeroDivisionError("a bug"), LogUnreadable("one damaged match")])
def test_an_append_that_breaks_the_log_does_not_fail_its_neighbours(fault: Exception) -> None:
    log = Gated()
    with Writer(log) as writer:
        held(writer, log)
        good = [writer.submit(Scribe(f"m{n}").next()) for n in range(3)]
        log.poison = {"poison": fault}
        bad = writer.submit(Scribe("poison").next())
        more = [writer.submit(Scribe(f"n{n}").next()) for n in range(3)]
        log.gate.set()
        wait([*good, bad, *more], 30)

    assert bad.exception() is fault
    assert all(future.exception() is None for future in (*good, *more))
    assert len(whole(log)) == 7


def test_an_append_that_is_cancelled_in_time_is_not_written() -> None:
    log = Gated()
    with Writer(log) as writer:
        held(writer, log)
        dropped, kept = writer.submit(Scribe("dropped").next()), writer.submit(Scribe("kept").next())
        assert dropped.cancel()
        log.gate.set()

    with pytest.raises(CancelledError):
        dropped.result()
    assert kept.result()
    assert list(whole(log)) == ["first", "kept"]


def test_closing_writes_everything_that_was_handed_in() -> None:
    log = Gated()
    writer = Writer(log, group=3)
    held(writer, log)
    futures = [writer.submit(Scribe(f"m{n}").next()) for n in range(10)]
    threading.Timer(0.02, log.gate.set).start()
    writer.close()
    writer.close()

    assert all(future.done() for future in futures)
    assert len(whole(log)) == 11


def test_a_closed_writer_takes_nothing() -> None:
    writer = Writer(MemoryLog())
    writer.close()

    with pytest.raises(LogUnavailable, match="closed"):
        writer.submit(Scribe("m").next())


def test_closing_wakes_whoever_waits_for_room() -> None:
    log = Gated()
    writer = Writer(log, room=1)
    held(writer, log)
    writer.submit(Scribe("m").next())
    refused: list[Exception] = []

    def late() -> None:
        try:
            writer.submit(Scribe("late").next())
        except LogUnavailable as fault:
            refused.append(fault)

    caller = threading.Thread(target=late)
    caller.start()
    time.sleep(0.02)
    closing = threading.Thread(target=writer.close)
    closing.start()
    caller.join(30)
    log.gate.set()
    closing.join(30)

    assert len(refused) == 1
    assert len(whole(log)) == 2
