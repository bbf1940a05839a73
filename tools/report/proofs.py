"""Describes what a bundle proves, as lines of text and as JSON."""

from collections.abc import Iterator
from datetime import UTC, datetime

from records.audit.bundle import Proven
from records.evidence.note import SignatureType, VerifiedSignature, VerifierKey
from tools.report.checkpoint_args import key_name
from tools.terminal.output import Line, plural


def proven_json(proven: Proven, trusted: tuple[VerifierKey, ...]) -> dict[str, object]:
    """What is proven, as a JSON object."""
    checkpoint = proven.checkpoint
    log = None
    if checkpoint is not None:
        log = {
            "origin": checkpoint.origin,
            "size": checkpoint.size,
            "root": checkpoint.root.hex(),
            "keys": [_signer_json(each, trusted) for each in _signers(proven, SignatureType.ED25519)],
        }
    return {
        "chain": proven.chain,
        "signatures": {"entries": proven.signed, "why": proven.unsigned or ""},
        "log": log,
        "cosignatures": [_signer_json(each, trusted) for each in _signers(proven, SignatureType.COSIGNATURE)],
    }


def proven_lines(proven: Proven, trusted: tuple[VerifierKey, ...], *, promised: bool) -> Iterator[Line]:
    """What is proven, one line each; `promised` says whether the record has keys that must sign."""
    yield Line("every entry is chained to the one before" if proven.chain else "broken", "chain", 2)
    signed = plural(proven.signed, "entry", "entries") + " signed as the record promises"
    if not (promised or proven.signed or proven.unsigned):
        signed = "nothing, since the record promises no signatures"
    yield Line(f"{signed}; then: {proven.unsigned}" if proven.unsigned else signed, "signed", 2)
    if proven.checkpoint is None:
        yield Line("it is not shown that any log holds the record", "log", 2)
        return
    yield Line(
        f"{proven.checkpoint.origin} holds every entry, in a log of {proven.checkpoint.size}", "log", 2
    )
    for signer in _signers(proven, SignatureType.ED25519):
        yield Line(_signer_text(signer, trusted), "by", 2)
    for signer in _signers(proven, SignatureType.COSIGNATURE):
        yield Line(f"{_signer_text(signer, trusted)}, {_time(signer)}", "witness", 2)


def _signers(proven: Proven, kind: SignatureType) -> Iterator[VerifiedSignature]:
    return (each for each in proven.signers if each.key.type is kind)


def _signer_text(signer: VerifiedSignature, trusted: tuple[VerifierKey, ...]) -> str:
    name = key_name(signer.key)
    return name if signer.key in trusted else f"key not known to you: {name}"


def _time(signer: VerifiedSignature) -> str:
    seconds = signer.time or 0
    try:
        return datetime.fromtimestamp(seconds, tz=UTC).isoformat().replace("+00:00", "Z")
    except (OverflowError, OSError, ValueError):  # signed with a time that datetime cannot represent
        return f"{seconds} s after 1970"


def _signer_json(signer: VerifiedSignature, trusted: tuple[VerifierKey, ...]) -> dict[str, object]:
    fields: dict[str, object] = {"key": key_name(signer.key), "known": signer.key in trusted}
    return fields if signer.time is None else {**fields, "time": signer.time}
