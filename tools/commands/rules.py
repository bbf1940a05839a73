"""`shiji rules`: shows the rules, options and rulings of a game, or one of them by its id."""

from collections.abc import Iterator
from difflib import get_close_matches
from typing import TypeAlias, assert_never

import click

from records.games.citations import ambiguities_of, rulings_for
from records.games.registry import UnknownGame, find_game
from rules.kernel.edition import Option, Ruling
from rules.kernel.game import About
from rules.kernel.rule import Rule
from rules.kernel.text import quoted
from tools.terminal.output import BLANK, Line, show, show_json

RulebookItem: TypeAlias = Rule | Option | Ruling


@click.command(epilog="Example: shiji rules qin QIN-PLACE-3")
@click.argument("game", metavar="GAME")
@click.argument("name", metavar="[RULE]", required=False)
@click.option("--json", "as_objects", is_flag=True, help="Print one JSON object per line.")
def command(game: str, name: str | None, *, as_objects: bool) -> None:
    """Show the rules, options and rulings of a game, or one in full.

    RULE is the id of a rule (QIN-PLACE-3), the name of an option or a ruling (major-conflict) or the number
    of a ruling (AMB-11).
    """
    try:
        about = find_game(game).about
    except UnknownGame as fault:
        raise click.BadParameter(str(fault), param_hint="GAME") from None
    found = None if name is None else _find(about, name)
    if as_objects:
        items: list[RulebookItem] = (
            [*about.rules, *about.options, *about.rulings] if found is None else [found]
        )
        for item in items:
            show_json(_as_json(about, item))
    elif found is None:
        show(_contents(about))
    else:
        show(_item_lines(about, found))


def _find(about: About, name: str) -> RulebookItem:
    known: dict[str, RulebookItem] = {rule.id: rule for rule in about.rules}
    known |= {option.name: option for option in about.options}
    known |= {ruling.name: ruling for ruling in about.rulings}
    known |= {number: ruling for ruling in about.rulings for number in ambiguities_of(ruling)}
    by_lower = {key.lower(): key for key in known}
    if name.lower() in by_lower:
        return known[by_lower[name.lower()]]
    near = [by_lower[key] for key in get_close_matches(name.lower(), by_lower, cutoff=0.5)]
    advice = f"did you mean {' or '.join(near)}?" if near else f"`shiji rules {about.key}` lists them all."
    raise click.BadParameter(
        f"{about.title} has no rule or ruling {quoted(name)}; {advice}", param_hint="RULE"
    )


def _contents(about: About) -> Iterator[Line]:
    """All rules, options and rulings, one line each."""
    yield Line(f"{about.title}: rules", style="bold")
    for rule in about.rules:
        yield Line(f"{rule.id:<14} {rule.title}", indent=2)
    yield BLANK
    if about.options:
        yield Line(f"{about.title}: options, with their default", style="bold")
        for option in about.options:
            yield Line(f"{option.name}={option.default}", indent=2)
        yield BLANK
    yield Line(f"{about.title}: rulings, with their default", style="bold")
    for ruling in about.rulings:
        yield Line(f"{ruling.ambiguity:<7} {ruling.name}={ruling.default}", indent=2)
    yield BLANK
    yield from _legend(about)
    yield Line(f"shiji rules {about.key} {about.rules[0].id}", "next", 2)


def _item_lines(about: About, item: RulebookItem) -> Iterator[Line]:
    match item:
        case Rule():
            yield from _rule_lines(about, item)
        case Option():
            yield from _option_lines(item)
        case Ruling():
            yield from _ruling_lines(about, item)
        case _:
            assert_never(item)
    yield from _legend(about)


def _option_lines(option: Option) -> Iterator[Line]:
    yield Line(option.name, style="bold")
    yield Line(option.text, "option", 2)
    for each in option.values:
        default = " (default)" if each.value == option.default else ""
        yield Line(f"{option.name}={each.value}{default}: {each.text}", "value", 2)
    yield Line(option.source, "source", 2)


def _rule_lines(about: About, rule: Rule) -> Iterator[Line]:
    yield Line(f"{rule.id} {rule.title}", style="bold")
    yield Line(rule.text, "rule", 2)
    yield Line(rule.source, "source", 2)
    if rule.unchecked:
        yield Line(f"not by a check: {rule.unchecked}", "enforced", 2)
    for in_force in rulings_for(about, rule):
        yield Line(str(in_force), "ruling", 2)


def _ruling_lines(about: About, ruling: Ruling) -> Iterator[Line]:
    yield Line(f"{ruling.name} ({ruling.ambiguity})", style="bold")
    yield Line(ruling.question, "question", 2)
    for reading in ruling.readings:
        marks = (
            " (default)" if reading.value == ruling.default else "" if reading.offered else " (not offered)"
        )
        yield Line(f"{ruling.name}={reading.value}{marks}: {reading.text}", "reading", 2)
    yield Line(ruling.why, "why", 2)
    for rule in _affected_rules(about, ruling):
        yield Line(f"{rule.id} {rule.title}", "bears on", 2)


def _legend(about: About) -> Iterator[Line]:
    """The full titles of the sources that rules abbreviate."""
    for edition in about.editions:
        for source in edition.sources:
            yield Line(source, edition.key, 2)


def _affected_rules(about: About, ruling: Ruling) -> list[Rule]:
    return [
        rule
        for rule in about.rules
        if any(in_force.ruling is ruling for in_force in rulings_for(about, rule))
    ]


def _as_json(about: About, item: RulebookItem) -> dict[str, object]:
    if isinstance(item, Rule):
        return {
            "rule": item.id,
            "title": item.title,
            "text": item.text,
            "source": item.source,
            "unchecked": item.unchecked or None,
            "rulings": [in_force.ruling.name for in_force in rulings_for(about, item)],
        }
    if isinstance(item, Option):
        return {
            "option": item.name,
            "text": item.text,
            "default": item.default,
            "values": [{"value": each.value, "text": each.text} for each in item.values],
            "source": item.source,
        }
    return {
        "ruling": item.name,
        "ambiguity": item.ambiguity,
        "question": item.question,
        "default": item.default,
        "readings": [
            {"value": reading.value, "text": reading.text, "offered": reading.offered}
            for reading in item.readings
        ],
        "why": item.why,
        "rules": [rule.id for rule in _affected_rules(about, item)],
    }
