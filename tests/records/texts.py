"""Transcripts for tests, from their moves and the tags that matter."""

from collections.abc import Mapping
from typing import Final

from records.files.transcript import Transcript, read_transcript

TAGS: Final[Mapping[str, str]] = {
    "Format": "shiji/1",
    "Game": "qin",
    "Edition": "qin/1",
    "Rulings": "",
    "Board": "bird",
    "Seats": "green violet",
    "Draws": "unrecorded",
    "Result": "*",
}


def text(*moves: str, **tags: str | None) -> str:
    """The text of a transcript; a tag given as None is left out."""
    stated = {**TAGS, **tags}
    lines = [f'[{name} "{value}"]' for name, value in stated.items() if value is not None]
    entries = [f"{number}. {move}" for number, move in enumerate(moves, start=1)]
    return "".join(f"{line}\n" for line in (*lines, "", *entries))


def transcript(*moves: str, **tags: str | None) -> Transcript:
    """The transcript of these moves."""
    return read_transcript(text(*moves, **tags))
