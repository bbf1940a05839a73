"""A witness of logs: it cosigns a checkpoint only if that carries on the last one it saw of that log."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from records.evidence.checkpoint import Checkpoint, parse_checkpoint
from records.evidence.ed25519 import WrongSignature
from records.evidence.merkle import EMPTY_ROOT, NotConsistent, check_consistency
from records.evidence.note import NoKnownSignature, Note, Signature, SignerKey, VerifierKey, cosign, verified


@dataclass(frozen=True, slots=True)
class Cosigned:
    """The witness stands for the checkpoint, and must have kept it before anybody sees the cosignature."""

    checkpoint: Checkpoint
    cosignature: Signature


@dataclass(frozen=True, slots=True)
class UnknownLog:
    """The witness has no key of that log."""

    origin: str
    why: str


@dataclass(frozen=True, slots=True)
class BadSignature:
    """The log did not sign this checkpoint."""

    origin: str
    why: str


@dataclass(frozen=True, slots=True)
class Smaller:
    """The log has shrunk since the witness last saw it, or this is an old checkpoint."""

    last: Checkpoint
    found: Checkpoint
    why: str


@dataclass(frozen=True, slots=True)
class Forked:
    """The log signed two roots for one size: both notes together prove it to anybody."""

    last: Checkpoint
    found: Checkpoint
    why: str


@dataclass(frozen=True, slots=True)
class Inconsistent:
    """It is not shown that the log carries on what the witness last saw."""

    last: Checkpoint | None
    found: Checkpoint
    why: str


WitnessRefusal: TypeAlias = UnknownLog | BadSignature | Smaller | Forked | Inconsistent


def witness(  # noqa: PLR0913 - what it knows, what it is shown, and its own key and clock
    note: Note,
    proof: Sequence[bytes],
    *,
    logs: Mapping[str, tuple[VerifierKey, ...]],
    seen: Mapping[str, Checkpoint],
    key: SignerKey,
    time: int,
) -> Cosigned | WitnessRefusal:
    """The cosignature for a checkpoint, or why there is none.

    The keys of logs and what was last seen of them are found by origin; the proof is from the size last seen.
    MalformedCheckpoint if the note is no checkpoint.
    """
    found = parse_checkpoint(note.text)
    if found.origin not in logs:
        return UnknownLog(found.origin, f"no key is known of the log {found.origin}")
    try:
        verified(note, logs[found.origin])
    except (NoKnownSignature, WrongSignature) as fault:
        return BadSignature(found.origin, str(fault))
    last = seen.get(found.origin)
    if last is not None and found.size < last.size:
        return Smaller(last, found, f"the log had {last.size} leaves already, and here it has {found.size}")
    if last is not None and found.size == last.size and found.root != last.root:
        return Forked(last, found, f"the log has signed two different roots for {last.size} leaves")
    size, root = (last.size, last.root) if last else (0, EMPTY_ROOT)
    try:
        check_consistency(size, root, found.size, found.root, proof)
    except NotConsistent as fault:
        return Inconsistent(last, found, str(fault))
    return Cosigned(found, cosign(note.text, key, time))
