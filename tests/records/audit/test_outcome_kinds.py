"""Matches that nobody wins, that all win together, and that one seat plays alone."""

import pytest

from records.audit.bundle import read_bundle
from records.files.tags import NOBODY, UNSTATED, read_header, write_result
from records.files.transcript import UnreadableTranscript, read_transcript, write_transcript
from records.ledger.ledger import Ledger
from records.ledger.transfer import VerifiedImport, as_transcript, judge, store
from records.log.memory import MemoryLog
from records.verdict import DivergedAt, Verdict, Verified
from rules.kernel.game import OutcomeKind
from tests.records.bundles import bundle_of, judged
from tests.records.transcripts import verify_transcript
from tests.rules.kit.dike.records import (
    DRY,
    DRY_TOGETHER,
    FLOODED,
    FLOODED_TOGETHER,
    alone,
    register,
    together,
)


@pytest.fixture(autouse=True)
def _known(monkeypatch: pytest.MonkeyPatch) -> None:
    register(monkeypatch)


def verdict(content: str) -> Verdict:
    return verify_transcript(read_transcript(content)).verdict


@pytest.mark.parametrize(
    ("content", "kind", "winners"),
    [
        (alone(*DRY), OutcomeKind.WON, ("green",)),
        (alone(*FLOODED), OutcomeKind.NOBODY_WON, ()),
        (together(*DRY_TOGETHER), OutcomeKind.ALL_WON, ("green", "red")),
        (together(*FLOODED_TOGETHER), OutcomeKind.NOBODY_WON, ()),
    ],
)
def test_an_outcome_says_whether_anybody_won(
    content: str, kind: OutcomeKind, winners: tuple[str, ...]
) -> None:
    report = verify_transcript(read_transcript(content))

    assert report.outcome is not None
    assert (report.outcome.kind, report.winners) == (kind, winners)


@pytest.mark.parametrize(
    ("result", "found"),
    [
        ("-", Verified()),
        ("*", Verified()),
        ("green", DivergedAt(3, "the record states that green won, but by the rules nobody did")),
    ],
)
def test_a_match_that_nobody_won_has_a_dash_for_a_result(result: str, found: Verdict) -> None:
    assert verdict(alone(*FLOODED, Result=result)) == found


def test_a_stated_defeat_is_compared_with_what_comes_out() -> None:
    assert verdict(alone(*DRY, Result="-")) == DivergedAt(
        3, "the record states that nobody won, but by the rules it was green"
    )
    assert verdict(alone(*DRY[:2], Result="-")) == DivergedAt(
        2, "the record states that nobody won, but by the rules the match is not over"
    )


def test_nobody_and_somebody_cannot_both_have_won() -> None:
    with pytest.raises(UnreadableTranscript, match="'-' is no seat"):
        verdict(together(*DRY_TOGETHER, Result="green -"))


def test_a_seat_may_be_called_a_dash_and_then_a_dash_is_that_seat() -> None:
    tags = {"Seats": "- red"}
    moves = ("- fish", "red build") * 3

    assert verdict(alone(*moves, Result="-", **tags)) == Verified()
    assert read_header(read_transcript(alone(Result="-", **tags))).result == frozenset({"-"})
    assert write_result(("-", "red"), ()) == UNSTATED
    assert write_result(("green", "red"), ()) == NOBODY


@pytest.mark.parametrize("content", [alone(*FLOODED), together(*DRY_TOGETHER), together(*FLOODED_TOGETHER)])
@pytest.mark.parametrize("stated", [True, False])
def test_a_stored_match_is_exported_with_its_result(content: str, stated: bool) -> None:  # noqa: FBT001 - a case
    result = "-" if "build" not in content else "green red"
    log = MemoryLog()
    record = judge((content.replace('"*"', f'"{result}"') if stated else content).encode())
    assert isinstance(record, VerifiedImport)
    store(log, [record])

    entries = list(log.read(record.entries[0].match))

    assert (("Result", result) in Ledger(log).current(entries[0].match).header.tags) is stated
    assert f'[Result "{result}"]' in write_transcript(as_transcript(entries))
    assert verdict(write_transcript(as_transcript(entries))) == Verified()


def test_a_bundle_states_the_kind_of_the_outcome_only_where_the_winners_do_not() -> None:
    stated = [
        read_bundle(bundle_of(content)).envelope.verdict
        for content in (alone(*DRY), alone(*FLOODED), together(*DRY_TOGETHER))
    ]

    assert [each.winners for each in stated] == [["green"], [], ["green", "red"]]
    assert [
        b'"kind"' in bundle_of(content).partition(b"\n")[0] for content in (alone(*DRY), alone(*FLOODED))
    ] == [
        False,
        True,
    ]
    assert [each.kind for each in stated[1:]] == ["nobody-won", "all-won"]


@pytest.mark.parametrize("tampered", [b"all-won", b"won"])
def test_a_bundle_that_states_another_kind_of_outcome_is_found_out(tampered: bytes) -> None:
    data = bundle_of(alone(*FLOODED))

    assert judged(data).report.verdict == Verified()
    assert isinstance(judged(data.replace(b'"nobody-won"', b'"%s"' % tampered)).report.verdict, DivergedAt)
