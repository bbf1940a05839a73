"""What a draw shows of a card that stays face down is proven when the card is drawn, and not before.

In The Great Wall the back of the next card of the Horde is public, and the card itself is sealed.
"""

from collections.abc import Sequence

from msgspec import structs

from records.audit.record import audit_record
from records.entry import Entry, MatchId
from records.files.record_file import write_record
from records.games.state import Applied
from records.ledger.transfer import VerifiedImport, judge
from records.replay.disclosure import public_digest
from records.replay.fold import open_record, states_before
from records.verdict import DivergedAt, Verdict, Verified, VerifiedAsShown
from rules.kernel.actors import CHANCE
from tests.tools.forms import form_named, original
from tests.tools.mutating import rechained

SEALED, UNSEALED = (original("great-wall", form_named(name)) for name in ("sealed", "unsealed"))
TOP = 4
"""The entry that shows the first back; the next two draw cards and show further backs."""


def verdict_on(entries: Sequence[Entry], *, complete: bool = False) -> Verdict:
    return audit_record(MatchId(entries[0].match), entries, complete=complete).verdict


def unjudged(entries: Sequence[Entry]) -> list[int]:
    verdict = verdict_on(entries)
    assert isinstance(verdict, VerifiedAsShown)
    return [each.sequence for each in verdict.unjudged]


def with_another_back() -> list[Entry]:
    """The record with another back of the first card, and what follows from it."""
    opened = open_record(SEALED[0])
    before = states_before(opened.start, SEALED)[TOP]
    other = next(move for move in before.legal_moves(CHANCE) if move.data != SEALED[TOP].move)
    applied = before.judge(other)
    assert isinstance(applied, Applied)
    forged = structs.replace(
        SEALED[TOP],
        move=other.data,
        events=applied.events,
        state=public_digest(opened.header, applied.after),
    )
    return rechained([*SEALED[:TOP], forged, *SEALED[TOP + 1 :]])


def test_a_back_is_listed_until_its_card_is_drawn() -> None:
    assert verdict_on(SEALED[:TOP]) == Verified()
    assert unjudged(SEALED[: TOP + 1]) == [TOP]
    assert unjudged(SEALED[: TOP + 2]) == [TOP + 1]
    assert unjudged(SEALED) == [TOP + 2]


def test_a_false_back_is_listed_and_the_card_contradicts_it() -> None:
    forged = with_another_back()

    assert unjudged(forged[: TOP + 1]) == [TOP]
    assert not isinstance(verdict_on(forged), Verified | VerifiedAsShown)


def test_once_the_order_is_revealed_every_back_is_judged() -> None:
    assert verdict_on(UNSEALED) == Verified()

    forged = list(UNSEALED)
    forged[TOP] = with_another_back()[TOP]
    verdict = verdict_on(rechained(forged))
    assert isinstance(verdict, DivergedAt)
    assert verdict.sequence == TOP


def test_an_archive_is_trusted_with_the_back_and_takes_the_record() -> None:
    assert verdict_on(SEALED, complete=True) == Verified()
    assert isinstance(judge(b"".join(write_record(SEALED))), VerifiedImport)
