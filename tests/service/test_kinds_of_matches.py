"""Matches as neither Qin nor Khan has them, through the service and its client."""

from collections.abc import Iterator

import pytest
from shiji import (
    Accepted,
    Client,
    EncodedMove,
    Match,
    Outcome,
    OutcomeKind,
    RecordFormat,
    Score,
    Seat,
    SecretKey,
    TakebackRequest,
    Verdict,
    errors,
)

from tests.rules.kit.dike.records import DRY, DRY_TOGETHER, FLOODED, register
from tests.service.running import InProcessService


@pytest.fixture(autouse=True)
def _known(monkeypatch: pytest.MonkeyPatch) -> None:
    register(monkeypatch)


@pytest.fixture
def client(running: InProcessService) -> Iterator[Client]:
    with Client(running.address) as connected:
        yield connected


def played(client: Client, match: Match, moves: tuple[str, ...]) -> Match:
    for after, move in enumerate(moves, start=match.sequence):
        client.append(match.id, move, after=after)
    return client.match(match.id)


def test_one_seat_plays_and_wins(client: Client) -> None:
    match = played(client, client.start_match("dike", ["green"]).match, DRY)

    assert match.outcome == Outcome(
        ("green",),
        (("green",),),
        "dry",
        OutcomeKind.WON,
        (Score("green", 3, (("fish", 2), ("stones", 1))), Score("river", 3, ())),
    )


def test_one_seat_plays_and_nobody_wins(client: Client) -> None:
    match = played(client, client.start_match("dike", ["green"]).match, FLOODED)

    assert match.outcome is not None
    assert (match.outcome.kind, match.outcome.winners) == (OutcomeKind.NOBODY_WON, ())
    assert match.outcome.ranking == (("green",),)
    assert b'[Result "-"]' in client.export_record(match.id, RecordFormat.TRANSCRIPT).content
    assert client.audit_match(match.id).verdict is Verdict.VERIFIED


def test_all_seats_win_together(client: Client) -> None:
    begun = client.start_match("dike", ["green", "red"], edition="dike-together/1").match

    outcome = played(client, begun, DRY_TOGETHER).outcome

    assert outcome is not None
    assert (outcome.kind, outcome.winners) == (OutcomeKind.ALL_WON, ("green", "red"))


def test_a_match_has_the_options_that_it_was_started_with(client: Client) -> None:
    begun = client.start_match("dike", ["green"], options=[("length", "5"), ("current", "slow")]).match
    plain = client.start_match("dike", ["green"]).match

    listed = {match.id: match for match in client.matches(game="dike")}

    assert begun.options == client.match(begun.id).options == listed[begun.id].options == (("length", "5"),)
    assert (begun.rulings, plain.options) == ((), ())
    assert played(client, begun, DRY).outcome is None


@pytest.mark.parametrize(
    ("game", "option"), [("dike", ("tide", "high")), ("dike", ("length", "4")), ("qin", ("length", "5"))]
)
def test_an_option_that_the_game_does_not_know_is_refused(
    client: Client, game: str, option: tuple[str, str]
) -> None:
    with pytest.raises(errors.UnknownOption) as refused:
        client.start_match(game, ["green", "red"], options=[option])

    assert refused.value.metadata["option"] == option[0]


def test_the_number_of_seats_is_that_of_the_edition(client: Client) -> None:
    with pytest.raises(errors.BadSetup, match="for 2 to 4 seats, not 1"):
        client.start_match("dike", ["green"], edition="dike-together/1")
    with pytest.raises(errors.BadSetup, match="for 1 to 4 seats, not 0"):
        client.start_match("dike", [])


def test_a_match_that_names_no_edition_has_the_last_that_the_game_lists(client: Client) -> None:
    assert client.start_match("dike", ["green", "red"]).match.edition == "dike/1"


def test_a_seat_that_plays_alone_takes_back_with_nobody_to_agree(client: Client) -> None:
    match = client.start_match("dike", ["green"]).match
    played(client, match, DRY[:2])
    client.request_takeback(match.id, Seat(0), TakebackRequest(1), after=2)

    taken_back = client.retract(match.id, to=1, after=3, actor=Seat(0))

    assert isinstance(taken_back, Accepted)
    assert client.state(match.id).position == client.state(match.id, 1).position
    assert client.audit_match(match.id).verdict is Verdict.VERIFIED


def test_a_seat_that_plays_alone_signs(client: Client) -> None:
    key = SecretKey(b"g" * 32)
    begun = client.start_match("dike", ["green"], seat_keys=[key.public])
    match = begun.match
    move = EncodedMove(Seat(0), next(iter(client.legal_moves(match.id))).data)

    stored = client.append(match.id, move, after=begun.entries[-1], key=key)

    assert isinstance(stored, Accepted)
    assert stored.entries[0].signature
    assert client.audit_match(match.id).verdict is Verdict.VERIFIED


def test_the_picture_of_a_match_has_every_owner(client: Client) -> None:
    match = client.start_match("dike", ["green"]).match

    seen = client.state(match.id, drawing=True, svg=True)

    assert "river  0     -" in seen.drawing
    assert "river: 0 fish, stones -." in seen.svg
    assert [move.text for move in client.legal_moves(match.id)] == ["green build", "green fish"]
