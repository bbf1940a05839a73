"""The set-up and the decks in the plain model of The Great Wall."""

from tests.rules.great_wall import naive_set as s
from tests.rules.great_wall.naive_chance import unseen_requests
from tests.rules.great_wall.naive_table import Actor, Card, Clan, Question, Table, Words
from tests.rules.great_wall.naive_tasks import Reply, Task

ON_TRACK = 4


def set_up(t: Table) -> Words:
    """What is pending when a match begins."""
    first = [f"requests:{slots(t)}"] if t.coop else ["artefacts"]
    hordes = t.counted + 1 if t.coop else {1: 2, 2: 2, 3: 3, 4: 4}[len(t.seats)]
    names = [clan.name for clan in t.seats]
    if t.recorded:
        dealt = [f"deal:{name}" for name in names] + [f"advise:{name}" for name in names]
        chosen = ["general", "active"]
    else:
        dealt = [f"open-general:{name}" for name in names]
        chosen = [f"open-active:{name}" for name in names]
    return [*first, "top", f"hordes:{hordes}", *dealt, *chosen, "set-out", "autumn", "winter", "yearend"]


def slots(t: Table) -> int:
    """How many requests lie open at most."""
    return 2 if len(t.seats) == 2 else 3


def _laid(t: Table, _: Words, __: Actor, words: Words) -> None:
    t.artefacts = words[1:]
    t.then()


def _requests(t: Table, parts: Words) -> Question | None:
    if parts[0] != "0" and unseen_requests(t):
        return Question("requests", [None], {"request"})
    t.then()
    return None


def _requested(t: Table, parts: Words, _: Actor, words: Words) -> None:
    t.requests.append(words[1])
    t.then(f"requests:{int(parts[0]) - 1}")


# Hordes.


def _shown(t: Table, _: Words, __: Actor, words: Words) -> None:
    t.top = words[1]
    t.then()


def _hordes(t: Table, parts: Words) -> Question | None:
    shown = bool(t.deck)
    if parts[0] != "0":
        t.shuffle_hordes()
    if parts[0] == "0" or not t.deck:
        t.then()
        return None
    if shown:
        return Question("hordes", [None], {"horde"})
    t.then("top", f"hordes:{parts[0]}")
    return None


def _drawn(t: Table, parts: Words, _: Actor, words: Words) -> None:
    card, top = words[1:]
    t.deck.remove(card)
    t.shuffle_hordes()
    if top != "-":
        t.top = top
    _place(t, card)
    t.then(f"hordes:{int(parts[0]) - 1}")


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


# Generals and advisors.


def _dealt(t: Table, parts: Words, _: Actor, words: Words) -> None:
    t.dealt[t.named(parts[0]).seat or 0] = (words[2:], [])
    t.then()


def _advised(t: Table, parts: Words, _: Actor, words: Words) -> None:
    t.dealt[t.named(parts[0]).seat or 0][1].extend(words[2:])
    t.then()


def _waiting(t: Table, what: str) -> Question | None:
    """A secret question to all that have not answered."""
    who: list[Actor] = [clan.seat for clan in t.seats if clan.seat not in t.sealed]
    return Question(what, who, {what}) if who else None


def _general(t: Table, _: Words) -> Question | None:
    question = _waiting(t, "general")
    if question is None:
        for clan in t.seats:
            clan.general = t.sealed[clan.seat or 0]
            t.dealt[clan.seat or 0] = ([], t.dealt[clan.seat or 0][1])
        t.sealed = {}
        t.then()
    return question


def _active(t: Table, _: Words) -> Question | None:
    question = _waiting(t, "active")
    if question is None:
        for clan in t.seats:
            clan.active = [t.sealed[clan.seat or 0]]
            both = t.dealt[clan.seat or 0][1]
            both.remove(clan.active[0] if clan.active[0] in both else "?")
            clan.assistants = both
        t.sealed, t.dealt = {}, {}
        t.then()
    return question


def seal(t: Table, _: Words, actor: Actor, words: Words) -> None:
    """A secret answer."""
    t.sealed[actor or 0] = words[1]


def _open_general(t: Table, parts: Words) -> Question:
    return Question("general", [t.named(parts[0]).seat], {"general"})


def _open_active(t: Table, parts: Words) -> Question:
    return Question("active", [t.named(parts[0]).seat], {"active"})


def _chosen(t: Table, parts: Words, _: Actor, words: Words) -> None:
    clan = t.named(parts[0])
    if words[0] == "general":
        clan.general = words[1]
    else:
        clan.active, clan.assistants = [words[1]], ["?"]
    t.then()


def _set_out(t: Table, _: Words) -> None:
    for clan in t.seats:
        clan.held = dict(s.START[clan.general])
    if t.solo:
        t.clans["q"].assistants = ["?", "?"]

    def value(clan: Clan) -> int:
        return -s.TEA[clan.general]

    t.tea = [clan.mark for clan in sorted(t.seats, key=value)]
    t.tea += (["q"] if t.solo else []) + (["r"] if t.reed else [])
    hands = [f"hand:{clan.name}:{s.START_TACTICS[clan.general]}" for clan in t.seats]
    t.then(f"advisors:{ON_TRACK}", *hands, *(["track"] if t.solo else []))


def _advisors(t: Table, parts: Words) -> Question | None:
    """Advisors onto the track."""
    if parts[0] != "0":
        t.shuffle_advisors()
    if parts[0] == "0" or not t.advisors_in_deck():
        t.then()
        return None
    begins = t.time == 0 and "autumn" in t.agenda
    return Question("advisors", [None], {"advisor"}, goal="start" if begins else "")


def _came(t: Table, parts: Words, _: Actor, words: Words) -> None:
    t.advisors.append(words[1])
    t.then(f"advisors:{int(parts[0]) - 1}")


def _track(t: Table, _: Words, __: Actor, words: Words) -> None:
    t.qin_track = words[1:]
    t.then()


TASKS: dict[str, Task] = {
    "artefacts": lambda _, __: Question("artefacts", [None], {"artefacts"}),
    "requests": _requests,
    "top": lambda _, __: Question("top", [None], {"top"}),
    "hordes": _hordes,
    "deal": lambda _, parts: Question("deal", [None], {"deal"}, place=parts[0]),
    "advise": lambda _, parts: Question("advise", [None], {"advise"}, place=parts[0]),
    "general": _general,
    "active": _active,
    "open-general": _open_general,
    "open-active": _open_active,
    "set-out": _set_out,
    "advisors": _advisors,
    "track": lambda _, __: Question("track", [None], {"track"}),
}
REPLIES: dict[str, Reply] = {
    "artefacts": _laid,
    "requests": _requested,
    "top": _shown,
    "hordes": _drawn,
    "deal": _dealt,
    "advise": _advised,
    "general": seal,
    "active": seal,
    "open-general": _chosen,
    "open-active": _chosen,
    "advisors": _came,
    "track": _track,
}
