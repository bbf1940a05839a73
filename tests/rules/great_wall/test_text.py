"""Texts that cannot be read, positions that cannot be, and matches that cannot begin."""

import pytest

from rules.great_wall.game import GREAT_WALL
from rules.great_wall.position import POSITION
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
    ("old", "new", "at", "why"),
    [
        ("time=0", "time=9", "9 pool", "'9': the time token is on no slot"),
        ("pool=30.0", "pool=29.0", "29.0", "'29.0': the shame tokens do not add up to 30"),
        ("top=left", "top=-", "- tea", "'-': no card of the deck has the back that lies on top"),
        ("tea=", "tee=", "tee=", "expected tea="),
        ("tea=blue+green+red", "tea=-", "- ware", "the tea stack is made when the match sets out"),
        ("left=0/3/", "left=closed/", "closed/", "is no section"),
        ("left=0/3/", "left=0/4/", "0/4/", "no such wall or barricades"),
        ("centre=0/3/h2-l:...", "centre=0/3/h2-l:..", "0/3/h2-l:../", "marks on h2-l cannot be"),
        ("right=0/3/h3-l:..../-/-", "right=closed", "closed", "another section is closed"),
        ("at=-", "at=sawmill:q", "sawmill:q", "clerks stand at the sawmill that are not in the match"),
        (
            "blue=general-02/a02/?/w3s5g4c4/0/5.3",
            "blue=general-02/a02/?/w3s5g4c4/0/4.3",
            "general-02",
            "blue has",
        ),
        ("red=general-03/a03/", "red=song-ci/a03/", "song-ci/a03", "a general is in two places"),
        ("/s10a4h2/", "/s9a4h2/", "song-ci/", "green has not all its soldiers"),
        ("+drill/-/?/-/- red", "/-/?/-/- red", "general-02", "blue has not one of each strategy card"),
        ("hordes=21/-", "hordes=20/-", "20/-", "the horde deck has another size"),
        ("advisors=a04+", "advisors=a03+", "a03+", "an advisor is in two places"),
        ("tactics=15", "tactics=14", "14/-", "the tactics do not add up to 20"),
        ("artefacts=artefact-1+", "artefacts=", "artefact-2+", "there are none or 3 artefacts"),
        ("track=-", "track=1:green.economy", "song-ci/", "green has not one of each strategy card"),
        ("secret=-", "secret=green:drill+green:drill", "green:drill ", "each seat once"),
        ("secret=-", "secret=green:reed", "green:reed", "a strategy is picked that is not in the hand"),
        ("ask=pick", "ask=track", "track then", "QinTrackDue cannot be pending in this match"),
        ("ask=pick", "ask=acts:green:-:-", "acts:", "here something happens"),
        ("ask=pick", "ask=spring", "places>", "no part of a year"),
        ("then=places>turns>winter>yearend", "then=winter", "winter", "no part of a year"),
        ("then=places>", "then=solo>places>", "solo>", "SoloDue cannot be pending in this match"),
        ("yearend", "yearend owed=green:c1", "green:c1", "something is owed outside of a resolution"),
        ("yearend", "yearend saves=green:1", "green:1", "soldiers are saved where none die"),
        ("yearend", "yearend reed=10", "10", "reed= stands too late; expected SET"),
        ("yearend", "yearend emptied=yes", "yes", "an empty pool is remembered"),
        ("yearend", "yearend ended=time:green", "pick", "a match that is over has nothing pending"),
    ],
)
def test_an_impossible_position_is_refused_at_the_word_that_is_wrong(
    old: str, new: str, at: str, why: str
) -> None:
    assert old in LINE
    line = LINE.replace(old, new, 1)

    with pytest.raises(Unreadable, match=why) as fault:
        GREAT_WALL.notation.read_position(line)

    assert line[fault.value.column - 1 :].startswith(at)


def test_a_word_that_is_missing_is_missed_at_the_end_of_the_line() -> None:
    line = GREAT_WALL.notation.write_position(begun(seats=2)).replace(" reed=10", "")

    with pytest.raises(Unreadable, match="there is no reed=COUNT") as fault:
        GREAT_WALL.notation.read_position(f"{line}  ")

    assert fault.value.column == len(line) + 1


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


@pytest.mark.parametrize("name", sorted(POSITION.reserved))
def test_keys_of_the_position_line_are_no_names_of_seats(name: str) -> None:
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
