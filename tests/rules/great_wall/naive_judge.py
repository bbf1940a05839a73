"""Which rules a move breaks in the plain model of The Great Wall, in the order of the digest."""

from collections.abc import Callable

from tests.rules.great_wall import naive_set as s
from tests.rules.great_wall.naive_chance import CHANCE_FAULTS
from tests.rules.great_wall.naive_fight_judge import FIGHT_FAULTS
from tests.rules.great_wall.naive_table import Actor, Clan, Question, Table, Words

OUTSIDE = {
    "pick": "GW-AUT-01",
    "place": "GW-AUT-02",
    "activate": "GW-LOC-03",
    "recruit": "GW-BAR-01",
    "attack": "GW-ATK-01",
    "shoot": "GW-ATK-01",
    "barricade": "GW-BLD-01",
    "wall": "GW-BLD-01",
    "hire": "GW-EMB-01",
    "march": "GW-LOG-01",
    "shift": "GW-LOG-01",
    "lower": "GW-LOG-01",
    "cross": "GW-LOG-01",
    "upgrade": "GW-PRD-02",
    "donate": "GW-PRD-07",
    "study": "GW-ACA-01",
    "rise": "GW-TEH-01",
    "lose": "GW-KIL-01",
    "cleanse": "GW-SHM-07",
    "shame": "GW-SHM-04",
    "shed": "GW-SHM-04",
    "recover": "GW-SUM-04",
    "recover-card": "GW-SUM-04",
    "honour": "GW-SUM-04",
    "play": "GW-TAC-01",
    "discard": "GW-CRD-11",
    "fulfil": "GW-COP-08",
    "agree": "GW-COP-09",
    "refuse": "GW-COP-09",
    "absolve": "GW-2P-12",
    "reed-move": "GW-2P-12",
    "reed-spearman": "GW-2P-12",
    "reed-barricade": "GW-2P-12",
    "reed-dismiss": "GW-2P-12",
}
"""What a move breaks that is no answer to the question; all others break GW-ASK-03."""


def verb(words: Words) -> str:
    if words[0] == "reed":
        return f"reed-{words[1]}" if words[1] in ("spearman", "barricade", "dismiss") else "reed-move"
    return "recover-card" if words[0] == "recover" and len(words) > 1 else words[0]


def judge(t: Table, question: Question | None, actor: Actor, words: Words) -> Words:
    """The rules that a move breaks; none if it is legal."""
    if question is None or actor not in question.who:
        return ["GW-ASK-02"]
    kind = verb(words)
    if kind not in question.verbs and not (kind == "play" and question.window):
        return [_outside(t, kind)]
    if kind in CHANCE_FAULTS:
        return CHANCE_FAULTS[kind](t, question, words)
    clan = t.clan(actor)
    if kind in FIGHT_FAULTS:
        return FIGHT_FAULTS[kind](t, question, clan, words)
    return FAULTS[kind](t, question, clan, words) if kind in FAULTS else []


def _outside(t: Table, kind: str) -> str:
    if kind == "donate" and t.activated == "temple":
        return "GW-PRD-08"
    if t.coop and kind in ("recover", "recover-card", "honour"):
        return "GW-COP-17"
    return OUTSIDE.get(kind, "GW-ASK-03")


def move(t: Table, question: Question, clan: Clan, words: Words) -> Words:
    """A clerk's move; the clan is the one whose clerk it is."""
    source, target = words
    if source == "reserve":
        movable = clan.clerks
    elif source in t.at:
        movable = t.at[source].count(clan.mark) - question.used.count(source)
    else:
        movable = 0
    faults = [] if target in s.LOCATIONS else ["GW-CLK-06"]
    if source == target or movable < 1 or target in question.used:
        faults.append("GW-CLK-05")
    if clan.mark == "r" and source != target and "r" in t.at.get(target, []):
        faults.append("GW-2P-09")
    if faults:
        return faults
    if source != "reserve" and t.full(source):
        faults.append("GW-CLK-03")
    if t.full(target):
        faults.append("GW-CLK-04")
    return faults


def _move(t: Table, question: Question, clan: Clan, words: Words) -> Words:
    return move(t, question, clan, words[1:])


def _reed_move(t: Table, question: Question, _: Clan, words: Words) -> Words:
    return move(t, question, t.clans["r"], words[1:])


def _activate(t: Table, question: Question, clan: Clan, words: Words) -> Words:
    place = words[1]
    there = t.at.get(place, [])
    if place in s.SPECIAL and there == ["r"]:
        return ["GW-2P-10"]
    if question.name == "advance":
        return [] if clan.mark in there else ["GW-ADV-04"]
    return [] if t.eligible(place) and place not in question.used else ["GW-LOC-03"]


def upgrade_cost(place: str) -> str:
    return "gold" if place == "temple" else "chi"


def _upgrade(_: Table, question: Question, clan: Clan, words: Words) -> Words:
    place = words[1]
    allowed = (
        [question.place] if question.name == "upgrade" else [p for p in s.PRODUCE if p not in question.used]
    )
    if place not in allowed:
        return ["GW-PRD-02"]
    level = clan.foremen.get(place, (0, ""))[0]
    if level == 3:
        return ["GW-PRD-06"]
    if (len(words) > 2) != (level == 0):
        return ["GW-PRD-02"]
    if level == 0 and clan.usable(words[2]) < 1:
        return ["GW-PRD-04"]
    return [] if clan.held[upgrade_cost(place)] >= s.FOREMAN_COST[level] else ["GW-PRD-02"]


def _donate(_: Table, question: Question, clan: Clan, __: Words) -> Words:
    return [] if clan.held[s.PRODUCE[question.place]] else ["GW-PRD-07"]


def amounts(text: str) -> dict[str, int]:
    """Letters with their numbers."""
    found: dict[str, int] = {}
    for part in "" if text == "-" else text.replace("w", " w").replace("s", " s").replace("g", " g").split():
        found[part[0]] = int(part[1:])
    return found


def pay_faults(t: Table, clan: Clan, cost: int, text: str, short: str) -> Words:
    """Whether this pays for a building: out of a warehouse that has enough, else beside all that is in it."""
    pay = {{"w": "wood", "s": "stone", "g": "gold"}[letter]: n for letter, n in amounts(text).items()}
    stored = sum(t.ware.values())
    if stored >= cost:
        right = sum(pay.values()) == cost and all(t.ware[resource] >= n for resource, n in pay.items())
        return [] if right else ["GW-BLD-05"]
    if sum(pay.values()) != cost - stored:
        return ["GW-BLD-05"]
    return [] if all(clan.held[resource] >= n for resource, n in pay.items()) else [short]


def _barricade(t: Table, question: Question, clan: Clan, words: Words) -> Words:
    section = words[1]
    if section not in t.walls or t.walls[section].barricades >= 3:
        return ["GW-BLD-02"]
    if (question.name == "build") != (len(words) > 2):
        return ["GW-BLD-05"]
    return pay_faults(t, clan, s.BARRICADE_COST, words[2], "GW-BLD-02") if question.name == "build" else []


def _wall(t: Table, question: Question, clan: Clan, words: Words) -> Words:
    section = words[1]
    if section not in t.walls or t.walls[section].level == 3 or section in question.used:
        return ["GW-BLD-03"]
    return pay_faults(t, clan, s.WALL_COST[t.walls[section].level], words[2], "GW-BLD-03")


def _hire(t: Table, _: Question, clan: Clan, words: Words) -> Words:
    if words[1] == "clerk":
        return [] if clan.space and clan.held["gold"] >= s.CLERK_GOLD else ["GW-EMB-01"]
    if words[1] not in t.advisors:
        return ["GW-EMB-03"]
    cost = len(clan.active) + len(clan.assistants) + 1
    return [] if clan.held["gold"] >= cost else ["GW-EMB-02"]


def _march(t: Table, _: Question, __: Clan, words: Words) -> Words:
    origin, goal = words[1:]
    return [] if origin != goal and origin in t.walls and goal in t.walls else ["GW-LOG-01"]


def _shift(t: Table, question: Question, clan: Clan, words: Words) -> Words:
    return [] if 1 <= int(words[2]) <= t.walls[question.place].resting(clan.mark, words[1]) else ["GW-LOG-01"]


def _lower(t: Table, question: Question, clan: Clan, words: Words) -> Words:
    n = int(words[1])
    if n < 1:
        return ["GW-LOG-01"]
    enough = n <= t.walls[question.place].firing.get(clan.mark, 0)
    room = words[0] == "lower" or n <= t.walls[question.goal].free_slots()
    return [] if enough and room else ["GW-LOG-02"]


def _study(_: Table, question: Question, clan: Clan, words: Words) -> Words:
    return [] if int(words[1]) <= question.spent[clan.mark] else ["GW-ACA-01"]


def _shame(t: Table, _: Question, clan: Clan, words: Words) -> Words:
    token = words[1]
    if t.coop and token not in s.KINDS:
        return ["GW-COP-15"]
    return [] if token in t.shame_places(clan) else ["GW-SHM-04"]


def _shed(_: Table, __: Question, clan: Clan, ___: Words) -> Words:
    return [] if clan.honour >= s.SHED_HONOUR else ["GW-COP-16"]


def _cleanse(t: Table, question: Question, clan: Clan, words: Words) -> Words:
    if words[1] not in clan.tokens():
        return ["GW-SHM-07"]
    if question.name != "cleanse":
        return []
    if t.coop:
        return [] if clan.honour >= s.SHED_HONOUR else ["GW-COP-16"]
    return [] if clan.held["chi"] >= s.SHAME_CHI else ["GW-SHM-07"]


def _play(t: Table, question: Question, clan: Clan, words: Words) -> Words:
    kind = words[1]
    if kind not in t.kinds or s.TACTIC[kind][0] != question.window or not t.has_tactic(clan, kind):
        return ["GW-TAC-01"]
    boosted = len(words) > 2
    return ["GW-TAC-02"] if boosted and clan.held["chi"] < s.TACTIC[kind][2] else []


def _discard(t: Table, _: Question, clan: Clan, words: Words) -> Words:
    return [] if words[1] in t.kinds and t.has_tactic(clan, words[1]) else ["GW-CRD-11"]


def _pick(_: Table, __: Question, clan: Clan, words: Words) -> Words:
    return [] if words[1] in clan.hand else ["GW-AUT-01"]


def spaces(t: Table) -> range:
    return range(1, 1 + (s.SPACES if t.settings["strategy-spaces"] == "four" else len(t.track)))


def _place(t: Table, _: Question, __: Clan, words: Words) -> Words:
    space = int(words[1])
    if space == s.SPACES + 1:
        return ["GW-CRD-09"]
    free = space in spaces(t) and space not in [taken for taken, _ in t.track.values()]
    return [] if free else ["GW-AUT-02"]


def _dealt(t: Table, _: Question, clan: Clan, words: Words) -> Words:
    """A general or an active advisor of the start; what was dealt to others is hidden."""
    assert clan.seat is not None
    which = 0 if words[0] == "general" else 1
    if clan.seat in t.dealt and "?" not in t.dealt[clan.seat][which]:
        return [] if words[1] in t.dealt[clan.seat][which] else ["GW-SET-12"]
    elsewhere = [other.general for other in t.seats] + [card for other in t.seats for card in other.active]
    offered = t.generals if which == 0 else s.ADVISORS
    return [] if words[1] in offered and words[1] not in elsewhere else ["GW-SET-12"]


def _copy(t: Table, _: Question, clan: Clan, words: Words) -> Words:
    return [] if words[1] in [t.clans[mark].name for mark in copyable(t, clan)] else ["GW-CRD-07"]


def copyable(t: Table, clan: Clan) -> Words:
    """Clans whose card can be copied."""
    return [
        mark for mark, (_, card) in t.track.items() if mark not in (clan.mark, "r") and card != "betrayal"
    ]


def _recover_card(_: Table, __: Question, clan: Clan, words: Words) -> Words:
    return [] if words[1] in clan.discarded else ["GW-COP-18"]


def _honour(_: Table, __: Question, clan: Clan, ___: Words) -> Words:
    return [] if clan.hand else ["GW-SUM-04"]


def _enlist(t: Table, _: Question, __: Clan, words: Words) -> Words:
    return [] if words[1] in t.advisors[:2] else ["GW-SOL-27"]


def _reed_barricade(t: Table, _: Question, __: Clan, words: Words) -> Words:
    return [] if words[2] in t.walls and t.walls[words[2]].barricades < 3 else ["GW-2P-18"]


def _reed_dismiss(t: Table, _: Question, __: Clan, words: Words) -> Words:
    return [] if words[2] in t.advisors else ["GW-2P-17"]


def has_means(clan: Clan, request: str) -> bool:
    """Whether a seat can pay for a request."""
    for what, n in s.REQUEST[request][1].items():
        if what == "honour":
            have = clan.honour
        elif what in s.KINDS:
            have = clan.usable(what)
        else:
            have = clan.held[what]
        if have < n:
            return False
    return True


def state_met(t: Table, request: str) -> bool:
    """Whether the board is as a request wants it."""
    ((what, n),) = s.REQUEST[request][1].items()
    if what == "claimed":
        return sum(len(clan.claimed) for clan in t.seats) >= n
    if what == "wall-levels":
        return sum(wall.level for wall in t.walls.values()) >= n
    return all(len(wall.hordes) <= n for wall in t.walls.values())


def _fulfil(t: Table, question: Question, clan: Clan, words: Words) -> Words:
    request = words[1]
    if request not in t.requests or request in question.used:
        return ["GW-COP-08"]
    scope = s.REQUEST[request][0]
    met = has_means(clan, request) if scope == "one" else scope == "each" or state_met(t, request)
    return [] if met else ["GW-COP-09"]


def _agree(_: Table, question: Question, clan: Clan, __: Words) -> Words:
    return [] if has_means(clan, question.place) else ["GW-COP-09"]


FAULTS: dict[str, Callable[[Table, Question, Clan, Words], Words]] = {
    "move": _move,
    "reed-move": _reed_move,
    "activate": _activate,
    "upgrade": _upgrade,
    "donate": _donate,
    "barricade": _barricade,
    "wall": _wall,
    "hire": _hire,
    "march": _march,
    "shift": _shift,
    "lower": _lower,
    "cross": _lower,
    "study": _study,
    "shame": _shame,
    "shed": _shed,
    "cleanse": _cleanse,
    "absolve": _cleanse,
    "play": _play,
    "discard": _discard,
    "pick": _pick,
    "place": _place,
    "general": _dealt,
    "active": _dealt,
    "copy": _copy,
    "recover-card": _recover_card,
    "honour": _honour,
    "enlist": _enlist,
    "reed-barricade": _reed_barricade,
    "reed-dismiss": _reed_dismiss,
    "fulfil": _fulfil,
    "agree": _agree,
}
