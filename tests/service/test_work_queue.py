"""Work waits in an order that is fair between owners; of too much, the owner with most is refused."""

from hypothesis import given
from hypothesis import strategies as st

from service.work_queue import WorkLane, WorkQueue

SHORT, ANY = (WorkLane.SHORT,), (WorkLane.SHORT, WorkLane.LONG)


def queue(max_waiting: int = 100, max_long_per_owner: int = 100) -> WorkQueue[str]:
    return WorkQueue[str](max_waiting, max_long_per_owner)


def popped(work: WorkQueue[str], lanes: tuple[WorkLane, ...] = ANY) -> str | None:
    found = work.pop(lanes)
    return None if found is None else found[2]


def test_an_owner_with_one_job_does_not_wait_for_all_jobs_of_another() -> None:
    work = queue()
    for number in range(50):
        work.push("flood", WorkLane.SHORT, f"flood {number}")
    assert popped(work) == "flood 0"
    work.push("victim", WorkLane.SHORT, "victim")

    assert popped(work) == "victim"


def test_the_owner_that_has_used_least_time_is_next() -> None:
    work = queue()
    for number in range(3):
        work.push("slow", WorkLane.SHORT, f"slow {number}")
        work.push("quick", WorkLane.SHORT, f"quick {number}")
    order = []
    while (found := work.pop(ANY)) is not None:
        owner, lane, job = found
        order.append(job)
        work.finished(owner, lane, 5.0 if owner == "slow" else 1.0)

    assert order == ["slow 0", "quick 0", "quick 1", "quick 2", "slow 1", "slow 2"]


def test_an_owner_that_was_away_gets_no_credit_for_it() -> None:
    work = queue()
    for number in range(4):
        work.push("busy", WorkLane.SHORT, f"busy {number}")
        owner, lane, _ = work.pop(ANY) or ("", WorkLane.SHORT, "")
        work.push("busy", WorkLane.SHORT, "next")
        work.finished(owner, lane, 10.0)
    work.push("newcomer", WorkLane.SHORT, "first")
    work.push("newcomer", WorkLane.SHORT, "second")

    owner, lane, job = work.pop(ANY) or ("", WorkLane.SHORT, "")
    assert job == "first"
    work.finished(owner, lane, 20.0)
    assert popped(work) != "second"


def test_long_work_does_not_take_the_place_of_short_work() -> None:
    work = queue()
    work.push("a", WorkLane.LONG, "long")
    work.push("a", WorkLane.SHORT, "short")

    assert popped(work, SHORT) == "short"
    assert popped(work, SHORT) is None
    assert popped(work) == "long"


def test_one_owner_does_not_take_every_process_with_long_work() -> None:
    work = queue(max_long_per_owner=1)
    for number in range(3):
        work.push("a", WorkLane.LONG, f"a {number}")
    assert popped(work) == "a 0"

    assert popped(work) is None
    work.push("b", WorkLane.LONG, "b 0")
    assert popped(work) == "b 0"
    work.finished("a", WorkLane.LONG, 1.0)
    assert popped(work) == "a 1"


def test_a_full_queue_refuses_the_owner_that_has_most() -> None:
    work = queue(max_waiting=4)
    for number in range(3):
        assert work.push("a", WorkLane.SHORT, f"a {number}") is None
    assert work.push("b", WorkLane.SHORT, "b 0") is None

    assert work.push("a", WorkLane.SHORT, "a 3") == "a 3"
    assert work.push("c", WorkLane.SHORT, "c 0") == "a 2"
    assert len(work) == 4


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(WorkLane), st.floats(0, 3)), max_size=60))
def test_every_job_is_done_once_or_refused_once(jobs: list[tuple[str, WorkLane, float]]) -> None:
    work = WorkQueue[int](8, 1)
    refused, done, seconds = [], list[int](), dict[int, float]()
    for number, (owner, lane, took) in enumerate(jobs):
        seconds[number] = took
        if (dropped := work.push(owner, lane, number)) is not None:
            refused.append(dropped)
        if number % 3 == 0 and (found := work.pop(ANY)) is not None:
            done.append(found[2])
            work.finished(found[0], found[1], seconds[found[2]])
    while (found := work.pop(ANY)) is not None:
        done.append(found[2])
        work.finished(found[0], found[1], seconds[found[2]])

    assert sorted([*refused, *done]) == list(range(len(jobs)))
    assert len(work) == 0
