"""Files stay small enough to be read at one go."""

from tests.project.places import ROOT

FOLDERS = ("records", "rules", "service", "tools", "protos/shiji/client")
MOST_LINES = 420
"""A file of more than about 400 lines usually has two concerns."""

ALLOWED = {
    "protos/shiji/client/aio.py": "one method per call of the service",
    "protos/shiji/client/errors.py": "one class per reason of the service",
    "records/log/postgres/log.py": "one method per question of the storage contract",
    "rules/great_wall/reference.py": "the cards and tiles of the reference set",
    "rules/great_wall/settled_rulings.py": "one item per ruling, with its readings",
    "rules/khan/rulebook.py": "one item per rule",
    "rules/qin/rulebook.py": "one item per rule",
    "rules/qin/rulings.py": "one item per ruling, with its readings",
    "rules/zhanguo/rulebook.py": "one item per rule",
    "rules/zhanguo/reference.py": "the cards and boards of the reference set",
    "service/admission.py": "all limits that a call passes: one of the ten files that an append runs through",
    "service/errors.py": "one item per reason, with its advice",
}
"""Files that may be longer, each with its reason: lists that nobody reads from beginning to end."""


def test_no_file_is_long_without_a_reason_and_no_reason_without_such_a_file() -> None:
    long = {}
    for folder in FOLDERS:
        for path in (ROOT / folder).rglob("*.py"):
            lines = len(path.read_text("utf-8").splitlines())
            if lines > MOST_LINES and "_pb2" not in path.name:
                long[path.relative_to(ROOT).as_posix()] = lines

    assert {path: lines for path, lines in long.items() if path not in ALLOWED} == {}
    assert [path for path in ALLOWED if path not in long] == []
