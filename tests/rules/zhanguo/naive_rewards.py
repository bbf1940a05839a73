"""Unification rewards of a plain match of Zhanguo: what they are, who is offered them, who can take them."""

from tests.rules.zhanguo.naive_set import (
    OFFICIALS,
    REGIONS,
    REWARDS,
    ROWS,
    SECTIONS,
    SPOTS,
)
from tests.rules.zhanguo.naive_table import Table


def aspect_of_row(table: Table, row: int) -> str:
    """Rows count from 1."""
    return ROWS[table.settings["table"]][row - 1]


def reward_of_row(table: Table, row: int) -> str:
    return REWARDS[table.settings["table"]][aspect_of_row(table, row)][table.round - 1]


def total(table: Table, seat: int, aspect: str) -> int:
    """ZHG-REW-02."""
    player = table.players[seat]
    return player.tokens[aspect] + (2 if aspect in player.large else 0)


def ranking(table: Table, row: int) -> list[int]:
    """Who is offered the reward of this row, in this order (ZHG-REW-03, -04)."""
    aspect = aspect_of_row(table, row)
    in_tie_order = [*table.track, *(seat for seat in table.column if seat is not None)]
    eligible = [seat for seat in in_tie_order if total(table, seat, aspect)]
    return sorted(eligible, key=lambda seat: -total(table, seat, aspect))


def can_accept(table: Table, seat: int, row: int) -> bool:
    """Whether the whole reward can be taken (ZHG-REW-05, AMB-13)."""
    parts = [part.split() for part in reward_of_row(table, row).split("; ")]
    unlocked = sum(int(words[1]) for words in parts if words[0] == "unlock")
    return all(_can_take(table, seat, words, unlocked) for words in parts)


def _can_take(table: Table, seat: int, words: list[str], unlocked: int) -> bool:
    player = table.players[seat]
    match words[0]:
        case "recruit":
            types = OFFICIALS if words[1] == "any" else (words[1],)
            return sum(table.reserve(seat, official) for official in types) >= int(words[3])
        case "place":
            return bool(player.aside) and any(len(player.board[region].cards) < 3 for region in REGIONS)
        case "install":
            return table.governors_left(seat) > 0
        case "unlock":
            return player.locked >= int(words[1])
        case "palace":
            return table.palaces_left(seat) > 0
        case "wall":
            return table.walls_left(seat) > 0 and any(_room(table, seat, section) for section in SECTIONS)
        case "boat":
            return player.boat < table.printed.boat_end
        case "soldier":
            spots = [spot for spot in SPOTS if seat not in table.spots[spot].slots]
            return player.entrance + unlocked > 0 and any(table.free_slot(spot) is not None for spot in spots)
        case _:
            assert words[0] in ("hire", "reset")
            return True


def _room(table: Table, seat: int, section: str) -> bool:
    slots = table.walls[section].slots
    printed = table.printed.wall_slots[table.seats][section]
    return seat not in slots and any(
        taken is None and least <= table.seats for taken, (_, least) in zip(slots, printed, strict=True)
    )
