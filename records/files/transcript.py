"""The text form of a record, read and written: tags, then an entry a line, and comments anywhere."""

import re
from dataclasses import dataclass, field
from typing import Final, TypeAlias, assert_never

from msgspec import Struct

from rules.kernel.text import quoted

MOST_BYTES: Final = 8 * 1024 * 1024
"""A longer file is not read."""

MOST_ENTRIES: Final = 20_000
"""More entries are not read, whatever the game."""

_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]*+")
_BLANK: Final = " \t"
_BLANKS: Final = re.compile(rf"[{_BLANK}]*+")
_VALUE: Final = re.compile(r'(?:[^"\\]|\\["\\])*+')
_ESCAPED: Final = re.compile(r"\\(.)")
_NUMBER: Final = re.compile(r"[0-9]++(?=\.)")
_USUAL: Final = re.compile(rf"([0-9]++)\. ([^;{_BLANK}](?:[^;]*[^;{_BLANK}])?)")
"""An entry without a comment, as write_transcript() writes it."""
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


class UnreadableTranscript(ValueError):
    """The text is no transcript."""

    def __init__(self, line: int, column: int, why: str) -> None:
        super().__init__(f"line {line}, column {column}: {why}")
        self.line = line
        self.column = column
        """Where reading stopped; both count from 1."""
        self.why = why


class Unwritable(ValueError):
    """No line of a transcript can hold this text."""


@dataclass(frozen=True, slots=True)
class Tag:
    """A fact about the whole record: `[Board "bird"]`."""

    name: str
    value: str
    comment: str | None = None
    line: int = field(default=0, compare=False)
    column: int = field(default=0, compare=False)

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise Unwritable(f"{quoted(self.name)} is no name of a tag: letters, digits, - and _")
        _refuse_control(self.value)
        _refuse_bad_comment(self.comment)

    def fault(self, why: str) -> UnreadableTranscript:
        """A fault of this tag."""
        return UnreadableTranscript(self.line, self.column, why)


@dataclass(frozen=True, slots=True)
class TranscriptLine:
    """A move with its actor, as text that only the game can read; its number is its place in the record."""

    text: str
    comment: str | None = None
    line: int = field(default=0, compare=False)
    column: int = field(default=0, compare=False)
    """Where the text begins, after the number."""

    def __post_init__(self) -> None:
        _refuse_control(self.text)
        if not self.text or self.text != self.text.strip(_BLANK) or ";" in self.text:
            raise Unwritable(f"{quoted(self.text)} cannot stand in an entry")
        _refuse_bad_comment(self.comment)


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment on a line of its own."""

    text: str

    def __post_init__(self) -> None:
        _refuse_bad_comment(self.text)


Item: TypeAlias = Tag | TranscriptLine | Comment


@dataclass(frozen=True, slots=True)
class Transcript:
    """A record as text, line by line; what the tags and the moves mean is not looked at here."""

    items: tuple[Item, ...]
    """In the order of the lines; no tag comes twice or after an entry."""

    def __post_init__(self) -> None:
        entered = False
        names: set[str] = set()
        for item in self.items:
            entered = entered or isinstance(item, TranscriptLine)
            if isinstance(item, Tag):
                if entered or item.name in names:
                    raise Unwritable(f"the tag {item.name} comes {'after an entry' if entered else 'twice'}")
                names.add(item.name)

    @property
    def tags(self) -> tuple[Tag, ...]:
        """What is told of the whole record."""
        return tuple(item for item in self.items if isinstance(item, Tag))

    @property
    def entries(self) -> tuple[TranscriptLine, ...]:
        """The moves; entry 1 comes first."""
        return tuple(item for item in self.items if isinstance(item, TranscriptLine))


def decode(data: bytes) -> str:
    """The text of a file, or why it is none."""
    if len(data) > MOST_BYTES:
        raise UnreadableTranscript(
            1, 1, f"the file has more than {MOST_BYTES // 1024**2} MiB; no transcript is so long"
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        # The decoder counts from behind a byte order mark.
        at = fault.start + len(data) - len(fault.object)
        good = data[:at].decode("utf-8-sig")
        raise UnreadableTranscript(
            *_place(good, len(good)), f"byte {at} (0x{data[at]:02x}) is not UTF-8; expected a text in UTF-8"
        ) from None


def read_transcript(text: str) -> Transcript:
    """The transcript that the text is; a fault is UnreadableTranscript and says what was expected."""
    text = text.removeprefix("\N{BYTE ORDER MARK}").replace("\r\n", "\n")
    if control := _CONTROL.search(text):
        binary = "; the file is binary" if control[0] == "\0" else ""
        raise UnreadableTranscript(
            *_place(text, control.start()), f"found U+{ord(control[0]):04X}, expected text{binary}"
        )
    items: list[Item] = []
    tags: dict[str, int] = {}
    entries = 0
    for number, content in enumerate(text.split("\n"), start=1):
        first = content.lstrip(_BLANK)[:1]
        if not first:
            continue
        line = _Line(number, content)
        match first:
            case ";":
                items.append(Comment(line.comment(line.skip_blanks(0)) or ""))
            case "[" if not entries:
                tag = line.tag()
                if tag.name in tags:
                    raise tag.fault(f"the tag {tag.name} stands on line {tags[tag.name]} already")
                tags[tag.name] = number
                items.append(tag)
            case "[":
                raise line.fault(line.skip_blanks(0), "a tag stands after an entry; tags come first")
            case _:
                entries += 1
                if entries > MOST_ENTRIES:
                    raise line.fault(
                        0, f"the record has more than {MOST_ENTRIES} entries; no match is so long"
                    )
                items.append(line.entry(entries))
    return Transcript(tuple(items))


def write_tag(tag: Tag) -> str:
    """A tag as a line."""
    escaped = tag.value.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{tag.name} "{escaped}"]{_write_comment(tag.comment)}'


def write_transcript(transcript: Transcript) -> str:
    """The text of a transcript: the tags, a blank line, the rest; read again, it is the same transcript."""
    lines: list[str] = []
    last_tag = max((at for at, item in enumerate(transcript.items) if isinstance(item, Tag)), default=-1)
    number = 0
    for at, item in enumerate(transcript.items):
        match item:
            case Tag():
                lines.append(write_tag(item))
            case TranscriptLine():
                number += 1
                lines.append(f"{number}. {item.text}{_write_comment(item.comment)}")
            case Comment():
                lines.append(_write_comment(item.text).lstrip(_BLANK))
            case _:
                assert_never(item)
        if at == last_tag:
            lines.append("")
    return "".join(f"{line}\n" for line in lines)


class _Line(Struct, frozen=True, gc=False):
    number: int
    text: str

    def fault(self, at: int, why: str) -> UnreadableTranscript:
        return UnreadableTranscript(self.number, at + 1, why)

    def skip_blanks(self, at: int) -> int:
        found = _BLANKS.match(self.text, at)
        return found.end() if found else at

    def found(self, at: int) -> str:
        return quoted(self.text[at:], 20) if at < len(self.text) else "the end of the line"

    def tag(self) -> Tag:
        start = self.skip_blanks(0)
        name = _NAME.match(self.text, start + 1)
        if name is None:
            raise self.fault(start + 1, f"expected the name of a tag, found {self.found(start + 1)}")
        opening = self.skip_blanks(name.end())
        if not self.text.startswith('"', opening) or opening == name.end():
            raise self.fault(
                opening, f"expected a value in quotation marks after {name[0]}, found {self.found(opening)}"
            )
        value = _VALUE.match(self.text, opening + 1)
        closing = value.end() if value else opening + 1
        if not self.text.startswith('"', closing):
            expected = r"\" or \\" if self.text.startswith("\\", closing) else "a closing quotation mark"
            raise self.fault(
                closing, f"expected {expected} in the value of {name[0]}, found {self.found(closing)}"
            )
        end = self.skip_blanks(closing + 1)
        if not self.text.startswith("]", end):
            raise self.fault(end, f"expected ] after the value of {name[0]}, found {self.found(end)}")
        unescaped = _ESCAPED.sub(r"\1", self.text[opening + 1 : closing])
        return Tag(name[0], unescaped, self.comment(end + 1), self.number, start + 1)

    def entry(self, number: int) -> TranscriptLine:
        usual = _USUAL.fullmatch(self.text)
        if usual is not None and usual[1] == str(number):
            return TranscriptLine(usual[2], None, self.number, usual.start(2) + 1)
        start = self.skip_blanks(0)
        told = _NUMBER.match(self.text, start)
        if told is None:
            raise self.fault(
                start,
                f"expected a tag such as [Game …], entry {number} as in '{number}. …', or a comment after ;"
                f" but found {self.found(start)}",
            )
        if told[0] != str(number):
            raise self.fault(
                start,
                f"expected entry {number}, found {quoted(told[0], 20)}; entries count from 1 without gaps",
            )
        begin = self.skip_blanks(told.end() + 1)
        end = self.text.find(";", begin)
        text = self.text[begin : end if end >= 0 else None].rstrip(_BLANK)
        if not text or begin == told.end() + 1:
            raise self.fault(
                begin, f"expected a blank and a move after '{number}.', found {self.found(begin)}"
            )
        return TranscriptLine(text, self.comment(begin + len(text)), self.number, begin + 1)

    def comment(self, at: int) -> str | None:
        start = self.skip_blanks(at)
        rest = self.text[start:].rstrip(_BLANK)
        if rest and not rest.startswith(";"):
            raise self.fault(start, f"expected a comment after ; or nothing, found {self.found(start)}")
        return rest[1:].removeprefix(" ") if rest else None


def _write_comment(text: str | None) -> str:
    return "" if text is None else f" ; {text}".rstrip(_BLANK)


def _place(text: str, at: int) -> tuple[int, int]:
    """Line and column of a character."""
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)


def _refuse_control(text: str) -> None:
    if "\n" in text or _CONTROL.search(text):
        raise Unwritable(f"{quoted(text)} has a control character")


def _refuse_bad_comment(text: str | None) -> None:
    if text is None:
        return
    _refuse_control(text)
    if text != text.rstrip(_BLANK):
        raise Unwritable(f"the comment {quoted(text)} ends in blanks")
