"""Tries every law on a game that is installed."""

import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from subprocess import CalledProcessError
from typing import Final

from records.games.bound import BoundGame
from records.games.registry import installed_plugins
from tools.laws.court import Law, court
from tools.laws.derived import derived_trial
from tools.laws.hash_seeds import output_under_hash_seed
from tools.laws.imports import API, foreign_imports
from tools.laws.trial import LawBroken, require, require_same, seeded

_LEAST: Final = 3
"""Tries of a law, however long they take."""

_FRAMES: Final = 3
"""Places of a traceback that a report shows."""


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of a law."""

    law: str
    """In words: 'law 3: no invariant is broken in a reachable state'."""
    tries: int
    why: str | None
    """What is broken; None if the law held."""
    seed: int | None = None
    """Repeats the try in which it was broken."""
    skipped: str | None = None
    """Why it was not tried at all, and what it needs; None if it was."""


def try_laws(game: BoundGame, tries: int, seconds: float, first: int) -> Iterator[Tried]:
    """Tries each law with one seed after the other, until it is broken or has been tried often enough."""
    for law in court(derived_trial(game)).laws:
        yield _tried(law, tries, seconds, first)
    yield _once("law 8: the results are the same under two hash seeds", lambda: _compare_seeds(game))
    if any(point.name == game.about.key for point in installed_plugins()):
        yield _once(f"a plug-in imports {API} and nothing else of Shiji", lambda: _look_at_imports(game))


def _compare_seeds(game: BoundGame) -> None:
    one, other = (output_under_hash_seed(["-m", "tools.laws", game.about.key], seed) for seed in (1, 2))
    require_same("digests of the same matches in two processes", one, other)


def _look_at_imports(game: BoundGame) -> None:
    points = [point for point in installed_plugins() if point.name == game.about.key]
    found = [each for point in points for each in foreign_imports(point)]
    require(not found, f"{'; '.join(found)}: only {API} is public")


def _tried(law: Law, tries: int, seconds: float, first: int) -> Tried:
    begun = time.monotonic()
    done = 0
    for seed in range(first, first + tries):
        why = _broken(partial(law.holds, seeded(seed)))
        done += 1
        if why is not None:
            return Tried(_title(law), done, why, seed)
        if done >= _LEAST and time.monotonic() - begun > seconds:
            break
    return Tried(_title(law), done, None)


def _once(law: str, holds: Callable[[], None]) -> Tried:
    return Tried(law, 1, _broken(holds))


def _broken(holds: Callable[[], None]) -> str | None:
    try:
        holds()
    except LawBroken as fault:
        return str(fault)
    except CalledProcessError as fault:
        return f"a process ended with {fault.returncode}: {fault.stderr[-500:]}"
    except Exception as fault:  # noqa: BLE001 - the game is code of others, which may raise anything
        frames = traceback.extract_tb(fault.__traceback__)[-_FRAMES:]
        places = ", ".join(f"{frame.filename}:{frame.lineno}" for frame in frames)
        return f"raised {type(fault).__name__}: {fault} ({places})"
    return None


def _title(law: Law) -> str:
    """'law 3: no invariant is …' of 'qin-law_3_no_invariant_is_…'; 'law: …' where it has no number."""
    _, found, name = law.name.partition("-law_")
    if not found:
        return f"law of this game: {law.name.partition('-')[2]}"
    number, _, words = name.replace("_", " ").partition(" ")
    return f"law {number}: {words}" if number.isdecimal() else f"law: {number} {words}"
