"""The moves of a stream that have no answer yet. Sends nothing."""

from collections import deque
from collections.abc import Iterator
from typing import Final, TypeAlias

from shiji.record.v1 import record_service_pb2 as pb

from tools.client import requests, responses
from tools.client.errors import Refused, error_from_message
from tools.client.requests import AnyMove, WriteOptions
from tools.client.retry import Backoff
from tools.client.signing import After
from tools.client.values import Accepted, Illegal

PlayResult: TypeAlias = Accepted | Illegal | Refused
"""What came of one move of a stream; an error is returned and not raised, since the stream goes on."""


class Backlog:
    """Moves that were sent, from the first without an answer on."""

    def __init__(self, timeout: float) -> None:
        self.backoff: Final = Backoff(timeout)
        self._requests: Final[deque[pb.PlayRequest]] = deque()

    def __iter__(self) -> Iterator[pb.PlayRequest]:
        return iter(self._requests)

    def add(self, match_id: str, move: AnyMove, after: After, options: WriteOptions) -> pb.PlayRequest:
        """The message of one more move."""
        if not self._requests:
            self.backoff.reset()
        append = requests.append(match_id, move, after, options.get("request_id"), options.get("key"))
        request = pb.PlayRequest(append=append)
        self._requests.append(request)
        return request

    def resolve(self, response: pb.PlayResponse) -> PlayResult:
        """What came of the first of them, which is then none of them any more."""
        self.backoff.reset()
        self._requests.popleft()
        if response.WhichOneof("answer") == "appended":
            return responses.accepted(response.appended)
        error = error_from_message(response.refused)
        return error if error.verdict is None else error.verdict

    def require_pending(self) -> None:
        """There must be something to wait for."""
        if not self._requests:
            raise ValueError("every move is answered: send() one first")

    def require_none_pending(self) -> None:
        """There must be no other answer to wait for."""
        if self._requests:
            raise ValueError("moves before this one have no answer yet: receive() them first")
