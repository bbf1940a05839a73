"""The course of the year in the plain model of The Great Wall: seasons, requests and the end."""

from tests.rules.great_wall import naive_set as s
from tests.rules.great_wall.naive_effects import blocks
from tests.rules.great_wall.naive_judge import has_means, spaces
from tests.rules.great_wall.naive_setting_up import ON_TRACK, seal, slots
from tests.rules.great_wall.naive_table import Actor, Clan, Over, Question, Table, Words
from tests.rules.great_wall.naive_tasks import Reply, Task, joined, more, parts_of, step

YEAR = ("spring", "summer", "autumn", "winter", "yearend")


# Spring and Summer.


def _spring(t: Table, _: Words) -> None:
    t.time += 1
    new = s.NEW_HORDES[t.side][t.time] + (1 if t.coop else 0) + t.passive("spring")
    t.then(f"hordes:{max(0, new)}", "enlist" if t.solo else "drop:2")


def _enlist(t: Table, _: Words) -> Question | None:
    if len(t.advisors) >= 2:
        return Question("enlist", [0], {"enlist"})
    t.then("drop:2")
    return None


def _enlisted(t: Table, _: Words, __: Actor, words: Words) -> None:
    t.advisors.remove(words[1])
    t.clans["q"].assistants.append(words[1])
    t.then("drop:1")


def _drop(t: Table, parts: Words) -> None:
    n = int(parts[0])
    t.advisor_discard += t.advisors[:n]
    t.advisors = t.advisors[n:]
    t.then(f"advisors:{ON_TRACK - len(t.advisors)}")


def _summer(t: Table, _: Words) -> None:
    for mark in t.tea:
        clan = t.clans[mark]
        for place, (level, _kind) in clan.foremen.items():
            t.gain(clan, s.PRODUCE[place], max(0, level + t.passive("income")))
        t.occasion(clan, "income")
        if mark == "q":
            t.honour(clan, len(clan.assistants))
    t.then(*(f"cleanse:{t.clans[mark].name}" for mark in t.tea if t.human(mark)), "clear")


def _cleanse(t: Table, parts: Words) -> Question | None:
    clan = t.named(parts[0])
    if clan.tokens():
        return Question("cleanse", [clan.seat], {"cleanse", "done"}, "summer")
    t.then()
    return None


def _cleansed(t: Table, parts: Words, _: Actor, words: Words) -> None:
    clan = t.named(parts[0])
    if words[0] == "done":
        t.then()
        return
    if t.coop:
        t.honour(clan, -s.SHED_HONOUR)
    else:
        clan.held["chi"] -= s.SHAME_CHI
    t.return_token(clan, words[1])


def _clear(t: Table, _: Words) -> None:
    for mark, (_space, card) in t.track.items():
        if t.human(mark):
            t.clans[mark].discarded.append(card)
        elif mark == "q":
            t.solo_played.append(card)
    t.track = {}
    asked = [] if t.coop else [t.clans[mark].name for mark in t.tea if t.human(mark)]
    t.then(*(f"recover:{name}" for name in asked))


def _recover(t: Table, parts: Words) -> Question | None:
    clan = t.named(parts[0])
    if clan.discarded:
        return Question("recover", [clan.seat], {"recover", "honour"}, "summer")
    t.then()
    return None


def _recovered(t: Table, parts: Words, _: Actor, words: Words) -> None:
    clan = t.named(parts[0])
    if words[0] == "honour":
        t.honour(clan, 2 * len(clan.discarded))
    else:
        clan.hand += clan.discarded
        clan.discarded = []
    t.then()


# Autumn.


def _pick(t: Table, _: Words) -> Question | None:
    who: list[Actor] = [clan.seat for clan in t.seats if clan.hand and clan.seat not in t.sealed]
    if who:
        return Question("pick", who, {"pick"})
    for seat, card in sorted(t.sealed.items()):
        t.clan(seat).hand.remove(card)
        t.track[t.clan(seat).mark] = (0, card)
    t.sealed = {}
    t.then()
    return None


def _solo(t: Table, _: Words) -> Question:
    if len(t.solo_played) == len(s.STRATEGIES):
        t.shuffled["solo"] += 1
        t.solo_played = []
    return Question("solo", [None], {"solo"})


def _turned(t: Table, _: Words, __: Actor, words: Words) -> None:
    t.track["q"] = (0, words[1])
    t.then()


def _places(t: Table, _: Words) -> None:
    if t.reed:
        t.track["r"] = (0, "reed")
    t.then(*step(t, "place", list(t.track)))


def _placed(t: Table, parts: Words, _: Actor, words: Words) -> None:
    mark = t.named(parts[0]).mark
    t.track[mark] = (int(words[1]), t.track[mark][1])
    t.then()


def _clan_places(t: Table, parts: Words) -> None:
    mark = t.named(parts[0]).mark
    taken = [space for space, _ in t.track.values()]
    t.track[mark] = (next(space for space in spaces(t) if space not in taken), t.track[mark][1])
    t.then()


def _turns(t: Table, _: Words) -> None:
    t.then(*(f"turn:{space}" for space in sorted(space for space, _ in t.track.values())))


def _turn(t: Table, parts: Words) -> None:
    """A clan's turn: its card, the activation step and the check."""
    mark, card = next((mark, card) for mark, (space, card) in t.track.items() if str(space) == parts[0])
    name = t.clans[mark].name
    t.then(*blocks(t, mark, card), f"start-acts:{name}", "check", f"turn-over:{name}")


# Winter and the year's end.


def _winter(t: Table, _: Words) -> None:
    firing = (f"fire-section:{letter}" for letter in t.walls)
    t.then(*firing, "check", *(f"assault:{letter}" for letter in t.walls), "clear-barricades")


def _end_check(t: Table, _: Words) -> None:
    last = t.time == len(s.MORTALITY[t.side]) - 1
    empty = t.pool == 0 or (t.settings["pool-empty"] == "latched" and t.emptied)
    if t.coop:
        if len(t.fulfilled) >= s.REQUESTS_NEEDED[len(t.seats)]:
            raise Over("requests")
        if t.pool == 0 and t.settings["coop-pool"] == "loss":
            raise Over("pool")
    else:
        walls = sum(wall.level == 3 for wall in t.walls.values())
        if t.solo and empty:
            raise Over("pool")  # lost, whatever else ends the match (AMB-63)
        if walls >= (3 if len(t.seats) == 4 else 2):
            raise Over("walls")
        if empty:
            raise Over("pool")
    if last:
        raise Over("time")
    t.then()


def _next_year(t: Table, _: Words) -> None:
    tasks: Words = []
    if t.coop:
        humans = [t.clans[mark].name for mark in t.tea if t.human(mark)]
        tasks = [task for name in humans for task in more(f"take-shame:{name}", len(t.requests))]
        tasks += [f"requests:{slots(t) - len(t.requests)}", "event"]
    t.then(*tasks, *YEAR)


def _event(t: Table, _: Words) -> Question | None:
    if len(t.events) < len(s.EVENTS):
        return Question("event", [None], {"event"})
    t.then()
    return None


def _revealed(t: Table, _: Words, __: Actor, words: Words) -> None:
    t.events.append(words[1])
    humans = [t.clans[mark].name for mark in t.tea if t.human(mark)]
    t.then(*(f"do:{name}:event.{words[1]}:0" for name in humans))


# Requests.


def _fulfil(t: Table, parts: Words) -> Question | None:
    done, refused = map(parts_of, parts)
    who: list[Actor] = [clan.seat for clan in t.seats if clan.name not in done]
    if t.requests and who:
        return Question("fulfil", who, {"fulfil", "done"}, used=refused)
    t.then()
    return None


def _proposed(t: Table, parts: Words, actor: Actor, words: Words) -> None:
    done, refused = parts
    if words[0] == "done":
        names = [clan.name for clan in t.seats if clan.seat == actor or clan.name in parts_of(done)]
        t.then(f"fulfil:{joined(names)}:{refused}")
        return
    scope, _ = s.REQUEST[words[1]]
    if scope == "each":
        t.then(f"agree:{words[1]}:-:{done}:{refused}")
        return
    _give(t, [t.clan(actor)] if scope == "one" else [], words[1], refused)


def _agree(t: Table, parts: Words) -> Question:
    request, agreed, _, _ = parts
    who: list[Actor] = [clan.seat for clan in t.seats if clan.name not in parts_of(agreed)]
    return Question("agree", who, {"agree", "refuse"}, place=request)


def _agreed(t: Table, parts: Words, actor: Actor, words: Words) -> None:
    request, agreed, done, refused = parts
    if words[0] == "refuse":
        gone = [name for name in s.REQUESTS if name == request or name in parts_of(refused)]
        t.then(f"fulfil:{done}:{joined(gone)}")
        return
    names = [clan.name for clan in t.seats if clan.seat == actor or clan.name in parts_of(agreed)]
    if len(names) == len(t.seats):
        _give(t, t.seats, request, refused)
    else:
        t.then(f"agree:{request}:{joined(names)}:{done}:{refused}")


def _give(t: Table, payers: list[Clan], request: str, refused: str) -> None:
    """A request is fulfilled; everybody may say more."""
    for clan in payers:
        assert has_means(clan, request)
        for what, n in s.REQUEST[request][1].items():
            if what == "honour":
                t.honour(clan, -n)
            elif what in s.KINDS:
                clan.reserve[what] -= n
                clan.sacrificed[what] += n
            else:
                clan.held[what] -= n
    t.requests.remove(request)
    t.fulfilled.append(request)
    t.then(f"fulfil:-:{refused}")


TASKS: dict[str, Task] = {
    "spring": _spring,
    "enlist": _enlist,
    "drop": _drop,
    "summer": _summer,
    "cleanse": _cleanse,
    "clear": _clear,
    "recover": _recover,
    "autumn": lambda t, _: t.then("pick", *(["solo"] if t.solo else []), "places", "turns"),
    "pick": _pick,
    "solo": _solo,
    "places": _places,
    "place": lambda t, parts: Question("place", [t.named(parts[0]).seat], {"place"}),
    "clan-places": _clan_places,
    "turns": _turns,
    "turn": _turn,
    "turn-over": lambda t, _: t.then(),
    "winter": _winter,
    "yearend": lambda t, _: t.then(*(["fulfil:-:-"] if t.coop else []), "end-check", "next-year"),
    "end-check": _end_check,
    "next-year": _next_year,
    "event": _event,
    "fulfil": _fulfil,
    "agree": _agree,
}
REPLIES: dict[str, Reply] = {
    "enlist": _enlisted,
    "cleanse": _cleansed,
    "recover": _recovered,
    "pick": seal,
    "solo": _turned,
    "place": _placed,
    "event": _revealed,
    "fulfil": _proposed,
    "agree": _agreed,
}
