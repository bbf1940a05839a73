"""Runs the fuzzer in parts, on all cores, and keeps in a file how far it is, so that a later run goes on.

FUZZ_SECONDS is how long it runs, FUZZ_SEED which requests and files it makes, FUZZ_STATE the file.
"""

import os
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Final

import click
import msgspec

from service.errors import Reason
from tests.fuzz.files import KINDS
from tests.fuzz.findings import Findings
from tests.fuzz.parts import CALLS, run_part

GOALS: Final[Mapping[str, int]] = {CALLS: 1_000_000, **dict.fromkeys(KINDS, 100_000)}
"""Calls and files of each kind of a whole campaign, over all games together."""

PART_SIZES: Final[Mapping[str, int]] = {CALLS: 10_000, **dict.fromkeys(KINDS, 2500)}
"""Calls or files of one part, which takes some seconds."""

SAMPLE: Final = 10
"""Records that are rendered per part of calls: a thousand in a campaign."""

UNREACHABLE: Final = frozenset(
    {
        "NO_LOG_KEY",  # this server has one
        *("DRAINING", "STORAGE_FULL", "STORAGE_UNAVAILABLE", "STORAGE_FORBIDDEN", "WORKER_LOST"),
        *("SLOW_CONSUMER", "TOO_MANY_CALLS", "STREAM_ENDED", "RECORD_FULL"),  # they take many calls
        *("CORRUPT_RECORD", "UNKNOWN_ENTRY"),  # only the archive of an operator can hold such a record
        "INTERNAL",
    }
)
"""Reasons that no request alone leads to: they depend on the server, its disk or its load."""


class Progress(msgspec.Struct):
    """How far the campaign is, as the file has it."""

    seed: int
    parts: dict[str, int] = msgspec.field(default_factory=dict)
    """By kind, the number of parts that are done; they are numbered from 0."""
    done: dict[str, int] = msgspec.field(default_factory=dict)
    slowest: float = 0.0
    slow: list[str] = msgspec.field(default_factory=list)
    crashes: list[str] = msgspec.field(default_factory=list)
    reasons: dict[str, int] = msgspec.field(default_factory=dict)
    visits: dict[str, int] = msgspec.field(default_factory=dict)
    verified: int = 0
    rendered: int = 0
    seconds: float = 0.0

    def add(self, kind: str, found: Findings) -> None:
        """Count one part."""
        self.done[kind] = self.done.get(kind, 0) + found.done
        self.slowest = max(self.slowest, found.slowest)
        self.slow += found.slow
        self.crashes += found.crashes
        self.reasons = dict(Counter(self.reasons) + found.reasons)
        self.visits = dict(Counter(self.visits) + found.visits)
        self.verified += found.verified
        self.rendered += found.rendered

    def not_reached(self) -> set[str]:
        """The reasons that no call was refused for, among those that a request alone may lead to."""
        reached = {key.split(" ", 1)[1] for key in self.reasons}
        return {reason.name for reason in Reason} - UNREACHABLE - reached

    def line(self) -> str:
        """The figures in one line."""
        known, missing = len(Reason) - len(UNREACHABLE), self.not_reached()
        counts = [f"{self.done.get(kind, 0)} {kind}" for kind in GOALS]
        return ", ".join(
            (
                *counts,
                f"{sum(self.visits.values())} pages",
                f"{len(self.crashes)} crashes",
                f"{len(self.slow)} over 1 s (slowest {self.slowest:.2f} s)",
                f"{self.verified} stored records verified",
                f"{self.rendered} rendered",
                f"{known - len(missing)} of {known} reasons",
                f"seed {self.seed}",
            )
        )


@dataclass(frozen=True)
class Part:
    """A part that is to be run."""

    kind: str
    number: int


def due(progress: Progress) -> Iterator[Part]:
    """The parts that are left, the kind first that is furthest from its goal."""
    begun = dict(progress.parts)
    while True:
        left = {kind: 1 - begun.get(kind, 0) * PART_SIZES[kind] / goal for kind, goal in GOALS.items()}
        kind = max(left, key=left.__getitem__)
        if left[kind] <= 0:
            return
        yield Part(kind, begun.get(kind, 0))
        begun[kind] = begun.get(kind, 0) + 1


def load(path: Path, seed: int) -> Progress:
    """The progress in the file, if it is that of the seed."""
    if path.exists():
        found = msgspec.json.decode(path.read_bytes(), type=Progress)
        if found.seed == seed:
            return found
    return Progress(seed)


def save(path: Path, progress: Progress) -> None:
    """Replace the file as a whole."""
    draft = path.with_name(f"{path.name}.new")
    draft.write_bytes(msgspec.json.encode(progress))
    draft.replace(path)


def keep(folder: Path, found: Findings) -> None:
    """Write the files that broke something, so that they can become tests."""
    for name, data in found.data.items():
        folder.mkdir(exist_ok=True)
        (folder / name).write_bytes(data)


def run(progress: Progress, path: Path, seconds: float, workers: int) -> None:
    """Run parts until the time is up or nothing is left; a part that was not finished is run again later."""
    end, parts, began = time.monotonic() + seconds, due(progress), time.monotonic()
    finished: dict[str, set[int]] = {}
    with ProcessPoolExecutor(workers, get_context("spawn"), max_tasks_per_child=20) as pool:
        running: dict[Future[Findings], Part] = {}
        while True:
            while len(running) < workers and time.monotonic() < end and (part := next(parts, None)):
                size = PART_SIZES[part.kind]
                work = pool.submit(run_part, part.kind, progress.seed, part.number, size, SAMPLE)
                running[work] = part
            if not running:
                return
            for work in wait(running, return_when=FIRST_COMPLETED).done:
                part = running.pop(work)
                progress.add(part.kind, work.result())
                keep(path.with_name(f"{path.name}.found"), work.result())
                waiting = finished.setdefault(part.kind, set())
                waiting.add(part.number)
                while (number := progress.parts.get(part.kind, 0)) in waiting:
                    waiting.remove(number)
                    progress.parts[part.kind] = number + 1
                progress.seconds += time.monotonic() - began
                began = time.monotonic()
                save(path, progress)
                click.echo(progress.line())


@click.command()
@click.option("--seconds", envvar="FUZZ_SECONDS", default=600.0, show_default=True, help="How long it runs.")
@click.option(
    "--seed", envvar="FUZZ_SEED", default=1, show_default=True, help="Another seed, other requests."
)
@click.option("--workers", default=os.cpu_count() or 1, show_default=True, help="Processes.")
@click.option(
    "--state",
    envvar="FUZZ_STATE",
    default=".fuzz.json",
    show_default=True,
    type=click.Path(path_type=Path),
    help="The file with the progress; without it, the campaign begins anew.",
)
def main(seconds: float, seed: int, workers: int, state: Path) -> None:
    """Go on with the campaign; the last line has its figures. Exits with 1 when a bound is broken."""
    progress = load(state, seed)
    click.echo(f"fuzz: seed {seed}, {seconds:.0f} s, {workers} processes, progress in {state}")
    run(progress, state, seconds, workers)
    for found in (*progress.crashes, *progress.slow):
        click.echo(found)
    click.echo(f"reasons not reached: {', '.join(sorted(progress.not_reached())) or 'none'}")
    click.echo(f"fuzz: {progress.line()}, in {progress.seconds:.0f} s of {workers} processes")
    sys.exit(1 if progress.crashes or progress.slow else 0)


if __name__ == "__main__":
    main()
