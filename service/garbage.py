"""Collects garbage in short steps, so that no call waits for a look at everything that the server keeps."""

import asyncio
import gc
import time
from typing import Final, Self

from service.memory import return_freed, return_large_blocks

WHOLE_SECONDS: Final = 3600.0
"""Time between two collections of everything: they find little, as few of the objects kept form cycles."""

LATEST_SECONDS: Final = 86_400.0
"""Time after which everything is collected although the server is busy."""

_OLDEST_GENERATION: Final = 2
"""The oldest of Python's generations."""

_YOUNG_COLLECTIONS: Final = 5
_STEP_COLLECTIONS: Final = 1
"""Collections of the youngest generation before one of the middle, and of the middle one before one of the
oldest; fewer than Python's ten of each, so that this one looks at about 8,000 objects, for 1 to 3 ms."""

_IDLE_CHECK_SECONDS: Final = 1.0
"""Time between two looks whether the server is idle."""

_IDLE_SHARE: Final = 0.05
"""An idle server's event loop works for less than this share of that time."""


class GarbageCollection:
    """Exempts what has survived a collection of the oldest generation from all further ones.

    Otherwise each of these looks at every state in the caches, for 20 to 150 ms. Reference counting frees
    exempt objects as ever; cycles of them wait for the next collection of everything.
    """

    def __init__(self) -> None:
        self._thresholds: Final = gc.get_threshold()
        self._collected_at = time.monotonic()

    def __enter__(self) -> Self:
        """Exempt what exists, and collect in steps from now on; large blocks that are freed are not kept."""
        return_large_blocks()
        self.collect_everything()
        gc.set_threshold(self._thresholds[0], _YOUNG_COLLECTIONS, _STEP_COLLECTIONS)
        gc.callbacks.append(_exempt_survivors)
        return self

    def __exit__(self, *_: object) -> None:
        """Collect as before, exempting nothing."""
        gc.callbacks.remove(_exempt_survivors)
        gc.set_threshold(*self._thresholds)
        gc.unfreeze()

    def collect_everything(self) -> None:
        """Look at all objects, exempt ones too, and exempt those that are left."""
        gc.unfreeze()
        gc.collect()
        gc.freeze()
        self._collected_at = time.monotonic()

    async def run(self) -> None:
        """Collect everything now and then, in a second without calls if there is one.

        In the first such second, what is free goes back to the system.
        """
        keeps_freed = False
        while True:
            worked = time.thread_time()
            await asyncio.sleep(_IDLE_CHECK_SECONDS)
            is_idle = time.thread_time() - worked < _IDLE_SHARE * _IDLE_CHECK_SECONDS
            if is_idle and keeps_freed:
                await asyncio.to_thread(return_freed)
            keeps_freed = not is_idle
            if time.monotonic() - self._collected_at > (WHOLE_SECONDS if is_idle else LATEST_SECONDS):
                self.collect_everything()


def collect_youngest() -> None:
    """Collect what a slice of long work has made.

    Python counts objects made less objects freed, so that the youngest generation grows as long as work frees
    as many older ones: to 30 ms for pages of entries.
    """
    gc.collect(0)


def _exempt_survivors(phase: str, info: dict[str, int]) -> None:
    if phase == "stop" and info["generation"] == _OLDEST_GENERATION:
        gc.freeze()
