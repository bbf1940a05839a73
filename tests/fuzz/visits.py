"""Requests for the pages of a server: every address with right, wrong and changed parameters and bodies."""

import random
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote

from google.protobuf.json_format import MessageToJson
from google.protobuf.message import Message
from shiji.record.v1 import entry_pb2 as entries
from shiji.record.v1 import record_service_pb2 as pb

from records.browser.files import judge_files
from records.games.registry import GAMES
from rules.kernel.actors import Seat
from service.http.pages.archive_view import FILTERS
from service.http.pages.downloads import FORMS
from tests.fuzz.calls import TEXTS
from tests.fuzz.damage import NUMBERS, Damage
from tests.fuzz.files import some_record
from tests.fuzz.world import World

_WORDS: Final = (
    *GAMES.keys,
    *("green", "open", "over", "damaged", "none", "outdated", "verified", "as-shown", "illegal", "corrupt"),
    *("spectator", "auditor", "0", "1", "3", "9", "2026-01-01", "2026-11-18", "9999-12-31", "0001-01-01"),
)
"""Values that parameters take."""

_FILES: Final = ("shiji.css", "live.js", "icon.svg", "..", "x")
_ADDRESSES: Final = (
    *("/", "/index.json", "/new", "/new.json", "/compare", "/compare.json", "/preview", "/static/{file}"),
    *("/check", "/judge", "/judge/{judge}/pyodide.mjs"),
    *("/matches/{match}", "/matches/{match}.json", "/matches/{match}/dispute"),
    *("/matches/{match}/dispute.json", "/matches/{match}/events"),
    *(f"/matches/{{match}}/{form}" for form in FORMS),
)
_NAMES: Final = (*sorted(FILTERS), "entry", "as", "a", "b", "match", "x")
_ACCEPTED: Final = ("text/html", "application/json", "*/*", "")
_SENT: Final = 0.7
"""How often something is sent to an address that takes it."""

_TWICE: Final = 0.05
_BAD: Final = 0.15
"""How often a parameter comes twice, and how often something is not what it should be."""


@dataclass(frozen=True)
class Visit:
    """A request for a page."""

    verb: str
    address: str
    """The address without what belongs to one match, for counting."""
    path: str
    body: bytes
    caller: str
    token: str
    headers: tuple[tuple[str, str], ...]


def next_visit(world: World) -> Visit:
    """The next request for a page: mostly valid, as far as is known."""
    dice = world.dice
    address = dice.choice(_ADDRESSES)
    judge = judge_files()
    path = address.format(
        match=quote(_match(world), safe=""),
        file=dice.choice(_FILES),
        judge="0" if judge is None else judge.name,
    )
    verb, body, headers = "GET", b"", {"accept": dice.choice(_ACCEPTED)}
    sends = {"/compare": _comparison, "/compare.json": _comparison, "/preview": _preview}.get(address)
    if sends is not None and dice.random() < _SENT:
        verb, body = "POST", _encoded(sends(world), dice)
        headers["content-type"] = "application/json" if dice.random() < 1 - _BAD / 3 else "text/plain"
    elif dice.random() < _BAD:
        verb = dice.choice(("HEAD", "POST", "PUT", "DELETE", "OPTIONS"))
    if dice.random() < _BAD:
        path = Damage([path.encode()]).damaged(dice).decode(errors="replace")[:4000]
        path = "/" + quote(path.lstrip("/"), safe="/%")
    if dice.random() < 0.1:
        headers[dice.choice(("last-event-id", "if-none-match", "origin", "range"))] = dice.choice(_WORDS)
    caller = dice.choice(tuple(world.tokens))
    parameters = _parameters(address, world)
    path += f"?{parameters}" if parameters else ""
    return Visit(verb, address, path, body, caller, world.tokens[caller], tuple(headers.items()))


def _match(world: World) -> str:
    dice = world.dice
    return dice.choice(TEXTS) if dice.random() < _BAD else dice.choice(world.tables).match


def _parameters(address: str, world: World) -> str:
    """The parameters that the address takes, and sometimes others."""
    dice = world.dice
    known = {
        "/": sorted(FILTERS),
        "/index.json": sorted(FILTERS),
        "/new": ["game"],
        "/new.json": ["game"],
        "/compare": ["a", "b"],
        "/compare.json": ["a", "b"],
        "/matches/{match}": ["entry", "as"],
        "/matches/{match}.json": ["entry", "as"],
        "/matches/{match}/events": ["from", "as"],
    }.get(address, ["as"] if address.endswith(FORMS) else [])
    names = [name for name in known if dice.random() < (0.9 if name in {"a", "b"} else 0.3)]
    if dice.random() < _BAD / 3:
        names.append(dice.choice(_NAMES))
    if names and dice.random() < _TWICE:
        names.append(names[0])
    return "&".join(f"{name}={quote(_value(name, world), safe='')}" for name in names)


def _value(name: str, world: World) -> str:
    dice = world.dice
    if dice.random() < _BAD:
        return dice.choice((*TEXTS, *map(str, NUMBERS)))
    table = dice.choice(world.tables)
    match name:
        case "a" | "b" | "id":
            return table.match
        case "entry" | "from" if name == "entry" or dice.random() < 0.5:
            return str(dice.randrange(table.now.sequence + 2))
        case "as":
            return dice.choice(("spectator", "auditor", "0", "1"))
        case _:
            return dice.choice(_WORDS)


def _comparison(world: World) -> Message:
    """A comparison of stored records or of files."""
    dice = world.dice

    def side() -> pb.ComparedRecord:
        if dice.random() < 0.5:
            return pb.ComparedRecord(match_id=_match(world))
        return pb.ComparedRecord(content=some_record(dice))

    return pb.CompareRecordsRequest(one=side(), other=side())


def _preview(world: World) -> Message:
    """A move to be drawn before it is played: one that is legal, if there is one."""
    table = world.dice.choice(world.tables)
    state = table.now.state
    actor = next(iter(state.awaiting()), Seat(0))
    move = next(state.legal_moves(actor), None)
    text = world.dice.choice(TEXTS) if move is None or world.dice.random() < _BAD else state.write_move(move)
    stored = pb.MatchAt(match_id=table.match)
    return pb.CheckMoveRequest(stored=stored, move=entries.Move(text=text))


def _encoded(message: Message, dice: random.Random) -> bytes:
    """The message in JSON; one in three is damaged."""
    data = MessageToJson(message, indent=None).encode()
    return Damage([data], structured=True).damaged(dice) if dice.random() < 0.33 else data
