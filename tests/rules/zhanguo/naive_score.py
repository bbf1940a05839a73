"""The final score of a plain match of Zhanguo, by category (sections 10 and 11.9)."""

from collections.abc import Callable

from tests.rules.zhanguo.naive_set import (
    ASPECTS,
    KINDS,
    MAJORITY,
    OFFICIALS,
    REGIONS,
    RIVAL_WALLS,
    SECTIONS,
)
from tests.rules.zhanguo.naive_table import Table, kind_of

CATEGORIES = ("track", "governors", "alchemy", "lines", "walls", "entrance", "palace tiles")
LINES = ("a1 b1 c1", "a2 b2 c2", "a3 b3 c3", "a1 a2 a3", "b1 b2 b3", "c1 c2 c3")


def breakdown(table: Table, seat: int) -> dict[str, int]:
    """Points of each category; palace tiles only in a match against Li Si."""
    player = table.players[seat]
    points = {
        "track": player.vp,
        "governors": sum(governors(table, region)[seat] for region in REGIONS),
        "alchemy": _alchemy(table, seat),
        "lines": 10 * sum(_complete(table, seat, line) for line in LINES),
        "walls": sum(_wall(table, seat, section) for section in SECTIONS),
        "entrance": (0, 2, 5, 9)[min(player.entrance, 3)],
    }
    if table.rival is not None:
        points["palace tiles"] = _palace_tiles(table) if seat == table.rival else 0
    return points


def scores(table: Table) -> list[int]:
    return [sum(breakdown(table, seat).values()) for seat in range(table.seats)]


def winners(table: Table) -> list[int]:
    """Who has won, once the match is over; several share a tie (ZHG-END-07)."""
    if table.top != ["over"]:
        return []
    totals = scores(table)
    return [seat for seat in range(table.seats) if totals[seat] == max(totals)]


def governors(table: Table, region: str) -> list[int]:
    """What each seat scores for its governors in this region (ZHG-END-02, ZHG-SOL-80)."""
    counts = [table.governors(seat, region) for seat in range(table.seats)]
    most = max(counts)
    leaders = [seat for seat in range(table.seats) if counts[seat] == most > 0]
    if len(leaders) > 1 and table.rival is not None and "B" in table.printed.rival_faces[table.level]:
        leaders = [table.rival]
    return [MAJORITY[table.seats] // len(leaders) if seat in leaders else 0 for seat in range(table.seats)]


def _alchemy(table: Table, seat: int) -> int:
    value = table.printed.boat_points(table.players[seat].boat)
    if seat == table.rival and "D" in table.printed.rival_faces[table.level]:
        value += 2
    return table.count(seat, "alchemist_card") * value


def _complete(table: Table, seat: int, line: str) -> bool:
    return all(seat in table.spots[spot].slots for spot in line.split())


def _wall(table: Table, seat: int, section: str) -> int:
    slots = table.walls[section].slots
    if seat not in slots:
        return 0
    strokes = table.printed.wall_slots[table.seats][section][slots.index(seat)][0]
    if seat == table.rival:
        return RIVAL_WALLS[table.printed.rival_faces[table.level][0]][strokes - 1]
    what, values = table.printed.faces[table.walls[section].face]
    return values[strokes - 1] * face_count(table, seat, what)


def face_count(table: Table, seat: int, what: str) -> int:
    """How often a wall face counts (section 12.4)."""
    if what == "set4":
        return min(table.count(seat, kind) for kind in (*ASPECTS, "alchemist_card"))
    board = table.players[seat].board
    kinds = {region: [kind_of(card) for card in board[region].cards] for region in REGIONS}
    officials = {region: sum(board[region].officials.values()) for region in REGIONS}
    counted: dict[str, Callable[[str], bool]] = {
        "worker": lambda region: board[region].workers > 0,
        "pair": lambda region: any(kinds[region].count(kind) >= 2 for kind in kinds[region]),
        "palace": lambda region: table.lands[region].palaces[seat] > 0,
        "governor": lambda region: table.governors(seat, region) > 0,
        "calm": lambda region: board[region].unrest == 0,
        "order": lambda region: officials[region] >= max(1, board[region].unrest),
    }
    if what in OFFICIALS:
        return sum(board[region].officials[what] > 0 for region in REGIONS)
    if what in counted:
        return sum(counted[what](region) for region in REGIONS)
    return sum(what in kinds[region] for region in REGIONS)


def _palace_tiles(table: Table) -> int:
    """ZHG-SOL-81."""
    assert table.rival is not None
    points = 0
    for region in REGIONS:
        kinds = [kind_of(card) for card in table.players[table.rival].board[region].cards]
        for letter in table.kept[region]:
            points += 2 * len(kinds) if letter == "u" else 3 * kinds.count(KINDS[letter])
    return points
