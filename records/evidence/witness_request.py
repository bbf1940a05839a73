"""Requests to a witness (C2SP tlog-witness): a size, a consistency proof and a checkpoint."""

import re
from dataclasses import dataclass
from typing import Final

from records.evidence.framing import BadBase64, from_base64, to_base64
from records.evidence.merkle import HASH_SIZE, Proof
from records.evidence.note import MAX_NOTE_BYTES, MalformedNote, Note, format_note, parse_note

_OLD: Final = re.compile(rb"old (0|[1-9][0-9]{0,18})")
_MAX_HASHES: Final = 63
"""The maximum number of hashes in a consistency proof, by the specification."""

_MAX_REQUEST_BYTES: Final = MAX_NOTE_BYTES + 4096
"""The maximum size of a request, in bytes: a note, and a proof of 63 hashes in base64."""


class MalformedRequest(ValueError):
    """The bytes are not a request to a witness."""


@dataclass(frozen=True, slots=True)
class WitnessRequest:
    """A request to cosign a checkpoint."""

    old: int
    """The size of the last checkpoint that the witness saw, as far as the sender knows; 0 if none."""
    proof: Proof
    note: Note


def format_request(request: WitnessRequest) -> bytes:
    """The bytes of the request."""
    lines = [f"old {request.old}", *map(to_base64, request.proof)]
    return "".join(f"{line}\n" for line in lines).encode() + b"\n" + format_note(request.note)


def parse_request(data: bytes) -> WitnessRequest:
    """Parse a request; raises MalformedRequest.

    A checkpoint without a proof is a request to a witness that has seen nothing of the log before.
    """
    if len(data) > _MAX_REQUEST_BYTES:
        raise MalformedRequest(f"a request has at most {_MAX_REQUEST_BYTES} bytes")
    head, blank, rest = data.partition(b"\n\n")
    first, *lines = head.split(b"\n")
    found = _OLD.fullmatch(first)
    try:
        if found is None or not blank:
            return WitnessRequest(0, (), parse_note(data))
        if len(lines) > _MAX_HASHES:
            raise MalformedRequest(f"a consistency proof has at most {_MAX_HASHES} hashes, not {len(lines)}")
        proof = tuple(from_base64(line.decode()) for line in lines)
        if any(len(each) != HASH_SIZE for each in proof):
            raise MalformedRequest(f"every hash of a proof has {HASH_SIZE} bytes, and one of these has not")
        return WitnessRequest(int(found[1]), proof, parse_note(rest))
    except (BadBase64, UnicodeDecodeError):
        raise MalformedRequest("a line of the proof is not the base64 of a hash") from None
    except MalformedNote as fault:
        raise MalformedRequest(str(fault)) from None
