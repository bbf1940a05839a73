"""Judges a file: a transcript, a record file, a bundle, or a match of an archive."""

from dataclasses import replace

from records.audit.judged_file import FileReport, UnreadableFile, judge_source
from records.audit.sources import CannotRead
from records.evidence.note import VerifierKey
from records.files.record_file import RecordFile
from tools.terminal.sources import read_source


def judge_file(
    path: str, upto: int | None = None, trusted: tuple[VerifierKey, ...] = (), match: str | None = None
) -> FileReport | UnreadableFile:
    """Judge a file, or standard input for '-', or a match of an archive; with `upto` only its first entries.

    If a bundle is judged as a whole, all trusted keys must have signed its checkpoint.
    """
    try:
        source, content = read_source(path, match)
    except CannotRead as fault:
        return UnreadableFile(path, fault)
    judged = judge_source(path, source, upto, trusted)
    if isinstance(judged, UnreadableFile):
        return judged
    chosen = source.match if isinstance(source, RecordFile) and match is not None else None
    return replace(judged, content=content, match=chosen)
