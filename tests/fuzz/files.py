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

from records.audit.file_json import as_json
from records.audit.judged_file import FileReport
from records.files.record_file import UnreadableRecord, UnwritableRecord
from records.files.transcript import UnreadableTranscript
from records.games.registry import GAMES, find_game
from records.games.state import GameState
from records.ledger.transfer import judge
from records.log.owners import BadOwners, Owners
from records.replay.fold import open_record, states_before
from rules.kernel.actors import SPECTATOR
from rules.kernel.display import Highlights
from rules.kernel.setup import GameKey
from rules.kernel.text import Unreadable
from service.config import BadConfig, Configured
from service.tokens import BadTokens, read_tokens
from tests.fuzz.damage import Damage
from tests.tools.forms import Form, envelope, forms_of, original
from tests.tools.mutating import file_of, mutated
from tests.tools.running import run
from tools.dev.pytest_run import ROOT
from tools.page.page import replay_page
from tools.report.file_report import as_lines
from tools.report.file_verdict import judge_file
from tools.report.steps import steps_of

_GOLDEN: Final = ROOT / "tests/records/golden"

_REPLAYS: Final = 0.1
"""The share of the records that commands show whose every position is drawn in the terminal; half as many
become pages."""

_FROM_FILES: Final = 0.7
"""The share of the records that is read as the commands do, and not as imports do."""

_FORGED: Final = 0.33
"""The share of the records whose hashes are right."""

_FROM_KEPT: Final = 0.3
"""The share of the files that is made from damaged ones, once there are some."""

_KEPT_BYTES: Final = 30_000
"""Maximum size of a damaged file from which others are made."""

_PARTICULARS: Final = re.compile(r"""'[^']*'|"[^"]*"|[^A-Za-z ]+""")
_SHAPE_LENGTH: Final = 60
"""What is left out of an outcome, and how many characters count: it is new only if it is of a new kind."""

_NAMED_BYTES: Final = 200
"""The beginning of a component file, which names its game."""

_LEGAL_MOVES: Final = 20
"""Legal moves that are listed and judged in a position."""

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

    originals: Callable[[], Damage]
    """Sound ones, and what damages them."""
    read: Callable[[bytes, Path, random.Random], str]
    """Reads one, which it may write to the path, and returns what became of it; raises nothing unless Shiji
    has a fault."""
    show: Callable[[Path, random.Random], None] = lambda *_: None
    """Runs the commands that show a file; most of them write as much as there is to show."""
    forged: Callable[[random.Random], bytes | None] = lambda _: None
    """Sometimes a file that was changed before it was written, so that its hashes are right."""


class Corpus:
    """The files of one part: damaged ones of the originals, and of those with an outcome that was new."""

    def __init__(self, kind: Kind) -> None:
        self._kind: Final = kind
        self._damage: Final = kind.originals()
        self._kept: list[bytes] = []
        self._outcomes: Final = set[str]()

    def next(self, dice: random.Random) -> bytes:
        """The next file."""
        if self._kept and dice.random() < _FROM_KEPT:
            return self._damage.changed(dice.choice(self._kept), dice)
        return self._kind.forged(dice) or self._damage.damaged(dice)

    def learn(self, data: bytes, outcome: str) -> bool:
        """Whether no file before had this outcome; if so, later ones are made from it, too."""
        shape = _PARTICULARS.sub("#", outcome)[:_SHAPE_LENGTH]
        if shape in self._outcomes:
            return False
        self._outcomes.add(shape)
        if len(data) <= _KEPT_BYTES:
            self._kept.append(data)
        return True


def _golden(pattern: str) -> list[bytes]:
    return [path.read_bytes() for path in sorted(_GOLDEN.glob(pattern))]


def _forms(*, bundled: bool) -> list[tuple[GameKey, Form]]:
    """Every game with the forms that its records have."""
    return [(key, form) for key in GAMES.keys for form in forms_of(key) if form.bundled == bundled]


@cache
def _records() -> Damage:
    originals = [file_of(original(*each), None) for each in _forms(bundled=False)]
    for pattern in ("archives/*.jsonl", "db/*.jsonl", "version-2/*.jsonl"):
        originals += _golden(pattern)
    return Damage(originals, structured=True, shortened=0.4)


@cache
def _bundles() -> Damage:
    originals = [file_of(original(*each), envelope(*each)) for each in _forms(bundled=True)]
    return Damage([*originals, *_golden("bundles/*.jsonl"), *_golden("version-2/*.bundle")], structured=True)


@cache
def _transcripts() -> Damage:
    folders = [key.replace("-", "_") for key in GAMES.keys]
    return Damage([data for folder in folders for data in _golden(f"{folder}/**/*.shiji")], shortened=0.8)


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


def _forged_record(dice: random.Random) -> bytes | None:
    if dice.random() < _FORGED:
        with suppress(UnwritableRecord):
            return file_of(mutated(original(*dice.choice(_forms(bundled=False))), dice), None)
    return None


def some_record(dice: random.Random) -> bytes:
    """A record file or a transcript, half of them as they should be."""
    damage = dice.choice((_records, _transcripts))()
    return dice.choice(damage.originals) if dice.random() < 0.5 else damage.damaged(dice)


def _read_record(data: bytes, path: Path, dice: random.Random) -> str:
    _write(path, data)
    if dice.random() > _FROM_FILES:
        try:
            return str(type(judge(data, as_shown=dice.random() < 0.5)))
        except (UnreadableTranscript, UnreadableRecord) as fault:
            return str(fault)
    judged = judge_file(str(path))
    list(as_lines(judged))
    if isinstance(judged, FileReport):
        steps_of(judged)
    shown = as_json(judged)
    return f"{judged.verdict} {shown['game']} {shown['rules']} {shown['why']}"


def _show_record(path: Path, dice: random.Random) -> None:
    command = dice.choice(("verify", "show", "diff"))
    _run(command, path, *((path,) if command == "diff" else ()))
    if dice.random() < _REPLAYS:
        _run("replay", path)
        judged = judge_file(str(path))
        if isinstance(judged, FileReport) and dice.random() < 0.5:
            replay_page(judged)


def _read_position(data: bytes, _path: Path, dice: random.Random) -> str:
    text = data.decode(errors="replace")
    name, _, line = text.partition(" ")
    game = find_game(name if name in GAMES.keys else dice.choice(GAMES.keys))
    try:
        state = game.read_position(line)
    except Unreadable as fault:
        return f"{game.about.key} {fault}"
    if game.read_position(state.position()) != state:
        raise Misread("the position is written as another one")
    _look_at(state, dice)
    return f"{game.about.key} {state.display.turn()}"


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


def _read_components(data: bytes, path: Path, dice: random.Random) -> str:
    _write(path, data)
    options = ["--json"] if dice.random() < 0.3 else []
    named = [key for key in GAMES.keys if key.encode() in data[:_NAMED_BYTES]]
    if named and dice.random() < 0.5:
        options += ["--game", named[0]]
    return _run("components", "check", path, *options)


def _read_configuration(data: bytes, path: Path, _dice: random.Random) -> str:
    _write(path, data)
    faults = [""]
    try:
        str(Configured.gather({"config": str(path)}, {}))
    except BadConfig as fault:
        faults.append(str(fault))
    try:
        read_tokens(path)
    except BadTokens as fault:
        faults.append(str(fault))
    try:
        Owners(path, ())
    except BadOwners as fault:
        faults.append(str(fault))
    return min(faults, key=len)


def _show_configuration(path: Path, _dice: random.Random) -> None:
    _run("serve", "--config", path, "--check-config")
    _run("token", "list", "--tokens", path)


def _write(path: Path, data: bytes) -> None:
    path.unlink(missing_ok=True)  # to overwrite a file takes ten times as long
    path.write_bytes(data)


def _run(*arguments: str | Path) -> str:
    """What a command prints, which must not control the terminal."""
    output = run(*arguments).output
    found = _CONTROL.search(output)
    if found is not None:
        raise Misread(f"{arguments[0]} prints {found[0]!r}")
    return output


KINDS: Final[Mapping[str, Kind]] = {
    "records": Kind(_records, _read_record, _show_record, _forged_record),
    "bundles": Kind(_bundles, _read_record, _show_record),
    "transcripts": Kind(_transcripts, _read_record, _show_record),
    "positions": Kind(_positions, _read_position),
    "components": Kind(_components, _read_components),
    "configurations": Kind(_configurations, _read_configuration, _show_configuration),
}
