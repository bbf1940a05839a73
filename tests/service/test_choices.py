"""Choices in secret through the service and its client: nobody else sees one before all are revealed."""

from collections.abc import Iterator
from itertools import islice

import pytest
from shiji import (
    SPECTATOR,
    Accepted,
    ChoicePolicy,
    Client,
    EncodedMove,
    Entry,
    EntryKind,
    Legal,
    RecordFormat,
    Seat,
    SecretKey,
    Verdict,
    Viewer,
    errors,
    seal,
)

from tests.rules.kit.goofspiel_records import DEAL, SEATS, register
from tests.service.running import InProcessService

GREEN, RED, BLUE = (Seat(number) for number in range(3))
KEYS = [SecretKey(bytes([number]) * 32) for number in (1, 2, 3)]


@pytest.fixture(autouse=True)
def _known(monkeypatch: pytest.MonkeyPatch) -> None:
    register(monkeypatch)


@pytest.fixture
def client(running: InProcessService) -> Iterator[Client]:
    with Client(running.address) as connected:
        yield connected


def started(client: Client, **options: object) -> str:
    """A match in which the seats bid for the first prize."""
    begun = client.start_match("goofspiel", SEATS, **options).match  # type: ignore[arg-type] # any of its options
    dealt = client.append_many(begun.id, DEAL, after=begun.sequence)
    assert isinstance(dealt, Accepted)
    return begun.id


def last(client: Client, match: str) -> Entry:
    return list(client.read(match))[-1]


def bid(client: Client, match: str, seat: Seat, at: int = 0) -> EncodedMove:
    """A legal choice of the seat."""
    return EncodedMove(seat, next(islice(client.legal_moves(match, seat), at, None)).data)


def chosen_by_green(client: Client) -> tuple[str, EncodedMove]:
    match = started(client)
    move = bid(client, match, GREEN)
    assert isinstance(client.append(match, move, after=last(client, match)), Accepted)
    return match, move


@pytest.mark.parametrize("viewer", [SPECTATOR, RED, BLUE], ids=["spectator", "red", "blue"])
def test_a_choice_is_seen_by_nobody_else(client: Client, viewer: Viewer) -> None:
    match, move = chosen_by_green(client)

    shown = [
        list(client.read(match, viewer=viewer))[-1],
        next(islice(client.follow(match, viewer=viewer), last(client, match).sequence, None)),
    ]
    exported = client.export_record(match, RecordFormat.RECORD, viewer=viewer).content

    for entry in shown:
        assert (entry.kind, entry.text) == (EntryKind.CHOOSE, "green chooses in secret")
        assert len(entry.concealed) == 1
        assert entry.parts == ()
        assert move.data not in entry.move
    assert b'"parts"' not in exported
    own = list(client.read(match, viewer=GREEN))[-1]
    assert own.parts[0].content.endswith(move.data)


def test_all_choices_are_revealed_with_the_last_answer(client: Client) -> None:
    match, _ = chosen_by_green(client)
    client.append(match, bid(client, match, BLUE), after=last(client, match))
    assert client.match(match).awaiting == (RED,)

    revealed = client.append(match, bid(client, match, RED), after=last(client, match))

    assert isinstance(revealed, Accepted)
    assert [entry.kind for entry in revealed.entries][:2] == [EntryKind.CHOOSE, EntryKind.REVEAL_CHOICES]
    assert revealed.entries[1].text.count("bid") == 3
    assert client.audit_match(match).verdict is Verdict.VERIFIED


def test_a_seat_seals_its_choice_itself_and_opens_it_once_all_have_chosen(client: Client) -> None:
    match = started(client)
    after = last(client, match)
    choice = seal(match, bid(client, match, GREEN), after)
    client.seal_choice(match, choice, after=after)
    with pytest.raises(errors.NotVouched):
        client.open_choice(match, choice, after=last(client, match))
    client.append(match, bid(client, match, RED), after=last(client, match))
    stored = client.append(match, bid(client, match, BLUE), after=last(client, match))
    assert isinstance(stored, Accepted)
    assert stored.awaiting == client.match(match).awaiting == client.state(match).awaiting == (GREEN,)
    wrong = seal(match, choice.move, after)
    with pytest.raises(errors.NotVouched):
        client.open_choice(match, wrong, after=last(client, match))

    opened = client.open_choice(match, choice, after=last(client, match))

    assert isinstance(opened, Accepted)
    assert [entry.kind for entry in opened.entries][:2] == [EntryKind.OPEN_CHOICE, EntryKind.REVEAL_CHOICES]
    assert client.audit_match(match).verdict is Verdict.VERIFIED


@pytest.mark.parametrize("held", [True, False])
def test_a_seat_signs_the_digest_of_its_choice(client: Client, *, held: bool) -> None:
    match = started(client, seat_keys=[key.public for key in KEYS])
    after = last(client, match)
    choice = seal(match, bid(client, match, GREEN), after)
    call = client.choose if held else client.seal_choice
    with pytest.raises(errors.NotSigned):
        call(match, choice, after=after, key=KEYS[1])

    stored = call(match, choice, after=after, key=KEYS[0])

    assert isinstance(stored, Accepted)
    assert stored.entries[0].concealed[0].digest == choice.digest
    assert stored.entries[0].signature


def test_the_arbiter_answers_for_the_last_seat_if_the_match_says_so(client: Client) -> None:
    match = started(client, choices=ChoicePolicy.ARBITER)
    answer = bid(client, match, RED)
    for seat in (GREEN, BLUE):
        with pytest.raises(errors.NotVouched):
            client.answer_for(match, answer, after=last(client, match))
        client.append(match, bid(client, match, seat), after=last(client, match))

    answered = client.answer_for(match, answer, after=last(client, match))

    assert isinstance(answered, Accepted)
    assert [entry.kind for entry in answered.entries][:2] == [EntryKind.ANSWER_FOR, EntryKind.REVEAL_CHOICES]


def test_the_arbiter_does_not_answer_where_the_match_waits(client: Client) -> None:
    match = started(client)
    answer = bid(client, match, RED)
    for seat in (GREEN, BLUE):
        client.append(match, bid(client, match, seat), after=last(client, match))

    with pytest.raises(errors.NotVouched, match="does not answer"):
        client.answer_for(match, answer, after=last(client, match))


def test_a_match_that_the_arbiter_closes_is_over_and_shows_everything(client: Client) -> None:
    match, move = chosen_by_green(client)

    closed = client.close_match(match, "the hall is closing", after=last(client, match))

    assert closed.awaiting == client.match(match).awaiting == client.state(match).awaiting == ()
    assert client.match(match).closed
    assert any(entry.parts and entry.parts[0].content.endswith(move.data) for entry in client.read(match))
    with pytest.raises(errors.NotVouched):
        client.append(match, bid(client, match, RED), after=last(client, match))
    assert client.audit_match(match).verdict is Verdict.VERIFIED


def test_a_check_of_a_choice_says_only_whether_it_is_legal(client: Client) -> None:
    match, _ = chosen_by_green(client)

    verdict = client.check(match, bid(client, match, RED))

    assert isinstance(verdict, Legal)
    assert (verdict.events, verdict.position) == ((), "")
