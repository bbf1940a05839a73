"""The verdict on a file as JSON."""

from collections.abc import Iterator

from records.audit.bundle import Proven
from records.audit.judged_file import FileReport, UnreadableFile
from records.evidence.note import SignatureType, VerifiedSignature, VerifierKey, key_name
from records.verdict import AuditReport, named_scores, rules_broken, why


def as_json(judged: FileReport | UnreadableFile) -> dict[str, object]:
    """The verdict as a JSON object; texts that do not apply are empty."""
    if isinstance(judged, UnreadableFile):
        return {
            "file": judged.path,
            "game": judged.game or "",
            "verdict": judged.verdict,
            "entries": judged.entries,
            "entry": None,
            "rules": [],
            "why": str(judged.fault),
            "position": "",
            "outcome": None,
        }
    state = judged.report.reached
    fields: dict[str, object] = {
        "file": judged.path,
        "game": judged.header.game.about.key,
        "verdict": judged.verdict,
        "entries": judged.report.entries,
        "entry": judged.bad_entry,
        "rules": list(rules_broken(judged.report.verdict)),
        "why": why(judged.report.verdict) or "",
        "position": state.position(),
        "outcome": outcome_json(judged.report),
    }
    if judged.closed is not None:
        fields["closed"] = judged.closed
    if judged.report.unjudged:
        fields["unjudged"] = unjudged_json(judged.report)
    if judged.proven is not None:
        fields["proven"] = proven_json(judged.proven, judged.trusted)
    caution = state.display.caution()
    return fields | {"caution": caution} if caution else fields


def outcome_json(report: AuditReport) -> dict[str, object] | None:
    """How the match ended; None while it is in progress."""
    outcome = report.outcome
    if outcome is None or report.header is None:
        return None
    ended: dict[str, object] = {
        "kind": outcome.kind.value,
        "winners": list(report.winners),
        "reason": outcome.reason,
    }
    if outcome.scores:
        scores = list(named_scores(report.header.setup.seats, outcome))
        ended["scores"] = {owner: score.points for owner, score in scores}
        categories = {owner: dict(score.categories) for owner, score in scores if score.categories}
        if categories:
            ended["categories"] = categories
    return ended


def unjudged_json(report: AuditReport) -> list[dict[str, object]]:
    """The entries that were judged only as far as they are shown."""
    return [{"entry": each.sequence, "why": each.why} for each in report.unjudged]


def proven_json(proven: Proven, trusted: tuple[VerifierKey, ...]) -> dict[str, object]:
    """What is proven, as a JSON object."""
    checkpoint = proven.checkpoint
    log = None
    if checkpoint is not None:
        log = {
            "origin": checkpoint.origin,
            "size": checkpoint.size,
            "root": checkpoint.root.hex(),
            "keys": [_signer_json(each, trusted) for each in signers(proven, SignatureType.ED25519)],
        }
    return {
        "chain": proven.chain,
        "signatures": {"entries": proven.signed, "why": proven.unsigned or ""},
        "log": log,
        "cosignatures": [_signer_json(each, trusted) for each in signers(proven, SignatureType.COSIGNATURE)],
    }


def signers(proven: Proven, kind: SignatureType) -> Iterator[VerifiedSignature]:
    """The signatures of one kind below the checkpoint."""
    return (each for each in proven.signers if each.key.type is kind)


def _signer_json(signer: VerifiedSignature, trusted: tuple[VerifierKey, ...]) -> dict[str, object]:
    fields: dict[str, object] = {"key": key_name(signer.key), "known": signer.key in trusted}
    return fields if signer.time is None else {**fields, "time": signer.time}
