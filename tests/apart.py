"""Coroutines of tests, each in a thread and a loop of its own."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Result = TypeVar("Result")


def run_apart(work: Coroutine[object, object, Result]) -> Result:
    """What the coroutine answers. A browser under test keeps a loop running in the thread of the tests."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()
