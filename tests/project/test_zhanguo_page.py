"""docs/zhanguo.md agrees with the code."""

import hashlib
import re
from typing import get_args

import msgspec
import pytest

from records.files.transcript import read_transcript
from records.games.registry import find_game
from records.verdict import Verified
from rules.kernel.actors import CHANCE
from rules.kernel.setup import Setup
from rules.zhanguo import annex
from rules.zhanguo.components import REFERENCE_LABEL, SETS
from rules.zhanguo.effect_words import effect_words, face_words
from rules.zhanguo.events import Event
from rules.zhanguo.frames import BaseFrame, Choice, RivalFrame, SeatFrame
from rules.zhanguo.game import ZHANGUO
from rules.zhanguo.moves import Move
from rules.zhanguo.names import STATED_FRAMES
from rules.zhanguo.notation import EVENTS
from rules.zhanguo.pieces import REGIONS
from rules.zhanguo.rulebook import ZHANGUO_1
from rules.zhanguo.scoring import FACE_WALLS, MAJORITY
from rules.zhanguo.state import TOKENS, State
from rules.zhanguo.tasks.dealing import blank_tiles, governor_tiles
from tests.project.places import ROOT
from tests.records.transcripts import verify_transcript
from tests.rules.laws import play, seeded
from tests.rules.zhanguo.strategies import NAMES, SOLO, builds

PAGE = (ROOT / "docs/zhanguo.md").read_text()


def test_the_match_on_the_page_verifies() -> None:
    match = re.search(r"^```\n(\[Format.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    assert match is not None

    assert verify_transcript(read_transcript(match[1])).verdict == Verified()


def test_every_move_is_on_the_page() -> None:
    cells = re.findall(r"\| ([A-Z][A-Za-z, ]+) \|$", PAGE, re.MULTILINE)
    named = set(re.findall(r"[A-Z][A-Za-z]+", " ".join(cells)))

    assert {kind.__name__ for kind in get_args(Move)} <= named


def test_every_event_is_on_the_page_with_its_parts_and_what_it_says() -> None:
    stated = [
        f"| `{one.make.__name__}({', '.join(one.names)})` | {one.make.__doc__} |" for one in EVENTS.each
    ]

    assert [row for row in stated if row not in PAGE] == []


@pytest.mark.parametrize("heading", ["| move | events |", "| there | here | because |"])
def test_events_that_moves_cause_and_that_replace_others_are_events(heading: str) -> None:
    rows = PAGE.partition(heading)[2].partition("\n\n")[0].split("\n")[2:]
    named = {name for row in rows for name in re.findall(r"`([A-Z]\w+)", row.split(" | ")[1])}

    assert named
    assert named - {kind.__name__ for kind in get_args(Event)} == set()


ROW_OF_A_MOVE = re.compile(r"^\| `(\w+)`(?: \(`(\w+)`\))? \| (.*) \|$", re.MULTILINE)
CAUSED = re.compile(r"(\[?)`([A-Z]\w+)[^`]*`([^,\]]*)")
BY_FRAME = ("reveal", "done")
"""What they cause depends on a card or a frame."""


def pattern(row: str) -> str:
    """Events as the page has them: `[`X`]` may be left out, `X` twice or for each comes several times."""
    parts = CAUSED.findall(row.partition("effects")[0].partition("; ")[0])
    return "".join(f"({name} )" + ("*" if may else "+" if more.strip() else "") for may, name, more in parts)


def test_a_move_begins_with_the_events_of_its_row() -> None:
    section = PAGE.partition("| move | events |")[2].partition("\n\n")[0]
    rows = {(word, frame): row for word, frame, row in ROW_OF_A_MOVE.findall(section) if word not in BY_FRAME}
    start = ZHANGUO.start(Setup(ZHANGUO_1, NAMES, SETS[0].name))
    seen = set()
    for step in play(ZHANGUO, start, seeded(5), builds).steps:
        word = ZHANGUO.notation.write_move(step.before, CHANCE, step.move).split(" ")[0]
        top = step.before.agenda[0]
        frame = STATED_FRAMES.of[type(top)].words[0][0]
        row = rows.get((word, frame)) or rows.get((word, ""))
        if row is not None and (isinstance(top, BaseFrame) or "ChoiceMade" in row):
            caused = "".join(f"{type(event).__name__} " for event in step.events)
            seen.add((word, frame))

            assert re.match(pattern(row), caused), (word, row, caused)

    assert {("unify", "play"), ("wall", "act"), ("hire", "act"), ("tile", "tile"), ("pay", "pay")} <= seen


def test_every_rule_that_a_move_can_break_is_on_the_page() -> None:
    assert [rule.id for rule in ZHANGUO.about.rules if not rule.unchecked and rule.id not in PAGE] == []


def test_every_option_and_every_ruling_that_a_match_may_choose_is_on_the_page() -> None:
    for ruling in ZHANGUO.about.rulings:
        if ruling.switchable:
            assert f"`{ruling.name}` ({ruling.ambiguity})" in PAGE
            assert all(f"`{value}`" in PAGE for value in ruling.offered)
    for option in ZHANGUO.about.options:
        assert f"| `{option.name}` |" in PAGE
        assert all(f"`{value}`" in PAGE for value in option.offered)


def test_every_frame_is_on_the_page() -> None:
    asked = (*get_args(SeatFrame), *get_args(Choice), *get_args(RivalFrame))
    words = [STATED_FRAMES.of[kind].words[0][0] for kind in asked]

    assert [word for word in words if not re.search(rf"`{word}[:`]", PAGE)] == []


def test_every_effect_is_on_the_page() -> None:
    effects = [effect for by_argument in annex.ABILITIES.values() for effect in by_argument.values()]
    effects += [*annex.ALCHEMIST_EFFECTS.values(), *annex.MASTER_EFFECTS.values()]
    effects += [*annex.PLAIN_START.values(), *(bonus for tile in annex.GOVERNOR_BONUSES for bonus in tile)]
    effects += [cell for table in annex.REWARD_TABLES.values() for row in table.cells for cell in row]
    words = [*map(effect_words, effects), *map(face_words, annex.WALL_FACES.values())]
    ids = [*annex.ABILITIES, *annex.ALCHEMIST_EFFECTS, *annex.MASTER_EFFECTS, *annex.WALL_FACES]

    assert [said for said in words if f"| {said}" not in PAGE] == []
    assert [key for key in (*ids, *annex.PLAIN_START) if f"| `{key}` |" not in PAGE] == []


def test_what_each_number_of_seats_has_is_on_the_page() -> None:
    seats = (2, 3, 4)
    tiles = [f"{governor_tiles(number) // len(REGIONS)}; {blank_tiles(number)}" for number in seats]

    assert f"| small tokens of each aspect | {' | '.join(str(TOKENS[number]) for number in seats)} |" in PAGE
    assert f"| governor tiles in each region; blank ones among all | {' | '.join(tiles)} |" in PAGE
    assert (
        f"| points for a region at the end | {' | '.join(str(MAJORITY[number]) for number in seats)} |"
        in PAGE
    )


def test_the_scoring_faces_of_li_si_are_on_the_page() -> None:
    rows = dict(re.findall(r"^\| ([A-D]) \| (\d+, \d+, \d+) \| (?:governors|alchemy)", PAGE, re.MULTILINE))

    assert rows == {face: ", ".join(map(str, values)) for face, values in FACE_WALLS.items()}


def test_the_digest_of_a_state_is_what_the_page_says() -> None:
    fields = re.search(r"the state as MessagePack: an array of `([a-z, ]+)`", PAGE)
    assert fields is not None
    known = find_game(ZHANGUO.about.key)
    state = known.start(Setup(ZHANGUO_1, NAMES, SETS[0].name))
    plain = ZHANGUO.start(Setup(ZHANGUO_1, NAMES, SETS[0].name))
    content = msgspec.msgpack.encode([getattr(plain, name) for name in fields[1].split(", ")])

    assert state.digest() == hashlib.sha256(b"shiji/state/1\0" + content).digest()


def test_the_shipped_set_and_its_label_are_on_the_page() -> None:
    assert [known.name for known in SETS if known.name not in PAGE] == []
    assert " ".join(REFERENCE_LABEL.split()) in " ".join(PAGE.split())


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_perft_table_is_what_is_counted(seats: int) -> None:
    start = ZHANGUO.start(Setup(ZHANGUO_1, NAMES[:seats], SETS[0].name))

    assert f"| {seats} | {_counts(start)} |" in PAGE


def test_the_perft_table_of_a_solo_match_is_what_is_counted() -> None:
    start = ZHANGUO.start(Setup(ZHANGUO_1, SOLO[0], SETS[0].name, options=(("rival", "li-si-1"),)))

    assert f"| solo | {_counts(start)} |" in PAGE


def _counts(start: State) -> str:
    counts = [ZHANGUO.perft.count(start, depth) for depth in range(1, 6)]
    return " | ".join(map(str, counts))
