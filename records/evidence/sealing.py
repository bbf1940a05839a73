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
    HASH_SIZE,
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

ORDERS_PER_ROUND: Final = 2**16
"""Numbers that each shuffle of a deck has: one for every order that the rules may refuse."""

MAX_ROUNDS: Final = 2**16
"""Shuffles of one deck: the number of an order has 32 bits."""

_WORD_BYTES: Final = 4
"""The size of a random number of the shuffle, in bytes."""


class BadSecret(ValueError):
    """A secret, share or seed that does not have 32 bytes."""


class BadOrderNumber(ValueError):
    """No order of a deck has that number."""


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
    deck: str = ""
    """The deck that was shuffled; empty in a match of version 1, which has one without a name."""


@dataclass(frozen=True, slots=True)
class OpenedPlace:
    """One place of a sealed order, opened."""

    index: int
    token: str
    salt: bytes
    proof: Proof
    deck: str = ""
    """The deck; empty in a match of version 1."""


@dataclass(frozen=True, slots=True)
class SealedOrder:
    """A sealed order with everything that opens it; secret while the match is under way."""

    seal: Seal
    tokens: tuple[str, ...] = field(repr=False)
    packed_salts: bytes = field(repr=False)
    """One after the other: hundreds of orders are kept in memory."""
    nodes: Nodes = field(repr=False, compare=False)

    @property
    def salts(self) -> tuple[bytes, ...]:
        """The salt of each place."""
        return tuple(map(self._salt, range(self.seal.size)))

    def _salt(self, index: int) -> bytes:
        return self.packed_salts[index * HASH_SIZE : (index + 1) * HASH_SIZE]

    def open(self, index: int) -> OpenedPlace:
        """Open one place, which reveals nothing about the others; raises OutsideTree."""
        proof = inclusion_proof(index, self.seal.size, self.nodes)
        return OpenedPlace(index, self.tokens[index], self._salt(index), proof, self.seal.deck)


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


def deck_key(seed: bytes, match: MatchId, deck: str) -> bytes:
    """The key of a deck of a match of version 2: it takes the seed's place in shuffles and salts.

    It follows from the deck's name, not from the order in which decks are first used: players choose that.
    """
    return hmac.digest(_sized(seed), frame("shiji/seal/deck/1", match, deck), "sha256")


def order_number(round_: int, attempt: int) -> int:
    """The number of an order: rounds count the shuffles of a deck, attempts the orders refused before it."""
    if not (0 <= round_ < MAX_ROUNDS and 0 <= attempt < ORDERS_PER_ROUND):
        raise BadOrderNumber(f"a deck has no order {attempt} in round {round_}")
    return ORDERS_PER_ROUND * round_ + attempt


def round_and_attempt(number: int) -> tuple[int, int]:
    """The round and the attempt that an order's number stands for."""
    if not 0 <= number < MAX_ROUNDS * ORDERS_PER_ROUND:
        raise BadOrderNumber(f"{number} is not the number of an order")
    return divmod(number, ORDERS_PER_ROUND)


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


def seal(match: MatchId, number: int, tokens: tuple[str, ...], seed: bytes, deck: str = "") -> SealedOrder:
    """The tokens, shuffled and sealed; they are given as the game lists them, before any shuffle.

    A deck is named in every match of version 2, and in none of version 1.
    """
    key = deck_key(seed, match, deck) if deck else seed
    order = shuffle(key, number, tokens)
    salts = tuple(
        hmac.digest(key, frame("shiji/seal/salt/1", number, index), "sha256") for index in range(len(order))
    )
    leaves = [
        _leaf(match, deck, number, index, salt=salts[index], token=token) for index, token in enumerate(order)
    ]
    nodes = nodes_of(leaves)
    root = frontier_of(len(order), nodes).root
    return SealedOrder(Seal(match, number, len(order), root, deck), order, b"".join(salts), nodes)


def check_opening(seal: Seal, opening: OpenedPlace) -> None:
    """Raises NotSealed unless the token was sealed at that place."""
    if not 0 <= opening.index < seal.size:
        raise NotSealed(f"{seal.size} places are sealed, from 0, and {opening.index} is none of them")
    if opening.deck != seal.deck:
        raise NotSealed(f"the order is one of deck {quoted(seal.deck)}, not of {quoted(opening.deck)}")
    leaf = _leaf(seal.match, seal.deck, seal.number, opening.index, salt=opening.salt, token=opening.token)
    try:
        check_inclusion(leaf, opening.index, seal.size, opening.proof, seal.root)
    except NotIncluded as fault:
        raise NotSealed(f"{quoted(opening.token)} was not sealed at place {opening.index}: {fault}") from None


def rederive(sealed: Seal, tokens: tuple[str, ...], seed: bytes) -> SealedOrder:
    """The sealed order from its seed; WrongShuffle if another one was sealed."""
    found = seal(sealed.match, sealed.number, tokens, seed, sealed.deck)
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


def _leaf(  # noqa: PLR0913 - all that a leaf binds
    match: MatchId, deck: str, number: int, index: int, *, salt: bytes, token: str
) -> bytes:
    if deck:
        return leaf_hash(frame("shiji/seal/leaf/2", match, deck, number, index, salt, token))
    return leaf_hash(frame("shiji/seal/leaf/1", match, number, index, salt, token))


def _sized(secret: bytes) -> bytes:
    if len(secret) != SECRET_SIZE:
        raise BadSecret(f"a secret, a share or a seed has {SECRET_SIZE} bytes, not {len(secret)}")
    return secret
