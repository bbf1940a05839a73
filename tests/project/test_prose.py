"""Pages, comments, docstrings and messages are in plain English, without the words that our style avoids."""

import ast
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

from tests.project.places import ROOT

FOLDERS = ("docs", "examples", "packaging", "protos", "records", "rules", "service", "tests", "tools")
SUFFIXES = {".css", ".js", ".md", ".proto", ".py", ".service", ".toml"}
GENERATED = re.compile(r"_pb2|node_modules")
AVOIDED = re.compile(
    r"\b(told|tells|whoever|so\s+many|sees\s+to|see\s+to\s+it|amiss|how\s+it\s+stands|how\s+they\s+stand"
    r"|he|his|him)\b",
    re.IGNORECASE,
)
ALLOWED = {
    "docs/archive-file.md": {"him", "told"},  # shows the SQL of released archives
    "docs/commands.md": {"told"},  # quotes a ruling of Qin
    "docs/evidence.md": {"told"},  # a key of record files
    "docs/records.md": {"told"},
    "records/log/schema_sql.py": {"him", "told"},  # the SQL of released archives
    "rules/khan/rulebook.py": {"whoever"},  # the rules, in a player's words
    "rules/khan/rulings.py": {"told", "tells", "whoever"},
    "rules/qin/rulebook.py": {"told", "whoever"},
    "rules/qin/rulings.py": {"told", "whoever"},
    "tests/project/test_names.py": {"told"},  # lists it
    "tests/rules/khan/adjudication.toml": {"told", "tells", "whoever"},  # published cases
    "tests/rules/qin/adjudication.toml": {"told", "tells", "whoever"},
}
PRONOUNS = {"he", "his", "him"}
AUTOMATA = re.compile(r"zhanguo|great.wall", re.IGNORECASE)
"""Files about games that are played against a person of history: Li Si, Qin Jiushao."""


def avoided_words() -> Iterator[tuple[str, int, str]]:
    """Each avoided word in a file that people read: the file, the line, the word."""
    found = [*ROOT.glob("*.md"), ROOT / "Makefile", ROOT / "pyproject.toml"]
    found += [path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.suffix in SUFFIXES]
    for path in sorted(found):
        name = path.relative_to(ROOT).as_posix()
        for first, text in [] if GENERATED.search(name) else prose(path):
            for match in AVOIDED.finditer(text):
                word = " ".join(match[0].lower().split())
                if word not in ALLOWED.get(name, ()) and not (word in PRONOUNS and AUTOMATA.search(name)):
                    yield name, first + text.count("\n", 0, match.start()), word


def prose(path: Path) -> Iterator[tuple[int, str]]:
    """Text with its first line: of Python the comments and the strings of several words, else all of it."""
    if path.suffix != ".py":
        yield 1, path.read_text("utf-8")
        return
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            yield node.lineno, node.value
    with path.open("rb") as source:
        for token in tokenize.tokenize(source.readline):
            if token.type == tokenize.COMMENT:
                yield token.start[0], token.string


def test_no_page_comment_docstring_or_message_has_an_avoided_word() -> None:
    assert [f"{name}:{line}: {word}" for name, line, word in avoided_words()] == []


def test_every_exception_names_a_file() -> None:
    assert [name for name in ALLOWED if not (ROOT / name).exists()] == []
