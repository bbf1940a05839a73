"""What a witness is sent, as C2SP's tlog-witness has it: a size, a consistency proof and a checkpoint."""

import re
from dataclasses import dataclass
from typing import Final

from records.evidence.framing import BadBase64, from_base64, to_base64
from records.evidence.merkle import HASH_SIZE, Proof
from records.evidence.note import MAX_BYTES, MalformedNote, Note, format_note, parse_note

_OLD: Final = re.compile(rb"old (0|[1-9][0-9]{0,18})")
_MOST_HASHES: Final = 63
_MOST_BYTES: Final = MAX_BYTES + 4096


class MalformedRequest(ValueError):
    """The bytes are nothing that a witness can be asked."""


@dataclass(frozen=True, slots=True)
class WitnessRequest:
    """Asks a witness to cosign a checkpoint."""

    old: int
    """The size of the checkpoint that the witness saw last, as far as whoever asks knows; 0 for none."""
    proof: Proof
    note: Note


def format_request(request: WitnessRequest) -> bytes:
    """The request as it is sent and kept."""
    lines = [f"old {request.old}", *map(to_base64, request.proof)]
    return "".join(f"{line}\n" for line in lines).encode() + b"\n" + format_note(request.note)


def parse_request(data: bytes) -> WitnessRequest:
    """The request that these bytes are; MalformedRequest if they are none.

    A checkpoint alone asks as if nothing had been seen before.
    """
    if len(data) > _MOST_BYTES:
        raise MalformedRequest(f"a request has at most {_MOST_BYTES} bytes")
    told, blank, rest = data.partition(b"\n\n")
    first, *lines = told.split(b"\n")
    found = _OLD.fullmatch(first)
    try:
        if found is None or not blank:
            return WitnessRequest(0, (), parse_note(data))
        if len(lines) > _MOST_HASHES:
            raise MalformedRequest(f"a consistency proof has at most {_MOST_HASHES} hashes, not {len(lines)}")
        proof = tuple(from_base64(line.decode()) for line in lines)
        if any(len(each) != HASH_SIZE for each in proof):
            raise MalformedRequest(f"every hash of a proof has {HASH_SIZE} bytes, and one of these has not")
        return WitnessRequest(int(found[1]), proof, parse_note(rest))
    except (BadBase64, UnicodeDecodeError):
        raise MalformedRequest("a line of the proof is not the base64 of a hash") from None
    except MalformedNote as fault:
        raise MalformedRequest(str(fault)) from None
