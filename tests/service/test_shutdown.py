"""A server that stops releases the calls that wait, and only those."""

import asyncio

import pytest

from service.shutdown import Shutdown
from tests.apart import run_apart


def test_a_wait_returns_its_result_while_the_server_runs() -> None:
    async def work() -> str | None:
        return await Shutdown().wait_for(lambda: asyncio.sleep(0, "a request"))

    assert run_apart(work()) == "a request"


def test_when_the_server_stops_every_wait_ends_and_its_task_continues() -> None:
    async def work() -> list[str]:
        shutdown = Shutdown()

        async def call(number: int) -> str:
            waited = await shutdown.wait_for(asyncio.Event().wait)
            await asyncio.sleep(0)  # a task that were still cancelled would end here
            return f"{number} {waited}"

        calls = [asyncio.create_task(call(number)) for number in range(3)]
        await asyncio.sleep(0)
        shutdown.begin()
        return await asyncio.gather(*calls)

    assert run_apart(work()) == ["0 None", "1 None", "2 None"]


def test_nothing_is_waited_for_once_the_server_stops() -> None:
    async def work() -> tuple[bool, str | None]:
        shutdown = Shutdown()
        shutdown.begin()
        return shutdown.begun, await shutdown.wait_for(lambda: asyncio.sleep(0, "a request"))

    assert run_apart(work()) == (True, None)


def test_what_does_not_wait_is_left_alone() -> None:
    async def work() -> str:
        shutdown = Shutdown()

        async def call() -> str:
            await shutdown.wait_for(lambda: asyncio.sleep(0))
            await asyncio.sleep(0)
            return "answered"

        answering = asyncio.create_task(call())
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        shutdown.begin()
        return await answering

    assert run_apart(work()) == "answered"


@pytest.mark.parametrize("stops", [True, False])
def test_a_call_that_its_caller_cancels_ends_whether_the_server_stops_or_not(*, stops: bool) -> None:
    async def work() -> bool:
        shutdown = Shutdown()
        call = asyncio.create_task(shutdown.wait_for(asyncio.Event().wait))
        await asyncio.sleep(0)
        call.cancel()
        if stops:
            shutdown.begin()
        await asyncio.wait([call])
        return call.cancelled()

    assert run_apart(work())


def test_only_a_stream_that_waits_is_ended_to_make_room_and_what_it_answers_is_finished() -> None:
    async def work() -> tuple[list[bool], str, bool]:
        shutdown, asked, written = Shutdown(), asyncio.Event(), asyncio.Event()

        async def stream() -> tuple[str, bool]:
            await shutdown.wait_for(asked.wait)
            await written.wait()  # an append that is being written
            answer = "stored"
            await shutdown.wait_for(asyncio.Event().wait)
            return answer, shutdown.released

        playing: asyncio.Task[tuple[str, bool]] = asyncio.create_task(stream())
        task: asyncio.Task[object] = playing
        await asyncio.sleep(0)
        asked.set()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        released = [shutdown.release(task)]
        written.set()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        released += [shutdown.release(task), shutdown.release(task)]
        answer, was_released = await playing
        return released, answer, was_released

    assert run_apart(work()) == ([False, True, False], "stored", True)
