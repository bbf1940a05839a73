"""Measures the index of an archive: every filter over 100,000 matches, and what it costs appends."""

import asyncio
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import Final

from grpc import aio

from records.entry import MatchId
from records.index import rows
from records.index.file import open_index, transaction
from records.index.selection import select_page
from records.index.values import AuditState, IndexedMatch, LastAudit, MatchQuery, PlayState, words_in
from tools.dev.bench import service
from tools.dev.bench.report import Figure

MATCHES: Final = 100_000
"""Number of matches in the index."""

PAGE: Final = 50
"""Matches per page, as ListMatches has them by default."""

QUERIES_PER_ROUND: Final = 40
"""Pages of each filter per round: half of them the first, half of them somewhere in the middle."""

BATCHES_PER_ROUND: Final = 4
"""Batches of appends per round: some seconds, in which the index is brought up to date several times."""

_LAUNCH: Final = """
import sys
from service import indexing
from tools.cli import main
indexing._POLL_SECONDS = float(sys.argv[1])
sys.argv = ["shiji", *sys.argv[2:]]
main()
"""
"""Starts the command with another time between two looks of the index for new entries."""

_POLL_SECONDS: Final = {"kept": "1", "left": "1e9"}
"""The usual time, and one that never passes."""

_GAMES: Final = ("qin", "khan", "zhanguo", "great-wall")
_PLACES: Final = ("kitchen", "club", "train", "library", "garden")
_START: Final = 1_700_000_000_000_000
_MINUTE: Final = 60_000_000

_QUERIES: Final = {
    "no filter": MatchQuery(newest_first=True),
    "oldest first": MatchQuery(),
    "game": MatchQuery(game="khan", newest_first=True),
    "seat in every second match": MatchQuery(seat="green", newest_first=True),
    "seat in ten matches": MatchQuery(seat="player 77", newest_first=True),
    "state": MatchQuery(state=PlayState.OPEN, newest_first=True),
    "audit": MatchQuery(audit=AuditState.ILLEGAL, newest_first=True),
    "game, state and audit": MatchQuery(
        game="qin", state=PlayState.OVER, audit=AuditState.VERIFIED, newest_first=True
    ),
    "tag text": MatchQuery(text="kitch", newest_first=True),
    "time": MatchQuery(start=_START + 20_000 * _MINUTE, end=_START + 60_000 * _MINUTE, newest_first=True),
    "long id prefix": MatchQuery(prefix="01a1ea-0123", newest_first=True),
    "short id prefix": MatchQuery(prefix="01a1", newest_first=True),
}


def lines(rounds: int) -> list[Figure]:
    """Measure the index."""
    return [*_filters(rounds), *_appends(rounds)]


def _filters(rounds: int) -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        connection, _ = open_index(Path(folder, "archive.db"))
        with transaction(connection):
            rows.insert(connection, _matches())
        for name, query in _QUERIES.items():
            times = []
            for number in range(rounds * QUERIES_PER_ROUND):
                after = None if number % 2 else random.Random(number).randrange(MATCHES)  # noqa: S311 - not secret
                start = time.perf_counter()
                select_page(connection, query, after, PAGE)
                times.append(time.perf_counter() - start)
            worst = statistics.quantiles(times, n=20)[-1]
            yield Figure(f"a page of 50 among 100,000 by {name}, p95", worst * 1e3, "ms", 0.5, at_most=True)
        connection.close()


def _matches() -> Iterator[IndexedMatch]:
    chance = random.Random(1)  # noqa: S311 - the same in every run
    for number in range(1, MATCHES + 1):
        seats = ("green", "violet") if number % 2 else (f"player {number // 10}", "violet")
        tags = (("Place", f"the {chance.choice(_PLACES)} table"), ("Event", f"round {number % 100}"))
        verdict = chance.choice((AuditState.VERIFIED,) * 20 + (AuditState.ILLEGAL, AuditState.CORRUPT))
        state = chance.choice((PlayState.OPEN,) + (PlayState.OVER,) * 9)
        yield IndexedMatch(
            number,
            MatchId(f"01a1ea-{number:06}"),
            chance.choice(_GAMES),
            "qin/1",
            seats,
            _START + number * _MINUTE,
            bytes(80),
            tags,
            f" {' '.join(words_in([*seats, *(value for _, value in tags)]))} ",
            state=state,
            stale=False,
            sequence=100,
            active=_START + number * _MINUTE,
            turn="violet to place",
            winners=("green",) if state is PlayState.OVER else (),
            audited=LastAudit(verdict, 100, number, _START) if number % 3 else None,
        )


def _appends(rounds: int) -> list[Figure]:
    """Appends with an index that is kept beside those with one that is left alone, in alternation."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_compared(Path(folder), rounds))


async def _compared(folder: Path, rounds: int) -> list[Figure]:
    def command(name: str) -> list[str]:
        serve = ["serve", "--db", str(folder / f"{name}.db"), "--listen", "127.0.0.1:0", "--no-web"]
        return [sys.executable, "-c", _LAUNCH, _POLL_SECONDS[name], *serve]

    start = service.server_process
    with start(command("kept")) as (kept, one), start(command("left")) as (left, other):
        async with aio.insecure_channel(kept) as ours, aio.insecure_channel(left) as theirs:
            contenders = ((ours, one.pid), (theirs, other.pid))
            found: tuple[list[tuple[float, float]], list[tuple[float, float]]] = ([], [])
            for place in islice(cycle((0, 1, 1, 0)), 2 * rounds + 2):
                found[place].append(await _round(*contenders[place]))
    pairs = list(zip(found[0][1:], found[1][1:], strict=True))  # the first round only warms up
    rate, cost = (statistics.median(a[each] / b[each] for a, b in pairs) for each in (0, 1))
    return [
        Figure("AppendMove with the index kept, to without", rate, "x", 0.97),
        Figure("the same in processor time of the server", cost, "x", 1.03, at_most=True),
    ]


async def _round(channel: aio.Channel, pid: int) -> tuple[float, float]:
    """The rate of AppendMove, and the server's processor time."""
    batches = [await service.appends(channel) for _ in range(BATCHES_PER_ROUND)]
    todo = [[request for part in parts for request in part] for parts in zip(*batches, strict=True)]
    before = service.processor_seconds(pid)
    measured = await service.unary_round(service.append_method(channel), todo)
    return measured.rate, service.processor_seconds(pid) - before
