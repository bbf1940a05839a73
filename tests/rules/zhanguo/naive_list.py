"""Every legal move of Zhanguo, by trying all that might be one."""

from tests.rules.zhanguo.naive_candidates import CANDIDATES, OTHER_ACTS, PAYING, token_sets
from tests.rules.zhanguo.naive_deal import stock_due
from tests.rules.zhanguo.naive_judge import (
    awaiting,
    court_possible,
    judge,
    judge_held,
    judge_region,
    play_possible,
    rival_stock,
)
from tests.rules.zhanguo.naive_set import NUMBERS, REGIONS, SMALL
from tests.rules.zhanguo.naive_table import Table


def legal(table: Table, actor: int | None) -> list[str]:
    """The moves of this actor, in the order of lists; none for an actor who is not awaited."""
    if actor not in awaiting(table):
        return []
    if table.top[0] == "play":
        return _plays(table, table.base_seat())
    return [move for move in _candidates(table) if not judge(table, actor, move)]


def _plays(table: Table, seat: int) -> list[str]:
    """Whether a card may be played does not depend on what is done with it, so it is asked once."""
    cards = [card for card in NUMBERS if not judge_held(table, seat, card)]
    regions = [region for region in REGIONS if not judge_region(table, seat, region)]
    moves = [f"unify {card} {region}" for card in cards for region in regions]
    if court_possible(table, seat):
        moves += [f"court {card}" for card in cards]
    return moves if play_possible(table, seat) else [f"forfeit {card}" for card in cards]


def _candidates(table: Table) -> list[str]:
    name = table.top[0]
    match name:
        case "first":
            return [f"first {player.name}" for player in table.players]
        case "deal" | "rival-alchemist" | "rival-master":
            _, stock = rival_stock(table) or stock_due(table)
            return [f"deal {component}" for component in stock]
        case "draw":
            return [f"draw {card}" for card in (*NUMBERS, "?")]
        case "card":
            return [f"card {card}" for card in NUMBERS]
        case "reveal":
            return [f"reveal {card}" for card in range(1, 25)]
        case "return":
            excess = sum(table.players[table.base_seat()].tokens.values()) - 5
            return list(token_sets("return", range(excess, excess + 1), SMALL))
        case "act":
            return [*OTHER_ACTS, *_walls(table)]
        case _:
            return list(CANDIDATES[name])


def _walls(table: Table) -> list[str]:
    """With every payment, where nothing but the payment is wrong without one."""
    unpaid = [wall for wall in CANDIDATES["wall"] if judge(table, table.base_seat(), wall) == ["ZHG-CRT-62"]]
    return [f"{wall} {regions}" for wall in unpaid for regions in PAYING]
