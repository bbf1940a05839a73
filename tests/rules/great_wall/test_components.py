"""Component files: each check broken once, and a set with other numbers played through."""

import re

import pytest

from rules.great_wall.component_checks import check_file
from rules.great_wall.components import REFERENCE_SET, SETS
from rules.great_wall.game import GREAT_WALL
from rules.great_wall.reference import REFERENCE
from rules.great_wall.rulebook import COOP_1, GREAT_WALL_1
from rules.kernel.edition import EditionKey
from rules.kernel.setup import BadSetup, Setup, UnreadableComponents
from tests.rules.great_wall.strategies import building
from tests.rules.laws import play, seeded

OTHER = REFERENCE.replace('set_id = "great-wall-reference-0"', 'set_id = "mine"')


def found(text: str) -> set[str]:
    return {fault.check for fault in check_file(text).faults if not fault.warning}


def test_the_reference_set_can_be_played_and_warns_of_a_short_deck() -> None:
    report = check_file(REFERENCE_SET.data)

    assert report.playable
    assert [fault.check for fault in report.faults] == ["GW-CK-09"]
    assert report.tag == f"great-wall-reference-0#sha256={report.hash}"


@pytest.mark.parametrize(
    ("check", "old", "new"),
    [
        ("GW-CK-01", '{id="h1-c"', '{id="h1-l"'),
        ("GW-CK-02", '{id="economy"', '{id="thrift"'),
        ("GW-CK-03", 'back="left"', 'back="right"'),
        ("GW-CK-04", 'spots=["ow....", "2....."]', 'spots=["ow....", "2..."]'),
        ("GW-CK-05", "level=1, defence=7", "level=1, defence=3"),
        ("GW-CK-06", 'id="sawmill", kind="standard", slots=5', 'id="sawmill", kind="special"'),
        ("GW-CK-07", "foreman=[{chi=2}, {chi=3}, {chi=4}]", "foreman=[{chi=1}, {chi=3}, {chi=4}]"),
        ("GW-CK-08", "{mortality=1, hordes=0},", "{mortality=-1, hordes=0},"),
        ("GW-CK-10", "tea=32", "tea=64"),
        ("GW-CK-11", '{id="request-05", two_players=true', '{id="request-05", two_players=false'),
        ("GW-CK-12", "sacrifice={spearman=1}", "sacrifice={spearman=11}"),
        ("GW-CK-13", '{op="gain", res="wood", n=1}', '{op="gain", n=1}'),
        ("GW-CK-14", '{who="self", do=[{op="clerks", n=2}]}', '{who="others", do=[{op="clerks", n=2}]}'),
        ("GW-CK-15", 'id="retreat", copies=2', 'id="retreat", copies=3'),
        ("GW-CK-16", '{op="save", n=99}', '{op="save", n=2}'),
        ("GW-CK-17", "save_chi = 2", "save_chi = 3"),
        ("GW-CK-18", '{op="tea", n=1}', '{op="save", n=1}'),
        ("GW-CK-19", '"chi",\n    "wound",', '"chi",\n    "chi",'),
    ],
)
def test_each_check_finds_what_it_is_for(check: str, old: str, new: str) -> None:
    assert old in OTHER
    assert check in found(OTHER.replace(old, new))


def test_an_impostor_a_torn_file_and_a_strange_field_are_named() -> None:
    assert "GW-CK-17" in found(REFERENCE.replace("tea=32", "tea=33"))
    with pytest.raises(UnreadableComponents):
        SETS.read(REFERENCE[:500])
    with pytest.raises(UnreadableComponents, match="strange"):
        SETS.read(f"strange = 1\n{REFERENCE}")


@pytest.mark.parametrize(("edition", "seats"), [(GREAT_WALL_1, 3), (GREAT_WALL_1, 1), (COOP_1, 4)])
def test_a_set_with_other_grids_slots_and_tracks_is_played_through(edition: EditionKey, seats: int) -> None:
    text = OTHER.replace('spots=["ow....", "2....."]', 'spots=["o", "w", "2"]')
    text = text.replace('spots=["o2....", "og...."]', 'spots=["o2.o.w.s", "...g...c", "1......."]')
    text = re.sub(r"level=(\d), defence=(\d+), firing=(\d)", r"level=\1, defence=\2, firing=5", text)
    text = re.sub(r'id="quarry", kind="standard", slots=\d', 'id="quarry", kind="standard", slots=2', text)
    text = text.replace('id="barracks", kind="standard", slots=3', 'id="barracks", kind="special"')
    text = text.replace("{mortality=2, hordes=2},\n", "", 1)
    report = check_file(text)
    assert report.playable, report.faults
    names = ("green", "blue", "red", "yellow")[:seats]
    start = GREAT_WALL.start(Setup(edition, names, report.tag))

    match = play(GREAT_WALL, start, seeded(1), building)

    assert GREAT_WALL.outcome(match.last) is not None
    assert all(GREAT_WALL.problems(state) == () for state in match.states[-20:])


@pytest.mark.parametrize(
    ("components", "why"),
    [
        ("mine", "no component set is called"),
        ("great-wall-reference-0#sha256=00", "has the hash"),
        ("set:{}", "cannot be read"),
        (f"set:{'x' * 70_000}", "longer than"),
    ],
)
def test_a_match_with_unknown_or_broken_components_is_refused(components: str, why: str) -> None:
    with pytest.raises(BadSetup, match=why):
        GREAT_WALL.start(Setup(GREAT_WALL_1, ("green", "blue", "red"), components))
