"""Transcripts, the text form of a record: tags, then one entry per line, and comments anywhere."""

import re
from dataclasses import dataclass, field
from typing import Final, TypeAlias, assert_never

from msgspec import Struct

from rules.kernel.text import quoted

MAX_TRANSCRIPT_BYTES: Final = 8 * 1024 * 1024
"""The maximum size of a transcript, in bytes: 20,000 entries with long comments fit."""

MAX_TRANSCRIPT_ENTRIES: Final = 20_000
"""The maximum number of entries of a transcript, as of a record; each game has a lower limit of its own."""

MAX_TRANSCRIPT_TAGS: Final = 1_000
"""The maximum number of tags of a transcript; a match has about ten, and some for its people."""

MAX_TRANSCRIPT_COMMENTS: Final = 20_000
"""The maximum number of lines that are comments: one per entry."""

_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]*+")
_BLANK: Final = " \t"
_BLANKS: Final = re.compile(rf"[{_BLANK}]*+")
_VALUE: Final = re.compile(r'(?:[^"\\]|\\["\\])*+')
_ESCAPED: Final = re.compile(r"\\(.)")
_NUMBER: Final = re.compile(r"[0-9]++(?=\.)")
_USUAL: Final = re.compile(rf"([0-9]++)\. ([^;{_BLANK}](?:[^;]*[^;{_BLANK}])?)")
"""An entry without a comment, as write_transcript writes it."""
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


class UnreadableTranscript(ValueError):
    """The text is not a transcript."""

    def __init__(self, line: int, column: int, why: str) -> None:
        super().__init__(f"line {line}, column {column}: {why}")
        self.line = line
        self.column = column
        """Line and column of the fault, both from 1."""
        self.why = why


class Unwritable(ValueError):
    """A text that cannot be written in a transcript."""


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
            raise Unwritable(f"{quoted(self.name)} is not a name for a tag: use letters, digits, - and _")
        _require_no_control(self.value)
        _require_valid_comment(self.comment)

    def fault(self, why: str) -> UnreadableTranscript:
        """A fault of this tag."""
        return UnreadableTranscript(self.line, self.column, why)


@dataclass(frozen=True, slots=True)
class TranscriptLine:
    """A move with its actor, in the game's notation; its number is its place in the record."""

    text: str
    comment: str | None = None
    line: int = field(default=0, compare=False)
    column: int = field(default=0, compare=False)
    """The column of the text, after the number."""

    def __post_init__(self) -> None:
        _require_no_control(self.text)
        if not self.text or self.text != self.text.strip(_BLANK) or ";" in self.text:
            raise Unwritable(f"{quoted(self.text)} cannot be the text of an entry")
        _require_valid_comment(self.comment)


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment on a line of its own."""

    text: str

    def __post_init__(self) -> None:
        _require_valid_comment(self.text)


Item: TypeAlias = Tag | TranscriptLine | Comment


@dataclass(frozen=True, slots=True)
class Transcript:
    """The lines of a record as text; tags and moves are not interpreted here."""

    items: tuple[Item, ...]
    """In the order of the lines; no tag is repeated or comes after an entry."""

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
        """The tags."""
        return tuple(item for item in self.items if isinstance(item, Tag))

    @property
    def entries(self) -> tuple[TranscriptLine, ...]:
        """The moves; entry 1 comes first."""
        return tuple(item for item in self.items if isinstance(item, TranscriptLine))


def decode(data: bytes) -> str:
    """Decode the bytes of a file; raises UnreadableTranscript."""
    if len(data) > MAX_TRANSCRIPT_BYTES:
        raise UnreadableTranscript(
            1, 1, f"the file has more than {MAX_TRANSCRIPT_BYTES // 1024**2} MiB; no transcript is that long"
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        # The decoder counts from after the byte order mark.
        at = fault.start + len(data) - len(fault.object)
        good = data[:at].decode("utf-8-sig")
        raise UnreadableTranscript(
            *_place(good, len(good)), f"byte {at} (0x{data[at]:02x}) is not UTF-8; expected a text in UTF-8"
        ) from None


def read_transcript(text: str) -> Transcript:
    """Parse a transcript; raises UnreadableTranscript, which says what was expected."""
    text = text.removeprefix("\N{BYTE ORDER MARK}").replace("\r\n", "\n")
    if control := _CONTROL.search(text):
        binary = "; the file is binary" if control[0] == "\0" else ""
        raise UnreadableTranscript(
            *_place(text, control.start()), f"found U+{ord(control[0]):04X}, expected text{binary}"
        )
    items: list[Item] = []
    tags: dict[str, int] = {}
    entries = comments = 0
    for number, content in enumerate(text.split("\n"), start=1):
        first = content.lstrip(_BLANK)[:1]
        if not first:
            continue
        line = _SourceLine(number, content)
        match first:
            case ";":
                comments += 1
                if comments > MAX_TRANSCRIPT_COMMENTS:
                    raise line.fault(
                        0, f"the record has more than {MAX_TRANSCRIPT_COMMENTS} lines of comments"
                    )
                items.append(Comment(line.comment(line.skip_blanks(0)) or ""))
            case "[" if not entries:
                tag = line.tag()
                if tag.name in tags:
                    raise tag.fault(f"the tag {tag.name} is already on line {tags[tag.name]}")
                if len(tags) == MAX_TRANSCRIPT_TAGS:
                    raise tag.fault(f"the record has more than {MAX_TRANSCRIPT_TAGS} tags")
                tags[tag.name] = number
                items.append(tag)
            case "[":
                raise line.fault(line.skip_blanks(0), "a tag comes after an entry; tags come first")
            case _:
                entries += 1
                if entries > MAX_TRANSCRIPT_ENTRIES:
                    raise line.fault(
                        0, f"the record has more than {MAX_TRANSCRIPT_ENTRIES} entries; no match is that long"
                    )
                items.append(line.entry(entries))
    return Transcript(tuple(items))


def write_tag(tag: Tag) -> str:
    """A tag as a line."""
    escaped = tag.value.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{tag.name} "{escaped}"]{_write_comment(tag.comment)}'


def write_transcript(transcript: Transcript) -> str:
    """The text of a transcript: tags, a blank line, the rest. It parses as the same transcript."""
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


class _SourceLine(Struct, frozen=True, gc=False):
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
        stated = _NUMBER.match(self.text, start)
        if stated is None:
            raise self.fault(
                start,
                f"expected a tag such as [Game …], entry {number} as in '{number}. …', or a comment after ;"
                f" but found {self.found(start)}",
            )
        if stated[0] != str(number):
            raise self.fault(
                start,
                f"expected entry {number}, found {quoted(stated[0], 20)}; entries count from 1 without gaps",
            )
        begin = self.skip_blanks(stated.end() + 1)
        end = self.text.find(";", begin)
        text = self.text[begin : end if end >= 0 else None].rstrip(_BLANK)
        if not text or begin == stated.end() + 1:
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


def _require_no_control(text: str) -> None:
    if "\n" in text or _CONTROL.search(text):
        raise Unwritable(f"{quoted(text)} has a control character")


def _require_valid_comment(text: str | None) -> None:
    if text is None:
        return
    _require_no_control(text)
    if text != text.rstrip(_BLANK):
        raise Unwritable(f"the comment {quoted(text)} ends in blanks")
