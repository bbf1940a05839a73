"""Draws from sealed orders: how the next one is dealt, and whether a recorded one was due and sealed."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

from records.codec.evidence import Sealed
from records.entry import ENTRY_VERSION_1
from records.evidence.sealing import (
    OpenedPlace,
    SealBroken,
    check_opening,
    deck_key,
    order_number,
    round_and_attempt,
    shuffle,
)
from records.games.candidate import Candidate
from records.games.chance import StateChance
from records.games.state import GameState
from records.replay.seals import Sealing, Series, seal_of
from rules.kernel.actors import CHANCE
from rules.kernel.chance import Take


@dataclass(frozen=True, slots=True)
class Dealt:
    """A draw from sealed orders."""

    seals: tuple[Sealed, ...]
    """The orders that are new and must be sealed first."""
    move: Candidate
    openings: tuple[OpenedPlace, ...]
    """What proves the draw to those who see all of it."""


class DueOrder(NamedTuple):
    """A sealed order, and the places of it that are due."""

    sealed: Sealed
    take: Take

    @property
    def places(self) -> range:
        """The places that are due."""
        return self.take.places(len(self.sealed.stock))


def deal(state: GameState, sealing_now: Sealing, seed: bytes) -> Dealt | None:
    """The draw that is due now; None if none is."""
    if CHANCE not in state.awaiting():
        return None
    chance = state.chance
    seals: list[Sealed] = []
    due: list[DueOrder] = []
    for take in chance.due():
        series = sealing_now.series(chance, take)
        sealed = next(filter(series.has, seals), None) or _in_force(chance, sealing_now, take)
        if sealed is None:
            sealed = _new_order(chance, sealing_now, take, seed)
            seals.append(sealed)
        due.append(DueOrder(sealed, take))
    tokens: list[str] = []
    openings: list[OpenedPlace] = []
    for each in due:
        order, places = sealing_now.order(each.sealed, seed), each.places
        tokens += [order.tokens[place] for place in places]
        if each.take.opened:
            openings += [order.open(place) for place in places]
    return Dealt(tuple(seals), chance.bring(tuple(tokens)), tuple(openings))


def _in_force(chance: StateChance, sealing_now: Sealing, take: Take) -> Sealed | None:
    """The order that a take is drawn from; None if one must be sealed first."""
    sealed = sealing_now.newest(sealing_now.series(chance, take))
    if sealed is None or (_begins(take, sealed.stock) and sealed.stock != chance.stock(take.deck)):
        return None
    return sealed


def _begins(take: Take, stock: tuple[str, ...]) -> bool:
    """Whether nothing has been taken from the order yet."""
    return take.places(len(stock)).start == 0


def _new_order(chance: StateChance, sealing_now: Sealing, take: Take, seed: bytes) -> Sealed:
    """The order to seal: the first that the rules accept, or the one sealed before a retraction."""
    series, stock = sealing_now.series(chance, take), chance.stock(take.deck)
    known = _sealed_before(sealing_now, take, stock)
    if known is not None:
        return known
    number = series.last(sealing_now.seals) + 1
    while True:
        order = sealing_now.try_order(series, number, stock, seed)
        if chance.fits(take.deck, order.tokens):
            return Sealed(number, stock, order.seal.root, series.deck)
        number += 1


def _sealed_before(sealing_now: Sealing, take: Take, stock: tuple[str, ...]) -> Sealed | None:
    """The order of the same components and round that was sealed before a retraction."""
    if sealing_now.version == ENTRY_VERSION_1:
        return None
    for each in reversed(sealing_now.seals):
        if Series.of(each) == Series(take.deck, take.round) and each.stock == stock:
            return each
    return None


def orders_due(before: GameState, sealing_now: Sealing) -> tuple[DueOrder, ...]:
    """The sealed orders that the next draw comes from; raises SealBroken if one that is due is not sealed.

    They follow from public facts, so that a spectator can check them.
    """
    chance, found = before.chance, []
    for take in chance.due():
        sealed = sealing_now.newest(sealing_now.series(chance, take))
        if sealed is None:
            raise SealBroken("the draw was made before an order was sealed")
        if _begins(take, sealed.stock) and sealed.stock != chance.stock(take.deck):
            raise SealBroken("the sealed order is not of the components that are shuffled here")
        found.append(DueOrder(sealed, take))
    return tuple(found)


def opens_places(before: GameState) -> bool:
    """Whether the draw that is due opens places of sealed orders; it may only read them, for their backs."""
    return any(take.opened for take in before.chance.due())


def derive_draw(before: GameState, sealing_now: Sealing, seed: bytes) -> Candidate:
    """The draw that is due, by the seed; raises ValueError if there is none."""
    tokens: list[str] = []
    for due in orders_due(before, sealing_now):
        order, places = sealing_now.order(due.sealed, seed), due.places
        if not 0 <= places.start <= places.stop <= len(order.tokens):
            raise SealBroken("no components are left in the sealed order")
        tokens += order.tokens[places.start : places.stop]
    return before.chance.bring(tuple(tokens))


def open_places(before: GameState, sealing_now: Sealing, seed: bytes) -> tuple[OpenedPlace, ...]:
    """What proves the draw that is due; raises ValueError if there is none."""
    return tuple(
        sealing_now.order(each.sealed, seed).open(place)
        for each in orders_due(before, sealing_now)
        if each.take.opened
        for place in each.places
    )


def openings_fault(
    before: GameState, sealing_now: Sealing, openings: Sequence[OpenedPlace], move: bytes
) -> str | None:
    """Why the openings do not prove that the move draws what was sealed and due; None if they do."""
    try:
        due = orders_due(before, sealing_now)
    except SealBroken as fault:
        return str(fault)
    opened = [(each, place) for each in due if each.take.opened for place in each.places]
    if [each.index for each in openings] != [place for _, place in opened]:
        return f"{_places(due)} were due, but others are opened"
    try:
        for (each, _), opening in zip(opened, openings, strict=True):
            check_opening(seal_of(sealing_now.match, each.sealed), opening)
        brought = any(before.chance.bring(tokens).data == move for tokens in _possible_tokens(due, openings))
    except ValueError as fault:
        return str(fault)
    return None if brought else "the draw has other components than were sealed at its places"


def _places(due: Sequence[DueOrder]) -> str:
    return " and ".join(f"places {each.places.start} to {each.places.stop - 1}" for each in due)


def _possible_tokens(due: Sequence[DueOrder], openings: Sequence[OpenedPlace]) -> "product[tuple[str, ...]]":
    """The tokens that a draw may have brought: those opened, and any where a place was only read."""
    shown = iter(openings)
    return product(
        *(
            (next(shown).token,) if each.take.opened else tuple(dict.fromkeys(each.sealed.stock))
            for each in due
            for _ in each.places
        )
    )


def seal_fault(before: GameState, sealing_now: Sealing, sealed: Sealed) -> str | None:
    """Of version 2: why this order is not the one to be sealed here, by public facts; None if it may be."""
    chance = before.chance
    for take in chance.due():
        series = sealing_now.series(chance, take)
        if not series.has(sealed) or _in_force(chance, sealing_now, take) is not None:
            continue
        stock = chance.stock(take.deck)
        if not _begins(take, stock):
            return "the order is sealed after something was taken from it"
        if sealed.stock != stock:
            return "the sealed order is not of the components that are shuffled here"
        known = _sealed_before(sealing_now, take, stock)
        if known is not None and known != sealed:
            return "the same components were sealed in another order before"
        return None
    return "no draw is due for which this order must be sealed"


def passed_over_valid_order(before: GameState, sealing_now: Sealing, sealed: Sealed, seed: bytes) -> bool:
    """Whether the rules accept an earlier order than the sealed one, so that the service has chosen."""
    round_, _ = round_and_attempt(sealed.number)
    decks = before.chance.decks
    deck = sealed.deck or decks[min(round_, len(decks) - 1)]  # version 1 numbers the decks
    first = order_number(round_, 0)
    taken = [
        each.number
        for each in sealing_now.seals
        if each.deck == sealed.deck and first <= each.number < sealed.number
    ]
    begin = max(taken, default=first - 1) + 1
    key = deck_key(seed, sealing_now.match, deck) if sealed.deck else seed
    return any(
        before.chance.fits(deck, shuffle(key, number, sealed.stock)) for number in range(begin, sealed.number)
    )
