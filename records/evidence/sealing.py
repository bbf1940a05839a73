"""Sealed orders: the order of tiles or cards is fixed and committed to before anybody knows it.

Before the first move the service commits to a secret, and seats may commit to a share. The seed is mixed from
all of them and determines the shuffle. Each place of the shuffled order is a leaf of a Merkle tree, so that a
draw opens one place and reveals nothing about the others. At the end the secret proves the whole order.
"""

import hmac
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from records.entry import MatchId
from records.evidence.framing import frame, framed_hash
from records.evidence.merkle import (
    Nodes,
    NotIncluded,
    Proof,
    check_inclusion,
    frontier_of,
    inclusion_proof,
    leaf_hash,
    nodes_of,
)
from rules.kernel.text import quoted

SECRET_SIZE: Final = 32
"""The size of a secret, a share, a seed and a salt, in bytes."""

MAX_TOKENS: Final = 2**16
"""The maximum number of tokens in an order; sealing such an order takes one or two seconds."""

_WORD_BYTES: Final = 4
"""The size of a random number of the shuffle, in bytes."""


class BadSecret(ValueError):
    """A secret, share or seed that does not have 32 bytes."""


class TooManyTokens(ValueError):
    """More tokens than one order can have."""


class SealBroken(ValueError):
    """What was revealed of a sealed order is not what was sealed."""


class NotSealed(SealBroken):
    """The opening is not one of the sealed order."""


class WrongReveal(SealBroken):
    """What was revealed is not what was committed to."""


class WrongShuffle(SealBroken):
    """The seed yields another order than the sealed one."""


@dataclass(frozen=True, slots=True)
class Pledge:
    """All commitments that were made before the seed was mixed."""

    match: MatchId
    secret: bytes
    """The commitment of the service, from commit_secret."""
    shares: tuple[tuple[int, bytes], ...] = ()
    """Seat and commitment, from commit_share; other seats contribute no share."""


@dataclass(frozen=True, slots=True)
class Seal:
    """The public part of a sealed order."""

    match: MatchId
    number: int
    """The number of the order in the match, from 0."""
    size: int
    root: bytes


@dataclass(frozen=True, slots=True)
class OpenedPlace:
    """One place of a sealed order, opened."""

    index: int
    token: str
    salt: bytes
    proof: Proof


@dataclass(frozen=True, slots=True)
class SealedOrder:
    """A sealed order with everything that opens it; secret while the match is under way."""

    seal: Seal
    tokens: tuple[str, ...] = field(repr=False)
    salts: tuple[bytes, ...] = field(repr=False)
    nodes: Nodes = field(repr=False, compare=False)

    def open(self, index: int) -> OpenedPlace:
        """Open one place, which reveals nothing about the others; raises OutsideTree."""
        proof = inclusion_proof(index, self.seal.size, self.nodes)
        return OpenedPlace(index, self.tokens[index], self.salts[index], proof)


def commit_secret(match: MatchId, secret: bytes) -> bytes:
    """The service's commitment to its secret."""
    return framed_hash("shiji/seal/secret/1", match, _sized(secret))


def commit_share(match: MatchId, seat: int, share: bytes) -> bytes:
    """A seat's commitment to its share, which it reveals once all have committed."""
    return framed_hash("shiji/seal/share/1", match, seat, _sized(share))


def mix(pledge: Pledge, secret: bytes, shares: Mapping[int, bytes]) -> bytes:
    """Mix the seed; raises WrongReveal unless secret and shares are those that were committed to."""
    if commit_secret(pledge.match, secret) != pledge.secret:
        raise WrongReveal("the service revealed another secret than it committed to")
    pledged = dict(pledge.shares)
    if len(pledged) != len(pledge.shares) or sorted(pledged) != sorted(shares):
        raise WrongReveal("the shares are not those of the seats that committed to one, each once")
    parts: list[bytes | int] = []
    for seat, share in sorted(shares.items()):
        if commit_share(pledge.match, seat, share) != pledged[seat]:
            raise WrongReveal(f"seat {seat} revealed another share than it committed to")
        parts += (seat, share)
    return framed_hash("shiji/seal/seed/1", pledge.match, secret, *parts)


def shuffle(seed: bytes, number: int, tokens: tuple[str, ...]) -> tuple[str, ...]:
    """Shuffle the tokens by Fisher-Yates, from the last place down; `number` is that of the order."""
    if len(tokens) > MAX_TOKENS:
        raise TooManyTokens(f"a sealed order has at most {MAX_TOKENS} tokens, not {len(tokens)}")
    order = list(tokens)
    words = _words(_sized(seed), number)
    for last in range(len(order) - 1, 0, -1):
        mask = (1 << last.bit_length()) - 1
        place = next(found for word in words if (found := word & mask) <= last)
        order[last], order[place] = order[place], order[last]
    return tuple(order)


def seal(match: MatchId, number: int, tokens: tuple[str, ...], seed: bytes) -> SealedOrder:
    """Shuffle and seal the tokens, which are given in the game's own order."""
    order = shuffle(seed, number, tokens)
    salts = tuple(
        hmac.digest(seed, frame("shiji/seal/salt/1", number, index), "sha256") for index in range(len(order))
    )
    leaves = [_leaf(match, number, index, salts[index], token) for index, token in enumerate(order)]
    nodes = nodes_of(leaves)
    root = frontier_of(len(order), nodes).root
    return SealedOrder(Seal(match, number, len(order), root), order, salts, nodes)


def check_opening(seal: Seal, opening: OpenedPlace) -> None:
    """Raises NotSealed unless the token was sealed at that place."""
    if not 0 <= opening.index < seal.size:
        raise NotSealed(f"{seal.size} places are sealed, from 0, and {opening.index} is none of them")
    leaf = _leaf(seal.match, seal.number, opening.index, opening.salt, opening.token)
    try:
        check_inclusion(leaf, opening.index, seal.size, opening.proof, seal.root)
    except NotIncluded as fault:
        raise NotSealed(f"{quoted(opening.token)} was not sealed at place {opening.index}: {fault}") from None


def rederive(sealed: Seal, tokens: tuple[str, ...], seed: bytes) -> SealedOrder:
    """Derive the sealed order again from its seed; raises WrongShuffle if another one was sealed."""
    found = seal(sealed.match, sealed.number, tokens, seed)
    if found.seal != sealed:
        raise WrongShuffle(f"shuffle {sealed.number} of these tokens by this seed is not what was sealed")
    return found


def _words(seed: bytes, number: int) -> Iterator[int]:
    """An endless stream of 32-bit numbers."""
    count = 0
    while True:
        block = hmac.digest(seed, frame("shiji/seal/shuffle/1", number, count), "sha256")
        for at in range(0, len(block), _WORD_BYTES):
            yield int.from_bytes(block[at : at + _WORD_BYTES])
        count += 1


def _leaf(match: MatchId, number: int, index: int, salt: bytes, token: str) -> bytes:
    return leaf_hash(frame("shiji/seal/leaf/1", match, number, index, salt, token))


def _sized(secret: bytes) -> bytes:
    if len(secret) != SECRET_SIZE:
        raise BadSecret(f"a secret, a share or a seed has {SECRET_SIZE} bytes, not {len(secret)}")
    return secret
