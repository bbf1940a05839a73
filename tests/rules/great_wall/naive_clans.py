"""What Reed and Qin do in the plain model of The Great Wall."""

from tests.rules.great_wall import naive_set as s
from tests.rules.great_wall.naive_fight import cover, first_spot, shoot
from tests.rules.great_wall.naive_judge import move
from tests.rules.great_wall.naive_list import listed
from tests.rules.great_wall.naive_table import Actor, Clan, Question, Table, Words
from tests.rules.great_wall.naive_tasks import Reply, Task


def lowest_first(t: Table) -> Words:
    """The locations of Qin's track, from the lowest."""
    return [s.TOKENS[token] for token in reversed(t.qin_track)]


def indicated(t: Table) -> Words:
    """The section of the indicator, then the other one."""
    first = s.LETTER[t.top]
    return [first, *(section for section in t.walls if section != first)]


# Clerks.


def qin_moves_reed(t: Table, used: Words) -> None:
    """From locations off his track, else from higher to lower ones (AMB-53)."""
    low = lowest_first(t)
    off = [place for place in s.LOCATIONS if place not in low]
    question = Question("reed-clerks", [], set(), used=used)
    for source in [*off, *reversed(low)]:
        for target in low:
            if source in low and low.index(target) > low.index(source):
                continue
            if not move(t, question, t.clans["r"], [source, target]):
                t.move_clerk(t.clans["r"], source, target)
                used.append(target)
                return


def move_qin(t: Table, n: int) -> None:
    """Clerks of Qin to his lowest locations (AMB-26)."""
    qin = t.clans["q"]
    used: Words = []
    for _ in range(n):
        low = lowest_first(t)
        target = next((place for place in low if not t.full(place) and place not in used), None)
        if target is None:
            return
        sources = ["reserve"] if qin.clerks else []
        sources += [
            place
            for place in reversed(low)
            if place != target and "q" in t.at[place] and not t.full(place) and place not in used
        ]
        if not sources:
            return
        t.move_clerk(qin, sources[0], target)
        used.append(target)


# Soldiers and walls.


def qin_spearman(t: Table, clan: Clan) -> None:
    """A free spearman of Qin's, or of Reed's where he is its overlord."""
    for section in indicated(t):
        spot = first_spot(t, section, "spearman")
        if spot and clan.reserve["spearman"]:
            clan.reserve["spearman"] -= 1
            cover(t, clan, "spearman", spot)
            return


def qin_archer(t: Table) -> None:
    qin = t.clans["q"]
    section = indicated(t)[0]
    if not qin.reserve["archer"] or not t.walls[section].free_slots():
        return
    qin.reserve["archer"] -= 1
    t.walls[section].add_firing("q", 1)
    spot = first_spot(t, section, "archer")
    if spot:
        shoot(t, qin, spot)


def qin_wall(t: Table) -> None:
    """The next wall of the indicated section, paid by the warehouse as far as it goes."""
    for section in indicated(t):
        wall = t.walls[section]
        if wall.level < 3:
            cost = s.WALL_COST[wall.level]
            for resource in t.ware:
                taken = min(cost, t.ware[resource])
                t.ware[resource] -= taken
                cost -= taken
            wall.level += 1
            t.honour(t.clans["q"], s.WALL_HONOUR[wall.level])
            return


def qin_block(t: Table, script: str) -> Words:
    """A block of Qin's own card."""
    _, card, block = script.split(".")
    qin = t.clans["q"]
    if block == "1":
        move_qin(t, s.QIN_FIRST[card])
        return []
    match s.QIN_THIRD[card].split():
        case ["honour", "assistants"]:
            t.honour(qin, len(qin.assistants))
        case ["honour", n]:
            t.honour(qin, int(n))
        case ["recruit", "archer"]:
            qin_archer(t)
        case ["recruit", _]:
            qin_spearman(t, qin)
        case ["wall"]:
            qin_wall(t)
        case _:
            place = next((place for place in lowest_first(t) if "q" in t.at[place]), None)
            return [f"activate:{place}:advanced"] if place is not None else []
    return []


# Reed and Qin at a location.


def _qin_at(t: Table, parts: Words) -> None:
    (place,) = parts
    if place == "barracks":
        for _ in range(t.at[place].count("q")):
            qin_spearman(t, t.clans["q"])
    t.then()


def _reed_at(t: Table, parts: Words) -> None:
    (place,) = parts
    overlord = t.overlord()
    by_qin = overlord.mark == "q"
    tasks: Words = []
    match place:
        case "barracks" if by_qin:
            qin_spearman(t, t.clans["r"])
        case "barracks":
            tasks = [f"reed-spear:{overlord.name}"]
        case "builders" if by_qin:
            section = next((letter for letter in indicated(t) if t.walls[letter].barricades < 3), None)
            if section is not None:
                t.walls[section].barricades += 1
        case "builders":
            tasks = [f"reed-barricade:{overlord.name}"]
        case "embassy" if by_qin:
            tasks = _dismissed(t, t.advisors[0]) if t.advisors else []
        case "embassy":
            tasks = [f"dismiss:{overlord.name}"]
        case "tea-house":
            for _ in t.tea if t.full(place) and set(t.at[place]) == {"r"} else [0]:
                t.rise("r")
        case "sawmill" | "quarry" | "gold-mine":
            t.ware[s.PRODUCE[place]] += 1
        case _:
            pass
    t.then(*tasks)


def _dismissed(t: Table, card: str) -> Words:
    t.advisors.remove(card)
    t.advisor_discard.append(card)
    return ["advisors:1"]


def _asked(t: Table, question: Question) -> Question | None:
    """Ask the overlord, where anything is possible."""
    if listed(t, question, question.who[0]):
        return question
    t.then()
    return None


def _reed_spear(t: Table, parts: Words) -> Question | None:
    if not t.clans["r"].reserve["spearman"]:
        t.then()
        return None
    return _asked(t, Question("reed-spear", [t.named(parts[0]).seat], {"reed-spearman"}))


def _speared(t: Table, _: Words, __: Actor, words: Words) -> None:
    t.clans["r"].reserve["spearman"] -= 1
    cover(t, t.clans["r"], "spearman", words[2])
    t.then()


def _reed_barricade(t: Table, parts: Words) -> Question | None:
    return _asked(t, Question("reed-barricade", [t.named(parts[0]).seat], {"reed-barricade"}))


def _barricaded(t: Table, _: Words, __: Actor, words: Words) -> None:
    t.walls[words[2]].barricades += 1
    t.then()


def _dismiss(t: Table, parts: Words) -> Question | None:
    return _asked(t, Question("dismiss", [t.named(parts[0]).seat], {"reed-dismiss"}))


TASKS: dict[str, Task] = {
    "qin-at": _qin_at,
    "reed-at": _reed_at,
    "reed-spear": _reed_spear,
    "reed-barricade": _reed_barricade,
    "dismiss": _dismiss,
}
REPLIES: dict[str, Reply] = {
    "reed-spear": _speared,
    "reed-barricade": _barricaded,
    "dismiss": lambda t, _, __, words: t.then(*_dismissed(t, words[2])),
}
