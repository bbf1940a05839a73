"""Which rules a Court action of Zhanguo, a free version of it or an activation breaks."""

from tests.rules.zhanguo.naive_set import OFFICIALS, SECTIONS
from tests.rules.zhanguo.naive_table import Table


def judge_recruit(table: Table, seat: int, official: str, region: str) -> list[str]:
    frame = table.top
    if frame[0] == "recruit" and (official not in frame[1].split("+") or region not in frame[2].split("+")):
        return ["STM-01"]
    return [] if table.reserve(seat, official) else ["CRT-10"]


def judge_install(table: Table, seat: int, region: str, space: str) -> list[str]:
    frame, column = table.top, table.players[seat].board[region]
    broken = [] if table.governors_left(seat) else ["CRT-30"]
    if frame[0] == "install":
        broken += [] if region in frame[1].split("+") else ["REW-40"]
    elif not all(column.officials[official] for official in OFFICIALS):
        broken.append("CRT-30")
    if broken:
        return broken
    if space == "area":
        closed = table.settings["governor-area"] == "no-bonus-left" and table.bonus_left(region)
        return ["CRT-32"] if closed else []
    number = int(space) - 1
    return [] if number >= 0 and table.free_space(region, number) else ["CRT-32"]


def judge_hire(table: Table, seat: int, region: str) -> list[str]:
    frame, column = table.top, table.players[seat].board[region]
    if frame[0] == "hire":
        return [] if region in frame[1].split("+") else ["STM-01"]
    broken = [] if column.officials["general"] else ["CRT-40"]
    return [*broken, "CRT-40", "UNR-02"] if column.unrest == 3 else broken


def judge_palace(table: Table, seat: int, region: str, third: list[str], *, free: bool) -> list[str]:
    """`third` has the region of the third worker, or nothing."""
    broken = [] if table.palaces_left(seat) else ["CRT-50"]
    if free:
        return [*broken, "REW-40"] if third else broken
    board = table.players[seat].board
    if not board[region].officials["architect"] or board[region].workers < 2:
        broken.append("CRT-50")
    if not third or third[0] == region or not board[third[0]].workers:
        broken.append("CRT-51")
    return broken


def judge_wall(
    table: Table, seat: int, place: tuple[str, int], paying: list[str], *, free: bool
) -> list[str]:
    """`place` is a section and a slot counted from 1."""
    section, slot = place
    assert section in SECTIONS
    slots = table.walls[section].slots
    printed = 1 <= slot <= len(slots)
    broken = [] if table.walls_left(seat) and printed else ["CRT-61"]
    if seat in slots or (printed and slots[slot - 1] is not None):
        broken.append("CRT-63")
    strokes, least = table.printed.wall_slots[table.seats][section][slot - 1] if printed else (0, 0)
    if least > table.seats:
        broken.append("SET-07")
    if broken:
        return broken
    if free:
        return ["REW-40"] if paying else []
    board = table.players[seat].board
    payable = len(set(paying)) == len(paying) == strokes and all(board[each].workers for each in paying)
    return [] if payable else ["CRT-62"]


def judge_activate(table: Table, seat: int, card: str) -> list[str]:
    _, _, action, test, used = table.top
    region = table.region_of(seat, card)
    if region is None:
        return ["ACT-01"]
    broken = []
    if test == "no" or action not in table.triggers(seat, card):
        broken.append("ACT-01")
    if card in used.split("+"):
        broken.append("ACT-03")
    return [*broken, "ACT-04"] if table.players[seat].board[region].unrest == 3 else broken
