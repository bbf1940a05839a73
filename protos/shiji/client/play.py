"""Keeps the moves of a stream that have no answer yet; no I/O."""

from collections import deque
from collections.abc import Iterator
from typing import Final, TypeAlias

from shiji.client import requests, responses
from shiji.client.errors import Refused, error_from_message
from shiji.client.requests import AnyMove, WriteOptions
from shiji.client.retry import Backoff
from shiji.client.signing import After
from shiji.client.values import Accepted, Illegal
from shiji.record.v1 import record_service_pb2 as pb

PlayResult: TypeAlias = Accepted | Illegal | Refused
"""The result of one move in a stream; errors are returned, not raised, because the stream continues."""


class Backlog:
    """The unanswered moves of a stream, in the order in which they were sent."""

    def __init__(self, timeout: float) -> None:
        self.backoff: Final = Backoff(timeout)
        self._requests: Final[deque[pb.PlayRequest]] = deque()

    def __iter__(self) -> Iterator[pb.PlayRequest]:
        return iter(self._requests)

    @property
    def request_id(self) -> str:
        """Of the first move without an answer; empty if there is none."""
        return self._requests[0].append.request_id if self._requests else ""

    def add(self, match_id: str, move: AnyMove, after: After, options: WriteOptions) -> pb.PlayRequest:
        """Add a move and return its message."""
        if not self._requests:
            self.backoff.reset()
        append = requests.append(match_id, move, after, options.get("request_id"), options.get("key"))
        request = pb.PlayRequest(append=append)
        self._requests.append(request)
        return request

    def resolve(self, response: pb.PlayResponse) -> PlayResult:
        """Remove the first move and return its result."""
        self.backoff.reset()
        request_id = self._requests.popleft().append.request_id
        if response.WhichOneof("answer") == "appended":
            return responses.accepted(response.appended)
        error = error_from_message(response.refused, request_id)
        return error if error.verdict is None else error.verdict

    def require_pending(self) -> None:
        """Raise ValueError if no move waits for an answer."""
        if not self._requests:
            raise ValueError("every move has been answered: call send() first")

    def require_none_pending(self) -> None:
        """Raise ValueError if a move waits for an answer."""
        if self._requests:
            raise ValueError("earlier moves have no answer yet: call receive() for each of them first")
