"""Tasks of the plain model of The Great Wall: steps that every clan does, tactics and shame."""

from collections.abc import Callable, Iterable
from typing import TypeAlias

from tests.rules.great_wall import naive_set as s
from tests.rules.great_wall.naive_fight_judge import can_wound
from tests.rules.great_wall.naive_table import Actor, Clan, Over, Question, Table, Words

Task: TypeAlias = Callable[[Table, Words], Question | None]
"""Asks a question; or does what is due of itself, puts what follows in its place, and asks nothing."""
Reply: TypeAlias = Callable[[Table, Words, Actor, Words], None]
"""Does what the words of an actor say in answer to a task with these parts."""


def parts_of(text: str) -> Words:
    """The parts of a list in a task."""
    return [] if text == "-" else text.split("+")


def joined(parts: Iterable[str]) -> str:
    return "+".join(parts) or "-"


def more(name: str, n: int, *rest: str) -> Words:
    """A task with the number of times that it is still done, if there are any."""
    return [":".join([*name.split(":"), str(n), *rest])] if n else []


def places_with(used: str, place: str) -> str:
    """A list of locations in the order of the set, and one more."""
    return joined(other for other in s.LOCATIONS if other == place or other in parts_of(used))


# Steps that every clan does: in tea order, or in co-op as the seats like and then Reed.


def begun(t: Table, clan: Clan, parts: Words) -> Words:
    """What a clan does in a step: its name, a location, a section and a script."""
    step, place, section, script = parts
    if script != "-":
        return [f"do:{clan.name}:{script}:0"]
    if not t.human(clan.mark):
        return _of_itself(clan, parts)
    if section != "-":
        return more(f"fire:{clan.name}:{section}", t.walls[section].firing.get(clan.mark, 0))
    if step in ("upgrade", "donate"):
        return [f"{step}:{clan.name}:{place}"]
    if place == "-":
        return [f"place:{clan.name}"]
    n = t.at[place].count(clan.mark)
    settles = [f"settle:{clan.name}"] if step in ("recruit", "build") else []
    return [*more(f"{step}:{clan.name}", n, *(["-"] if step == "build" else [])), *settles]


def _of_itself(clan: Clan, parts: Words) -> Words:
    step, place, section, _ = parts
    if section != "-":
        return [f"qin-fires:{section}"]
    if place == "-":
        return [f"clan-places:{clan.name}"]
    if clan.mark == "q":
        return [f"qin-at:{place}"]
    return [] if step == "upgrade" else [f"reed-at:{place}"]


def step(t: Table, name: str, marks: Words, place: str = "-", section: str = "-", script: str = "-") -> Words:  # noqa: PLR0913, PLR0917 - the parts of the task
    """The tasks of some clans."""
    clans = [t.clans[mark] for mark in t.in_tea(marks)]
    parts = [name, place, section, script]
    seats = [clan.name for clan in clans if t.human(clan.mark)] if t.coop else []
    free = [f"free:{name}:{joined(seats)}:{place}:{section}:{script}"] if seats else []
    return free + [task for clan in clans if clan.name not in seats for task in begun(t, clan, parts)]


def begin(t: Table, parts: Words, name: str) -> None:
    """A seat begins a step that is free."""
    what, seats, *rest = parts
    left = [seat for seat in parts_of(seats) if seat != name]
    mine = begun(t, t.named(name), [what, *rest])
    t.then(*mine, *([f"free:{what}:{joined(left)}:{':'.join(rest)}"] if left else []))


def asks_nothing(t: Table, clan: Clan, parts: Words) -> bool:
    """Whether a seat would be asked nothing in a step."""
    what, place, section, _ = parts
    if what == "upgrade":
        return not can_upgrade(clan, place)
    return section != "-" and not can_wound(t, section)


def can_upgrade(clan: Clan, place: str) -> bool:
    level, _ = clan.foremen.get(place, (0, ""))
    return level < 3 and (level > 0 or any(clan.usable(kind) for kind in s.KINDS))


# Tactics.


def strategy_window(t: Table, clan: Clan) -> str:
    """The window of the own card: the own turn before the activation step, outside of a tactic."""
    names = [task.split(":")[0] for task in t.agenda]
    own = t.turn == clan.mark and "start-acts" in names and "tactic-end" not in names
    return "strategy" if own else ""


def play_tactic(t: Table, clan: Clan, kind: str, *, boosted: bool) -> None:
    t.take_from_hand(clan, kind)
    if boosted:
        clan.held["chi"] -= s.TACTIC[kind][2]
    half = "boosted" if boosted else "base"
    t.agenda[:0] = [f"do:{clan.name}:tactic.{kind}.{half}:0", f"tactic-end:{clan.name}:{kind}"]


def _tactic_end(t: Table, parts: Words) -> None:
    name, kind = parts
    t.tactic_discard.append(kind)
    t.occasion(t.named(name), "tactic")
    t.then()


def _hand(t: Table, parts: Words) -> Question | None:
    """Draw as many as there are, then keep to the limit of a hand."""
    name, left = parts
    if left != "0":
        t.shuffle_tactics()
    if left == "0" or not t.tactic_deck:
        t.then(f"limit:{name}")
        return None
    if t.recorded:
        return Question("hand", [None], {"draw"}, place=name)
    _drawn(t, parts, None, ["draw", "?"])
    return None


def _drawn(t: Table, parts: Words, _: Actor, words: Words) -> None:
    name, left = parts
    t.tactic_deck -= 1
    t.named(name).tactics.append(words[1])
    t.then(f"hand:{name}:{int(left) - 1}")


def _limit(t: Table, parts: Words) -> Question | None:
    clan = t.named(parts[0])
    if len(clan.tactics) > s.HAND_LIMIT:
        return Question("limit", [clan.seat], {"discard"})
    t.then()
    return None


def _discarded(t: Table, parts: Words, _: Actor, words: Words) -> None:
    t.take_from_hand(t.named(parts[0]), words[1])
    t.tactic_discard.append(words[1])


# Shame.


def _take_shame(t: Table, parts: Words) -> None:
    """One token after the other: taken from the pool, then placed."""
    name, n = parts
    clan, rest = t.named(name), more(f"take-shame:{name}", int(n) - 1)
    if t.pool == 0:
        if t.coop:
            raise Over("shame")
        t.honour(clan, -s.LOST_SHAME)
        t.then(*rest)
        return
    t.pool -= 1
    t.empty_pool()
    t.occasion(clan, "shame")
    if t.shame_places(clan) or (t.coop and clan.honour >= s.SHED_HONOUR):
        t.then(f"shame:{name}", *rest)
        return
    t.removed += 1
    t.honour(clan, -s.LOST_SHAME)
    t.then(*rest)


def _shame(t: Table, parts: Words) -> Question:
    clan = t.named(parts[0])
    verbs = {"shame"} if t.shame_places(clan) else {"done"}
    return Question("shame", [clan.seat], verbs | ({"shed"} if t.coop else set()), "shame")


def _shamed(t: Table, parts: Words, _: Actor, words: Words) -> None:
    clan, where = t.named(parts[0]), words[-1]
    if where == "shed":
        t.honour(clan, -s.SHED_HONOUR)
        t.pool += 1
    elif where == "done":
        t.removed += 1
        t.honour(clan, -s.LOST_SHAME)
    elif where in s.KINDS:
        clan.shamed[where] += 1
    else:
        clan.claimed[where] += 1
    t.then()


TASKS: dict[str, Task] = {
    "tactic-end": _tactic_end,
    "hand": _hand,
    "limit": _limit,
    "take-shame": _take_shame,
    "shame": _shame,
}
REPLIES: dict[str, Reply] = {"hand": _drawn, "limit": _discarded, "shame": _shamed}
