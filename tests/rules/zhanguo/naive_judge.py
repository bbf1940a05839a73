"""Which rules a move of Zhanguo breaks, asked the slow and plain way (section 24)."""

from collections import Counter

from tests.rules.zhanguo.naive_candidates import ACT
from tests.rules.zhanguo.naive_deal import stock_due
from tests.rules.zhanguo.naive_judge_court import (
    judge_activate,
    judge_hire,
    judge_install,
    judge_palace,
    judge_recruit,
    judge_wall,
)
from tests.rules.zhanguo.naive_rewards import can_accept
from tests.rules.zhanguo.naive_set import ASPECTS, LARGE, LETTERS, OFFICIALS, REGIONS, SMALL
from tests.rules.zhanguo.naive_table import Frame, Table, kind_of, neighbours

BY_CHANCE = ("first", "deal", "draw", "reveal", "card", "rival-alchemist", "rival-master")
ACTS = ("recruit", "search", "install", "hire", "palace", "wall")
ANSWERS: dict[str, tuple[str, ...]] = {
    "first": ("first",),
    "deal": ("deal",),
    "start": ("start",),
    "draw": ("draw",),
    "play": ("unify", "court", "forfeit"),
    "act": ACTS,
    "step": ("activate", "move", "done"),
    "soldiers": ("soldier", "done"),
    "offer": ("accept", "pass"),
    "pay": ("pay", "done"),
    "return": ("return",),
    "symbol": ("unlock", "place"),
    "master": ("master",),
    "recruit": ("recruit",),
    "hire": ("hire",),
    "officials": ("move", "done"),
    "workers": ("move worker", "done"),
    "calm": ("calm",),
    "reset": ("reset", "done"),
    "take": ("take",),
    "place": ("place", "done"),
    "install": ("install",),
    "palace": ("palace",),
    "wall": ("wall",),
    "soldier": ("soldier",),
    "tile": ("tile",),
    "large": ("large",),
    "emperor": ("emperor",),
    "reveal": ("reveal",),
    "card": ("card",),
    "rival-alchemist": ("deal",),
    "rival-master": ("deal",),
    "rival-soldier": ("soldier",),
}
RULE_OF_FRAME = {
    "first": "SET-19",
    "deal": "SET-22",
    "start": "SET-20",
    "draw": "RND-02",
    "play": "PLY-01",
    "act": "CRT-02",
    "step": "ACT-01",
    "soldiers": "MAU-06",
    "offer": "REW-05",
    "pay": "REW-20",
    "return": "REW-31",
    "symbol": "CRT-23",
    "master": "CRT-25",
    "tile": "CRT-53",
    "large": "CRT-54",
    "emperor": "CRT-64",
    "reveal": "SOL-11",
    "card": "SOL-20",
    "rival-alchemist": "SOL-32",
    "rival-master": "SOL-34",
    "rival-soldier": "SOL-70",
}
KINDS_OF_MOVE = {kind for kinds in ANSWERS.values() for kind in kinds}


def awaiting(table: Table) -> list[int | None]:
    """The seat that must act, chance as None; nobody once the match is over."""
    name = table.top[0]
    if name == "over":
        return []
    if name in BY_CHANCE:
        return [None]
    return [table.human() if name == "rival-soldier" else table.base_seat()]


def read_words(move: str) -> tuple[str, list[str]]:
    """The kind of a move, and what it names; ValueError if it is no move."""
    kind, *words = move.split()
    if kind == "move" and words[0] == "worker":
        return "move worker", words[1:]
    if kind not in KINDS_OF_MOVE:
        raise ValueError(f"unreadable: {move!r}")
    if words == ["-"]:
        words = [""]  # no tokens
    return kind, words


def judge(table: Table, actor: int | None, move: str) -> list[str]:
    """The rules that this move breaks, each once; none if it is legal."""
    kind, words = read_words(move)
    if actor not in awaiting(table):
        return ["ZHG-STM-03"]
    frame = table.top
    if kind not in ANSWERS[frame[0]]:
        rule = RULE_OF_FRAME.get(frame[0], "STM-01")
        if frame[0] == "soldiers" and frame[2] == "turn":
            rule = "EOT-01"
        return ["ZHG-" + rule]
    broken = (
        judge_by_chance(table, kind, words) if actor is None else judge_by_seat(table, actor, kind, words)
    )
    return [f"ZHG-{rule}" for rule in dict.fromkeys(broken)]


# Chance.


def judge_by_chance(table: Table, kind: str, words: list[str]) -> list[str]:
    match kind:
        case "deal":
            rule, stock = rival_stock(table) or stock_due(table)
            return [] if words[0] in stock else [rule.removeprefix("ZHG-")]
        case "draw":
            return _judge_draw(table, words[0])
        case "reveal":
            return [] if int(words[0]) in table.actions else ["SOL-11"]
        case "card":
            left = LETTERS[kind_of(words[0])] in table.deck
            seen = words[0] in table.seen()
            return [*([] if left else ["SOL-10"]), *(["CMP-18"] if seen else [])]
        case _:
            return []


def rival_stock(table: Table) -> tuple[str, list[str]] | None:
    """What chance may deal to Li Si, if that is due."""
    if table.top == ["rival-alchemist"]:
        assert table.rival is not None
        return "ZHG-SOL-32", table.players[table.rival].aside
    if table.top == ["rival-master"]:
        return "ZHG-SOL-34", table.masters
    return None


def due_aspect(table: Table) -> str:
    """Of the next card drawn: w w c c l l."""
    return ASPECTS[len(table.players[table.base_seat()].hand) // 2]


def _judge_draw(table: Table, card: str) -> list[str]:
    if card == "?":
        return []
    broken = [] if kind_of(card) == due_aspect(table) else ["RND-02"]
    return [*broken, "CMP-18"] if card in table.seen() else broken


# Seats.


def judge_by_seat(table: Table, seat: int, kind: str, words: list[str]) -> list[str]:
    match kind:
        case "start":
            return [] if words[0] in table.start[seat] else ["SET-20"]
        case "unify" | "court" | "forfeit":
            return _judge_play(table, seat, kind, words)
        case _ if kind in ACTS:
            return judge_act(table, seat, kind, words)
        case "accept":
            return [] if can_accept(table, seat, int(table.top[2])) else ["REW-05"]
        case "pay":
            return _judge_pay(table, seat, words[0])
        case "return":
            return _judge_return(table, seat, words[0])
        case "activate":
            return judge_activate(table, seat, words[0])
        case "soldier":
            return _judge_soldier(table, seat, words[0])
        case _:
            return _judge_choice(table, seat, kind, words)


def judge_act(table: Table, seat: int, kind: str, words: list[str]) -> list[str]:
    """A Court action, or a free version of it."""
    free = table.top[0] not in ("act", "play")
    match kind:
        case "recruit":
            return judge_recruit(table, seat, words[0], words[1])
        case "search":
            return ["CRT-20"] if table.players[seat].boat == table.printed.boat_end else []
        case "install":
            return judge_install(table, seat, words[0], words[1])
        case "hire":
            return judge_hire(table, seat, words[0])
        case "palace":
            return judge_palace(table, seat, words[0], words[1:], free=free)
        case _:
            paying = words[2].split("+") if len(words) > 2 else []
            return judge_wall(table, seat, (words[0], int(words[1])), paying, free=free)


def _judge_play(table: Table, seat: int, kind: str, words: list[str]) -> list[str]:
    if kind == "unify":
        broken = judge_region(table, seat, words[1])
    elif kind == "court":
        broken = [] if court_possible(table, seat) else ["CRT-02"]
    else:
        broken = ["PLY-02"] if play_possible(table, seat) else []
    return broken or judge_held(table, seat, words[0])


def judge_region(table: Table, seat: int, region: str) -> list[str]:
    """Whether a card may be unified here, whichever it is."""
    column = table.players[seat].board[region]
    if len(column.cards) >= 3:
        return ["UNI-01"]
    rise = table.position_of_next(seat, region) - 1
    return ["UNI-04"] if column.unrest + rise > 3 else []


def court_possible(table: Table, seat: int) -> bool:
    """Whether any Court action can be carried out (ZHG-CRT-04)."""
    return any(not judge_act(table, seat, *read_words(move)) for move in ACT)


def play_possible(table: Table, seat: int) -> bool:
    return court_possible(table, seat) or any(not judge_region(table, seat, region) for region in REGIONS)


def judge_held(table: Table, seat: int, card: str) -> list[str]:
    """Whether this card is or can be in the hand, by what its seat sees (ZHG-HID-03)."""
    hand = table.players[seat].hand
    if card in hand:
        return []
    if LETTERS[kind_of(card)] + "?" not in hand:
        return ["PLY-01"]
    return ["CMP-18"] if card in table.seen_by([seat]) else []


def _judge_pay(table: Table, seat: int, tokens: str) -> list[str]:
    if not _holds(table, seat, tokens) or not is_payment(table, tokens):
        return ["REW-20"]
    return [] if table.players[seat].locked else ["REW-20"]


def _holds(table: Table, seat: int, tokens: str) -> bool:
    player = table.players[seat]
    held = Counter({SMALL[n]: player.tokens[aspect] for n, aspect in enumerate(ASPECTS)})
    held += Counter(LARGE[n] for n, aspect in enumerate(ASPECTS) if aspect in player.large)
    return Counter(tokens) <= held


def is_payment(table: Table, tokens: str) -> bool:
    """Whether these tokens are the price of one soldier (AMB-07)."""
    if table.settings["unlock-cost"] == "count":
        return len(tokens) == 3
    values = [2 if token in LARGE else 1 for token in tokens]
    return sum(values) >= 3 and all(sum(values) - value < 3 for value in values)


def _judge_return(table: Table, seat: int, tokens: str) -> list[str]:
    left = sum(table.players[seat].tokens.values()) - len(tokens)
    return [] if _holds(table, seat, tokens) and left == 5 else ["REW-31"]


def _judge_soldier(table: Table, seat: int, spot: str) -> list[str]:
    if table.top[0] == "rival-soldier":
        assert table.rival is not None
        seat = table.rival
    broken = []
    if not table.players[seat].entrance or (table.top[0] != "soldier" and not table.meets(seat, spot)):
        broken.append("MAU-03")
    if seat in table.spots[spot].slots or table.free_slot(spot) is None:
        broken.append("MAU-04")
    return broken


# Choices.


def _judge_choice(table: Table, seat: int, kind: str, words: list[str]) -> list[str]:
    frame, player = table.top, table.players[seat]
    match kind:
        case "unlock":
            return [] if player.locked else ["CRT-23"]
        case "place":
            return _judge_place(table, seat, words[0], words[1])
        case "master":
            return [] if words[0] in table.masters else ["CRT-25"]
        case "move":
            return _judge_move(table, seat, words)
        case "move worker":
            broken = [] if neighbours(words[0], words[1]) else ["VOC-01"]
            return broken if player.board[words[0]].workers else [*broken, "ABL-22"]
        case "calm" | "reset":
            again = kind == "calm" and words[0] in frame[2].split("+")
            return ["ABL-24"] if again or player.board[words[0]].unrest == 0 else []
        case "take":
            return [] if table.supply(words[0]) else ["UNI-05"]
        case "large":
            return [] if table.large_left(words[0]) else ["CRT-54"]
        case "tile":
            return _judge_tile(table, seat, words[0])
        case "emperor":
            if table.region_of(seat, words[0]) is None:
                return ["CRT-64"]
            return ["CRT-65"] if words[0] in player.emperors else []
        case _:
            return _judge_end(frame, kind)


def _judge_end(frame: Frame, kind: str) -> list[str]:
    return ["ABL-25"] if kind == "done" and frame[0] in ("workers", "place") and frame[-1] == "must" else []


def _judge_place(table: Table, seat: int, card: str, region: str) -> list[str]:
    frame, player = table.top, table.players[seat]
    if frame[0] == "place" and region not in frame[2].split("+"):
        return ["STM-01"]
    broken = [] if card in player.aside else ["CRT-23"]
    if frame[0] == "symbol" and not player.board[region].officials["alchemist"]:
        broken.append("CRT-23")
    return [*broken, "UNI-01"] if len(player.board[region].cards) >= 3 else broken


def _judge_move(table: Table, seat: int, words: list[str]) -> list[str]:
    official, here, there = words
    assert official in OFFICIALS
    broken = [] if neighbours(here, there) else ["VOC-01"]
    in_step = table.top[0] == "step"
    if not table.players[seat].board[here].officials[official]:
        broken.append("ACT-07" if in_step else "ABL-22")
    return [*broken, "ACT-09"] if in_step and table.top[4] != "-" else broken


def _judge_tile(table: Table, seat: int, kind: str) -> list[str]:
    region = table.top[1]
    broken = [] if LETTERS[kind] in table.lands[region].tiles else ["CRT-53"]
    if kind == "unrest_all" and table.players[seat].board[region].unrest == 3:
        broken += ["CRT-53", "UNR-02"]
    return broken
