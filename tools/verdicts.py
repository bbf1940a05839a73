"""How a verdict on a file reads, for people and as JSON."""

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, assert_never

from records.arbiter import Standing
from records.games import find_arbiter
from records.header import read_header
from records.transcript import Transcript, UnreadableTranscript
from records.verdict import CorruptAt, DivergedAt, IllegalAt, Report, Verified
from records.verify import verify_transcript, winners
from rules.kernel.actors import Actor, Office
from rules.kernel.game import About
from rules.kernel.rule import Violation
from rules.kernel.setup import Setup
from tools.citing import bearing_on
from tools.output import Line, file_name, plural
from tools.reading import STANDARD_INPUT, CannotRead, read_source

UNREADABLE: Final = "unreadable"

_STYLES: Final = {
    "verified": "bold green",
    "illegal": "bold red",
    "diverged": "bold yellow",
    "corrupt": "bold red",
    UNREADABLE: "bold magenta",
}
_LONGEST_COMPONENT: Final = 40


@dataclass(frozen=True, slots=True)
class Judged:
    """A file that was read and judged."""

    path: str
    transcript: Transcript
    report: Report

    @property
    def about(self) -> About:
        """The game that it is a record of."""
        return find_arbiter(game_of(self.transcript) or "").about

    @property
    def verdict(self) -> str:
        """In one word."""
        verdict = self.report.verdict
        match verdict:
            case Verified():
                return "verified"
            case IllegalAt():
                return "illegal"
            case DivergedAt():
                return "diverged"
            case CorruptAt():
                return "corrupt"
            case _:
                assert_never(verdict)


@dataclass(frozen=True, slots=True)
class Unread:
    """A file that could not be read, as far as it got."""

    path: str
    fault: CannotRead
    game: str | None = None
    entries: int = 0
    verdict: str = UNREADABLE


def judge_file(path: str) -> Judged | Unread:
    """The verdict on a file, or on standard input for '-'."""
    try:
        source = read_source(path)
    except CannotRead as fault:
        return Unread(path, fault)
    transcript = source.transcript
    try:
        return Judged(path, transcript, verify_transcript(transcript))
    except UnreadableTranscript as fault:
        entries = len(transcript.entries)
        return Unread(path, source.cannot_read(fault), game_of(transcript), entries)


def game_of(transcript: Transcript) -> str | None:
    """The game that the tags name, known or not."""
    return next((tag.value for tag in transcript.tags if tag.name == "Game"), None)
