"""Methods that prove what the log holds: GetCheckpoint, GetInclusionProof, GetConsistencyProof.

The hashes of a proof are those of other entries, and with few kinds of tile a hash tells which one was drawn;
so only whoever is trusted with all records asks.
"""

import asyncio

from shiji.record.v1 import record_service_pb2 as pb

from records.evidence.note import format_note
from records.ledger.results import NoSuchEntry
from records.log.tree import Tree
from service.authorization import Caller, require_reader
from service.errors import CallError, Reason, bad_field
from service.requests import match_id
from service.resources import Resources, SignedLog


async def get_checkpoint(
    resources: Resources, caller: Caller, request: pb.GetCheckpointRequest
) -> pb.GetCheckpointResponse:
    """What the log promises."""
    signed = _signed(resources, caller)
    size = request.size if request.HasField("size") else None
    note = await asyncio.to_thread(signed.tree.checkpoint, signed.key, size)
    return pb.GetCheckpointResponse(checkpoint=format_note(note), verifier_key=signed.key.verifier.text)


async def get_inclusion_proof(
    resources: Resources, caller: Caller, request: pb.GetInclusionProofRequest
) -> pb.GetInclusionProofResponse:
    """That an entry is in the log."""
    tree = _signed(resources, caller).tree
    position = _position(resources, request)
    size = request.size if request.HasField("size") else tree.size
    hashes = await asyncio.to_thread(tree.inclusion, position, size)
    return pb.GetInclusionProofResponse(position=position, size=size, hashes=hashes)


async def get_consistency_proof(
    resources: Resources, caller: Caller, request: pb.GetConsistencyProofRequest
) -> pb.GetConsistencyProofResponse:
    """That the log carries on what it was."""
    tree: Tree = _signed(resources, caller).tree
    size = request.new_size if request.HasField("new_size") else tree.size
    hashes = await asyncio.to_thread(tree.consistency, request.old_size, size)
    return pb.GetConsistencyProofResponse(new_size=size, hashes=hashes)


def _signed(resources: Resources, caller: Caller) -> SignedLog:
    require_reader(caller)
    if resources.signed is None:
        raise CallError(Reason.NO_LOG_KEY, "the server has no key of a log: start it with --log-key")
    return resources.signed


def _position(resources: Resources, request: pb.GetInclusionProofRequest) -> int:
    match request.WhichOneof("entry"):
        case "place":
            match, sequence = match_id(request.place.match_id), request.place.sequence
            resources.ledger.known(match)
            entry = next(resources.ledger.log.read(match, sequence, 1), None)
            if entry is None:
                raise NoSuchEntry(match, sequence)
            return entry.position
        case "position":
            return request.position
        case None:
            raise bad_field("entry", "say which entry, by its match or its position")
