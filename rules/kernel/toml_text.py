"""A bound on TOML from outside, whose parser takes time that grows with the square of the parts of a key."""

import re
from typing import Final

_MAX_PARTS: Final = 20
"""Most parts of a dotted key, as in a.b.c. No file that we define needs more than 3; with 20, the time to
parse a file grows in proportion to its length."""
_PART: Final = r"""(?:[A-Za-z0-9_-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')"""
_DEEP_KEY: Final = re.compile(
    rf"(?:^[ \t]*+\[{{0,2}}|[{{,])[ \t]*+(?:{_PART}[ \t]*+\.[ \t]*+){{{_MAX_PARTS}}}", re.MULTILINE
)


def shallow(text: str) -> str:
    """The text, unless a key or a table header in it has too many parts; then raises ValueError."""
    deep = _DEEP_KEY.search(text)
    if deep is None:
        return text
    line = text.count("\n", 0, deep.start()) + 1
    raise ValueError(f"line {line}: a key has more than {_MAX_PARTS} parts")
