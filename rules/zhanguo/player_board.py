"""What lies before a player: hand, cards above the board, officials, workers, unrest, tokens, soldiers."""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct, structs

from rules.kernel.places import with_one
from rules.zhanguo.pieces import (
    ALCHEMISTS,
    ASPECTS,
    FULL,
    OF_TYPE,
    OFFICIALS,
    REGIONS,
    SOLDIERS,
    Aspect,
    Card,
    CardKind,
    EmperorTile,
    Official,
    Region,
    aspect_of,
    is_unification,
    kind_of,
)


class Hand(Struct, frozen=True, array_like=True):
    """Cards in hand: those that are known, and how many of each aspect are not."""

    known: tuple[Card, ...]
    unknown: tuple[int, ...]

    @property
    def size(self) -> int:
        """All of them."""
        return len(self.known) + sum(self.unknown)

    @property
    def backs(self) -> "Hand":
        """As everybody else sees it."""
        counts = list(self.unknown)
        for card in self.known:
            counts[aspect_of(card)] += 1
        return Hand((), tuple(counts))

    def drawn(self, card: Card | None, aspect: Aspect) -> "Hand":
        """With one more card."""
        if card is not None:
            return Hand(tuple(sorted((*self.known, card))), self.unknown)
        return Hand(self.known, changed(self.unknown, aspect, 1))

    def played(self, card: Card) -> "Hand":
        """Without this card, or an unknown one of its aspect; raises ValueError where there is neither."""
        if card in self.known:
            return Hand(tuple(other for other in self.known if other != card), self.unknown)
        return Hand(self.known, changed(self.unknown, aspect_of(card), -1))

    def doubted(self, card: Card) -> "Hand":
        """With an unknown card instead of this one, which is known here and has come from another hand."""
        return self.played(card).drawn(None, aspect_of(card))


EMPTY_HAND: Final = Hand((), (0,) * len(ASPECTS))
DEALT_HAND: Final = Hand((), (2,) * len(ASPECTS))


class Placed(Struct, frozen=True, array_like=True):
    """A card above a board, with the Emperor tile on it."""

    card: Card
    emperor: EmperorTile | None


class Domain(Struct, frozen=True, array_like=True):
    """A region of a player board."""

    cards: tuple[Placed, ...]
    officials: tuple[int, ...]
    workers: int
    unrest: int

    @property
    def full(self) -> bool:
        """Whether no card fits any more."""
        return len(self.cards) >= FULL

    def position(self, *, alchemists: bool) -> int:
        """Cards that count for the position of the next one; Alchemist cards do, unless a ruling says not."""
        if alchemists:
            return len(self.cards)
        return sum(is_unification(placed.card) for placed in self.cards)


class Player(Struct, frozen=True, array_like=True):
    """A player board and what belongs to it."""

    vp: int
    boat: int
    locked: int
    entrance: int
    tokens: tuple[int, ...]
    large: tuple[Aspect, ...]
    hand: Hand
    aside: tuple[Card, ...]
    domains: tuple[Domain, ...]

    def reserve(self, official: Official) -> int:
        """Officials of this type that are not on the board."""
        return OF_TYPE - sum([domain.officials[official] for domain in self.domains])

    def cards(self) -> Iterator[tuple[Region, Placed]]:
        """The cards above the board, region by region."""
        for region in REGIONS:
            for placed in self.domains[region].cards:
                yield region, placed

    def find(self, card: Card) -> tuple[Region, Placed] | None:
        """Where a card lies above the board."""
        return next(((region, placed) for region, placed in self.cards() if placed.card == card), None)

    def count(self, kind: CardKind) -> int:
        """Cards of a kind above the board."""
        return sum(kind_of(placed.card) is kind for _, placed in self.cards())

    def total(self, aspect: Aspect) -> int:
        """What the tokens of an aspect are worth (ZHG-REW-02)."""
        return self.tokens[aspect] + (2 if aspect in self.large else 0)

    @property
    def placed(self) -> int:
        """Soldiers in the Mausoleum."""
        return SOLDIERS - self.locked - self.entrance

    def with_domain(self, region: Region, **parts: object) -> "Player":
        """With another region."""
        domain = structs.replace(self.domains[region], **parts)
        return structs.replace(self, domains=with_one(self.domains, region, domain))


def new_player(boat: int, locked: int) -> Player:
    """A player before the first card; all soldiers that are not locked are at the entrance."""
    domain = Domain((), (0,) * len(OFFICIALS), 0, 0)
    return Player(
        vp=0,
        boat=boat,
        locked=locked,
        entrance=SOLDIERS - locked,
        tokens=(0,) * len(ASPECTS),
        large=(),
        hand=EMPTY_HAND,
        aside=ALCHEMISTS,
        domains=(domain,) * len(REGIONS),
    )


def changed(counts: tuple[int, ...], at: int, by: int) -> tuple[int, ...]:
    """One of the counts higher or lower; raises ValueError where it would be negative."""
    return with_one(counts, at, count(counts[at] + by))


def count(number: int) -> int:
    """The number itself; raises ValueError where it is too large."""
    if not 0 <= number <= _MOST:
        raise ValueError(f"{number} of something cannot be")
    return number


_MOST: Final = 1 << 20
"""Far more than there is of anything."""
