"""A turn in the plain model of The Great Wall: the card, the activation step and the check."""

from tests.rules.great_wall import naive_set as s
from tests.rules.great_wall.naive_clans import (
    lowest_first,
    move_qin,
    move_reed,
    qin_archer,
    qin_spearman,
    qin_wall,
)
from tests.rules.great_wall.naive_effects import Step, ask, move_clerks, must, operate, queue
from tests.rules.great_wall.naive_fight import attack_order, check
from tests.rules.great_wall.naive_judge import copyable
from tests.rules.great_wall.naive_places import activate
from tests.rules.great_wall.naive_table import Actor, Answer, Clan, Flow, Question, Table, Words


def turn(t: Table, mark: str) -> Flow:
    """A clan's turn: its card, the activation step and the check."""
    t.turn = mark
    _, card = t.track[mark]
    yield from _self_block(t, mark, card, 1)
    yield from _others(t, mark, s.OTHERS_BLOCK[card])
    yield from _self_block(t, mark, card, 3)
    yield from _activations(t)
    yield from check(t)
    t.turn = ""


def _self_block(t: Table, mark: str, card: str, block: int) -> Flow:
    clan = t.clans[mark]
    if mark == "q":
        yield from _qin_block(t, card, block)
    elif mark == "r":
        if block == 1:
            yield from move_reed(t, 2)
    elif block == 1 and card == "betrayal":
        yield from _copy(t, clan)
    else:
        operation = s.FIRST_BLOCK[card] if block == 1 else s.THIRD_BLOCK.get(card, "")
        yield from _own(t, clan, operation)


def _own(t: Table, clan: Clan, operation: str) -> Flow:
    """An operation of a seat's own card."""
    words = operation.split()
    match words:
        case ["clerks", n, card, more]:
            found = any(there == card and mark != clan.mark for mark, (_, there) in t.track.items())
            yield from move_clerks(t, clan, int(n) + (int(more) if found else 0), "strategy")
        case ["attack"]:
            yield from attack_order(t, clan, "strategy")
        case ["activate"]:
            yield from _advance(t, clan)
        case [_, *_]:
            yield from operate(t, clan, words, "strategy")
        case _:
            pass


def _advance(t: Table, clan: Clan) -> Flow:
    def able(_: Clan) -> bool:
        return any(clan.mark in there for there in t.at.values())

    if able(clan):
        question = Question("advance", [clan.seat], {"activate", "done"}, "strategy")
        answer = yield from ask(t, question, able)
        if answer is not None and answer[1][0] == "activate":
            yield from activate(t, answer[1][1], advanced=True)


def _copy(t: Table, clan: Clan) -> Flow:
    words = ["done"]
    if copyable(t, clan):
        _, words = yield from must(t, Question("copy", [clan.seat], {"copy", "done"}, "strategy"))
    if words[0] == "done":
        yield from _own(t, clan, s.COPY_ELSE)
        return
    card = next(t.track[mark][1] for mark in t.track if t.clans[mark].name == words[1])
    yield from _own(t, clan, s.FIRST_BLOCK[card])
    yield from _own(t, clan, s.THIRD_BLOCK.get(card, ""))


def _others(t: Table, owner: str, operation: str) -> Flow:
    """Every other clan moves clerks."""
    n = int(operation.split()[1])

    def make(who: list[Actor]) -> Question:
        return Question("clerks", who, {"move", "done"})

    def handle(clan: Clan, answer: Answer) -> Flow:
        yield from move_clerks(t, clan, n, "", answer)

    def automatic(mark: str) -> Flow:
        if mark == "r":
            yield from move_reed(t, n)
        else:
            move_qin(t, 2)

    yield from queue(t, [mark for mark in t.tea if mark != owner], Step(make, handle, automatic))


def _qin_block(t: Table, card: str, block: int) -> Flow:
    qin = t.clans["q"]
    if block == 1:
        move_qin(t, s.QIN_FIRST[card])
        return
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
            if place is not None:
                yield from activate(t, place, advanced=True)


def _activations(t: Table) -> Flow:
    """The activation step; Qin's own locations come first where he orders them."""
    used: Words = []
    chooser = t.overlord() if t.turn == "r" else t.clans[t.turn]
    if chooser.mark == "q":
        order = [place for place in lowest_first(t) if "q" in t.at[place] and t.eligible(place)]
        for place in order if t.settings["qin-order"] == "lowest" else reversed(order):
            used.append(place)
            yield from activate(t, place, advanced=False)
        chooser = t.seats[0]
    while eligible := [place for place in s.LOCATIONS if t.eligible(place) and place not in used]:
        place = eligible[0]
        if len(eligible) > 1:
            _, (_, place) = yield from must(
                t, Question("acts", [chooser.seat], {"activate"}, used=list(used))
            )
        used.append(place)
        yield from activate(t, place, advanced=False)
