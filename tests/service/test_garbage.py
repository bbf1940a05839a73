"""Garbage is collected in steps: what has survived is looked at again only when everything is."""

import asyncio
import gc
import weakref
from collections.abc import Iterator
from contextlib import suppress

import pytest

from records.replay.steps import Steps
from service import garbage, loop_share
from service.garbage import GarbageCollection
from service.loop_share import LoopShare
from tests.apart import run_apart

OLDEST = 2
TIMEOUT_SECONDS = 30.0


class Knot:
    """Refers to itself, so that only a collection of garbage frees it."""

    def __init__(self) -> None:
        self.itself = self


def survivor() -> Knot:
    """A knot that has survived a collection of the oldest generation."""
    knot = Knot()
    gc.collect()
    return knot


@pytest.fixture
def collection() -> Iterator[GarbageCollection]:
    with GarbageCollection() as collecting:
        yield collecting


@pytest.mark.usefixtures("collection")
def test_what_has_survived_is_exempt_from_further_collections() -> None:
    knot = survivor()
    exempt = gc.get_freeze_count()
    found = weakref.ref(knot)
    del knot

    gc.collect()

    assert exempt > 0
    assert not any(isinstance(each, Knot) for each in gc.get_objects(OLDEST))
    assert found() is not None


@pytest.mark.usefixtures("collection")
def test_what_dies_before_it_has_survived_is_collected() -> None:
    found = weakref.ref(Knot())

    gc.collect()

    assert found() is None


def test_a_collection_of_everything_frees_exempt_cycles(collection: GarbageCollection) -> None:
    found = weakref.ref(survivor())

    collection.collect_everything()

    assert found() is None


@pytest.mark.usefixtures("collection")
def test_objects_in_no_cycle_are_freed_at_once_though_they_are_exempt() -> None:
    knot = survivor()
    found = weakref.ref(knot)
    del knot.itself

    del knot

    assert found() is None


def test_a_server_at_rest_collects_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(garbage, "WHOLE_SECONDS", 0.0)
    monkeypatch.setattr(garbage, "_IDLE_CHECK_SECONDS", 0.01)

    async def run() -> bool:
        with GarbageCollection() as collection:
            freed = asyncio.Event()
            _ = weakref.finalize(survivor(), freed.set)
            running = asyncio.create_task(collection.run())
            with suppress(TimeoutError):
                await asyncio.wait_for(freed.wait(), TIMEOUT_SECONDS)
            running.cancel()
            return freed.is_set()

    assert run_apart(run())


def test_collection_goes_on_as_before_when_the_server_has_stopped() -> None:
    before = (gc.get_threshold(), list(gc.callbacks))

    with GarbageCollection():
        within = gc.get_threshold()
        found = weakref.ref(survivor())

    gc.collect()
    assert within != before[0]
    assert (gc.get_threshold(), gc.callbacks) == before
    assert gc.get_freeze_count() == 0
    assert found() is None


def test_long_work_that_frees_as_much_as_it_makes_is_collected_on_its_way(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(loop_share, "COLLECTED_SECONDS", 0.0)
    monkeypatch.setattr(loop_share, "LONE_SLICE_SECONDS", 0.0)  # every step is a slice
    share, old = LoopShare(lambda _: True), [[each] for each in range(5000)]
    young = list[int]()

    def work() -> Steps[None]:
        kept = list[list[int]]()
        while old:
            kept.append([len(kept)])
            old.pop()  # so that Python counts nothing
            young.append(len(gc.get_objects(0)))
            yield

    with GarbageCollection():
        asyncio.run(share.run("a", work()))

    assert max(young) < 2000
