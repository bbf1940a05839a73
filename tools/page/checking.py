"""The part of a page that checks its records in the reader's browser."""

import base64
import hashlib
from collections.abc import Iterator, Sequence
from typing import Final

from records.browser.files import HOW_TO_GET, JudgeFiles
from records.browser.scripts import WORKER, script
from records.games.html import Html, tag
from records.games.registry import is_plugin
from tools.page.lane import Lane
from tools.terminal.output import file_name

_EMBEDDED: Final = "embedded"
"""Says in a panel that the page carries the judge; records/browser/judge.js has the same word."""

_JUDGE: Final = " 'wasm-unsafe-eval' blob:; worker-src blob:"
"""What a page that carries the judge may do besides: compile it, and start it from its own memory."""

OTHERS: Final = (
    "This file contains Pyodide (MPL-2.0, source: github.com/pyodide/pyodide), CPython, msgspec, protobuf,"
    " mypy_extensions and typing_extensions, each under its own licence: see the source of this page."
)
"""What a page says that carries the judge."""

_GET: Final = f"{HOW_TO_GET}, then shiji replay --html OUT --judge"


def policy(style: str, scripts: Sequence[str], *, judges: bool) -> str:
    """What a page may do: run these scripts, and load nothing at all."""
    hashes = " ".join(f"'{_digest(each)}'" for each in scripts)
    return (
        f"default-src 'none'; script-src {hashes}{_JUDGE if judges else ''}; style-src '{_digest(style)}';"
        " img-src data:; connect-src 'none'; base-uri 'none'; form-action 'none'"
    )


def check_panel(one: Lane, *, judges: bool) -> Html:
    """An empty panel, in which the script says what it found."""
    title = f"Checked in this browser: {one.name}" if one.name else "Checked in this browser"
    way = {"data_judge": _EMBEDDED} if judges else {"data_get": _GET}
    if is_plugin(one.judged.header.game.about.key):
        way["data_plugin"] = "yes"
    return tag("section", tag("h2", title), class_="check", data_name=file_name(one.judged.path), **way)


def judge_elements(files: JudgeFiles) -> Iterator[Html]:
    """The judge itself, for the script to start."""
    yield tag("script", Html(script(WORKER)), type="text/plain", id="judge-worker")
    for name, text in sorted(files.licences.items()):
        yield tag("script", Html(text.replace("</", "<\\/")), type="text/plain", data_licence=name)
    for name, content in files.files.items():
        encoded = Html(base64.b64encode(content).decode())
        yield tag("script", encoded, type="application/gzip", class_="judge-file", data_name=name)


def _digest(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
