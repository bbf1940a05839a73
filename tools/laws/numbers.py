"""Whether the numbers of a game's messages stayed as they were when its .proto was written."""

import re
from collections.abc import Iterator
from typing import Final

_BLOCK: Final = re.compile(r"(message|enum) (\w+) \{(\})?")
_FIELD: Final = re.compile(r"((?:repeated |optional )?[\w.]+) (\w+) = (\d+);")
_VALUE: Final = re.compile(r"(\w+) = (\d+);")
_PACKAGE: Final = re.compile(r"package ([\w.]+);")
_WITHOUT_NUMBERS: Final = re.compile(r'|//.*|syntax = "proto3";|oneof \w+ \{|\}')


class UnreadableProto(ValueError):
    """The file is none that `shiji check-game --proto` writes."""


def changed(written: str, now: str) -> Iterator[str]:
    """What is no longer as it was written, in words; what was added is no change. Raises UnreadableProto."""
    before, after = _numbers(written), _numbers(now)
    for name, declared in before.items():
        if name not in after:
            yield f"{name} was `{declared}` and has vanished"
        elif after[name] != declared:
            yield f"{name} was `{declared}` and is `{after[name]}`"


def _numbers(text: str) -> dict[str, str]:
    """By message and field, or by enum and value: its type and number."""
    found: dict[str, str] = {}
    block = ""
    for number, line in enumerate(text.splitlines(), start=1):
        text = line.strip()
        if opened := _BLOCK.fullmatch(text):
            block = opened[2]
            found[block] = opened[1]
        elif package := _PACKAGE.fullmatch(text):
            found["package"] = package[1]
        elif declared := _FIELD.fullmatch(text):
            found[f"{block}.{declared[2]}"] = f"{declared[1]} = {declared[3]}"
        elif value := _VALUE.fullmatch(text):
            found[f"{block}.{value[1]}"] = value[2]
        elif not _WITHOUT_NUMBERS.fullmatch(text):
            raise UnreadableProto(f"line {number}: {text!r} is none that `shiji check-game --proto` writes")
    return found
