"""Numbers that somebody chose: each says what it is, its unit and why, and has a name of its own."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from tests.project.places import ROOT

FOLDERS = ("records", "service")
UNITS = {"BYTES", "CHARACTERS", "CHARS", "COUNT", "LIMIT", "MAX", "MOST", "SECONDS", "SIZE"}
"""Words that say how something is counted, and not what."""


class Constant(NamedTuple):
    """A number of a module."""

    module: str
    name: str
    is_explained: bool


def is_number(value: ast.expr | None) -> bool:
    """Whether an expression is a number, or is computed from one."""
    match value:
        case ast.Constant(value=bool()):
            return False
        case ast.Constant(value=int() | float()):
            return True
        case ast.UnaryOp():
            return is_number(value.operand)
        case ast.BinOp():
            return is_number(value.left) or is_number(value.right)
        case _:
            return False


def is_text(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def is_explained(body: list[ast.stmt], place: int) -> bool:
    """Whether a text follows, perhaps after further numbers on the next lines, which it explains as well."""
    for before, node in zip(body[place:], body[place + 1 :], strict=False):
        if is_text(node):
            return True
        if not (isinstance(node, ast.AnnAssign) and is_number(node.value)):
            return False
        if node.lineno != (before.end_lineno or 0) + 1:
            return False
    return False


@cache
def constants() -> tuple[Constant, ...]:
    return tuple(_constants())


def _constants() -> Iterator[Constant]:
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            body = ast.parse(path.read_bytes()).body
            for place, node in enumerate(body):
                if (
                    isinstance(node, ast.AnnAssign)
                    and isinstance(node.target, ast.Name)
                    and is_number(node.value)
                ):
                    module = path.relative_to(ROOT).as_posix()
                    yield Constant(module, node.target.id, is_explained(body, place))


def test_every_number_of_the_service_and_the_records_says_what_it_is() -> None:
    assert len(constants()) > 200
    assert [f"{each.module}: {each.name}" for each in constants() if not each.is_explained] == []


def swept() -> list[str]:
    """The constants that the sweep of the intake compares with other values."""
    for node in ast.parse((ROOT / "tools/dev/bench/sweep.py").read_bytes()).body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.value, ast.Dict):
            return [ast.literal_eval(key) for key in node.value.keys if key is not None]
    raise AssertionError("the sweep has no constants")


def test_every_constant_of_the_intake_is_swept_and_the_page_on_speed_says_why_it_has_its_value() -> None:
    tuning = {
        each.name for each in constants() if each.module in {"service/intake.py", "service/fair_queue.py"}
    }
    page = (ROOT / "docs/speed.md").read_text("utf-8")
    reasons, sweep = page.split("A sweep of all of them")

    assert sorted(swept()) == sorted(tuning)
    assert [name for name in sorted(tuning) if f"`{name}`" not in reasons] == []
    assert [name for name in sorted(tuning) if f"| `{name}` " not in sweep] == []


def test_a_number_that_other_modules_may_import_has_a_name_of_its_own() -> None:
    modules = defaultdict(list)
    for each in constants():
        if not each.name.startswith("_"):
            modules[each.name].append(each.module)

    assert {name: found for name, found in modules.items() if len(found) > 1} == {}


def test_the_name_of_a_number_has_a_subject_besides_its_unit() -> None:
    assert [each for each in constants() if not {*each.name.strip("_").split("_")} - UNITS] == []
