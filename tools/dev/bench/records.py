"""Compares the ledger with raw sqlite3 and the `eventsourcing` package; measures import and audit.

SHIJI_BENCH_ENTRIES sets the number of entries in the audited archive, by default 200,000.
"""

import os
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
from records.log.sqlite import SqliteLog, row_of
from records.log.sqlite_rows import INSERT_ENTRY, NewRow
from rules.kernel.actors import Seat
from service.intake import Intake
from tests.project.places import SHIJI
from tools.commands.import_ import import_files
from tools.dev.bench import event_sourced
from tools.dev.bench.log import raw_database, together
from tools.dev.bench.qin_records import ARCHIVE_ENTRIES, DIFFERENT_GAMES, ActorMove, archive, games
from tools.dev.bench.report import Figure
from tools.dev.bench.rounds import Contender, measure

CALLERS: Final = 64
"""Number of concurrent callers."""

MOVES_PER_CALLER: Final = 20
"""Moves that each caller makes in a round."""

SINGLE_COMMITS: Final = 100
"""Commits of raw sqlite3 in a round."""

LONG_MATCH_ENTRIES: Final = 80
"""Entries of the match that is read: about as many as a match has."""

FILES: Final = 1600
"""Number of transcripts to import."""


SLOW_ROUNDS: Final = 3
"""Maximum rounds of import and audit, which take seconds each."""


def lines(rounds: int) -> list[Figure]:
    """Measure the records."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        return [
            *_appending(path, rounds),
            *_rebuilding(path, rounds),
            *_importing(path, min(rounds, SLOW_ROUNDS)),
            *_auditing(path / "large.db", min(rounds, SLOW_ROUNDS)),
        ]


def _appending(folder: Path, rounds: int) -> list[Figure]:
    raw = raw_database(folder / "raw.db")
    rows = _rows()

    def commits(size: int) -> int:
        for _ in range(SINGLE_COMMITS):
            raw.execute("BEGIN IMMEDIATE")
            raw.executemany(INSERT_ENTRY, islice(rows, size))
            raw.execute("COMMIT")
        return SINGLE_COMMITS * size

    with (
        SqliteLog.open(folder / "ledger.db") as log,
        event_sourced.opened(folder / "other.db") as other,
    ):
        ledger = Ledger(log)
        callers = [_Caller(ledger, number, MOVES_PER_CALLER * (rounds + 1)) for number in range(CALLERS)]
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
        Figure("raw sqlite3, one entry per commit (WAL, FULL)", found.rate("raw"), "entries/s"),
        Figure(f"ledger, {CALLERS} callers, group commit as in the server", found.rate("ledger"), "moves/s"),
        Figure("eventsourcing, append", found.rate("eventsourcing"), "moves/s"),
        Figure(
            f"raw sqlite3, {CALLERS} entries per commit, to one per commit", found.ratio("groups", "raw"), "x"
        ),
        Figure("ledger, to raw single commits", found.ratio("ledger", "raw"), "x", 10.0),
        Figure("ledger append, to eventsourcing", found.ratio("ledger", "eventsourcing"), "x", 10.0),
    ]


class _Caller:
    """Plays its own matches; they are started beforehand, so that only moves are measured."""

    def __init__(self, ledger: Ledger, number: int, moves: int) -> None:
        self._ledger: Final = ledger
        self._next: Final = deque(islice(self._played(number), moves))

    def _played(self, number: int) -> Iterator[tuple[MatchId, int, ActorMove]]:
        """Each move with its match and the sequence of the entry before it."""
        for place in count(number, CALLERS):
            game = games()[place % DIFFERENT_GAMES]
            match = self._ledger.start(game.header, f"start {place}").entry.match
            for sequence, move in enumerate(game.moves):
                yield match, sequence, move

    async def play(self, intake: Intake) -> int:
        """Make some moves, each after the answer to the one before."""
        for _ in range(MOVES_PER_CALLER):
            match, sequence, move = self._next.popleft()
            candidate = self._ledger.known(match).state.parse_bytes(*move)
            ready = self._ledger.judge_append(match, sequence, f"request {sequence}", [candidate])
            if not isinstance(ready, PreparedAppend):
                raise TypeError(ready)
            self._ledger.settle(ready, await intake.commit(ready.append))
        return MOVES_PER_CALLER


def _rows() -> Iterator[NewRow]:
    position = 0
    for number, game in enumerate(cycle(games()), start=1):
        for entry in game.entries:
            position += 1
            yield row_of(entry, position, number)


def _other_appends(other: event_sourced.Matches) -> Contender:
    def moves() -> Iterator[tuple[event_sourced.StoredMatch, ActorMove]]:
        for number in cycle(range(DIFFERENT_GAMES)):
            match = other.start(number)
            for encoded in games()[number].moves:
                yield match, encoded

    each = moves()

    def append() -> int:
        for match, encoded in islice(each, SINGLE_COMMITS):
            other.append(match, encoded)
        return SINGLE_COMMITS

    return append


def _rebuilding(folder: Path, rounds: int) -> list[Figure]:
    """Measure rebuilding the last state of every game with both, and of a long match with ours."""
    with (
        SqliteLog.open(folder / "matches.db") as log,
        event_sourced.opened(folder / "others.db") as other,
    ):
        stored = store(log, [VerifiedImport(game.entries, new=True) for game in games()])
        long = _long_match(Ledger(log))
        others = []
        for number, game in enumerate(games()):
            match = other.start(number)
            for encoded in game.moves:
                other.append(match, encoded)
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
        Figure("ledger, rebuild from the file", found.rate("ledger"), "entries/s"),
        Figure("eventsourcing, rebuild from the file", found.rate("eventsourcing"), "entries/s"),
        Figure("rebuild, to eventsourcing", found.ratio("ledger", "eventsourcing"), "x", 3.0),
        Figure(
            f"a match of {LONG_MATCH_ENTRIES} entries read to its last state, uncached",
            statistics.median(spent) * 1e3,
            "ms",
            2.0,
            at_most=True,
        ),
    ]


def _long_match(ledger: Ledger) -> MatchId:
    """Store the first game, lengthened by rounds of passes to the number of entries wanted."""
    game = games()[0]
    seats = len(game.header.setup.seats)
    begun = ledger.start(game.header, "a long match")
    match, passing = begun.entry.match, begun.state.parse_text("green pass").data
    moves: list[ActorMove] = []
    for number, move in enumerate(game.moves):
        if seats * (number + 1) <= LONG_MATCH_ENTRIES - len(game.moves):
            moves += [(Seat((number + turn) % seats), passing) for turn in range(seats)]
        moves.append(move)
    for sequence, encoded in enumerate(moves[:LONG_MATCH_ENTRIES]):
        ledger.append(match, sequence, f"request {sequence}", begun.state.parse_bytes(*encoded))
    if ledger.current(match).sequence != LONG_MATCH_ENTRIES:
        raise ValueError(len(moves))
    return match


def _importing(folder: Path, rounds: int) -> list[Figure]:
    """Measure the import of a folder with the command, and of some files in this process."""
    files = folder / "files"
    files.mkdir()
    games_as_text = [write_transcript(as_transcript(game.entries)) for game in games()]
    for number in range(FILES):
        text = games_as_text[number % DIFFERENT_GAMES].replace("[Result", f'[Event "{number}"]\n[Result', 1)
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
            for file in import_files(log, some, jobs=1):
                if not isinstance(file.result, Imported):
                    raise TypeError(file)
            return log.last_position()

    found = measure({"command": by_command, "process": in_process}, rounds)
    return [
        Figure(f"shiji import of {FILES} transcripts", found.rate("command"), "entries/s", 20_000),
        Figure("import of transcripts, one process that runs already", found.rate("process"), "entries/s"),
    ]


def _auditing(path: Path, rounds: int) -> list[Figure]:
    entries = archive(path, ARCHIVE_ENTRIES)
    rates: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(rounds):
        for jobs, found in rates.items():
            found.append(_audited(path, jobs))
    one, two = (statistics.median(found) for found in rates.values())
    ratio = statistics.median(b / a for a, b in zip(rates[1], rates[2], strict=True))
    return [
        Figure(f"audit of {entries} entries, one process", one, "entries/s", 50_000),
        Figure("audit, two processes", two, "entries/s"),
        Figure("audit, two processes to one", ratio, "x", 1.8),
        Figure("audit with two processes, all of them resident", _resident(path), "MB", 300, at_most=True),
    ]


def _audited(path: Path, jobs: int) -> float:
    """Entries per second from the first report to the last, without the start of processes."""
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
    """Maximum memory of the command and its processes together, in MB."""
    command = [str(SHIJI), "audit", str(path), "--jobs", "2", "--json"]
    most = 0
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        while process.poll() is None:
            most = max(most, sum(map(_resident_pages, _family(process.pid))))
            time.sleep(0.05)
    return most * os.sysconf("SC_PAGE_SIZE") / 1e6


def _family(process: int) -> Iterator[int]:
    """A process and all its descendants."""
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
