"""Two services whose ids and times depend only on the calls so far, so that their answers can be compared."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Self, TypeAlias
from unittest.mock import patch

import grpc
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from records.entry import MatchId
from records.evidence import sealing
from records.evidence.concealment import SALT_SIZE
from records.evidence.ed25519 import SecretKey
from records.evidence.note import SignatureType, SignerKey
from records.evidence.sealing import Pledge, commit_secret
from records.games import registry
from records.games.plugins import bind_plugin
from records.games.state import GameState
from records.ledger.ledger import Ledger
from records.log.contract import Log
from records.log.owners import Owners
from records.log.postgres.log import PostgresLog
from records.log.sqlite import SqliteLog
from rules.kernel.actors import Seat
from service.access import Access
from service.authentication import Authenticator
from service.authorization import Caller, Role
from service.call import Context
from service.rpc import DESCRIPTOR
from tests.postgres import NumberedLog, shared_cluster
from tests.rules.kit.goofspiel import GOOFSPIEL
from tests.service.direct import DirectService, serving_directly
from tests.service.running import TIMEOUT_SECONDS, InProcessService, Options, serving_in_process
from tools.page.server_page import page_of

GAMES = registry.GAMES.and_also(bind_plugin(GOOFSPIEL))
"""Every game that this build knows, and one in which seats choose in secret."""

STARTED_MICROSECONDS = 1_700_000_000_000_000
"""Just before the first match of each pair begins, since 1970."""

KEEPER = "recorder club"
"""The caller that plays the matches, in metadata; it knows all hands."""


class ByMetadata(Authenticator):
    """Believes the caller: `recorder club`, or `seat MATCH 0`."""

    def authenticate(self, context: Context) -> Caller:
        text = next(value for key, value in context.invocation_metadata() or () if key == "caller")
        role, name, *seat = str(text).split()
        if seat:
            return Caller(str(text), Role(role), MatchId(name), Seat(int(seat[0])))
        return Caller(name, Role(role), owner=name)

    def require_valid(self, caller: Caller) -> None:
        """Always valid."""

    def reload(self) -> None:
        """There is nothing to reload."""


@dataclass
class World:
    """A service in which every match that the keeper plays hides something else than in the other world."""

    running: InProcessService | DirectService
    ledger: Ledger
    secrets: dict[MatchId, bytes]
    """By match, what it deals by; in all others it is the same in both worlds."""
    tokens: dict[MatchId, str]
    """By match, what the tokens of its seats are made from; in all others it is the same in both worlds."""
    ids: "_Ids"
    name: str
    shuffles: "Shuffles"
    """Those of both worlds."""
    alike: bool = True
    """Whether all earlier matches look the same in the other world."""

    def begin(self, series: str, *, hides_tokens: bool) -> MatchId:
        """Number matches from 1 in a new series, so that a pair does not depend on those before it.

        Returns the id of the first, which is the keeper's.
        """
        self.ids.begin(series)
        first = self.ids.at(1)
        if hides_tokens:
            self.tokens[first] = self.name
        return first

    def over_http(self) -> Self:
        """The same world, called as JSON over HTTP, its matches followed by server-sent events."""
        return replace(self, running=self.running.over_http())

    def fetch(self, caller: str, asked: "Address") -> tuple[int, bytes]:
        """The status and the content of a response over HTTP."""
        headers = {"caller": caller, **({"content-type": "application/json"} if asked.body else {})}
        return self.running.http.exchange(asked.verb, asked.path, asked.body, headers)

    def call(self, method: str, caller: str, request: Message, most: int | None = None) -> list[Message]:
        """All responses, or of a stream that does not end by itself the first ones; raises RpcError."""
        described = DESCRIPTOR.methods_by_name[method]
        path, metadata = f"/{DESCRIPTOR.full_name}/{method}", (("caller", caller),)
        read = GetMessageClass(described.output_type).FromString
        write = GetMessageClass(described.input_type).SerializeToString
        channel = self.running.channel
        if described.client_streaming:
            exchange = channel.stream_stream(path, write, read)
            return list(exchange(iter([request]), metadata=metadata, timeout=TIMEOUT_SECONDS))
        if described.server_streaming:
            stream = channel.unary_stream(path, write, read)
            call = stream(request, metadata=metadata, timeout=TIMEOUT_SECONDS)
            found = list(islice(call, most))
            call.cancel()
            return found
        return [channel.unary_unary(path, write, read)(request, metadata=metadata, timeout=TIMEOUT_SECONDS)]

    def open_stream(self, method: str, caller: str, request: Message) -> "Stream":
        """A stream that is read while the match goes on; it has begun when this returns."""
        described = DESCRIPTOR.methods_by_name[method]
        read = GetMessageClass(described.output_type).FromString
        write = GetMessageClass(described.input_type).SerializeToString
        open_call = self.running.channel.unary_stream(f"/{DESCRIPTOR.full_name}/{method}", write, read)
        call = open_call(request, metadata=(("caller", caller),), timeout=TIMEOUT_SECONDS)
        with suppress(grpc.RpcError):
            call.initial_metadata()
        return Stream(call, call.cancel)

    def state(self, match: MatchId) -> GameState:
        return self.ledger.current(match).state


@dataclass(frozen=True)
class Address:
    """A request to an address of the HTTP port."""

    path: str
    verb: str = "GET"
    body: bytes | None = None


@dataclass(frozen=True)
class Stream:
    """A stream of responses that goes on until it is closed or refused."""

    messages: Iterator[Message]
    cancel: Callable[[], object]

    def take(self, most: int) -> list[Message] | str:
        """The next responses, or everything that the refusal says."""
        try:
            return list(islice(self.messages, most))
        except grpc.RpcError as fault:
            return refused_with(fault)

    def close(self) -> None:
        self.cancel()


Serving = Callable[
    [Ledger, Callable[[], Log], Options], AbstractContextManager[InProcessService | DirectService]
]

Swaps = tuple[tuple[int, int], ...]
"""Places of a shuffled order that change their tokens."""


class Shuffles:
    """Shuffles of which one is like another but for a few places, so that worlds differ in those alone."""

    def __init__(self) -> None:
        self._shuffle, self._deck_key = sealing.shuffle, sealing.deck_key
        self._like: dict[bytes, tuple[bytes, Swaps]] = {}

    def make_like(self, match: MatchId, one: bytes, other: bytes, swaps: Swaps) -> None:
        """Shuffle by the other secret as by the first, but for these places."""
        seeds = [sealing.mix(Pledge(match, commit_secret(match, each)), each, {}) for each in (one, other)]
        self._like[seeds[1]] = seeds[0], swaps

    def shuffle(self, seed: bytes, number: int, tokens: tuple[str, ...]) -> tuple[str, ...]:
        like, swaps = self._like.get(seed, (seed, ()))
        order = list(self._shuffle(like, number, tokens))
        for one, other in swaps:
            if max(one, other) < len(order):
                order[one], order[other] = order[other], order[one]
        return tuple(order)

    def deck_key(self, seed: bytes, match: MatchId, deck: str) -> bytes:
        key = self._deck_key(seed, match, deck)
        if seed in self._like:
            like, swaps = self._like[seed]
            self._like[key] = self._deck_key(like, match, deck), swaps
        return key


@dataclass
class _Ids:
    """Ids of matches in series, each of which begins at the same time."""

    series: str = ""
    number: int = 0
    time: int = 0

    def begin(self, series: str) -> None:
        self.series, self.number, self.time = series, 0, STARTED_MICROSECONDS

    def now(self) -> int:
        self.time += 1
        return self.time

    def at(self, number: int) -> MatchId:
        return MatchId(f"{self.series}-{number}")

    def next(self) -> MatchId:
        self.number += 1
        return self.at(self.number)


Engine: TypeAlias = Callable[[Path], tuple[Callable[[], Log], Callable[[], Log]]]
"""For the path of a world: what opens its log, and what opens it for reading."""


def in_file(path: Path) -> tuple[Callable[[], Log], Callable[[], Log]]:
    return partial(SqliteLog.open, path), partial(SqliteLog.open, path, read_only=True)


def in_database(_: Path) -> tuple[Callable[[], Log], Callable[[], Log]]:
    target = shared_cluster().target()
    return partial(NumberedLog.open, target), partial(PostgresLog.open, target, read_only=True)


@contextmanager
def two_worlds(
    folder: Path, engine: Engine = in_file, *, directly: bool = False
) -> Iterator[tuple[World, World]]:
    """Two worlds; if they are called directly, they have no ports, and answer in the thread of the caller."""
    serving = serving_directly if directly else serving_in_process
    with ExitStack() as stack:
        shuffles = Shuffles()
        stack.enter_context(patch.object(registry, "GAMES", GAMES))
        stack.enter_context(patch.object(sealing, "shuffle", shuffles.shuffle))
        stack.enter_context(patch.object(sealing, "deck_key", shuffles.deck_key))
        one, other = (
            stack.enter_context(_world(serving, folder / f"{name}.db", engine, name, shuffles))
            for name in ("one", "other")
        )
        yield one, other


@contextmanager
def _world(serving: Serving, path: Path, engine: Engine, name: str, shuffles: Shuffles) -> Iterator[World]:
    open_log, open_reader = engine(path)
    ids = _Ids()
    secrets, tokens = dict[MatchId, bytes](), dict[MatchId, str]()
    key = SignerKey("example.com/shiji", SignatureType.ED25519, SecretKey(bytes(range(32))))
    with open_log() as log:
        ledger = Ledger(
            log,
            clock=ids.now,
            new_id=ids.next,
            secrets=lambda match: secrets.get(match, bytes(32)),
            salts=partial(bytes, SALT_SIZE),
        )
        options = Options(
            authenticator=ByMetadata(),
            access=Access(Owners(path.with_suffix(".owners"), ())),
            log_key=key,
            seat_token=lambda match, seat: f"{match}/{seat}/{tokens.get(match, '')}",
            page_of=page_of,
        )
        with serving(ledger, open_reader, options) as running:
            yield World(running, ledger, secrets, tokens, ids, name, shuffles)


def answer(world: World, method: str, caller: str, request: Message, most: int | None) -> list[Message] | str:
    """The responses, or everything that a refusal says."""
    try:
        return world.call(method, caller, request, most)
    except grpc.RpcError as fault:
        return refused_with(fault)


def refused_with(fault: object) -> str:
    """Everything that a refusal says."""
    assert isinstance(fault, grpc.Call)
    return repr((fault.code(), fault.details(), fault.trailing_metadata()))
