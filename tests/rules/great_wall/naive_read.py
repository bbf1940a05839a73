"""Reads a position line into the plain model of The Great Wall."""

import re

from tests.rules.great_wall import naive_set as s
from tests.rules.great_wall.naive_fight_judge import read_figures
from tests.rules.great_wall.naive_table import Card, Clan, Table, Wall, Words

HORSEMEN = {letter: f"{mark}h0" for letter, mark in zip("ABCDI", "1234q", strict=True)} | {
    letter: f"{mark}h1" for letter, mark in zip("EFGHJ", "1234q", strict=True)
}
FIXED = ("time", "pool", "top", "tea", "ware", "left", "centre", "right", "at")
AFTER_SEATS = ("reed", "qin", "hordes")


def several(text: str, sign: str = "+") -> Words:
    return [] if text == "-" else text.split(sign)


def read_line(line: str) -> Table:
    """Everything that the line says."""
    words = dict(word.split("=", 1) for word in line.split()[1:])
    keys = list(words)
    seats = keys[len(FIXED) : next(at for at, key in enumerate(keys) if key in AFTER_SEATS)]
    settings = {key: words[key] for key in words if key in s.RULINGS or key == "qin-honour"}
    coop, recorded = "edition" in words, "draws" in words
    t = Table(tuple(seats), settings, coop=coop, recorded=recorded)
    t.time, t.top = int(words["time"]), words["top"]
    t.pool, t.removed = map(int, words["pool"].split("."))
    t.emptied = "emptied" in words
    t.tea = [t.named(name).mark for name in several(words["tea"])]
    t.ware = dict(zip(t.ware, _numbers(words["ware"]), strict=True))
    for letter in t.open:
        t.walls[letter] = _wall(letter, words[s.WORD[letter]])
    t.at = {place: [] for place in s.LOCATIONS} | {
        place: list(marks) for place, marks in (part.split(":") for part in several(words["at"]))
    }
    for clan in t.seats:
        _seat(clan, words[clan.name])
    _clans(t, words)
    _decks(t, words)
    _secrets(t, words["secret"])
    for part in several(words["track"]):
        space, card = part.split(":")
        name, card = card.split(".")
        t.track[t.named(name).mark] = (int(space), card)
    t.agenda = several(words["ask"]) and [words["ask"], *several(words["then"], ">")]
    if any(task.startswith("clan-places:reed") for task in t.agenda):
        t.track["r"] = (0, "reed")
    return t


def _numbers(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", text)]


def _amounts(text: str) -> dict[str, int]:
    """Resources by their letters, those named only."""
    letters = {resource[0]: resource for resource in s.RESOURCES}
    return {letters[letter]: int(n) for letter, n in re.findall(r"([wsgc])(\d+)", text)}


def _wall(letter: str, text: str) -> Wall:
    level, barricades, hordes, firing, rest = text.split("/")
    wall = Wall(letter, int(level), int(barricades))
    for part in several(hordes):
        name, marks = part.split(":")
        covered = [HORSEMEN.get(mark, mark) for mark in marks]
        wall.hordes.append(Card(name, dict(zip(s.cells(name), covered, strict=True))))
    wall.firing = {part[0]: int(part[2:]) for part in several(firing)}
    wall.rest = {part[0]: read_figures(part[1:]) for part in several(rest)}
    return wall


def _reserve(clan: Clan, text: str) -> None:
    clan.reserve = dict(zip(s.KINDS, _numbers(text), strict=True))


def _foremen(text: str) -> dict[str, tuple[int, str]]:
    kinds = {kind[0]: kind for kind in s.KINDS}
    return {part[:-2]: (int(part[-2]), kinds[part[-1]]) for part in several(text)}


def _claimed(text: str) -> dict[str, int]:
    cards = [part.partition("*") for part in several(text)]
    return {card: int(tokens or 0) for card, _, tokens in cards}


def _seat(clan: Clan, text: str) -> None:
    parts = text.split("/")
    clan.general = parts[0]
    clan.active, clan.assistants = several(parts[1]), several(parts[2])
    clan.held = dict.fromkeys(s.RESOURCES, 0) | _amounts(parts[3])
    clan.honour = int(parts[4])
    clan.clerks, clan.space = map(int, parts[5].split("."))
    _reserve(clan, parts[6])
    clan.shamed |= read_figures(parts[7])
    clan.foremen = _foremen(parts[8])
    clan.hand, clan.discarded, clan.tactics = (several(part) for part in parts[9:12])
    clan.claimed = _claimed(parts[12])
    clan.sacrificed |= read_figures(parts[13])


def _clans(t: Table, words: dict[str, str]) -> None:
    """Reed and Qin, and what the seats are owed."""
    if t.reed:
        t.clans["r"].reserve["spearman"] = int(words["reed"])
    if t.solo:
        qin, parts = t.clans["q"], words["qin"].split("/")
        qin.honour, qin.clerks, qin.assistants = int(parts[0]), int(parts[1]), several(parts[2])
        _reserve(qin, parts[3])
        qin.foremen, qin.claimed = _foremen(parts[4]), _claimed(parts[6])
        t.qin_track, t.solo_played = several(parts[5], "."), several(parts[7])
    for part in several(words.get("owed", "-")):
        name, amount = part.split(":")
        t.named(name).owed |= _amounts(amount)
    for part in several(words.get("saves", "-")):
        name, n = part.split(":")
        t.named(name).saves = int(n)


def _decks(t: Table, words: dict[str, str]) -> None:
    t.horde_discard = several(words["hordes"].split("/")[1])
    lying = [card.name for wall in t.walls.values() for card in wall.hordes]
    claimed = [card for clan in t.clans.values() for card in clan.claimed]
    t.deck = [card for card in t.deck if card not in (*t.horde_discard, *lying, *claimed)]
    track, discard, _ = words["advisors"].split("/")
    t.advisors, t.advisor_discard = several(track), several(discard)
    size, played = words["tactics"].split("/")
    t.tactic_deck, t.tactic_discard = int(size), several(played)
    t.artefacts = several(words.get("artefacts", "-"))
    t.requests, t.fulfilled, t.events = map(several, words.get("coop", "-/-/-").split("/"))
    if "shuffled" in words:
        *counts, advisors, tactics = words["shuffled"].split("/")
        t.shuffled = dict(zip(t.shuffled, map(int, counts), strict=True))
        t.last_shuffled = {"advisors": several(advisors), "tactics": several(tactics)}
    if "ended" in words:
        cause, winners = words["ended"].split(":")
        t.ended = (cause, [t.named(name).seat or 0 for name in several(winners)])


def _secrets(t: Table, text: str) -> None:
    """What was dealt or answered and is not revealed yet."""
    for part in several(text):
        name, _, kept = part.partition(":")
        seat = t.named(name).seat or 0
        cards, _, answer = kept.partition("*")
        if "/" in cards:
            generals, advisors = cards.split("/")
            t.dealt[seat] = (several(generals, "."), several(advisors, "."))
        else:
            answer = cards
        if answer:
            t.sealed[seat] = answer
