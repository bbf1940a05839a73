"""Operations, tactics, draws and shame in the plain model of The Great Wall."""

from collections.abc import Callable
from dataclasses import dataclass

from tests.rules.great_wall import naive_set as s
from tests.rules.great_wall.naive_judge import upgrade_cost
from tests.rules.great_wall.naive_table import (
    Actor,
    Answer,
    Asked,
    Clan,
    Flow,
    Must,
    Over,
    Question,
    Table,
    Words,
)


def always(_: Clan) -> bool:
    return True


def ask(t: Table, question: Question, wanted: Callable[[Clan], bool] = always) -> Asked:
    """Ask until there is an answer that is no tactic; None if a tactic has left nothing to ask."""
    while True:
        actor, words = yield question
        if words[0] != "play":
            return actor, words
        question.who = [actor]
        yield from play_tactic(t, t.clan(actor), words[1], boosted=len(words) > 2)
        if not wanted(t.clan(actor)):
            return None


def must(t: Table, question: Question) -> Must:
    """Ask what no tactic can make needless."""
    answer = yield from ask(t, question)
    assert answer is not None
    return answer


@dataclass(frozen=True)
class Step:
    """What a queue asks each seat, what its answers do, and what Reed and Qin do at their place."""

    make: Callable[[list[Actor]], Question]
    handle: Callable[[Clan, Answer], Flow]
    automatic: Callable[[str], Flow]
    wanted: Callable[[Clan], bool] = always
    free: bool = True
    """Whether the seats choose the order in co-op."""


def queue(t: Table, marks: Words, step: Step) -> Flow:
    """Ask clans in the order given; in co-op the seats in the order in which they answer, then Reed."""
    free = t.coop and step.free
    waiting = [t.clans[mark] for mark in marks if t.human(mark)]
    while free and (asked := [clan for clan in waiting if step.wanted(clan)]):
        question = step.make([clan.seat for clan in t.seats if clan in asked])
        answer = yield from ask(t, question, step.wanted)
        clan = t.clan(question.who[0] if answer is None else answer[0])
        waiting.remove(clan)
        if answer is not None:
            yield from step.handle(clan, answer)
    for mark in marks:
        if not t.human(mark):
            yield from step.automatic(mark)
        elif not free and step.wanted(t.clans[mark]):
            answer = yield from ask(t, step.make([t.clans[mark].seat]), step.wanted)
            if answer is not None:
                yield from step.handle(t.clans[mark], answer)


def play_tactic(t: Table, clan: Clan, kind: str, *, boosted: bool) -> Flow:
    """A tactic is a resolution of its own, even inside another one (AMB-62)."""
    _, base, chi, more = s.TACTIC[kind]
    t.take_from_hand(clan, kind)
    t.in_play.append(kind)
    if boosted:
        clan.held["chi"] -= chi
    outer, t.owing = t.owing, False
    for operation in more if boosted else base:
        yield from operate(t, clan, operation.split(), "")
    t.in_play.remove(kind)
    t.tactic_discard.append(kind)
    t.occasion(clan, "tactic")
    t.owing = outer


def operate(t: Table, clan: Clan, words: Words, window: str) -> Flow:
    """One operation that any card may have."""
    n = int(words[-1])
    match words[0]:
        case "take":
            for _ in range(n):
                answer = yield from must(t, Question("take", [clan.seat], {"take"}, window))
                t.gain(clan, answer[1][1], 1)
        case "tactic":
            yield from draw_tactics(t, clan, n)
        case "clerks":
            yield from move_clerks(t, clan, n, window)
        case "upgrade":
            yield from _upgrades(t, clan, n)
        case "barricade":
            yield from _barricades(t, clan, n)
        case "wound":
            yield from _wounds(t, clan, int(words[1]), n)
        case "cleanse":
            yield from _frees(t, clan, n)
        case "shame":
            yield from gain_shame(t, clan)
        case _:
            _at_once(t, clan, words, n)


def _at_once(t: Table, clan: Clan, words: Words, n: int) -> None:
    """An operation that asks nothing."""
    match words[0]:
        case "gain":
            t.gain(clan, words[1], n)
        case "lose":
            clan.held[words[1]] = max(0, clan.held[words[1]] - n)
        case "honour":
            t.honour(clan, n)
        case "save":
            clan.saves += n
        case "tea":
            for _ in range(n):
                rise(t, clan.mark)
        case other:
            raise ValueError(other)


def rise(t: Table, mark: str) -> None:
    at = t.tea.index(mark)
    if at:
        t.tea[at - 1], t.tea[at] = t.tea[at], t.tea[at - 1]


def draw_tactics(t: Table, clan: Clan, n: int) -> Flow:
    """Draw as many as there are, then keep to the limit of a hand."""
    for _ in range(n):
        t.shuffle_tactics()
        if not t.tactic_deck:
            break
        card = "?"
        if t.recorded:
            _, (_, card) = yield Question("hand", [None], {"draw"}, place=clan.name)
        t.tactic_deck -= 1
        t.drawn_since.append(card)
        clan.tactics.append(card)
    while len(clan.tactics) > s.HAND_LIMIT:
        _, (_, card) = yield from must(t, Question("limit", [clan.seat], {"discard"}))
        t.take_from_hand(clan, card)
        t.tactic_discard.append(card)


def shift_clerk(t: Table, clan: Clan, source: str, target: str) -> None:
    if source == "reserve":
        clan.clerks -= 1
    else:
        t.at[source].remove(clan.mark)
    t.at[target].append(clan.mark)


def move_clerks(t: Table, clan: Clan, n: int, window: str, first: Answer | None = None) -> Flow:
    """Up to n clerks of a seat to n locations; the first answer may be there already."""
    used: Words = []
    answer = first
    for _ in range(n):
        if answer is None:
            answer = yield from must(t, Question("clerks", [clan.seat], {"move", "done"}, window, used=used))
        _, words = answer
        if words[0] == "done":
            return
        shift_clerk(t, clan, words[1], words[2])
        used.append(words[2])
        answer = None


def raise_foreman(t: Table, clan: Clan, words: Words) -> None:
    """Do `upgrade LOCATION [KIND]`."""
    place = words[1]
    level, kind = clan.foremen.get(place, (0, ""))
    if level == 0:
        kind = words[2]
        clan.reserve[kind] -= 1
    clan.held[upgrade_cost(place)] -= s.FOREMAN_COST[level]
    clan.foremen[place] = (level + 1, kind)
    t.occasion(clan, "upgrade")


def _upgrades(t: Table, clan: Clan, n: int) -> Flow:
    used: Words = []
    for _ in range(n):
        question = Question("upgrades", [clan.seat], {"upgrade", "done"}, used=used)
        _, words = yield from must(t, question)
        if words[0] == "done":
            return
        raise_foreman(t, clan, words)
        used.append(words[1])


def build_barricade(t: Table, clan: Clan, section: str) -> None:
    t.walls[section].barricades += 1
    t.honour(clan, s.BARRICADE_HONOUR)
    t.occasion(clan, "barricade")


def _barricades(t: Table, clan: Clan, n: int) -> Flow:
    for _ in range(n):
        if all(wall.barricades >= 3 for wall in t.walls.values()):
            return
        _, words = yield from must(t, Question("barricades", [clan.seat], {"barricade", "done"}))
        if words[0] == "done":
            return
        build_barricade(t, clan, words[1])


def _wounds(t: Table, clan: Clan, n: int, line: int) -> Flow:
    for _ in range(n):
        if not any(list(t.empty_spots(section, line)) for section in t.walls):
            return
        _, words = yield from must(t, Question("wounds", [clan.seat], {"wound", "done"}, line=line))
        if words[0] == "done":
            return
        put_wound(t, words[1])


def put_wound(t: Table, spot: str) -> None:
    card = t.card(spot[0], int(spot[1]))
    assert card is not None
    card.spots[spot[2:]] = "x"


def _frees(t: Table, clan: Clan, n: int) -> Flow:
    for _ in range(n):
        if not clan.tokens():
            return
        _, words = yield from must(t, Question("frees", [clan.seat], {"cleanse", "done"}))
        if words[0] == "done":
            return
        t.return_token(clan, words[1])


def gain_shame(t: Table, clan: Clan) -> Flow:
    """One token: taken from the pool, then placed."""
    if t.pool == 0:
        if t.coop:
            raise Over("shame")
        t.honour(clan, -s.LOST_SHAME)
        return
    t.pool -= 1
    t.empty_pool()
    t.occasion(clan, "shame")
    places = t.shame_places(clan)
    said = "done"
    token = ""
    if places or (t.coop and clan.honour >= s.SHED_HONOUR):
        verbs = {"shame"} if places else {"done"}
        question = Question("shame", [clan.seat], verbs | ({"shed"} if t.coop else set()), "shame")
        _, words = yield from must(t, question)
        said, token = words[0], words[-1]
    if said == "shed":
        t.honour(clan, -s.SHED_HONOUR)
        t.pool += 1
    elif said == "done":
        t.removed += 1
        t.honour(clan, -s.LOST_SHAME)
    elif token in s.KINDS:
        clan.shamed[token] += 1
    else:
        clan.claimed[token] += 1
