"""Attacks, defeats, the assault and the dead in the plain model of The Great Wall."""

from tests.rules.great_wall import naive_set as s
from tests.rules.great_wall.naive_fight_judge import can_wound, chi_for, read_figures, read_spots
from tests.rules.great_wall.naive_list import listed
from tests.rules.great_wall.naive_table import Actor, Card, Clan, Question, Table, Wall, Words, soldier
from tests.rules.great_wall.naive_tasks import Reply, Task, joined, more, parts_of, step, strategy_window


def cover(t: Table, clan: Clan, kind: str, spots: str) -> None:
    """A soldier onto a horde, with the rewards of its spots."""
    section, line, cells = read_spots(spots)
    card = t.card(section, line)
    assert card is not None
    taken = {covered for covered in card.spots.values() if covered[0] == clan.mark}
    covered = clan.mark
    if kind == "horseman":
        covered = next(name for name in (f"{clan.mark}h{n}" for n in range(3)) if name not in taken)
    marks = s.cells(card.name)
    for cell in cells:
        card.spots[cell] = covered
        if t.human(clan.mark):
            _give(t, clan, marks[cell])
        else:
            t.honour(clan, 2)
    t.occasion(clan, "cover")


def _give(t: Table, clan: Clan, mark: str) -> None:
    if mark.isdigit():
        t.honour(clan, int(mark))
    elif mark != "o":
        t.gain(clan, {resource[0]: resource for resource in s.RESOURCES}[mark], 1)


def shoot(t: Table, clan: Clan, spot: str) -> None:
    t.wound(spot)
    if t.human(clan.mark):
        t.occasion(clan, "shoot")
    else:
        t.honour(clan, 2)


def strike(t: Table, clan: Clan, kind: str, target: str) -> None:
    """A recruit, or a soldier that rested, attacks."""
    if kind != "archer":
        cover(t, clan, kind, target)
        return
    t.walls[target[0]].add_firing(clan.mark, 1)
    if len(target) > 1:
        shoot(t, clan, target)


def _order(t: Table, parts: Words) -> Question | None:
    """Resting soldiers attack and archers in slots shoot, each once."""
    clan = t.named(parts[0])
    spent = dict(zip(s.SECTIONS, map(int, parts[1].split(".")), strict=True))
    plain = Question("order", [clan.seat], {"attack", "shoot"}, spent=spent)
    if listed(t, plain, clan.seat):
        verbs = {"attack", "shoot", "done"}
        return Question("order", [clan.seat], verbs, strategy_window(t, clan), spent=spent)
    t.then()
    return None


def _ordered(t: Table, parts: Words, _: Actor, words: Words) -> None:
    if words[0] == "done":
        t.then()
        return
    name, shot = parts
    clan, section = t.named(name), words[-1][0]
    spent = [int(n) for n in shot.split(".")]
    if words[0] == "attack":
        t.walls[section].add_rest(clan.mark, words[1], -1)
        strike(t, clan, words[1], words[2])
    else:
        shoot(t, clan, words[1])
    if words[0] == "shoot" or words[1] == "archer":
        spent[s.SECTIONS.index(section)] += 1
    t.then(f"order:{name}:{'.'.join(map(str, spent))}")


# The dead.


def leave(card: Card, mark: str, kind: str, n: int) -> None:
    """The first soldiers of a kind in reading order leave a card; wounds take their place."""
    for _ in range(n):
        covered = next(there for there in card.spots.values() if there[0] == mark and soldier(there) == kind)
        if kind == "horseman":
            cells = [cell for cell, there in card.spots.items() if there == covered]
        else:
            cells = [next(cell for cell, there in card.spots.items() if there == covered)]
        for cell in cells:
            card.spots[cell] = "x"


def bury(
    t: Table, clan: Clan, wall: Wall, card: Card | None, gone: tuple[dict[str, int], dict[str, int]]
) -> None:
    """The killed go to the reserve, the saved to the rest zone."""
    killed, saved = gone
    for kind in s.KINDS:
        dead, safe = killed.get(kind, 0), saved.get(kind, 0)
        if card is None:
            wall.add_firing(clan.mark, -dead - safe if kind == "archer" else 0)
        else:
            leave(card, clan.mark, kind, dead + safe)
        clan.reserve[kind] += dead
        wall.add_rest(clan.mark, kind, safe)
        if dead:
            t.occasion(clan, "killed", dead)
        if safe:
            t.occasion(clan, "saved", safe)


def at_risk(t: Table, mark: str, section: str, name: str) -> tuple[int, dict[str, int]]:
    """How many soldiers of a clan die on a card, or in the slots, and among which."""
    wall = t.walls[section]
    if name == "-":
        archers = wall.firing.get(mark, 0)
        return archers, {"archer": archers}
    card = next(card for card in wall.hordes if card.name == name)
    risk = t.soldiers_on(card, mark)
    return min(t.mortality(name), sum(risk.values())), risk


def _kill(t: Table, parts: Words) -> None:
    """A batch: clan by clan in tea order, each at all its places."""
    section, name = parts
    places = [name] if name != "-" else [*(card.name for card in t.walls[section].hordes), "-"]
    tasks = [
        f"{'lose' if t.human(mark) else 'dies'}:{t.clans[mark].name}:{section}:{place}"
        for mark in t.tea
        for place in places
        if at_risk(t, mark, section, place)[0]
    ]
    t.then(*tasks, "batch-end")


def _lose(t: Table, parts: Words) -> Question | None:
    clan = t.named(parts[0])
    n, risk = at_risk(t, clan.mark, *parts[1:])
    if n:
        return Question("lose", [clan.seat], {"lose"}, "losses", n=n, risk=risk)
    t.then()
    return None


def _lost(t: Table, parts: Words, _: Actor, words: Words) -> None:
    clan = t.named(parts[0])
    killed, saved = read_figures(words[1]), read_figures(words[3])
    count = sum(saved.values())
    clan.held["chi"] -= chi_for(t, clan, count)
    clan.saves = max(0, clan.saves - count)
    _bury_at(t, parts, (killed, saved))
    t.then()


def _dies(t: Table, parts: Words) -> None:
    """Reed and Qin save nobody; spearmen die first."""
    n, risk = at_risk(t, t.named(parts[0]).mark, *parts[1:])
    spearmen = min(n, risk.get("spearman", 0))
    killed = risk if parts[2] == "-" else {"spearman": spearmen, "horseman": n - spearmen}
    _bury_at(t, parts, (killed, {}))
    t.then()


def _bury_at(t: Table, parts: Words, gone: tuple[dict[str, int], dict[str, int]]) -> None:
    name, section, place = parts
    wall = t.walls[section]
    card = next((card for card in wall.hordes if card.name == place), None)
    bury(t, t.named(name), wall, card, gone)


def _batch_end(t: Table, _: Words) -> None:
    for clan in t.seats:
        t.credit(clan)
        clan.saves = 0
    t.then()


# Defeats.


def _check(t: Table, _: Words) -> None:
    """Every card that is full now is defeated."""
    full = [card.name for wall in t.walls.values() for card in wall.hordes if "." not in card.spots.values()]
    t.then(*([f"defeat:{joined(full)}"] if full else []))


def _defeat(t: Table, parts: Words) -> None:
    name, *rest = parts_of(parts[0])
    wall, card = next((wall, card) for wall in t.walls.values() for card in wall.hordes if card.name == name)
    spots = {mark: sum(covered[0] == mark for covered in card.spots.values()) for mark in t.tea}
    claimer = max(t.tea, key=lambda mark: spots[mark])
    for mark in t.tea:
        if spots[mark]:
            t.honour(t.clans[mark], 2)
            t.occasion(t.clans[mark], "share")
    for mark in t.tea:
        t.honour(t.clans[mark], 2 * wall.firing.get(mark, 0))
    who = t.clans[claimer].name if spots[claimer] else "-"
    left = [f"defeat:{joined(rest)}"] if rest else []
    t.then(f"kill:{wall.letter}:{name}", f"claim:{wall.letter}:{name}:{who}", *left)


def _claim(t: Table, parts: Words) -> None:
    section, name, who = parts
    wall = t.walls[section]
    card = next(card for card in wall.hordes if card.name == name)
    if who in ("-", "reed"):
        t.horde_discard.append(name)
    else:
        claim(t, t.named(who), name)
    for mark in t.tea:
        for kind, n in t.soldiers_on(card, mark).items():
            if t.human(mark):
                wall.add_rest(mark, kind, n)
            else:
                t.clans[mark].reserve[kind] += n
    wall.hordes.remove(card)
    t.then()


def claim(t: Table, clan: Clan, name: str) -> None:
    cards = s.COOP_HORDES if t.coop else s.HORDES
    clan.claimed = {card: clan.claimed.get(card, 0) for card in cards if card in clan.claimed or card == name}
    if t.coop and t.settings["coop-claim"] == "reward":
        t.honour(clan, s.reward(name))
    t.occasion(clan, "claim")


# Winter.


def _fire_section(t: Table, parts: Words) -> None:
    firing = t.walls[parts[0]].firing
    t.then(*step(t, "fire", [mark for mark in t.tea if firing.get(mark, 0)], section=parts[0]))


def _fire(t: Table, parts: Words) -> Question | None:
    """Every archer in a slot of a section wounds a spot there."""
    name, section, _ = parts
    if can_wound(t, section):
        return Question("fire", [t.named(name).seat], {"shoot"}, "fire", place=section)
    t.then()
    return None


def _fired(t: Table, parts: Words, _: Actor, words: Words) -> None:
    name, section, left = parts
    shoot(t, t.named(name), words[1])
    t.then(*more(f"fire:{name}:{section}", int(left) - 1))


def _qin_fires(t: Table, parts: Words) -> None:
    (section,) = parts
    for _ in range(t.walls[section].firing["q"]):
        if can_wound(t, section):
            shoot(t, t.clans["q"], first_spot(t, section, "archer"))
    t.then()


def first_spot(t: Table, section: str, kind: str) -> str:
    """The spot that Qin takes: the nearest card, then down its columns (or along its rows)."""
    spots = list(t.empty_spots(section, 1 if kind == "spearman" else 3, kind))
    if t.settings["qin-fill"] == "columns":
        spots.sort(key=lambda spot: (spot[1], spot[2], spot[3]))
    return spots[0] if spots else ""


def _assault(t: Table, parts: Words) -> None:
    """A section holds, or is breached."""
    (section,) = parts
    wall = t.walls[section]
    if t.defence(wall) >= t.power(wall):
        for mark in t.tea:
            t.occasion(t.clans[mark], "hold")
        t.then()
        return
    tasks: Words = []
    for mark in t.tea:
        if t.human(mark):
            absent = sum(not sum(t.soldiers_on(card, mark).values()) for card in wall.hordes)
            tasks += more(f"take-shame:{t.clans[mark].name}", absent)
    t.then(*tasks, f"kill:{section}:-")


def _clear_barricades(t: Table, _: Words) -> None:
    for wall in t.walls.values():
        wall.barricades = 0
    t.then()


TASKS: dict[str, Task] = {
    "order": _order,
    "kill": _kill,
    "lose": _lose,
    "dies": _dies,
    "batch-end": _batch_end,
    "check": _check,
    "defeat": _defeat,
    "claim": _claim,
    "fire-section": _fire_section,
    "fire": _fire,
    "qin-fires": _qin_fires,
    "assault": _assault,
    "clear-barricades": _clear_barricades,
}
REPLIES: dict[str, Reply] = {"order": _ordered, "lose": _lost, "fire": _fired}
