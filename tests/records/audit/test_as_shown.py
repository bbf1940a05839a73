"""Records with parts left out: judged as far as they show, in full once they are unsealed, never on trust."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path

import pytest
from msgspec import structs

from records.audit.archive import ArchiveAudit
from records.audit.file import audit_file
from records.audit.record import audit_record
from records.codec.evidence import decode_concealed, decode_seal, encode_seal
from records.codec.qin import QIN_CODEC
from records.entry import Entry, EntryKind, actor_number
from records.files.record_file import read_record, write_record
from records.games.state import GameState
from records.ledger.transfer import RejectedRecord, judge
from records.log.contract import NEW, Append
from records.log.sqlite import SqliteLog
from records.replay.disclosure import public_digest
from records.replay.fold import open_record, rebuild
from records.verdict import (
    CorruptAt,
    DivergedAt,
    IllegalAt,
    Verdict,
    Verified,
    VerifiedAsShown,
    why,
    word,
)
from rules.kernel.actors import ARBITER, CHANCE, SPECTATOR, Seat, Viewer
from rules.qin.events import Event, MatchEnded, ProvinceFounded
from rules.qin.game import QIN
from rules.qin.state import EndReason
from tests.records.replay.test_sealed_draws import rechained, record, shown, whole

SEEN = pytest.mark.parametrize("viewer", [SPECTATOR, Seat(0), Seat(1)])
BAD = (IllegalAt, DivergedAt, CorruptAt)


@cache
def seen(viewer: Viewer = SPECTATOR, *, over: bool = False) -> tuple[Entry, ...]:
    return tuple(shown(whole() if over else record(), viewer))


def verdict(entries: list[Entry] | tuple[Entry, ...], *, complete: bool = False) -> Verdict:
    return audit_record(entries[0].match, entries, complete=complete).verdict


def is_draw(entry: Entry) -> bool:
    return entry.kind == EntryKind.MOVE and entry.actor == actor_number(CHANCE)


def folded(entries: list[Entry]) -> list[Entry]:
    """With the digests that the recorded events lead to, and hashes that fit: as a forger can make them."""
    opened = open_record(entries[0])
    state: GameState = opened.start
    digested = []
    for entry in entries:
        if entry.kind == EntryKind.MOVE:
            state = state.fold(entry.events)
        digested.append(structs.replace(entry, state=public_digest(opened.header, state)))
    return rechained(digested)


@SEEN
def test_a_match_under_way_is_verified_as_far_as_shown(viewer: Viewer) -> None:
    found = verdict(seen(viewer))

    hidden = [entry.sequence for entry in seen(viewer) if is_draw(entry) and not entry.secret]
    assert isinstance(found, VerifiedAsShown)
    assert [each.sequence for each in found.unjudged] == hidden
    assert hidden
    assert word(found) == "as-shown"
    assert (why(found) or "").startswith(f"what was drawn is not shown: entries {hidden[0]}, {hidden[1]}")


@SEEN
def test_a_match_that_was_unsealed_is_judged_in_full(viewer: Viewer) -> None:
    report = audit_record(whole()[0].match, seen(viewer, over=True))

    assert report.verdict == Verified()
    assert report.state == rebuild(whole()).state


def test_nothing_has_to_be_left_in_for_that() -> None:
    stripped = [structs.replace(entry, secret=b"") for entry in whole()]

    assert verdict(stripped) == Verified()


def test_a_record_with_all_its_parts_is_verified() -> None:
    assert verdict(record()) == Verified()
    assert verdict(record(), complete=True) == Verified()


def forgeries(entries: tuple[Entry, ...]) -> Iterator[tuple[str, list[Entry]]]:
    """False records with fitting digests and hashes, each up to the entry with the false events."""
    state = QIN.start(open_record(entries[0]).header.setup)
    for place, entry in enumerate(entries):
        if entry.kind != EntryKind.MOVE:
            continue
        events = QIN_CODEC.decode_events(state, entry.events)
        for what, false in false_events(events):
            forged = structs.replace(entry, events=QIN_CODEC.encode_events(state, false))
            yield f"{what} in entry {place}", folded([*entries[:place], forged])
        state = QIN.fold(state, events)


def false_events(events: tuple[Event, ...]) -> Iterator[tuple[str, tuple[Event, ...]]]:
    turned = tuple(
        ProvinceFounded(Seat(1 - each.owner), each.colour, each.cells, each.placed)
        if isinstance(each, ProvinceFounded)
        else each
        for each in events
    )
    if turned != events:
        yield "a province for the other seat", turned
    if isinstance(events[-1], MatchEnded):
        return
    if len(events) > 1:
        yield "an event removed", events[:-1]
    for reason in EndReason:
        yield f"a false end by {reason.value}", (*events, MatchEnded(reason, (Seat(1),)))


@pytest.mark.parametrize("over", [False, True])
@SEEN
def test_false_events_are_refused_whatever_is_left_out(viewer: Viewer, *, over: bool) -> None:
    # A viewer's file of a match that is over is cut off before its last entry: nothing is unsealed then.
    entries = seen(viewer, over=over)[:-1] if over else seen(viewer)
    stripped = tuple(structs.replace(entry, secret=b"") for entry in entries)
    found = {what: verdict(forged) for what, forged in forgeries(stripped)}

    assert len(found) > 10
    assert [what for what, each in found.items() if not isinstance(each, BAD)] == []


def test_the_provinces_of_green_cannot_be_given_to_violet_for_any_reader(tmp_path: Path) -> None:
    forged = next(forged for what, forged in forgeries(seen()) if what.startswith("a province"))
    data = b"".join(write_record(forged))

    assert isinstance(audit_file(read_record(data)).verdict, DivergedAt)
    assert isinstance(judge(data), RejectedRecord)
    path = tmp_path / "archive.db"
    with SqliteLog.open(path) as log:
        log.write([Append(forged[0].match, NEW, tuple(forged), copy=True)])
    audit = ArchiveAudit(lambda: SqliteLog.open(path, read_only=True), jobs=1)
    assert [word(report.verdict) for report in audit.reports()] == ["diverged"]
    assert not audit.summary.clean
    assert not audit.summary.clean_as_shown


def test_an_end_that_the_unknown_tiles_allow_is_listed_as_not_judged() -> None:
    """Only the hands show whether nobody can place: the record may say so, but it is not verified."""
    entries = [structs.replace(entry, secret=b"") for entry in whole()[:-1]]

    found = verdict(entries)

    assert isinstance(found, VerifiedAsShown)
    assert {each.why for each in found.unjudged} <= {
        "what was drawn is not shown",
        "what it caused depends on what is not shown",
    }


def test_a_draw_that_shows_a_tile_without_proof_is_refused() -> None:
    entries = list(seen())
    place = next(place for place, entry in enumerate(record()) if entry.secret)
    concealed = decode_concealed(record()[place].secret)
    entries[place] = structs.replace(entries[place], move=concealed.move, events=concealed.events)

    assert verdict(folded(entries[: place + 1])) == DivergedAt(
        place, "the draw shows what is hidden, and nothing proves it"
    )


def test_a_draw_before_an_order_is_sealed_is_refused_even_where_it_is_not_shown() -> None:
    entries = [entry for entry in seen() if entry.kind != EntryKind.SEAL]
    renumbered = [structs.replace(entry, sequence=place) for place, entry in enumerate(entries)]

    assert verdict(rechained(renumbered)) == DivergedAt(1, "the draw was made before an order was sealed")


def test_an_order_of_other_components_is_refused_even_where_nothing_is_opened() -> None:
    entries = list(seen())
    sealed = decode_seal(entries[1].move)
    fewer = replace(sealed, stock=(*sealed.stock[1:], sealed.stock[1]))
    entries[1] = structs.replace(entries[1], move=encode_seal(fewer))

    assert verdict(rechained(entries)) == DivergedAt(
        2, "the sealed order is not of the components that are shuffled here"
    )


def test_another_draw_than_the_seed_gives_is_refused_in_a_spectators_file() -> None:
    """Every draw is derived: the end that followed from the tiles cannot be another."""
    entries = seen(over=True)
    for _, forged in islice(forgeries(entries), 0, None, 23):
        at = forged[-1].sequence
        rest = [*forged, *entries[at + 1 :]]

        assert isinstance(verdict(rechained(rest)), BAD)


def test_an_archive_that_lost_what_was_drawn_is_corrupt() -> None:
    entries = [structs.replace(entry, secret=b"") for entry in record()]

    found = verdict(entries, complete=True)

    assert isinstance(found, CorruptAt)
    assert found.sequence == next(entry.sequence for entry in record() if entry.secret)
    assert "lacks what was drawn" in found.why


@pytest.mark.parametrize("kind", [EntryKind.SEAL, EntryKind.UNSEAL])
@pytest.mark.parametrize("actor", [500, 0, -2])
def test_only_chance_seals_and_unseals(kind: EntryKind, actor: int) -> None:
    entries = list(whole())
    place = next(place for place, entry in enumerate(entries) if entry.kind == kind)
    entries[place] = structs.replace(entries[place], actor=actor)

    found = verdict(rechained(entries))

    assert isinstance(found, CorruptAt)
    assert found.sequence == place


def test_the_arbiter_makes_no_moves() -> None:
    entries = list(seen())
    place = next(place for place, entry in enumerate(entries) if is_draw(entry))
    entries[place] = structs.replace(entries[place], actor=actor_number(ARBITER))

    assert verdict(rechained(entries)) == CorruptAt(place, "only a seat or chance makes a move")
