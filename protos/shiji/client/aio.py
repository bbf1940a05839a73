"""A client for asyncio."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from types import TracebackType
from typing import Final, Self, Unpack

import grpc
from grpc import aio

from shiji.client import calls, choices, notices
from shiji.client.actors import AUDITOR, SPECTATOR, Actor, Seat, Viewer
from shiji.client.calls import Call, Item, Page, Request, Response, Stream, Value
from shiji.client.connection import LOCAL, OPTIONS, Metadata, Tls, call_metadata
from shiji.client.errors import error_from_call, stream_ended
from shiji.client.evidence import Dispute, EncodedMove, Resolution, SealedChoice, TakebackRequest
from shiji.client.keys import SecretKey
from shiji.client.kinds import RecordFormat
from shiji.client.play import Backlog, PlayResult
from shiji.client.requests import AnyMove, MatchFilters, MatchOptions, RetractOptions, Subject, WriteOptions
from shiji.client.retry import Backoff
from shiji.client.signing import After
from shiji.client.values import (
    Accepted,
    AuditReport,
    Comparison,
    Entry,
    Exported,
    Illegal,
    Imported,
    InclusionProof,
    Legal,
    LegalMove,
    Match,
    Progress,
    SignedCheckpoint,
    Started,
    State,
    Summary,
)
from shiji.record.v1 import record_service_pb2 as pb


class AsyncClient:
    """A connection to a server, for any number of tasks; create it inside a running event loop.

    A call that fails for a temporary reason is repeated with the same request id until `timeout` seconds have
    passed, so nothing is stored twice. A stream that breaks off is resumed if the server is back within
    `reconnect_timeout` seconds. Any other failure raises a Refused; a verdict of the rules is returned.
    """

    def __init__(
        self,
        target: str = LOCAL,
        *,
        token: str | None = None,
        tls: Tls | None = None,
        timeout: float = 10.0,
        reconnect_timeout: float = 60.0,
    ) -> None:
        self._metadata: Final = call_metadata(target, token, tls)
        self._timeout: Final = timeout
        self._reconnect_timeout: Final = reconnect_timeout
        self._channel: Final = (
            aio.insecure_channel(target, OPTIONS)
            if tls is None
            else aio.secure_channel(target, tls.credentials(), OPTIONS)
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connection and cancel the calls in progress."""
        await self._channel.close()

    async def start_match(
        self,
        game: str,
        seats: Iterable[str],
        *,
        request_id: str | None = None,
        **options: Unpack[MatchOptions],
    ) -> Started:
        """Start a match."""
        return await self._call(calls.start_match(game, seats, request_id, options))

    async def append(
        self,
        match_id: str,
        move: AnyMove,
        *,
        after: After,
        request_id: str | None = None,
        key: SecretKey | None = None,
    ) -> Accepted | Illegal:
        """Judge a move and, if it is legal, store it as the entry that follows `after`."""
        return await self._call(calls.append(match_id, move, after, request_id, key))

    async def append_many(
        self, match_id: str, moves: Iterable[AnyMove], *, after: After, request_id: str | None = None
    ) -> Accepted | Illegal:
        """Judge consecutive moves, then store all of them or none."""
        return await self._call(calls.append_many(match_id, moves, after, request_id))

    def play(self) -> "AsyncPlay":
        """Open a stream of moves: faster than one call per move when there are many."""
        send: aio.StreamStreamMultiCallable[pb.PlayRequest, pb.PlayResponse] = self._channel.stream_stream(
            calls.path("Play"), pb.PlayRequest.SerializeToString, pb.PlayResponse.FromString
        )
        return AsyncPlay(send, self._metadata, self._timeout)

    async def retract(
        self, match_id: str, *, to: int, after: After, **options: Unpack[RetractOptions]
    ) -> Accepted | Illegal:
        """Return to the state after entry `to`; this appends an entry and deletes none."""
        return await self._call(calls.retract(match_id, to, after, options))

    async def rotate_key(
        self,
        match_id: str,
        actor: Actor,
        *,
        after: Entry,
        keys: tuple[SecretKey, SecretKey],
        request_id: str | None = None,
    ) -> Accepted:
        """Replace the actor's signing key; `keys` holds the old key and the new one."""
        return await self._call(notices.rotate_key(match_id, actor, after, keys, request_id))

    async def commit_share(
        self, match_id: str, seat: Seat, share: bytes, *, after: After, **options: Unpack[WriteOptions]
    ) -> Accepted:
        """Commit to a seat's share of the shuffle; the share itself is not sent."""
        return await self._call(notices.commit_share(match_id, seat, share, after, options))

    async def reveal_share(
        self, match_id: str, seat: Seat, share: bytes, *, after: After, **options: Unpack[WriteOptions]
    ) -> Accepted:
        """Reveal the share once every sharer has committed; the last reveal deals the hands."""
        return await self._call(notices.reveal_share(match_id, seat, share, after, options))

    async def open_dispute(
        self, match_id: str, actor: Actor, dispute: Dispute, *, after: After, **options: Unpack[WriteOptions]
    ) -> Accepted:
        """Dispute an entry; the match header says whether play continues meanwhile."""
        return await self._call(notices.open_dispute(match_id, actor, dispute, after, options))

    async def resolve_dispute(
        self, match_id: str, resolution: Resolution, *, after: After, **options: Unpack[WriteOptions]
    ) -> Accepted:
        """Settle a dispute as the arbiter; any correction is made with retract()."""
        return await self._call(notices.resolve_dispute(match_id, resolution, after, options))

    async def request_takeback(
        self,
        match_id: str,
        seat: Seat,
        request: TakebackRequest,
        *,
        after: After,
        **options: Unpack[WriteOptions],
    ) -> Accepted:
        """Ask the other seats to agree to a takeback; the request is valid until the next move."""
        return await self._call(notices.request_takeback(match_id, seat, request, after, options))

    async def grant_takeback(
        self, match_id: str, seat: Seat, request: int, *, after: After, **options: Unpack[WriteOptions]
    ) -> Accepted:
        """Agree to a takeback, given the sequence of its request; once all agree, its seat can retract()."""
        return await self._call(notices.grant_takeback(match_id, seat, request, after, options))

    async def choose(
        self, match_id: str, choice: SealedChoice, *, after: After, **options: Unpack[WriteOptions]
    ) -> Accepted | Illegal:
        """Make a sealed choice that the server knows; seal() makes it. Without a key, append() is enough."""
        return await self._call(choices.choose(match_id, choice, after, options))

    async def seal_choice(
        self, match_id: str, choice: SealedChoice, *, after: After, **options: Unpack[WriteOptions]
    ) -> Accepted:
        """Make a sealed choice that the server does not learn; seal() makes it. Keep it for open_choice()."""
        return await self._call(choices.seal_choice(match_id, choice, after, options))

    async def open_choice(
        self, match_id: str, choice: SealedChoice, *, after: After, **options: Unpack[WriteOptions]
    ) -> Accepted | Illegal:
        """Open a choice of seal_choice(), once all seats have chosen; others see it once all are opened."""
        return await self._call(choices.open_choice(match_id, choice, after, options))

    async def answer_for(
        self, match_id: str, move: EncodedMove, *, after: After, **options: Unpack[WriteOptions]
    ) -> Accepted | Illegal:
        """Answer in public, as the arbiter, for a seat that does not choose or open."""
        return await self._call(choices.answer_for(match_id, move, after, options))

    async def close_match(
        self, match_id: str, reason: str = "", *, after: After, **options: Unpack[WriteOptions]
    ) -> Accepted:
        """End a match without a result, as the arbiter."""
        return await self._call(choices.close_match(match_id, reason, after, options))

    async def compare_records(self, one: str | bytes, other: str | bytes) -> Comparison:
        """Find where two records of one match diverge; each is the id of a stored match or a record file."""
        return await self._call(notices.compare_records(one, other))

    async def check(self, subject: Subject, move: AnyMove) -> Legal | Illegal:
        """Judge a move without storing it."""
        return await self._call(calls.check(subject, move))

    def legal_moves(self, subject: Subject, actor: Actor | None = None) -> AsyncIterator[LegalMove]:
        """List the legal moves of an actor, by default the first one awaited, in the game's order."""
        return self._paged(lambda token: calls.legal_moves(subject, actor, token))

    async def match(self, match_id: str) -> Match:
        """Get a match and its current state."""
        return await self._call(calls.match(match_id))

    def matches(self, **filters: Unpack[MatchFilters]) -> AsyncIterator[Match]:
        """List matches in the order in which they started."""
        return self._paged(lambda token: calls.matches(filters, token))

    async def state(
        self,
        match_id: str,
        sequence: int | None = None,
        *,
        viewer: Viewer = SPECTATOR,
        drawing: bool = False,
        svg: bool = False,
    ) -> State:
        """Get the state after an entry, by default the last one."""
        return await self._call(calls.state(match_id, sequence, viewer, drawing=drawing, svg=svg))

    def read(
        self, match_id: str, *, from_sequence: int = 0, viewer: Viewer = SPECTATOR
    ) -> AsyncIterator[Entry]:
        """Read the entries stored so far."""
        return self._stream(calls.read(match_id, from_sequence, viewer))

    def follow(
        self, match_id: str, *, from_sequence: int = 0, viewer: Viewer = SPECTATOR
    ) -> AsyncIterator[Entry]:
        """Read the entries of a match, then each new one as it is stored; none is missed or repeated."""
        return self._stream(calls.follow(match_id, from_sequence, viewer))

    def follow_archive(self, *, after_number: int = 0, viewer: Viewer = SPECTATOR) -> AsyncIterator[Entry]:
        """Read the entries of all matches in one order, then each new one; none is missed or repeated.

        `after_number` is the log_number of the last entry that you have.
        """
        return self._stream(calls.follow_archive(after_number, viewer))

    async def import_record(self, content: bytes, *, as_shown: bool = False) -> Imported | AuditReport:
        """Verify a transcript or record file and store it; a report is returned if it does not verify.

        A record file that leaves concealed parts out is taken only as shown, as a copy that is only read.
        """
        return await self._call(calls.import_record(content, as_shown=as_shown))

    async def export_record(
        self, match_id: str, form: RecordFormat = RecordFormat.TRANSCRIPT, *, viewer: Viewer = AUDITOR
    ) -> Exported:
        """Export a record as the content of a file, with what the viewer may have of it.

        It comes in pages, so that a record of any size can be exported.
        """
        page = await self._call(calls.export_page(match_id, form, viewer, ""))
        parts = [page.content]
        while page.next_page_token:
            page = await self._call(calls.export_page(match_id, form, viewer, page.next_page_token))
            parts.append(page.content)
        return Exported(b"".join(parts), page.file_name)

    async def audit_match(self, match_id: str) -> AuditReport:
        """Audit a stored record."""
        return await self._call(calls.audit_match(match_id))

    def audit_archive(
        self, *, since_number: int = 0, with_verified: bool = False
    ) -> AsyncIterator[Progress | AuditReport | Summary]:
        """Audit every record: yields progress and reports, then the summary."""
        return self._stream(calls.audit_archive(since_number, with_verified=with_verified))

    async def checkpoint(self, size: int | None = None) -> SignedCheckpoint:
        """Get the checkpoint of the log at a size, by default the current one."""
        return await self._call(calls.checkpoint(size))

    async def inclusion_proof(self, match_id: str, sequence: int, size: int | None = None) -> InclusionProof:
        """Get the proof that an entry is in the log of a size, by default the current one."""
        return await self._call(calls.inclusion_proof(match_id, sequence, size))

    async def consistency_proof(self, old: int, new: int | None = None) -> tuple[bytes, ...]:
        """Get the proof that the log of the new size, by default the current one, extends the old log."""
        return await self._call(calls.consistency_proof(old, new))

    async def _call(self, call: Call[Request, Response, Value]) -> Value:
        send = self._channel.unary_unary(
            calls.path(call.method), type(call.request).SerializeToString, call.parse
        )
        backoff = Backoff(self._timeout)
        while True:
            try:
                response = await send(call.request, timeout=backoff.remaining, metadata=self._metadata)
            except grpc.RpcError as fault:
                error = error_from_call(fault, call.request_id)
            else:
                return call.convert(response)
            verdict = call.verdict(error)
            if verdict is not None:
                return verdict
            await asyncio.sleep(backoff.delay(error))

    async def _paged(self, page: Callable[[str], Call[Request, Response, Page[Item]]]) -> AsyncIterator[Item]:
        token = ""
        while True:
            found = await self._call(page(token))
            for item in found.items:
                yield item
            token = found.next_token
            if not token:
                return

    async def _stream(self, stream: Stream[Request, Response, Value]) -> AsyncIterator[Value]:
        send = self._channel.unary_stream(
            calls.path(stream.method), type(stream.request).SerializeToString, stream.parse
        )
        backoff = Backoff(self._timeout, self._reconnect_timeout)
        while True:
            rpc = send(stream.request, metadata=self._metadata)
            try:
                await rpc.initial_metadata()
                backoff.connected()
                async for response in rpc:
                    backoff.reset()
                    yield stream.take(response)
            except grpc.RpcError as fault:
                error = error_from_call(fault)
            else:
                return
            finally:
                rpc.cancel()
            if not stream.resumable:
                raise error
            await asyncio.sleep(backoff.delay(error))


class AsyncPlay:
    """A stream of moves in any matches, answered in order; for one task.

    A stream that breaks off is reopened, and the moves without an answer are sent again.
    """

    def __init__(
        self,
        send: "aio.StreamStreamMultiCallable[pb.PlayRequest, pb.PlayResponse]",
        metadata: Metadata,
        timeout: float,
    ) -> None:
        self._send: Final = send
        self._metadata: Final = metadata
        self._backlog: Final = Backlog(timeout)
        self._connect()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the stream; moves without an answer may or may not be stored."""
        self._outgoing.put_nowait(None)
        self._rpc.cancel()

    async def append(
        self, match_id: str, move: AnyMove, *, after: After, **options: Unpack[WriteOptions]
    ) -> PlayResult:
        """Send a move and wait for its answer; every earlier move must have been answered."""
        self._backlog.require_none_pending()
        self.send(match_id, move, after=after, **options)
        return await self.receive()

    def send(self, match_id: str, move: AnyMove, *, after: After, **options: Unpack[WriteOptions]) -> None:
        """Send a move without waiting for its answer."""
        self._outgoing.put_nowait(self._backlog.add(match_id, move, after, options))

    async def receive(self) -> PlayResult:
        """Wait for the answer to the first unanswered move."""
        self._backlog.require_pending()
        while True:
            try:
                response = await anext(self._responses, None)
            except grpc.RpcError as fault:
                error = error_from_call(fault, self._backlog.request_id)
            else:
                if response is not None:
                    return self._backlog.resolve(response)
                error = stream_ended(self._backlog.request_id)
            self.close()
            await asyncio.sleep(self._backlog.backoff.delay(error))
            self._connect()

    def _connect(self) -> None:
        self._outgoing: asyncio.Queue[pb.PlayRequest | None] = asyncio.Queue()
        for request in self._backlog:
            self._outgoing.put_nowait(request)
        self._rpc = self._send(_drain(self._outgoing), metadata=self._metadata)
        self._responses = aiter(self._rpc)


async def _drain(outgoing: "asyncio.Queue[pb.PlayRequest | None]") -> AsyncIterator[pb.PlayRequest]:
    while (request := await outgoing.get()) is not None:
        yield request
