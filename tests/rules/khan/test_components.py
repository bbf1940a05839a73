"""Component sets: the reference set, and files of one's own with everything that can be wrong with them."""

import re

import pytest

from rules.kernel.edition import EditionKey
from rules.kernel.setup import BadSetup, Setup, UnreadableComponents
from rules.khan.component_checks import check_file
from rules.khan.components import KHAN_REFERENCE, canonical_text, find_file, read_file, set_hash, set_tag
from rules.khan.game import KHAN
from rules.khan.parts import find_parts
from tests.rules.khan.strategies import SET

REFERENCE = KHAN_REFERENCE.data
OWN = REFERENCE.replace('"khan-reference-0"', '"mine"')


def changed(*changes: tuple[str, str]) -> str:
    """The reference set under a name of its own, with parts replaced once."""
    text = OWN
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    return text


def found(text: str) -> list[tuple[str, str]]:
    return [(fault.check, fault.field) for fault in check_file(text).faults]


def test_the_reference_set_passes_every_check_and_is_called_invented() -> None:
    report = check_file(REFERENCE)

    assert report.faults == ()
    assert report.playable
    assert report.provenance == "invented-reference"
    assert not KHAN_REFERENCE.verified


def test_its_counts_are_those_of_the_rulebook() -> None:
    parts = find_parts(SET, loose_bridges=False)
    board = parts.board

    assert [cells.bit_count() for cells in board.regions] == [22, 20, 22, 21, 22, 25]
    assert (board.land.bit_count(), board.river.bit_count(), board.neighbour.bit_count()) == (132, 22, 32)
    assert sum(shape.printed.copies for shape in parts.shapes) == 38
    assert {shape.id: len(shape.footprints) for shape in parts.shapes if shape.id[0] == "B"} == {
        "B3I": 17,
        "B4I": 34,
        "B4L": 26,
    }
    assert sum(parts.copies) == 72


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ((('"MMMM~IIIII~TTT",', '"MMMM~IIIII~TT",'),), [("CHK-1", "board.cells[1]")]),
        ((('"MMMM~IIIII~TTT",', '"MMMM~IIIIX~TTT",'),), [("CHK-1", "board.cells[0]")]),
        ((('"..++.+++++.+++",', ""),), [("CHK-1", "board.neighbour")]),
        ((('M = "mountain"', 'M = "hill"'),), [("CHK-1", "board.legend.M")]),
        (
            (('"MMMM~IIIII~TTT",', '"MMMI~IIIII~TTT",'),),
            [("CHK-2", "board.cells"), ("CHK-2", "board.cells")],
        ),
        (((".............+", ".....+.......+"),), [("CHK-3", "board.neighbour[1]")]),
        ((("..++.+++++.+++", "..++.+++++.++."),), [("CHK-4", "board.neighbour")]),
        ((('id = "rus"', 'id = "seljuk"'),), [("CHK-5", "leader.id"), ("CHK-11", "cards.rus")]),
        ((("start = [8, 1]", "start = [0, 4]"),), [("CHK-5", "leader[0].start")]),
        ((('colour = "grey"', 'colour = "light-blue"'),), [("CHK-5", "leader.colour")]),
        ((("copies = 4\nvalue = 2", "copies = 5\nvalue = 2"),), [("CHK-6", "shape (tile, 2 cells)")]),
        ((("copies = 5\nvalue = 4", "copies = 4\nvalue = 4"),), [("CHK-7", "shape (bridge, 3 cells)")]),
        ((('["##", "#."]', '["##", ".."]'),), [("CHK-6", "shape (tile, 2 cells)")]),
        ((('["###", "#..", "##."]', '["##.", ".##", "..#"]'),), [("CHK-6", "shape (tile, 5 cells)")]),
        ((('["#####", "#...."]', '["####.", "##...", "....."]'),), [("CHK-8", "shape[12].cells")]),
        ((('["###", "###"]', '["##.#", "#..#", "#..."]'),), [("CHK-8", "shape[8].cells")]),
        ((("copies = 1\nvalue = 9", "copies = 1\nvalue = 4"),), [("CHK-9", "shape (T6A).value")]),
        ((("copies = 2\nvalue = 6", "copies = 2\nvalue = 3"),), [("CHK-9", "shape (B4I).value")]),
        ((("water = 2", "water = 1"),), [("CHK-10", "shape[22].water")]),
        ((('"N:mountain", ', ""),), [("CHK-11", "cards"), ("CHK-11", "cards.seljuk")]),
        ((('"N:mountain"', '"N:swamp"'),), [("CHK-11", "cards.seljuk[0]")]),
        ((("high-morale = 6", "high-morale = 5"),), [("CHK-13", "special.high-morale")]),
        (
            (('provenance = "invented-reference"', 'provenance = "transcribed"'),),
            [("CHK-1", "transcribed_from")],
        ),
        (
            (('set_id = "mine"', 'set_id = "khan-reference-0"'), ("value = 7", "value = 8")),
            [("CHK-1", "set_id")],
        ),
    ],
    ids=lambda value: None if isinstance(value, tuple) else "-".join(check for check, _ in value).lower(),
)
def test_a_fault_names_its_check_and_field(
    change: tuple[tuple[str, str], ...], expected: list[tuple[str, str]]
) -> None:
    faults = found(changed(*change))

    assert [fault for fault in faults if fault in expected] == expected


def test_a_ground_that_no_card_has_is_reported() -> None:
    text = re.sub(r'"([NESW]+):joker"', r'"\1:river"', OWN)

    assert ("CHK-12", "cards") in found(text)


def test_a_river_in_parts_is_only_warned_of() -> None:
    text = changed(("RRRRSSSS~FFFFF", "RRRRSSS~SFFFFF"))
    warned = [fault for fault in check_file(text).faults if fault.check == "CHK-14"]

    assert all(fault.warning for fault in warned)


def test_a_count_is_reported_with_what_was_expected() -> None:
    (fault,) = check_file(changed(("high-morale = 6", "high-morale = 5"))).faults

    assert fault.why == "5 cards; expected 6"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "missing required field `schema`"),
        ("x =", "Invalid value"),
        (OWN.replace("value = 2", 'value = "two"', 1), "shape[0].value: Expected `int`, got `str`"),
        (OWN.replace("khan-components/1", "khan-components/2"), "schema: Invalid enum value"),
        (OWN + "\n[extra]\n", "unknown field `extra`"),
    ],
    ids=["empty", "no-toml", "a-word-for-a-number", "another-schema", "an-extra-table"],
)
def test_a_file_that_cannot_be_read_says_where(text: str, why: str) -> None:
    with pytest.raises(UnreadableComponents, match=re.escape(why)):
        check_file(text)


# Sets in a match header.


def start(components: str) -> str:
    """How the header of a match on these components gives them."""
    state = KHAN.start(Setup(EditionKey("khan/1"), ("red", "blue"), components))
    return KHAN.setup(state).components


def test_a_shipped_set_is_written_with_its_hash_and_read_with_or_without_it() -> None:
    tag = f"{SET}#sha256={set_hash(find_file(SET))}"

    assert start(SET) == start(tag) == tag


def test_another_hash_is_refused() -> None:
    with pytest.raises(BadSetup, match=r"khan-reference-0 has the hash [0-9a-f]{64}, not '0000'"):
        start(f"{SET}#sha256=0000")


def test_a_set_of_ones_own_is_given_in_full() -> None:
    file = read_file(OWN)
    tag = f"set:{canonical_text(file)}"

    assert set_tag(file) == tag == start(tag)
    assert " " not in tag


def test_the_marks_of_a_file_do_not_change_the_set() -> None:
    relettered = OWN.replace('M = "mountain"', 'W = "mountain"').replace("MMMM", "WWWW").replace("MM", "WW")

    assert set_hash(read_file(relettered)) == set_hash(read_file(OWN))


@pytest.mark.parametrize(
    ("components", "why"),
    [
        ("khan", "no component set is called 'khan'; known: khan-reference-0"),
        ("set:{", "the component set cannot be read"),
        ("set:" + canonical_text(read_file(changed(("copies = 5", "copies = 6")))), "expected 5 (CHK-7)"),
    ],
    ids=["unknown", "no-json", "contradicts-the-rulebook"],
)
def test_a_set_that_cannot_be_played_with_is_refused(components: str, why: str) -> None:
    with pytest.raises(BadSetup, match=re.escape(why)):
        start(components)


def test_a_match_on_invented_components_says_so() -> None:
    invented = KHAN.start(Setup(EditionKey("khan/1"), ("red", "blue"), SET))
    transcribed = changed(
        ('provenance = "invented-reference"', 'provenance = "transcribed"'),
        ('transcribed_from = ""', 'transcribed_from = "first printing, by me"'),
    )
    real = KHAN.start(
        Setup(EditionKey("khan/1"), ("red", "blue"), f"set:{canonical_text(read_file(transcribed))}")
    )

    assert KHAN.caution(invented) == "khan-reference-0: invented components, not the published game"
    assert KHAN.caution(real) == ""
    assert KHAN.notation.read_position(KHAN.notation.write_position(real)) == real
