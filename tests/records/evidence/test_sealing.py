"""Sealed orders: dealt without a leak, and checked by people who trust nobody."""

import hashlib
import hmac
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from records.entry import MatchId
from records.evidence.merkle import OutsideTree
from records.evidence.sealing import (
    BadOrderNumber,
    BadSecret,
    NotSealed,
    OpenedPlace,
    Pledge,
    Seal,
    SealBroken,
    TooManyTokens,
    WrongReveal,
    WrongShuffle,
    check_opening,
    commit_secret,
    commit_share,
    deck_key,
    mix,
    order_number,
    rederive,
    round_and_attempt,
    seal,
    shuffle,
)
from tests.records.evidence.trees import flipped

MATCH = MatchId("m1")
SECRET, SEED = b"s" * 32, bytes(range(32))
SHARES = {0: b"g" * 32, 1: b"v" * 32}
PLEDGE = Pledge(
    MATCH,
    commit_secret(MATCH, SECRET),
    tuple((seat, commit_share(MATCH, seat, SHARES[seat])) for seat in (0, 1)),
)
TILES = tuple(kind for kind in ("RR", "YY", "BB", "RY", "RB", "YB") for _ in range(12))
ORDER = seal(MATCH, 0, TILES, SEED)

seeds = st.binary(min_size=32, max_size=32)
stocks = st.lists(st.text(max_size=3), max_size=40).map(tuple)
numbers = st.integers(0, 3)


def by_the_book(seed: bytes, number: int, tokens: tuple[str, ...]) -> tuple[str, ...]:
    """The shuffle, written down again from docs/evidence.md alone."""
    order, stream, count = list(tokens), b"", 0
    for last in reversed(range(1, len(order))):
        place = last + 1
        while place > last:
            if not stream:
                message = b"shiji/seal/shuffle/1\0"
                message += (
                    b"\0\0\0\x08" + number.to_bytes(8, "big") + b"\0\0\0\x08" + count.to_bytes(8, "big")
                )
                stream = hmac.new(seed, message, hashlib.sha256).digest()
                count += 1
            word, stream = int.from_bytes(stream[:4], "big"), stream[4:]
            place = word % 2 ** len(f"{last:b}")
        order[last], order[place] = order[place], order[last]
    return tuple(order)


@given(seeds, numbers, stocks)
def test_the_shuffle_is_the_published_one(seed: bytes, number: int, tokens: tuple[str, ...]) -> None:
    assert shuffle(seed, number, tokens) == by_the_book(seed, number, tokens)


@given(seeds, numbers, stocks)
def test_a_shuffle_loses_nothing(seed: bytes, number: int, tokens: tuple[str, ...]) -> None:
    assert Counter(shuffle(seed, number, tokens)) == Counter(tokens)


def test_every_order_of_four_comes_about_as_often() -> None:
    found = Counter(shuffle(seed.to_bytes(32), 0, ("a", "b", "c", "d")) for seed in range(6000))

    assert len(found) == 24
    assert max(abs(times - 250) for times in found.values()) < 5 * 250**0.5


@given(seeds, numbers, stocks.filter(len))
def test_every_opening_fits_its_seal(seed: bytes, number: int, tokens: tuple[str, ...]) -> None:
    order = seal(MATCH, number, tokens, seed)

    for index in range(len(tokens)):
        opening = order.open(index)
        check_opening(order.seal, opening)

        assert opening.token == order.tokens[index]
    assert rederive(order.seal, tokens, seed) == order


@given(st.integers(0, 71), st.data())
def test_an_opening_that_was_changed_was_not_sealed(index: int, data: st.DataObject) -> None:
    opening = ORDER.open(index)
    other = data.draw(st.integers(0, 71).filter(lambda at: at != index))
    bit = data.draw(st.integers(0, 255))
    at = data.draw(st.integers(0, len(opening.proof) - 1))
    token = data.draw(st.sampled_from(TILES).filter(lambda kind: kind != opening.token))
    wrong = [
        replace(opening, index=other),
        replace(opening, token=token),
        replace(opening, token=opening.token + "\ud800"),
        replace(opening, salt=flipped(opening.salt, bit)),
        replace(opening, salt=b""),
        replace(opening, salt=opening.salt + opening.token[:1].encode(), token=opening.token[1:]),
        replace(opening, proof=opening.proof[:at]),
        replace(
            opening, proof=(*opening.proof[:at], flipped(opening.proof[at], bit), *opening.proof[at + 1 :])
        ),
        replace(opening, index=-1),
        replace(opening, index=72),
        replace(opening, index=2**80),
    ]

    for changed in wrong:
        with pytest.raises(NotSealed):
            check_opening(ORDER.seal, changed)


@pytest.mark.parametrize(
    "elsewhere",
    [
        replace(ORDER.seal, match=MatchId("m2")),
        replace(ORDER.seal, number=1),
        replace(ORDER.seal, size=71),
        replace(ORDER.seal, size=128),
        replace(ORDER.seal, root=bytes(32)),
        replace(ORDER.seal, root=b""),
        seal(MATCH, 0, TILES, bytes(32)).seal,
    ],
)
def test_an_opening_of_another_seal_was_not_sealed(elsewhere: Seal) -> None:
    with pytest.raises(NotSealed):
        check_opening(elsewhere, ORDER.open(70))


def test_an_opening_reveals_nothing_about_any_other_place() -> None:
    """Somebody who knows all tokens and guesses right still cannot recognise a sealed leaf."""
    openings = [ORDER.open(index) for index in range(71)]
    salts = {opening.salt for opening in openings}

    assert len(salts) == 71
    assert ORDER.salts[71] not in salts
    for known in openings:
        for token in sorted(set(TILES)):
            with pytest.raises(NotSealed):
                check_opening(ORDER.seal, OpenedPlace(71, token, known.salt, ORDER.open(71).proof))


def test_two_seals_of_the_same_order_look_different() -> None:
    one = ("RR",) * 5

    assert seal(MATCH, 0, one, SEED).seal.root != seal(MATCH, 0, one, bytes(32)).seal.root
    assert seal(MATCH, 0, one, SEED).seal.root != seal(MATCH, 1, one, SEED).seal.root
    assert seal(MATCH, 0, one, SEED).seal.root != seal(MatchId("m2"), 0, one, SEED).seal.root


def test_no_salt_opens_a_place_of_another_shuffle() -> None:
    again = seal(MATCH, 1, TILES, SEED)

    assert not set(ORDER.salts) & set(again.salts)


def test_a_sealed_order_does_not_show_itself() -> None:
    assert repr(ORDER) == f"SealedOrder(seal={ORDER.seal!r})"


def test_there_is_nothing_to_open_outside_the_order() -> None:
    with pytest.raises(OutsideTree):
        ORDER.open(72)


def test_a_swapped_tile_is_found_when_the_seed_is_known() -> None:
    cheat = replace(ORDER.seal, root=seal(MATCH, 0, (*TILES[1:], TILES[0]), SEED).seal.root)

    with pytest.raises(WrongShuffle, match="shuffle 0"):
        rederive(cheat, TILES, SEED)
    for wrong in (flipped(SEED), bytes(32)):
        with pytest.raises(WrongShuffle):
            rederive(ORDER.seal, TILES, wrong)
    with pytest.raises(WrongShuffle):
        rederive(ORDER.seal, TILES[:-1], SEED)


def test_everybody_changes_the_seed() -> None:
    seed = mix(PLEDGE, SECRET, SHARES)
    service = mix(Pledge(MATCH, PLEDGE.secret), SECRET, {})
    other = b"x" * 32
    violet = replace(PLEDGE, shares=(PLEDGE.shares[0], (1, commit_share(MATCH, 1, other))))

    assert len({seed, service, mix(violet, SECRET, SHARES | {1: other})}) == 3


@given(seeds, st.permutations(range(4)))
def test_the_seed_does_not_depend_on_who_revealed_first(secret: bytes, seats: list[int]) -> None:
    shares = {seat: bytes([seat]) * 32 for seat in seats}
    committed = tuple((seat, commit_share(MATCH, seat, shares[seat])) for seat in seats)
    pledge = Pledge(MATCH, commit_secret(MATCH, secret), committed)

    assert mix(pledge, secret, shares) == mix(
        replace(pledge, shares=tuple(sorted(committed))), secret, dict(sorted(shares.items()))
    )


@pytest.mark.parametrize(
    ("pledge", "secret", "shares", "why"),
    [
        (PLEDGE, flipped(SECRET), SHARES, "service revealed another"),
        (replace(PLEDGE, match=MatchId("m2")), SECRET, SHARES, "service revealed another"),
        (PLEDGE, SECRET, SHARES | {1: b"x" * 32}, "seat 1 revealed another"),
        (PLEDGE, SECRET, {0: SHARES[1], 1: SHARES[0]}, "seat 0 revealed another"),
        (PLEDGE, SECRET, {0: SHARES[0]}, "each once"),
        (PLEDGE, SECRET, SHARES | {2: b"x" * 32}, "each once"),
        (replace(PLEDGE, shares=(*PLEDGE.shares, (0, PLEDGE.shares[0][1]))), SECRET, SHARES, "each once"),
        (replace(PLEDGE, shares=()), SECRET, SHARES, "each once"),
    ],
)
def test_only_what_was_committed_to_is_mixed(
    pledge: Pledge, secret: bytes, shares: dict[int, bytes], why: str
) -> None:
    with pytest.raises(WrongReveal, match=why):
        mix(pledge, secret, shares)


@pytest.mark.parametrize("length", [0, 31, 33, 64])
def test_a_secret_share_or_seed_of_another_length_is_refused(length: int) -> None:
    with pytest.raises(BadSecret, match=f"32 bytes, not {length}"):
        commit_secret(MATCH, bytes(length))
    with pytest.raises(BadSecret, match=f"32 bytes, not {length}"):
        commit_share(MATCH, 0, bytes(length))
    with pytest.raises(BadSecret, match=f"32 bytes, not {length}"):
        shuffle(bytes(length), 0, TILES)


def test_more_tokens_than_a_seal_holds_are_refused() -> None:
    with pytest.raises(TooManyTokens, match="at most 65536"):
        seal(MATCH, 0, ("RR",) * 65_537, SEED)


def test_every_fault_of_a_seal_is_a_broken_seal() -> None:
    assert {NotSealed, WrongReveal, WrongShuffle} == set(SealBroken.__subclasses__())


DECK_SEED = bytes.fromhex("4ad783c2c411201c45354a6189c7cc10ef45501e3ede9b7fe922692521f196b8")


def test_a_deck_with_a_name_is_shuffled_and_sealed_as_published() -> None:
    order = seal(MATCH, 0, tuple("abcdefghij"), DECK_SEED, "tactics")

    assert deck_key(DECK_SEED, MATCH, "tactics").hex() == (
        "cabc48f9ef2941bdf9a155c5916a383850b419fd3100e510850222cb385afeb0"
    )
    assert "".join(order.tokens) == "ifcgaejbdh"
    assert order.nodes(0, 0).hex() == "1e264606e6c4b0422af601aad90b7763c058e7ce8bf8bfa1ac047ee85f08835f"


@given(seeds, numbers, stocks.filter(len), st.text(min_size=1, max_size=5))
def test_every_opening_of_a_named_deck_fits_its_seal(
    seed: bytes, number: int, tokens: tuple[str, ...], deck: str
) -> None:
    order = seal(MATCH, number, tokens, seed, deck)

    for index in range(len(tokens)):
        check_opening(order.seal, order.open(index))
    assert rederive(order.seal, tokens, seed) == order


def test_an_opening_of_one_deck_opens_no_other() -> None:
    generals, advisors = (seal(MATCH, 0, TILES, SEED, deck) for deck in ("generals", "advisors"))
    opening = generals.open(0)

    for wrong in (opening, replace(opening, deck="advisors"), replace(opening, deck="")):
        with pytest.raises(NotSealed):
            check_opening(advisors.seal, wrong)
    with pytest.raises(NotSealed):
        check_opening(replace(generals.seal, deck=""), replace(opening, deck=""))
    with pytest.raises(WrongShuffle):
        rederive(replace(generals.seal, deck="advisors"), TILES, SEED)


def test_a_deck_is_shuffled_in_the_same_way_whichever_deck_is_used_first() -> None:
    one = [seal(MATCH, 0, TILES, SEED, deck).tokens for deck in ("a", "b")]
    other = [seal(MATCH, 0, TILES, SEED, deck).tokens for deck in ("b", "a")]

    assert one == other[::-1]
    assert one[0] != one[1] != ORDER.tokens


@given(st.integers(0, 2**16 - 1), st.integers(0, 2**16 - 1))
def test_every_round_and_attempt_has_a_number_of_its_own(round_: int, attempt: int) -> None:
    number = order_number(round_, attempt)

    assert number == 65_536 * round_ + attempt
    assert round_and_attempt(number) == (round_, attempt)


@pytest.mark.parametrize(("round_", "attempt"), [(-1, 0), (0, -1), (2**16, 0), (0, 2**16)])
def test_a_number_beyond_a_round_belongs_to_no_order(round_: int, attempt: int) -> None:
    with pytest.raises(BadOrderNumber):
        order_number(round_, attempt)
    with pytest.raises(BadOrderNumber):
        round_and_attempt(2**32 if round_ >= 0 else -1)
