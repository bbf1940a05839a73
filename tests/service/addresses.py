"""Every address of the HTTP port that shows something of a match, page by page."""

import base64
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import product

from google.protobuf.json_format import MessageToJson

from service.http.pages.archive_view import FILTERS
from service.http.pages.downloads import FORMS
from tests.service.everything import ASKING, Table
from tests.service.pairs import Pair
from tests.service.twin_services import Address
from tests.service.visible import is_salted, lines_without_commitments

Addresses = Iterator[Address]

_COMMITMENT = re.compile(r"\b[0-9a-f]{16,64}\b")
"""A hash or digest in words, whole or its beginning."""


_JUDGED = re.compile("judged</dt><dd>[^<]*")
"""When a page was made."""
_RECORD = re.compile('(?<=class="source">)eyJ[A-Za-z0-9+/=]+')
"""A record file in a page: JSON in base64."""


def _viewers(table: Table) -> list[str]:
    return ["", "as=spectator", "as=auditor", *(f"as={seat}" for seat in table.seats)]


def _archive(table: Table) -> Addresses:
    """The whole archive, and by each filter; what others show may differ where earlier pairs do."""
    pair = table.pair
    if not pair.worlds[0].alike:
        return
    asked: dict[str, list[str]] = {
        "q": [" ".join(pair.start.seats).replace(" ", "+")],
        "game": [pair.start.game],
        "seat": [pair.start.seats[0]],
        "id": [pair.match],
        "state": ["open", "over", "damaged"],
        "audit": ["none", "outdated", "verified", "as-shown", "illegal", "diverged", "corrupt"],
        "from": ["2023-11-14", "2023-11-15"],
        "to": ["2023-11-13", "2023-11-14"],
        "page": ["1", "x"],
    }
    assert set(asked) == set(FILTERS)
    queries = ["", *(f"?{name}={value}" for name, values in asked.items() for value in values)]
    for query, path in product(queries, ("/", "/index.json")):
        yield Address(path + query)


def _start(table: Table) -> Addresses:
    for path in ("/new", "/new.json"):
        yield Address(f"{path}?game={table.pair.start.game}")


def _compare(table: Table) -> Addresses:
    match = table.pair.match
    for path in ("/compare", "/compare.json"):
        yield Address(f"{path}?a={match}&b={match}")
        for request in ASKING["CompareRecords"](table):
            yield Address(path, "POST", MessageToJson(request).encode())


def _preview(table: Table) -> Addresses:
    for request in ASKING["CheckMove"](table):
        yield Address("/preview", "POST", MessageToJson(request).encode())


def _match(table: Table) -> Addresses:
    entries = ["", *(f"entry={sequence}" for sequence in table.sequences)]
    for twin, viewer, entry in product(("", ".json"), _viewers(table), entries):
        query = "&".join(filter(None, (viewer, entry)))
        yield Address(f"/matches/{table.pair.match}{twin}{'?' if query else ''}{query}")


def _dispute(table: Table) -> Addresses:
    for twin in ("", ".json"):
        yield Address(f"/matches/{table.pair.match}/dispute{twin}")


def _download(table: Table) -> Addresses:
    for form, viewer in product(FORMS, _viewers(table)):
        yield Address(f"/matches/{table.pair.match}/{form}{'?' if viewer else ''}{viewer}")


OF_NO_MATCH = {"file", "judge", "judge file", "check"}
"""Kinds of pages that are made without looking into the archive, the same for everybody."""

ADDRESSES: Mapping[str, Callable[[Table], Addresses]] = {
    "archive": _archive,
    "start": _start,
    "compare": _compare,
    "preview": _preview,
    "match": _match,
    "dispute": _dispute,
    "download": _download,
}
"""By kind of page, what a viewer may ask for."""


def visible_page(pair: Pair, asked: Address, answered: tuple[int, bytes]) -> object:
    """What a response says; of commitments, how many characters they have."""
    status, content = answered
    if not is_salted(pair):
        return answered
    if asked.path.partition("?")[0].endswith("/bundle") and content.startswith(b"{"):
        _proof, _, content = content.partition(b"\n")
    if content.startswith(b"{"):
        return status, lines_without_commitments(content)
    text = _JUDGED.sub("", content.decode())
    records = [lines_without_commitments(base64.b64decode(found)) for found in _RECORD.findall(text)]
    return status, records, _COMMITMENT.sub(lambda found: str(len(found[0])), _RECORD.sub("", text))
