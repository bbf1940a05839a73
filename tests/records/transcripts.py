"""Transcripts, judged as a whole."""

from records.audit.transcript import verify_entries
from records.files.tags import read_header
from records.files.transcript import Transcript
from records.verdict import AuditReport


def verify_transcript(transcript: Transcript) -> AuditReport:
    """Audit a transcript; raises UnreadableTranscript if any part of it cannot be read."""
    return verify_entries(read_header(transcript), transcript.entries)
