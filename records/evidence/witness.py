"""A witness: it cosigns a checkpoint only if that extends the last one that it saw of the same log."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from records.evidence.checkpoint import Checkpoint, parse_checkpoint
from records.evidence.ed25519 import WrongSignature
from records.evidence.merkle import EMPTY_ROOT, NotConsistent, check_consistency
from records.evidence.note import NoKnownSignature, Note, Signature, SignerKey, VerifierKey, cosign, verified


@dataclass(frozen=True, slots=True)
class Cosigned:
    """The checkpoint is cosigned; the witness must store it before it publishes the cosignature."""

    checkpoint: Checkpoint
    cosignature: Signature


@dataclass(frozen=True, slots=True)
class UnknownLog:
    """The witness does not know a key of that log."""

    origin: str
    why: str


@dataclass(frozen=True, slots=True)
class BadSignature:
    """The log did not sign this checkpoint."""

    origin: str
    why: str


@dataclass(frozen=True, slots=True)
class Smaller:
    """The log has shrunk since the last checkpoint, or this is an old checkpoint."""

    last: Checkpoint
    found: Checkpoint
    why: str


@dataclass(frozen=True, slots=True)
class Forked:
    """The log signed two roots for one size; the two notes together prove it to anybody."""

    last: Checkpoint
    found: Checkpoint
    why: str


@dataclass(frozen=True, slots=True)
class Inconsistent:
    """It is not proved that this checkpoint extends the last one."""

    last: Checkpoint | None
    found: Checkpoint
    why: str


WitnessRefusal: TypeAlias = UnknownLog | BadSignature | Smaller | Forked | Inconsistent


def witness(  # noqa: PLR0913 - its knowledge, the request, its key and the time
    note: Note,
    proof: Sequence[bytes],
    *,
    logs: Mapping[str, tuple[VerifierKey, ...]],
    seen: Mapping[str, Checkpoint],
    key: SignerKey,
    time: int,
) -> Cosigned | WitnessRefusal:
    """Cosign a checkpoint, or refuse.

    `logs` and `seen` have the keys and the last checkpoint of each log by its origin; the proof is a
    consistency proof from the last checkpoint. Raises MalformedCheckpoint if the note is not a checkpoint.
    """
    found = parse_checkpoint(note.text)
    if found.origin not in logs:
        return UnknownLog(found.origin, f"no key of the log {found.origin} is known")
    try:
        verified(note, logs[found.origin])
    except (NoKnownSignature, WrongSignature) as fault:
        return BadSignature(found.origin, str(fault))
    last = seen.get(found.origin)
    if last is not None and found.size < last.size:
        return Smaller(last, found, f"the log had {last.size} leaves before, and has {found.size} now")
    if last is not None and found.size == last.size and found.root != last.root:
        return Forked(last, found, f"the log has signed two different roots for {last.size} leaves")
    size, root = (last.size, last.root) if last else (0, EMPTY_ROOT)
    try:
        check_consistency(size, root, found.size, found.root, proof)
    except NotConsistent as fault:
        return Inconsistent(last, found, str(fault))
    return Cosigned(found, cosign(note.text, key, time))
