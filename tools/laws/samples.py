"""Moves made up from the statements of a game, without a look at whether they are legal."""

import random
from collections.abc import Iterator
from itertools import islice, product
from math import prod
from typing import Final, TypeVar

from rules.kernel.composed import After, Constant, Either, Marked, Tally
from rules.kernel.composite import Record
from rules.kernel.forms import Absence, Composite, Count, Enumeration, Form, Name, Repetition, Truth, Unnamed
from rules.kernel.statements import Statement, Statements
from rules.kernel.terms import Maybe, Several, Term

Move = TypeVar("Move")

MOST: Final = 400
"""Moves of one class that are made up at most; where there are no more, all of them."""

_MOST_THINGS: Final = 60
"""Maximum things of one term that are tried."""

_LONG: Final = 4
"""Things in a row at most, where a term takes several."""


def made_up(stated: Statements[object, Move], table: object, chance: random.Random) -> Iterator[Move]:
    """Moves of every class: all, or some of many."""
    for one in stated.each:
        yield from _moves(one, table, chance)


def _moves(one: Statement[object, Move], table: object, chance: random.Random) -> Iterator[Move]:
    domains = [_things(term, table, chance) for term in one.terms]
    if prod(map(len, domains)) <= MOST:
        yield from (one.build(*parts) for parts in product(*domains))
    elif all(domains):
        found = {tuple(chance.choice(domain) for domain in domains) for _ in range(MOST)}
        yield from (one.build(*parts) for parts in sorted(found, key=repr))


def _things(term: Term[object, object], table: object, chance: random.Random) -> list[object]:
    found = list(dict.fromkeys(_of_term(term, table, chance)))
    return found if len(found) <= _MOST_THINGS else chance.sample(found, _MOST_THINGS)


def _of_term(term: Term[object, object], table: object, chance: random.Random) -> Iterator[object]:
    match term:
        case Constant():
            yield term.thing
        case Marked() | After():
            yield from _of_term(term.of, table, chance)
        case Either():
            for option in term.options:
                yield from _of_term(option, table, chance)
        case Maybe():
            yield None
            yield from _of_term(term.of, table, chance)
        case Several():
            yield from _several(term.form(), _things(term.of, table, chance), table, chance)
        case Record():
            yield from _moves(term.of, table, chance)
        case Tally():
            for _ in range(_MOST_THINGS):
                yield tuple(chance.choice((0, 0, 0, 1, 1, 2, 3)) for _ in term.letters)
        case _:
            yield from _of_form(term.form(), table, chance)


def _of_form(form: Form, table: object, chance: random.Random) -> Iterator[object]:
    match form:
        case Name():
            yield from form.names(table).number_of.values()
        case Count():
            most = form.most(table)
            spread = range(most + 1) if most < _MOST_THINGS else (0, 1, 2, 3, 4, 5, most // 2, most - 1, most)
            yield from spread
        case Truth():
            yield from (False, True)
        case Enumeration():
            yield from form.members
        case Absence():
            yield None
            yield from _of_form(form.of, table, chance)
        case Composite():
            parts = [list(_of_form(part, table, chance)) for _, part in form.parts]
            if all(parts):
                for _ in range(_MOST_THINGS):
                    yield form.make(*[chance.choice(each) for each in parts])
        case Repetition():
            yield from _several(form, list(_of_form(form.of, table, chance)), table, chance)
        case _:
            return


def _several(form: Form, of: list[object], table: object, chance: random.Random) -> Iterator[object]:
    """None, single ones, and some in a row in the order in which they are named."""
    if not isinstance(form, Repetition):
        return
    rows: list[tuple[object, ...]] = [(), *((one,) for one in islice(of, _MOST_THINGS))]
    for _ in range(_MOST_THINGS if of else 0):
        places = sorted(chance.choices(range(len(of)), k=chance.randint(2, _LONG)))
        rows.append(tuple(of[place] for place in places))
    for row in rows:
        try:
            yield form.join(table, row)
        except Unnamed:
            continue
