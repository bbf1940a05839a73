"""Two worlds that differ only in what a viewer may not see give it the same bytes, whatever it sends.

SHIJI_PAIRS is the number of pairs, SHIJI_FIRST the seed of the first; `make views` tries many more, with
services that have no ports.
"""

import os
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import pytest
from google.protobuf.message import Message
from shiji.record.v1 import record_service_pb2 as pb

from records.entry import ENTRY_VERSION_1, ENTRY_VERSION_2
from rules.kernel.setup import Setup
from service.http.events import EVENTS_PATH
from service.http.pages.site import PATHS
from service.rpc import DESCRIPTOR
from tests.service.addresses import ADDRESSES, OF_NO_MATCH, visible_page
from tests.service.everything import ASKING, Table
from tests.service.http_channel import events_of
from tests.service.pairs import Keeper, Pair
from tests.service.twin_services import GAMES, World, answer, in_database, two_worlds
from tests.service.twists import TWISTS, Seen
from tests.service.visible import shows_all, visible

PAIRS = int(os.environ.get("SHIJI_PAIRS", "200"))
FIRST = int(os.environ.get("SHIJI_FIRST", "0"))
PAIRS_IN_DATABASE = 6
"""Pairs that are played in PostgreSQL, where each append takes longer."""
DIRECTLY = os.environ.get("SHIJI_DIRECTLY") == "1"
"""Whether the services are called without ports, which takes a third of the time."""
PARTS = max(8, PAIRS // 250)
"""Tests that share the pairs, so that workers share them too, and the archives of a long run stay small."""
_STRIDE = 5
"""Seeds step through the modes by this, so that neighbours differ in game, chance and twist."""
PAGES_PER_PAIR = 2
"""Kinds of pages of which one is asked for."""
FURTHER_REQUESTS = 6
"""Requests per pair beyond one of each method, chosen at random among all that the viewer may send."""

_ATTEMPTS = 3
"""Matches that a pair is tried with until something is hidden in it from the viewer."""
_SEEDS_PER_ATTEMPT = 10_000_000
"""More than there are pairs, so that no other pair has the same match."""

_CHANCES = (pb.CHANCE_RECORDED, pb.CHANCE_SERVICE)


def _has_secrets_without_draws(game: str) -> bool:
    bound = GAMES[game]
    setup = Setup(bound.about.editions[-1].key, ("a", "b"), bound.about.components[0].name)
    return bound.start(setup).has_secrets()


Mode: TypeAlias = tuple[int, str, pb.Chance.ValueType, str]
"""Version, game, chance and twist of a pair."""

MODES: list[Mode] = [
    *(
        (ENTRY_VERSION_2, game, chance, twist)
        for twist in TWISTS
        for game in GAMES.keys
        for chance in _CHANCES
    ),
    *(
        (ENTRY_VERSION_1, game, chance, twist)
        for twist in TWISTS
        for game in ("qin", "khan")  # later games have only had matches of version 2
        for chance in _CHANCES
    ),
    *(
        (ENTRY_VERSION_2, game, pb.CHANCE_UNRECORDED, twist)
        for twist in TWISTS
        for game in GAMES.keys
        if twist in {"followed", "damaged"} or _has_secrets_without_draws(game)
    ),
]


def mode_of(seed: int) -> Mode:
    """The mode of a pair."""
    return MODES[seed * _STRIDE % len(MODES)]


@dataclass(frozen=True)
class Found:
    """What became of one pair."""

    differ: bool
    """Whether there was anything to find."""
    requests: int
    leak: object = None
    """The first request that was answered differently, with all that is needed to send it again."""


def search(worlds: tuple[World, World], seed: int) -> Found:
    """Play a pair of matches, and send what a viewer may send until the worlds answer differently.

    Every other time through the modes, all calls are JSON over HTTP.
    """
    mode, stored = mode_of(seed), worlds
    if seed // len(MODES) % 2:
        worlds = worlds[0].over_http(), worlds[1].over_http()
    pair, number = None, 0
    for attempt in range(_ATTEMPTS):
        twisted = play_pair(worlds, seed + attempt * _SEEDS_PER_ATTEMPT, mode)
        if twisted is None:
            for world in (*stored, *worlds):
                world.alike = False
            continue
        pair, seen = twisted
        number += len(seen)
        for each in seen:
            if visible(pair, each.method, each.one) != visible(pair, each.method, each.other):
                return Found(pair.differ, number, (seed, mode, each))
        if pair.hides:
            break
    if pair is None:
        return Found(differ=False, requests=0)
    dice = random.Random(f"pages {seed}")  # noqa: S311 - the same each time
    page = differing_page(pair, dice) if pair.hides else None
    number += PAGES_PER_PAIR if pair.differ else 0
    if page is not None:
        return Found(pair.differ, number, (seed, mode, page))
    for method, caller, request in asked(pair, random.Random(seed)):  # noqa: S311 - the same each time
        number += 1
        most = pair.last + 1 if method.startswith("Follow") else None
        answers = [answer(world, method, caller, request, most) for world in worlds]
        one, other = (visible(pair, method, each) for each in answers)
        if one != other or shows_all(pair, method, answers[0]):
            return Found(pair.differ, number, (seed, mode, method, caller, str(request), one, other))
    return Found(pair.differ, number)


def play_pair(worlds: tuple[World, World], seed: int, mode: Mode) -> tuple[Pair, list[Seen]] | None:
    """A pair of matches of this mode, with what the viewer has seen; None where they became different."""
    version, game, chance, twist = mode
    return TWISTS[twist](Keeper(worlds, seed, game, chance, version, small=twist == "reopened"))


def differing_page(pair: Pair, dice: random.Random) -> object:
    """A page that differs between the worlds, of those that are asked for; None if there is none."""
    table, caller = Table.of(pair), dice.choice(pair.callers)
    for kind in dice.sample(sorted(ADDRESSES), PAGES_PER_PAIR):
        addresses = list(ADDRESSES[kind](table))
        if not addresses:
            continue
        asked = dice.choice(addresses)
        one, other = (visible_page(pair, asked, world.fetch(caller, asked)) for world in pair.worlds)
        if one != other:
            return caller, asked, one, other
    return None


def asked(pair: Pair, dice: random.Random) -> Iterator[tuple[str, str, Message]]:
    """Requests in the order of ASKING, each with its method and caller."""
    if pair.state.outcome() is not None:
        return  # everybody sees everything
    table = Table.of(pair)
    every, chosen = list[tuple[str, Message]](), set[int]()
    for method, requests in ASKING.items():
        first = len(every)
        every += [(method, request) for request in requests(table)]
        if len(every) > first and pair.differ:
            chosen.add(dice.randrange(first, len(every)))  # some methods have many more requests than others
    chosen.update(dice.sample(range(len(every)), min(FURTHER_REQUESTS, len(every))))
    for index in sorted(chosen):
        yield every[index][0], dice.choice(pair.callers), every[index][1]


@pytest.fixture(scope=lambda **_: "function" if DIRECTLY else "module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[World, World]]:
    with two_worlds(tmp_path_factory.mktemp("worlds"), directly=DIRECTLY) as both:
        yield both


def test_every_method_is_asked() -> None:
    assert set(ASKING) == set(DESCRIPTOR.methods_by_name)


def test_every_page_is_asked_for() -> None:
    assert {*ADDRESSES, *OF_NO_MATCH} == set(PATHS)


def test_matches_are_followed_by_events_over_http() -> None:
    path, _ = events_of(pb.FollowRecordRequest(match_id="m").SerializeToString()) or ("", {})

    assert EVENTS_PATH.fullmatch(path)


def test_the_pairs_are_of_every_game_by_every_kind_of_chance_with_every_twist() -> None:
    tried = {mode_of(seed) for seed in range(FIRST, FIRST + PAIRS)}

    assert tried == set(MODES)


@pytest.mark.parametrize("part", range(PARTS))
def test_the_viewer_cannot_tell_the_worlds_apart(
    worlds: tuple[World, World], part: int, record_property: Callable[[str, int], None]
) -> None:
    differing = requests = 0
    seeds = range(FIRST + part, FIRST + PAIRS, PARTS)
    for seed in seeds:
        found = search(worlds, seed)
        differing += found.differ
        requests += found.requests

        assert found.leak is None, found.leak
    record_property("pairs", len(seeds))
    record_property("pairs that differ", differing)
    record_property("requests", requests)
    assert differing > len(seeds) // 4


def test_nor_can_it_where_servers_share_a_database(tmp_path: Path) -> None:
    with two_worlds(tmp_path, in_database) as worlds:
        found = [search(worlds, seed) for seed in range(FIRST, FIRST + PAIRS_IN_DATABASE)]

    assert [each.leak for each in found if each.leak is not None] == []
    assert any(each.differ for each in found)
