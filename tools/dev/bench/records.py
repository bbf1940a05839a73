"""The ledger, the audit and the import, beside raw sqlite3 and the `eventsourcing` package in one run.

SHIJI_BENCH_ENTRIES sets how many entries the audited archive has: 200,000 unless told otherwise.
"""

import os
import sqlite3
import statistics
import subprocess
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from itertools import count, cycle, islice
from pathlib import Path
from typing import Final, Self

from records.answers import IllegalAmong
from records.archive_audit import ArchiveAudit
from records.entry import MatchId
from records.exchange import Imported, Incoming, as_transcript, judge, store_all
from records.ledger import Asked, Ledger, Many
from records.run import Ready
from records.sqlite_log import SqliteLog
from records.sqlite_rows import INSERT_ENTRY, NewRow, row_of
from records.transcript import write_transcript
from records.writer import Writer
from rules.kernel.actors import Seat
from tests.project.places import SHIJI
from tools.dev.bench import event_sourced
from tools.dev.bench.log import _RAW as RAW
from tools.dev.bench.qin_records import GAMES, archive, games
from tools.dev.bench.report import Line
from tools.dev.bench.rounds import Contender, measure

CALLERS: Final = 64
EACH: Final = 20
"""So many moves each caller makes in a round."""

SINGLE: Final = 100
"""So many commits of raw sqlite3 there are in a round."""

READ: Final = 80
"""Entries of the match that is read."""

FILES: Final = 1600
"""Transcripts to import."""

ENTRIES: Final = int(os.environ.get("SHIJI_BENCH_ENTRIES", "200000"))
SLOW_ROUNDS: Final = 3
"""The audit of an archive takes seconds: so many rounds are enough."""


def lines(rounds: int) -> list[Line]:
    """Everything measured of the records."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        return [
            *_appending(path, rounds),
            *_rebuilding(path, rounds),
            *_importing(path, min(rounds, SLOW_ROUNDS)),
            *_auditing(path / "large.db", min(rounds, SLOW_ROUNDS)),
        ]


def _appending(folder: Path, rounds: int) -> list[Line]:
    raw = sqlite3.connect(folder / "raw.db", isolation_level=None)
    raw.executescript(RAW)
    rows = _rows()

    def commits(size: int) -> int:
        for _ in range(SINGLE):
            raw.execute("BEGIN IMMEDIATE")
            raw.executemany(INSERT_ENTRY, islice(rows, size))
            raw.execute("COMMIT")
        return SINGLE * size

    with (
        SqliteLog.open(folder / "ledger.db") as log,
        Writer(log) as writer,
        event_sourced.opened(folder / "other.db") as other,
        _Callers(Ledger(log, writer=writer), rounds) as callers,
    ):
        found = measure(
            {
                "raw": lambda: commits(1),
                "groups": lambda: commits(CALLERS),
                "loop": callers.in_a_loop,
                "threads": callers.in_threads,
                "futures": callers.in_futures,
                "eventsourcing": _other_appends(other),
            },
            rounds,
        )
    raw.close()
    return [
        Line("raw sqlite3, a commit an entry (WAL, FULL)", found.rate("raw"), "entries/s"),
        Line(f"ledger, {CALLERS} callers in one loop, as in the server", found.rate("loop"), "moves/s"),
        Line(f"ledger, {CALLERS} threads that wait for each answer", found.rate("threads"), "moves/s"),
        Line(f"ledger, {CALLERS} callers by futures", found.rate("futures"), "moves/s"),
        Line("eventsourcing, append", found.rate("eventsourcing"), "moves/s"),
        Line(f"raw sqlite3, {CALLERS} entries a commit, to one an entry", found.ratio("groups", "raw"), "x"),
        Line("ledger in one loop, to raw single commits", found.ratio("loop", "raw"), "x", 10.0),
        Line("ledger by threads, to raw single commits", found.ratio("threads", "raw"), "x"),
        Line("ledger by futures, to raw single commits", found.ratio("futures", "raw"), "x"),
        Line("ledger append, to eventsourcing", found.ratio("loop", "eventsourcing"), "x", 10.0),
    ]


class _Callers:
    """Callers that each play matches of their own, a move after the other."""

    def __init__(self, ledger: Ledger, rounds: int) -> None:
        self._pool: Final = ThreadPoolExecutor(CALLERS)
        self._ledger: Final = ledger
        moves = 3 * EACH * (rounds + 1)
        self._callers: Final = [_Caller(ledger, number, moves) for number in range(CALLERS)]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown()

    def in_a_loop(self) -> int:
        """All of them take turns, and those who wait share a write."""
        for _ in range(EACH):
            ready = [caller.judged() for caller in self._callers]
            answers = self._ledger.log.write([each.append for each in ready])
            for each, answer in zip(ready, answers, strict=True):
                self._ledger.settle(each, answer)
        return CALLERS * EACH

    def in_threads(self) -> int:
        """A thread a caller, which waits for each answer."""
        return sum(self._pool.map(lambda caller: caller.play(EACH), self._callers))

    def in_futures(self) -> int:
        """One thread for all: a caller asks for its next move once the last is durable."""
        answered: list[_Caller] = []
        some = threading.Condition()

        def note(caller: _Caller, _: "Future[Many]") -> None:
            with some:
                answered.append(caller)
                some.notify()

        left = CALLERS * EACH
        ready = list(self._callers)
        asked = 0
        while left:
            for caller in ready:
                if asked < CALLERS * EACH:
                    asked += 1
                    caller.ask().add_done_callback(partial(note, caller))
            with some:
                some.wait_for(lambda: answered)
                ready, answered[:] = list(answered), []
            left -= len(ready)
        return CALLERS * EACH


class _Caller:
    """All of its matches are begun beforehand: what is measured are moves."""

    def __init__(self, ledger: Ledger, number: int, moves: int) -> None:
        self._ledger: Final = ledger
        self._next: Final = deque(islice(self._played(number), moves))

    def _played(self, number: int) -> Iterator[tuple[MatchId, int, Asked]]:
        """Each move, with its match and the entry before it."""
        for place in count(number, CALLERS):
            game = games()[place % GAMES]
            match = self._ledger.start(game.header, f"start {place}").entry.match
            for sequence, move in enumerate(game.moves):
                yield match, sequence, move

    def ask(self) -> "Future[Many]":
        """The next move."""
        match, sequence, move = self._next.popleft()
        return self._ledger.submit(match, sequence, f"request {sequence}", [move])

    def judged(self) -> Ready:
        """The next move, ready to be stored."""
        match, sequence, move = self._next.popleft()
        ready = self._ledger.judge_append(match, sequence, f"request {sequence}", [move])
        if not isinstance(ready, Ready):
            raise TypeError(ready)
        return ready

    def play(self, count: int) -> int:
        """So many moves, each after the answer to the one before."""
        for _ in range(count):
            answer = self.ask().result()
            if isinstance(answer, IllegalAmong):
                raise TypeError(answer)
        return count


def _rows() -> Iterator[NewRow]:
    position = 0
    for number, game in enumerate(cycle(games()), start=1):
        for entry in game.entries:
            position += 1
            yield row_of(entry, position, number)


def _other_appends(other: event_sourced.Matches) -> Contender:
    def moves() -> Iterator[tuple[event_sourced.Match, Asked]]:
        for number in cycle(range(GAMES)):
            match = other.start(number)
            for asked in games()[number].moves:
                yield match, asked

    each = moves()

    def append() -> int:
        for match, asked in islice(each, SINGLE):
            other.append(match, asked)
        return SINGLE

    return append


def _rebuilding(folder: Path, rounds: int) -> list[Line]:
    """Each game read back to its last state by both, and one of 80 entries by ours."""
    with (
        SqliteLog.open(folder / "matches.db") as log,
        event_sourced.opened(folder / "others.db") as other,
    ):
        stored = list(store_all(log, (Incoming(game.entries, new=True) for game in games())))
        long = _long_match(Ledger(log))
        others = []
        for number, game in enumerate(games()):
            match = other.start(number)
            for asked in game.moves:
                other.append(match, asked)
            others.append(match.id)
        moves = sum(len(game.moves) for game in games())
        ledger = Ledger(log, cache=0)

        def rebuild() -> int:
            for each in stored:
                ledger.current(each.match)
            return moves

        def rebuild_others() -> int:
            for each in others:
                other.rebuild(each)
            return moves

        found = measure({"ledger": rebuild, "eventsourcing": rebuild_others}, rounds)
        spent = [_timed(partial(ledger.current, long)) for _ in range(20 * rounds)]
    return [
        Line("ledger, rebuild from the file", found.rate("ledger"), "entries/s"),
        Line("eventsourcing, rebuild from the file", found.rate("eventsourcing"), "entries/s"),
        Line("rebuild, to eventsourcing", found.ratio("ledger", "eventsourcing"), "x", 3.0),
        Line(
            f"a match of {READ} entries read to its last state, uncached",
            statistics.median(spent) * 1e3,
            "ms",
            2.0,
            at_most=True,
        ),
    ]


def _long_match(ledger: Ledger) -> MatchId:
    """The first match of two seats, with so many rounds of passes in it that it has that many entries."""
    game = games()[0]
    seats = len(game.header.setup.seats)
    begun = ledger.start(game.header, "a long match")
    match, passing = begun.entry.match, begun.standing.read_move("green pass")[1]
    moves: list[Asked] = []
    for number, move in enumerate(game.moves):
        if seats * (number + 1) <= READ - len(game.moves):
            moves += [(Seat((number + turn) % seats), passing) for turn in range(seats)]
        moves.append(move)
    for sequence, asked in enumerate(moves[:READ]):
        ledger.append(match, sequence, f"request {sequence}", *asked)
    if ledger.current(match).sequence != READ:
        raise ValueError(len(moves))
    return match


def _importing(folder: Path, rounds: int) -> list[Line]:
    """A folder of transcripts by the command itself; and one process without it."""
    files = folder / "files"
    files.mkdir()
    games_as_text = [write_transcript(as_transcript(game.entries)) for game in games()]
    for number in range(FILES):
        text = games_as_text[number % GAMES].replace("[Result", f'[Event "{number}"]\n[Result', 1)
        (files / f"{number}.shiji").write_text(text, encoding="utf-8")
    some = [path.read_bytes() for path in sorted(files.iterdir())[: FILES // 8]]
    names = count()

    def by_command() -> int:
        path = folder / f"import-{next(names)}.db"
        subprocess.run([str(SHIJI), "import", str(path), str(files)], stdout=subprocess.DEVNULL, check=True)
        with SqliteLog.open(path, read_only=True) as log:
            return log.last_position()

    def in_process() -> int:
        with SqliteLog.open(folder / f"import-{next(names)}.db") as log:
            incoming = (each for each in map(judge, some) if isinstance(each, Incoming))
            return sum(outcome.added for outcome in store_all(log, incoming) if isinstance(outcome, Imported))

    found = measure({"command": by_command, "process": in_process}, rounds)
    return [
        Line(f"shiji import of {FILES} transcripts", found.rate("command"), "entries/s", 20_000),
        Line("import of transcripts, one process, nothing else", found.rate("process"), "entries/s"),
    ]


def _auditing(path: Path, rounds: int) -> list[Line]:
    entries = archive(path, ENTRIES)
    rates: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(rounds):
        for jobs, found in rates.items():
            found.append(_audited(path, jobs))
    one, two = (statistics.median(found) for found in rates.values())
    ratio = statistics.median(b / a for a, b in zip(rates[1], rates[2], strict=True))
    return [
        Line(f"audit of {entries} entries, one process", one, "entries/s", 50_000),
        Line("audit, two processes", two, "entries/s"),
        Line("audit, two processes to one", ratio, "x", 1.8),
        Line("audit with two processes, all of them resident", _resident(path), "MB", 300, at_most=True),
    ]


def _audited(path: Path, jobs: int) -> float:
    """Entries a second between the first report and the last: starting processes is not counted."""
    audit = ArchiveAudit(partial(SqliteLog.open, path, read_only=True), jobs=jobs)
    reports = audit.reports()
    next(reports)
    begun, seen = time.perf_counter(), audit.summary.seen
    for _ in reports:
        pass
    spent = time.perf_counter() - begun
    if not audit.summary.clean:
        raise ValueError(audit.summary)
    return (audit.summary.seen - seen) / spent


def _resident(path: Path) -> float:
    """The most that the command and its processes have in memory at one time, in MB."""
    command = [str(SHIJI), "audit", str(path), "--jobs", "2", "--json"]
    most = 0
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        while process.poll() is None:
            most = max(most, sum(map(_resident_pages, _family(process.pid))))
            time.sleep(0.05)
    return most * os.sysconf("SC_PAGE_SIZE") / 1e6


def _family(process: int) -> Iterator[int]:
    """A process and all that it has started."""
    yield process
    with suppress(OSError):
        for child in Path(f"/proc/{process}/task/{process}/children").read_text().split():
            yield from _family(int(child))


def _resident_pages(process: int) -> int:
    with suppress(OSError):
        return int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return 0


def _timed(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun
