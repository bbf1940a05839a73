"""Signatures, shares, disputes and takebacks, against a real server."""

from pathlib import Path

import pytest
from shiji import (
    Accepted,
    Chance,
    Client,
    Dispute,
    DisputePolicy,
    EncodedMove,
    Entry,
    EntryKind,
    Fact,
    RecordFormat,
    Resolution,
    RetractPolicy,
    Seat,
    SecretKey,
    TakebackRequest,
    Verdict,
    errors,
    parse_public,
    parse_secret,
)

from tests.tools.running import run

GREEN, VIOLET, REFEREE, NEW = (SecretKey(bytes([number]) * 32) for number in range(1, 5))


def _signing(client: Client) -> Entry:
    """The header of a match in which green and the arbiter sign."""
    begun = client.start_match(
        "qin", ["green", "violet"], seat_keys=[GREEN.public, None], arbiter_key=REFEREE.public
    )
    return begun.entries[0]


def _move(client: Client, after: Entry, seat: int) -> EncodedMove:
    return EncodedMove(Seat(seat), next(client.legal_moves(after.match_id, Seat(seat))).data)


def _last(verdict: object) -> Entry:
    assert isinstance(verdict, Accepted)
    return verdict.entries[-1]


def test_a_seat_with_a_key_signs_and_the_audit_checks_it(client: Client) -> None:
    header = _signing(client)
    match = header.match_id

    first = _last(client.append(match, _move(client, header, 0), after=header, key=GREEN))
    second = _last(client.append(match, _move(client, first, 1), after=first))
    with client.play() as play:
        third = _last(play.append(match, _move(client, second, 0), after=second, key=GREEN))
    back = _last(client.retract(match, to=1, after=third, reason="a slip", key=REFEREE))

    assert [len(entry.signature) for entry in (first, second, third, back)] == [64, 0, 64, 64]
    assert client.audit_match(match).verdict is Verdict.VERIFIED


def test_without_the_right_key_nothing_is_stored(client: Client) -> None:
    header = _signing(client)
    move = _move(client, header, 0)

    with pytest.raises(errors.NotSigned):
        client.append(header.match_id, move, after=header)
    with pytest.raises(errors.NotSigned):
        client.append(header.match_id, move, after=header, key=VIOLET)

    assert client.match(header.match_id).sequence == 0


def test_another_key_signs_after_a_rotation(client: Client) -> None:
    header = _signing(client)
    match = header.match_id

    rotated = _last(client.rotate_key(match, Seat(0), after=header, keys=(GREEN, NEW)))
    with pytest.raises(errors.NotSigned):
        client.append(match, _move(client, rotated, 0), after=rotated, key=GREEN)
    stored = _last(client.append(match, _move(client, rotated, 0), after=rotated, key=NEW))

    assert (rotated.kind, stored.sequence) == (EntryKind.ROTATE_KEY, 2)
    assert client.audit_match(match).verdict is Verdict.VERIFIED


def test_signing_needs_the_previous_entry_and_the_bytes_of_the_move(client: Client) -> None:
    header = _signing(client)

    with pytest.raises(ValueError, match="the previous entry"):
        client.append(header.match_id, _move(client, header, 0), after=0, key=GREEN)
    with pytest.raises(TypeError, match="legal_moves"):
        client.append(header.match_id, "green Re8Re9", after=header, key=GREEN)


def test_seats_share_in_the_shuffle_before_they_are_dealt_to(client: Client) -> None:
    shares = {Seat(0): b"g" * 32, Seat(1): b"v" * 32}
    begun = client.start_match("qin", ["green", "violet"], chance=Chance.SERVICE, sharers=shares)
    last = begun.entries[-1]

    for seat, share in shares.items():
        last = _last(client.commit_share(last.match_id, seat, share, after=last))
    for seat, share in shares.items():
        last = _last(client.reveal_share(last.match_id, seat, share, after=last))

    kinds = [entry.kind for entry in client.read(last.match_id)]
    assert kinds[1:5] == [EntryKind.COMMIT_SHARE] * 2 + [EntryKind.REVEAL_SHARE] * 2
    assert client.match(last.match_id).awaiting == (Seat(0),)
    with pytest.raises(errors.NotVouched):
        client.reveal_share(last.match_id, Seat(0), b"x" * 32, after=last)


def test_a_dispute_stops_a_match_until_the_arbiter_settles_it(client: Client) -> None:
    begun = client.start_match("qin", ["green", "violet"], disputes=DisputePolicy.FREEZE)
    match = begun.match.id
    first = _last(client.append(match, "green Re8Re9", after=0))

    opened = _last(client.open_dispute(match, Seat(1), Dispute(1, "it was my turn"), after=first))
    with pytest.raises(errors.MatchFrozen):
        client.append(match, "violet Yg8Bh8", after=opened)
    settled = _last(client.resolve_dispute(match, Resolution(opened.sequence, "it was not"), after=opened))
    stored = _last(client.append(match, "violet Yg8Bh8", after=settled))

    kinds = [entry.kind for entry in (opened, settled, stored)]
    assert kinds == [EntryKind.OPEN_DISPUTE, EntryKind.RESOLVE_DISPUTE, EntryKind.MOVE]


def test_a_seat_takes_back_when_the_others_agree(client: Client) -> None:
    match = client.start_match("qin", ["green", "violet"], retract=RetractPolicy.ANY_SEAT).match.id
    first = _last(client.append(match, "green Re8Re9", after=0))

    asked = _last(client.request_takeback(match, Seat(0), TakebackRequest(0, "a slip"), after=first))
    granted = _last(client.grant_takeback(match, Seat(1), asked.sequence, after=asked))
    back = client.retract(match, to=0, after=granted, actor=Seat(0))

    assert isinstance(back, Accepted)
    assert back.awaiting == (Seat(0),)


def test_two_records_of_a_match_are_compared(client: Client) -> None:
    match = client.start_match("qin", ["green", "violet"]).match.id
    client.append(match, "green Re8Re9", after=0)
    earlier = client.export_record(match, RecordFormat.RECORD).content
    client.append(match, "violet Yg8Bh8", after=1)

    compared = client.compare_records(earlier, match)

    assert (compared.common, compared.one.next, compared.other.next) == (2, "", "violet Yg8Bh8")
    assert [branch.in_log for branch in (compared.one, compared.other)] == [2, 3]
    assert compared.one.report.verdict is compared.other.report.verdict is Verdict.VERIFIED


def test_a_key_that_the_command_made_signs(client: Client, tmp_path: Path) -> None:
    file = tmp_path / "green.key"
    printed = run("keygen", "--out", file).output.strip()
    key = parse_secret(file.read_text())
    assert parse_public(printed) == key.public
    begun = client.start_match("qin", ["green", "violet"], seat_keys=[parse_public(printed), None])

    move = _move(client, begun.entries[0], 0)

    assert _last(client.append(begun.match.id, move, after=begun.entries[0], key=key)).sequence == 1


def test_facts_about_players_are_returned(client: Client) -> None:
    fact = Fact("player-1", "name", "Anna Example")

    begun = client.start_match("qin", ["green", "violet"], people=[(Seat(1), fact)])

    assert begun.match.people == ((Seat(1), "name", "Anna Example"),)
    assert client.match(begun.match.id).people == begun.match.people
