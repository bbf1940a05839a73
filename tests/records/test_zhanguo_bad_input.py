"""Torn, oversized and hostile input of Zhanguo is refused, and never runs into a fault of ours."""

import re

import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

from records.codec.shape import CorruptEvents, CorruptMove
from records.codec.zhanguo import ZHANGUO_CODEC
from records.ledger.transfer import judge
from rules.kernel.assembly import ImpossibleEvents
from rules.kernel.rule import Illegal
from rules.kernel.setup import BadSetup, Setup, UnreadableComponents
from rules.kernel.text import Unreadable
from rules.zhanguo.component_checks import check_file
from rules.zhanguo.components import ZHG_REFERENCE, read_file, set_tag
from rules.zhanguo.game import ZHANGUO
from rules.zhanguo.rulebook import ZHANGUO_1
from tests.project.places import ROOT
from tests.rules.zhanguo.strategies import NAMES, SET, SOLO

GOLDEN = ROOT / "tests/records/golden/zhanguo"
OWN = ZHG_REFERENCE.data.replace('"zhg-ref-1"', '"mine"', 1)
NUMBERS = [(found.start(), found.end()) for found in re.finditer(r"(?<![\w\"-])\d+", OWN)]
HOSTILE = ("-1", "0", "3", "99", "100", "1000000", "9" * 40, "1.5", '"x"', "[]", "true", "inf")
"""What may stand in a component file instead of a number."""
PAGE = (ROOT / "docs/zhanguo.md").read_text()
LINES = re.findall(r"^(?:[234]|solo)-[abc] (zhg-ref-1 .*)$", PAGE, re.MULTILINE)
STATE = ZHANGUO.notation.read_position(LINES[0])
SOME = settings(max_examples=max(20, settings().max_examples // 4))


def check_or_refuse(text: str) -> None:
    """A file is refused, or every fault is reported; a match can be started exactly without any."""
    try:
        report = check_file(text)
    except UnreadableComponents:
        return
    tag = set_tag(read_file(text))
    for seats, options in ((NAMES, ()), (SOLO[0], (("rival", "li-si-4"),))):
        assert _starts(Setup(ZHANGUO_1, seats, tag, options=options)) == report.playable


def _starts(setup: Setup) -> bool:
    try:
        ZHANGUO.start(setup)
    except BadSetup:
        return False
    return True


@SOME
@given(st.sampled_from(NUMBERS), st.sampled_from(HOSTILE))
def test_a_component_file_with_another_number_is_checked_or_refused(
    place: tuple[int, int], value: str
) -> None:
    note(f"{OWN[: place[0]].splitlines()[-1]}{value}")
    check_or_refuse(OWN[: place[0]] + value + OWN[place[1] :])


@SOME
@given(st.integers(0, len(OWN)), st.integers(0, 300), st.binary(max_size=8))
def test_a_torn_component_file_is_checked_or_refused(start: int, gone: int, put: bytes) -> None:
    check_or_refuse(OWN[:start] + put.decode("latin-1") + OWN[start + gone :])


@pytest.mark.parametrize("text", [OWN * 3, "x = 1\n" * 200_000, "[[cards]]\n" * 50_000])
def test_an_oversized_component_file_is_refused(text: str) -> None:
    with pytest.raises(UnreadableComponents):
        check_file(text)


@SOME
@given(st.sampled_from(LINES), st.integers(0, 2_000), st.integers(0, 30), st.text(max_size=6))
def test_a_torn_position_line_is_read_or_refused_with_a_column(
    line: str, start: int, gone: int, put: str
) -> None:
    torn = line[: start % len(line)] + put + line[start % len(line) + gone :]
    try:
        state = ZHANGUO.notation.read_position(torn)
    except Unreadable:
        return
    assert ZHANGUO.problems(state) == ()
    for actor in ZHANGUO.awaiting(state):
        assert next(iter(ZHANGUO.legal_moves(state, actor)), None) is not None


@SOME
@given(st.binary(max_size=40))
def test_bytes_that_are_no_move_are_refused(data: bytes) -> None:
    try:
        move = ZHANGUO_CODEC.decode_move(STATE, data)
    except CorruptMove:
        return
    for actor in ZHANGUO.awaiting(STATE):
        assert isinstance(ZHANGUO.decide(STATE, actor, move), tuple | Illegal)


def _events() -> bytes:
    (actor,) = ZHANGUO.awaiting(STATE)
    verdict = ZHANGUO.decide(STATE, actor, next(iter(ZHANGUO.legal_moves(STATE, actor))))
    assert isinstance(verdict, tuple)
    return ZHANGUO_CODEC.encode_events(STATE, verdict)


EVENTS = _events()


@SOME
@given(st.integers(0, len(EVENTS) - 1), st.integers(0, 4), st.binary(max_size=6))
def test_torn_events_are_refused_or_lead_to_a_sound_state(start: int, gone: int, put: bytes) -> None:
    torn = EVENTS[:start] + put + EVENTS[start + gone :]
    try:
        reached = ZHANGUO.fold(STATE, ZHANGUO_CODEC.decode_events(STATE, torn))
    except (CorruptEvents, ImpossibleEvents):
        return
    assert ZHANGUO.notation.write_position(reached).startswith(SET)


TRANSCRIPT = (GOLDEN / "unfinished.shiji").read_bytes()


@settings(SOME, max_examples=20)
@given(st.integers(0, len(TRANSCRIPT) - 1), st.integers(0, 60), st.binary(max_size=12))
def test_a_torn_transcript_is_judged_or_refused_with_its_place(start: int, gone: int, put: bytes) -> None:
    torn = TRANSCRIPT[:start] + put + TRANSCRIPT[start + gone :]
    try:
        judged = judge(torn)
    except (ValueError, LookupError):
        return
    assert judged is not None
