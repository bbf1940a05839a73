"""Mutants of records, with hashes recomputed as a forger would: none is verified with another story.

SHIJI_MUTANTS is the number of mutants per game; `make mutate` makes many.
"""

import os
import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from msgspec import structs

from records.audit.bundle import write_bundle
from records.codec.evidence import Dispute, Resolution, encode_dispute, encode_resolution
from records.codec.header import Retraction
from records.codec.shape import CorruptEvents
from records.entry import Dealer, Entry, EntryKind, MatchHeader, MatchId, actor_number, with_hash
from records.evidence.ed25519 import SecretKey
from records.evidence.signing import Claim
from records.files.record_file import write_record
from records.games.registry import GAMES, find_game
from records.ledger.builder import Notice, PreparedAppend
from records.ledger.ledger import Ledger
from records.ledger.notices import add_notice, retract
from records.log.memory import MemoryLog
from records.replay.disclosure import in_full, public_digest
from records.replay.fold import BadRecord, moves_that_stand, open_record
from records.replay.wording import describe_entries
from records.verdict import Verified, VerifiedAsShown
from rules.kernel.actors import ARBITER, SPECTATOR, Office, Seat
from rules.kernel.setup import Draws, GameKey, Setup
from tests.records.replay.test_policies import secrets
from tests.records.replay.test_sealed_draws import shown
from tools.report.file_report import FileReport, as_json, as_lines, judge_file
from tools.report.steps import steps_of

MUTANTS = int(os.environ.get("SHIJI_MUTANTS", "500"))
KEYS = (SecretKey(b"g" * 32), SecretKey(b"v" * 32))
MOVES = 8
FORMS = ("plain", "sealed", "redacted", "signed", "signed and redacted", "bundled")
FIELDS = [name for name in Entry.__struct_fields__ if name not in {"position", "previous", "hash"}]
HIGHEST = {"kind": max(EntryKind).value}
"""Higher kinds have no meaning in any build."""

Story = tuple[tuple[int, str | None, tuple[str, ...]], ...]


@cache
def original(game: GameKey, form: str) -> tuple[Entry, ...]:
    """A match with every kind of entry that a match of this form has."""
    if "redacted" in form:
        return tuple(shown(original(game, "signed" if "signed" in form else "sealed"), SPECTATOR))
    log = MemoryLog()
    ledger = Ledger(log, secrets=secrets, new_id=lambda: MatchId("mutant"), clock=lambda: 0)
    match = ledger.start(header(game, form), "start").entry.match
    dice = random.Random(form)  # noqa: S311 - tests want the same match again
    for number in range(MOVES):
        play(ledger, match, dice)
        if number == MOVES // 2 and "signed" not in form and form != "bundled":
            add_further(ledger, match)
    return tuple(log.read(match))


def header(game: GameKey, form: str) -> MatchHeader:
    about = find_game(game).about
    setup = Setup(about.editions[-1].key, ("green", "violet"), about.components[0].name)
    if form == "plain":
        return MatchHeader(game, setup)
    sealed = MatchHeader(game, replace(setup, draws=Draws.RECORDED), dealer=Dealer.SERVICE)
    if form == "sealed":
        return sealed
    return replace(sealed, keys=tuple((seat, key.public.raw) for seat, key in enumerate(KEYS)))


def play(ledger: Ledger, match: MatchId, dice: random.Random) -> None:
    current = ledger.current(match)
    asked = dice.choice(list(current.state.legal_moves(current.state.awaiting()[0])))
    sequence, signature = current.sequence + 1, b""
    if current.header.keys and not isinstance(asked.actor, Office):
        seat = actor_number(asked.actor)
        claim = Claim(match, sequence, EntryKind.MOVE, seat, current.hash, asked.data)
        signature = KEYS[seat].sign(claim.digest)
    ready = ledger.judge_append(match, current.sequence, f"r{sequence}", (asked,), signature)
    assert isinstance(ready, PreparedAppend), ready
    ledger.settle(ready, ledger.log.write([ready.append])[0])


def add_further(ledger: Ledger, match: MatchId) -> None:
    """A dispute, its settlement and a takeback."""
    last = ledger.current(match).sequence
    add_notice(
        ledger, match, last, "open", Notice(EntryKind.OPEN_DISPUTE, Seat(0), encode_dispute(Dispute(2, "no")))
    )
    settled = encode_resolution(Resolution(last + 1, "it stays"))
    add_notice(ledger, match, last + 1, "settle", Notice(EntryKind.RESOLVE_DISPUTE, ARBITER, settled))
    retract(ledger, match, last + 2, "back", ARBITER, Retraction(last - 1, "a slip"))


def mutated(entries: Sequence[Entry], dice: random.Random) -> list[Entry]:
    """The record with something changed, digests sometimes and hashes always recomputed."""
    changed = list(entries)
    place = dice.randrange(len(changed))
    # Whole moves in another order, with fitting digests, are the record of another match that may be legal:
    # only signatures tell them apart.
    redigests = any(entry.signature for entry in entries)
    match dice.randrange(8):
        case 0:
            del changed[place:]
            changed = changed or list(entries[:1])
        case 1 if place:
            del changed[place]
        case 2:
            changed.insert(place, changed[dice.randrange(len(changed))])
        case 3:
            other = dice.randrange(len(changed))
            changed[place], changed[other] = changed[other], changed[place]
        case _:
            redigests = True
            field = dice.choice(FIELDS)
            value = getattr(dice.choice(entries) if dice.random() < 0.4 else changed[place], field)
            other_value = mutated_value(value, dice, HIGHEST.get(field, 500))
            changed[place] = structs.replace(changed[place], **{field: other_value})
    if dice.random() < 0.9:
        changed = [structs.replace(entry, sequence=number) for number, entry in enumerate(changed)]
    if redigests and dice.random() < 0.6:
        changed = redigested(changed)
    chain: list[Entry] = []
    for entry in changed:
        previous = chain[-1].hash if chain else bytes(32)
        chain.append(with_hash(structs.replace(entry, previous=previous)))
    return chain


def mutated_value(value: object, dice: random.Random, highest: int) -> object:
    match value:
        case int():
            return dice.choice((value, value + 1, max(value - 1, 0), 0, 1, highest))
        case str():
            return dice.choice((value, f"{value}~", "other"))
        case bytes():
            at = dice.randrange(len(value) + 1)
            middle = bytes([value[at] ^ 1 << dice.randrange(8)]) if at < len(value) else b"\0"
            return dice.choice((value, b"", value[:at] + middle + value[at + 1 :], value[:at], value[at:]))
        case _:
            raise TypeError(f"no field of an entry is {value!r}")


def redigested(entries: list[Entry]) -> list[Entry]:
    """With the digests that the recorded events lead to, as far as they can be folded."""
    digested: list[Entry] = []
    with suppress(BadRecord, CorruptEvents, ValueError):
        opened = open_record(entries[0])
        state = opened.start
        for entry in entries:
            if entry.kind == EntryKind.RETRACT:
                break
            if entry.kind == EntryKind.MOVE:
                state = state.fold(in_full(entry)[1])
            digested.append(structs.replace(entry, state=public_digest(opened.header, state)))
    return [*digested, *entries[len(digested) :]]


def story(entries: Sequence[Entry]) -> Story:
    """The moves that stand, with what they caused."""
    public = [structs.replace(entry, secret=b"") for entry in entries]
    words = list(describe_entries(public))
    return tuple((entry.actor, *words[entry.sequence]) for entry in moves_that_stand(public))


@cache
def stories(game: GameKey, form: str) -> frozenset[Story]:
    """What the record says, up to each of its entries: nobody sees that a record was cut off."""
    entries = original(game, form)
    return frozenset(story(entries[:last]) for last in range(1, len(entries) + 1))


def file_of(form: str, entries: Sequence[Entry], game: GameKey) -> bytes:
    data = b"".join(write_record(entries))
    if form != "bundled":
        return data
    bundle = write_bundle(list(original(game, form)), None, lambda _, __: ())
    return bundle.partition(b"\n")[0] + b"\n" + data


def broken(game: GameKey, form: str, mutant: list[Entry], path: Path) -> str | None:
    """How a mutant deceives a reader; None if it does not. A reader that raises fails the test by itself."""
    path.write_bytes(file_of(form, mutant, game))
    judged = judge_file(str(path))
    list(as_lines(judged))
    as_json(judged)
    if not isinstance(judged, FileReport):
        return None
    steps_of(judged)
    verdict = judged.report.verdict
    if not isinstance(verdict, Verified | VerifiedAsShown) or story(mutant) in stories(game, form):
        return None
    if isinstance(verdict, Verified):
        return f"{form}: verified, but says something else"
    listed = {each.sequence for each in verdict.unjudged}
    pairs = zip(mutant, original(game, form), strict=False)
    first = next((one.sequence for one, other in pairs if one.events != other.events), 0)
    return None if first in listed else f"{form}: entry {first} says something else and is not listed"


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("game", [game.about.key for game in GAMES])
def test_the_records_that_mutants_are_made_of_verify(game: GameKey, form: str, tmp_path: Path) -> None:
    path = tmp_path / "original"
    path.write_bytes(file_of(form, original(game, form), game))

    judged = judge_file(str(path))

    assert judged.verdict == ("as-shown" if "redacted" in form else "verified")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("game", [game.about.key for game in GAMES])
def test_no_mutant_is_verified_while_it_says_something_else(
    game: GameKey, form: str, tmp_path: Path, record_property: Callable[[str, int], None]
) -> None:
    found: list[tuple[int, str]] = []
    seeds = range(-(-MUTANTS // len(FORMS)))
    for seed in seeds:
        dice = random.Random(f"{game} {form} {seed}")  # noqa: S311 - tests want the same mutants again
        how = broken(game, form, mutated(original(game, form), dice), tmp_path / "mutant")
        if how is not None:
            found.append((seed, how))
    record_property("mutants", len(seeds))
    record_property("deceived", len(found))

    assert found == []
