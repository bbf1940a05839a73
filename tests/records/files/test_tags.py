"""What the tags of a transcript determine."""

import pytest

from records.files.tags import read_header, write_header
from records.files.transcript import (
    Comment,
    Tag,
    Transcript,
    TranscriptLine,
    UnreadableTranscript,
    read_transcript,
)
from records.games.registry import find_game
from rules.kernel.edition import EditionKey
from rules.kernel.setup import Draws, Setup
from tests.records.texts import TAGS, text, transcript

LINES = {name: line for line, name in enumerate(TAGS, start=1)}


def fault(**tags: str | None) -> UnreadableTranscript:
    with pytest.raises(UnreadableTranscript) as raised:
        read_header(transcript(**tags))
    return raised.value


def test_the_tags_lay_out_the_match() -> None:
    header = read_header(
        transcript(
            Board="map:R..", Seats="a b c", Draws="recorded", Rulings="stuck=end singles=mover", Result="c a"
        )
    )

    assert header.game.about.key == "qin"
    assert header.start.setup == Setup(
        EditionKey("qin/1"),
        ("a", "b", "c"),
        "map:R..",
        Draws.RECORDED,
        (("singles", "mover"), ("stuck", "end")),
    )
    assert header.result == frozenset({"a", "c"})


@pytest.mark.parametrize("name", ["Rulings", "Draws", "Result"])
def test_a_tag_that_may_be_left_out_has_its_default(name: str) -> None:
    without, plain = read_header(transcript(**{name: None})), read_header(transcript())

    assert (without.start, without.result) == (plain.start, plain.result)


@pytest.mark.parametrize("name", ["Format", "Game", "Edition", "Board", "Seats"])
def test_nothing_is_guessed_if_any_other_tag_is_missing(name: str) -> None:
    missed = fault(**{name: None})

    assert (missed.line, missed.why) == (len(TAGS), f'the tag [{name} "…"] is missing')


def test_the_first_tag_is_reported_if_there_is_none() -> None:
    with pytest.raises(UnreadableTranscript, match=r"^line 1, column 1: the tag \[Format"):
        read_header(Transcript((Comment("nothing"), TranscriptLine("green pass"))))


def test_a_board_may_be_called_the_components() -> None:
    header = read_header(transcript(Board=None, Components="bird"))

    assert header.start.setup.components == "bird"


def test_a_board_is_named_once() -> None:
    assert fault(Components="bird").why == f"the tag Board on line {LINES['Board']} already says this"


def test_further_tags_are_kept_in_their_order() -> None:
    header = read_header(transcript(Place="Essen", Event="Cup"))

    assert header.further == (Tag("Place", "Essen"), Tag("Event", "Cup"))


@pytest.mark.parametrize(
    ("name", "meant"), [("Ruling", "Rulings"), ("rulings", "Rulings"), ("DRAW", "Draws"), ("board", "Board")]
)
def test_a_misspelt_tag_is_not_ignored(name: str, meant: str) -> None:
    assert fault(**{name: "recorded"}).why == f"there is no tag {name}; it is written {meant}"


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("Format", "shiji/2", "this build does not read the format 'shiji/2'"),
        ("Format", "", "this build does not read the format ''"),
        ("Game", "go", "no game is called 'go'"),
        ("Game", "Qin", "no game is called 'Qin'"),
        ("Edition", "qin/2", "no edition of Qin is called 'qin/2'"),
        ("Rulings", "major-conflict", "'major-conflict' is no ruling; expected NAME=VALUE"),
        ("Rulings", "=", "'=' is no ruling"),
        ("Rulings", "luck=good", "no ruling is called 'luck'"),
        ("Rulings", "stuck=swap", "ruling stuck has no value 'swap'"),
        ("Rulings", "stuck=end stuck=pass", "ruling stuck is given twice"),
        ("Rulings", "own-majors=illegal", "no ruling is called 'own-majors'"),
        ("Board", "", "no board is called ''"),
        ("Board", "lion", "nobody has transcribed the Lion side yet"),
        ("Board", "map:", "row 1 of the map is empty"),
        ("Board", "map:R../..", "row 2 of the map is 2 long, the first 3"),
        ("Board", "map:...", "the map has no starting territory"),
        ("Board", "map:R" + "." * 26, "row 1 of the map has more than 26 columns"),
        ("Board", "map:" + "/".join(["R."] * 100), "the map has more than 99 rows"),
        ("Board", "map:R.G", "row 1 of the map has 'G'"),
        ("Seats", "", "Qin is for 2 to 4 seats, not 0"),
        ("Seats", "green", "Qin is for 2 to 4 seats, not 1"),
        ("Seats", "a b c d e", "Qin is for 2 to 4 seats, not 5"),
        ("Seats", "green green", "two seats are called green"),
        ("Seats", "green vi:olet", "'vi:olet' is no seat name"),
        ("Draws", "open", "draws are unrecorded or recorded, not 'open'"),
        ("Result", "", "the result is empty"),
        ("Result", "white", "'white' is no seat"),
        ("Result", "green green", "green is in the result twice"),
        ("Result", "green *", "'*' is no seat"),
    ],
)
def test_a_value_that_this_build_does_not_know_is_refused_at_its_tag(name: str, value: str, why: str) -> None:
    refused = fault(**{name: value})

    assert (refused.line, refused.column) == (LINES[name], 1)
    assert refused.why.startswith(why)


def test_the_order_of_the_tags_is_free() -> None:
    tags, _, rest = text("green pass").partition("\n\n")
    turned = "\n".join(reversed(tags.split("\n"))) + "\n\n" + rest

    assert read_header(read_transcript(turned)).start == read_header(transcript()).start


def test_a_written_header_reads_the_same() -> None:
    setup = Setup(
        EditionKey("qin/1"), ("a", "b", "c"), "map:R..", Draws.RECORDED, (("piles", "6"), ("stuck", "end"))
    )

    tags = write_header(find_game("qin"), setup, ("c", "a"), [Tag("Event", "Cup")])
    header = read_header(Transcript(tags))

    assert header.start.setup == setup
    assert header.result == frozenset({"a", "c"})
    assert header.further == (Tag("Event", "Cup"),)
