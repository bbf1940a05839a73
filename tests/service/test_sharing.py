"""Pages that several callers see alike: made once, never kept when they failed, and few at a time."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from service.http.pages.sharing import MAX_SHARED_PAGES, SharedPages


class Maker:
    """Makes pages, each with the number of pages made before it."""

    def __init__(self) -> None:
        self.made = 0
        self.go = asyncio.Event()

    def page(self) -> Callable[[], Awaitable[int]]:
        async def make() -> int:
            await self.go.wait()
            self.made += 1
            return self.made

        return make


def test_callers_that_ask_at_once_wait_for_one_page_even_if_the_first_leaves() -> None:
    async def run() -> list[int]:
        shared, maker = SharedPages[int](), Maker()
        first, *others = [asyncio.create_task(shared.get("a", maker.page())) for _ in range(5)]
        await asyncio.sleep(0)
        first.cancel()
        maker.go.set()
        return [*(await asyncio.gather(*others)), await shared.get("a", maker.page())]

    assert asyncio.run(run()) == [1] * 5


def test_a_page_that_failed_is_made_again() -> None:
    async def run() -> int:
        shared, maker = SharedPages[int](), Maker()
        maker.go.set()

        async def fail() -> int:
            raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            await shared.get("a", fail)
        await asyncio.sleep(0)
        return await shared.get("a", maker.page())

    assert asyncio.run(run()) == 1


def test_the_page_that_was_not_asked_for_longest_is_dropped() -> None:
    async def run() -> tuple[int, int]:
        shared, maker = SharedPages[int](), Maker()
        maker.go.set()
        for key in range(MAX_SHARED_PAGES):
            await shared.get(key, maker.page())
        await shared.get(0, maker.page())
        await shared.get("one more", maker.page())
        return await shared.get(0, maker.page()), await shared.get(1, maker.page())

    assert asyncio.run(run()) == (1, MAX_SHARED_PAGES + 2)
