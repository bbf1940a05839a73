"""`shiji import`: files into an archive, verified first."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

import click

from records.audit.workers import Processes, cores
from records.files.record_file import UnreadableRecord
from records.files.transcript import UnreadableTranscript
from records.ledger.transfer import ImportConflict, Imported, RejectedRecord, VerifiedImport, judge, store
from records.log.contract import Log
from records.verdict import rules_broken, why, word
from tools.cli import CANNOT_READ
from tools.report.file_report import BAD, STYLES
from tools.terminal.output import BLANK, Line, file_name, plural, show, show_json
from tools.terminal.progress import faults_told, progress, writing
from tools.terminal.sources import CannotRead, read_bytes

SUFFIXES: Final = (".shiji", ".jsonl")
"""Which files are taken from a folder: transcripts and record files."""

CHUNK: Final = 16
"""So many files are handed to a process at a time."""

MANY: Final = 300
"""So many files are worth the time that processes take to start."""

FEW: Final = 20
"""So many files are told one by one; of more, only those that were not stored."""

GROUP: Final = 2_000
"""Entries to store in one write: as soon as there are so many, whole records are written."""

_Judged: TypeAlias = VerifiedImport | RejectedRecord | CannotRead
_Told: TypeAlias = Imported | ImportConflict | RejectedRecord | CannotRead


@dataclass(frozen=True, slots=True)
class FileOutcome:
    """What became of a file."""

    path: str
    told: _Told

    @property
    def word(self) -> str:
        """In one word."""
        match self.told:
            case Imported(added=0):
                return "known"
            case Imported():
                return "stored"
            case ImportConflict():
                return "refused"
            case RejectedRecord(verdict):
                return word(verdict)
            case CannotRead():
                return "unreadable"

    @property
    def code(self) -> int:
        """The exit code that it calls for."""
        if isinstance(self.told, CannotRead):
            return CANNOT_READ
        return 0 if isinstance(self.told, Imported) else BAD


@click.command(
    "import",
    epilog="Exit codes: 0 all is stored, 1 a record is illegal, diverged or corrupt, or the archive has"
    " another record of its match, 2 a file could not be read.\n\n"
    "Example: shiji import shiji.db matches/",
)
@click.argument("archive", metavar="DB", type=click.Path())
@click.argument("files", metavar="FILE…", nargs=-1, required=True, type=click.Path())
@click.option("--jobs", metavar="N", type=click.IntRange(min=1), help="Processes; of many files one a core.")
@click.option("--json", "as_objects", is_flag=True, help="Print an object a file, then a summary.")
@click.pass_context
def command(
    ctx: click.Context, archive: str, files: tuple[str, ...], *, jobs: int | None, as_objects: bool
) -> None:
    """Verify records and store them; the archive is made if there is none.

    FILE is a transcript, a record file or a folder, of which all files in .shiji or .jsonl are taken. A
    record is stored whole or not at all, and one that is there already is not stored again.
    """
    paths = list(_expanded(files))
    counts: Counter[str] = Counter()
    worst = 0
    with faults_told(), writing(archive) as log, progress("import") as advance:
        for outcome in import_files(log, paths, jobs or (cores() if len(paths) >= MANY else 1)):
            counts[outcome.word] += 1
            worst = max(worst, outcome.code)
            advance(counts.total(), len(paths))
            if as_objects:
                show_json(_as_json(outcome))
            elif outcome.code or len(paths) <= FEW:
                show(_as_lines(outcome), err=outcome.code == CANNOT_READ)
    if as_objects:
        show_json({"summary": {"files": len(paths), **dict(sorted(counts.items()))}})
    else:
        told = ", ".join(f"{count} {word}" for word, count in sorted(counts.items()))
        show([BLANK, Line(f"{plural(len(paths), 'file', 'files')}: {told}", style="bold")])
    ctx.exit(worst)


def _expanded(files: Iterable[str]) -> Iterator[str]:
    """The files, and those in the folders, in the order of their names."""
    for file in files:
        path = Path(file)
        if path.is_dir():
            yield from sorted(str(each) for each in path.rglob("*") if each.suffix in SUFFIXES)
        else:
            yield file


def import_files(log: Log, paths: Sequence[str], jobs: int) -> Iterator[FileOutcome]:
    """What became of each file, in their order; good ones are stored several at a time."""
    waiting: list[tuple[str, _Judged]] = []
    size = 0
    for path, judged in zip(paths, _judged(paths, jobs), strict=True):
        waiting.append((path, judged))
        size += len(judged.entries) if isinstance(judged, VerifiedImport) else 0
        if size >= GROUP:
            yield from _stored(log, waiting)
            waiting, size = [], 0
    yield from _stored(log, waiting)


def _judged(paths: Sequence[str], jobs: int) -> Iterator[_Judged]:
    if jobs == 1:
        yield from map(_judge, paths)
        return
    chunks = [paths[start : start + CHUNK] for start in range(0, len(paths), CHUNK)]
    with Processes(jobs) as processes:
        for judged in processes.spread(_judge_all, chunks):
            yield from judged


def _judge_all(paths: Sequence[str]) -> list[_Judged]:
    return [_judge(path) for path in paths]


def _stored(log: Log, judged: Sequence[tuple[str, _Judged]]) -> Iterator[FileOutcome]:
    stored = iter(store(log, [one for _, one in judged if isinstance(one, VerifiedImport)]))
    for path, one in judged:
        yield FileOutcome(path, next(stored) if isinstance(one, VerifiedImport) else one)


def _judge(path: str) -> _Judged:
    try:
        return judge(read_bytes(path))
    except CannotRead as fault:
        return fault
    except (UnreadableTranscript, UnreadableRecord) as fault:
        return CannotRead(str(fault))


def _as_json(outcome: FileOutcome) -> dict[str, object]:
    told = outcome.told
    stored = told if isinstance(told, Imported) else None
    bad = told.verdict if isinstance(told, RejectedRecord) else None
    return {
        "file": outcome.path,
        "import": outcome.word,
        "match": told.match if isinstance(told, Imported | ImportConflict) else None,
        "entries": told.entries if isinstance(told, Imported | RejectedRecord) else 0,
        "added": stored.added if stored else 0,
        "entry": bad.sequence if bad else None,
        "rules": list(rules_broken(bad)) if bad else [],
        "why": _why(told),
    }


def _as_lines(outcome: FileOutcome) -> Iterator[Line]:
    told = outcome.told
    more = ""
    if isinstance(told, Imported):
        more = f" as match {told.match}, {plural(told.entries, 'entry', 'entries')}"
    elif isinstance(told, RejectedRecord):
        more = f" at entry {told.verdict.sequence} of {told.entries}"
    yield Line(f"{file_name(outcome.path)}: {outcome.word}{more}", style=STYLES.get(outcome.word, ""))
    reason = _why(told)
    if reason is not None:
        yield Line(reason, "why", 2)


def _why(told: _Told) -> str | None:
    match told:
        case Imported():
            return None
        case ImportConflict():
            return told.why
        case RejectedRecord():
            return why(told.verdict)
        case CannotRead():
            return str(told)
