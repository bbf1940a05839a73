"""Whole matches of The Great Wall over gRPC, followed live by a rival who learns no secret, and verified."""

import queue
import random
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from shiji import (
    AUDITOR,
    SPECTATOR,
    Accepted,
    Chance,
    Client,
    Entry,
    EntryKind,
    Illegal,
    RecordFormat,
    Seat,
    Unavailable,
    Viewer,
    errors,
)

from records.games.registry import find_game
from rules.great_wall.component_file import BlockPart, Op
from rules.great_wall.components import SETS
from tests.rules.great_wall.own_sets import DRAW, SELF, with_blocks
from tests.rules.great_wall.positions import SET
from tests.rules.laws import seeded
from tests.service.servers import Running, serving
from tests.tools.running import run

GAME = find_game("great-wall")
NAMES = ("green", "blue", "red")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with serving(tmp_path_factory.mktemp("server") / "archive.db") as running:
        yield running


@dataclass
class Follower:
    """Somebody who follows a match while it is played."""

    address: str
    match: str
    viewer: Viewer
    arriving: "queue.Queue[Entry]" = field(default_factory=queue.Queue)

    def __post_init__(self) -> None:
        threading.Thread(target=self._follow, daemon=True).start()

    def _follow(self) -> None:
        with suppress(Unavailable, errors.Refused), Client(self.address) as client:
            for entry in client.follow(self.match, viewer=self.viewer):
                self.arriving.put(entry)

    def up_to(self, sequence: int) -> Iterator[Entry]:
        """The entries up to this one, as they came."""
        while (entry := self.arriving.get(timeout=60)).sequence < sequence:
            yield entry
        yield entry


def played(client: Client, match: str, sequence: int, chance: random.Random) -> Iterator[Accepted]:
    """Play a match to its end; players mostly do no more than they must."""
    while awaiting := client.match(match).awaiting:
        seat = chance.choice(awaiting)
        moves = [move.text for move in client.legal_moves(match, seat)]
        accepted = client.append(
            match, moves[-1] if chance.random() < 0.6 else chance.choice(moves), after=sequence
        )
        assert isinstance(accepted, Accepted)
        sequence = accepted.sequence
        yield accepted


OTHERS_DRAW = SETS.tag(with_blocks("drill", SELF, BlockPart("others", (DRAW, Op("clerks")))))
"""The set of an owner in which the others draw a tactic before they are asked anything."""


@pytest.mark.parametrize(
    ("edition", "seats", "viewer", "refused", "rule", "components"),
    [
        ("great-wall/1", 3, Seat(1), "green recruit spearman L1a1", "GW-BAR-01", SET),
        ("great-wall/1", 1, SPECTATOR, "green place 5", "GW-AUT-02", SET),
        ("great-wall-coop/1", 2, Seat(1), "green recover", "GW-COP-17", SET),
        ("great-wall-coop/1", 3, Seat(1), "green recover", "GW-COP-17", OTHERS_DRAW),
    ],
    ids=["three", "solo", "co-op", "co-op with the set of an owner"],
)
def test_a_match_is_played_to_its_end_followed_audited_and_verified_offline(  # noqa: PLR0913, PLR0917 - the cases
    server: Running,
    tmp_path: Path,
    edition: str,
    seats: int,
    viewer: Viewer,
    refused: str,
    rule: str,
    components: str,
) -> None:
    with Client(server.address) as client:
        started = client.start_match(
            GAME.about.key, NAMES[:seats], edition=edition, chance=Chance.SERVICE, components=components
        )
        match = started.match.id
        follower = Follower(server.address, match, viewer)
        verdict = client.append(match, refused, after=started.match.sequence)
        assert isinstance(verdict, Illegal)
        kinds = [
            entry.kind
            for accepted in played(client, match, started.match.sequence, seeded(seats))
            for entry in accepted.entries
        ]
        over, report = client.match(match), client.audit_match(match)
        everything = {entry.sequence: entry.text for entry in client.read(match, viewer=AUDITOR)}
        exported = client.export_record(match, RecordFormat.RECORD)

    assert verdict.rules == (rule,)
    assert over.outcome is not None
    assert report.verdict.name == "VERIFIED"
    assert {EntryKind.CHOOSE, EntryKind.REVEAL_CHOICES} <= set(kinds)
    hidden = [
        entry.text for entry in follower.up_to(over.sequence) if entry.text != everything[entry.sequence]
    ]
    assert hidden
    assert [text for text in hidden if "?" not in text and "in secret" not in text] == []
    if components is OTHERS_DRAW:
        assert any("pick drill" in text for text in everything.values())
    path = tmp_path / "match.shiji-record"
    path.write_bytes(exported.content)
    assert "verified" in run("verify", path).stdout


def test_a_rival_sees_neither_resources_nor_hands_nor_what_was_dealt(server: Running) -> None:
    with Client(server.address) as client:
        started = client.start_match(GAME.about.key, NAMES, chance=Chance.SERVICE)
        match = started.match.id
        for number, _ in enumerate(played(client, match, started.match.sequence, seeded(3))):
            if number == 40:
                break
        own, rival = (client.state(match, viewer=Seat(seat)).position for seat in (0, 1))

    green = {line: next(word for word in line.split() if word.startswith("green=")) for line in (own, rival)}
    assert "?" not in green[own].split("/")[3]
    assert green[rival].split("/")[3] == "?"
    assert set(green[rival].split("/")[11]) <= set("?+-")
