"""The scripts that check records in a browser, as files to be served and as one script for a page."""

import re
from functools import cache
from importlib.resources import files
from typing import Final

WORKER: Final = "judge_worker.js"
"""The script that runs the rules; it is no module, since a page opened from disk can start no such worker."""

MODULES: Final = (
    "bytes.js",
    "elements.js",
    "record_file.js",
    "signatures.js",
    "log_proof.js",
    "integrity.js",
    "judge.js",
    "check.js",
)
"""Modules for pages of a server and for pages that are one file, each after those that it imports."""

_CARRIED: Final = "carried.js"
"""Begins the checks on a page that is one file."""

_IMPORT: Final = re.compile(r"^import [^;]*;\n", re.MULTILINE)
_EXPORT: Final = re.compile(r"^export ", re.MULTILINE)


def script(name: str) -> str:
    """One of the scripts."""
    return files(__package__).joinpath(name).read_text("utf-8")


@cache
def inline_script() -> str:
    """All of them as one module, for a page that may load nothing."""
    return "".join(_EXPORT.sub("", _IMPORT.sub("", script(name))) for name in (*MODULES, _CARRIED))
