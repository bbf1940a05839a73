"""Attacks, defeats, the assault and the dead in the plain model of The Great Wall."""

from tests.rules.great_wall import naive_set as s
from tests.rules.great_wall.naive_effects import Step, ask, gain_shame, put_wound, queue
from tests.rules.great_wall.naive_fight_judge import can_wound, chi_for, read_figures, read_spots
from tests.rules.great_wall.naive_list import listed
from tests.rules.great_wall.naive_table import (
    Actor,
    Answer,
    Card,
    Clan,
    Flow,
    Question,
    Table,
    Wall,
    Words,
    soldier,
)


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
    put_wound(t, spot)
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


def attack_order(t: Table, clan: Clan, window: str) -> Flow:
    """Resting soldiers attack and archers in slots shoot, each once."""
    t.owing = True
    question = Question("order", [clan.seat], {"attack", "shoot", "done"}, window)

    def able(_: Clan) -> bool:
        plain = Question("order", [clan.seat], {"attack", "shoot"}, spent=question.spent)
        return bool(listed(t, plain, clan.seat))

    while able(clan):
        answer = yield from ask(t, question, able)
        if answer is None or answer[1][0] == "done":
            break
        words = answer[1]
        section = words[-1][0]
        if words[0] == "attack":
            t.walls[section].add_rest(clan.mark, words[1], -1)
            strike(t, clan, words[1], words[2])
        else:
            shoot(t, clan, words[1])
        if words[0] == "shoot" or words[1] == "archer":
            question.spent[section] = question.spent.get(section, 0) + 1
    t.credit()


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


def lose(t: Table, clan: Clan, wall: Wall, card: Card | None) -> Flow:
    """A clan loses soldiers on a card, or all of its archers in the slots."""
    if card is None:
        risk = {"archer": wall.firing.get(clan.mark, 0)}
        n = risk["archer"]
    else:
        risk = t.soldiers_on(card, clan.mark)
        n = min(t.mortality(card.name), sum(risk.values()))
    if n == 0:
        return
    if not t.human(clan.mark):
        spearmen = min(n, risk.get("spearman", 0))
        killed = risk if card is None else {"spearman": spearmen, "horseman": n - spearmen}
        bury(t, clan, wall, card, (killed, {}))
        return
    question = Question("lose", [clan.seat], {"lose"}, "losses", n=n, risk=risk)
    answer = yield from ask(t, question)
    assert answer is not None
    killed, saved = read_figures(answer[1][1]), read_figures(answer[1][3])
    count = sum(saved.values())
    clan.held["chi"] -= chi_for(t, clan, count)
    clan.saves = max(0, clan.saves - count)
    bury(t, clan, wall, card, (killed, saved))


def end_batch(t: Table) -> None:
    t.credit()
    for clan in t.seats:
        clan.saves = 0


# Defeats.


def check(t: Table) -> Flow:
    """Every card that is full now is defeated."""
    full = [
        (wall, card) for wall in t.walls.values() for card in wall.hordes if "." not in card.spots.values()
    ]
    for wall, card in full:
        yield from _defeat(t, wall, card)


def _defeat(t: Table, wall: Wall, card: Card) -> Flow:
    spots = {mark: sum(covered[0] == mark for covered in card.spots.values()) for mark in t.tea}
    claimer = max(t.tea, key=lambda mark: spots[mark])
    for mark in t.tea:
        if spots[mark]:
            t.honour(t.clans[mark], 2)
            t.occasion(t.clans[mark], "share")
    for mark in t.tea:
        t.honour(t.clans[mark], 2 * wall.firing.get(mark, 0))
    t.owing = True
    for mark in list(t.tea):
        yield from lose(t, t.clans[mark], wall, card)
    end_batch(t)
    if spots[claimer] == 0 or claimer == "r":
        t.horde_discard.append(card.name)
    else:
        claim(t, t.clans[claimer], card.name)
    for mark in t.tea:
        for kind, n in t.soldiers_on(card, mark).items():
            if t.human(mark):
                wall.add_rest(mark, kind, n)
            else:
                t.clans[mark].reserve[kind] += n
    wall.hordes.remove(card)


def claim(t: Table, clan: Clan, name: str) -> None:
    cards = s.COOP_HORDES if t.coop else s.HORDES
    clan.claimed = {card: clan.claimed.get(card, 0) for card in cards if card in clan.claimed or card == name}
    if t.coop and t.settings["coop-claim"] == "reward":
        t.honour(clan, s.reward(name))
    t.occasion(clan, "claim")


# Winter.


def fire(t: Table, wall: Wall) -> Flow:
    """Every archer in a slot of a section wounds a spot there."""
    left = dict(wall.firing)

    def wanted(clan: Clan) -> bool:
        return left.get(clan.mark, 0) > 0 and can_wound(t, wall.letter)

    def make(who: list[Actor]) -> Question:
        return Question("fire", who, {"shoot"}, "fire", place=wall.letter)

    def handle(clan: Clan, first: Answer) -> Flow:
        answer: Answer | None = first
        while answer is not None:
            shoot(t, clan, answer[1][1])
            left[clan.mark] -= 1
            answer = None
            if wanted(clan):
                answer = yield from ask(t, make([clan.seat]), wanted)

    def automatic(mark: str) -> Flow:
        while wanted(t.clans[mark]):
            shoot(t, t.clans[mark], first_spot(t, wall.letter, "archer"))
            left[mark] -= 1
        yield from ()

    marks = [mark for mark in t.tea if left.get(mark, 0)]
    yield from queue(t, marks, Step(make, handle, automatic, wanted))


def first_spot(t: Table, section: str, kind: str) -> str:
    """The spot that Qin takes: the nearest card, then down its columns (or along its rows)."""
    spots = list(t.empty_spots(section, 1 if kind == "spearman" else 3, kind))
    if t.settings["qin-fill"] == "columns":
        spots.sort(key=lambda spot: (spot[1], spot[2], spot[3]))
    return spots[0] if spots else ""


def assault(t: Table, wall: Wall) -> Flow:
    """A section holds, or is breached."""
    if t.defence(wall) >= t.power(wall):
        for mark in t.tea:
            t.occasion(t.clans[mark], "hold")
        return
    hordes = list(wall.hordes)
    humans: Words = [mark for mark in t.tea if t.human(mark)]
    for mark in humans:
        for card in hordes:
            if not sum(t.soldiers_on(card, mark).values()):
                yield from gain_shame(t, t.clans[mark])
    t.owing = True
    for mark in list(t.tea):
        for card in hordes:
            yield from lose(t, t.clans[mark], wall, card)
        yield from lose(t, t.clans[mark], wall, None)
    end_batch(t)
