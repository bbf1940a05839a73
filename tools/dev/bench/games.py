"""Measures the larger games in comparison with Qin and Khan: audits, the longest lists, appended moves.

positions.toml has the positions whose lists are measured; a game is added to both tables.
"""

import asyncio
import statistics
import tempfile
import time
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Final

from grpc import aio
from msgspec import Struct, convert

from records.audit.record import audit_record
from records.entry import Entry
from records.games.registry import find_game
from records.games.state import GameState
from records.ledger.transfer import VerifiedImport, judge
from records.verdict import Verified
from rules.kernel.rule import Illegal
from tests.project.places import SHIJI
from tools.dev.bench import khan, service
from tools.dev.bench.qin_records import games
from tools.dev.bench.report import Figure
from tools.dev.bench.rounds import measure
from tools.dev.golden_matches import GOLDEN

REPEATS: Final = 5
"""Measurements of one list per round, of which the median counts."""

LISTING_TARGET: Final = 8.0
"""Longest time of a list, as a multiple of Khan's median."""

GROWTH_TARGET: Final = 1.5
"""Largest ratio of the times per move of a longer and a shorter list: 1 if the time grows linearly."""

JUDGING_TARGET: Final = 0.5
"""Largest ratio of the times of judging one move and of listing hundreds: judging builds no list."""


@dataclass(frozen=True, slots=True)
class LargeGame:
    """A game, and what of it is measured."""

    key: str
    name: str
    folder: str
    """Its folder of golden transcripts, all of which are audited."""
    audit_target: float
    """Smallest ratio of its entries per second in an audit to Qin's."""
    appended: str | None = None
    """The golden transcript from whose middle moves are appended; None for none."""
    append_target: float | None = None
    """Smallest ratio of the rate of AppendMove to Qin's."""


LARGE_GAMES: Final = (
    LargeGame("khan", "Khan", "khan", 0.25),
    LargeGame("zhanguo", "Zhanguo", "zhanguo", 0.2, appended="four-random.shiji", append_target=0.5),
    LargeGame("great-wall", "The Great Wall", "great_wall", 0.2),
)


class Listing(Struct, frozen=True, forbid_unknown_fields=True):
    """A question with long lists of answers."""

    game: str
    what: str
    positions: tuple[str, ...]
    """Position lines, from the shortest list to the longest."""


class Listings(Struct, frozen=True, forbid_unknown_fields=True):
    """The file of positions."""

    listing: tuple[Listing, ...]


@cache
def listings() -> tuple[Listing, ...]:
    """The questions whose lists are measured."""
    text = Path(__file__).with_name("positions.toml").read_text(encoding="utf-8")
    return convert(tomllib.loads(text), Listings).listing


def lines(rounds: int) -> list[Figure]:
    """Measure the larger games."""
    found = _auditing(rounds)
    for each in LARGE_GAMES:
        for listing in listings():
            if listing.game == each.key:
                found += _listing(each, listing, rounds)
    return [*found, *_appending(rounds)]


# Audits


def _auditing(rounds: int) -> list[Figure]:
    records = {each.key: golden_records(each.folder) for each in LARGE_GAMES}
    records["qin"] = [game.entries for game in games()]
    found = measure({key: partial(audited, some) for key, some in records.items()}, rounds)
    return [
        Figure("Qin: audit of whole matches, in memory", found.rate("qin"), "entries/s"),
        *(Figure(f"{each.name}: the same", found.rate(each.key), "entries/s") for each in LARGE_GAMES),
        *(
            Figure(f"audit of {each.name}, to Qin's", found.ratio(each.key, "qin"), "x", each.audit_target)
            for each in LARGE_GAMES
        ),
    ]


def golden_records(folder: str) -> list[tuple[Entry, ...]]:
    """The records of the golden transcripts of a game."""
    judged = [judge(path.read_bytes()) for path in sorted((GOLDEN / folder).glob("*.shiji"))]
    return [tuple(one.entries) for one in judged if isinstance(one, VerifiedImport)]


def audited(records: list[tuple[Entry, ...]]) -> int:
    """Audit records in memory; returns the number of entries."""
    for record in records:
        verdict = audit_record(record[0].match, record).verdict
        if not isinstance(verdict, Verified):
            raise TypeError(verdict)
    return sum(map(len, records))


# Lists


def _listing(game: LargeGame, listing: Listing, rounds: int) -> list[Figure]:
    states = [find_game(game.key).read_position(position) for position in listing.positions]
    counts = [listed(state) for state in states]
    to_khan, growth, judging = [], [], []
    for _ in range(rounds):
        shortest, longest = _seconds(lambda: listed(states[0])), _seconds(lambda: listed(states[-1]))
        to_khan.append(longest / khan.median_listing(1))
        growth.append((longest / counts[-1]) / (shortest / counts[0]))
        judging.append(_seconds(lambda: _judged(states[-1])) / longest)
    what = f"{game.name}: {listing.what}"
    return [
        Figure(
            f"{what}, {counts[-1]} moves, to Khan's median list",
            statistics.median(to_khan),
            "x",
            LISTING_TARGET,
            at_most=True,
        ),
        Figure(
            f"{what}, time per move, {counts[-1]} to {counts[0]}",
            statistics.median(growth),
            "x",
            GROWTH_TARGET,
            at_most=True,
        ),
        Figure(
            f"{what}, judging one move, to listing all",
            statistics.median(judging),
            "x",
            JUDGING_TARGET,
            at_most=True,
        ),
    ]


def listed(state: GameState) -> int:
    """List every legal move of a position; returns their number."""
    return sum(len(list(state.legal_moves(actor))) for actor in state.awaiting())


def _judged(state: GameState) -> None:
    """Judge the first legal move of a position."""
    verdict = state.judge(next(state.legal_moves(state.awaiting()[0])))
    if isinstance(verdict, Illegal):
        raise TypeError(verdict)


def _seconds(work: Callable[[], object]) -> float:
    took = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        work()
        took.append(time.perf_counter() - start)
    return statistics.median(took)


# The service


def _appending(rounds: int) -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_appended(Path(folder) / "bench.db", rounds))


async def _appended(db: Path, rounds: int) -> list[Figure]:
    measured = {
        each: (GOLDEN / each.folder / each.appended).read_text(encoding="utf-8")
        for each in LARGE_GAMES
        if each.appended is not None
    }
    rates: dict[str, list[float]] = {"qin": [], **{each.key: [] for each in measured}}
    command = [str(SHIJI), "serve", "--db", str(db), "--listen", "127.0.0.1:0"]
    with service.server_process(command) as (address, _):
        async with aio.insecure_channel(address) as channel:
            for number in range(rounds + 1):
                rates["qin"].append(await _rate(channel, await service.appends(channel)))
                for each, text in measured.items():
                    requests = await service.text_appends(channel, text, from_middle=True)
                    rates[each.key].append(await _rate(channel, requests))
                if not number:
                    for taken in rates.values():
                        taken.clear()  # the first round only warms up
    return [
        Figure(
            f"AppendMove of {each.name} in mid-game, to Qin's",
            statistics.median(one / qin for one, qin in zip(rates[each.key], rates["qin"], strict=True)),
            "x",
            each.append_target,
        )
        for each in measured
    ]


async def _rate(channel: aio.Channel, todo: list[list[bytes]]) -> float:
    return (await service.unary_round(service.append_method(channel), todo)).rate
