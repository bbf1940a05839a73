"""The course of a plain match of Zhanguo: which base frame follows (section 19.2)."""

from tests.rules.zhanguo.naive_rewards import aspect_of_row, ranking
from tests.rules.zhanguo.naive_set import ASPECTS, ROUNDS
from tests.rules.zhanguo.naive_table import Table

SIX = ("w", "w", "c", "c", "l", "l")


def next_start(table: Table, seat: int) -> None:
    later = [each for each in _after(table, seat) if each != table.rival]
    if later:
        table.set_base("start", later[0])
    else:
        begin_round(table)


def _after(table: Table, seat: int) -> list[int]:
    """Those who come later in turn order."""
    return table.track[table.track.index(seat) + 1 :]


def begin_round(table: Table) -> None:
    table.round += 1
    if table.rival is not None:
        table.deck = list(SIX)
    humans = [seat for seat in table.track if seat != table.rival]
    if table.recorded:
        table.set_base("draw", humans[0])
        return
    for seat in humans:
        table.players[seat].hand = [letter + "?" for letter in SIX]
    _begin_play(table)


def next_draw(table: Table, seat: int) -> None:
    if len(table.players[seat].hand) < len(SIX):
        return
    later = [each for each in _after(table, seat) if each != table.rival]
    if later:
        table.set_base("draw", later[0])
    else:
        _begin_play(table)


def _begin_play(table: Table) -> None:
    _give_turn(table, table.track[0])


def _give_turn(table: Table, seat: int) -> None:
    if seat == table.rival:
        table.stack = [["reveal"]]
    else:
        table.set_base("play", seat)


def next_turn(table: Table, seat: int) -> None:
    """After a turn of this seat's."""
    if table.rival is not None:
        last = seat == table.track[1] and not table.players[table.human()].hand
        if last:
            begin_row(table, 1)
        else:
            _give_turn(table, 1 - seat)
        return
    place = table.track.index(seat)
    for each in (*table.track[place + 1 :], *table.track[: place + 1]):
        if table.players[each].hand:
            table.set_base("play", each)
            return
    begin_row(table, 1)


# Phase 3.


def begin_row(table: Table, row: int) -> None:
    if row > 3:
        _set_turn_order(table)
        return
    offered = ranking(table, row)
    if offered:
        _offer(table, offered[0], row)
    else:
        begin_row(table, row + 1)


def _offer(table: Table, seat: int, row: int) -> None:
    table.stack = [["offer", str(seat + 1), str(row)]]


def pass_offer(table: Table) -> None:
    seat, row = table.base_seat(), int(table.top[2])
    offered = ranking(table, row)
    later = offered[offered.index(seat) + 1 :]
    if later:
        _offer(table, later[0], row)
    else:
        begin_row(table, row + 1)


def give_tokens_back(table: Table, seat: int, row: int) -> None:
    """ZHG-REW-06."""
    aspect, player = aspect_of_row(table, row), table.players[seat]
    player.tokens[aspect] = 0
    player.large = [each for each in player.large if each != aspect]


def move_marker(table: Table, seat: int, row: int) -> None:
    table.track = [each for each in table.track if each != seat]
    table.column = [None if each == seat else each for each in table.column]
    table.column[row - 1] = seat


def _set_turn_order(table: Table) -> None:
    """ZHG-REW-10."""
    table.track += [seat for seat in table.column if seat is not None]
    table.column = [None, None, None]
    table.stack = [["pay", str(table.track[0] + 1), "0"]]


def next_pay(table: Table, seat: int) -> None:
    later = _after(table, seat)
    if later:
        table.set_base("pay", later[0], "0")
        return
    for player in table.players:
        player.large = []
    table.set_base("return", table.track[0])


def next_return(table: Table, seat: int) -> None:
    later = _after(table, seat)
    if later:
        table.set_base("return", later[0])
        return
    table.actions = sorted([*table.actions, *table.discarded])
    table.discarded = []
    if table.round == ROUNDS:
        table.stack = [["over"]]
    else:
        begin_round(table)


def end_soldiers(table: Table) -> None:
    """After a window in which soldiers could be placed."""
    seat, window = table.base_seat(), table.top[2]
    if window == "turn":
        next_turn(table, seat)
    elif window == "reward":
        begin_row(table, int(table.top[3]) + 1)
    else:
        next_pay(table, seat)


def held(table: Table, seat: int) -> int:
    return sum(table.players[seat].tokens[aspect] for aspect in ASPECTS)
