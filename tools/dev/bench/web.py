"""Measures pages over HTTP: lists of 100,000 matches, an append on 100 open pages, the size of a page."""

import asyncio
import gzip
import http.client
import json
import re
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from records.entry import MatchHeader
from records.ledger.ledger import Ledger
from records.log.sqlite import SqliteLog
from rules.kernel.edition import EditionKey
from rules.kernel.setup import GameKey, Setup
from service.http.connect import PREFIX
from tests.project.places import SHIJI
from tools.dev.bench.report import Figure
from tools.dev.bench.service import processor_seconds, server_process

MATCHES: Final = 100_000
"""Matches of the archive that is listed."""

PAGES: Final = 100
"""Pages of one match that are open at once."""

LISTS_PER_ROUND: Final = 20
"""Lists of each filter per round."""

_BATCH: Final = 500
"""Matches that are written together when the archive is made."""

_BROWSER: Final = {"accept": "text/html", "accept-encoding": "gzip"}

_LISTS: Final = {
    "no filter": "/",
    "game and state": "/?game=qin&state=open",
    "words of a tag": "/?q=kitchen",
    "a day": "/?from=2023-01-01&to=2100-01-01",
    "the beginning of an id": "/?id=01",
}

_MOVES: Final = ("green Re8Re9", "violet Yg8Bh8", "green Yd8Rd9", "violet Yg9Yg10", "green Bi5Bi6")

_ASSET: Final = re.compile(r'(?:src|href)="(/static/[^"]+)"')

_IMPORTED: Final = re.compile(r'^import .*"\./([^"]+)";', re.MULTILINE)
"""A module that a script loads."""


def lines(rounds: int) -> list[Figure]:
    """Measure the pages."""
    with tempfile.TemporaryDirectory() as folder:
        archive = Path(folder, "archive.db")
        _fill(archive)
        with serving(archive) as (web, pid):
            return [*_listing(web, rounds), *_append(web, pid, rounds), _size(web)]


def _fill(archive: Path) -> None:
    with SqliteLog.open(archive) as log:
        ledger = Ledger(log)
        for first in range(0, MATCHES, _BATCH):
            prepared = [
                ledger.judge_start(_header(number), f"start {number}")
                for number in range(first, first + _BATCH)
            ]
            log.write([each.append for each in prepared])
    subprocess.run([SHIJI, "index", archive], check=True, stdout=subprocess.DEVNULL)


def _header(number: int) -> MatchHeader:
    setup = Setup(EditionKey("qin/1"), ("green", f"player-{number % 1000}"), "bird")
    place = ("kitchen", "club", "train", "library", "garden")[number % 5]
    return MatchHeader(GameKey("qin"), setup, tags=(("Place", f"the {place} table"),))


@contextmanager
def serving(archive: Path) -> Iterator[tuple[str, int]]:
    """The address of the HTTP port of a server, and its process id."""
    command = [str(SHIJI), "serve", "--db", str(archive), "--listen", "127.0.0.1:0", "--web", "127.0.0.1:0"]
    with server_process([*command, "--log-level", "error"]) as (_, process):
        if process.stdout is None:
            raise TypeError("the output is piped")
        for line in process.stdout:
            if (found := re.search(r"http://(\S+?)/ ", line)) is not None:
                yield found[1], process.pid
                return
    raise RuntimeError("the server has no HTTP port")


def _get(connection: http.client.HTTPConnection, path: str) -> bytes:
    connection.request("GET", path, headers=_BROWSER)
    response = connection.getresponse()
    body = response.read()
    if response.status != http.HTTPStatus.OK:
        raise RuntimeError(f"{path}: {response.status} {body[:200]!r}")
    return body


def _listing(web: str, rounds: int) -> Iterator[Figure]:
    with closing(http.client.HTTPConnection(web)) as connection:
        for name, path in _LISTS.items():
            times = []
            for _ in range(rounds * LISTS_PER_ROUND):
                start = time.perf_counter()
                _get(connection, path)
                times.append(time.perf_counter() - start)
            worst = statistics.quantiles(times, n=20)[-1]
            yield Figure(f"a list of 100,000 over HTTP by {name}, p95", worst * 1e3, "ms", 50, at_most=True)


def _call(web: str, method: str, request: object) -> dict[str, object]:
    with closing(http.client.HTTPConnection(web)) as connection:
        connection.request("POST", PREFIX + method, json.dumps(request), {"content-type": "application/json"})
        found = json.loads(connection.getresponse().read())
    if not isinstance(found, dict) or "code" in found:
        raise RuntimeError(f"{method}: {found}")
    return found


def _new_match(web: str, name: str) -> str:
    request = {"requestId": name, "game": "qin", "seats": ["green", "violet"]}
    match = _call(web, "StartMatch", request)["match"]
    if not isinstance(match, dict):
        raise TypeError("a match is an object")
    return str(match["matchId"])


def _append(web: str, pid: int, rounds: int) -> list[Figure]:
    """The time from sending a move until each of many pages has it, as pages do it: by event, then again."""
    times, spent = list[float](), list[float]()
    for number in range(rounds):
        asyncio.run(_watched(web, pid, _new_match(web, f"s {number}"), times, spent))
    worst = statistics.quantiles(times, n=20)[-1]
    return [
        Figure(f"an append on {PAGES} open pages, p95", worst * 1e3, "ms", 200, at_most=True),
        Figure("processor time of the server for it", statistics.median(spent) * 1e3, "ms"),
    ]


async def _watched(web: str, pid: int, match: str, times: list[float], spent: list[float]) -> None:
    pages = [await _OpenPage.open(web, match) for _ in range(PAGES)]
    for sequence, move in enumerate(_MOVES):
        shown = [asyncio.create_task(page.shows(sequence + 1)) for page in pages]
        request = {
            "matchId": match,
            "expectedSequence": sequence,
            "requestId": f"move {sequence}",
            "move": {"text": move},
        }
        before, start = processor_seconds(pid), time.perf_counter()
        await asyncio.to_thread(_call, web, "AppendMove", request)
        times += [end - start for end in await asyncio.gather(*shown)]
        spent.append(processor_seconds(pid) - before)
    for page in pages:
        page.close()


class _OpenPage:
    """A page that follows a match: one connection for events, one for the page itself."""

    def __init__(
        self,
        path: str,
        host: str,
        events: tuple[asyncio.StreamReader, asyncio.StreamWriter],
        page: tuple[asyncio.StreamReader, asyncio.StreamWriter],
    ) -> None:
        self._path: Final = path
        self._host: Final = host
        self._events: Final = events
        self._page: Final = page

    @classmethod
    async def open(cls, web: str, match: str) -> "_OpenPage":
        """Open it, and read everything that is stored."""
        host, _, port = web.partition(":")
        path = f"/matches/{match}"
        events = await asyncio.open_connection(host, int(port))
        opened = cls(path, web, events, await asyncio.open_connection(host, int(port)))
        opened._ask(events[1], f"{path}/events")
        await opened._event(0)
        return opened

    def _ask(self, writer: asyncio.StreamWriter, path: str) -> None:
        head = "".join(f"{name}: {value}\r\n" for name, value in _BROWSER.items())
        writer.write(f"GET {path} HTTP/1.1\r\nHost: {self._host}\r\n{head}\r\n".encode())

    async def _event(self, sequence: int) -> None:
        await self._events[0].readuntil(b"id: %d\n" % sequence)
        await self._events[0].readuntil(b"\n\n")

    async def shows(self, sequence: int) -> float:
        """The time at which the page has the entry."""
        await self._event(sequence)
        reader, writer = self._page
        self._ask(writer, self._path)
        head = await reader.readuntil(b"\r\n\r\n")
        found = re.search(rb"content-length: (\d+)", head.lower())
        if found is None or b" 200 " not in head:
            raise RuntimeError(f"{self._path}: {head[:200]!r}")
        await reader.readexactly(int(found[1]))
        return time.perf_counter()

    def close(self) -> None:
        """Close both connections."""
        for _, writer in (self._events, self._page):
            writer.close()


def _size(web: str) -> Figure:
    """The bytes of the first page of a match with all files that it loads, as they are sent."""
    match = _new_match(web, "size")
    for sequence, move in enumerate(_MOVES):
        request = {"matchId": match, "expectedSequence": sequence, "requestId": move, "move": {"text": move}}
        _call(web, "AppendMove", request)
    sizes = dict[str, int]()
    wanted = [f"/matches/{match}"]
    with closing(http.client.HTTPConnection(web)) as connection:
        while wanted:
            path = wanted.pop()
            if path in sizes:
                continue
            body = _get(connection, path)
            sizes[path] = len(body)
            text = gzip.decompress(body).decode()
            wanted += [*_ASSET.findall(text), *(f"/static/{name}" for name in _IMPORTED.findall(text))]
    total = sum(sizes.values())
    return Figure("the first page with all its files, compressed", total / 1000, "KB", 100, at_most=True)
