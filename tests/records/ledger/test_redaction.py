"""Records as each viewer may have them."""

from dataclasses import replace

import pytest

from records.entry import Entry, MatchHeader
from records.files.transcript import write_transcript
from records.ledger.redaction import CannotRedact, NoSuchViewer, redacted, viewer_named
from records.ledger.transfer import as_transcript
from records.log.memory import MemoryLog
from records.replay.fold import CorruptRecord
from rules.kernel.actors import AUDITOR, SPECTATOR, Seat, Viewer
from rules.kernel.setup import Draws
from tests.records.matches import MOVES, begin, forged, header, played
from tests.records.replay.test_sealed_draws import record, whole
from tools.dev.version_1 import Version1Ledger


def draws_shown(entries: list[Entry]) -> list[str]:
    lines = write_transcript(as_transcript(entries)).splitlines()
    return [line for line in lines if (" draw " in line or " deal " in line) and "?" not in line]


@pytest.mark.parametrize("viewer", [SPECTATOR, Seat(0), Seat(1), AUDITOR])
def test_what_is_left_out_breaks_no_hash(viewer: Viewer) -> None:
    shown = redacted(record(), viewer)

    assert [entry.hash for entry in shown] == [entry.hash for entry in record()]


def test_a_seat_sees_its_own_draws_and_a_spectator_none() -> None:
    everything = draws_shown(redacted(record(), AUDITOR))
    green, violet = (draws_shown(redacted(record(), Seat(seat))) for seat in (0, 1))

    assert draws_shown(redacted(record(), SPECTATOR)) == []
    assert sorted(green + violet) == sorted(everything)
    assert green
    assert violet


def test_once_the_match_is_over_everybody_sees_everything() -> None:
    everything = draws_shown(redacted(whole(), AUDITOR))

    assert draws_shown(redacted(whole(), SPECTATOR)) == draws_shown(redacted(whole(), Seat(0))) == everything


def test_a_record_without_secrets_is_the_same_for_all() -> None:
    assert redacted(played(*MOVES), SPECTATOR) == played(*MOVES)


def test_hands_that_are_hashed_without_salt_cannot_be_left_out() -> None:
    open_header = header()
    hidden = replace(open_header, setup=replace(open_header.setup, draws=Draws.RECORDED))
    entries = begin(Version1Ledger(MemoryLog()), hidden).entries

    assert redacted(entries, AUDITOR) == entries
    with pytest.raises(CannotRedact, match="export it once the match is over"):
        redacted(entries, SPECTATOR)


def test_a_damaged_record_is_shown_to_its_operator_only() -> None:
    damaged = forged(played(*MOVES), 2, events=b"\xff")

    assert redacted(damaged, AUDITOR) == damaged
    with pytest.raises(CorruptRecord):
        redacted(damaged, SPECTATOR)


@pytest.mark.parametrize(
    ("name", "viewer"), [("spectator", SPECTATOR), ("green", Seat(0)), ("violet", Seat(1)), ("1", Seat(1))]
)
def test_a_viewer_is_named_by_seat_or_number(name: str, viewer: Viewer) -> None:
    assert viewer_named(header(), name) == viewer


def test_a_seat_may_be_called_like_a_number() -> None:
    numbered = MatchHeader(header().game, replace(header().setup, seats=("1", "0")))

    assert viewer_named(numbered, "1") == Seat(0)


@pytest.mark.parametrize("name", ["red", "2", "-1", "", "Spectator"])
def test_nobody_else_is_a_viewer(name: str) -> None:
    with pytest.raises(NoSuchViewer, match="expected spectator, green or violet"):
        viewer_named(header(), name)
