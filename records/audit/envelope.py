"""The envelope of a dispute bundle: what the maker of a bundle states about its record, in each version."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, TypeAlias

import msgspec
from msgspec import UNSET, Struct, UnsetType

from records.entry import ENTRY_VERSION_1, ENTRY_VERSION_2, Entry, MatchHeader, actor_of, entry_version
from records.evidence.ed25519 import PublicKey
from records.evidence.framing import framed_hash
from records.evidence.signing import public_text
from records.games.state import GameState
from records.replay.disclosure import public_digest
from records.replay.fold import BadRecord, open_record
from records.replay.wording import actor_name
from records.verdict import AuditReport, rules_broken, word
from rules.kernel.game import OutcomeKind
from rules.kernel.text import quoted

FORMATS: Final[Mapping[int, str]] = MappingProxyType(
    {ENTRY_VERSION_1: "shiji-bundle/1", ENTRY_VERSION_2: "shiji-bundle/2"}
)
"""The format in the envelope of a bundle, by the version of its entries."""

BEGINS: Final = b'{"format":"shiji-bundle/'
"""The first bytes of a bundle of any version."""


class UnreadableBundle(ValueError):
    """The bytes are not a bundle."""


class HeaderFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """What the header determines, in readable form."""

    game: str
    edition: str
    rulings: dict[str, str]
    components: str
    components_hash: str
    """In hexadecimal, as docs/evidence.md defines it."""
    keys: dict[str, str]
    """The first key of each actor who signs, by name."""
    options: dict[str, str] | UnsetType = UNSET
    """Left out where all are at their default."""


class _Stated1(Struct, frozen=True, forbid_unknown_fields=True):
    verdict: str
    entries: int
    entry: int | None
    """The sequence of the first bad entry."""
    rules: list[str]
    position: str
    winners: list[str]
    kind: str | UnsetType = UNSET
    """The kind of the outcome; left out if the match is not over, or its winners beat each other."""


class _Stated2(Struct, frozen=True, forbid_unknown_fields=True):
    verdict: str
    entries: int
    entry: int | None
    """The sequence of the first bad entry."""
    rules: list[str]
    state: str
    """The digest of the state after the last good entry, in hexadecimal, as that entry has it."""
    winners: list[str]
    kind: str | UnsetType = UNSET
    """The kind of the outcome; left out if the match is not over, or its winners beat each other."""


StatedReport: TypeAlias = _Stated1 | _Stated2
"""The fields of an AuditReport that the maker of a bundle states in it."""


class Logged(Struct, frozen=True, forbid_unknown_fields=True):
    """The proof that a log contains every entry."""

    checkpoint: str
    keys: list[str]
    """The keys of the signatures of the checkpoint, in their order."""
    positions: list[int]
    """The positions of the entries in the log, from 1."""
    hashes: list[str]
    """One proof for all of them: see records.evidence.multiproof."""


class _Envelope1(Struct, frozen=True, forbid_unknown_fields=True):
    format: str
    match: str
    about: HeaderFacts | None
    """None if the header cannot be read."""
    verdict: _Stated1
    log: Logged | None


class _Envelope2(Struct, frozen=True, forbid_unknown_fields=True):
    format: str
    match: str
    about: HeaderFacts | None
    """None if the header cannot be read."""
    verdict: _Stated2
    log: Logged | None


Envelope: TypeAlias = _Envelope1 | _Envelope2

_DECODERS: Final[Mapping[int, msgspec.json.Decoder[Envelope]]] = MappingProxyType(
    {
        ENTRY_VERSION_1: msgspec.json.Decoder(_Envelope1),
        ENTRY_VERSION_2: msgspec.json.Decoder(_Envelope2),
    }
)
_ENCODER: Final = msgspec.json.Encoder()
_NUMBERS: Final = {name.rpartition("/")[2].encode(): version for version, name in FORMATS.items()}


def write_envelope(first: Entry, report: AuditReport, logged: Logged | None) -> bytes:
    """The envelope of a bundle of a record, by its header and its audit."""
    about, version = facts_of(first), entry_version(first)
    if version == ENTRY_VERSION_1:
        return _ENCODER.encode(_Envelope1(FORMATS[version], first.match, about, _stated_1(report), logged))
    return _ENCODER.encode(
        _Envelope2(FORMATS[ENTRY_VERSION_2], first.match, about, _stated_2(report), logged)
    )


def read_envelope(line: bytes) -> tuple[int, Envelope]:
    """The version and the content of an envelope; raises UnreadableBundle, also for a later version."""
    number = line.removeprefix(BEGINS).partition(b'"')[0]
    version = _NUMBERS.get(number) if line.startswith(BEGINS) else ENTRY_VERSION_1
    if version is None:
        named = quoted(number[:20].decode(errors="replace"))
        raise UnreadableBundle(f"this build does not read version {named} of bundles; use a newer one")
    try:
        envelope = _DECODERS[version].decode(line)
        written = _ENCODER.encode(envelope)
    except (msgspec.MsgspecError, ValueError, RecursionError) as fault:
        raise UnreadableBundle(str(fault)) from None
    if envelope.format != FORMATS[version] or written != line:
        raise UnreadableBundle("it is not in canonical form: it was cut off or changed")
    return version, envelope


def facts_of(first: Entry) -> HeaderFacts | None:
    """What the header determines; None if it cannot be read."""
    try:
        opened = open_record(first)
    except BadRecord:
        return None
    header, setup = opened.header, opened.header.setup
    return HeaderFacts(
        header.game,
        setup.edition,
        dict(setup.rulings),
        setup.components,
        _components_hash(header, opened.start).hex(),
        {actor_name(header, actor_of(actor)): public_text(PublicKey(key)) for actor, key in header.keys},
        dict(setup.options) if setup.options else UNSET,
    )


def stated(version: int, report: AuditReport) -> StatedReport:
    """What a bundle of this version states of a report."""
    return _stated_1(report) if version == ENTRY_VERSION_1 else _stated_2(report)


def _components_hash(header: MatchHeader, start: GameState) -> bytes:
    components = header.setup.components
    if header.entry_version == ENTRY_VERSION_1:
        return framed_hash("shiji/components/1", header.game, components, start.position())
    return framed_hash("shiji/components/2", header.game, components, public_digest(header, start))


def _stated_1(report: AuditReport) -> _Stated1:
    return _Stated1(
        word(report.verdict),
        report.entries,
        report.first_bad,
        list(rules_broken(report.verdict)),
        report.position or "",
        list(report.winners),
        _kind(report),
    )


def _stated_2(report: AuditReport) -> _Stated2:
    return _Stated2(
        word(report.verdict),
        report.entries,
        report.first_bad,
        list(rules_broken(report.verdict)),
        public_digest(report.header, report.state).hex() if report.header and report.state else "",
        list(report.winners),
        _kind(report),
    )


def _kind(report: AuditReport) -> str | UnsetType:
    outcome = report.outcome
    return UNSET if outcome is None or outcome.kind is OutcomeKind.WON else outcome.kind.value
