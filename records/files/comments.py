"""The comments of a transcript, kept among the tags of a stored match.

The name of such a tag is one that no tag of a transcript can have: `;Event` and `;12` are comments behind
that tag and that entry, `;^Event` and `;^12` lines of their own after them, `;^` lines before everything.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

from records.entry import MatchHeader
from records.files.tags import UNSTATED, write_header
from records.files.transcript import Comment, Item, Tag, Transcript, TranscriptLine, Unwritable
from records.games.bound import BoundGame

RESULT: Final = "Result"
"""The tag that states who won; of a stored match it is there only if it was imported with one."""

_BEHIND: Final = ";"
_BELOW: Final = ";^"

Pair: TypeAlias = tuple[str, str]


def told_tags(header: MatchHeader) -> list[Pair]:
    """The tags of a stored match that mean nothing to the rules, and are no comments."""
    return [(name, value) for name, value in header.tags if name != RESULT and not name.startswith(_BEHIND)]


def unwritable(game: BoundGame, header: MatchHeader) -> str | None:
    """Why no transcript can have the tags of a stored match; None where one can."""
    if not header.tags:
        return None
    try:
        tags = write_header(game, header.setup, (), [Tag(*pair) for pair in told_tags(header)])
        with_comments(tags, (), header.tags)
    except Unwritable as fault:
        return str(fault)
    return None


def stated_result(header: MatchHeader) -> frozenset[str] | None:
    """The names of the winners that a stored match states; None where it states none."""
    stated = dict(header.tags).get(RESULT, UNSTATED)
    return None if stated == UNSTATED else frozenset(stated.split())


def comment_tags(transcript: Transcript) -> Iterator[Pair]:
    """Every comment of a transcript as a tag."""
    anchor, number = "", 0
    for item in transcript.items:
        if isinstance(item, Comment):
            yield _BELOW + anchor, item.text
            continue
        number += isinstance(item, TranscriptLine)
        anchor = item.name if isinstance(item, Tag) else str(number)
        if item.comment is not None:
            yield _BEHIND + anchor, item.comment


def with_comments(
    tags: Iterable[Tag], entries: Iterable[tuple[int, TranscriptLine]], kept: Iterable[Pair]
) -> Transcript:
    """A transcript with the comments that a stored match has kept; entries come with their sequence.

    What belonged to an entry that was taken back stands before the first entry.
    """
    comments: dict[str, list[str]] = defaultdict(list)
    for name, text in kept:
        if name.startswith(_BEHIND):
            comments[name].append(text)
    items: list[Item] = _own_lines(comments, "")
    for tag in tags:
        items.append(Tag(tag.name, tag.value, _behind(comments, tag.name)))
        items += _own_lines(comments, tag.name)
    moves: list[Item] = []
    for sequence, entry in entries:
        moves.append(TranscriptLine(entry.text, _behind(comments, str(sequence))))
        moves += _own_lines(comments, str(sequence))
    left = [Comment(text) for texts in comments.values() for text in texts]
    return Transcript((*items, *left, *moves))


def _behind(comments: dict[str, list[str]], anchor: str) -> str | None:
    texts = comments.pop(_BEHIND + anchor, None)
    return " ".join(texts) if texts else None


def _own_lines(comments: dict[str, list[str]], anchor: str) -> list[Item]:
    return [Comment(text) for text in comments.pop(_BELOW + anchor, ())]
