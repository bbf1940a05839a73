"""Signed notes after C2SP's signed-note: a text, and the signatures of named keys under it."""

import enum
import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, assert_never

from records.evidence.ed25519 import SIGNATURE_SIZE, BadKey, PublicKey, SecretKey, WrongSignature
from records.evidence.framing import BadBase64, from_base64, to_base64
from rules.kernel.text import quoted

MAX_BYTES: Final = 256 * 1024
MAX_SIGNATURES: Final = 100
MAX_TIME: Final = 2**63 - 1
"""The last second that a cosignature can tell (tlog-cosignature)."""

_MAX_KEY_TEXT: Final = 1024
_PRIVATE: Final = "PRIVATE+KEY+"
_DASH: Final = "— "
_ID_SIZE: Final = 4
_TIME_SIZE: Final = 8
_FORBIDDEN: Final = re.compile(r"[\x00-\x09\x0b-\x1f\ud800-\udfff]")
_NAME: Final = re.compile(r"[^\s+\x00-\x1f\ud800-\udfff]+")


class MalformedNote(ValueError):
    """The bytes are no signed note, or the text can become none."""


class NoKnownSignature(ValueError):
    """None of the keys that are known has signed the note."""


class SignatureType(enum.IntEnum):
    """How a key signs a note; the numbers are those of the specification."""

    ED25519 = 0x01
    """Over the text itself."""
    COSIGNATURE = 0x04
    """Over a time and the text, which is a checkpoint: the signature of a witness (tlog-cosignature)."""


@dataclass(frozen=True, slots=True)
class VerifierKey:
    """A public key under the name that stands in its signatures."""

    name: str
    type: SignatureType
    public: PublicKey

    def __post_init__(self) -> None:
        if not _is_name(self.name):
            raise BadKey(f"{quoted(self.name)} is no key's name: it has no blanks, no + and is not empty")

    @property
    def id(self) -> int:
        """The number that tells keys of one name apart; anybody can make a key with the same one."""
        material = self.name.encode() + b"\n" + bytes([self.type]) + self.public.raw
        return int.from_bytes(hashlib.sha256(material).digest()[:_ID_SIZE])

    @property
    def text(self) -> str:
        """The key as it is given to those who verify: name+id+base64."""
        return f"{self.name}+{self.id:08x}+{to_base64(bytes([self.type]) + self.public.raw)}"


@dataclass(frozen=True, slots=True)
class SignerKey:
    """The secret key of a log or a witness."""

    name: str
    type: SignatureType
    secret: SecretKey

    @property
    def verifier(self) -> VerifierKey:
        """The key that checks what this one signs."""
        return VerifierKey(self.name, self.type, self.secret.public)

    @property
    def secret_text(self) -> str:
        """The key as it is kept, and never shown: PRIVATE+KEY+name+id+base64."""
        material = to_base64(bytes([self.type]) + self.secret.raw)
        return f"{_PRIVATE}{self.name}+{self.verifier.id:08x}+{material}"


@dataclass(frozen=True, slots=True)
class Signature:
    """A signature as it stands under a note; nothing is known of it before it is verified."""

    name: str
    id: int
    value: bytes
    """For a cosignature, eight bytes of time and then the signature proper."""

    @property
    def line(self) -> str:
        """Its line in the note, without the line's end."""
        return f"{_DASH}{self.name} {to_base64(self.id.to_bytes(_ID_SIZE) + self.value)}"


@dataclass(frozen=True, slots=True)
class Note:
    """A text, which ends in a newline, and what is signed under it."""

    text: str
    signatures: tuple[Signature, ...]


@dataclass(frozen=True, slots=True)
class VerifiedSignature:
    """A known key that signed a note, and when, where its signature tells that."""

    key: VerifierKey
    time: int | None


def parse_verifier_key(text: str) -> VerifierKey:
    """The key that VerifierKey.text writes so; BadKey otherwise."""
    name, kind, material = _parse_key(text)
    key = VerifierKey(name, kind, PublicKey(material))
    if key.text != text:
        raise BadKey(f"the id in {quoted(text)} is not that of the key: it was mistyped or changed")
    return key


def parse_signer_key(text: str) -> SignerKey:
    """The key that SignerKey.secret_text writes so; BadKey otherwise, which does not show the key."""
    if not text.startswith(_PRIVATE):
        raise BadKey(f"a secret key begins with {_PRIVATE}")
    name, kind, material = _parse_key(text.removeprefix(_PRIVATE))
    key = SignerKey(name, kind, SecretKey(material))
    if key.secret_text != text:
        raise BadKey("the id in the secret key is not that of the key: it was mistyped or changed")
    return key


def sign(text: str, key: SignerKey) -> Signature:
    """The key's signature for a note of that text."""
    if key.type is not SignatureType.ED25519:
        raise BadKey(f"the key {key.name} is a witness's: it cosigns checkpoints and signs no other note")
    return _signature(key, key.secret.sign(_encoded(text)))


def cosign(text: str, key: SignerKey, time: int) -> Signature:
    """The witness's signature for a checkpoint of that text, at a time in seconds since 1970."""
    if key.type is not SignatureType.COSIGNATURE:
        raise BadKey(f"the key {key.name} is not a witness's")
    if not 0 <= time <= MAX_TIME:
        raise ValueError(f"{time} is no time of a cosignature")
    return _signature(key, time.to_bytes(_TIME_SIZE) + key.secret.sign(_cosigned(_encoded(text), time)))


def format_note(note: Note) -> bytes:
    """The note as it is sent and kept."""
    data = _encoded(note.text) + b"\n" + b"".join(f"{one.line}\n".encode() for one in note.signatures)
    if parse_note(data) != note:
        raise MalformedNote("the note cannot be written so that it is read again")
    return data


def parse_note(data: bytes) -> Note:
    """The note that these bytes are, its signatures not yet verified; MalformedNote if they are none."""
    if len(data) > MAX_BYTES:
        raise MalformedNote(f"a note has at most {MAX_BYTES} bytes, and this one {len(data)}")
    try:
        whole = data.decode()
    except UnicodeDecodeError as fault:
        raise MalformedNote(f"byte {fault.start} of the note is not UTF-8") from None
    _refuse_control(whole)
    text, blank, under = whole.rpartition("\n\n")
    if not (text and blank and under.endswith("\n")):
        raise MalformedNote("a note is a text, an empty line, and whole lines of signatures")
    lines = under[:-1].split("\n")
    if len(lines) > MAX_SIGNATURES:
        raise MalformedNote(f"a note has at most {MAX_SIGNATURES} signatures, and this one {len(lines)}")
    return Note(f"{text}\n", tuple(_parse_signature(line) for line in lines))


def verified(note: Note, keys: Iterable[VerifierKey]) -> tuple[VerifiedSignature, ...]:
    """Which of these keys signed the note, each once, in the note's order.

    Raises WrongSignature if one of them did not make the signature that bears its name and id, and
    NoKnownSignature if none has signed.
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
    """The time that a good signature tells, if it tells one."""
    match key.type:
        case SignatureType.ED25519:
            key.public.verify(text, signature.value)
            return None
        case SignatureType.COSIGNATURE:
            time = int.from_bytes(signature.value[:_TIME_SIZE])
            if len(signature.value) != _TIME_SIZE + SIGNATURE_SIZE or time > MAX_TIME:
                raise WrongSignature(f"what {key.name} signed with is no cosignature")
            key.public.verify(_cosigned(text, time), signature.value[_TIME_SIZE:])
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
    _refuse_control(text)
    return text.encode()


def _refuse_control(text: str) -> None:
    if found := _FORBIDDEN.search(text):
        raise MalformedNote(f"a note cannot have the character {quoted(found[0])}")


def _parse_key(text: str) -> tuple[str, SignatureType, bytes]:
    """Name, type and key material, the id not yet compared."""
    if len(text) > _MAX_KEY_TEXT:
        raise BadKey(f"a key has at most {_MAX_KEY_TEXT} characters, and this one {len(text)}")
    name, _, rest = text.partition("+")
    _, _, material = rest.partition("+")
    try:
        raw = from_base64(material)
    except BadBase64:
        raise BadKey("a key is written as name+id+base64, and this is not") from None
    if not raw or raw[0] not in tuple(SignatureType):
        known = " and ".join(f"{kind:#04x}" for kind in SignatureType)
        raise BadKey(f"the key's type is none that this build knows: {known}")
    return name, SignatureType(raw[0]), raw[1:]


def _parse_signature(line: str) -> Signature:
    name, _, encoded = line.removeprefix(_DASH).partition(" ")
    try:
        raw = from_base64(encoded)
    except BadBase64:
        raw = b""
    if not (line.startswith(_DASH) and _is_name(name) and len(raw) > _ID_SIZE):
        raise MalformedNote(f"{quoted(line)} is no signature; expected a dash —, a name, and base64")
    return Signature(name, int.from_bytes(raw[:_ID_SIZE]), raw[_ID_SIZE:])


def _is_name(name: str) -> bool:
    return _NAME.fullmatch(name) is not None
