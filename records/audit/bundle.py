"""The dispute bundle: a record with everything that proves it, in one self-contained file.

It is one line of JSON, the envelope, followed by the record file. All of it follows from the entries or is
signed, except the words that version 1 has for people, for which other builds may choose other words.
"""

import struct
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeAlias

from msgspec import Raw

from records.audit.envelope import (
    BEGINS,
    Envelope,
    Logged,
    UnreadableBundle,
    facts_of,
    read_envelope,
    stated,
    write_envelope,
)
from records.audit.file import audit_file
from records.audit.record import audit_record
from records.codec.wire import same_json
from records.entry import ENTRY_VERSION_1, GENESIS, MOVE, Entry, entry_hash
from records.evidence.checkpoint import Checkpoint, MalformedCheckpoint, parse_checkpoint
from records.evidence.ed25519 import BadKey, WrongSignature
from records.evidence.framing import BadBase64, from_base64, to_base64
from records.evidence.merkle import NotIncluded, Proof, leaf_hash
from records.evidence.multiproof import check_together
from records.evidence.note import (
    MalformedNote,
    NoKnownSignature,
    Note,
    SignatureType,
    VerifierKey,
    format_note,
    parse_note,
    parse_verifier_key,
    verified,
)
from records.evidence.note import (
    VerifiedSignature as Signer,
)
from records.files.record_file import (
    MAX_RECORD_FILE_BYTES,
    RecordFile,
    UnreadableRecord,
    read_record,
    rewrite_record,
    write_record,
)
from records.replay.fold import BadRecord, open_record
from records.replay.guards import GuardRejected
from records.replay.wording import describe_entries
from records.verdict import AuditReport, CorruptAt, DivergedAt
from rules.kernel.text import quoted


class NotCovered(ValueError):
    """The checkpoint does not cover all entries of the record."""


Prove: TypeAlias = Callable[[Sequence[int], int], Proof]
"""Makes one proof for the entries at these positions, in a log of that size; usually Tree.together."""


@dataclass(frozen=True, slots=True)
class CosignedCheckpoint:
    """A checkpoint, and the keys that signed it."""

    note: Note
    keys: tuple[VerifierKey, ...]
    """One for each signature, in their order."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """The content of a bundle, of which only the form is checked."""

    version: int
    envelope: Envelope
    record: RecordFile
    data: bytes
    """The bytes of the record file."""


@dataclass(frozen=True, slots=True)
class Proven:
    """What a bundle proves in addition to the verdict by the rules."""

    chain: bool
    """Whether the hash chain is intact."""
    signed: int
    """The number of signed entries before the first that is not as the record requires."""
    unsigned: str | None
    """What is wrong with that entry; None if there is none."""
    checkpoint: Checkpoint | None = None
    """The checkpoint of a log that contains every entry; None if that is not proved."""
    signers: tuple[Signer, ...] = ()
    """The signatures of the checkpoint, by the log and its witnesses."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict on a bundle, and what it proves."""

    report: AuditReport
    proven: Proven


def is_bundle(data: bytes) -> bool:
    """Whether the bytes are a bundle, of any version."""
    return data.startswith(BEGINS)


def with_known_signatures(note: Note, known: Iterable[VerifierKey]) -> CosignedCheckpoint:
    """The checkpoint with only the signatures of known keys, since others prove nothing.

    Raises NoKnownSignature or WrongSignature.
    """
    found = {(each.key.name, each.key.id): each.key for each in verified(note, known)}
    kept = {(each.name, each.id): each for each in note.signatures if (each.name, each.id) in found}
    return CosignedCheckpoint(Note(note.text, tuple(kept.values())), tuple(found[each] for each in kept))


def write_bundle(entries: Sequence[Entry], checkpoint: CosignedCheckpoint | None, prove: Prove) -> bytes:
    """The bundle of a stored record; raises NotCovered if the checkpoint is older than its last entry.

    Raises UnwritableRecord for a damaged record of version 2.
    """
    match = entries[0].match
    report = audit_record(match, entries)
    logged = None if checkpoint is None else _logged(entries, checkpoint, prove)
    return b"".join((write_envelope(entries[0], report, logged), b"\n", *write_record(entries)))


def read_bundle(data: bytes) -> Bundle:
    """Parse a bundle; raises UnreadableBundle."""
    if len(data) > MAX_RECORD_FILE_BYTES:
        raise UnreadableBundle(
            f"the file has more than {MAX_RECORD_FILE_BYTES // 1024**2} MiB; no bundle is that long"
        )
    line, end, rest = data.partition(b"\n")
    try:
        version, envelope = read_envelope(line)
    except UnreadableBundle as fault:
        raise UnreadableBundle(f"line 1: {fault}") from None
    if not end:
        raise UnreadableBundle("line 1: it is not in canonical form: it was cut off or changed")
    try:
        record = read_record(rest)
    except UnreadableRecord as fault:
        raise UnreadableBundle(f"line {fault.line + 1}: {fault.why}") from None
    if record.version != version:
        raise UnreadableBundle(
            f"line 2: a bundle of version {version} holds a record file of that version, not {record.version}"
        )
    return Bundle(version, envelope, record, rest)


def judge_bundle(bundle: Bundle, trusted: Iterable[VerifierKey] = ()) -> Judgement:
    """Audit a bundle; every trusted log or witness must have signed its checkpoint."""
    report = audit_file(bundle.record)
    entries = bundle.record.entries
    signed, unsigned = _check_signatures(entries)
    proven = Proven(_is_unbroken(entries), signed, unsigned)
    try:
        if not isinstance(report.verdict, CorruptAt):
            _require_true_statements(bundle, report)
        if bundle.envelope.log is not None:
            checkpoint, signers = _proven(bundle.envelope.log, entries)
            proven = replace(proven, checkpoint=checkpoint, signers=signers)
        _require_trusted(proven, trusted)
    except _Unproven as fault:
        return Judgement(replace(report, verdict=fault.verdict), proven)
    return Judgement(report, proven)


class _Unproven(Exception):
    def __init__(self, why: str, sequence: int = 0) -> None:
        super().__init__(why)
        self.verdict: CorruptAt | DivergedAt = CorruptAt(sequence, why)


class _OtherVerdict(_Unproven):
    def __init__(self, why: str, sequence: int) -> None:
        super().__init__(why)
        self.verdict = DivergedAt(sequence, why)


def _require_true_statements(bundle: Bundle, report: AuditReport) -> None:
    """Raises _Unproven unless everything that the bundle states about the entries is true."""
    envelope, entries = bundle.envelope, bundle.record.entries
    if envelope.match != bundle.record.match:
        raise _Unproven(f"the envelope names match {quoted(envelope.match)}, but the record is of another")
    if envelope.about != facts_of(entries[0]):
        raise _Unproven("the envelope does not say the same as the header of the record")
    written = b"".join(rewrite_record(bundle.record))
    if bundle.data != written:
        pairs = zip(bundle.data.split(b"\n"), written.split(b"\n"), strict=False)
        number = next((number for number, (one, other) in enumerate(pairs) if one != other), 0)
        raise _other_line(number)
    if bundle.version == ENTRY_VERSION_1:
        _require_true_words(bundle.record)
    if envelope.verdict != (found := stated(bundle.version, report)):
        raise _OtherVerdict(
            f"the bundle states that the record is {quoted(envelope.verdict.verdict)}, "
            f"but by the rules it is {found.verdict}, or is in another state",
            report.entries,
        )


def _require_true_words(record: RecordFile) -> None:
    entries = record.entries
    for number, true in enumerate(zip(entries, describe_entries(entries), strict=True)):
        if not _is_true(*true, record.texts[number], record.events_json[number]):
            raise _other_line(number + 1)


def _other_line(number: int) -> _Unproven:
    """The fault of a line of the record file, counted from 0; line 1 is the header."""
    return _Unproven(f"line {number + 2} does not say what its entry says", max(number - 1, 0))


def _is_true(
    entry: Entry, words: tuple[str | None, tuple[str, ...]], text: str | None, stated: Sequence[Raw] | None
) -> bool:
    """Whether the text and events of a line, if it has them, are those of its entry.

    The text of a move is notation, and must be that of the move. The words for any other entry are for
    people: each build may choose its own, and the entry itself has what they stand for.
    """
    own, events = words
    if entry.kind == MOVE and text is not None and text != own:
        return False
    return stated is None or (
        len(stated) == len(events)
        and all(same_json(bytes(one), other.encode()) for one, other in zip(stated, events, strict=True))
    )


def _logged(entries: Sequence[Entry], checkpoint: CosignedCheckpoint, prove: Prove) -> Logged:
    size = parse_checkpoint(checkpoint.note.text).size
    positions = [entry.position for entry in entries]
    covered = sum(0 < position <= size for position in positions)
    if covered < len(entries):  # position 0: in a shared archive, an entry that is not numbered yet
        raise NotCovered(
            f"the checkpoint is of {size} entries, {covered} of the record's {len(entries)} among them: "
            "take a newer one"
        )
    proof = prove(positions, size)
    return Logged(
        format_note(checkpoint.note).decode(),
        [key.text for key in checkpoint.keys],
        positions,
        [to_base64(each) for each in proof],
    )


def _proven(log: Logged, entries: Sequence[Entry]) -> tuple[Checkpoint, tuple[Signer, ...]]:
    """The checkpoint of a log that contains every entry, and its signers; raises _Unproven."""
    try:
        note = parse_note(log.checkpoint.encode())
        checkpoint = parse_checkpoint(note.text)
        keys = [parse_verifier_key(text) for text in log.keys]
        signers = verified(note, keys)
    except (
        MalformedNote,
        MalformedCheckpoint,
        BadKey,
        NoKnownSignature,
        WrongSignature,
        UnicodeError,
    ) as fault:
        raise _Unproven(f"the checkpoint proves nothing: {fault}") from None
    if [each.key for each in signers] != keys or len(keys) != len(note.signatures):
        raise _Unproven(
            "the keys are not those of the checkpoint's signatures, in the same order and without repeats"
        )
    if not any(key.type is SignatureType.ED25519 and key.name == checkpoint.origin for key in keys):
        raise _Unproven(f"the log {checkpoint.origin} has not signed the checkpoint")
    if len(set(log.positions)) != len(entries) or len(log.positions) != len(entries):
        raise _Unproven(
            f"the proof has {len(set(log.positions))} positions for the {len(entries)} entries of the record"
        )
    leaves = {at - 1: leaf_hash(entry.hash) for at, entry in zip(log.positions, entries, strict=True)}
    try:
        check_together(leaves, checkpoint.size, [from_base64(each) for each in log.hashes], checkpoint.root)
    except (NotIncluded, BadBase64) as fault:
        raise _Unproven(f"it is not proved that the log contains the record: {fault}") from None
    return checkpoint, signers


def _require_trusted(proven: Proven, trusted: Iterable[VerifierKey]) -> None:
    signers = {each.key for each in proven.signers}
    for key in trusted:
        if key not in signers:
            raise _Unproven(
                f"the record is not proved to be in a log that {key.name}+{key.id:08x} has signed"
            )


def _is_unbroken(entries: Sequence[Entry]) -> bool:
    return (
        entries[0].previous == GENESIS
        and all(entry.previous == before.hash for before, entry in pairwise(entries))
        and all(_hashed(entry) for entry in entries)
    )


def _hashed(entry: Entry) -> bool:
    try:
        return entry_hash(entry) == entry.hash
    except (ValueError, OverflowError, struct.error):
        return False


def _check_signatures(entries: Sequence[Entry]) -> tuple[int, str | None]:
    """The number of signed entries before the first that fails a check, and what is wrong with that one."""
    signed = 0
    try:
        guards = open_record(entries[0]).guards
        for entry in entries[1:]:
            guards = guards.after(entry)
            signed += bool(entry.signature)
    except (BadRecord, GuardRejected) as fault:
        return signed, str(fault)
    return signed, None
