"""Describes what a bundle proves, as lines of text."""

from collections.abc import Iterator
from datetime import UTC, datetime

from records.audit.bundle import Proven
from records.audit.file_json import signers
from records.evidence.note import SignatureType, VerifiedSignature, VerifierKey, key_name
from tools.terminal.output import Line, plural


def proven_lines(proven: Proven, trusted: tuple[VerifierKey, ...], *, must_sign: bool) -> Iterator[Line]:
    """What is proven, one line each; `must_sign` says whether the record has keys that must sign."""
    yield Line("every entry is chained to the one before" if proven.chain else "broken", "chain", 2)
    signed = plural(proven.signed, "entry", "entries") + " signed as the record promises"
    if not (must_sign or proven.signed or proven.unsigned):
        signed = "nothing, since the record promises no signatures"
    yield Line(f"{signed}; then: {proven.unsigned}" if proven.unsigned else signed, "signed", 2)
    if proven.checkpoint is None:
        yield Line("it is not shown that any log holds the record", "log", 2)
        return
    yield Line(
        f"{proven.checkpoint.origin} holds every entry, in a log of {proven.checkpoint.size}", "log", 2
    )
    for signer in signers(proven, SignatureType.ED25519):
        yield Line(_signer_text(signer, trusted), "by", 2)
    for signer in signers(proven, SignatureType.COSIGNATURE):
        yield Line(f"{_signer_text(signer, trusted)}, {_time(signer)}", "witness", 2)


def _signer_text(signer: VerifiedSignature, trusted: tuple[VerifierKey, ...]) -> str:
    name = key_name(signer.key)
    return name if signer.key in trusted else f"key not known to you: {name}"


def _time(signer: VerifiedSignature) -> str:
    seconds = signer.time or 0
    try:
        return datetime.fromtimestamp(seconds, tz=UTC).isoformat().replace("+00:00", "Z")
    except (OverflowError, OSError, ValueError):  # signed with a time that datetime cannot represent
        return f"{seconds} s after 1970"
