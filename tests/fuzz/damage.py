"""Changes files as bytes, lines, words and JSON values, so that most of what is left is still right."""

import json
import random
import re
from collections.abc import Callable, Sequence
from typing import Final

from tests.tools.mutating import changed_at, other_json, paths

SCRAPS: Final = (
    b"",
    b"\x00",
    b"\xff",
    b"\xed\xa0\x80",
    b"\r",
    b"\n",
    b"\n\n",
    b"\t",
    b'"',
    b"\\",
    b"'",
    b"[",
    b"]",
    b"{",
    b"}",
    b"=",
    b"?",
    b"*",
    b"-",
    b"/",
    b"~",
    b";",
    b"\xef\xbb\xbf",
    b"\x1b[2J",
    b"\x07",
    "\u202e".encode(),
    "史記".encode(),
    "é".encode(),
    "\U0001d516".encode(),
    b"\\u0000",
    b"\\ud800",
    b"null",
    b"true",
    b"NaN",
    b"1e999",
    b"-0",
    b"0x10",
    b"1_000",
    b"9" * 20,
    b"9" * 5000,
    b"[" * 3000,
    b"[[" * 3000,
    b"{" * 3000,
    b'{"a":' * 3000,
    b"(" * 3000,
    b"a.b." * 800,
    b"x" * 20_000,
    b"\n" * 5000,
    b" " * 5000,
)
"""What is inserted: marks of the formats, characters that are not shown, numbers at limits, deep nesting."""

NUMBERS: Final = (-1, 0, 1, 2, 9, 10, 255, 256, 2**15, 2**31, 2**32, 2**53, 2**63 - 1, 2**63, 2**64, 10**30)
"""Numbers at the limits of types."""

_KEPT_LINES: Final = (12, 14, 18, 24, 32, 48)
"""Lines of a file that is cut to the beginning of a match: the tags of a transcript are about ten."""

_WORD: Final = re.compile(rb"[A-Za-z0-9_+-]+")
_DIGITS: Final = re.compile(rb"[0-9]+")


class Damage:
    """Changes files of one kind, with words and lines from others of the kind."""

    def __init__(
        self, originals: Sequence[bytes], *, structured: bool = False, shortened: float = 0.0
    ) -> None:
        """`shortened` is the share of files that are first cut to the beginning of a match."""
        self.originals: Final = tuple(originals)
        self._shortened: Final = shortened
        self._words: Final = sorted({word for data in originals for word in _WORD.findall(data)})
        ways: list[Callable[[bytes, random.Random], bytes]] = [
            _other_bytes,
            _cut,
            _repeated,
            _other_number,
            self._other_word,
            self._other_word,
            self._other_lines,
            self._other_lines,
        ]
        self._ways: Final = [*ways, *([_other_value] * 4 if structured else ())]

    def damaged(self, dice: random.Random) -> bytes:
        """An original with one or a few changes."""
        data = dice.choice(self.originals)
        if self._shortened and dice.random() < self._shortened:
            data = b"\n".join(data.split(b"\n", dice.choice(_KEPT_LINES))[:-1])
        return self.changed(data, dice)

    def changed(self, data: bytes, dice: random.Random) -> bytes:
        """A file with one or a few changes."""
        for _ in range(dice.choice((1, 1, 1, 2, 4))):
            data = dice.choice(self._ways)(data, dice)
        return data

    def _other_word(self, data: bytes, dice: random.Random) -> bytes:
        found = _chosen(_WORD, data, dice)
        if found is None:
            return data
        known = self._words and dice.random() < 0.8
        word = dice.choice(self._words) if known else dice.choice(SCRAPS)
        return data[: found[0]] + word + data[found[1] :]

    def _other_lines(self, data: bytes, dice: random.Random) -> bytes:
        lines = data.split(b"\n")
        place, other = dice.randrange(len(lines)), dice.randrange(len(lines))
        match dice.randrange(5):
            case 0:
                del lines[place]
            case 1:
                lines.insert(place, lines[other])
            case 2:
                lines[place], lines[other] = lines[other], lines[place]
            case 3:
                donor = dice.choice(self.originals).split(b"\n")
                lines[place] = dice.choice(donor)
            case _:
                donor = dice.choice(self.originals).split(b"\n")
                lines = lines[:place] + donor[dice.randrange(len(donor)) :]
        return b"\n".join(lines)


def _other_bytes(data: bytes, dice: random.Random) -> bytes:
    start = dice.randrange(len(data) + 1)
    stop = min(len(data), start + dice.choice((0, 0, 1, 2, 12)))
    middle = dice.choice(SCRAPS) if dice.random() < 0.7 else dice.randbytes(dice.choice((1, 2, 4)))
    return data[:start] + middle + data[stop:]


def _cut(data: bytes, dice: random.Random) -> bytes:
    at = dice.randrange(len(data) + 1)
    return data[:at] if dice.random() < 0.7 else data[at:]


def _repeated(data: bytes, dice: random.Random) -> bytes:
    start = dice.randrange(len(data) + 1)
    part = data[start : start + dice.choice((1, 8, 60, 400))]
    return data[:start] + part * dice.choice((2, 3, 20)) + data[start + len(part) :]


def _other_number(data: bytes, dice: random.Random) -> bytes:
    found = _chosen(_DIGITS, data, dice)
    if found is None:
        return data
    near = int(data[found[0] : found[1]][:18]) + dice.choice((-1, 1))
    number = dice.choice((near, dice.choice(NUMBERS)))
    return data[: found[0]] + str(number).encode() + data[found[1] :]


def _chosen(pattern: re.Pattern[bytes], data: bytes, dice: random.Random) -> tuple[int, int] | None:
    """Where one of the matches is, looked for from a random place on."""
    found = pattern.search(data, dice.randrange(len(data) + 1)) or pattern.search(data)
    return None if found is None else found.span()


def _other_value(data: bytes, dice: random.Random) -> bytes:
    """Another value somewhere in one line of JSON."""
    lines = data.split(b"\n")
    place = dice.randrange(len(lines))
    try:
        document: object = json.loads(lines[place])
    except (ValueError, RecursionError):
        return data
    path = dice.choice(paths(document))

    def other(value: object) -> object:
        if dice.random() < 0.6:
            return other_json(value, dice)
        scrap = dice.choice(SCRAPS).decode(errors="replace")
        return dice.choice((dice.choice(NUMBERS), scrap, [value], {"a": value}, value, True, 0.5))

    changed = changed_at(document, path, other)
    lines[place] = json.dumps(changed, separators=(",", ":"), ensure_ascii=dice.random() < 0.5).encode(
        errors="replace"
    )
    return b"\n".join(lines)
