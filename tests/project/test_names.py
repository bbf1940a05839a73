"""One concept has one name: no class or alias is defined in two modules without a reason."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.project.places import ROOT

FOLDERS = ("records", "rules", "service", "tools")
ALLOWED = {
    "Case": "a published case of adjudication, and a golden record that is to be written",
    "Choice": "a term for one of several words, and the frames of Zhanguo in which a seat chooses",
    "Counts": "the term for numbers kept as bytes, and the bytes in which Qin keeps the numbers of tiles",
    "OfSeat": "what belongs to one seat, in each game",
    "Region": "cells that touch each other, and a region of Khan's map",
    "Section": "a word of a position line, and a section of the wall or of a board",
    "Step": "an entry of a match before the laws, a step of a turn of Khan, and one of a report",
    "Table": "what a state's match is played with, and the table of a program that plays over gRPC",
    "Word": "a word of a text, and the moves of Qin that are only said",
}

GIVEN_UP = {
    "classes, aliases and type variables": """
        Accepted Answer Arbiter Asking Bad Committer Crowd Current Desk Door Doorman Drawing Gate
        Gatekeeper Hub Incoming Ink Judged Judges Link Listed Livery Marks MatchReport NotNow NotVouched
        Opened Pace Painted Promise Ration Readers Ready Refusal Report Room Rotation Rounds Run Said
        Scribe Several Sight Standing Storing Tip Told Trusting Turns Vouching Walk Watched Writer
    """,
    "functions": """
        bearing_on became broken_link chained find_arbiter folded in_words misdrawn paint
        promise_of seen_by started tell tell_appended tell_events told too_choosy
    """,
    "constants": "ARBITERS CROWD LATER LONGEST LOOK PATIENCE SOON",
}
"""Metaphors and bare words that the kernel, the records, the service and the tools once had as names."""

GIVEN_UP_PREFIX = "refuse_"
"""Functions that refuse something are named for what they require."""

MEANT_AGAIN = {
    "Several": "several values of one term, in the kernel; once it was several observers",
}
"""Names that were given up for one thing and are plain words for another."""


@cache
def definitions() -> dict[str, set[str]]:
    """The modules that define each class or alias.

    Not those of the client, which has the nouns of the records and the rules again, for callers with neither.
    """
    found: dict[str, set[str]] = defaultdict(set)
    for folder in FOLDERS:
        for path in (ROOT / folder).rglob("*.py"):
            for name in defined(path):
                found[name].add(path.relative_to(ROOT).as_posix())
    return found


def defined(path: Path) -> Iterator[str]:
    for node in ast.parse(path.read_bytes()).body:
        if isinstance(node, ast.ClassDef):
            yield node.name
        elif (
            isinstance(node, ast.AnnAssign)
            and isinstance(node.target, ast.Name)
            and isinstance(node.annotation, ast.Name)
            and node.annotation.id == "TypeAlias"
        ):
            yield node.target.id


GAME = re.compile(r"rules/(?!kernel/)(\w+)/|tools/dev/golden_?(\w*)")


def game_of(module: str) -> str:
    """The game that a module belongs to; empty for all others."""
    found = GAME.match(module)
    return found[0] if found else ""


def clash(modules: set[str]) -> bool:
    """Whether one reader meets both: in one game, in a game and the kernel, or in modules of no game.

    Each game has nouns of its own: two games, or a game and the service, may mean different things.
    """
    games = [game_of(module) for module in modules]
    shared = [module for module in modules if not game_of(module)]
    kernel = any(module.startswith("rules/kernel/") for module in modules)
    return (
        len(set(filter(None, games))) < len(list(filter(None, games)))
        or len(shared) > 1
        or (kernel and len(modules) > 1)
    )


def test_no_name_is_defined_in_two_modules_without_a_reason() -> None:
    clashes = {}
    for name, modules in definitions().items():
        if clash(modules) and name not in ALLOWED:
            clashes[name] = sorted(modules)

    assert clashes == {}


def every_name(path: Path) -> Iterator[str]:
    """Names of classes and functions, wherever they are defined, and of what a module assigns."""
    tree = ast.parse(path.read_bytes())
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name
    for node in tree.body:
        if isinstance(node, ast.Assign):
            yield from (target.id for target in node.targets if isinstance(target, ast.Name))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id


def test_no_name_that_was_given_up_has_come_back() -> None:
    given_up = {name for names in GIVEN_UP.values() for name in names.split()} - MEANT_AGAIN.keys()
    found = [
        f"{module}: {name}"
        for folder in FOLDERS
        for path in sorted((ROOT / folder).rglob("*.py"))
        if not (module := path.relative_to(ROOT).as_posix()).startswith("rules/") or "/kernel/" in module
        for name in every_name(path)
        if name.strip("_") in given_up or name.lstrip("_").startswith(GIVEN_UP_PREFIX)
    ]

    assert found == []


def test_every_exception_is_still_needed() -> None:
    assert [name for name in ALLOWED if len(definitions()[name]) < 2] == []
    assert [name for name in MEANT_AGAIN if not definitions()[name]] == []
