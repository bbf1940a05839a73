"""Methods that prove what the log holds: GetCheckpoint, GetInclusionProof, GetConsistencyProof.

A proof has the hashes of other entries, and as there are few kinds of tiles, a hash may reveal which one was
drawn. Therefore only callers that may read the whole archive get proofs.
"""

import asyncio
import time
from collections.abc import Callable
from functools import partial
from typing import Final, TypeVar

from shiji.record.v1 import record_service_pb2 as pb

from records.entry import MatchId
from records.evidence.merkle import Proof
from records.evidence.note import format_note
from records.ledger.ledger import Ledger
from records.ledger.results import NoSuchEntry
from records.log.contract import Log
from records.log.tree import signed_checkpoint, tree_of
from service.authorization import Caller, require_reader
from service.errors import CallError, Reason, bad_field
from service.requests import match_id
from service.resources import Resources
from service.work_queue import WorkLane

NUMBER_SECONDS: Final = 1.0
"""How long a proof waits for the position of an entry that was just stored: servers that share an archive
number entries a few milliseconds later, and a second after the one that did so was lost."""

_SHORT_TREE_ENTRIES: Final = 65_536
"""Entries of an archive whose tree is short work, even where a process has not seen it before."""

Proved = TypeVar("Proved", bytes, Proof)


async def get_checkpoint(
    resources: Resources, caller: Caller, request: pb.GetCheckpointRequest
) -> pb.GetCheckpointResponse:
    """A signed checkpoint of the log, of its current size or an earlier one."""
    await _require_log(resources, caller)
    key = resources.log_key
    if key is None:
        return await _stored(resources, request.size if request.HasField("size") else None)
    size = request.size if request.HasField("size") else await _size(resources)
    root = await _prove(resources, caller, size, partial(_root, size=size))
    note = signed_checkpoint(key, size, root)
    if resources.checkpoints is not None:
        await asyncio.to_thread(resources.checkpoints.publish, note)
    return pb.GetCheckpointResponse(checkpoint=format_note(note), verifier_key=key.verifier.text)


async def _stored(resources: Resources, size: int | None) -> pb.GetCheckpointResponse:
    """A checkpoint that another server has published."""
    stored = resources.checkpoints
    verifier = None if stored is None else await asyncio.to_thread(stored.verifier)
    if stored is None or verifier is None:
        raise _no_log_key()
    note = await asyncio.to_thread(stored.newest if size is None else partial(stored.of_size, size))
    if note is None and size is None:
        message = "no server has published a checkpoint of the archive yet"
        raise CallError(Reason.STORAGE_UNAVAILABLE, message, retry=NUMBER_SECONDS)
    if note is None:
        message = f"this server has no log key, and there is no published checkpoint of {size} entries"
        raise CallError(Reason.NO_LOG_KEY, f"{message}: ask for the newest, without a size")
    return pb.GetCheckpointResponse(checkpoint=format_note(note), verifier_key=verifier.text)


async def get_inclusion_proof(
    resources: Resources, caller: Caller, request: pb.GetInclusionProofRequest
) -> pb.GetInclusionProofResponse:
    """A proof that an entry is in the log."""
    await _require_log(resources, caller)
    position = await resources.off_loop(partial(_position, resources, caller, request))
    size = request.size if request.HasField("size") else await _size(resources)
    hashes = await _prove(resources, caller, size, partial(_inclusion, position=position, size=size))
    return pb.GetInclusionProofResponse(position=position, size=size, hashes=hashes)


async def get_consistency_proof(
    resources: Resources, caller: Caller, request: pb.GetConsistencyProofRequest
) -> pb.GetConsistencyProofResponse:
    """A proof that the log begins with the entries that it had at an earlier size."""
    await _require_log(resources, caller)
    size = request.new_size if request.HasField("new_size") else await _size(resources)
    hashes = await _prove(resources, caller, size, partial(_consistency, old=request.old_size, new=size))
    return pb.GetConsistencyProofResponse(new_size=size, hashes=hashes)


async def _size(resources: Resources) -> int:
    return await resources.off_loop(resources.ledger.log.last_position)


async def _prove(resources: Resources, caller: Caller, size: int, work: Callable[[Ledger], Proved]) -> Proved:
    lane = WorkLane.LONG if size > _SHORT_TREE_ENTRIES else WorkLane.SHORT
    return await resources.workers.run(caller.account, work, lane)


def _root(ledger: Ledger, *, size: int) -> bytes:
    return tree_of(ledger.log).root(size)


def _inclusion(ledger: Ledger, *, position: int, size: int) -> Proof:
    return tree_of(ledger.log).inclusion(position, size)


def _consistency(ledger: Ledger, *, old: int, new: int) -> Proof:
    return tree_of(ledger.log).consistency(old, new)


async def _require_log(resources: Resources, caller: Caller) -> None:
    """Raises CallError unless the caller may read, and some server of the archive has a log key."""
    require_reader(caller)
    stored = resources.checkpoints
    if resources.log_key is None and (stored is None or await asyncio.to_thread(stored.verifier) is None):
        raise _no_log_key()


def _no_log_key() -> CallError:
    return CallError(Reason.NO_LOG_KEY, "the server has no log key: start it with --log-key")


def _position(resources: Resources, caller: Caller, request: pb.GetInclusionProofRequest) -> int:
    """The position of the entry; raises CallError where its hash could confirm what is hidden in it."""
    log = resources.ledger.log
    match request.WhichOneof("entry"):
        case "place":
            match, sequence = match_id(request.place.match_id), request.place.sequence
            resources.access.require_hashes(caller, match, resources.ledger.current(match))
            return position_of(log, match, sequence)
        case "position":
            entry = next(log.archive(request.position - 1, 1), None) if request.position else None
            if entry is not None:
                current = resources.ledger.current(entry.match)
                resources.access.require_hashes(caller, entry.match, current)
            return request.position
        case None:
            raise bad_field("entry", "give the entry, by its match and sequence or by its position")


def position_of(log: Log, match: MatchId, sequence: int) -> int:
    """The position of an entry, once it has one; raises CallError where that takes too long."""
    end = time.monotonic() + NUMBER_SECONDS
    while True:
        last = log.last_position()
        entry = next(log.read(match, sequence, 1), None)
        if entry is None:
            raise NoSuchEntry(match, sequence)
        if entry.position:
            return entry.position
        left = end - time.monotonic()
        if left <= 0:
            message = "the entry is stored and has no position in the archive yet, so nothing proves it"
            raise CallError(Reason.STORAGE_UNAVAILABLE, message, retry=NUMBER_SECONDS)
        log.wait(last, left)
