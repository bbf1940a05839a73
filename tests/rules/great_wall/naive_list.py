"""The legal moves of the plain model of The Great Wall: all that could be said, in order, and judged."""

from collections.abc import Callable, Iterable, Iterator
from itertools import product

from tests.rules.great_wall import naive_chance
from tests.rules.great_wall import naive_set as s
from tests.rules.great_wall.naive_judge import judge
from tests.rules.great_wall.naive_table import Actor, Question, Table, Words

DONE_LAST = {
    *(
        "clerks",
        "reed-clerks",
        "copy",
        "advance",
        "order",
        "upgrades",
        "barricades",
        "wounds",
        "frees",
        "upgrade",
    ),
    *("donate", "rise", "recruit", "build", "again", "hire", "march", "shift", "cleanse", "fulfil", "shame"),
}


def listed(t: Table, question: Question, actor: Actor) -> Words:
    """The legal moves of an awaited actor."""
    if actor is None:
        return naive_chance.offers(t, question)
    said = list(_plays(t)) if question.window else []
    said += _losses(question) if question.name == "lose" else SAYINGS[question.name](t)
    if question.name in DONE_LAST and "done" in question.verbs:
        said.append("done")
    return [text for text in dict.fromkeys(said) if not judge(t, question, actor, text.split())]


def _plays(t: Table) -> Iterator[str]:
    for kind in t.kinds:
        yield f"play {kind}"
        yield f"play {kind} boosted"


def _clerk_moves(first: str) -> Iterator[str]:
    sources = ("reserve", *s.LOCATIONS) if first == "move" else s.LOCATIONS
    return (f"{first} {source} {target}" for source in sources for target in s.LOCATIONS)


def targets(t: Table, section: str, kinds: tuple[str, ...] = s.KINDS) -> Iterator[str]:
    """A kind with a place to attack, by line, spot and kind."""
    for line, card in enumerate(t.walls[section].hordes, 1):
        cells = list(card.spots)
        for at, cell in enumerate(cells):
            for kind in kinds:
                seconds = cells[at + 1 :] if kind == "horseman" else [""]
                yield from (f"{kind} {section}{line}{cell}{second}" for second in seconds)
    if "archer" in kinds:
        yield f"archer {section}"


def _spots(t: Table) -> Iterator[str]:
    for section, wall in t.walls.items():
        for line, card in enumerate(wall.hordes, 1):
            yield from (f"{section}{line}{cell}" for cell in card.spots)


def write_pay(wood: int, stone: int, gold: int) -> str:
    parts = [f"{letter}{n}" for letter, n in zip("wsg", (wood, stone, gold), strict=True) if n]
    return "".join(parts) or "-"


def _payments(most: int) -> list[str]:
    every = range(most + 1)
    return [write_pay(*pay) for pay in product(every, every, every) if sum(pay) <= most]


def _buildings(t: Table) -> Iterator[str]:
    for section in t.walls:
        yield from (f"barricade {section} {pay}" for pay in _payments(s.BARRICADE_COST))
    for section, wall in t.walls.items():
        if wall.level < 3:
            yield from (f"wall {section} {pay}" for pay in _payments(s.WALL_COST[wall.level]))


def _recruits(t: Table) -> Iterator[str]:
    for section in t.walls:
        yield from (f"recruit {target}" for target in targets(t, section))
        yield from (f"recruit {kind} rest {section}" for kind in s.KINDS)


def write_figures(figures: dict[str, int]) -> str:
    return "".join(f"{kind[0]}{figures[kind]}" for kind in s.KINDS if figures.get(kind)) or "-"


def _losses(question: Question) -> Iterator[str]:
    ranges = [range(question.risk.get(kind, 0) + 1) for kind in s.KINDS]
    for killed in product(*ranges):
        for saved in product(*ranges):
            if sum(killed) + sum(saved) == question.n:
                dead = write_figures(dict(zip(s.KINDS, killed, strict=True)))
                yield f"lose {dead} save {write_figures(dict(zip(s.KINDS, saved, strict=True)))}"


def _shifts() -> Iterator[str]:
    yield from (f"shift {kind} {n}" for kind in s.KINDS for n in range(1, s.FIGURES[kind] + 1))
    yield from (f"lower {n}" for n in range(1, 5))
    yield from (f"cross {n}" for n in range(1, 5))


def _tokens(t: Table, first: str) -> Words:
    return [f"{first} {token}" for token in (*s.KINDS, *(s.COOP_HORDES if t.coop else s.HORDES))]


def _upgrades() -> Iterator[str]:
    for place in s.PRODUCE:
        yield f"upgrade {place}"
        yield from (f"upgrade {place} {kind}" for kind in s.KINDS)


def _copies(t: Table) -> Iterator[str]:
    return (f"copy {t.clans[mark].name}" for mark in sorted(t.track, key=lambda mark: t.track[mark]))


def _attacks(t: Table) -> Iterator[str]:
    for section in t.walls:
        yield from (f"attack {target}" for target in targets(t, section))
    yield from (f"shoot {spot}" for spot in _spots(t))


def _hires(t: Table) -> Iterator[str]:
    yield "hire clerk"
    yield from (f"hire {card} {role}" for card in t.advisors for role in ("active", "assistant"))


def _reed_spears(t: Table) -> Iterator[str]:
    for section in t.walls:
        yield from (f"reed {target}" for target in targets(t, section, ("spearman",)))


SAYINGS: dict[str, Callable[[Table], Iterable[str]]] = {
    "general": lambda t: (f"general {card}" for card in t.generals),
    "active": lambda _: (f"active {card}" for card in s.ADVISORS),
    "pick": lambda _: (f"pick {card}" for card in s.STRATEGIES),
    "place": lambda _: (f"place {space}" for space in range(1, s.SPACES + 1)),
    "clerks": lambda _: _clerk_moves("move"),
    "reed-clerks": lambda _: _clerk_moves("reed"),
    "take": lambda _: (f"take {resource}" for resource in s.RESOURCES),
    "copy": _copies,
    "advance": lambda _: (f"activate {place}" for place in s.LOCATIONS),
    "acts": lambda _: (f"activate {place}" for place in s.LOCATIONS),
    "order": _attacks,
    "upgrade": lambda _: _upgrades(),
    "upgrades": lambda _: _upgrades(),
    "donate": lambda _: ["donate"],
    "rise": lambda _: ["rise"],
    "barricades": lambda t: (f"barricade {section}" for section in t.walls),
    "wounds": lambda t: (f"wound {spot}" for spot in _spots(t)),
    "frees": lambda t: _tokens(t, "cleanse"),
    "cleanse": lambda t: _tokens(t, "cleanse"),
    "recruit": _recruits,
    "build": _buildings,
    "again": lambda _: (f"recover {card}" for card in s.STRATEGIES),
    "hire": _hires,
    "march": lambda t: (f"march {origin} {goal}" for origin in t.walls for goal in t.walls),
    "shift": lambda _: _shifts(),
    "study": lambda _: (f"study {n}" for n in range(9)),
    "reed-spear": _reed_spears,
    "reed-barricade": lambda t: (f"reed barricade {section}" for section in t.walls),
    "dismiss": lambda t: (f"reed dismiss {card}" for card in t.advisors),
    "absolve": lambda t: _tokens(t, "absolve"),
    "limit": lambda t: (f"discard {kind}" for kind in t.kinds),
    "shame": lambda t: [*_tokens(t, "shame"), "shed"],
    "fire": lambda t: (f"shoot {spot}" for spot in _spots(t)),
    "recover": lambda _: ["recover", "honour"],
    "enlist": lambda t: (f"enlist {card}" for card in t.advisors),
    "fulfil": lambda _: (f"fulfil {name}" for name in s.REQUESTS),
    "agree": lambda _: ["agree", "refuse"],
}
"""All that could be said in answer to a question, legal or not; losses depend on what is at risk."""
