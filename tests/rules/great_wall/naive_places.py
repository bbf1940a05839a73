"""The activation step and activated locations in the plain model of The Great Wall."""

from tests.rules.great_wall import naive_set as s
from tests.rules.great_wall.naive_clans import lowest_first
from tests.rules.great_wall.naive_effects import raise_foreman
from tests.rules.great_wall.naive_fight import strike
from tests.rules.great_wall.naive_judge import amounts
from tests.rules.great_wall.naive_table import Actor, Clan, Question, Table, Words
from tests.rules.great_wall.naive_tasks import (
    Reply,
    Task,
    can_upgrade,
    joined,
    more,
    parts_of,
    places_with,
    step,
)

STEPS = {
    "barracks": "recruit",
    "builders": "build",
    "embassy": "hire",
    "logistics": "march",
    "academy": "study",
}

# The step.


def _start_acts(t: Table, parts: Words) -> None:
    """Qin's own locations come first where he orders them."""
    (name,) = parts
    chooser = t.overlord() if name == "reed" else t.named(name)
    order: Words = []
    if chooser.mark == "q":
        order = [place for place in lowest_first(t) if "q" in t.at[place] and t.eligible(place)]
        order = order if t.settings["qin-order"] == "lowest" else order[::-1]
    t.then(f"acts:{name}:-:{joined(order)}")


def _acts(t: Table, parts: Words) -> Question | None:
    name, done, fixed = parts
    used, order = parts_of(done), parts_of(fixed)
    eligible = [place for place in s.LOCATIONS if t.eligible(place) and place not in used]
    if not eligible:
        t.then()
        return None
    if order or len(eligible) == 1:
        _act(t, parts, None, ["activate", order[0] if order else eligible[0]])
        return None
    chooser = t.overlord() if name == "reed" else t.named(name)
    seat = 0 if chooser.mark == "q" else chooser.seat
    return Question("acts", [seat], {"activate"}, used=used)


def _act(t: Table, parts: Words, _: Actor, words: Words) -> None:
    name, done, fixed = parts
    place = words[1]
    left = [other for other in parts_of(fixed) if other != place]
    t.then(f"activate:{place}:plain", f"acts:{name}:{places_with(done, place)}:{joined(left)}")


def _activate(t: Table, parts: Words) -> None:
    """Everybody there resolves it, the clerks go home, and a lone colour may gain shame."""
    place, how = parts
    present = t.in_tea(t.at[place])
    home = f"home:{place}:{how}"
    if place in s.PRODUCE:
        names = joined(t.clans[mark].name for mark in present)
        donating = [] if place == "temple" else [f"donating:{place}"]
        t.then(f"collect:{place}:{names}", f"upgrading:{place}", *donating, home)
    elif place == "tea-house":
        alone = "alone" if len(present) == 1 and t.full(place) else "shared"
        rises = [
            f"rise:{t.clans[mark].name}:{alone}" if t.human(mark) else f"reed-at:{place}" for mark in present
        ]
        t.then(*rises, home)
    else:
        t.then(*step(t, STEPS[place], present, place), home)


def _home(t: Table, parts: Words) -> None:
    place, how = parts
    present = list(t.at[place])
    for mark in present:
        if mark != "r":
            t.at[place].remove(mark)
            t.clans[mark].clerks += 1
    if "q" in present:
        token = next(token for token, home in s.TOKENS.items() if home == place)
        t.qin_track.remove(token)
        t.qin_track.insert(0, token)
    alone = how == "plain" and place in s.SHAME_ICON and len(set(present)) == 1 and t.human(present[0])
    t.then(*([f"take-shame:{t.clans[present[0]].name}:1"] if alone else []))


# Production.


def _in_turn(t: Table, what: str, place: str) -> None:
    """Qin neither upgrades nor donates."""
    t.then(*step(t, what, [mark for mark in t.at[place] if mark != "q"], place))


def _collect(t: Table, parts: Words) -> None:
    place, names = parts
    clans = parts_of(names)
    if not clans:
        t.then()
        return
    clan, present = t.named(clans[0]), t.at[place]
    level, _ = clan.foremen.get(place, (0, ""))
    tasks = [f"collect:{place}:{joined(clans[1:])}"]
    if t.human(clan.mark):
        t.gain(clan, s.PRODUCE[place], present.count(clan.mark) + level)
    elif clan.mark == "q":
        t.honour(clan, present.count(clan.mark) * level)
    elif place == "temple" and t.human(t.turn):
        tasks.insert(0, f"absolve:{t.clans[t.turn].name}")
    t.then(*tasks)


def _absolve(t: Table, parts: Words) -> Question | None:
    clan = t.named(parts[0])
    if clan.tokens():
        return Question("absolve", [clan.seat], {"absolve"})
    t.then()
    return None


def _absolved(t: Table, parts: Words, _: Actor, words: Words) -> None:
    t.return_token(t.named(parts[0]), words[1])
    t.then()


def _upgrade(t: Table, parts: Words) -> Question | None:
    name, place = parts
    clan = t.named(name)
    if can_upgrade(clan, place):
        return Question("upgrade", [clan.seat], {"upgrade", "done"}, "resolve", place=place)
    t.then()
    return None


def _upgraded(t: Table, parts: Words, _: Actor, words: Words) -> None:
    if words[0] == "upgrade":
        raise_foreman(t, t.named(parts[0]), words)
    t.then()


def _donate(t: Table, parts: Words) -> Question:
    name, place = parts
    return Question("donate", [t.named(name).seat], {"donate", "done"}, "resolve", place=place)


def _donated(t: Table, parts: Words, _: Actor, words: Words) -> None:
    name, place = parts
    if words[0] == "donate":
        clan, resource = t.named(name), s.PRODUCE[place]
        clan.held[resource] -= 1
        t.ware[resource] += 1
        t.honour(clan, max(0, s.DONATION + t.passive("donation")))
        t.occasion(clan, "donate")
    t.then()


# Tea house.


def _rise(t: Table, parts: Words) -> Question | None:
    clan = t.named(parts[0])
    if t.tea[0] != clan.mark:
        return Question("rise", [clan.seat], {"rise", "done"}, "resolve")
    t.then()
    return None


def _risen(t: Table, parts: Words, _: Actor, words: Words) -> None:
    name, how = parts
    if words[0] == "rise":
        for _place in t.tea if how == "alone" else [0]:
            t.rise(t.named(name).mark)
    t.then()


# A question for each clerk; `done` gives up all that are left.


def _settle(t: Table, parts: Words) -> None:
    t.credit(t.named(parts[0]))
    t.then()


def _recruit(t: Table, parts: Words) -> Question:
    return Question("recruit", [t.named(parts[0]).seat], {"recruit", "done"}, "resolve")


def _recruited(t: Table, parts: Words, _: Actor, words: Words) -> None:
    name, left = parts
    if words[0] == "done":
        t.then()
        return
    clan, kind = t.named(name), words[1]
    clan.reserve[kind] -= 1
    for resource, n in s.COST[kind].items():
        clan.held[resource] -= n
    t.occasion(clan, "recruit")
    if words[2] == "rest":
        t.walls[words[3]].add_rest(clan.mark, kind, 1)
    else:
        strike(t, clan, kind, words[2])
    t.then(*more(f"recruit:{name}", int(left) - 1))


def _build(t: Table, parts: Words) -> Question:
    name, _, built = parts
    return Question("build", [t.named(name).seat], {"barricade", "wall", "done"}, "resolve", used=list(built))


def _built(t: Table, parts: Words, _: Actor, words: Words) -> None:
    name, left, built = parts
    if words[0] == "done":
        t.then()
        return
    clan, wall = t.named(name), t.walls[words[1]]
    _pay(t, clan, s.BARRICADE_COST if words[0] == "barricade" else s.WALL_COST[wall.level], words[2])
    again: Words = []
    if words[0] == "barricade":
        t.build_barricade(clan, words[1])
    else:
        wall.level += 1
        if t.settings["double-build"] == "no":
            built = "".join(section for section in s.SECTIONS if section in (*built, words[1]))
        t.honour(clan, s.WALL_HONOUR[wall.level])
        t.occasion(clan, "wall")
        again = [f"again:{name}"] if t.coop else []
    t.then(*again, *more(f"build:{name}", int(left) - 1, built))


def _pay(t: Table, clan: Clan, cost: int, text: str) -> None:
    pay = {{"w": "wood", "s": "stone", "g": "gold"}[letter]: n for letter, n in amounts(text).items()}
    if sum(t.ware.values()) >= cost:
        purse = t.ware
    else:
        t.ware = dict.fromkeys(t.ware, 0)
        purse = clan.held
    for resource, n in pay.items():
        purse[resource] -= n


def _again(t: Table, parts: Words) -> Question | None:
    clan = t.named(parts[0])
    if clan.discarded:
        return Question("again", [clan.seat], {"recover-card", "done"})
    t.then()
    return None


def _taken_back(t: Table, parts: Words, _: Actor, words: Words) -> None:
    if words[0] == "recover":
        clan = t.named(parts[0])
        clan.discarded.remove(words[1])
        clan.hand.append(words[1])
    t.then()


def _hire(t: Table, parts: Words) -> Question:
    return Question("hire", [t.named(parts[0]).seat], {"hire", "done"}, "resolve")


def _hired(t: Table, parts: Words, _: Actor, words: Words) -> None:
    name, left = parts
    if words[0] == "done":
        t.then()
        return
    clan, rest = t.named(name), more(f"hire:{name}", int(left) - 1)
    if words[1] == "clerk":
        clan.held["gold"] -= s.CLERK_GOLD
        clan.space -= 1
        clan.clerks += 1
    else:
        clan.held["gold"] -= len(clan.active) + len(clan.assistants) + 1
    t.occasion(clan, "hire")
    if words[1] != "clerk":
        t.advisors.remove(words[1])
        (clan.active if words[2] == "active" else clan.assistants).append(words[1])
        rest.insert(0, "advisors:1")
    t.then(*rest)


def _march(t: Table, parts: Words) -> Question:
    return Question("march", [t.named(parts[0]).seat], {"march", "done"}, "resolve")


def _marched(t: Table, parts: Words, _: Actor, words: Words) -> None:
    name, left = parts
    if words[0] == "done":
        t.then()
    else:
        t.then(f"shift:{name}:{words[1]}:{words[2]}", *more(f"march:{name}", int(left) - 1))


def _shift(t: Table, parts: Words) -> Question:
    name, origin, goal = parts
    verbs = {"shift", "lower", "cross", "done"}
    return Question("shift", [t.named(name).seat], verbs, place=origin, goal=goal)


def _shifted(t: Table, parts: Words, _: Actor, words: Words) -> None:
    if words[0] == "done":
        t.then()
        return
    mark, origin, goal, n = t.named(parts[0]).mark, t.walls[parts[1]], t.walls[parts[2]], int(words[-1])
    if words[0] == "shift":
        origin.add_rest(mark, words[1], -n)
        goal.add_rest(mark, words[1], n)
        return
    origin.add_firing(mark, -n)
    if words[0] == "lower":
        goal.add_rest(mark, "archer", n)
    else:
        goal.add_firing(mark, n)


def _study(t: Table, parts: Words) -> Question:
    name, most = parts
    clan = t.named(name)
    return Question("study", [clan.seat], {"study"}, "resolve", spent={clan.mark: int(most)})


def _studied(t: Table, parts: Words, _: Actor, words: Words) -> None:
    t.then(f"hand:{parts[0]}:{words[1]}")


TASKS: dict[str, Task] = {
    "start-acts": _start_acts,
    "acts": _acts,
    "activate": _activate,
    "home": _home,
    "collect": _collect,
    "absolve": _absolve,
    "upgrading": lambda t, parts: _in_turn(t, "upgrade", parts[0]),
    "donating": lambda t, parts: _in_turn(t, "donate", parts[0]),
    "upgrade": _upgrade,
    "donate": _donate,
    "rise": _rise,
    "settle": _settle,
    "recruit": _recruit,
    "build": _build,
    "again": _again,
    "hire": _hire,
    "march": _march,
    "shift": _shift,
    "study": _study,
}
REPLIES: dict[str, Reply] = {
    "acts": _act,
    "absolve": _absolved,
    "upgrade": _upgraded,
    "donate": _donated,
    "rise": _risen,
    "recruit": _recruited,
    "build": _built,
    "again": _taken_back,
    "hire": _hired,
    "march": _marched,
    "shift": _shifted,
    "study": _studied,
}
