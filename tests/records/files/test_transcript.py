"""Reading and writing the text of a transcript; its meaning is tested elsewhere."""

from codecs import BOM_UTF8
from collections.abc import Callable
from typing import TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from records.files.transcript import (
    MAX_TRANSCRIPT_BYTES,
    MAX_TRANSCRIPT_ENTRIES,
    Comment,
    Tag,
    Transcript,
    TranscriptLine,
    UnreadableTranscript,
    Unwritable,
    decode,
    read_transcript,
    write_transcript,
)
from records.games.registry import GAMES
from tests.records.texts import TAGS, text

Told = TypeVar("Told")

EVERYTHING = """\
; before everything
[Format "shiji/1"] ; beside a tag
;between tags
[Event "The \\"golden\\" \\\\ cup"]

; between tags and entries

1. green Re8Re9 ; well; played
;
2. violet pass
; at the end
"""


def answer(ask: Callable[[], Told]) -> Told | UnreadableTranscript:
    try:
        return ask()
    except UnreadableTranscript as refused:
        return refused


def fault(content: str) -> UnreadableTranscript:
    with pytest.raises(UnreadableTranscript) as raised:
        read_transcript(content)
    return raised.value


def place(content: str) -> tuple[int, int]:
    raised = fault(content)
    return raised.line, raised.column


def test_every_line_is_kept_in_its_order() -> None:
    read = read_transcript(EVERYTHING)

    assert read.items == (
        Comment("before everything"),
        Tag("Format", "shiji/1", "beside a tag"),
        Comment("between tags"),
        Tag("Event", 'The "golden" \\ cup'),
        Comment("between tags and entries"),
        TranscriptLine("green Re8Re9", "well; played"),
        Comment(""),
        TranscriptLine("violet pass"),
        Comment("at the end"),
    )


def test_a_written_transcript_has_the_tags_then_a_blank_line_then_the_rest() -> None:
    written = write_transcript(read_transcript(EVERYTHING))

    assert written == (
        "; before everything\n"
        '[Format "shiji/1"] ; beside a tag\n'
        "; between tags\n"
        '[Event "The \\"golden\\" \\\\ cup"]\n'
        "\n"
        "; between tags and entries\n"
        "1. green Re8Re9 ; well; played\n"
        ";\n"
        "2. violet pass\n"
        "; at the end\n"
    )


def test_tags_and_entries_know_their_line_and_column() -> None:
    read = read_transcript(' [Game "qin"]\n\n  1.  green pass\n')

    assert [(tag.line, tag.column) for tag in read.tags] == [(1, 2)]
    assert [(entry.line, entry.column) for entry in read.entries] == [(3, 7)]


@pytest.mark.parametrize("disguise", ["\ufeff{}", "{}\n\n", "\n\n{}"])
def test_a_byte_order_mark_and_blank_lines_change_nothing(disguise: str) -> None:
    plain = text("green Re8Re9", "violet pass")

    assert read_transcript(disguise.format(plain)) == read_transcript(plain)


def test_line_ends_of_other_systems_and_a_missing_one_change_nothing() -> None:
    plain = text("green Re8Re9", "violet pass")

    assert read_transcript(plain.replace("\n", "\r\n")) == read_transcript(plain)
    assert read_transcript(plain.removesuffix("\n")) == read_transcript(plain)


def test_a_semicolon_in_a_value_starts_no_comment() -> None:
    assert read_transcript('[Event "one; two"]').items == (Tag("Event", "one; two"),)


one_line = st.text(st.characters(exclude_categories=("Cc", "Cs")))
comments = one_line.map(lambda content: content.rstrip(" \t"))
names = st.from_regex(r"[A-Za-z][A-Za-z0-9_-]*", fullmatch=True)
entries = st.builds(
    TranscriptLine,
    one_line.map(lambda content: content.replace(";", "").strip(" \t")).filter(bool),
    st.none() | comments,
)
transcripts = st.builds(
    lambda tags, rest: Transcript((*tags, *rest)),
    st.lists(
        st.builds(Tag, names, one_line, st.none() | comments) | st.builds(Comment, comments),
        unique_by=lambda item: item.name if isinstance(item, Tag) else object(),
    ),
    st.lists(entries | st.builds(Comment, comments)),
)


@given(transcripts)
def test_what_is_written_reads_the_same(whole: Transcript) -> None:
    assert read_transcript(write_transcript(whole)) == whole


@given(st.text() | st.text(st.sampled_from('[]";\\. \t\n\r1a')))
def test_any_text_is_read_or_refused_with_its_place(content: str) -> None:
    whole = answer(lambda: read_transcript(content))

    if isinstance(whole, UnreadableTranscript):
        assert 1 <= whole.line <= content.count("\n") + 1
        assert 1 <= whole.column <= len(content) + 1
    else:
        assert read_transcript(write_transcript(whole)) == whole


@given(st.binary())
def test_any_bytes_are_text_or_refused_with_their_place(data: bytes) -> None:
    content = answer(lambda: decode(data))

    if isinstance(content, UnreadableTranscript):
        assert 1 <= content.line <= data.count(b"\n") + 1
        assert 1 <= content.column <= len(data) + 1
    else:
        assert content.encode() == data.removeprefix(BOM_UTF8)


@pytest.mark.parametrize(
    ("line", "column"),
    [
        ("[", 2),
        ("[]", 2),
        ('["bird"]', 2),
        ("[Board", 7),
        ("[Board bird]", 8),
        ('[Board"bird"]', 7),
        ('[Board "bi', 11),
        ('[Board "bi\\', 11),
        ('[Board "b\\nird"]', 10),
        ('[Board "bird"', 14),
        ('[Board "bird" "lion"]', 15),
        ('[Board "bird"] [Draws "recorded"]', 16),
        ("green Re8Re9", 1),
        ("1", 1),
        ("1 green pass", 1),
        ("1.", 3),
        ("1. ; nothing", 4),
        ("1.green pass", 3),
        ("2. green pass", 1),
        ("0. green pass", 1),
        ("01. green pass", 1),
        ("-1. green pass", 1),
        ("9" * 5000 + ". green pass", 1),
        ("\N{ARABIC-INDIC DIGIT ONE}. green pass", 1),
        ("\N{NO-BREAK SPACE}1. green pass", 1),
    ],
)
def test_a_line_that_is_neither_tag_nor_entry_nor_comment_is_refused_at_its_column(
    line: str, column: int
) -> None:
    assert place(f'[Game "qin"]\n{line}') == (2, column)


def test_a_fault_says_what_was_expected_and_what_was_found() -> None:
    content = str(fault('[Game "qin"]\n[Board "bird"'))

    assert content == "line 2, column 14: expected ] after the value of Board, found the end of the line"


def test_a_long_line_makes_no_long_message() -> None:
    assert len(str(fault("x" * 100_000))) < 200


def test_a_number_that_comes_twice_is_refused() -> None:
    assert place("1. green pass\n1. violet pass") == (2, 1)


def test_a_tag_after_an_entry_is_refused() -> None:
    assert place('1. green pass\n [Game "qin"]') == (2, 2)


def test_a_repeated_tag_is_refused_at_the_second_one() -> None:
    assert place('[Event "one"]\n\n[Event "two"]') == (3, 1)


@pytest.mark.parametrize("control", ["\0", "\r", "\x1b[31m", "\x7f", "\x85"])
def test_control_characters_are_refused(control: str) -> None:
    assert place(f"; fine\n; not{control}fine\n") == (2, 6)


def test_more_entries_than_any_match_has_are_refused() -> None:
    content = "".join(f"{number}. green pass\n" for number in range(1, MAX_TRANSCRIPT_ENTRIES + 2))

    assert place(content) == (MAX_TRANSCRIPT_ENTRIES + 1, 1)


def test_every_game_keeps_within_the_limit_of_entries() -> None:
    assert [game.about.key for game in GAMES if game.max_entries > MAX_TRANSCRIPT_ENTRIES] == []


def test_bytes_that_are_not_utf_8_are_refused_at_their_place() -> None:
    with pytest.raises(UnreadableTranscript, match=r"^line 2, column 3: byte 11 \(0xe9\) is not UTF-8"):
        decode("\ufeff; fine\n".encode()[:8] + "\n; \xe9".encode("latin-1"))


def test_a_longer_file_than_8_mib_is_refused() -> None:
    with pytest.raises(UnreadableTranscript, match="more than 8 MiB"):
        decode(b";" * (MAX_TRANSCRIPT_BYTES + 1))


def test_the_longest_file_is_read() -> None:
    assert decode(b";" * MAX_TRANSCRIPT_BYTES).startswith(";")


@pytest.mark.parametrize("name", ["", "1st", "My Event", "Évent", 'Event"'])
def test_a_tag_cannot_have_a_name_that_nobody_could_read(name: str) -> None:
    with pytest.raises(Unwritable):
        Tag(name, "")


@pytest.mark.parametrize("content", ["", " green pass", "green pass ", "green; pass", "green\npass", "\x1b"])
def test_an_entry_cannot_have_a_text_that_nobody_could_read(content: str) -> None:
    with pytest.raises(Unwritable):
        TranscriptLine(content)


@pytest.mark.parametrize("content", ["two\nlines", "blanks at the end ", "\0"])
def test_a_comment_cannot_have_a_text_that_nobody_could_read(content: str) -> None:
    for make in (
        lambda: Comment(content),
        lambda: Tag("Event", "", content),
        lambda: TranscriptLine("pass", content),
    ):
        with pytest.raises(Unwritable):
            make()


def test_a_transcript_cannot_have_a_tag_twice_or_after_an_entry() -> None:
    with pytest.raises(Unwritable, match="after an entry"):
        Transcript((TranscriptLine("green pass"), Tag("Game", "qin")))
    with pytest.raises(Unwritable, match="twice"):
        Transcript((Tag("Game", "qin"), Tag("Game", "qin")))


def test_an_empty_text_is_an_empty_transcript() -> None:
    assert read_transcript("") == Transcript(())
    assert write_transcript(Transcript(())) == ""
    assert len(read_transcript(text()).tags) == len(TAGS)
