"""What cards do in the plain model of The Great Wall: their operations, and the questions that these ask."""

from tests.rules.great_wall import naive_set as s
from tests.rules.great_wall.naive_clans import move_qin, qin_block, qin_moves_reed
from tests.rules.great_wall.naive_judge import copyable, upgrade_cost
from tests.rules.great_wall.naive_list import listed
from tests.rules.great_wall.naive_table import Actor, Clan, Question, Table, Words
from tests.rules.great_wall.naive_tasks import Reply, Task, more, parts_of, places_with, step, strategy_window


def operations(script: str) -> list[Words]:
    """The operations of a list: of a block, of a tactic, of an event."""
    match script.split("."):
        case ["tactic", kind, half]:
            _, base, _, boosted = s.TACTIC[kind]
            found = boosted if half == "boosted" else base
        case ["event", event]:
            found = [s.EVENT_NOW[event]]
        case [_, _, "else"]:
            found = [s.COPY_ELSE]
        case [*_, card, "1"]:
            found = [s.FIRST_BLOCK[card]]
        case [*_, card, "2"]:
            found = [s.OTHERS_BLOCK[card]]
        case [*_, card, _]:
            found = [s.THIRD_BLOCK[card]]
        case _:
            raise ValueError(script)
    return [operation.split() for operation in found]


def blocks(t: Table, mark: str, card: str) -> Words:
    """The tasks of a card on the track."""
    name = t.clans[mark].name
    prefix = f"qin.{card}" if mark == "q" else card
    third = mark == "q" or card in s.THIRD_BLOCK
    return [
        f"do:{name}:{prefix}.1:0",
        f"others:{name}:{prefix}.2",
        *([f"do:{name}:{prefix}.3:0"] if third else []),
    ]


def _others(t: Table, parts: Words) -> None:
    name, script = parts
    t.then(*step(t, "others", [mark for mark in t.tea if t.clans[mark].name != name], script=script))


def _do(t: Table, parts: Words) -> None:
    name, script, at = parts
    clan = t.named(name)
    if clan.mark == "q" and not script.endswith(".2"):
        t.then(*qin_block(t, script))
        return
    found = operations(script)
    words = found[int(at)]
    rest = [f"do:{name}:{script}:{int(at) + 1}"] if int(at) + 1 < len(found) else []
    if clan.mark == "q":
        move_qin(t, 2)
        t.then(*rest)
    elif clan.mark == "r":
        t.then(*_reed(t, int(words[1])), *rest)
    else:
        t.then(*_operate(t, clan, words, script), *rest)


def _reed(t: Table, n: int) -> Words:
    overlord = t.overlord()
    if overlord.mark != "q":
        return more(f"clerks:{overlord.name}:reed", n, "-")
    used: Words = []
    for _ in range(n):
        qin_moves_reed(t, used)
    return []


def _operate(t: Table, clan: Clan, words: Words, script: str) -> Words:
    """One operation of a seat: the tasks that it puts."""
    name, n = clan.name, words[-1]
    match words[0]:
        case "take":
            return [f"take:{name}:{n}:any"]
        case "tactic":
            return [f"hand:{name}:{n}"]
        case "clerks":
            return [f"clerks:{name}:{name}:{_clerk_moves(t, clan, words)}:-"]
        case "copy":
            return [f"copy:{name}:{script}.else"]
        case "activate":
            return [f"advance:{name}"]
        case "attack":
            return [f"order:{name}:0.0.0", f"settle:{name}"]
        case "upgrade":
            return [f"upgrades:{name}:{n}:-"]
        case "barricade":
            return [f"barricades:{name}:{n}"]
        case "wound":
            return [f"wounds:{name}:{words[1]}:{n}"]
        case "cleanse":
            return [f"frees:{name}:{n}"]
        case "shame":
            return [f"take-shame:{name}:{n}"]
        case _:
            _at_once(t, clan, words, int(n))
            return []


def _clerk_moves(t: Table, clan: Clan, words: Words) -> int:
    """How many clerks: more where another clan has played a card."""
    if len(words) == 2:
        return int(words[1])
    _, n, card, extra = words
    found = any(there == card and mark != clan.mark for mark, (_, there) in t.track.items())
    return int(n) + (int(extra) if found else 0)


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
                t.rise(clan.mark)
        case other:
            raise ValueError(other)


# Clerks.


def _clerks(t: Table, parts: Words) -> Question | None:
    seat, name, left, used = parts
    clan = t.named(seat)
    if left == "0":
        t.then()
        return None
    if name == "reed":
        question = Question("reed-clerks", [clan.seat], {"reed-move", "done"}, used=parts_of(used))
        if listed(t, question, clan.seat) != ["done"]:
            return question
        t.then()
        return None
    return Question("clerks", [clan.seat], {"move", "done"}, strategy_window(t, clan), used=parts_of(used))


def _moved(t: Table, parts: Words, _: Actor, words: Words) -> None:
    seat, name, left, used = parts
    if words[0] == "done":
        t.then()
        return
    t.move_clerk(t.named(name), words[1], words[2])
    t.then(f"clerks:{seat}:{name}:{int(left) - 1}:{places_with(used, words[2])}")


# Questions of other operations.


def _take(t: Table, parts: Words) -> Question | None:
    clan = t.named(parts[0])
    if parts[1] != "0":
        return Question("take", [clan.seat], {"take"}, strategy_window(t, clan))
    t.then()
    return None


def _taken(t: Table, parts: Words, _: Actor, words: Words) -> None:
    name, left, of = parts
    t.gain(t.named(name), words[1], 1)
    t.then(f"take:{name}:{int(left) - 1}:{of}")


def _copy(t: Table, parts: Words) -> Question | None:
    clan = t.named(parts[0])
    if copyable(t, clan):
        return Question("copy", [clan.seat], {"copy", "done"}, strategy_window(t, clan))
    _copied(t, parts, clan.seat, ["done"])
    return None


def _copied(t: Table, parts: Words, _: Actor, words: Words) -> None:
    name, otherwise = parts
    if words[0] == "done":
        t.then(f"do:{name}:{otherwise}:0")
        return
    card = next(t.track[mark][1] for mark in t.track if t.clans[mark].name == words[1])
    t.then(f"do:{name}:{card}.1:0", *([f"do:{name}:{card}.3:0"] if card in s.THIRD_BLOCK else []))


def _advance(t: Table, parts: Words) -> Question | None:
    clan = t.named(parts[0])
    if any(clan.mark in there for there in t.at.values()):
        return Question("advance", [clan.seat], {"activate", "done"}, strategy_window(t, clan))
    t.then()
    return None


def _advanced(t: Table, _: Words, __: Actor, words: Words) -> None:
    t.then(*([] if words[0] == "done" else [f"activate:{words[1]}:advanced"]))


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


def _upgrades(t: Table, parts: Words) -> Question | None:
    name, left, used = parts
    if left != "0":
        return Question("upgrades", [t.named(name).seat], {"upgrade", "done"}, used=parts_of(used))
    t.then()
    return None


def _upgraded(t: Table, parts: Words, _: Actor, words: Words) -> None:
    name, left, used = parts
    if words[0] == "done":
        t.then()
        return
    raise_foreman(t, t.named(name), words)
    t.then(f"upgrades:{name}:{int(left) - 1}:{places_with(used, words[1])}")


def _barricades(t: Table, parts: Words) -> Question | None:
    name, left = parts
    if left != "0" and any(wall.barricades < 3 for wall in t.walls.values()):
        return Question("barricades", [t.named(name).seat], {"barricade", "done"})
    t.then()
    return None


def _barricaded(t: Table, parts: Words, _: Actor, words: Words) -> None:
    name, left = parts
    if words[0] == "done":
        t.then()
        return
    t.build_barricade(t.named(name), words[1])
    t.then(f"barricades:{name}:{int(left) - 1}")


def _wounds(t: Table, parts: Words) -> Question | None:
    name, left, line = parts
    if left != "0" and any(list(t.empty_spots(section, int(line))) for section in t.walls):
        return Question("wounds", [t.named(name).seat], {"wound", "done"}, line=int(line))
    t.then()
    return None


def _wounded(t: Table, parts: Words, _: Actor, words: Words) -> None:
    name, left, line = parts
    if words[0] == "done":
        t.then()
        return
    t.wound(words[1])
    t.then(f"wounds:{name}:{int(left) - 1}:{line}")


def _frees(t: Table, parts: Words) -> Question | None:
    name, left = parts
    clan = t.named(name)
    if left != "0" and clan.tokens():
        return Question("frees", [clan.seat], {"cleanse", "done"})
    t.then()
    return None


def _freed(t: Table, parts: Words, _: Actor, words: Words) -> None:
    name, left = parts
    if words[0] == "done":
        t.then()
        return
    t.return_token(t.named(name), words[1])
    t.then(f"frees:{name}:{int(left) - 1}")


TASKS: dict[str, Task] = {
    "others": _others,
    "do": _do,
    "clerks": _clerks,
    "take": _take,
    "copy": _copy,
    "advance": _advance,
    "upgrades": _upgrades,
    "barricades": _barricades,
    "wounds": _wounds,
    "frees": _frees,
}
REPLIES: dict[str, Reply] = {
    "clerks": _moved,
    "take": _taken,
    "copy": _copied,
    "advance": _advanced,
    "upgrades": _upgraded,
    "barricades": _barricaded,
    "wounds": _wounded,
    "frees": _freed,
}
