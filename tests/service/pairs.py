"""Pairs of services whose matches differ only in what a viewer may not see."""

import random
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import count, islice, pairwise
from pathlib import Path

import grpc
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from shiji.record.v1 import entry_pb2 as entries
from shiji.record.v1 import header_pb2 as headers
from shiji.record.v1 import record_service_pb2 as pb

from records.entry import MOVE, MatchId
from records.evidence.ed25519 import SecretKey
from records.evidence.note import SignatureType, SignerKey
from records.games.candidate import Candidate
from records.games.state import Applied, GameState
from records.ledger.ledger import Ledger
from records.log.memory import MemoryLog
from records.log.sqlite import SqliteLog
from records.log.tree import Tree
from records.replay.disclosure import in_full
from rules.kernel.actors import CHANCE, SPECTATOR, Actor, Seat, Viewer
from service.access import Access
from service.authentication import Authenticator
from service.authorization import Caller, Role
from service.call import Context
from service.messages import actor_message
from service.owners import Owners
from service.requests import header_of
from service.resources import SignedLog
from service.rpc import DESCRIPTOR
from tests.service.running import TIMEOUT_SECONDS, InProcessService, serving_in_process

NAMES = ("green", "violet", "white")
KEEPER = "recorder club"
"""The caller that plays the matches, in metadata; it knows all hands, so its answers are not compared."""

_CONSIDERED_MOVES = 400
"""Legal moves that a step chooses from."""
_SECRETS_TRIED = 60
"""Secrets that are tried until a seat is dealt the same hand in both worlds."""


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
    """A service whose ids and times depend only on the calls so far."""

    running: InProcessService
    ledger: Ledger
    secrets: dict[MatchId, bytes]
    """By match, what it deals by; in all others it is the same in both worlds."""
    begun: list[int]
    """The number of the last match that it has begun."""

    @property
    def next_match(self) -> MatchId:
        return _match_id(self.begun[0] + 1)

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

    def state(self, match: MatchId) -> GameState:
        return self.ledger.current(match).state


@contextmanager
def two_worlds(folder: Path) -> Iterator[tuple[World, World]]:
    with ExitStack() as stack:
        yield stack.enter_context(_world(folder / "one.db")), stack.enter_context(_world(folder / "two.db"))


@contextmanager
def _world(path: Path) -> Iterator[World]:
    times, begun, secrets = count(1_700_000_000_000_000), [0], dict[MatchId, bytes]()

    def new_id() -> MatchId:
        begun[0] += 1
        return _match_id(begun[0])

    key = SignerKey("example.com/shiji", SignatureType.ED25519, SecretKey(bytes(range(32))))
    with SqliteLog.open(path) as log:
        ledger = Ledger(
            log,
            clock=lambda: next(times),
            new_id=new_id,
            secrets=lambda match: secrets.get(match, bytes(32)),
        )
        with serving_in_process(
            ledger,
            lambda: SqliteLog.open(path, read_only=True),
            authenticator=ByMetadata(),
            access=Access(Owners(path.with_suffix(".owners"), ())),
            signed=SignedLog(Tree(log), key),
        ) as running:
            yield World(running, ledger, secrets, begun)


def _match_id(number: int) -> MatchId:
    return MatchId(f"match-{number:06}")


@dataclass(frozen=True)
class Pair:
    """One match in both worlds, up to a point at which the viewer cannot tell them apart."""

    worlds: tuple[World, World]
    start: pb.StartMatchRequest
    match: MatchId
    number: int
    """The number of matches before it."""
    position: int
    """The last position of the archive before it."""
    last: int
    viewer: Viewer
    drawn: tuple[Candidate, ...]
    """The draws of the first world: guesses of what is hidden."""

    @property
    def state(self) -> GameState:
        """The state in the first world."""
        return self.worlds[0].state(self.match)

    @property
    def differ(self) -> bool:
        """Whether there is anything to find."""
        one, other = (world.state(self.match) for world in self.worlds)
        return one != other

    @property
    def callers(self) -> tuple[str, ...]:
        """Those that see what the viewer sees."""
        if isinstance(self.viewer, int):
            return (f"seat {self.match} {self.viewer}",)
        return ("recorder rival", "auditor audit", "admin ops")


def played(
    worlds: tuple[World, World], seed: int, game: str, chance: pb.Chance.ValueType, request_id: str
) -> Pair | None:
    """A match in which the worlds make the same public moves, and draw differently where it is hidden.

    None where the service has drawn something public that differs.
    """
    dice = random.Random(seed)  # noqa: S311 - the same pair each time
    seats = NAMES[: 2 if chance == pb.CHANCE_SERVICE else dice.choice((2, 3))]
    viewer: Viewer = dice.choice((SPECTATOR, *map(Seat, range(len(seats)))))
    start = pb.StartMatchRequest(
        request_id=request_id,
        game=game,
        seats=seats,
        chance=chance,
        retract=dice.choice(headers.RetractPolicy.values()),
    )
    number, position = (sum(1 for _ in worlds[0].ledger.log.matches()), worlds[0].ledger.log.last_position())
    if chance == pb.CHANCE_SERVICE:
        viewer = _choose_secrets(worlds, dice, start, viewer)
    match = MatchId("")
    for world in worlds:
        (begun,) = world.call("StartMatch", KEEPER, start)
        assert isinstance(begun, pb.StartMatchResponse)
        match = MatchId(begun.match.match_id)
    drawn: list[Candidate] = []
    for _ in range(dice.randrange(1, 14)):
        one, other = (world.state(match) for world in worlds)
        step = _step(dice, one, other, viewer)
        if step is None:
            break
        if step[0].actor is CHANCE:
            drawn.append(step[0])
        for world, move in zip(worlds, step, strict=True):
            last = world.ledger.current(match).sequence
            world.call("AppendMove", KEEPER, append_request(match, last, f"move {last}", move))
        if not _alike(worlds, match, viewer):
            viewer = SPECTATOR  # the service dealt the seat something else in each world
            if not _alike(worlds, match, viewer):
                return None
    last = worlds[0].ledger.current(match).sequence
    return Pair(worlds, start, match, number, position, last, viewer, tuple(drawn))


def append_request(match: str, expected: int, request: str, move: Candidate) -> pb.AppendMoveRequest:
    return pb.AppendMoveRequest(
        match_id=match, expected_sequence=expected, request_id=request, move=encoded(move.actor, move.data)
    )


def encoded(actor: Actor, data: bytes) -> entries.Move:
    return entries.Move(encoded=entries.EncodedMove(actor=actor_message(actor), data=data))


def _step(
    dice: random.Random, one: GameState, other: GameState, viewer: Viewer
) -> tuple[Candidate, Candidate] | None:
    """A move in each world that leaves the viewer unable to tell them apart; None if none is found."""
    actor = next(iter(one.awaiting()), None)
    if actor is None:
        return None
    here, there = (list(islice(state.legal_moves(actor), _CONSIDERED_MOVES)) for state in (one, other))
    if actor is not CHANCE:
        common = {move.data for move in there}
        here = [move for move in here if move.data in common]
    if not here:
        return None
    first = dice.choice(here)
    seen = one.seen_move(first, viewer).data
    like = [move for move in there if other.seen_move(move, viewer).data == seen]
    if actor is not CHANCE:
        like = [move for move in like if move.data == first.data]
    if not like:
        return None
    second = dice.choice(like)
    after = [state.judge(move) for state, move in ((one, first), (other, second))]
    states = [verdict.after for verdict in after if isinstance(verdict, Applied)]
    assert len(states) == 2
    alike = states[0].view(viewer) == states[1].view(viewer)
    return (first, second) if alike and states[0].outcome() is None else None


def _choose_secrets(
    worlds: tuple[World, World], dice: random.Random, start: pb.StartMatchRequest, viewer: Viewer
) -> Viewer:
    """Choose what the worlds deal by; a seat whose hands are never alike is replaced by a spectator."""
    match, one = worlds[0].next_match, dice.randbytes(32)
    for each in dict.fromkeys((viewer, SPECTATOR)):
        mine = _dealt(start, match, one, each)
        for _ in range(_SECRETS_TRIED):
            other = dice.randbytes(32)
            if _dealt(start, match, other, each) == mine:
                worlds[0].secrets[match], worlds[1].secrets[match] = one, other
                return each
    return SPECTATOR


def _dealt(start: pb.StartMatchRequest, match: MatchId, secret: bytes, viewer: Viewer) -> list[bytes]:
    """What the viewer sees of what is drawn at the start."""
    ledger = Ledger(MemoryLog(), new_id=lambda: match, secrets=lambda _: secret)
    seen = []
    for before, after in pairwise(ledger.start_dealt(header_of(start), "start")):
        if after.entry.kind == MOVE:
            draw = before.state.parse_bytes(CHANCE, in_full(after.entry)[0])
            seen.append(before.state.seen_move(draw, viewer).data)
    return seen


def _alike(worlds: tuple[World, World], match: MatchId, viewer: Viewer) -> bool:
    one, other = (_seen(world, match, viewer) for world in worlds)
    return one == other


def _seen(world: World, match: MatchId, viewer: Viewer) -> list[str]:
    """The moves so far, as the viewer sees them."""
    looks = entries.Viewer(seat=viewer) if isinstance(viewer, int) else entries.Viewer()
    answers = world.call("ReadRecord", KEEPER, pb.ReadRecordRequest(match_id=match, viewer=looks))
    shown = [each.entry for each in answers if isinstance(each, pb.ReadRecordResponse)]
    return [entry.text for entry in shown if entry.kind == entries.ENTRY_KIND_MOVE]


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
