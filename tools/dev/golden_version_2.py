"""Writes goldens of both versions of entries: a mixed archive, and files of its matches, full and redacted.

An existing folder is never written again: every later build must read and verify it.
"""

import json
import shutil
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import Final

import click
from msgspec import structs

from records.audit.archive import ArchiveAudit
from records.audit.bundle import CosignedCheckpoint, write_bundle
from records.audit.file_json import as_json
from records.codec.concealment import (
    AnswerFor,
    Choose,
    Hidden,
    OpenChoice,
    RevealedChoice,
    encode_answer,
    encode_choose,
    encode_hidden,
    encode_open_choice,
    encode_reveal,
)
from records.entry import (
    ENTRY_VERSION_1,
    ENTRY_VERSION_2,
    Dealer,
    Entry,
    EntryKind,
    MatchHeader,
    MatchId,
    Personal,
    TakebackPolicy,
    actor_number,
    with_hash,
)
from records.evidence.concealment import (
    CHOICE,
    VIEW,
    Commitment,
    Part,
    PartHasher,
    Slot,
    choice_content,
    format_concealed,
    opening_content,
)
from records.evidence.ed25519 import SecretKey
from records.evidence.note import Note, SignatureType, SignerKey, cosign
from records.evidence.personal_commitment import Fact
from records.files.record_file import write_record
from records.games.candidate import Candidate
from records.ledger.ledger import Ledger
from records.ledger.redaction import redacted
from records.ledger.transfer import Imported, VerifiedImport, judge, store
from records.log.contract import Log
from records.log.memory import MemoryLog
from records.log.people import SqliteRegister
from records.log.sqlite import SqliteLog
from records.log.tree import Tree
from records.verdict import word
from rules.kernel.actors import ARBITER, AUDITOR, CHANCE, SPECTATOR, Actor, Seat, Viewer
from rules.kernel.edition import EditionKey
from rules.kernel.setup import Draws, GameKey, Setup
from tools.dev.golden import FOLDER as TRANSCRIPTS
from tools.dev.staged import StagedMatch, first_of
from tools.dev.version_1 import Version1Ledger
from tools.report.file_verdict import judge_file

FOLDER: Final = TRANSCRIPTS.parent / "version-2"
"""Folder of these goldens."""

LOG: Final = SignerKey("golden.example/log", SignatureType.ED25519, SecretKey(b"L" * 32))
"""Key of the log that signs the checkpoint of the bundles."""

WITNESS: Final = SignerKey("golden.example/witness", SignatureType.COSIGNATURE, SecretKey(b"W" * 32))
"""Key of the witness that cosigns it."""

SECRET: Final = b"S" * 32
"""What the server of the archive shuffles by, in every match."""

_IMPORTED: Final = ("two-recorded", "three-recorded-partly", "unfinished")
"""Names of the golden transcripts that the archive holds too."""

_BOARD: Final = "map:R....R/..aa../Y....Y/..b.../B....B"
"""A small board of Qin, so that a match is short."""

_GREEN, _VIOLET = Seat(0), Seat(1)
_START: Final = 1_700_000_000_000_000
"""Time of the first entry, in microseconds since 1970."""

_MOVES: Final = 6
"""Moves that are played before a match is left under way."""


@dataclass(frozen=True, slots=True)
class Case:
    """A match of the archive."""

    game: str = "qin"
    version: int = ENTRY_VERSION_2
    dealer: Dealer | None = Dealer.SERVICE
    """None if draws are not recorded."""
    ends: bool = False
    """With every kind of entry, signed and shared; in Khan it is closed."""
    moves: int = _MOVES


CASES: Final = {
    "v1-plain": Case(version=ENTRY_VERSION_1, dealer=None),
    "v1-recorded": Case(version=ENTRY_VERSION_1, dealer=Dealer.RECORDER),
    "v1-sealed": Case(version=ENTRY_VERSION_1),
    "v1-unsealed": Case(version=ENTRY_VERSION_1, ends=True),
    "plain": Case(dealer=None),
    "recorded": Case(dealer=Dealer.RECORDER, moves=12),
    "sealed": Case(),
    "unsealed": Case(ends=True),
    "khan-plain": Case("khan", dealer=None),
    "khan-recorded": Case("khan", dealer=Dealer.RECORDER, moves=30),
    "khan-sealed": Case("khan", moves=12),
    "khan-closed": Case("khan", ends=True, moves=12),
}
"""The matches by their ids."""

REDACTED: Final = ("v1-sealed", "recorded", "sealed", "khan-recorded", "khan-sealed")
"""Matches under way of which there are also files for a spectator and for the first seat."""

BUNDLED: Final = ("v1-unsealed", "sealed", "unsealed", "khan-closed")
"""Matches of which there is a bundle."""

COPIED: Final = MatchId("copied")
"""The match that the archive has as a copy: a spectator's record of a match in another one."""


def _header(case: Case) -> MatchHeader:
    components = _BOARD if case.game == "qin" else "khan-reference-0"
    setup = Setup(EditionKey(f"{case.game}/1"), ("green", "violet"), components)
    if case.dealer is None:
        return MatchHeader(GameKey(case.game), setup)
    return MatchHeader(
        GameKey(case.game),
        replace(setup, draws=Draws.RECORDED),
        dealer=case.dealer,
        sharers=(_GREEN, _VIOLET) if case.ends else (),
        takebacks=TakebackPolicy.PAST_REVEALED
        if case.version == ENTRY_VERSION_2
        else TakebackPolicy.HIDDEN_ONLY,
    )


def stage(
    log: Log, match: str, case: Case, people: tuple[Personal, ...] = (), secret: bytes = SECRET
) -> None:
    """Play a match in a log: the same entries, byte for byte, whenever it is played."""
    times, salts = count(_START), count(1)
    ledger = (Version1Ledger if case.version == ENTRY_VERSION_1 else Ledger)(
        log,
        clock=lambda: next(times),
        new_id=lambda: MatchId(match),
        secrets=lambda _: secret,
        salts=lambda: next(salts).to_bytes(32),
    )
    signers: tuple[Actor, ...] = (_GREEN, _VIOLET, ARBITER) if case.ends else ()
    keys = {actor: SecretKey(bytes([65 + at]) * 32) for at, actor in enumerate(signers)}
    header = replace(_header(case), people=people)
    staged = StagedMatch(ledger, header, keys, request=f"start {match}")
    if case.ends:
        staged.share({_GREEN: b"g" * 32, _VIOLET: b"v" * 32})
    for number in range(case.moves):
        staged.play(first_of if number % 3 else _middle)
    if not case.ends:
        return
    kept = staged.last
    staged.play()
    staged.dispute(_GREEN, kept + 1, "that was my cell", "it was free")
    if case.version == ENTRY_VERSION_2:
        staged.agree_on_takeback(_VIOLET, (_GREEN,), kept)
        staged.go_back(_VIOLET, kept)
    else:
        staged.go_back(ARBITER, kept)  # no header of version 1 allows seats to take back past a draw
    staged.rotate(_GREEN, SecretKey(b"N" * 32))
    if case.game != "qin":
        staged.close("it is late")
        return
    while staged.play(_middle):
        pass


def _middle(legal: list[Candidate]) -> Candidate:
    return legal[len(legal) // 2]


def _copied() -> bytes:
    """A spectator's record of a match under way in another archive."""
    log = MemoryLog()
    stage(log, COPIED, CASES["sealed"], secret=b"T" * 32)
    return _file_of(redacted(list(log.read(COPIED)), SPECTATOR))


def _file_of(entries: Sequence[Entry]) -> bytes:
    return b"".join(write_record(entries))


def make_archive(path: Path) -> None:
    """Write the mixed archive: matches of both versions, imported ones, a copy, and people."""
    with SqliteLog.open(path) as log:
        with closing(SqliteRegister(path)) as register:
            (name,) = register.remember([Fact("p-1", "name", "Sima Qian")])
        for match, case in CASES.items():
            stage(log, match, case, (Personal(0, "name", name),) if match == "plain" else ())
        contents = [(TRANSCRIPTS / f"{name}.shiji").read_bytes() for name in _IMPORTED]
        incoming = [judge(each, as_shown=True) for each in (*contents, _copied())]
        stored = store(log, [each for each in incoming if isinstance(each, VerifiedImport)])
        if [type(each) for each in stored] != [Imported] * len(incoming):
            raise click.ClickException(f"a record was refused: {stored}")


def write_files(path: Path, folder: Path) -> None:
    """Write files of the matches in the archive: in full, as a spectator and a seat have them, bundled."""
    with SqliteLog.open(path) as log:
        tree = Tree(log)
        note = tree.checkpoint(LOG)
        signed = Note(note.text, (*note.signatures, cosign(note.text, WITNESS, _START // 1_000_000)))
        cosigned = CosignedCheckpoint(signed, (LOG.verifier, WITNESS.verifier))
        for match in CASES:
            entries = list(log.read(MatchId(match)))
            viewers: dict[str, Viewer] = {"": AUDITOR}
            if match in REDACTED:
                viewers |= {"-spectator": SPECTATOR, "-green": _GREEN}
            for suffix, viewer in viewers.items():
                (folder / f"{match}{suffix}.jsonl").write_bytes(_file_of(redacted(entries, viewer)))
            if CASES[match].ends:
                bare = [structs.replace(entry, secret=b"") for entry in entries]
                (folder / f"{match}-bare.jsonl").write_bytes(_file_of(bare))
            if match in BUNDLED:
                bundle = write_bundle(redacted(entries, AUDITOR), cosigned, tree.together)
                (folder / f"{match}.bundle").write_bytes(bundle)


def choices() -> list[Entry]:
    """Entries of sealed choices. No game of this build has any, so their moves are arbitrary bytes."""
    match = MatchId("choices")
    hasher = PartHasher(match)
    entries: list[Entry] = []

    def add(kind: EntryKind, actor: int, move: bytes, *parts: tuple[int, int, bytes, bytes]) -> int:
        sequence = len(entries)
        shown, committed = [], []
        for place, (part_kind, audience, salt, content) in enumerate(parts):
            slot = Slot(sequence, place, part_kind, actor, audience)
            shown.append(Part(place, salt, content))
            committed.append(Commitment(part_kind, audience, hasher.digest(slot, salt, content)))
        entries.append(
            with_hash(
                Entry(
                    match,
                    sequence,
                    kind.value,
                    actor,
                    move,
                    b"answered" if kind is EntryKind.CHOOSE else b"",
                    sequence.to_bytes(32),
                    f"request {sequence}",
                    _START + sequence,
                    entries[-1].hash if entries else bytes(32),
                    secret=encode_hidden(Hidden(tuple(shown))),
                    concealed=format_concealed(committed),
                )
            )
        )
        return sequence

    arbiter, chance = actor_number(ARBITER), actor_number(CHANCE)
    add(EntryKind.HEADER, arbiter, b"a header")
    salts = [bytes([seat]) * 32 for seat in (1, 2)]
    held = add(
        EntryKind.CHOOSE, 0, encode_choose(Choose(held=True)), (CHOICE, 1, salts[0], choice_content(b"one"))
    )
    own = add(
        EntryKind.CHOOSE, 1, encode_choose(Choose(held=False)), (CHOICE, 2, salts[1], choice_content(b"two"))
    )
    opened = opening_content(salts[1], b"two")
    add(EntryKind.OPEN_CHOICE, 1, encode_open_choice(OpenChoice(own)), (VIEW, 2, bytes(32), opened))
    answer = add(EntryKind.ANSWER_FOR, arbiter, encode_answer(AnswerFor(2, b"three")))
    revealed = (
        RevealedChoice(0, held, salts[0], b"one"),
        RevealedChoice(1, own, salts[1], b"two"),
        RevealedChoice(2, answer, b"", b"three"),
    )
    add(EntryKind.REVEAL_CHOICES, chance, encode_reveal(revealed))
    return entries


def described_archive(path: Path) -> dict[str, object]:
    """What is expected of each match of an archive, by its id."""
    reports = {
        report.match: report for report in ArchiveAudit(partial(SqliteLog.open, path), jobs=1).reports()
    }
    with SqliteLog.open(path) as log:
        return {
            row.match: {
                "verdict": word(reports[row.match].verdict),
                "entries": reports[row.match].entries,
                "position": reports[row.match].position,
                "copy": row.copy,
            }
            for row in log.listing()
        }


def described_file(path: Path) -> dict[str, object]:
    """What is expected of a record file or a bundle."""
    found = as_json(judge_file(str(path)))
    outcome = found["outcome"]
    winners = outcome["winners"] if isinstance(outcome, dict) else None
    return {"winners": winners, **{name: found[name] for name in ("verdict", "entries", "position")}}


@click.command()
def main() -> None:
    """Write the goldens of this version of entries, unless they exist already."""
    if FOLDER.exists():
        raise click.ClickException(f"{FOLDER} exists already and is never written again")
    scratch = FOLDER.with_name("making")
    scratch.mkdir()
    try:
        make_archive(scratch / "mixed.db")
        write_files(scratch / "mixed.db", scratch)
        files = sorted([*scratch.glob("*.jsonl"), *scratch.glob("*.bundle")])
        expected = {
            "matches": described_archive(scratch / "mixed.db"),
            "files": {path.name: described_file(path) for path in files},
        }
        (scratch / "choices.jsonl").write_bytes(_file_of(choices()))
        text = json.dumps(expected, indent=1)
        (scratch / "expected.json").write_text(f"{text}\n", encoding="utf-8")
        scratch.replace(FOLDER)
    except BaseException:
        shutil.rmtree(scratch)
        raise
    click.echo(f"{FOLDER.name}: {len(list(FOLDER.iterdir()))} files")


if __name__ == "__main__":
    main()
