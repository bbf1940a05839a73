"""Matches as neither Qin nor Khan has them, through the service and its client."""

from collections.abc import Iterator

import pytest

from rules.kernel.game import OutcomeKind
from tests.rules.kit.dike.records import DRY, DRY_TOGETHER, FLOODED, register
from tests.service.running import InProcessService
from tools.client import Client, Match, Outcome, RecordFormat, Score, Verdict


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
