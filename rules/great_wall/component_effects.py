"""Checks of the effects of a component set: GW-CK-13 and GW-CK-18."""

from collections.abc import Iterable, Iterator
from typing import Final

from rules.great_wall.component_file import ComponentFile, Op
from rules.great_wall.kinds import SLOTS
from rules.kernel.setup import ComponentFault

_STRATEGY: Final = frozenset(
    [
        "gain",
        "take",
        "honour",
        "tactic",
        "clerks",
        "activate",
        "attack",
        "copy",
        "upgrade",
        "barricade",
        "wound",
        "cleanse",
        "tea",
    ]
)
_ALLOWED: Final = {
    "strategy self": _STRATEGY,
    "strategy others": frozenset(("clerks", "gain", "take", "honour", "tactic")),
    "copy": _STRATEGY - {"copy"},
    "reed self": frozenset(("clerks",)),
    "solo self": frozenset(("clerks", "honour", "activate", "recruit", "wall", "upgrade")),
    "tactic strategy": _STRATEGY - {"activate", "attack", "copy"},
    "tactic resolve": frozenset(["gain", "take", "honour", "tactic", "tea", "barricade", "wound", "cleanse"]),
    "tactic losses": frozenset(("save", "gain", "take", "honour")),
    "tactic fire": frozenset(("wound", "gain", "take", "honour")),
    "tactic shame": frozenset(("gain", "take", "honour", "tactic", "cleanse")),
    "tactic summer": frozenset(("gain", "take", "honour", "tactic", "cleanse")),
    "event": frozenset(("gain", "lose", "honour", "tactic", "shame")),
    "occasion": frozenset(("gain", "honour")),
    "solo occasion": frozenset(("honour",)),
}
_FIELDS: Final = {
    "gain": {"res", "per"},
    "lose": {"res"},
    "take": {"of"},
    "honour": {"per"},
    "clerks": {"bonus"},
    "copy": {"otherwise"},
    "wound": {"line"},
    "recruit": {"kind"},
}
_NEEDED: Final = {
    "gain": "res",
    "lose": "res",
    "take": "of",
    "wound": "line",
    "recruit": "kind",
    "copy": "otherwise",
}
_PER: Final = frozenset(("general", "coop_general", "solo_general", "solo_strategy"))
"""Where something may be multiplied by assistants."""
_MOST: Final = 99


def effect_faults(file: ComponentFile) -> Iterator[ComponentFault]:
    """Effects outside the vocabulary, or where it does not allow them."""
    names = {card.id for card in file.strategy}
    for where, place, ops in _effects(file):
        for number, op in enumerate(ops):
            yield from _op_faults(f"{where}[{number}]", place, op, names)
    for name, deck in (("horde", file.horde), ("coop_horde", file.coop_horde)):
        for number, card in enumerate(deck):
            for each in card.ability:
                if (each.stat == "immune") != (each.to is not None) or (each.stat == "immune" and each.by):
                    yield _fault(13, f"{name}[{number}].ability", "immune names a kind, all else a number")
                elif abs(each.by) > _MOST:
                    yield _fault(13, f"{name}[{number}].ability", f"expected a number up to {_MOST}")
    for number, event in enumerate(file.event):
        if any(abs(each.by) > _MOST for each in event.passive):
            yield _fault(13, f"event[{number}].passive", f"expected a number up to {_MOST}")
    for number, artefact in enumerate(file.artefact):
        if not 0 <= artefact.n <= _MOST:
            yield _fault(13, f"artefact[{number}].n", f"expected a number from 0 to {_MOST}")


def _effects(file: ComponentFile) -> Iterator[tuple[str, str, tuple[Op, ...]]]:
    for name, kind, cards in (
        ("strategy", "strategy", file.strategy),
        ("reed_strategy", "reed", file.reed_strategy),
        ("solo_strategy", "solo", file.solo_strategy),
    ):
        for number, card in enumerate(cards):
            for block, each in enumerate(card.blocks):
                place = "strategy others" if each.who == "others" else f"{kind} self"
                yield f"{name}[{number}].blocks[{block}].do", place, each.do
    for name, tactics in (("tactic", file.tactic), ("coop_tactic", file.coop_tactic)):
        for number, tactic in enumerate(tactics):
            yield f"{name}[{number}].base", f"tactic {tactic.window}", tactic.base
            yield f"{name}[{number}].boosted", f"tactic {tactic.window}", tactic.boosted
    for number, event in enumerate(file.event):
        yield f"event[{number}].immediate", "event", event.immediate
    for name, generals in (("general", file.general), ("coop_general", file.coop_general)):
        for number, general in enumerate(generals):
            yield f"{name}[{number}].do", "occasion", general.do
    for number, advisor in enumerate(file.advisor):
        yield f"advisor[{number}].do", "occasion", advisor.do
    for number, qin in enumerate(file.solo_general):
        yield f"solo_general[{number}].do", "solo occasion", qin.do


def _op_faults(where: str, place: str, op: Op, names: Iterable[str]) -> Iterator[ComponentFault]:
    if op.op not in _ALLOWED[place]:
        check = 13 if "occasion" in place else 18
        yield _fault(
            check, where, f"{op.op} has no place here; expected {', '.join(sorted(_ALLOWED[place]))}"
        )
    given = {name for name in ("res", "of", "per", "bonus", "otherwise", "kind", "line") if getattr(op, name)}
    extra = given - _FIELDS.get(op.op, set())
    if extra:
        yield _fault(13, where, f"{op.op} has no {', '.join(sorted(extra))}")
    if op.op in _NEEDED and _NEEDED[op.op] not in given:
        yield _fault(13, where, f"{op.op} says no {_NEEDED[op.op]}")
    if not 1 <= op.n <= _MOST or not 1 <= (op.line or 1) <= SLOTS:
        yield _fault(13, where, f"expected n from 1 to {_MOST} and a line from 1 to {SLOTS}")
    if op.per is not None and where.partition("[")[0] not in _PER:
        yield _fault(13, where, "only generals and Qin's cards count assistants")
    if op.bonus is not None and (op.bonus.card not in names or not 1 <= op.bonus.n <= _MOST):
        yield _fault(13, where, f"no strategy is called {op.bonus.card}, or its bonus is out of range")
    for number, inner in enumerate(op.otherwise):
        yield from _op_faults(f"{where}.else[{number}]", "copy", inner, names)


def _fault(number: int, field: str, why: str) -> ComponentFault:
    return ComponentFault(f"GW-CK-{number:02}", field, why)
