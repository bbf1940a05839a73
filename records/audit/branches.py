"""Reads and judges a record that is to be compared: a transcript, a record file, a bundle or a page."""

from records.audit.compare import Branch, written
from records.audit.judged_file import FileReport, UnreadableFile, judge_source
from records.audit.sources import parse_record, record_in
from records.files.transcript import TranscriptLine


def read_branch(content: bytes) -> Branch:
    """The record, judged; raises CannotRead."""
    judged = judge_source("", parse_record(record_in(content)))
    if isinstance(judged, UnreadableFile):
        raise judged.fault
    return branch_of(judged)


def branch_of(judged: FileReport) -> Branch:
    """A record that was judged, to be compared."""
    if judged.stored:
        return Branch(judged.report, judged.stored, proven=judged.proven)
    moves = [entry for entry in judged.entries if isinstance(entry, TranscriptLine)]
    return Branch(judged.report, texts=written(judged.header.start, moves))
