"""Where soldiers, archers and wounds can go: spots that are free, and why others are not."""

from collections.abc import Iterable, Iterator
from typing import Final

from rules.great_wall.horde_cards import HordeCard
from rules.great_wall.kinds import Cell, Kind, Section
from rules.great_wall.moves import Slot, Spots, Target
from rules.great_wall.names import CELL
from rules.great_wall.rulebook import cards
from rules.great_wall.rulebook import wall as rules
from rules.great_wall.state import State
from rules.great_wall.wall import EMPTY, Lying
from rules.kernel.rule import Breach, Rule


def card_of(state: State, lying: Lying) -> HordeCard:
    """What is printed on a horde."""
    return state.table.parts.hordes[lying.horde]


def horde_at(state: State, section: Section, line: int) -> Lying | None:
    """The horde of a line, if one lies there."""
    wall = state.sections[section]
    return wall.hordes[line - 1] if wall is not None and 1 <= line <= len(wall.hordes) else None


def empty_spots(state: State, section: Section, line: int) -> Iterator[Cell]:
    """The free spots of a horde, in reading order."""
    lying = horde_at(state, section, line)
    if lying is not None:
        cells = card_of(state, lying).cells
        yield from (cell for cell, mark in zip(cells, lying.marks, strict=True) if mark == EMPTY)


def lines(state: State, section: Section) -> range:
    """The lines of a section on which hordes lie."""
    wall = state.sections[section]
    return range(1, (0 if wall is None else len(wall.hordes)) + 1)


def archers_may_wound(state: State, section: Section) -> Iterator[Spots]:
    """Every spot of a section that an archer may wound."""
    for line in lines(state, section):
        lying = horde_at(state, section, line)
        if lying is not None and not card_of(state, lying).is_immune(Kind.ARCHER, front=line == 1):
            for cell in empty_spots(state, section, line):
                yield Spots(section, line, (cell,))


def targets(state: State, section: Section, kinds: tuple[Kind, ...]) -> Iterator[tuple[Kind, Target]]:
    """How soldiers of these kinds may attack a section, in the order of a list."""
    if state.sections[section] is None:
        return
    slot = Kind.ARCHER in kinds and state.free_firing(section) > 0
    for line in lines(state, section):
        lying = horde_at(state, section, line)
        if lying is None:
            continue
        card, front = card_of(state, lying), line == 1
        spear = Kind.SPEARMAN in kinds and front and not card.is_immune(Kind.SPEARMAN, front=front)
        shot = slot and not card.is_immune(Kind.ARCHER, front=front)
        rider = Kind.HORSEMAN in kinds and not card.is_immune(Kind.HORSEMAN, front=front)
        for spot, mark in enumerate(lying.marks):
            if mark != EMPTY:
                continue
            here = Spots(section, line, (card.cells[spot],))
            if spear:
                yield Kind.SPEARMAN, here
            if shot:
                yield Kind.ARCHER, here
            for one, other in card.pairs if rider else ():
                if one == spot and lying.marks[other] == EMPTY:
                    yield Kind.HORSEMAN, Spots(section, line, (card.cells[one], card.cells[other]))
    if slot and next(archers_may_wound(state, section), None) is None:
        yield Kind.ARCHER, Slot(section)


_NO_SPOT = {Kind.SPEARMAN: rules.ATK_05, Kind.HORSEMAN: rules.ATK_07, Kind.ARCHER: rules.ATK_08}
AIMED: tuple[Rule, ...] = (rules.ATK_05, rules.ATK_07, rules.ATK_08, cards.CRD_13)
"""What a target can break, in the order in which it is reported."""


def faults(state: State, kind: Kind, target: Target) -> dict[Rule, Breach]:
    """Every rule that an attack on this target breaks, and why."""
    found: dict[Rule, Breach] = {}
    section = target.section
    if kind is Kind.ARCHER and state.sections[section] is not None and state.free_firing(section) <= 0:
        found[rules.ATK_08] = Breach(f"no firing slot is free in {section.letter}", (section.letter,))
    if isinstance(target, Spots):
        found |= spot_faults(state, kind, target) | found
    elif kind is not Kind.ARCHER:
        found[_NO_SPOT[kind]] = Breach("a spot of a horde is to be named")
    elif state.sections[section] is None:
        found[rules.ATK_08] = Breach(f"the {section.word} section is closed", (section.letter,))
    elif next(archers_may_wound(state, section), None) is not None:
        found.setdefault(rules.ATK_08, Breach("an archer wounds a spot where it may wound one"))
    return found


_NEEDED: Final = {1: "one spot is to be named", 2: "a horseman covers two spots"}


def _named(cells: Iterable[Cell]) -> str:
    """'a1 and b1'."""
    return " and ".join(CELL.write(None, cell) for cell in cells)


def spot_faults(state: State, kind: Kind, target: Spots) -> dict[Rule, Breach]:
    """The same of spots alone, without regard to firing slots."""
    found: dict[Rule, Breach] = {}
    place = f"{target.section.letter}{target.line}"
    if kind is Kind.SPEARMAN and target.line != 1:
        found[rules.ATK_05] = Breach("spearmen attack the first line only", (place,))
    needed = 2 if kind is Kind.HORSEMAN else 1
    lying = horde_at(state, target.section, target.line)
    if lying is None:
        found[_NO_SPOT[kind]] = Breach(f"no horde lies at {place}", (place,))
        return found
    card = card_of(state, lying)
    spots = [card.cells.index(cell) for cell in target.cells if cell in card.cells]
    if len(spots) != len(target.cells) or len(spots) != needed:
        why = f"{place} has no {_named(target.cells)}" if len(target.cells) == needed else _NEEDED[needed]
        found[_NO_SPOT[kind]] = Breach(why, (place,))
    elif taken := [card.cells[spot] for spot in spots if lying.marks[spot] != EMPTY]:
        found[_NO_SPOT[kind]] = Breach(f"{place}{_named(taken[:1])} is not empty", (place,))
    elif needed == 2 and tuple(spots) not in card.pairs:  # noqa: PLR2004 - a horseman covers two
        found[rules.ATK_07] = Breach(f"{_named(target.cells)} of {place} are not side by side", (place,))
    if card.is_immune(kind, front=target.line == 1):
        found[cards.CRD_13] = Breach(f"the horde at {place} is immune to a {kind.word}", (place,))
    return found


def wound_fault(state: State, target: Spots, most_lines: int) -> Breach | None:
    """Why a spot cannot be wounded by an effect that reaches this number of lines."""
    place = f"{target.section.letter}{target.line}"
    if target.line > most_lines:
        return Breach(f"the line of {place} is out of reach", (place,))
    free = tuple(empty_spots(state, target.section, target.line))
    if len(target.cells) != 1 or target.cells[0] not in free:
        return Breach(f"{place} has no empty spot {_named(target.cells)}", (place,))
    return None
