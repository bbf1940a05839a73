"""`shiji import`: verifies files and stores their records in an archive."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias

import click

from records.audit.sources import CannotRead
from records.audit.workers import Processes, cores
from records.files.record_file import UnreadableRecord
from records.files.transcript import UnreadableTranscript
from records.ledger.dealer import Secrets
from records.ledger.transfer import (
    LACKS_PARTS,
    ImportConflict,
    Imported,
    RejectedRecord,
    VerifiedImport,
    judge,
    store,
)
from records.log.contract import Log
from records.verdict import VerifiedAsShown, rules_broken, why, word
from service.config import Config
from service.server_secret import BadServerSecret, ServerSecret
from tools.cli import CANNOT_READ
from tools.report.file_report import BAD, STYLES
from tools.terminal.output import BLANK, Line, file_name, plural, show, show_json
from tools.terminal.progress import exit_on_archive_fault, open_for_writing, progress
from tools.terminal.sources import read_bytes

SUFFIXES: Final = (".shiji", ".jsonl")
"""Suffixes of the files that are imported from a folder: transcripts and record files."""

FILES_PER_TASK: Final = 16
"""Files given to a worker process at a time: enough to outweigh the cost of passing them, few enough for
all processes to finish at about the same time."""

MIN_FILES_FOR_PROCESSES: Final = 300
"""Number of files from which several processes are faster than one, although they take time to start."""

MAX_FILES_LISTED: Final = 20
"""Up to this number of files each result is printed; with more, only those that were not stored."""

ENTRIES_PER_WRITE: Final = 2_000
"""Entries after which the waiting records are written: large enough that the cost of a commit per entry is
small, small enough to keep in memory."""

_JudgedFile: TypeAlias = VerifiedImport | RejectedRecord | CannotRead
_Result: TypeAlias = Imported | ImportConflict | RejectedRecord | CannotRead


@dataclass(frozen=True, slots=True)
class FileResult:
    """The result of importing a file."""

    path: str
    result: _Result

    @property
    def word(self) -> str:
        """The result in one word."""
        match self.result:
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
        """The exit code for this result."""
        if isinstance(self.result, CannotRead):
            return CANNOT_READ
        return 0 if isinstance(self.result, Imported) else BAD


@click.command(
    "import",
    epilog="Exit codes: 0 all records are stored, 1 a record is illegal, diverged or corrupt, or the archive"
    " has another record of its match, 2 a file could not be read.\n\n"
    "Example: shiji import shiji.db matches/",
)
@click.argument("archive", metavar="DB", type=click.Path())
@click.argument("files", metavar="FILE…", nargs=-1, required=True, type=click.Path())
@click.option(
    "--jobs",
    metavar="N",
    type=click.IntRange(min=1),
    help="Number of processes; by default one, or one per core for many files.",
)
@click.option(
    "--as-shown",
    is_flag=True,
    help="Also store records from which concealed parts are left out, as copies that can only be read.",
)
@click.option(
    "--json", "as_objects", is_flag=True, help="Print one JSON object per file and one for the summary."
)
@click.pass_context
def command(  # noqa: PLR0913 - one parameter per option
    ctx: click.Context,
    archive: str,
    files: tuple[str, ...],
    *,
    jobs: int | None,
    as_shown: bool,
    as_objects: bool,
) -> None:
    """Verify records and store them in an archive, which is created if it does not exist.

    FILE is a transcript, a record file or a folder, from which all files in .shiji or .jsonl are read. A
    record is stored in full or not at all, and not again if the archive has it already. Concealed parts that
    a record lacks are derived, if the match is unsealed or was dealt by the server of this archive.
    """
    judge_path = partial(_judge, as_shown=as_shown, secrets=_own_secrets(archive))
    paths = list(_expanded(files))
    counts: Counter[str] = Counter()
    worst = 0
    with exit_on_archive_fault(), open_for_writing(archive) as log, progress("import") as advance:
        default_jobs = cores() if len(paths) >= MIN_FILES_FOR_PROCESSES else 1
        for result in import_files(log, paths, jobs or default_jobs, judge_path):
            counts[result.word] += 1
            worst = max(worst, result.code)
            advance(counts.total(), len(paths))
            if as_objects:
                show_json(_as_json(result))
            elif result.code or len(paths) <= MAX_FILES_LISTED:
                show(_as_lines(result), err=result.code == CANNOT_READ)
    if as_objects:
        show_json({"summary": {"files": len(paths), **dict(sorted(counts.items()))}})
    else:
        by_result = ", ".join(f"{count} {word}" for word, count in sorted(counts.items()))
        show([BLANK, Line(f"{plural(len(paths), 'file', 'files')}: {by_result}", style="bold")])
    ctx.exit(worst)


def _expanded(files: Iterable[str]) -> Iterator[str]:
    """The files, with each folder replaced by the files in it, in the order of their names."""
    for file in files:
        path = Path(file)
        if path.is_dir():
            yield from sorted(str(each) for each in path.rglob("*") if each.suffix in SUFFIXES)
        else:
            yield file


def _own_secrets(archive: str) -> Secrets | None:
    """The secrets of the server of the archive, if it has dealt; ends the command if they cannot be read."""
    path = Config(db=Path(archive)).secret
    if not path.exists():
        return None
    try:
        return ServerSecret.load(path).of_match
    except (BadServerSecret, OSError) as fault:
        raise click.ClickException(str(fault)) from fault


def _judge(path: str, *, as_shown: bool = False, secrets: Secrets | None = None) -> _JudgedFile:
    try:
        return judge(read_bytes(path), as_shown=as_shown, secrets=secrets)
    except CannotRead as fault:
        return fault
    except (UnreadableTranscript, UnreadableRecord) as fault:
        return CannotRead(str(fault))


def import_files(
    log: Log, paths: Sequence[str], jobs: int, judge_path: Callable[[str], _JudgedFile] = _judge
) -> Iterator[FileResult]:
    """The result of each file, in the order given; verified records are stored several at a time."""
    waiting: list[tuple[str, _JudgedFile]] = []
    size = 0
    for path, judged in zip(paths, _judge_files(paths, jobs, judge_path), strict=True):
        waiting.append((path, judged))
        size += len(judged.entries) if isinstance(judged, VerifiedImport) else 0
        if size >= ENTRIES_PER_WRITE:
            yield from _store(log, waiting)
            waiting, size = [], 0
    yield from _store(log, waiting)


def _judge_files(
    paths: Sequence[str], jobs: int, judge_path: Callable[[str], _JudgedFile]
) -> Iterator[_JudgedFile]:
    if jobs == 1:
        yield from map(judge_path, paths)
        return
    chunks = [paths[start : start + FILES_PER_TASK] for start in range(0, len(paths), FILES_PER_TASK)]
    with Processes(jobs) as processes:
        for judged in processes.spread(partial(_judge_chunk, judge_path), chunks):
            yield from judged


def _judge_chunk(judge_path: Callable[[str], _JudgedFile], paths: Sequence[str]) -> list[_JudgedFile]:
    return [judge_path(path) for path in paths]


def _store(log: Log, judged: Sequence[tuple[str, _JudgedFile]]) -> Iterator[FileResult]:
    stored = iter(store(log, [one for _, one in judged if isinstance(one, VerifiedImport)]))
    for path, one in judged:
        yield FileResult(path, next(stored) if isinstance(one, VerifiedImport) else one)


def _as_json(file: FileResult) -> dict[str, object]:
    result = file.result
    stored = result if isinstance(result, Imported) else None
    bad = result.verdict if isinstance(result, RejectedRecord) else None
    return {
        "file": file.path,
        "import": file.word,
        "match": result.match if isinstance(result, Imported | ImportConflict) else None,
        "entries": result.entries if isinstance(result, Imported | RejectedRecord) else 0,
        "added": stored.added if stored else 0,
        "copy": stored is not None and stored.copy,
        "entry": result.at if isinstance(result, RejectedRecord) else None,
        "rules": list(rules_broken(bad)) if bad else [],
        "why": _why(result),
    }


def _as_lines(file: FileResult) -> Iterator[Line]:
    result = file.result
    more = ""
    if isinstance(result, Imported):
        more = f" as match {result.match}, {plural(result.entries, 'entry', 'entries')}"
        if result.copy:
            more += ", a copy that can only be read"
    elif isinstance(result, RejectedRecord):
        more = f" at entry {result.at} of {result.entries}"
    yield Line(f"{file_name(file.path)}: {file.word}{more}", style=STYLES.get(file.word, ""))
    reason = _why(result)
    if reason is not None:
        yield Line(reason, "why", 2)


def _why(result: _Result) -> str | None:
    match result:
        case Imported():
            return None
        case ImportConflict():
            return result.why
        case RejectedRecord(VerifiedAsShown()):
            return f"{LACKS_PARTS}; --as-shown stores it as a copy that can only be read"
        case RejectedRecord():
            return why(result.verdict)
        case CannotRead():
            return str(result)
