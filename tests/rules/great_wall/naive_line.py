"""The position line of the plain model of The Great Wall."""

from collections.abc import Iterable

from tests.rules.great_wall import naive_set as s
from tests.rules.great_wall.naive_list import write_figures
from tests.rules.great_wall.naive_table import Card, Clan, Table, Wall, Words, soldier
from tests.rules.great_wall.naive_tasks import joined

MARKS = "1234rq"
RIDERS = {"1": "AE", "2": "BF", "3": "CG", "4": "DH", "q": "IJ"}


def by_set(cards: Iterable[str], order: Iterable[str]) -> str:
    """Cards in the order of the set, unknown ones last."""
    places = {card: at for at, card in enumerate([*order, "?"])}
    return joined(sorted(cards, key=lambda card: places[card]))


def write_line(t: Table) -> str:
    """The whole line."""
    ask, *then = t.agenda or ["-"]
    pending = f"ask={ask} then={'>'.join(then) or '-'}"
    return " ".join(part for part in (_board(t), pending, _tail(t)) if part)


def _board(t: Table) -> str:
    """The line as far as what lies on the table."""
    words = [
        s.SET_NAME,
        f"time={t.time}",
        f"pool={t.pool}.{t.removed}",
        f"top={t.top}",
        f"tea={joined(t.clans[mark].name for mark in t.tea)}",
        "ware=" + "".join(f"{resource[0]}{n}" for resource, n in t.ware.items()),
    ]
    words += [f"{name}={_section(t, letter)}" for letter, name in s.WORD.items()]
    places = (f"{place}:{''.join(sorted(there, key=MARKS.index))}" for place, there in t.at.items() if there)
    words.append(f"at={joined(places)}")
    words += [f"{clan.name}={_seat(t, clan)}" for clan in t.seats]
    if t.reed:
        words.append(f"reed={t.clans['r'].reserve['spearman']}")
    if t.solo:
        words.append(f"qin={_qin(t)}")
    cards = s.COOP_HORDES if t.coop else s.HORDES
    words.append(f"hordes={len(t.deck)}/{by_set(t.horde_discard, cards)}")
    words.append(f"advisors={joined(t.advisors)}/{by_set(t.advisor_discard, s.ADVISORS)}/{_unknown(t)}")
    words.append(f"tactics={t.tactic_deck}/{by_set(t.tactic_discard, t.kinds)}")
    if t.artefacts:
        words.append(f"artefacts={by_set(t.artefacts, s.ARTEFACTS)}")
    if t.coop:
        requests = f"{by_set(t.requests, s.REQUESTS)}/{by_set(t.fulfilled, s.REQUESTS)}"
        words.append(f"coop={requests}/{by_set(t.events, s.EVENTS)}")
    return " ".join([*words, f"track={_track(t)}", f"secret={_secret(t)}"])


def _tail(t: Table) -> str:
    """The words after what is pending."""
    words = []
    owed = [(clan.name, "".join(f"{r[0]}{n}" for r, n in clan.owed.items() if n)) for clan in t.seats]
    if any(amount for _, amount in owed):
        words.append(f"owed={joined(f'{name}:{amount}' for name, amount in owed if amount)}")
    if any(clan.saves for clan in t.seats):
        words.append(f"saves={joined(f'{clan.name}:{clan.saves}' for clan in t.seats if clan.saves)}")
    if any(t.shuffled.values()):
        words.append(f"shuffled={_shuffled(t)}")
    if t.ended is not None:
        cause, winners = t.ended
        words.append(f"ended={cause}:{joined(t.seats[seat].name for seat in winners)}")
    if t.recorded:
        words.append("draws=recorded")
    if t.emptied and t.settings["pool-empty"] == "latched":
        words.append("emptied=yes")
    if t.coop:
        words.append("edition=great-wall-coop/1")
    usual = {name: offered[0] for name, offered in s.RULINGS.items()} | {"qin-honour": "0"}
    changed = sorted(name for name, value in t.settings.items() if value != usual[name])
    return " ".join(words + [f"{name}={t.settings[name]}" for name in changed])


def _section(t: Table, letter: str) -> str:
    if letter not in t.walls:
        return "closed"
    wall = t.walls[letter]
    firing = [f"{mark}a{wall.firing[mark]}" for mark in MARKS if wall.firing.get(mark)]
    rest = [f"{mark}{write_figures(wall.rest[mark])}" for mark in MARKS if _rests(wall, mark)]
    hordes = joined(f"{card.name}:{_marks(card)}" for card in wall.hordes)
    return f"{wall.level}/{wall.barricades}/{hordes}/{joined(firing)}/{joined(rest)}"


def _rests(wall: Wall, mark: str) -> bool:
    return any(wall.rest.get(mark, {}).values())


def _marks(card: Card) -> str:
    """A mark for each spot; horsemen in the order in which they are read."""
    riders: Words = []
    marks = ""
    for covered in card.spots.values():
        if soldier(covered) != "horseman":
            marks += covered
            continue
        if covered not in riders:
            riders.append(covered)
        own = [rider for rider in riders if rider[0] == covered[0]]
        marks += RIDERS[covered[0]][own.index(covered)]
    return marks


def _foremen(clan: Clan) -> str:
    there = [(place, *clan.foremen[place]) for place in s.PRODUCE if place in clan.foremen]
    return joined(f"{place}{level}{kind[0]}" for place, level, kind in there)


def _reserve(clan: Clan) -> str:
    return "".join(f"{kind[0]}{n}" for kind, n in clan.reserve.items())


def _claimed(clan: Clan) -> str:
    return joined(f"{card}*{tokens}" if tokens else card for card, tokens in clan.claimed.items())


def _seat(t: Table, clan: Clan) -> str:
    return "/".join(
        [
            clan.general,
            by_set(clan.active, s.ADVISORS),
            _assistants(clan.assistants, 1),
            "".join(f"{resource[0]}{n}" for resource, n in clan.held.items()),
            str(clan.honour),
            f"{clan.clerks}.{clan.space}",
            _reserve(clan),
            write_figures(clan.shamed),
            _foremen(clan),
            by_set(clan.hand, s.STRATEGIES),
            by_set(clan.discarded, s.STRATEGIES),
            by_set(clan.tactics, t.kinds),
            _claimed(clan),
            write_figures(clan.sacrificed),
        ]
    )


def _qin(t: Table) -> str:
    qin = t.clans["q"]
    return "/".join(
        [
            str(qin.honour),
            str(qin.clerks),
            _assistants(qin.assistants, 2),
            _reserve(qin),
            _foremen(qin),
            ".".join(t.qin_track) or "-",
            _claimed(qin),
            by_set(t.solo_played, s.STRATEGIES),
        ]
    )


def _assistants(cards: Words, dealt: int) -> str:
    """Those that were dealt come first."""
    hired = by_set(cards[dealt:], s.ADVISORS) if cards[dealt:] else ""
    return joined([*cards[:dealt], *([hired] if hired else [])])


def _shuffled(t: Table) -> str:
    """How often each deck was shuffled anew, and which advisors and tactics were, the last time."""
    counts = [str(n) for n in t.shuffled.values()]
    advisors = by_set(t.last_shuffled["advisors"], s.ADVISORS)
    return "/".join([*counts, advisors, by_set(t.last_shuffled["tactics"], t.kinds)])


def _unknown(t: Table) -> int:
    """Advisors that are out of the deck and not public: dealt ones, and the assistants of the start."""
    dealt = sum(len(cards) for _, cards in t.dealt.values())
    begun = sum(1 for clan in t.seats if clan.assistants)
    return dealt + begun + (2 if t.solo and t.clans["q"].assistants else 0)


def _track(t: Table) -> str:
    placed = sorted(
        ((space, mark) for mark, (space, _) in t.track.items() if space or mark != "r"),
        key=lambda both: (both[0], MARKS.index(both[1])),
    )
    return joined(f"{space}:{t.clans[mark].name}.{t.track[mark][1]}" for space, mark in placed)


def _secret(t: Table) -> str:
    if not t.dealt:
        return joined(f"{t.seats[seat].name}:{card}" for seat, card in sorted(t.sealed.items()))
    parts = []
    for seat, (generals, advisors) in t.dealt.items():
        choice = f"*{t.sealed[seat]}" if seat in t.sealed else ""
        parts.append(f"{t.seats[seat].name}:{'.'.join(generals) or '-'}/{'.'.join(advisors) or '-'}{choice}")
    return joined(parts)
