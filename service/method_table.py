"""Which function answers which method of the RecordService."""

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Final, cast

import grpc
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from grpc import aio

from service.answers import AnswerWriter
from service.methods import (
    append,
    append_many,
    audit,
    choices,
    compare,
    imports,
    listing,
    notices,
    proofs,
    query,
    read,
)
from service.rpc import (
    DESCRIPTOR,
    Binding,
    CallHandler,
    Serve,
    batched,
    binary_decoder,
    exchange,
    question,
    stream,
    unary,
)

METHODS: Final[Mapping[str, Binding]] = {
    "StartMatch": unary(append.start_match),
    "AppendMove": batched(append.append_move, match=attrgetter("match_id")),
    "AppendMoves": batched(
        append_many.append_moves,
        lambda request: max(len(request.moves), 1),
        append_many.append_long_batch,
        match=attrgetter("match_id"),
    ),
    "Play": exchange(append.play, attrgetter("append.match_id")),
    "CheckMove": question(query.check_move, apart=query.check_sent_move),
    "ListLegalMoves": unary(query.list_legal_moves),
    "GetMatch": question(query.get_match),
    "ListMatches": unary(listing.list_matches),
    "GetState": question(query.get_state, apart=query.get_state_with_pictures),
    "ReadRecord": stream(read.read_record),
    "FollowRecord": stream(read.follow_record),
    "FollowArchive": stream(read.follow_archive),
    "ImportRecord": unary(imports.import_record),
    "ExportRecord": unary(read.export_record),
    "AuditMatch": unary(audit.audit_match),
    "AuditArchive": stream(audit.audit_archive),
    "Retract": unary(append.retract),
    "RotateKey": unary(notices.rotate_key),
    "CommitShare": unary(notices.commit_share),
    "RevealShare": unary(notices.reveal_share),
    "OpenDispute": unary(notices.open_dispute),
    "ResolveDispute": unary(notices.resolve_dispute),
    "RequestTakeback": unary(notices.request_takeback),
    "GrantTakeback": unary(notices.grant_takeback),
    "Choose": unary(choices.choose),
    "SealChoice": unary(choices.seal_choice),
    "OpenChoice": unary(choices.open_choice),
    "AnswerFor": unary(choices.answer_for),
    "CloseMatch": unary(choices.close_match),
    "CompareRecords": unary(compare.compare_records),
    "GetCheckpoint": unary(proofs.get_checkpoint),
    "GetInclusionProof": unary(proofs.get_inclusion_proof),
    "GetConsistencyProof": unary(proofs.get_consistency_proof),
}


LARGE_ANSWERS: Final = frozenset(
    {
        "AppendMoves",
        "AuditMatch",
        "CompareRecords",
        "ExportRecord",
        "GetMatch",
        "GetState",
        "ImportRecord",
        "ListLegalMoves",
        "ListMatches",
        "StartMatch",
    }
)
"""Methods with one response, which may be larger than LARGE_ANSWER_BYTES."""


def add_to(server: aio.Server, handler: CallHandler) -> None:
    """Add every method to the server."""
    handlers = {method.name: _grpc_handler(handler, method) for method in DESCRIPTOR.methods}
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(DESCRIPTOR.full_name, handlers),))


def _grpc_handler(handler: CallHandler, method: MethodDescriptor) -> "grpc.RpcMethodHandler[bytes, Message]":
    writes = method.server_streaming
    if method.name in LARGE_ANSWERS:
        handler, writes = AnswerWriter(handler.resources, handler.admission, handler.observers), True
    serve = METHODS[method.name](handler, method.name, binary_decoder(method))
    # gRPC's type stubs know only handlers that are not async. Without a deserializer, gRPC hands over bytes.
    make = cast(
        "Callable[[Serve, None, object], grpc.RpcMethodHandler[bytes, Message]]",
        grpc.stream_stream_rpc_method_handler if writes else grpc.stream_unary_rpc_method_handler,
    )
    return make(serve, None, GetMessageClass(method.output_type).SerializeToString)
