"""The moves of a stream that have no answer yet. Sends nothing."""

from collections import deque
from collections.abc import Iterator
from typing import Final, TypeAlias

from shiji.record.v1 import record_service_pb2 as pb

from tools.client import requests, responses
from tools.client.errors import Refused, refusal_in_stream
from tools.client.requests import AnyMove, Signed
from tools.client.retry import Patience
from tools.client.signing import After
from tools.client.values import Accepted, Illegal

Answer: TypeAlias = Accepted | Illegal | Refused
"""What came of one move of a stream; a refusal is given and not raised, since the stream goes on."""


class Backlog:
    """Moves that were sent, from the first without an answer on."""

    def __init__(self, timeout: float) -> None:
        self.patience: Final = Patience(timeout)
        self._requests: Final[deque[pb.PlayRequest]] = deque()

    def __iter__(self) -> Iterator[pb.PlayRequest]:
        return iter(self._requests)

    def asked(self, match_id: str, move: AnyMove, after: After, about: Signed) -> pb.PlayRequest:
        """The message of one more move."""
        if not self._requests:
            self.patience.progressed()
        append = requests.append(match_id, move, after, about.get("request_id"), about.get("key"))
        request = pb.PlayRequest(append=append)
        self._requests.append(request)
        return request

    def answered(self, response: pb.PlayResponse) -> Answer:
        """What came of the first of them, which is then none of them any more."""
        self.patience.progressed()
        self._requests.popleft()
        if response.WhichOneof("answer") == "appended":
            return responses.accepted(response.appended)
        refusal = refusal_in_stream(response.refused)
        return refusal if refusal.verdict is None else refusal.verdict

    def refuse_to_wait(self) -> None:
        """There must be something to wait for."""
        if not self._requests:
            raise ValueError("every move is answered: send() one first")

    def refuse_to_skip(self) -> None:
        """There must be no other answer to wait for."""
        if self._requests:
            raise ValueError("moves before this one have no answer yet: receive() them first")
