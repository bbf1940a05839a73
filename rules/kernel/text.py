"""Reads text without guessing: errors state the column and what was expected."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

_WORD: Final = re.compile(r"\S+")


class Unreadable(ValueError):
    """The text cannot be read."""

    def __init__(self, why: str, column: int = 1) -> None:
        super().__init__(why)
        self.why = why
        self.column = column
        """The column of the error, from 1."""

    def shifted(self, by: int) -> "Unreadable":
        """The same error in a longer line that contains this text at the given offset."""
        return Unreadable(self.why, self.column + by)


class Word(Struct, frozen=True, gc=False):
    """A part of a line, and the column where it begins."""

    text: str
    column: int

    def split(self, separator: str) -> "list[Word]":
        """The parts between separators; empty if the word is empty."""
        parts = []
        column = self.column
        for part in self.text.split(separator) if self.text else ():
            parts.append(Word(part, column))
            column += len(part) + len(separator)
        return parts

    def whole_number(self, least: int, most: int, what: str) -> int:
        """Reads the word as a number; raises Unreadable if it is not one in this range."""
        if re.fullmatch(r"[0-9]{1,9}", self.text) and least <= int(self.text) <= most:
            return int(self.text)
        raise self.fault(f"{quoted(self.text)} is no {what}; expected a number from {least} to {most}")

    def fault(self, why: str) -> Unreadable:
        """An error at this word."""
        return Unreadable(why, self.column)

    def contradicted(self, why: str) -> Unreadable:
        """An error at a word that could be right by itself, but not with the rest of its line."""
        return self.fault(f"{quoted(self.text)}: {why}")


def words(line: str, column: int = 1) -> Iterator[Word]:
    """The words of a line between blanks; of a part of a line, given the column where it begins."""
    for found in _WORD.finditer(line):
        yield Word(found[0], found.start() + column)


def quoted(text: str, limit: int = 40) -> str:
    """The text in quotes for a message, with control characters escaped and at most `limit` characters."""
    return repr(text if len(text) <= limit else text[: limit - 1] + "…")


def either(parts: Sequence[str]) -> str:
    """'one', 'one or two', 'one, two or three'."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} or {parts[-1]}"


def listed(parts: Sequence[str]) -> str:
    """'one', 'one and two', 'one, two and three'; 'none' of nothing."""
    if not parts:
        return "none"
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
