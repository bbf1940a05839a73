"""Methods that prove what the log holds: GetCheckpoint, GetInclusionProof, GetConsistencyProof.

A proof has the hashes of other entries, and as there are few kinds of tiles, a hash may reveal which one was
drawn. Therefore only callers that may read the whole archive get proofs.
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
    """A signed checkpoint of the log, of its current size or an earlier one."""
    signed = _signed_log(resources, caller)
    size = request.size if request.HasField("size") else None
    note = await asyncio.to_thread(signed.tree.checkpoint, signed.key, size)
    return pb.GetCheckpointResponse(checkpoint=format_note(note), verifier_key=signed.key.verifier.text)


async def get_inclusion_proof(
    resources: Resources, caller: Caller, request: pb.GetInclusionProofRequest
) -> pb.GetInclusionProofResponse:
    """A proof that an entry is in the log."""
    tree = _signed_log(resources, caller).tree
    position = _position(resources, request)
    size = request.size if request.HasField("size") else tree.size
    hashes = await asyncio.to_thread(tree.inclusion, position, size)
    return pb.GetInclusionProofResponse(position=position, size=size, hashes=hashes)


async def get_consistency_proof(
    resources: Resources, caller: Caller, request: pb.GetConsistencyProofRequest
) -> pb.GetConsistencyProofResponse:
    """A proof that the log begins with the entries that it had at an earlier size."""
    tree: Tree = _signed_log(resources, caller).tree
    size = request.new_size if request.HasField("new_size") else tree.size
    hashes = await asyncio.to_thread(tree.consistency, request.old_size, size)
    return pb.GetConsistencyProofResponse(new_size=size, hashes=hashes)


def _signed_log(resources: Resources, caller: Caller) -> SignedLog:
    require_reader(caller)
    if resources.signed is None:
        raise CallError(Reason.NO_LOG_KEY, "the server has no log key: start it with --log-key")
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
            raise bad_field("entry", "give the entry, by its match and sequence or by its position")
