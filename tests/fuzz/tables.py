"""Matches that requests are about, and the valid requests that start them."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from shiji.record.v1 import header_pb2 as headers
from shiji.record.v1 import record_service_pb2 as pb

from records.entry import MatchHeader, MatchId
from records.evidence.ed25519 import SecretKey
from records.games.registry import GAMES
from records.replay.fold import MatchSnapshot
from rules.kernel.actors import ARBITER, Actor, Seat

NAMES: Final = ("green", "violet", "white", "blue")

CHANCES: Final = (pb.CHANCE_UNRECORDED, pb.CHANCE_RECORDED, pb.CHANCE_SERVICE)

KEYS: Final[Mapping[Actor, SecretKey]] = {
    **{Seat(number): SecretKey(bytes([number + 1]) * 32) for number in range(len(NAMES))},
    ARBITER: SecretKey(b"A" * 32),
}
"""The keys of those who sign, the same in every match."""


@dataclass
class Table:
    """A match under way, as its recorder knows it."""

    match: MatchId
    seats: int
    tokens: Sequence[str]
    keys: Mapping[Actor, SecretKey]
    now: MatchSnapshot
    requests: list[str] = field(default_factory=list)
    """Request ids that were used in it."""
    sealed: dict[int, bytes] = field(default_factory=dict)
    """By seat, the choice that it sealed last."""


def keys_of(header: MatchHeader) -> Mapping[Actor, SecretKey]:
    """The keys of those who sign in a match; none if nobody does."""
    return KEYS if header.keys else {}


def start_request(dice: random.Random, request_id: str) -> pb.StartMatchRequest:
    """A request for a match of any game, mostly valid; in one of three everybody signs."""
    seats = NAMES[: dice.choice((2, 2, 3, 4))]
    request = pb.StartMatchRequest(
        request_id=request_id,
        game=dice.choice(GAMES.keys),
        seats=seats,
        chance=dice.choice(CHANCES),
        retract=dice.choice(headers.RetractPolicy.values()),
        disputes=dice.choice(headers.DisputePolicy.values()),
        choices=dice.choice(headers.ChoicePolicy.values()),
        takebacks=dice.choice(headers.TakebackPolicy.values()),
    )
    if dice.random() < 0.35:
        request.seat_keys.extend(KEYS[Seat(number)].public.raw for number in range(len(seats)))
        request.arbiter_key = KEYS[ARBITER].public.raw
    if request.chance == pb.CHANCE_SERVICE and dice.random() < 0.3:
        request.sharers.extend(range(len(seats)))
    if dice.random() < 0.1:
        request.options.add(name=dice.choice(("rival", "table", "x")), value=dice.choice(("1", "no")))
    if dice.random() < 0.1:
        request.rulings.add(name=dice.choice(("stuck", "fair-start")), value=dice.choice(("end", "no")))
    if dice.random() < 0.2:
        request.people.add(seat=0, person_id=f"person {dice.randrange(9)}", field="name", value="Wu")
    return request
