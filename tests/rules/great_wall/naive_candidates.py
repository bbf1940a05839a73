"""Random moves for the plain model of The Great Wall, most of them illegal."""

import random

from tests.rules.great_wall import naive_set as s
from tests.rules.great_wall.naive_list import write_figures, write_pay
from tests.rules.great_wall.naive_table import Question, Table

FORMS = {
    "general": "general GENERAL",
    "active": "active ADVISOR",
    "pick": "pick STRATEGY",
    "place": "place N",
    "move": "move SOURCE PLACE",
    "take": "take RESOURCE",
    "copy": "copy CLAN",
    "activate": "activate PLACE",
    "upgrade": "upgrade PLACE MAYBEKIND",
    "donate": "donate",
    "rise": "rise",
    "study": "study N",
    "recruit": "recruit TARGET",
    "attack": "attack ATTACK",
    "shoot": "shoot SPOT",
    "wound": "wound SPOT",
    "barricade": "barricade SECTION MAYBEPAY",
    "wall": "wall SECTION PAY",
    "hire": "hire HIRED",
    "march": "march SECTION SECTION",
    "shift": "shift KIND N",
    "lower": "lower N",
    "cross": "cross N",
    "shame": "shame TOKEN",
    "shed": "shed",
    "cleanse": "cleanse TOKEN",
    "absolve": "absolve TOKEN",
    "lose": "lose FIGURES save FIGURES",
    "play": "play TACTIC MAYBEBOOSTED",
    "discard": "discard TACTIC",
    "recover": "recover",
    "recover-card": "recover STRATEGY",
    "honour": "honour",
    "enlist": "enlist ADVISOR",
    "fulfil": "fulfil REQUEST",
    "agree": "agree",
    "refuse": "refuse",
    "reed-move": "reed PLACE PLACE",
    "reed-spearman": "reed spearman SPOT",
    "reed-barricade": "reed barricade SECTION",
    "reed-dismiss": "reed dismiss ADVISOR",
    "done": "done",
    "artefacts": "artefacts artefact-1 artefact-2 artefact-4",
    "request": "request REQUEST",
    "event": "event EVENT",
    "top": "top NAMED",
    "horde": "horde HORDE NAMED",
    "draw": "draw TACTIC",
    "advisor": "advisor ADVISOR",
    "track": "track wood gold wound chi stone",
    "solo": "solo STRATEGY",
}


def candidate(chance: random.Random, t: Table, question: Question | None) -> str:
    """A move, mostly one that could answer the question."""
    verbs = sorted(question.verbs | ({"play"} if question.window else set())) if question else []
    known = [verb for verb in verbs if verb in FORMS]
    verb = chance.choice(known) if known and chance.random() < 0.7 else chance.choice(list(FORMS))
    return " ".join(" ".join(_word(chance, t, word) for word in FORMS[verb].split()).split())


def _spot(chance: random.Random, t: Table) -> str:
    """A spot, mostly of a card that lies there."""
    section, line = chance.choice(s.SECTIONS), chance.randint(1, 3)
    lying = [(letter, n) for letter, wall in t.walls.items() for n in range(1, len(wall.hordes) + 1)]
    if lying and chance.random() < 0.9:
        section, line = chance.choice(lying)
    card = t.card(section, line)
    cells = list(card.spots) if card is not None and chance.random() < 0.9 else ["a1", "f2"]
    return f"{section}{line}{chance.choice(cells)}"


def _target(chance: random.Random, t: Table) -> str:
    kind = chance.choice(s.KINDS)
    spot = _spot(chance, t)
    if kind == "archer" and chance.random() < 0.2:
        return f"archer {spot[0]}"
    if kind == "horseman":
        card = t.card(spot[0], int(spot[1]))
        cells = list(card.spots) if card is not None else ["a1", "a2", "b1"]
        pair = sorted(chance.sample(cells, 2), key=lambda cell: (cell[1], cell[0]))
        return f"horseman {spot[:2]}{''.join(pair)}"
    return f"{kind} {spot}"


def _figures(chance: random.Random) -> str:
    return write_figures({kind: chance.choice([0, 0, 0, 1, 1, 2]) for kind in s.KINDS})


def _word(chance: random.Random, t: Table, word: str) -> str:
    pay = write_pay(*(chance.choice([0, 0, 1, 1, 2, 3]) for _ in range(3)))
    match word:
        case "TARGET":
            rest = f"{chance.choice(s.KINDS)} rest {chance.choice(s.SECTIONS)}"
            return rest if chance.random() < 0.2 else _target(chance, t)
        case "ATTACK":
            return _target(chance, t)
        case "SPOT":
            return _spot(chance, t)
        case "FIGURES":
            return _figures(chance)
        case "PAY":
            return pay
        case "MAYBEPAY":
            return chance.choice([pay, pay, ""])
        case "MAYBEKIND":
            return chance.choice([*s.KINDS, "", ""])
        case "MAYBEBOOSTED":
            return chance.choice(["boosted", ""])
        case "HIRED":
            roles = ["active", "assistant"]
            return chance.choice(["clerk", f"{chance.choice([*t.advisors, 'a01'])} {chance.choice(roles)}"])
        case "N":
            return str(chance.randint(0, 5))
        case other:
            return _card(chance, t, other)


def _card(chance: random.Random, t: Table, word: str) -> str:
    hordes = s.COOP_HORDES if t.coop else s.HORDES
    choices = {
        "GENERAL": t.generals,
        "ADVISOR": [*t.advisors, *chance.sample(s.ADVISORS, 3)],
        "STRATEGY": s.STRATEGIES,
        "SOURCE": ["reserve", *s.LOCATIONS],
        "PLACE": s.LOCATIONS,
        "RESOURCE": s.RESOURCES,
        "CLAN": [clan.name for clan in t.clans.values()],
        "SECTION": s.SECTIONS,
        "KIND": s.KINDS,
        "TOKEN": [*s.KINDS, *chance.sample(hordes, 2), *(card for clan in t.seats for card in clan.claimed)],
        "TACTIC": t.kinds,
        "REQUEST": s.REQUESTS,
        "EVENT": s.EVENTS,
        "NAMED": s.NAMED,
        "HORDE": hordes,
    }
    return chance.choice(list(choices[word])) if word in choices else word
