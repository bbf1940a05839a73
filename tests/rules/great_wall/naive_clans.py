"""What Reed and Qin do in the plain model of The Great Wall."""

from tests.rules.great_wall import naive_set as s
from tests.rules.great_wall.naive_effects import must, shift_clerk
from tests.rules.great_wall.naive_fight import cover, first_spot, shoot
from tests.rules.great_wall.naive_judge import move
from tests.rules.great_wall.naive_list import listed
from tests.rules.great_wall.naive_table import Clan, Flow, Question, Table, Words


def lowest_first(t: Table) -> Words:
    """The locations of Qin's track, from the lowest."""
    return [s.TOKENS[token] for token in reversed(t.qin_track)]


def indicated(t: Table) -> Words:
    """The section of the indicator, then the other one."""
    first = s.LETTER[t.top]
    return [first, *(section for section in t.walls if section != first)]


# Clerks.


def move_reed(t: Table, n: int) -> Flow:
    """Up to n clerks of Reed, moved by its overlord."""
    overlord = t.overlord()
    used: Words = []
    for _ in range(n):
        if overlord.mark == "q":
            _qin_moves_reed(t, used)
            continue
        question = Question("reed-clerks", [overlord.seat], {"reed-move", "done"}, used=used)
        if listed(t, question, overlord.seat) == ["done"]:
            return
        _, words = yield from must(t, question)
        if words[0] == "done":
            return
        shift_clerk(t, t.clans["r"], words[1], words[2])
        used.append(words[2])


def _qin_moves_reed(t: Table, used: Words) -> None:
    """From locations off his track, else from higher to lower ones (AMB-53)."""
    low = lowest_first(t)
    off = [place for place in s.LOCATIONS if place not in low]
    question = Question("reed-clerks", [], set(), used=used)
    for source in [*off, *reversed(low)]:
        for target in low:
            if source in low and low.index(target) > low.index(source):
                continue
            if not move(t, question, t.clans["r"], [source, target]):
                shift_clerk(t, t.clans["r"], source, target)
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
        shift_clerk(t, qin, sources[0], target)
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


# Reed at a location.


def reed_spear(t: Table) -> Flow:
    reed, overlord = t.clans["r"], t.overlord()
    if overlord.mark == "q":
        qin_spearman(t, reed)
        return
    question = Question("reed-spear", [overlord.seat], {"reed-spearman"})
    if reed.reserve["spearman"] and listed(t, question, overlord.seat):
        _, words = yield from must(t, question)
        reed.reserve["spearman"] -= 1
        cover(t, reed, "spearman", words[2])


def reed_barricade(t: Table) -> Flow:
    overlord = t.overlord()
    question = Question("reed-barricade", [overlord.seat], {"reed-barricade"})
    if overlord.mark == "q":
        section = next((letter for letter in indicated(t) if t.walls[letter].barricades < 3), None)
        if section is not None:
            t.walls[section].barricades += 1
    elif listed(t, question, overlord.seat):
        _, words = yield from must(t, question)
        t.walls[words[2]].barricades += 1


def reed_dismiss(t: Table) -> Flow:
    overlord = t.overlord()
    if not t.advisors:
        return
    card = t.advisors[0]
    if overlord.mark != "q":
        _, (_, _, card) = yield from must(t, Question("dismiss", [overlord.seat], {"reed-dismiss"}))
    t.advisors.remove(card)
    t.advisor_discard.append(card)
    yield from refill(t, 1)


def refill(t: Table, n: int, when: str = "") -> Flow:
    """Advisors onto the track."""
    for _ in range(n):
        t.shuffle_advisors()
        if not t.advisors_in_deck():
            return
        _, (_, card) = yield Question("advisors", [None], {"advisor"}, goal=when)
        t.advisors.append(card)
