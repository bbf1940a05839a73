"""Which rules a recruit, an attack, a shot, a wound or a loss breaks in the plain model of The Great Wall."""

from collections.abc import Callable

from tests.rules.great_wall import naive_set as s
from tests.rules.great_wall.naive_table import Clan, Question, Table, Words, soldier

SPOT_RULE = {"spearman": "GW-ATK-05", "horseman": "GW-ATK-07", "archer": "GW-ATK-08"}


def read_spots(text: str) -> tuple[str, int, Words]:
    """The section, the line and the cells of L1b2 or C2a1b1; line 0 where only a section is named."""
    if len(text) == 1:
        return text, 0, []
    cells = [text[at : at + 2] for at in range(2, len(text), 2)]
    return text[0], int(text[1]), cells


def can_wound(t: Table, section: str) -> bool:
    return section in t.walls and next(t.empty_spots(section, kind="archer"), "") != ""


def target_faults(t: Table, kind: str, text: str) -> Words:
    """What is wrong with a place to attack."""
    section, line, cells = read_spots(text)
    faults: Words = []
    if not cells:
        if section not in t.walls or t.walls[section].free_slots() < 1 or can_wound(t, section):
            faults.append("GW-ATK-08")
        return faults
    card = t.card(section, line)
    if kind == "spearman" and line != 1:
        faults.append("GW-ATK-05")
    if card is None or any(card.spots.get(cell) != "." for cell in cells):
        faults.append(SPOT_RULE[kind])
    if kind == "horseman" and (len(cells) != 2 or not s.side_by_side(*cells)):
        faults.append("GW-ATK-07")
    if kind == "archer" and (section not in t.walls or t.walls[section].free_slots() < 1):
        faults.append("GW-ATK-08")
    if card is not None and s.immune(card.name, line, kind):
        faults.append("GW-CRD-13")
    return list(dict.fromkeys(faults))


def _recruit(t: Table, _: Question, clan: Clan, words: Words) -> Words:
    kind = words[1]
    if clan.usable(kind) < 1:
        return ["GW-BAR-01"]
    if any(clan.held[resource] < n for resource, n in s.COST[kind].items()):
        return ["GW-BAR-02"]
    if words[2] == "rest":
        return [] if words[3] in t.walls else ["GW-BAR-03"]
    return target_faults(t, kind, words[2])


def _attack(t: Table, _: Question, clan: Clan, words: Words) -> Words:
    kind, section = words[1], words[2][0]
    if section not in t.walls:
        return ["GW-ATK-02"]
    if t.walls[section].resting(clan.mark, kind) < 1:
        stands = any(
            covered[0] == clan.mark and soldier(covered) == kind
            for card in t.walls[section].hordes
            for covered in card.spots.values()
        )
        return ["GW-ATK-02", "GW-ATK-03"] if stands else ["GW-ATK-02"]
    return target_faults(t, kind, words[2])


def _reed_spearman(t: Table, _: Question, __: Clan, words: Words) -> Words:
    return target_faults(t, "spearman", words[2])


def _shoot(t: Table, question: Question, clan: Clan, words: Words) -> Words:
    section, line, cells = read_spots(words[1])
    if question.name == "fire":
        if section != question.place:
            return ["GW-ATK-08"]
    elif section not in t.walls or t.walls[section].firing.get(clan.mark, 0) <= question.spent.get(
        section, 0
    ):
        return ["GW-ATK-08"]
    card = t.card(section, line)
    faults = []
    if card is None or card.spots.get(cells[0]) != ".":
        faults.append("GW-ATK-08")
    if card is not None and s.immune(card.name, line, "archer"):
        faults.append("GW-CRD-13")
    return faults


def _wound(t: Table, question: Question, _: Clan, words: Words) -> Words:
    section, line, cells = read_spots(words[1])
    card = t.card(section, line)
    fine = card is not None and line <= question.line and card.spots.get(cells[0]) == "."
    return [] if fine else ["GW-ATK-08"]


def read_figures(text: str) -> dict[str, int]:
    """The figures of s1a2, each kind with its number."""
    letters = {kind[0]: kind for kind in s.KINDS}
    if text == "-":
        return {}
    for letter in letters:
        text = text.replace(letter, f" {letter}")
    return {letters[part[0]]: int(part[1:]) for part in text.split()}


def chi_for(t: Table, clan: Clan, saved: int) -> int:
    """What saving costs, after what is saved without chi."""
    return t.save_cost() * max(0, saved - clan.saves)


def _lose(t: Table, question: Question, clan: Clan, words: Words) -> Words:
    killed, saved = read_figures(words[1]), read_figures(words[3])
    gone = {kind: killed.get(kind, 0) + saved.get(kind, 0) for kind in s.KINDS}
    if sum(gone.values()) != question.n or any(gone[kind] > question.risk.get(kind, 0) for kind in s.KINDS):
        return ["GW-KIL-01"]
    return [] if clan.held["chi"] >= chi_for(t, clan, sum(saved.values())) else ["GW-SAV-01"]


FIGHT_FAULTS: dict[str, Callable[[Table, Question, Clan, Words], Words]] = {
    "recruit": _recruit,
    "attack": _attack,
    "reed-spearman": _reed_spearman,
    "shoot": _shoot,
    "wound": _wound,
    "lose": _lose,
}
