"""Texts that cannot be read, positions that cannot be, and matches that cannot begin."""

import pytest

from rules.great_wall.game import GREAT_WALL
from rules.great_wall.rulebook import COOP_1, GREAT_WALL_1
from rules.kernel.edition import EditionKey, UnknownEdition, UnknownOption, UnknownRuling
from rules.kernel.setup import BadSetup, Setup
from rules.kernel.text import Unreadable
from tests.rules.great_wall.positions import NAMES, SET, begun

LINE = GREAT_WALL.notation.write_position(begun())


@pytest.mark.parametrize(
    ("text", "column", "why"),
    [
        ("", 1, "nothing stands here"),
        ("purple done", 1, "'purple' is no seat"),
        ("green", 6, "does nothing"),
        ("green juggle", 7, "'juggle' is no move"),
        ("green move reserve castle", 20, "'castle' is no location"),
        ("green recruit spearman L9a1", 25, "stands after a target"),
        ("green lose s1", 14, "expected"),
        ("green lose s1 keep s1", 15, "expected save"),
        ("green wall C x3", 14, "expected payment"),
        ("horde h9-x left", 7, "'h9-x' is no horde"),
        ("artefacts artefact-1 artefact-1 artefact-2", 22, "stands twice"),
        ("deal green song-ci", 12, "expected 2"),
        ("green done now", 12, "stands after the move"),
    ],
)
def test_a_torn_move_is_refused_at_its_column(text: str, column: int, why: str) -> None:
    with pytest.raises(Unreadable, match=why) as fault:
        GREAT_WALL.notation.read_move(begun(), text)

    assert fault.value.column == column


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("time=0", "time=9", "the time token is on no slot"),
        ("pool=30.0", "pool=29.0", "do not add up to 30"),
        ("tea=", "tee=", "expected tea="),
        ("ask=pick", "ask=spring", "no part of a year"),
        ("ask=pick", "ask=acts:green:-:-", "here something happens"),
        ("then=places>turns>winter>yearend", "then=winter", "no part of a year"),
        ("/s10a4h2/", "/s9a4h2/", "has not all its soldiers"),
        ("/5.3/", "/4.3/", "has not 8 clerks"),
        ("left=0/3/", "left=closed/", "is no section"),
        ("left=0/3/h1-l:...", "left=0/3/h1-l:..", "marks"),
        (" secret=-", " secret=green:drill+green:drill", "each seat once"),
        (" secret=-", " secret=green:reed", "not in the hand"),
    ],
)
def test_an_impossible_position_is_refused(old: str, new: str, why: str) -> None:
    assert old in LINE

    with pytest.raises(Unreadable, match=why):
        GREAT_WALL.notation.read_position(LINE.replace(old, new, 1))


@pytest.mark.parametrize(
    ("torn_at", "missing"),
    [
        ("time=", "expected time=SLOT after this"),
        ("green=", "expected NAME=PLAYER … after this"),
        ("track=", "expected track=PLACED-CARDS after this"),
    ],
)
def test_a_torn_position_says_what_is_missing_at_its_end(torn_at: str, missing: str) -> None:
    torn = LINE[: LINE.index(f" {torn_at}")]

    with pytest.raises(Unreadable, match=missing) as fault:
        GREAT_WALL.notation.read_position(torn)

    assert fault.value.column == len(torn) + 1


@pytest.mark.parametrize(
    ("edition", "seats"), [(GREAT_WALL_1, 0), (GREAT_WALL_1, 5), (COOP_1, 1), (COOP_1, 5)]
)
def test_any_other_number_of_seats_is_refused(edition: EditionKey, seats: int) -> None:
    names = (*NAMES, "white")[:seats]

    with pytest.raises(BadSetup, match="seats"):
        GREAT_WALL.start(Setup(edition, names, SET))


@pytest.mark.parametrize("name", ["reed", "qin", "deal", "tea", "reserve", "advise"])
def test_words_of_the_notation_are_no_names_of_seats(name: str) -> None:
    with pytest.raises(BadSetup, match=name):
        GREAT_WALL.start(Setup(GREAT_WALL_1, (name, "blue"), SET))


def test_unknown_editions_rulings_and_options_are_refused() -> None:
    with pytest.raises(UnknownEdition):
        GREAT_WALL.start(Setup(EditionKey("great-wall/9"), NAMES, SET))
    with pytest.raises(UnknownRuling):
        GREAT_WALL.start(Setup(GREAT_WALL_1, NAMES, SET, rulings=(("qin-order", "middle"),)))
    with pytest.raises(UnknownRuling, match="co-op"):
        GREAT_WALL.start(Setup(COOP_1, NAMES, SET, rulings=(("pool-empty", "latched"),)))
    with pytest.raises(UnknownOption):
        GREAT_WALL.start(Setup(GREAT_WALL_1, NAMES[:1], SET, options=(("qin-honour", "7"),)))
    with pytest.raises(BadSetup, match="one seat"):
        GREAT_WALL.start(Setup(GREAT_WALL_1, NAMES, SET, options=(("qin-honour", "50"),)))


def test_qin_starts_with_the_honour_of_the_option() -> None:
    state = GREAT_WALL.start(Setup(GREAT_WALL_1, NAMES[:1], SET, options=(("qin-honour", "100"),)))

    assert state.of_qin.honour == 100
    assert "qin-honour=100" in GREAT_WALL.notation.write_position(state)
