"""Signed notes (C2SP signed-note): a text followed by signatures of named keys."""

import enum
import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, assert_never

from records.evidence.ed25519 import SIGNATURE_SIZE, BadKey, PublicKey, SecretKey, WrongSignature
from records.evidence.framing import BadBase64, from_base64, to_base64
from rules.kernel.text import quoted

MAX_NOTE_BYTES: Final = 256 * 1024
"""The maximum size of a note, in bytes; a checkpoint with 100 signatures has about 15 KB."""

MAX_SIGNATURES: Final = 100
"""The maximum number of signatures of a note, so that nobody can make verifying it slow."""

MAX_TIME: Final = 2**63 - 1
"""The latest time of a cosignature, in seconds since 1970 (tlog-cosignature)."""

_MAX_KEY_CHARACTERS: Final = 1024
"""The maximum length of a key as text; names of hosts have at most 253 characters."""

_PRIVATE: Final = "PRIVATE+KEY+"
_DASH: Final = "— "
_NOTE_ID_BYTES: Final = 4
"""Bytes of a key's id in a signed note, as C2SP signed-note has it."""
_TIME_BYTES: Final = 8
"""Bytes of the time before a cosignature, as C2SP tlog-cosignature has it."""
_FORBIDDEN: Final = re.compile(r"[\x00-\x09\x0b-\x1f\ud800-\udfff]")
_NAME: Final = re.compile(r"[^\s+\x00-\x1f\ud800-\udfff]+")


class MalformedNote(ValueError):
    """The bytes are not a signed note, or the text cannot become one."""


class NoKnownSignature(ValueError):
    """None of the known keys has signed the note."""


class SignatureType(enum.IntEnum):
    """What a key signs; the numbers are those of the specification."""

    ED25519 = 0x01
    """The text itself."""
    COSIGNATURE = 0x04
    """A time and the text of a checkpoint: the signature of a witness (tlog-cosignature)."""


@dataclass(frozen=True, slots=True)
class VerifierKey:
    """A public key with the name that its signatures bear."""

    name: str
    type: SignatureType
    public: PublicKey

    def __post_init__(self) -> None:
        if not _is_name(self.name):
            raise BadKey(f"{quoted(self.name)} is no name of a key: expected text without blanks and +")

    @property
    def id(self) -> int:
        """A number that distinguishes keys of one name; anybody can make another key with the same one."""
        material = self.name.encode() + b"\n" + bytes([self.type]) + self.public.raw
        return int.from_bytes(hashlib.sha256(material).digest()[:_NOTE_ID_BYTES])

    @property
    def text(self) -> str:
        """The public key as text, for those who verify: name+id+base64."""
        return f"{self.name}+{self.id:08x}+{to_base64(bytes([self.type]) + self.public.raw)}"


@dataclass(frozen=True, slots=True)
class SignerKey:
    """The secret key of a log or a witness."""

    name: str
    type: SignatureType
    secret: SecretKey

    @property
    def verifier(self) -> VerifierKey:
        """The key that verifies what this one signs."""
        return VerifierKey(self.name, self.type, self.secret.public)

    @property
    def secret_text(self) -> str:
        """The secret key as text, to be stored and never shown: PRIVATE+KEY+name+id+base64."""
        material = to_base64(bytes([self.type]) + self.secret.raw)
        return f"{_PRIVATE}{self.name}+{self.verifier.id:08x}+{material}"


@dataclass(frozen=True, slots=True)
class Signature:
    """A signature below a note, not yet verified."""

    name: str
    id: int
    value: bytes
    """For a cosignature, eight bytes of time followed by the signature proper."""

    @property
    def line(self) -> str:
        """Its line in the note, without the newline."""
        return f"{_DASH}{self.name} {to_base64(self.id.to_bytes(_NOTE_ID_BYTES) + self.value)}"


def key_name(key: VerifierKey | Signature) -> str:
    """The name and id of a key, or of the key that a signature names."""
    return f"{key.name}+{key.id:08x}"


@dataclass(frozen=True, slots=True)
class Note:
    """A text, which ends in a newline, and the signatures below it."""

    text: str
    signatures: tuple[Signature, ...]


@dataclass(frozen=True, slots=True)
class VerifiedSignature:
    """A known key that signed a note, and the time of the signature if it has one."""

    key: VerifierKey
    time: int | None


def parse_verifier_key(text: str) -> VerifierKey:
    """Parse what VerifierKey.text writes; raises BadKey."""
    name, kind, material = _parse_key(text)
    key = VerifierKey(name, kind, PublicKey(material))
    if key.text != text:
        raise BadKey(f"the id in {quoted(text)} is not that of the key: it was mistyped or changed")
    return key


def parse_signer_key(text: str) -> SignerKey:
    """Parse what SignerKey.secret_text writes; raises BadKey, whose message does not show the key."""
    if not text.startswith(_PRIVATE):
        raise BadKey(f"a secret key begins with {_PRIVATE}")
    name, kind, material = _parse_key(text.removeprefix(_PRIVATE))
    key = SignerKey(name, kind, SecretKey(material))
    if key.secret_text != text:
        raise BadKey("the id in the secret key is not that of the key: it was mistyped or changed")
    return key


def sign(text: str, key: SignerKey) -> Signature:
    """Sign the text of a note."""
    if key.type is not SignatureType.ED25519:
        raise BadKey(f"the key {key.name} belongs to a witness, which signs only checkpoints")
    return _signature(key, key.secret.sign(_encoded(text)))


def cosign(text: str, key: SignerKey, time: int) -> Signature:
    """Sign the text of a checkpoint as a witness, at a time in seconds since 1970."""
    if key.type is not SignatureType.COSIGNATURE:
        raise BadKey(f"the key {key.name} does not belong to a witness")
    if not 0 <= time <= MAX_TIME:
        raise ValueError(f"a cosignature cannot have the time {time}")
    return _signature(key, time.to_bytes(_TIME_BYTES) + key.secret.sign(_cosigned(_encoded(text), time)))


def format_note(note: Note) -> bytes:
    """The bytes of the note."""
    data = _encoded(note.text) + b"\n" + b"".join(f"{one.line}\n".encode() for one in note.signatures)
    if parse_note(data) != note:
        raise MalformedNote("the note cannot be written in a form that parses as the same note")
    return data


def parse_note(data: bytes) -> Note:
    """Parse a note without verifying its signatures; raises MalformedNote."""
    if len(data) > MAX_NOTE_BYTES:
        raise MalformedNote(f"a note has at most {MAX_NOTE_BYTES} bytes, not {len(data)}")
    try:
        whole = data.decode()
    except UnicodeDecodeError as fault:
        raise MalformedNote(f"byte {fault.start} of the note is not UTF-8") from None
    _require_no_control(whole)
    text, blank, under = whole.rpartition("\n\n")
    if not (text and blank and under.endswith("\n")):
        raise MalformedNote("a note is a text, an empty line, and whole lines of signatures")
    lines = under[:-1].split("\n")
    if len(lines) > MAX_SIGNATURES:
        raise MalformedNote(f"a note has at most {MAX_SIGNATURES} signatures, not {len(lines)}")
    return Note(f"{text}\n", tuple(_parse_signature(line) for line in lines))


def verified(note: Note, keys: Iterable[VerifierKey]) -> tuple[VerifiedSignature, ...]:
    """Those of the keys that signed the note, without repeats, in the order of the signatures.

    Raises WrongSignature if a signature with the name and id of one of them was not made by it, and
    NoKnownSignature if none of them has signed.
    """
    known: dict[tuple[str, int], VerifierKey] = {}
    for key in keys:
        if known.setdefault((key.name, key.id), key) != key:
            raise BadKey(f"two of the known keys are both called {key.name}+{key.id:08x}")
    text = _encoded(note.text)
    found: dict[VerifierKey, VerifiedSignature] = {}
    for signature in note.signatures:
        if signer := known.get((signature.name, signature.id)):
            found.setdefault(signer, VerifiedSignature(signer, _verify(text, signature, signer)))
    if not found:
        raise NoKnownSignature("no known key has signed the note")
    return tuple(found.values())


def _verify(text: bytes, signature: Signature, key: VerifierKey) -> int | None:
    """The time in a valid signature, or None if it has none; raises WrongSignature."""
    match key.type:
        case SignatureType.ED25519:
            key.public.verify(text, signature.value)
            return None
        case SignatureType.COSIGNATURE:
            time = int.from_bytes(signature.value[:_TIME_BYTES])
            if len(signature.value) != _TIME_BYTES + SIGNATURE_SIZE or time > MAX_TIME:
                raise WrongSignature(f"the signature of {key.name} is not a cosignature")
            key.public.verify(_cosigned(text, time), signature.value[_TIME_BYTES:])
            return time
        case _:
            assert_never(key.type)


def _cosigned(text: bytes, time: int) -> bytes:
    return f"cosignature/v1\ntime {time}\n".encode() + text


def _signature(key: SignerKey, value: bytes) -> Signature:
    return Signature(key.name, key.verifier.id, value)


def _encoded(text: str) -> bytes:
    if not text.endswith("\n"):
        raise MalformedNote("the text of a note ends in a newline")
    _require_no_control(text)
    return text.encode()


def _require_no_control(text: str) -> None:
    if found := _FORBIDDEN.search(text):
        raise MalformedNote(f"a note cannot contain the character {quoted(found[0])}")


def _parse_key(text: str) -> tuple[str, SignatureType, bytes]:
    """Name, type and key material; the id is not compared here."""
    if len(text) > _MAX_KEY_CHARACTERS:
        raise BadKey(f"a key has at most {_MAX_KEY_CHARACTERS} characters, not {len(text)}")
    name, _, rest = text.partition("+")
    _, _, material = rest.partition("+")
    try:
        raw = from_base64(material)
    except BadBase64:
        raise BadKey("a key has the form name+id+base64, and this has not") from None
    if not raw or raw[0] not in tuple(SignatureType):
        known = " and ".join(f"{kind:#04x}" for kind in SignatureType)
        raise BadKey(f"this build does not know the type of the key; known: {known}")
    return name, SignatureType(raw[0]), raw[1:]


def _parse_signature(line: str) -> Signature:
    name, _, encoded = line.removeprefix(_DASH).partition(" ")
    try:
        raw = from_base64(encoded)
    except BadBase64:
        raw = b""
    if not (line.startswith(_DASH) and _is_name(name) and len(raw) > _NOTE_ID_BYTES):
        raise MalformedNote(f"{quoted(line)} is not a signature; expected a dash —, a name, and base64")
    return Signature(name, int.from_bytes(raw[:_NOTE_ID_BYTES]), raw[_NOTE_ID_BYTES:])


def _is_name(name: str) -> bool:
    return _NAME.fullmatch(name) is not None
