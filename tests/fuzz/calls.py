"""Requests for every method in the descriptor: valid ones from the matches under way, and changed ones."""

import random
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from itertools import islice
from typing import Final

from google.protobuf.descriptor import FieldDescriptor, MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from shiji.record.v1 import entry_pb2 as entries
from shiji.record.v1 import record_service_pb2 as pb

from records.evidence.sealing import commit_share
from rules.kernel.actors import Office, Seat
from service.messages import actor_message
from service.rpc import DESCRIPTOR
from tests.fuzz.damage import NUMBERS
from tests.fuzz.openings import MAX_MESSAGE_BYTES
from tests.fuzz.signing import SALT, choice_digest, signature
from tests.fuzz.tables import Table, start_request
from tests.fuzz.wire import changed, torn
from tests.fuzz.world import World

METHODS: Final[tuple[MethodDescriptor, ...]] = tuple(DESCRIPTOR.methods)

_WEIGHTS: Final = {"AppendMove": 4.0, "Play": 2.0, "StartMatch": 0.5, "CloseMatch": 0.3, "AuditArchive": 0.05}
"""How often a method is called, where that is not 1: matches should go on, and an audit of all takes long."""

TEXTS: Final = (
    "",
    " ",
    "\x00",
    "\x1b[2J",
    "\n",
    "\u202e",
    "史記",
    "e\u0301",
    "\U0010ffff",
    "?",
    "../..",
    "-1",
    "9" * 30,
    "a" * 101,
    "x" * 5000,
    "green",
    "green pass",
    "draw ?",
)
"""Texts at limits, or that mean something elsewhere."""


class Way(Enum):
    """How a request gets to its method."""

    DIRECT = auto()
    GRPC = auto()
    HTTP = auto()


_WAYS: Final = {Way.DIRECT: 0.8, Way.GRPC: 0.1, Way.HTTP: 0.1}
"""How often a request goes each way; all lead to the same methods."""

_FROM_BYTES: Final = 0.5
"""The share of the requests that is made from the bytes of others, which takes no time."""

_KEPT: Final = 300
"""Requests from which others are made: those whose answers are rare."""

_MAX_KEPT_BYTES: Final = 65_536
"""Maximum size of these: otherwise changes that repeat a field fifty times make them grow without end."""

_RARE: Final = 12
"""How often a method may have had an answer that is still rare."""

_LONG_ENTRIES: Final = 400
"""Records of more entries take long to read, so that few requests are about them."""

_OF_LONG: Final = 0.1
"""How often a request that was about to be about such a record is."""

_SIZES: Final = (0, 1, 16, 31, 32, 33, 64, 65, 5000)
_REPEATS: Final = (2, 3, 40, 3000)
_SHARE: Final = b"s" * 32
_TYPES: Final = {FieldDescriptor.TYPE_STRING: str, FieldDescriptor.TYPE_BYTES: bytes}
"""Python's types of texts and bytes; all other fields here are numbers."""


@dataclass(frozen=True)
class Sent:
    """A request as it goes over the wire."""

    method: MethodDescriptor
    data: bytes
    caller: str
    token: str
    way: Way = Way.GRPC

    def __str__(self) -> str:
        return f"{self.method.name} by {self.caller!r}, {self.way.name}: {self.data!r}"


class Requests:
    """Makes requests about the matches of a world."""

    def __init__(self, world: World, content: Callable[[random.Random], bytes]) -> None:
        self._world: Final = world
        self.dice: Final = world.dice
        self._content: Final = content
        self._weights: Final = [_WEIGHTS.get(method.name, 1.0) for method in METHODS]
        self._kept: Final = deque[Sent](maxlen=_KEPT)

    def next(self) -> Sent:
        """The next request: one in ten is valid as far as is known."""
        if self._kept and self.dice.random() < _FROM_BYTES:
            return self._again(self.dice.choice(self._kept))
        return self._made()

    def learn(self, sent: Sent, times: int) -> None:
        """Make others from a request whose answer its method has had this many times."""
        if times <= _RARE and len(sent.data) <= _MAX_KEPT_BYTES:
            self._kept.append(sent)

    def _made(self) -> Sent:
        dice = self.dice
        method = dice.choices(METHODS, self._weights)[0]
        table = self._table()
        if dice.random() < 0.3:
            self._world.refresh(table)
        message, caller, token = self._valid(method, table)
        changes = dice.choices((0, 1, 2, 5), (25, 50, 15, 10))[0]
        for _ in range(changes):
            self._change(message, table)
        if changes and dice.random() < 0.15:
            caller, token = self._other_caller()
        data = message.SerializeToString()
        if changes and dice.random() < 0.12:
            data = torn(data, dice)
        return Sent(method, data, caller, token, self._way(method, data))

    def _again(self, sent: Sent) -> Sent:
        """The bytes of a request changed, or sent to another method or by another caller."""
        dice = self.dice
        method, data, caller, token = sent.method, sent.data, sent.caller, sent.token
        for _ in range(dice.choice((1, 1, 2, 3))):
            data = changed(data, [each.data for each in self._kept], dice)
        if dice.random() < 0.05:
            method = dice.choice(METHODS)
        if dice.random() < 0.05:
            caller, token = self._other_caller()
        return Sent(method, data, caller, token, self._way(method, data))

    def _way(self, method: MethodDescriptor, data: bytes) -> Way:
        [way] = self.dice.choices(tuple(_WAYS), tuple(_WAYS.values()))
        if way is Way.HTTP and method.client_streaming:
            return Way.GRPC
        if way is Way.DIRECT and len(data) > MAX_MESSAGE_BYTES:
            return Way.GRPC  # it is the transport that refuses it
        return way

    def _table(self) -> Table:
        table = self.dice.choice(self._world.tables)
        while table.now.sequence > _LONG_ENTRIES and self.dice.random() > _OF_LONG:
            table = self.dice.choice(self._world.tables)
        return table

    def _valid(self, method: MethodDescriptor, table: Table) -> tuple[Message, str, str]:
        message = GetMessageClass(method.input_type)()
        caller = "club recorder"
        if isinstance(message, pb.StartMatchRequest):
            message.CopyFrom(start_request(self.dice, self._world.new_id()))
        else:
            self._fill(message, table)
        signed = message.append if isinstance(message, pb.PlayRequest) else message
        self._agree(signed, table)
        if "signature" in signed.DESCRIPTOR.fields_by_name and self.dice.random() < 0.9:
            signed.MergeFrom(type(signed)(signature=signature(table, signed)))
        if self.dice.random() < 0.4 and table.tokens:
            seat = _seat_of(signed)
            if seat is not None and seat < len(table.tokens):
                return message, "seat", table.tokens[seat]
        return message, caller, self._world.tokens[caller]

    def _agree(self, message: Message, table: Table) -> None:
        """Make fields fit each other that cannot be chosen one by one."""
        match message:
            case pb.CommitShareRequest():
                message.commitment = commit_share(table.match, message.seat, _SHARE)
            case pb.SealChoiceRequest():
                seat = Seat(message.seat)
                move = next(table.now.state.legal_moves(seat), None)
                if move is not None:
                    table.sealed[seat] = move.data
                    message.digest = choice_digest(table, seat, move.data)
            case pb.OpenChoiceRequest() if table.sealed:
                seat = Seat(self.dice.choice(tuple(table.sealed)))
                message.move.encoded.actor.CopyFrom(actor_message(seat, ()))
                message.move.encoded.data = table.sealed[seat]
            case _:
                pass

    def _other_caller(self) -> tuple[str, str]:
        dice, world = self.dice, self._world
        if dice.random() < 0.5:
            table = dice.choice(world.tables)
            return "another seat", dice.choice([*table.tokens, ""])
        caller = dice.choices(tuple(world.tokens), (1, *[4] * (len(world.tokens) - 1)))[0]
        token = world.tokens[caller]
        return caller, token if dice.random() < 0.95 else f"{token}x"

    def _fill(self, message: Message, table: Table) -> None:
        """Give every field a value that fits the match; fields that need not be there often have none."""
        described = message.DESCRIPTOR
        every: list[FieldDescriptor] = [*described.fields]
        groups = dict[str, list[str]]()
        for each in every:
            if each.containing_oneof is not None:
                groups.setdefault(each.containing_oneof.name, []).append(each.name)
        chosen = {group: self.dice.choice(names) for group, names in groups.items()}
        for each in every:
            oneof = each.containing_oneof
            if oneof is not None and chosen[oneof.name] != each.name:
                continue
            if each.name not in _NEEDED and self.dice.random() < 0.5:
                continue
            self._set(message, each, table)

    def _set(self, message: Message, each: FieldDescriptor, table: Table) -> None:
        if each.message_type is not None:
            inner = getattr(message, each.name)
            for item in [inner.add()] if each.is_repeated else [inner]:
                item.SetInParent()
                self._fill_inner(item, table)
            return
        value = self._known(each, table)
        if each.is_repeated:
            getattr(message, each.name).append(value)
        else:
            setattr(message, each.name, value)

    def _fill_inner(self, message: Message, table: Table) -> None:
        match message:
            case entries.Move():
                message.CopyFrom(self._move(table))
            case entries.Actor():
                office = entries.OFFICE_ARBITER
                actor = entries.Actor(seat=self.seat(table))
                message.CopyFrom(actor if self.dice.random() < 0.7 else entries.Actor(office=office))
            case _:
                self._fill(message, table)

    def _move(self, table: Table) -> entries.Move:
        """A legal move, if there is one; as text or encoded."""
        state = table.now.state
        awaited = state.awaiting()
        actor = self.dice.choice(awaited) if awaited else Seat(0)
        legal = list(islice(state.legal_moves(actor), self.dice.choice((1, 30))))
        if not legal:
            return entries.Move(text=f"{state.setup.seats[0]} pass")
        move = self.dice.choice(legal)
        if not table.keys and self.dice.random() < 0.5:
            return entries.Move(text=state.write_move(move))
        return entries.Move(encoded=entries.EncodedMove(actor=actor_message(actor, ()), data=move.data))

    def seat(self, table: Table) -> int:
        awaited = [actor for actor in table.now.awaiting() if not isinstance(actor, Office)]
        if awaited and self.dice.random() < 0.7:
            return awaited[0]
        return self.dice.randrange(table.seats)

    def sequence(self, table: Table) -> int:
        last = table.now.sequence
        return self.dice.choice((last, last, max(last - 1, 0), self.dice.randrange(last + 1)))

    def request_id(self, table: Table) -> str:
        if table.requests and self.dice.random() < 0.05:
            return self.dice.choice(table.requests)
        table.requests.append(self._world.new_id())
        return table.requests[-1]

    def position(self) -> int:
        return max(self._world.ledger.log.last_position() - self.dice.choice((0, 1, 30)), 0)

    def record(self, _table: Table) -> bytes:
        return self._content(self.dice)

    def _change(self, message: Message, table: Table) -> None:
        """Change one thing, anywhere in the message."""
        dice = self.dice
        present = [each for each, _ in message.ListFields()]
        each: FieldDescriptor = dice.choice(
            present if present and dice.random() < 0.7 else [*message.DESCRIPTOR.fields]
        )
        if dice.random() < 0.12:
            message.ClearField(each.name)
        elif each.message_type is not None:
            self._change_inside(message, each, table)
        elif each.is_repeated:
            values = getattr(message, each.name)
            value = dice.choice(values) if values and dice.random() < 0.5 else self._random(each)
            values.extend([value] * dice.choice(_REPEATS))
        elif dice.random() < 0.4:
            setattr(message, each.name, self._known(each, dice.choice(self._world.tables)))
        else:
            setattr(message, each.name, self._random(each))

    def _change_inside(self, message: Message, each: FieldDescriptor, table: Table) -> None:
        dice, inner = self.dice, getattr(message, each.name)
        if not each.is_repeated:
            inner.SetInParent()
            if dice.random() < 0.3:
                self._fill_inner(inner, dice.choice(self._world.tables))
            else:
                self._change(inner, table)
            return
        if not inner or dice.random() < 0.3:
            self._fill_inner(inner.add(), table)
        if dice.random() < 0.2:
            inner.extend([inner[0]] * dice.choice(_REPEATS))
        self._change(dice.choice(inner), table)

    def _known(self, each: FieldDescriptor, table: Table) -> int | str | bytes | float:
        """A value that fits the match, if there is one for this name and type."""
        provide = _VALUES.get(each.name)
        value = None if provide is None else provide(self, table)
        kind = _TYPES.get(each.type, int)
        return value if isinstance(value, kind) else self._random(each)

    def _random(self, each: FieldDescriptor) -> int | str | bytes | float:
        """A value that the type of the field allows, preferably at a limit."""
        dice = self.dice
        match each.cpp_type:
            case FieldDescriptor.CPPTYPE_BOOL:
                return dice.random() < 0.5
            case FieldDescriptor.CPPTYPE_STRING:
                if each.type == FieldDescriptor.TYPE_STRING:
                    return dice.choice(TEXTS)
                return dice.randbytes(dice.choice(_SIZES))
            case FieldDescriptor.CPPTYPE_ENUM:
                numbers = [] if each.enum_type is None else [value.number for value in each.enum_type.values]
                return dice.choice([*numbers, *numbers, 99, -1])
            case FieldDescriptor.CPPTYPE_UINT64:
                return dice.choice(NUMBERS) % 2**64
            case FieldDescriptor.CPPTYPE_UINT32:
                return dice.choice(NUMBERS) % 2**32
            case FieldDescriptor.CPPTYPE_INT64:
                return (dice.choice(NUMBERS) + 2**63) % 2**64 - 2**63
            case FieldDescriptor.CPPTYPE_INT32:
                return (dice.choice(NUMBERS) + 2**31) % 2**32 - 2**31
            case _:
                return dice.choice((0.0, -1.0, 1e308, float("inf"), float("nan")))


_NEEDED: Final = frozenset(
    {
        *("match_id", "expected_sequence", "request_id", "move", "moves", "append", "game", "line", "data"),
        *("content", "actor", "seat", "one", "other", "stored", "position", "place", "rotation", "digest"),
        *("commitment", "share", "public_key", "dispute", "request", "to_sequence", "text", "encoded"),
    }
)
"""Fields that a valid request has, if its message knows them."""

_VALUES: Final[Mapping[str, Callable[[Requests, Table], int | str | bytes]]] = {
    "match_id": lambda _, table: table.match,
    "expected_sequence": lambda _, table: table.now.sequence,
    "request_id": Requests.request_id,
    "sequence": Requests.sequence,
    "from_sequence": Requests.sequence,
    "to_sequence": Requests.sequence,
    "at_sequence": Requests.sequence,
    "dispute": Requests.sequence,
    "request": Requests.sequence,
    "seat": Requests.seat,
    "game": lambda _, table: table.now.header.game,
    "line": lambda _, table: table.now.state.position(),
    "reason": lambda *_: "a slip",
    "claim": lambda *_: "not so",
    "decision": lambda *_: "it stays",
    "content": Requests.record,
    "transcript": lambda requests, table: requests.record(table).decode(errors="replace"),
    "page_size": lambda requests, _: requests.dice.choice((1, 3, 50)),
    "page_token": lambda requests, _: str(requests.dice.randrange(9)),
    "after_position": lambda requests, _: requests.position(),
    "since_position": lambda requests, _: requests.position(),
    "position": lambda requests, _: requests.position(),
    "size": lambda requests, _: requests.position(),
    "old_size": lambda requests, _: requests.position(),
    "new_size": lambda requests, _: requests.position(),
    "commitment": lambda requests, table: commit_share(table.match, requests.seat(table), _SHARE),
    "share": lambda *_: _SHARE,
    "salt": lambda *_: SALT,
    "digest": lambda *_: b"d" * 32,
    "signature": lambda *_: b"",
}
"""By the name of a field, a value that fits a match; a field with another name gets any value of its type."""


def _seat_of(message: Message) -> int | None:
    """The seat that a request acts for, if it names one."""
    for name in ("move", "actor", "seat", "viewer"):
        if name in message.DESCRIPTOR.fields_by_name:
            value = getattr(message, name)
            match value:
                case int():
                    return value
                case entries.Move():
                    return value.encoded.actor.seat
                case entries.Actor() | entries.Viewer():
                    return value.seat
                case _:
                    continue
    return None
