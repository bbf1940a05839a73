"""Two worlds that differ only in what a viewer may not see give it the same bytes, whatever it sends.

SHIJI_PAIRS is the number of pairs; `make views` tries many more.
"""

import os
import random
import re
from collections.abc import Callable, Iterator

import pytest
from google.protobuf.message import Message
from shiji.record.v1 import entry_pb2 as entries
from shiji.record.v1 import record_service_pb2 as pb

from records.games.registry import GAMES
from service.rpc import DESCRIPTOR
from tests.service.everything import ASKING, Table
from tests.service.pairs import Pair, World, answer, played, two_worlds

PAIRS = int(os.environ.get("SHIJI_PAIRS", "200"))
PARTS = 8
"""Tests that share the pairs, so that workers share them too."""
REQUESTS = 40
"""Requests per pair, chosen at random among all that the viewer may send."""

MODES = [
    (game.about.key, chance)
    for game in GAMES
    for chance in (pb.CHANCE_RECORDED, pb.CHANCE_SERVICE, pb.CHANCE_RECORDED, pb.CHANCE_UNRECORDED)
]

COMMITMENTS = {"GetCheckpoint", "GetInclusionProof", "GetConsistencyProof"}
"""Methods whose responses commit to other entries, the hidden ones of version 1 included. docs/security.md
says what a caller can do with that; only whether they answer is compared."""

PROVES_ONE = {"GetInclusionProof"}
"""Must not answer at all about an entry whose own hash could confirm a guess."""

_COMMITMENT_FIELDS = {"hash", "previous_hash", "pledge", "secret", "hashes"}
_COMMITTING_KINDS = {entries.ENTRY_KIND_HEADER, entries.ENTRY_KIND_SEAL}
_LONG = re.compile(rb"[A-Za-z0-9+/=_-]{40,}")
"""A hash, a seal or an opening in a record file."""


def visible(pair: Pair, method: str, answered: list[Message] | str) -> object:
    """What an answer says, apart from commitments: those to different sealed orders differ."""
    if isinstance(answered, str):
        return answered
    if method in COMMITMENTS and not (method in PROVES_ONE and pair.start.chance == pb.CHANCE_RECORDED):
        return "answered"
    if pair.start.chance == pb.CHANCE_SERVICE:
        for message in answered:
            _without_commitments(message)
    return [message.SerializeToString(deterministic=True) for message in answered]


def _without_commitments(message: Message) -> None:
    if isinstance(message, entries.Entry) and message.kind in _COMMITTING_KINDS:
        message.ClearField("move")
        message.ClearField("text")
    if isinstance(message, pb.ExportRecordResponse):
        message.content = _LONG.sub(b"", message.content)
    for described, value in message.ListFields():
        if described.name in _COMMITMENT_FIELDS:
            message.ClearField(described.name)
        elif isinstance(value, Message):
            _without_commitments(value)
        elif described.message_type is not None and not described.message_type.GetOptions().map_entry:
            for each in value:
                _without_commitments(each)


def asked(pair: Pair, dice: random.Random) -> Iterator[tuple[str, str, Message]]:
    """Requests in the order of ASKING, each with its method and caller."""
    table = Table.of(pair)
    every = [(method, request) for method, requests in ASKING.items() for request in requests(table)]
    for index in sorted(dice.sample(range(len(every)), min(REQUESTS, len(every)))):
        yield every[index][0], dice.choice(pair.callers), every[index][1]


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[World, World]]:
    with two_worlds(tmp_path_factory.mktemp("worlds")) as both:
        yield both


def test_every_method_is_asked() -> None:
    assert set(ASKING) == set(DESCRIPTOR.methods_by_name)


@pytest.mark.parametrize("part", range(PARTS))
def test_the_viewer_cannot_tell_the_worlds_apart(
    worlds: tuple[World, World], part: int, record_property: Callable[[str, int], None]
) -> None:
    differing = requests = 0
    seeds = range(part, PAIRS, PARTS)
    for seed in seeds:
        game, chance = MODES[seed // PARTS % len(MODES)]
        pair = played(worlds, seed, game, chance, f"start {seed}")
        if pair is None:
            continue
        differing += pair.differ
        for method, caller, request in asked(pair, random.Random(seed)):  # noqa: S311 - the same each time
            most = pair.last + 1 if method.startswith("Follow") else None
            one, other = (
                visible(pair, method, answer(world, method, caller, request, most)) for world in worlds
            )
            requests += 1

            assert one == other, (seed, game, chance, method, caller, str(request))
    record_property("pairs", len(seeds))
    record_property("pairs that differ", differing)
    record_property("requests", requests)
    assert differing > len(seeds) // 4
