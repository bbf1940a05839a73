"""The ledger, the audit and the import, beside raw sqlite3 and the `eventsourcing` package in one run.

SHIJI_BENCH_ENTRIES sets how many entries the audited archive has: 200,000 unless told otherwise.
"""

import os
import sqlite3
import statistics
import subprocess
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import count, cycle, islice
from pathlib import Path
from typing import Final

from records.audit.archive import ArchiveAudit
from records.entry import MatchId
from records.files.transcript import write_transcript
from records.ledger.builder import PreparedAppend
from records.ledger.ledger import Ledger
from records.ledger.transfer import Imported, VerifiedImport, as_transcript, store
from records.log.sqlite import SqliteLog
from records.log.sqlite_rows import INSERT_ENTRY, NewRow, row_of
from rules.kernel.actors import Seat
from service.intake import Intake
from tests.project.places import SHIJI
from tools.commands.import_ import import_files
from tools.dev.bench import event_sourced
from tools.dev.bench.log import _RAW as RAW
from tools.dev.bench.log import together
from tools.dev.bench.qin_records import GAMES, Asked, archive, games
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
        event_sourced.opened(folder / "other.db") as other,
    ):
        ledger = Ledger(log)
        callers = [_Caller(ledger, number, EACH * (rounds + 1)) for number in range(CALLERS)]
        found = measure(
            {
                "raw": lambda: commits(1),
                "groups": lambda: commits(CALLERS),
                "ledger": lambda: together(log, [caller.play for caller in callers]),
                "eventsourcing": _other_appends(other),
            },
            rounds,
        )
    raw.close()
    return [
        Line("raw sqlite3, a commit an entry (WAL, FULL)", found.rate("raw"), "entries/s"),
        Line(f"ledger, {CALLERS} callers, group commit as in the server", found.rate("ledger"), "moves/s"),
        Line("eventsourcing, append", found.rate("eventsourcing"), "moves/s"),
        Line(f"raw sqlite3, {CALLERS} entries a commit, to one an entry", found.ratio("groups", "raw"), "x"),
        Line("ledger, to raw single commits", found.ratio("ledger", "raw"), "x", 10.0),
        Line("ledger append, to eventsourcing", found.ratio("ledger", "eventsourcing"), "x", 10.0),
    ]


class _Caller:
    """Plays matches of its own; all of them are begun beforehand: what is measured are moves."""

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

    async def play(self, intake: Intake) -> int:
        """Some moves, each after the answer to the one before."""
        for _ in range(EACH):
            match, sequence, move = self._next.popleft()
            candidate = self._ledger.known(match).state.parse_bytes(*move)
            ready = self._ledger.judge_append(match, sequence, f"request {sequence}", [candidate])
            if not isinstance(ready, PreparedAppend):
                raise TypeError(ready)
            self._ledger.settle(ready, await intake.commit(ready.append))
        return EACH


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
        stored = store(log, [VerifiedImport(game.entries, new=True) for game in games()])
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
    match, passing = begun.entry.match, begun.state.parse_text("green pass").data
    moves: list[Asked] = []
    for number, move in enumerate(game.moves):
        if seats * (number + 1) <= READ - len(game.moves):
            moves += [(Seat((number + turn) % seats), passing) for turn in range(seats)]
        moves.append(move)
    for sequence, asked in enumerate(moves[:READ]):
        ledger.append(match, sequence, f"request {sequence}", begun.state.parse_bytes(*asked))
    if ledger.current(match).sequence != READ:
        raise ValueError(len(moves))
    return match


def _importing(folder: Path, rounds: int) -> list[Line]:
    """A folder of transcripts by the command itself; and some by what it runs, in this process."""
    files = folder / "files"
    files.mkdir()
    games_as_text = [write_transcript(as_transcript(game.entries)) for game in games()]
    for number in range(FILES):
        text = games_as_text[number % GAMES].replace("[Result", f'[Event "{number}"]\n[Result', 1)
        (files / f"{number}.shiji").write_text(text, encoding="utf-8")
    some = [str(path) for path in sorted(files.iterdir())[: FILES // 8]]
    names = count()

    def by_command() -> int:
        path = folder / f"import-{next(names)}.db"
        subprocess.run([str(SHIJI), "import", str(path), str(files)], stdout=subprocess.DEVNULL, check=True)
        with SqliteLog.open(path, read_only=True) as log:
            return log.last_position()

    def in_process() -> int:
        with SqliteLog.open(folder / f"import-{next(names)}.db") as log:
            for outcome in import_files(log, some, jobs=1):
                if not isinstance(outcome.told, Imported):
                    raise TypeError(outcome)
            return log.last_position()

    found = measure({"command": by_command, "process": in_process}, rounds)
    return [
        Line(f"shiji import of {FILES} transcripts", found.rate("command"), "entries/s", 20_000),
        Line("import of transcripts, one process that runs already", found.rate("process"), "entries/s"),
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
