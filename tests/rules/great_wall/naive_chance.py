"""What chance may bring in the plain model of The Great Wall."""

from collections.abc import Callable
from itertools import combinations, permutations

from tests.rules.great_wall import naive_set as s
from tests.rules.great_wall.naive_table import Question, Table, Words


def backs(deck: Words) -> Words:
    """The backs that a card on top of this deck can have."""
    return [name for name in s.NAMED if name in [s.back(card) for card in deck]]


def next_backs(t: Table, card: str) -> Words:
    """What may be on top when this card has been drawn; a discard is shuffled when the deck is empty."""
    left = [other for other in t.deck if other != card] or t.horde_discard
    return backs(left) or ["-"]


def offers(t: Table, question: Question) -> Words:
    """Everything that chance can bring, in the order of the set."""
    match question.name:
        case "artefacts":
            return [f"artefacts {' '.join(three)}" for three in combinations(s.ARTEFACTS, 3)]
        case "requests":
            return [f"request {name}" for name in unseen_requests(t)]
        case "event":
            return [f"event {name}" for name in s.EVENTS if name not in t.events]
        case "top":
            return [f"top {name}" for name in backs(t.deck)]
        case "hordes":
            drawn = [card for card in t.deck if s.back(card) == t.top]
            return [f"horde {card} {top}" for card in drawn for top in next_backs(t, card)]
        case "deal":
            free = [
                card for card in t.generals if card not in [c for dealt, _ in t.dealt.values() for c in dealt]
            ]
            pairs = [" ".join(pair) for pair in combinations(free, 2)]
            return [f"deal {question.place} {pair}" for pair in [*pairs, "? ?"]]
        case "advise":
            pairs = [" ".join(pair) for pair in combinations(t.unseen_advisors(), 2)]
            return [f"advise {question.place} {pair}" for pair in [*pairs, "? ?"]]
        case "advisors":
            return [f"advisor {card}" for card in t.unseen_advisors()]
        case "hand":
            return [f"draw {kind}" for kind in t.kinds if t.may_be_drawn(kind)] + ["draw ?"]
        case "track":
            return [f"track {' '.join(tokens)}" for tokens in permutations(s.TOKENS)]
        case _:
            return [f"solo {card}" for card in s.STRATEGIES if card not in t.solo_played]


def unseen_requests(t: Table) -> Words:
    gone = {*t.requests, *t.fulfilled, *(s.NOT_FOR_TWO if len(t.seats) == 2 else ())}
    return [name for name in s.REQUESTS if name not in gone]


def _unless_offered(rule: str) -> Callable[[Table, Question, Words], Words]:
    def faults(t: Table, question: Question, words: Words) -> Words:
        return [] if " ".join(words) in offers(t, question) else [rule]

    return faults


def _advisor(t: Table, question: Question, words: Words) -> Words:
    rule = "GW-SET-13" if question.goal == "start" else "GW-EMB-04"
    return [] if words[1] in t.unseen_advisors() else [rule]


CHANCE_FAULTS: dict[str, Callable[[Table, Question, Words], Words]] = {
    "artefacts": _unless_offered("GW-SET-04"),
    "request": _unless_offered("GW-COP-02"),
    "event": _unless_offered("GW-COP-12"),
    "top": _unless_offered("GW-CRD-15"),
    "horde": _unless_offered("GW-INV-03"),
    "deal": _unless_offered("GW-SET-10"),
    "advise": _unless_offered("GW-SET-11"),
    "advisor": _advisor,
    "draw": _unless_offered("GW-CRD-12"),
    "track": _unless_offered("GW-SOL-07"),
    "solo": _unless_offered("GW-SOL-18"),
}
