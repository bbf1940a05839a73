"""Tables of the plain model by chance, fuller of yurts and restrictions than play makes them."""

import random

from tests.rules.khan.naive import Naive
from tests.rules.khan.naive_position import HAND, RULINGS, UNKNOWN, Piece, Turn
from tests.rules.khan.naive_set import REGIONS, CellXY, Printed, groups

NAMES = ("green", "violet", "amber", "blue")


def random_table(chance: random.Random, printed: Printed) -> Naive:
    """Somebody to act in the main phase, after it, or in step 4."""
    seats = chance.randint(2, 4)
    rulings = {name: chance.choice(values) for name, values in RULINGS.items()}
    match = Naive(NAMES[:seats], recorded=chance.randrange(2) == 0, rulings=rulings, printed=printed)
    due = chance.choice((*["act"] * 4, *["conquer"] * 2, "special"))
    _lay_leaders(chance, match, 0 if due == "conquer" else chance.choice((0, 4, 5, 8)))
    _lay_pieces(chance, match, chance.randint(0, 14))
    _lay_yurts(chance, match)
    seat = chance.randrange(seats)
    _lay_cards(chance, match, seat if due != "conquer" else None)
    left = chance.choice((1, 2)) if due != "special" and (match.leaders or due == "conquer") else 1
    match.turn = Turn(due, seat, 0 if due == "special" else left)
    match.morale = due == "act" and left == 1 and chance.randrange(3) == 0
    _lay_restrictions(chance, match)
    return match


def goes_on(match: Naive) -> bool:
    """Whether the seat to act has something to decide there."""
    return {
        "act": True,
        "special": match.can_use_special(match.turn.seat),
        "conquer": match.anybody_could_conquer(),
    }[match.turn.due]


def _lay_leaders(chance: random.Random, match: Naive, count: int) -> None:
    stay = sorted(chance.sample(list(match.camps), count), key=list(match.camps).index)
    land = sorted(set(match.printed.terrain) - match.printed.river)
    match.leaders = dict(zip(stay, chance.sample(land, count), strict=True))
    match.camps = {leader: chance.randint(1, 4) if leader in stay else 0 for leader in match.camps}


def _lay_pieces(chance: random.Random, match: Naive, count: int) -> None:
    """Where they may lie, whatever was under them."""
    for _ in range(count):
        shape = chance.choice(list(match.printed.shapes))
        cells = chance.choice(match.printed.footprints[shape])
        water = match.printed.river.intersection(cells)
        printed = match.printed.shapes[shape]
        sides = 1 if printed.kind == "tile" else 2
        taken = {*match.leaders.values(), *(cell for piece in match.pieces for cell in piece.cells)}
        if (
            match.supply(shape)
            and len(water) == printed.water
            and len(groups(set(cells) - water)) >= sides
            and not taken & set(cells)
        ):
            owners = chance.sample(range(match.seats), chance.choice((1, 1, 2)))
            match.pieces.append(Piece(shape, cells, tuple(sorted(owners))))


def _lay_yurts(chance: random.Random, match: Naive) -> None:
    density = chance.choice((0.3, 0.6, 0.9, 1.0))
    colours = (None, *range(match.seats))
    middle: CellXY = (chance.randrange(match.printed.height), chance.randrange(match.printed.width))
    for cell in match.free_cells():
        near = max(abs(cell[0] - middle[0]), abs(cell[1] - middle[1])) <= 3
        if chance.random() < (density if near else 0.3):
            match.yurts[cell] = chance.choice(colours)


def _lay_cards(chance: random.Random, match: Naive, actor: int | None) -> None:
    """Hands with and without known cards, before or after a shuffle; only the actor's has lost any."""
    cards = chance.sample(match.printed.cards, len(match.printed.cards))
    for seat in range(match.seats):
        held = [cards.pop() for _ in range(chance.randint(0, HAND) if seat == actor else HAND)]
        match.hands[seat] = [card if match.recorded and chance.randrange(3) else UNKNOWN for card in held]
        if chance.randrange(2):
            old = held[: chance.randint(0, len(held))]
            match.apart += old
            match.old[seat] = len(old)
    match.shuffles = int(any(match.old))
    match.discard = cards[: chance.randint(1, len(cards) - 1)]


def _lay_restrictions(chance: random.Random, match: Naive) -> None:
    """Those in force, each put there as the rules allow, and what is left to use."""
    for seat in range(match.seats):
        match.specials[seat] = {kind: chance.randint(0, held) for kind, held in match.specials[seat].items()}
        if match.turn == Turn("special", seat) or (match.morale and seat == match.turn.seat):
            continue
        if match.turn.due == "conquer" and seat == match.turn.seat:
            continue
        kind = chance.choice(("", "protection", "support", "support", "explore"))
        what = {
            "support": chance.choice(list(REGIONS.values())) if match.seats == 4 else "",
            "explore": chance.choice(list(match.printed.shapes)),
        }.get(kind, "")
        if kind and not match.special_barred(seat, kind, what):
            match.active[seat] = f"{kind}.{what}" if what else kind
            letter = kind[0].upper()
            match.specials[seat][letter] = max(0, match.specials[seat][letter] - 1)
