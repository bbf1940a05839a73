"""Activated locations in the plain model of The Great Wall."""

from collections.abc import Callable

from tests.rules.great_wall import naive_set as s
from tests.rules.great_wall.naive_clans import qin_spearman, reed_barricade, reed_dismiss, reed_spear, refill
from tests.rules.great_wall.naive_effects import (
    Step,
    ask,
    build_barricade,
    draw_tactics,
    gain_shame,
    must,
    queue,
    raise_foreman,
    rise,
)
from tests.rules.great_wall.naive_fight import strike
from tests.rules.great_wall.naive_judge import amounts
from tests.rules.great_wall.naive_table import Actor, Answer, Clan, Flow, Question, Table, Words


def activate(t: Table, place: str, *, advanced: bool) -> Flow:
    """Everybody there resolves it, the clerks go home, and a lone colour may gain shame."""
    outer, t.activated = t.activated, place
    present = list(t.at[place])
    if place in s.PRODUCE:
        yield from _produce(t, place, present)
    else:
        yield from RESOLVE[place](t, present)
    for mark in present:
        if mark != "r":
            t.at[place].remove(mark)
            t.clans[mark].clerks += 1
    if "q" in present:
        token = next(token for token, home in s.TOKENS.items() if home == place)
        t.qin_track.remove(token)
        t.qin_track.insert(0, token)
    colours = set(present)
    t.activated = outer
    if not advanced and place in s.SHAME_ICON and len(colours) == 1 and t.human(present[0]):
        yield from gain_shame(t, t.clans[present[0]])


def _nothing(_: str) -> Flow:
    yield from ()


def _produce(t: Table, place: str, present: Words) -> Flow:
    resource = s.PRODUCE[place]
    for mark in t.in_tea(present):
        clan = t.clans[mark]
        level, _ = clan.foremen.get(place, (0, ""))
        if t.human(mark):
            t.gain(clan, resource, present.count(mark) + level)
        elif mark == "q":
            t.honour(clan, present.count(mark) * level)
        elif place == "temple" and t.human(t.turn) and t.clans[t.turn].tokens():
            active = t.clans[t.turn]
            _, (_, token) = yield from must(t, Question("absolve", [active.seat], {"absolve"}))
            t.return_token(active, token)

    def able(clan: Clan) -> bool:
        level, _ = clan.foremen.get(place, (0, ""))
        return level < 3 and (level > 0 or any(clan.usable(kind) for kind in s.KINDS))

    def upgrade(clan: Clan, answer: Answer) -> Flow:
        if answer[1][0] == "upgrade":
            raise_foreman(t, clan, answer[1])
        yield from ()

    def ask_upgrade(who: list[Actor]) -> Question:
        return Question("upgrade", who, {"upgrade", "done"}, "resolve", place=place)

    yield from queue(t, t.in_tea(present), Step(ask_upgrade, upgrade, _nothing, able))
    if place == "temple":
        return

    def donate(clan: Clan, answer: Answer) -> Flow:
        if answer[1][0] == "donate":
            clan.held[resource] -= 1
            t.ware[resource] += 1
            t.honour(clan, max(0, s.DONATION + t.passive("donation")))
            t.occasion(clan, "donate")
        yield from ()

    def give(mark: str) -> Flow:
        t.ware[resource] += mark == "r"
        yield from ()

    def ask_donate(who: list[Actor]) -> Question:
        return Question("donate", who, {"donate", "done"}, "resolve", place=place)

    yield from queue(t, t.in_tea(present), Step(ask_donate, donate, give))


def _tea_house(t: Table, present: Words) -> Flow:
    alone = len(set(present)) == 1 and t.full("tea-house")

    def wanted(clan: Clan) -> bool:
        return t.tea[0] != clan.mark

    def climb(clan: Clan, answer: Answer) -> Flow:
        if answer[1][0] == "rise":
            for _ in t.tea if alone else [0]:
                rise(t, clan.mark)
        yield from ()

    def reed(mark: str) -> Flow:
        rise(t, mark)
        yield from ()

    def make(who: list[Actor]) -> Question:
        return Question("rise", who, {"rise", "done"}, "resolve")

    yield from queue(t, t.in_tea(present), Step(make, climb, reed, wanted, free=False))


def _by_clerk(
    t: Table,
    present: Words,
    make: Callable[[list[Actor], Words], Question],
    do: Callable[[Clan, Words, Words], Flow],
    automatic: Callable[[str], Flow],
) -> Flow:
    """A question for each clerk; `done` gives up all that are left. `used` is what a seat has used in it."""

    def handle(clan: Clan, first: Answer) -> Flow:
        used: Words = []
        t.owing = t.activated in ("barracks", "builders")
        answer: Answer | None = first
        for left in reversed(range(present.count(clan.mark))):
            if answer is None or answer[1][0] == "done":
                break
            yield from do(clan, answer[1], used)
            if left:
                answer = yield from ask(t, make([clan.seat], used))
        t.credit()

    yield from queue(t, t.in_tea(present), Step(lambda who: make(who, []), handle, automatic))


def _barracks(t: Table, present: Words) -> Flow:
    def make(who: list[Actor], _: Words) -> Question:
        return Question("recruit", who, {"recruit", "done"}, "resolve")

    def do(clan: Clan, words: Words, _: Words) -> Flow:
        kind = words[1]
        clan.reserve[kind] -= 1
        for resource, n in s.COST[kind].items():
            clan.held[resource] -= n
        t.occasion(clan, "recruit")
        if words[2] == "rest":
            t.walls[words[3]].add_rest(clan.mark, kind, 1)
        else:
            strike(t, clan, kind, words[2])
        yield from ()

    def automatic(mark: str) -> Flow:
        if mark == "r":
            yield from reed_spear(t)
        else:
            for _ in range(present.count("q")):
                qin_spearman(t, t.clans["q"])

    yield from _by_clerk(t, present, make, do, automatic)


def _builders(t: Table, present: Words) -> Flow:
    def make(who: list[Actor], used: Words) -> Question:
        built = used if t.settings["double-build"] == "no" else []
        return Question("build", who, {"barricade", "wall", "done"}, "resolve", used=built)

    def do(clan: Clan, words: Words, used: Words) -> Flow:
        wall = t.walls[words[1]]
        _pay(t, clan, s.BARRICADE_COST if words[0] == "barricade" else s.WALL_COST[wall.level], words[2])
        if words[0] == "barricade":
            build_barricade(t, clan, words[1])
            return
        wall.level += 1
        used.append(words[1])
        t.honour(clan, s.WALL_HONOUR[wall.level])
        t.occasion(clan, "wall")
        if t.coop and clan.discarded:
            _, said = yield from must(t, Question("again", [clan.seat], {"recover-card", "done"}))
            if said[0] == "recover":
                clan.discarded.remove(said[1])
                clan.hand.append(said[1])

    def automatic(_: str) -> Flow:
        yield from reed_barricade(t)

    yield from _by_clerk(t, present, make, do, automatic)


def _pay(t: Table, clan: Clan, cost: int, text: str) -> None:
    pay = {{"w": "wood", "s": "stone", "g": "gold"}[letter]: n for letter, n in amounts(text).items()}
    if sum(t.ware.values()) >= cost:
        purse = t.ware
    else:
        t.ware = dict.fromkeys(t.ware, 0)
        purse = clan.held
    for resource, n in pay.items():
        purse[resource] -= n


def _embassy(t: Table, present: Words) -> Flow:
    def make(who: list[Actor], _: Words) -> Question:
        return Question("hire", who, {"hire", "done"}, "resolve")

    def do(clan: Clan, words: Words, _: Words) -> Flow:
        if words[1] == "clerk":
            clan.held["gold"] -= s.CLERK_GOLD
            clan.space -= 1
            clan.clerks += 1
            t.occasion(clan, "hire")
            return
        clan.held["gold"] -= len(clan.active) + len(clan.assistants) + 1
        t.occasion(clan, "hire")
        t.advisors.remove(words[1])
        (clan.active if words[2] == "active" else clan.assistants).append(words[1])
        yield from refill(t, 1)

    def automatic(_: str) -> Flow:
        yield from reed_dismiss(t)

    yield from _by_clerk(t, present, make, do, automatic)


def _logistics(t: Table, present: Words) -> Flow:
    def make(who: list[Actor], _: Words) -> Question:
        return Question("march", who, {"march", "done"}, "resolve")

    def do(clan: Clan, words: Words, _: Words) -> Flow:
        origin, goal = t.walls[words[1]], t.walls[words[2]]
        verbs = {"shift", "lower", "cross", "done"}
        while True:
            question = Question("shift", [clan.seat], verbs, place=words[1], goal=words[2])
            said = (yield from must(t, question))[1]
            if said[0] == "done":
                return
            n = int(said[-1])
            if said[0] == "shift":
                origin.add_rest(clan.mark, said[1], -n)
                goal.add_rest(clan.mark, said[1], n)
                continue
            origin.add_firing(clan.mark, -n)
            if said[0] == "lower":
                goal.add_rest(clan.mark, "archer", n)
            else:
                goal.add_firing(clan.mark, n)

    yield from _by_clerk(t, present, make, do, _nothing)


def _academy(t: Table, present: Words) -> Flow:
    def make(who: list[Actor]) -> Question:
        counts = {t.clan(seat).mark: present.count(t.clan(seat).mark) for seat in who}
        return Question("study", who, {"study"}, "resolve", spent=counts)

    def study(clan: Clan, answer: Answer) -> Flow:
        yield from draw_tactics(t, clan, int(answer[1][1]))

    yield from queue(t, t.in_tea(present), Step(make, study, _nothing))


RESOLVE: dict[str, Callable[[Table, Words], Flow]] = {
    "barracks": _barracks,
    "tea-house": _tea_house,
    "builders": _builders,
    "embassy": _embassy,
    "logistics": _logistics,
    "academy": _academy,
}
