"""The comments of a transcript, stored among the tags of a match.

Such a tag has a name that no tag of a transcript can have: `;Event` and `;12` are comments at the end of the
line of that tag or entry, `;^Event` and `;^12` comments on lines of their own after it, `;^` those before
everything.
"""

import re
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from records.entry import MatchHeader
from records.files.tags import UNSTATED, result_names, write_header
from records.files.transcript import Comment, Item, Tag, Transcript, TranscriptLine, Unwritable
from records.games.bound import BoundGame

RESULT: Final = "Result"
"""The tag that states who won; a stored match has it only if it was imported with one."""

_SAME_LINE: Final = ";"
_OWN_LINE: Final = ";^"
_ENTRY_NUMBER: Final = re.compile(r"[0-9]{1,9}")

Pair: TypeAlias = tuple[str, str]


def further_tags(header: MatchHeader) -> list[Pair]:
    """The tags of a stored match that are neither a result nor comments."""
    return [
        (name, value) for name, value in header.tags if name != RESULT and not name.startswith(_SAME_LINE)
    ]


@dataclass(frozen=True, slots=True)
class PlacedComment:
    """A comment of a transcript, and where it stands there."""

    text: str
    place: str
    """In words: 'on entry 12', 'after the tag Event', 'before everything'."""
    entry: int | None
    """The entry that it is on or after; None for one among the tags."""


def placed_comments(tags: Iterable[Pair]) -> Iterator[PlacedComment]:
    """The comments among the tags of a stored match."""
    for name, text in tags:
        if not name.startswith(_SAME_LINE):
            continue
        own_line = name.startswith(_OWN_LINE)
        anchor = name.removeprefix(_OWN_LINE if own_line else _SAME_LINE)
        entry = int(anchor) if _ENTRY_NUMBER.fullmatch(anchor) else None
        if not anchor:
            yield PlacedComment(text, "before everything", None)
            continue
        what = f"the tag {anchor}" if entry is None else f"entry {anchor}"
        yield PlacedComment(text, f"{'after' if own_line else 'on'} {what}", entry)


def entry_comments(tags: Iterable[Pair]) -> dict[int, str]:
    """The comments on and after entries, by the entry."""
    found: dict[int, str] = {}
    for each in placed_comments(tags):
        if each.entry is not None:
            found[each.entry] = f"{found[each.entry]} {each.text}" if each.entry in found else each.text
    return found


def readable_tags(tags: Iterable[Pair], *, without: Container[int] = ()) -> dict[str, str]:
    """The tags of a stored match by names that people understand: a comment is named for its place.

    Comments on the entries `without` are left out, because they are shown with these.
    """
    stored = tuple(tags)
    found = {name: value for name, value in stored if not name.startswith(_SAME_LINE)}
    for each in placed_comments(stored):
        if each.entry in without:
            continue
        name = f"comment {each.place}"
        found[name] = f"{found[name]}\n{each.text}" if name in found else each.text
    return found


def unwritable(game: BoundGame, header: MatchHeader) -> str | None:
    """Why the tags of a stored match cannot be written as a transcript; None if they can."""
    if not header.tags:
        return None
    try:
        tags = write_header(game, header.setup, None, [Tag(*pair) for pair in further_tags(header)])
        with_comments(tags, (), header.tags)
    except Unwritable as fault:
        return str(fault)
    return None


def stated_result(header: MatchHeader) -> frozenset[str] | None:
    """The names of the winners that a stored match states; None if it states nothing."""
    names = result_names(dict(header.tags).get(RESULT, UNSTATED), header.setup.seats)
    return None if names is None else frozenset(names)


def comment_tags(transcript: Transcript) -> Iterator[Pair]:
    """Every comment of a transcript as a tag."""
    anchor, number = "", 0
    for item in transcript.items:
        if isinstance(item, Comment):
            yield _OWN_LINE + anchor, item.text
            continue
        number += isinstance(item, TranscriptLine)
        anchor = item.name if isinstance(item, Tag) else str(number)
        if item.comment is not None:
            yield _SAME_LINE + anchor, item.comment


def with_comments(
    tags: Iterable[Tag], entries: Iterable[tuple[int, TranscriptLine]], kept: Iterable[Pair]
) -> Transcript:
    """A transcript with the comments of a stored match; entries are given with their sequence.

    Comments on entries that were taken back are written before the first entry.
    """
    comments: dict[str, list[str]] = defaultdict(list)
    for name, text in kept:
        if name.startswith(_SAME_LINE):
            comments[name].append(text)
    items: list[Item] = _own_lines(comments, "")
    for tag in tags:
        items.append(Tag(tag.name, tag.value, _same_line(comments, tag.name)))
        items += _own_lines(comments, tag.name)
    moves: list[Item] = []
    for sequence, entry in entries:
        moves.append(TranscriptLine(entry.text, _same_line(comments, str(sequence))))
        moves += _own_lines(comments, str(sequence))
    left = [Comment(text) for texts in comments.values() for text in texts]
    return Transcript((*items, *left, *moves))


def _same_line(comments: dict[str, list[str]], anchor: str) -> str | None:
    texts = comments.pop(_SAME_LINE + anchor, None)
    return " ".join(texts) if texts else None


def _own_lines(comments: dict[str, list[str]], anchor: str) -> list[Item]:
    return [Comment(text) for text in comments.pop(_OWN_LINE + anchor, ())]
