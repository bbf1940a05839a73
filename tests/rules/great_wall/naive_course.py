"""The course of a match in the plain model of The Great Wall: set-up, seasons, turns and the end."""

from tests.rules.great_wall import naive_set as s
from tests.rules.great_wall.naive_chance import unseen_requests
from tests.rules.great_wall.naive_clans import refill
from tests.rules.great_wall.naive_effects import Step, ask, draw_tactics, gain_shame, must, operate, queue
from tests.rules.great_wall.naive_fight import assault, check, fire
from tests.rules.great_wall.naive_judge import has_means, spaces
from tests.rules.great_wall.naive_score import finish
from tests.rules.great_wall.naive_table import Actor, Answer, Card, Clan, Flow, Over, Question, Table, Words
from tests.rules.great_wall.naive_turn import turn


def course(t: Table) -> Flow:
    """The whole match."""
    try:
        yield from _set_up(t)
        while True:
            yield from _autumn(t)
            yield from _winter(t)
            yield from _year_end(t)
            yield from _spring(t)
            yield from _summer(t)
    except Over as end:
        finish(t, str(end))


# Set-up.


def _set_up(t: Table) -> Flow:
    if t.coop:
        yield from _lay_requests(t)
    else:
        _, (_, *t.artefacts) = yield Question("artefacts", [None], {"artefacts"})
    counted = t.counted + 1 if t.coop else {1: 2, 2: 2, 3: 3, 4: 4}[len(t.seats)]
    yield from _place_hordes(t, counted)
    if t.recorded:
        for clan in t.seats:
            _, (_, _, *generals) = yield Question("deal", [None], {"deal"}, place=clan.name)
            t.dealt[clan.seat or 0] = (generals, [])
        for clan in t.seats:
            _, (_, _, *advisors) = yield Question("advise", [None], {"advise"}, place=clan.name)
            t.dealt[clan.seat or 0][1].extend(advisors)
    yield from _choose(t, "general")
    for clan in t.seats:
        t.dealt[clan.seat or 0] = ([], t.dealt[clan.seat or 0][1]) if t.recorded else ([], [])
    if not t.recorded:
        t.dealt = {}
    yield from _choose(t, "active")
    for clan in t.seats:
        if t.recorded:
            both = t.dealt[clan.seat or 0][1]
            both.remove(clan.active[0] if clan.active[0] in both else "?")
            clan.assistants = both
        clan.held = dict(s.START[clan.general])
    t.dealt = {}
    if t.solo:
        t.clans["q"].assistants = ["?", "?"]
    humans = sorted(t.seats, key=lambda clan: -s.TEA[clan.general])
    t.tea = [clan.mark for clan in humans] + (["q"] if t.solo else []) + (["r"] if t.reed else [])
    yield from refill(t, 4, "start")
    for clan in t.seats:
        yield from draw_tactics(t, clan, s.START_TACTICS[clan.general])
    if t.solo:
        _, (_, *t.qin_track) = yield Question("track", [None], {"track"})


def _choose(t: Table, what: str) -> Flow:
    """All seats at once and in secret; one after the other where no deal is recorded."""
    seats: list[Actor] = [clan.seat for clan in t.seats]
    if not t.recorded:
        for seat in seats:
            _, (_, card) = yield Question(what, [seat], {what})
            _chosen(t.clan(seat), what, card)
            if what == "active":
                t.clan(seat).assistants = ["?"]
        return
    yield from sealed(t, what, seats)
    for clan in t.seats:
        _chosen(clan, what, t.sealed[clan.seat or 0])
    t.sealed = {}


def _chosen(clan: Clan, what: str, card: str) -> None:
    if what == "general":
        clan.general = card
    else:
        clan.active = [card]


def sealed(t: Table, what: str, seats: list[Actor]) -> Flow:
    """Secret answers of several seats."""
    waiting = list(seats)
    while waiting:
        actor, (_, card) = yield Question(what, list(waiting), {what})
        waiting.remove(actor)
        t.sealed[actor or 0] = card


def _lay_requests(t: Table) -> Flow:
    while len(t.requests) < (2 if len(t.seats) == 2 else 3) and unseen_requests(t):
        _, (_, request) = yield Question("requests", [None], {"request"})
        t.requests.append(request)


def _place_hordes(t: Table, n: int) -> Flow:
    for _ in range(n):
        t.shuffle_hordes()
        if not t.deck:
            return
        if not t.top_known:
            _, (_, t.top) = yield Question("top", [None], {"top"})
            t.top_known = True
        _, (_, card, top) = yield Question("hordes", [None], {"horde"})
        t.deck.remove(card)
        t.shuffle_hordes()
        t.top_known = top != "-"
        if t.top_known:
            t.top = top
        _place(t, card)


def _place(t: Table, card: str) -> None:
    empty = [letter for letter in t.open if not t.walls[letter].hordes]
    section = empty[0] if empty else s.LETTER[t.top]
    if len(t.walls[section].hordes) < 3:
        t.walls[section].hordes.append(Card(card, dict.fromkeys(s.cells(card), ".")))
        return
    t.horde_discard.append(card)
    removed = min(t.pool, t.counted)
    t.pool -= removed
    t.removed += removed
    t.empty_pool()


# Autumn.


def _autumn(t: Table) -> Flow:
    with_cards: list[Actor] = [clan.seat for clan in t.seats if clan.hand]
    yield from sealed(t, "pick", with_cards)
    for seat, card in sorted(t.sealed.items()):
        t.clan(seat).hand.remove(card)
        t.track[t.clan(seat).mark] = (0, card)
    t.sealed = {}
    if t.reed:
        t.track["r"] = (0, "reed")
    if t.solo:
        if len(t.solo_played) == len(s.STRATEGIES):
            t.shuffled["solo"] += 1
            t.solo_played = []
        _, (_, card) = yield Question("solo", [None], {"solo"})
        t.track["q"] = (0, card)

    def make(who: list[Actor]) -> Question:
        return Question("place", who, {"place"})

    def place(clan: Clan, answer: Answer) -> Flow:
        t.track[clan.mark] = (int(answer[1][1]), t.track[clan.mark][1])
        yield from ()

    def automatic(mark: str) -> Flow:
        taken = [space for space, _ in t.track.values()]
        t.track[mark] = (next(space for space in spaces(t) if space not in taken), t.track[mark][1])
        yield from ()

    yield from queue(t, t.in_tea(list(t.track)), Step(make, place, automatic))
    for mark in sorted(t.track, key=lambda mark: t.track[mark][0]):
        yield from turn(t, mark)


# Winter.


def _winter(t: Table) -> Flow:
    for wall in t.walls.values():
        yield from fire(t, wall)
    yield from check(t)
    for wall in t.walls.values():
        yield from assault(t, wall)
    for wall in t.walls.values():
        wall.barricades = 0


def _year_end(t: Table) -> Flow:
    if t.coop:
        yield from _fulfilment(t)
    _end_check(t)
    if not t.coop:
        return
    for mark in list(t.tea):
        for _ in t.requests if t.human(mark) else []:
            yield from gain_shame(t, t.clans[mark])
    yield from _lay_requests(t)
    if len(t.events) == len(s.EVENTS):
        return
    _, (_, event) = yield Question("event", [None], {"event"})
    t.events.append(event)
    for mark in list(t.tea):
        if t.human(mark):
            yield from operate(t, t.clans[mark], s.EVENT_NOW[event].split(), "")


def _end_check(t: Table) -> None:
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


def _fulfilment(t: Table) -> Flow:
    refused: Words = []
    done: list[Actor] = []
    while t.requests and (who := [clan.seat for clan in t.seats if clan.seat not in done]):
        question = Question("fulfil", who, {"fulfil", "done"}, used=refused)
        actor, words = yield from must(t, question)
        if words[0] == "done":
            done.append(actor)
            continue
        request = words[1]
        scope, _ = s.REQUEST[request]
        payers = [t.clan(actor)] if scope == "one" else []
        if scope == "each":
            waiting: list[Actor] = [clan.seat for clan in t.seats]
            while waiting:
                actor, said = yield Question("agree", list(waiting), {"agree", "refuse"}, place=request)
                waiting.remove(actor)
                if said[0] == "refuse":
                    refused.append(request)
                    break
            if request in refused:
                continue
            payers = t.seats
        for clan in payers:
            assert has_means(clan, request)
            _give(t, clan, request)
        t.requests.remove(request)
        t.fulfilled.append(request)
        done = []


def _give(t: Table, clan: Clan, request: str) -> None:
    for what, n in s.REQUEST[request][1].items():
        if what == "honour":
            t.honour(clan, -n)
        elif what in s.KINDS:
            clan.reserve[what] -= n
            clan.sacrificed[what] += n
        else:
            clan.held[what] -= n


# Spring and Summer.


def _spring(t: Table) -> Flow:
    t.time += 1
    new = s.NEW_HORDES[t.side][t.time] + (1 if t.coop else 0) + t.passive("spring")
    yield from _place_hordes(t, max(0, new))
    if t.solo and len(t.advisors) >= 2:
        _, (_, card) = yield from must(t, Question("enlist", [0], {"enlist"}))
        t.advisors.remove(card)
        t.clans["q"].assistants.append(card)
        t.advisor_discard.append(t.advisors.pop(0))
    else:
        t.advisor_discard += t.advisors[:2]
        t.advisors = t.advisors[2:]
    yield from refill(t, 2)


def _summer(t: Table) -> Flow:
    for mark in t.tea:
        clan = t.clans[mark]
        for place, (level, _) in clan.foremen.items():
            t.gain(clan, s.PRODUCE[place], max(0, level + t.passive("income")))
        t.occasion(clan, "income")
        if mark == "q":
            t.honour(clan, len(clan.assistants))
    for mark in list(t.tea):
        if t.human(mark):
            yield from _cleanse(t, t.clans[mark])
    for mark, (_, card) in t.track.items():
        if t.human(mark):
            t.clans[mark].discarded.append(card)
        elif mark == "q":
            t.solo_played.append(card)
    t.track = {}
    for mark in [] if t.coop else list(t.tea):
        clan = t.clans[mark]
        if t.human(mark) and clan.discarded:
            _, words = yield from must(t, Question("recover", [clan.seat], {"recover", "honour"}, "summer"))
            if words[0] == "honour":
                t.honour(clan, 2 * len(clan.discarded))
            else:
                clan.hand += clan.discarded
                clan.discarded = []


def _cleanse(t: Table, clan: Clan) -> Flow:
    def wanted(_: Clan) -> bool:
        return bool(clan.tokens())

    while wanted(clan):
        question = Question("cleanse", [clan.seat], {"cleanse", "done"}, "summer")
        answer = yield from ask(t, question, wanted)
        if answer is None or answer[1][0] == "done":
            return
        if t.coop:
            t.honour(clan, -s.SHED_HONOUR)
        else:
            clan.held["chi"] -= s.SHAME_CHI
        t.return_token(clan, answer[1][1])
