"""Every kind of file that Shiji reads: how it is damaged, and what reads it as a user would."""

import random
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Final

from records.files.record_file import UnreadableRecord, UnwritableRecord
from records.files.transcript import UnreadableTranscript
from records.games.registry import GAMES, find_game
from records.games.state import GameState
from records.ledger.transfer import judge
from records.replay.fold import open_record, states_before
from rules.kernel.actors import SPECTATOR
from rules.kernel.display import Highlights
from rules.kernel.setup import GameKey
from rules.kernel.text import Unreadable
from service.config import BadConfig, Configured
from service.owners import BadOwners, Owners
from service.tokens import BadTokens, read_tokens
from tests.fuzz.damage import Damage
from tests.tools.mutating import FORMS, Form, envelope, file_of, mutated, original
from tests.tools.running import run
from tools.dev.pytest_run import ROOT
from tools.page.page import replay_page
from tools.report.file_report import FileReport, as_json, as_lines, judge_file
from tools.report.steps import steps_of

_GOLDEN: Final = ROOT / "tests/records/golden"

_COMMANDS_EVERY: Final = 20
"""One file in this many is also read by commands, which takes longer."""

_PAGES: Final = 0.2
"""The share of the records among those that becomes a page."""

_LEGAL_MOVES: Final = 20
"""Legal moves that are listed and judged in a position."""

_OF_VERSION_1: Final = {"qin", "khan"}
"""The games of which there are matches of version 1."""

_TOKENS: Final = (
    b'{"format":"shiji-tokens/1","tokens":[{"name":"club","role":"recorder","sha256":"'
    + b"a" * 64
    + b'","made":"2026-01-01T00:00:00Z"},{"name":"green","role":"seat","sha256":"'
    + b"b" * 64
    + b'","made":"2026-01-01T00:00:00Z","match":"m","seat":0,"expires":"2027-01-01T00:00:00Z"}]}'
)
_OWNERS: Final = b'["shiji-owners/1",""]\n["m","club"]\n["n",""]\n'
_OPTIONS: Final = (
    b'db = "a.db"\nlisten = "127.0.0.1:0"\nmax-calls = 10\ndrain-grace = 0.5\ninsecure = true\n'
    b'tokens = "tokens.json"\nmax-message-bytes = 4096\ncalls-per-second = 1.5\nlog-format = "json"\n'
)


_CONTROL: Final = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Characters that control a terminal or the direction of a line."""


class Misread(Exception):
    """A file was read, but not as it should be."""


@dataclass(frozen=True)
class Kind:
    """A kind of file."""

    make: Callable[[random.Random], bytes]
    """A damaged one."""
    read: Callable[[bytes, Path, random.Random], None]
    """Reads one, which it may write to the path; raises nothing unless Shiji has a fault."""
    show: Callable[[Path, random.Random], None] = lambda *_: None
    """Runs the commands that show a file; most of them write as much as there is to show."""


def _golden(pattern: str) -> list[bytes]:
    return [path.read_bytes() for path in sorted(_GOLDEN.glob(pattern))]


def _forms(*, bundled: bool) -> list[tuple[GameKey, Form]]:
    """Every game with the forms that its records have."""
    return [
        (game.about.key, form)
        for game in GAMES
        for form in FORMS
        if form.bundled == bundled and (form.version > 1 or game.about.key in _OF_VERSION_1)
    ]


@cache
def _records() -> Damage:
    originals = [file_of(original(*each), None) for each in _forms(bundled=False)]
    for pattern in ("archives/*.jsonl", "db/*.jsonl", "version-2/*.jsonl"):
        originals += _golden(pattern)
    return Damage(originals, structured=True)


@cache
def _bundles() -> Damage:
    originals = [file_of(original(*each), envelope(*each)) for each in _forms(bundled=True)]
    return Damage([*originals, *_golden("bundles/*.jsonl"), *_golden("version-2/*.bundle")], structured=True)


@cache
def _transcripts() -> Damage:
    folders = [game.about.key.replace("-", "_") for game in GAMES]
    return Damage([data for folder in folders for data in _golden(f"{folder}/**/*.shiji")])


@cache
def _positions() -> Damage:
    """Lines of positions, each after the name of its game."""
    lines = set[bytes]()
    for game, form in _forms(bundled=False):
        entries = original(game, form)
        states = states_before(open_record(entries[0]).start, entries)
        lines.update(f"{game} {state.position()}".encode() for state in states[::5])
    return Damage(sorted(lines))


@cache
def _components() -> Damage:
    games = [game for game in GAMES if game.game.check_components is not None]
    return Damage([each.data.encode() for game in games for each in game.about.components])


@cache
def _configurations() -> Damage:
    sample = (ROOT / "packaging/shiji.toml").read_bytes()
    return Damage([sample, _OPTIONS, _TOKENS, _OWNERS], structured=True)


def _damaged_record(dice: random.Random) -> bytes:
    """A damaged record file; every third is one whose hashes are right."""
    if dice.random() < 0.33:
        with suppress(UnwritableRecord):
            return file_of(mutated(original(*dice.choice(_forms(bundled=False))), dice), None)
    return _records().damaged(dice)


def some_record(dice: random.Random) -> bytes:
    """A record file or a transcript, half of them as they should be."""
    damage = dice.choice((_records, _transcripts))()
    return dice.choice(damage.originals) if dice.random() < 0.5 else damage.damaged(dice)


def _read_record(data: bytes, path: Path, dice: random.Random) -> None:
    _write(path, data)
    judged = judge_file(str(path))
    list(as_lines(judged))
    as_json(judged)
    if isinstance(judged, FileReport):
        steps_of(judged)
    with suppress(UnreadableTranscript, UnreadableRecord):
        judge(data, as_shown=dice.random() < 0.5)


def _show_record(path: Path, dice: random.Random) -> None:
    if dice.randrange(_COMMANDS_EVERY):
        return
    for command in ("verify", "show", "replay"):
        _run(command, path)
    _run("diff", path, path)
    judged = judge_file(str(path))
    if isinstance(judged, FileReport) and dice.random() < _PAGES:
        replay_page(judged)


def _read_position(data: bytes, _path: Path, dice: random.Random) -> None:
    text = data.decode(errors="replace")
    name, _, line = text.partition(" ")
    game = find_game(name) if name in {each.about.key for each in GAMES} else dice.choice(GAMES)
    try:
        state = game.read_position(line)
    except Unreadable:
        return
    if game.read_position(state.position()) != state:
        raise Misread("the position is written as another one")
    _look_at(state, dice)


def _look_at(state: GameState, dice: random.Random) -> None:
    """Ask all that a caller may ask of a position."""
    for actor in state.awaiting():
        for move in islice(state.legal_moves(actor), _LEGAL_MOVES):
            state.write_move(move)
            state.judge(move)
    state.outcome()
    state.display.turn()
    state.display.seats()
    state.view(SPECTATOR).position()
    state.display.draw()
    if dice.random() < 0.1:
        state.display.picture(Highlights())


def _read_components(data: bytes, path: Path, dice: random.Random) -> None:
    _write(path, data)
    _run("components", "check", path, *(("--json",) if dice.random() < 0.3 else ()))


def _read_configuration(data: bytes, path: Path, _dice: random.Random) -> None:
    _write(path, data)
    with suppress(BadConfig):
        str(Configured.gather({"config": str(path)}, {}))
    with suppress(BadTokens):
        read_tokens(path)
    with suppress(BadOwners):
        Owners(path, ())


def _show_configuration(path: Path, dice: random.Random) -> None:
    if dice.randrange(_COMMANDS_EVERY) == 0:
        _run("serve", "--config", path, "--check-config")
        _run("token", "list", "--tokens", path)


def _write(path: Path, data: bytes) -> None:
    path.unlink(missing_ok=True)  # to overwrite a file takes ten times as long
    path.write_bytes(data)


def _run(*arguments: str | Path) -> None:
    """Run a command, whose output must not control the terminal."""
    found = _CONTROL.search(run(*arguments).output)
    if found is not None:
        raise Misread(f"{arguments[0]} prints {found[0]!r}")


KINDS: Final[Mapping[str, Kind]] = {
    "records": Kind(_damaged_record, _read_record, _show_record),
    "bundles": Kind(lambda dice: _bundles().damaged(dice), _read_record, _show_record),
    "transcripts": Kind(lambda dice: _transcripts().damaged(dice), _read_record, _show_record),
    "positions": Kind(lambda dice: _positions().damaged(dice), _read_position),
    "components": Kind(lambda dice: _components().damaged(dice), _read_components),
    "configurations": Kind(
        lambda dice: _configurations().damaged(dice), _read_configuration, _show_configuration
    ),
}
