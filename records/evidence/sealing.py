"""Sealed orders: everybody knows that the order of tiles or cards stands fast, and nobody knows the order.

Before the first move the service commits to a secret, and every seat that wants to commits to a share. The
seed is mixed from all of them, the shuffle follows from the seed, and its order is committed to leaf by leaf:
a draw opens one leaf and tells nothing of the others. In the end the secret shows the whole order.
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
"""The bytes of a secret, a share, a seed and a salt."""

MAX_TOKENS: Final = 2**16

ORDERS_PER_ROUND: Final = 2**16
"""Numbers that each shuffle of a deck has: one for every order that the rules may refuse."""

MAX_ROUNDS: Final = 2**16
"""Shuffles of one deck: the number of an order has 32 bits."""

_WORD: Final = 4


class BadSecret(ValueError):
    """A secret, share or seed that does not have 32 bytes."""


class BadOrderNumber(ValueError):
    """No order of a deck has that number."""


class TooManyTokens(ValueError):
    """More than one seal can hold."""


class SealBroken(ValueError):
    """What is told of a sealed order is not what was sealed."""


class NotSealed(SealBroken):
    """The opening does not belong to the sealed order."""


class WrongReveal(SealBroken):
    """What was revealed is not what was committed to."""


class WrongShuffle(SealBroken):
    """The seed gives another order than the sealed one."""


@dataclass(frozen=True, slots=True)
class Pledge:
    """What all committed to before the seed was mixed."""

    match: MatchId
    secret: bytes
    """The service's, from commit_secret."""
    shares: tuple[tuple[int, bytes], ...] = ()
    """Seat and commitment, from commit_share; a seat that is not there has no share."""


@dataclass(frozen=True, slots=True)
class Seal:
    """What everybody knows of a sealed order."""

    match: MatchId
    number: int
    """Which shuffle of the match it is, from 0."""
    size: int
    root: bytes
    deck: str = ""
    """The deck that was shuffled; empty in a match of version 1, which has one without a name."""


@dataclass(frozen=True, slots=True)
class Opening:
    """One place of a sealed order, opened."""

    index: int
    token: str
    salt: bytes
    proof: Proof
    deck: str = ""
    """The deck; empty in a match of version 1."""


@dataclass(frozen=True, slots=True)
class SealedOrder:
    """A sealed order with all that opens it: a secret while the match goes on."""

    seal: Seal
    tokens: tuple[str, ...] = field(repr=False)
    salts: tuple[bytes, ...] = field(repr=False)
    nodes: Nodes = field(repr=False, compare=False)

    def open(self, index: int) -> Opening:
        """What shows the token at that place, and nothing else; OutsideTree if there is no such place."""
        proof = inclusion_proof(index, self.seal.size, self.nodes)
        return Opening(index, self.tokens[index], self.salts[index], proof, self.seal.deck)


def commit_secret(match: MatchId, secret: bytes) -> bytes:
    """The service's commitment to its secret."""
    return framed_hash("shiji/seal/secret/1", match, _sized(secret))


def commit_share(match: MatchId, seat: int, share: bytes) -> bytes:
    """A seat's commitment to its share; it reveals the share when all have committed."""
    return framed_hash("shiji/seal/share/1", match, seat, _sized(share))


def mix(pledge: Pledge, secret: bytes, shares: Mapping[int, bytes]) -> bytes:
    """The seed, of what was committed to and nothing else; WrongReveal where it is not that."""
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
    """The tokens as that shuffle of the match lays them: Fisher and Yates, from the last place down."""
    if len(tokens) > MAX_TOKENS:
        raise TooManyTokens(f"a seal holds at most {MAX_TOKENS} tokens, and these are {len(tokens)}")
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
    return SealedOrder(Seal(match, number, len(order), root, deck), order, salts, nodes)


def check_opening(seal: Seal, opening: Opening) -> None:
    """Passes if the token was sealed at that place; NotSealed otherwise."""
    _refuse_elsewhere(seal, opening.index)
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
    """Numbers of 32 bits, for ever."""
    count = 0
    while True:
        block = hmac.digest(seed, frame("shiji/seal/shuffle/1", number, count), "sha256")
        for at in range(0, len(block), _WORD):
            yield int.from_bytes(block[at : at + _WORD])
        count += 1


def _leaf(  # noqa: PLR0913 - all that a leaf binds
    match: MatchId, deck: str, number: int, index: int, *, salt: bytes, token: str
) -> bytes:
    if deck:
        return leaf_hash(frame("shiji/seal/leaf/2", match, deck, number, index, salt, token))
    return leaf_hash(frame("shiji/seal/leaf/1", match, number, index, salt, token))


def _refuse_elsewhere(seal: Seal, index: int) -> None:
    if not 0 <= index < seal.size:
        raise NotSealed(f"{seal.size} places are sealed, from 0, and {index} is none of them")


def _sized(secret: bytes) -> bytes:
    if len(secret) != SECRET_SIZE:
        raise BadSecret(f"a secret, a share and a seed have {SECRET_SIZE} bytes, and this one {len(secret)}")
    return secret
