"""What becomes of a pair of matches before a viewer asks: it is followed, reopened, damaged, taken back."""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import TypeAlias

from google.protobuf.message import Message
from msgspec import structs
from shiji.record.v1 import entry_pb2 as entries
from shiji.record.v1 import record_service_pb2 as pb

from records.codec.concealment import Hidden, encode_hidden
from records.entry import ENTRY_VERSION_1, MOVE, Entry, actor_number, with_hash
from records.evidence.concealment import (
    format_concealed,
    parse_concealed,
    parse_view,
    view_content,
)
from records.games.candidate import Candidate
from records.games.state import Applied
from records.ledger.builder import PreparedAppend
from records.log.contract import Append
from records.replay.disclosure import hidden_of
from records.verdict import IllegalAt
from rules.kernel.actors import CHANCE, SPECTATOR, Actor, Seat
from tests.service import calls
from tests.service.everything import draws_after
from tests.service.pairs import SMALL, Keeper, Pair, append_request
from tests.service.twin_services import KEEPER, World, answer
from tests.tools.forging import recommitted

_ASKED_BY_READERS = 0.75
"""How often it is not a seat that asks about a damaged record: seats do not audit."""

_IMPORTED_LATE = 0.7
"""How often an imported match is old enough that few things are left to be hidden."""

Answers: TypeAlias = list[Message] | str


@dataclass(frozen=True)
class Seen:
    """What a caller was shown in each world."""

    method: str
    what: str
    one: Answers
    other: Answers


Twist: TypeAlias = Callable[[Keeper], tuple[Pair, list[Seen]] | None]
"""The pair, with what the viewer has seen on the way; None where the worlds became different."""


def _played(keeper: Keeper) -> tuple[Pair, list[Seen]] | None:
    keeper.begin()
    return (keeper.pair(), []) if keeper.play(keeper.dice.randrange(1, 14)) else None


def _imported(keeper: Keeper) -> tuple[Pair, list[Seen]] | None:
    if keeper.dice.random() < _IMPORTED_LATE and keeper.start.chance == pb.CHANCE_RECORDED:
        keeper.common = 1.0
        keeper.play_elsewhere(keeper.dice.randrange(30, 90), quick=True)
        keeper.common = 0.0
    else:
        keeper.play_elsewhere(keeper.dice.randrange(1, 9))
    return (keeper.pair(), []) if keeper.play(keeper.dice.randrange(1, 6)) else None


def _followed(keeper: Keeper) -> tuple[Pair, list[Seen]] | None:
    """Streams are open while the match goes on."""
    keeper.begin()
    if not keeper.play(keeper.dice.randrange(1, 9)):
        return None
    before = keeper.pair()
    with_streams = _Streams(before, over=False)
    if not keeper.play(4) or keeper.viewer != before.viewer:
        with_streams.close()
        return None
    return keeper.pair(), with_streams.seen(keeper.pair())


def _reopened(keeper: Keeper) -> tuple[Pair, list[Seen]] | None:
    """The match was over, and is played on; streams were open while everything could be seen."""
    if keeper.start.chance != pb.CHANCE_RECORDED:
        return _followed(keeper)  # without hands there is nothing to hide; the end of a sealed match opens it
    keeper.common = 0.8 if keeper.start.game in SMALL else 1.0
    if not keeper.play_to_the_end():
        return None
    over = keeper.pair()
    with_streams = _Streams(over, over=True)
    back_to = keeper.dice.randrange(over.last // 2, over.last - 2)
    for world in keeper.worlds:
        back = pb.RetractRequest(
            match_id=over.match, expected_sequence=over.last, request_id="reopen", to_sequence=back_to
        )
        refused = answer(world, "Retract", KEEPER, back, None)
        if isinstance(refused, str):
            with_streams.close()
            return over, []  # nothing is taken back in this match: everybody sees everything
    keeper.common = 0.0
    one, other = (world.state(over.match) for world in keeper.worlds)
    if one.view(keeper.viewer) != other.view(keeper.viewer) or not keeper.play(6):
        with_streams.close()
        return None
    return keeper.pair(), with_streams.seen(keeper.pair())


def _damaged(keeper: Keeper) -> tuple[Pair, list[Seen]] | None:
    """The last entry in the archive is wrong, in a way that nobody noticed when it was written."""
    played = _played(keeper)
    if played is None:
        return None
    pair = played[0]
    if isinstance(pair.viewer, int) and keeper.dice.random() < _ASKED_BY_READERS:
        pair = replace(pair, viewer=SPECTATOR)
    harms = (_garbage, _illegal_move, _other_events)
    harm = keeper.dice.choice(harms[:2] if keeper.start.chance == pb.CHANCE_UNRECORDED else harms)
    lasts = [list(world.ledger.read(pair.match))[-1] for world in keeper.worlds]
    for world, bad in zip(keeper.worlds, harm(pair, lasts, keeper.dice), strict=True):
        world.ledger.log.write([Append(pair.match, pair.last, (bad,))])
    if len({_public_verdict(world, pair) for world in keeper.worlds}) > 1:
        return None
    return replace(pair, last=pair.last + 1, damaged=True), []


def _public_verdict(world: World, pair: Pair) -> tuple[object, ...]:
    """What every auditor learns of a record that only the operator can have damaged: what is wrong, where."""
    verdict = world.ledger.audit(pair.match).verdict
    rules = [each.rule.id for each in verdict.violations] if isinstance(verdict, IllegalAt) else []
    return type(verdict), *rules


def _next(last: Entry, actor: Actor, move: bytes, events: bytes) -> Entry:
    return with_hash(
        Entry(
            last.match,
            last.sequence + 1,
            MOVE,
            actor_number(actor),
            move,
            events,
            bytes(32),
            f"harm {last.sequence}",
            last.recorded + 1,
            last.hash,
            concealed=last.concealed[:1],
        )
    )


def _other_events(pair: Pair, lasts: list[Entry], dice: random.Random) -> list[Entry]:
    """A draw of one thing, with the events of drawing another, which look alike to the viewer."""
    states = [world.state(pair.match) for world in pair.worlds]
    draws = [list(islice(state.legal_moves(CHANCE), 400)) for state in states]
    if not draws[0] or pair.start.chance == pb.CHANCE_SERVICE:
        return _illegal_move(pair, lasts, dice)
    chosen, bad = [dice.choice(draws[0]) for _ in range(2)], []
    for world, state, there, last in zip(pair.worlds, states, draws, lasts, strict=True):
        like = []
        for wanted in chosen:
            seen = states[0].seen_move(wanted, pair.viewer).data
            same = [each for each in there if state.seen_move(each, pair.viewer).data == seen]
            if not same:
                return _illegal_move(pair, lasts, dice)
            like.append(dice.choice(same))
        if pair.version == ENTRY_VERSION_1:
            caused = state.judge(like[1])
            assert isinstance(caused, Applied)
            bad.append(_next(last, CHANCE, like[0].data, caused.events))
        else:
            bad.append(_mixed(*(_drawn(world, pair, move) for move in like)))
    return bad


def _drawn(world: World, pair: Pair, move: Candidate) -> Entry:
    """The entry of a draw, which is not stored."""
    judged = world.ledger.judge_append(pair.match, pair.last, "what if", (move,))
    assert isinstance(judged, PreparedAppend)
    return judged.append.entries[0]


def _mixed(drawn: Entry, other: Entry) -> Entry:
    """The first draw, with the events of the other one, also in its concealed parts."""
    parts = tuple(
        structs.replace(
            part, content=view_content(parse_view(part.content).move, parse_view(donor.content).events)
        )
        for part, donor in zip(hidden_of(drawn).parts, hidden_of(other).parts, strict=True)
    )
    concealed = format_concealed(recommitted(drawn, parse_concealed(drawn.concealed), parts))
    mixed = structs.replace(drawn, events=other.events, state=other.state, concealed=concealed)
    return with_hash(structs.replace(mixed, secret=encode_hidden(Hidden(parts))))


def _illegal_move(pair: Pair, lasts: list[Entry], dice: random.Random) -> list[Entry]:
    """A move that a seat makes out of turn or with what it does not hold, and that causes nothing."""
    seats = [Seat(number) for number in range(len(pair.start.seats))]
    moves = [move for seat in seats for move in islice(pair.state.legal_moves(seat), 5)]
    if not moves:
        return _garbage(pair, lasts, dice)
    move, actor = dice.choice(moves), dice.choice(seats)
    return [_next(last, actor, move.data, b"") for last in lasts]


def _garbage(_pair: Pair, lasts: list[Entry], _dice: random.Random) -> list[Entry]:
    return [_next(last, CHANCE, b"\xff", b"\xff\xff") for last in lasts]


def _taken_back(keeper: Keeper) -> tuple[Pair, list[Seen]] | None:
    """A seat moves, sees what it draws, and tries to choose again."""
    keeper.begin()
    keeper.unknown = 0.0
    if not keeper.play(keeper.dice.randrange(3, 10)):
        return None
    pair, seen = keeper.pair(), list[Seen]()
    if not isinstance(pair.viewer, int):
        return pair, seen
    move = _drawing_move(pair)
    if move is None:
        return pair, seen
    for world in pair.worlds:
        world.call("AppendMove", pair.callers[0], append_request(pair.match, pair.last, "tempted", move))
        _draw_differently(world, pair)
    if not _tells_apart(pair):
        return keeper.pair(), seen
    for world in pair.worlds:
        _try_to_take_back(world, pair)
    chosen_again = "takes back what it drew" if not _tells_apart(pair) else ""
    return None if not chosen_again else (pair, [Seen("Retract", "", chosen_again, "")])


def _drawing_move(pair: Pair) -> Candidate | None:
    """A move of the viewer's seat after which something is drawn."""
    assert isinstance(pair.viewer, int)
    states = [world.state(pair.match) for world in pair.worlds]
    moves = pair.state.legal_moves(pair.viewer)
    return next((move for move in moves if all(draws_after(state, move) for state in states)), None)


def _draw_differently(world: World, pair: Pair) -> None:
    """Where the recorder draws, the worlds draw from the two ends of what can come."""
    state = world.state(pair.match)
    draws = list(state.legal_moves(CHANCE)) if CHANCE in state.awaiting() else []
    if draws:
        last = world.ledger.current(pair.match).sequence
        drawn = draws[0 if world is pair.worlds[0] else -1]
        world.call("AppendMove", KEEPER, append_request(pair.match, last, "temptation", drawn))


def _try_to_take_back(world: World, pair: Pair) -> None:
    own = pair.viewer
    assert isinstance(own, int)
    last = partial(lambda: world.ledger.current(pair.match).sequence)
    back = pb.RetractRequest(match_id=pair.match, to_sequence=pair.last, actor=entries.Actor(seat=own))
    asking = pb.RequestTakebackRequest(match_id=pair.match, to_sequence=pair.last, seat=own, reason="a slip")
    for number in range(2):
        back.request_id, back.expected_sequence = f"back {number}", last()
        answer(world, "Retract", pair.callers[0], back, None)
        asking.request_id, asking.expected_sequence = f"please {number}", last()
        answer(world, "RequestTakeback", pair.callers[0], asking, None)
        for seat in range(len(pair.start.seats)):
            granted = pb.GrantTakebackRequest(
                match_id=pair.match,
                expected_sequence=last(),
                request_id=f"granted {number} {seat}",
                seat=seat,
                request=asking.expected_sequence + 1,
            )
            if seat != own:
                answer(world, "GrantTakeback", KEEPER, granted, None)


def _tells_apart(pair: Pair) -> bool:
    one, other = (world.state(pair.match).view(pair.viewer) for world in pair.worlds)
    return one != other


def _timeless(answers: Answers) -> Answers:
    """Without how far the match was when each entry was sent, which is a matter of time.

    Of the last entry, those are awaited too that have to open a choice.
    """
    for each in answers:
        if isinstance(each, pb.FollowRecordResponse):
            each.ClearField("last_sequence")
            each.ClearField("awaiting")
        elif isinstance(each, pb.FollowArchiveResponse):
            each.ClearField("last_position")
    return answers


class _Streams:
    """The streams that a viewer has open in both worlds."""

    def __init__(self, pair: Pair, *, over: bool) -> None:
        """Opens them; while the match is over, what they bring is not compared: everybody sees everything."""
        looks = entries.Viewer(seat=pair.viewer) if isinstance(pair.viewer, int) else calls.SPECTATOR
        auditor = [] if isinstance(pair.viewer, int) else [calls.AUDITOR]
        self._requests: list[tuple[str, str, Message]] = []
        for caller in pair.callers:
            for viewer in (looks, *auditor):
                follow = pb.FollowRecordRequest(match_id=pair.match, viewer=viewer, with_state=True)
                self._requests.append(("FollowRecord", caller, follow))
                if auditor:
                    archive = pb.FollowArchiveRequest(after_position=pair.position, viewer=viewer)
                    self._requests.append(("FollowArchive", caller, archive))
        self._streams = [[world.open_stream(*request) for world in pair.worlds] for request in self._requests]
        self._skipped = 0
        if over:
            self._skipped = pair.last + 1
            for streams in self._streams:
                for stream in streams:
                    stream.take(self._skipped)

    def seen(self, pair: Pair) -> list[Seen]:
        """What they have brought since, up to the last entry of the match."""
        new = pair.last + 1 - self._skipped
        found = [
            Seen(method, f"{caller} {request}", *(_timeless(stream.take(new)) for stream in streams))
            for (method, caller, request), streams in zip(self._requests, self._streams, strict=True)
        ]
        self.close()
        return found

    def close(self) -> None:
        for streams in self._streams:
            for stream in streams:
                stream.close()


TWISTS: Mapping[str, Twist] = {
    "played": _played,
    "imported": _imported,
    "followed": _followed,
    "reopened": _reopened,
    "damaged": _damaged,
    "taken back": _taken_back,
}
