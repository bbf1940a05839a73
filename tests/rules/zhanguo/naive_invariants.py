"""The invariants of Zhanguo, checked on a plain match (section 13)."""

from collections import Counter
from collections.abc import Iterator

from tests.rules.zhanguo.naive import Naive
from tests.rules.zhanguo.naive_rewards import aspect_of_row
from tests.rules.zhanguo.naive_set import (
    ASPECTS,
    BLANK_TILES,
    GOVERNORS,
    OFFICIALS,
    PALACES,
    REGIONS,
    RESERVE,
    SPOTS,
    SUPPLY,
    WALLS,
)

CHANCE_FRAMES = ("card", "rival-alchemist", "rival-master", "rival-soldier")
BASES = (
    *("first", "deal", "start", "draw", "play", "act", "step", "soldiers", "offer", "reward"),
    *("pay", "return", "over", "reveal", "rival"),
)


def broken_invariants(match: Naive) -> list[str]:
    """Ids of the invariants that do not hold now."""
    return [
        *_of_tokens(match),
        *_of_pieces(match),
        *_of_cards(match),
        *_of_emperor_tiles(match),
        *_of_course(match),
        *_of_rival(match),
    ]


def _of_tokens(match: Naive) -> Iterator[str]:
    for aspect in ASPECTS:
        if match.supply(aspect) < 0 or any(player.tokens[aspect] < 0 for player in match.players):
            yield f"INV-01 {aspect} of {SUPPLY[match.seats]}"
        if sum(player.large.count(aspect) for player in match.players) > 1:
            yield "INV-02"
    untouched = match.rival is None and set(_hand_sizes(match)) == {6}
    if match.top[0] in ("draw", "over") or untouched:
        for player in match.players:
            if player.large or sum(player.tokens.values()) > 5:
                yield "INV-18"


def _of_pieces(match: Naive) -> Iterator[str]:
    for seat, player in enumerate(match.players):
        if any(not 0 <= match.reserve(seat, official) <= RESERVE for official in OFFICIALS):
            yield "INV-03"
        left = (match.governors_left(seat), match.palaces_left(seat), match.walls_left(seat))
        if any(not 0 <= count <= most for count, most in zip(left, (GOVERNORS, PALACES, WALLS), strict=True)):
            yield "INV-04"
        soldiers = (player.locked, player.entrance, match.placed(seat))
        if sum(soldiers) != 9 or min(soldiers) < 0:
            yield "INV-05"
        if any(spot.slots.count(seat) > 1 for spot in match.spots.values()):
            yield "INV-05"
        if any(not 0 <= column.unrest <= 3 for column in player.board.values()):
            yield "INV-06"
        if any(section.slots.count(seat) > 1 for section in match.walls.values()):
            yield "INV-11"
        if any(column.workers < 0 for column in player.board.values()):
            yield "INV-14"
        if not 0 <= player.boat <= match.printed.boat_end:
            yield "INV-15"
    for spot in match.spots.values():
        if spot.tile == "?":
            continue
        slots = [*zip(spot.slots, match.printed.slots[spot.tile], strict=True)]
        usable = [taken for taken, (_, least) in slots if least <= match.seats]
        unusable = [taken for taken, (_, least) in slots if least > match.seats]
        if sorted(usable, key=lambda taken: taken is None) != usable or any(s is not None for s in unusable):
            yield "INV-13"


def _of_cards(match: Naive) -> Iterator[str]:
    named = [card for seat in range(match.seats) for card in match.cards(seat)]
    hands = [card for player in match.players for card in player.hand]
    numbers = [card for card in (*named, *hands, *match.court) if card.isdigit()]
    if len(set(numbers)) < len(numbers):
        yield "INV-08"
    masters = list(match.masters)
    for seat, player in enumerate(match.players):
        if any(len(column.cards) > 3 for column in player.board.values()):
            yield "INV-07"
        own = [*player.aside, *(card for card in match.cards(seat) if not card.isdigit())]
        if sorted(card for card in own if card[0] == "A") != ["A1", "A2", "A3", "A4", "A5"]:
            yield "INV-10"
        masters += [card for card in own if card[0] == "M"]
    if match.round and (len(masters) != match.seats or len(set(masters)) < len(masters)):
        yield "INV-10"


def _of_emperor_tiles(match: Naive) -> Iterator[str]:
    tiles = [tile for pile in match.piles.values() for tile in pile]
    tiles += [tile for player in match.players for tile in player.emperors.values()]
    tiles += [frame[1] for frame in match.stack if frame[0] == "emperor"]
    if len(set(tiles)) < len(tiles) or len(tiles) > match.seats + 2:
        yield "INV-12"
    if match.round and match.rival is None and len(tiles) < match.seats + 2:
        yield "INV-12"
    for seat, player in enumerate(match.players):
        if any(card not in match.cards(seat) for card in player.emperors):
            yield "INV-23"
    blanks = sum(land.governor_tiles.count("G0") for land in match.lands.values())
    if match.round and blanks != BLANK_TILES[match.seats]:
        yield "INV-24"


def _hand_sizes(match: Naive) -> list[int]:
    return [len(match.players[seat].hand) for seat in range(match.seats) if seat != match.rival]


def _of_course(match: Naive) -> Iterator[str]:
    sizes, base = _hand_sizes(match), match.stack[-1][0]
    if base in ("play", "act", "step") and max(sizes) - min(sizes) > 1:
        yield "INV-16"
    in_phase_3 = base in ("offer", "reward", "pay", "return", "over") or match.stack[-1][2:3] in (
        ["reward"],
        ["pay"],
    )
    if in_phase_3 and any(sizes):
        yield "INV-16"
    markers = Counter([*match.track, *(seat for seat in match.column if seat is not None)])
    if base != "first" and markers != Counter(range(match.seats)):
        yield "INV-17"
    if not in_phase_3 and any(seat is not None for seat in match.column):
        yield "INV-17"
    actors = match.awaiting()
    if base != "over" and not any(match.legal(actor) for actor in actors):
        yield "INV-21"
    if base not in BASES or any(
        frame[0] in BASES and frame[0] not in CHANCE_FRAMES for frame in match.stack[:-1]
    ):
        yield "INV-22"
    if base == "rival" and match.top[0] not in (*CHANCE_FRAMES, "rival"):
        yield "INV-22"


def _of_rival(match: Naive) -> Iterator[str]:
    if match.rival is None:
        return
    rival = match.players[match.rival]
    idle = [(column.unrest, column.workers, *column.officials.values()) for column in rival.board.values()]
    if any(any(counts) for counts in idle) or rival.hand:
        yield "INV-48"
    if any(rival.board[region].cards for region in REGIONS[max(match.round, 1) :]):
        yield "INV-48"
    cards = {*match.actions, *match.discarded}
    gone = set(match.printed.rival_deck[match.level]) - cards
    if not gone <= set(match.printed.one_shot) or len(gone) > 2:
        yield "INV-48"


def broken_by_step(before: Naive, after: Naive) -> list[str]:
    """Ids of the transition properties that one entry has broken."""
    broken = []
    for seat in range(before.seats):
        growing = [
            (
                match.players[seat].vp,
                match.players[seat].boat,
                -match.players[seat].locked,
                -match.governors_left(seat),
                -match.palaces_left(seat),
                -match.walls_left(seat),
                match.placed(seat),
                len(match.cards(seat)),
            )
            for match in (before, after)
        ]
        if any(was > now for was, now in zip(*growing, strict=True)):
            broken.append("INV-30")
    tiles = [sum(len(land.tiles) for land in match.lands.values()) for match in (before, after)]
    if before.round and tiles[0] < tiles[1]:
        broken.append("INV-20")
    if after.court[: len(before.court)] != before.court or len(after.court) > len(before.court) + 1:
        broken.append("INV-31")
    return broken


def broken_by_acceptance(before: Naive, after: Naive) -> list[str]:
    """ZHG-INV-39 for an `accept` between these two."""
    seat, row = before.base_seat(), int(before.top[2])
    aspect = aspect_of_row(before, row)
    player = after.players[seat]
    return ["INV-39"] if player.tokens[aspect] or aspect in player.large else []


def lines_of(match: Naive, seat: int) -> tuple[int, int]:
    """Complete lines, and the most that the placed soldiers can make (ZHG-INV-46)."""
    taken = {spot for spot in SPOTS if seat in match.spots[spot].slots}
    rows = [{column + row for column in "abc"} for row in "123"]
    columns = [{column + row for row in "123"} for column in "abc"]
    return sum(line <= taken for line in (*rows, *columns)), (0, 0, 0, 1, 1, 2, 2, 3, 4, 6)[len(taken)]
