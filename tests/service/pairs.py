"""Pairs of matches that differ only in what a viewer may not see, in two services."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import count, islice

from shiji.record.v1 import entry_pb2 as entries
from shiji.record.v1 import header_pb2 as headers
from shiji.record.v1 import record_service_pb2 as pb

from records.codec.evidence import decode_concealed
from records.entry import ENTRY_VERSION_1, ENTRY_VERSION_2, MOVE, Entry, MatchId, actor_of
from records.evidence.concealment import SALT_SIZE
from records.evidence.sealing import OpenedPlace
from records.files.record_file import write_record
from records.games.candidate import Candidate
from records.games.state import Applied, GameState
from records.ledger.builder import PreparedAppend
from records.ledger.ledger import Ledger
from records.ledger.results import Appended
from records.log.memory import MemoryLog
from records.replay.choices import answers_in_secret
from records.replay.disclosure import for_viewer, hidden_of
from rules.kernel.actors import AUDITOR, CHANCE, SPECTATOR, Actor, Seat, Viewer
from service.messages import actor_message
from service.requests import header_of
from tests.service.twin_services import KEEPER, World

NAMES = ("green", "violet", "white")
"""With the number of the pair, the names of its seats: lists of matches are narrowed by them."""

SMALL = {"qin": "map:R.Y.B/...../....."}
"""By game, components with which a match is over soon; those of the other games are as usual."""

_CONSIDERED_MOVES = 200
"""Legal moves that a step chooses from."""
_CONSIDERED_IF_QUICK = 16
"""The same where a match is played over many steps."""
_SWAPPED_PLACES = 20
"""Places of an order whose tokens may differ between the worlds: the first hands, and the next draws."""
_SWAPS_TRIED = 40
"""Changes of an order that are tried until the viewer does not see them."""
_MOST_BEFORE_A_SECRET = 60
"""Steps that are played without counting them, until something is hidden: Zhanguo begins with up to 50."""
_HOARDED = 2
"""In one pair of this many, hands are filled from the two ends of what can be drawn."""
_MOST_ENTRIES = 600
"""Entries after which a match that does not end is given up."""


_UNSEALED = Entry(MatchId(""), 0, MOVE, 0, b"", b"", b"", "", 0, b"")
"""Stands for an entry that opens no sealed place."""


@dataclass(frozen=True)
class Pair:
    """One match in both worlds, up to a point at which the viewer cannot tell them apart."""

    worlds: tuple[World, World]
    version: int
    """The version of its entries."""
    start: pb.StartMatchRequest
    match: MatchId
    position: int
    """The last position of the archive before it."""
    last: int
    viewer: Viewer
    state: GameState
    """The state in the first world."""
    differ: bool
    """Whether there is anything to find."""
    drawn: tuple[Candidate, ...]
    """The draws of the first world: guesses of what is hidden."""
    damaged: bool = False
    """Whether the last entry is wrong; the state is the one before it."""

    @property
    def hides(self) -> bool:
        """Whether there is anything to find that not everybody may see by now."""
        return self.differ and self.state.outcome() is None

    @property
    def callers(self) -> tuple[str, ...]:
        """Those that see what the viewer sees."""
        if isinstance(self.viewer, int):
            return (f"seat {self.match} {self.viewer}",)
        if self.viewer is AUDITOR:
            return (KEEPER,)
        return ("recorder rival", "auditor audit", "admin ops")


@dataclass
class Side:
    """The match in one world, while the keeper plays it."""

    ledger: Ledger
    match: MatchId
    append: Callable[[Candidate], object]

    def state(self) -> GameState:
        return self.ledger.current(self.match).state

    def after(self, move: Candidate) -> list[Appended]:
        """What a legal move would store, and the draws of the service's that follow."""
        current = self.ledger.current(self.match)
        if not current.header.pledge and not answers_in_secret(current.header, current.state, move.actor):
            applied = current.state.judge(move)
            assert isinstance(applied, Applied)
            return [Appended(_UNSEALED, applied.after)]
        judged = self.ledger.judge_append(self.match, current.sequence, "what if", (move,))
        assert isinstance(judged, PreparedAppend)
        return list(map(Appended, judged.append.entries, judged.states))


class Keeper:
    """Plays one match in both worlds, so that the viewer cannot tell them apart."""

    def __init__(  # noqa: PLR0913 - what a pair of matches begins with
        self,
        worlds: tuple[World, World],
        seed: int,
        game: str,
        chance: pb.Chance.ValueType,
        version: int,
        *,
        small: bool = False,
    ) -> None:
        self.worlds = worlds
        self.version = version
        self.dice = random.Random(seed)  # noqa: S311 - the same pair each time
        seats = [f"{name}{seed}" for name in NAMES[: self.dice.choice((2, 3))]]
        viewers: list[Viewer] = [SPECTATOR, *map(Seat, range(len(seats)))]
        if chance == pb.CHANCE_SERVICE:
            viewers.append(AUDITOR)  # a recorder sees the hands of its matches, but not what is drawn next
        self.viewer = self.dice.choice(viewers)
        self.start = pb.StartMatchRequest(
            request_id=f"start {seed}",
            game=game,
            seats=seats,
            chance=chance,
            retract=self.dice.choice(headers.RetractPolicy.values()),
            components=SMALL.get(game, "") if small else "",
        )
        if version == ENTRY_VERSION_2:
            self.start.choices = self.dice.choice(headers.ChoicePolicy.values())
        self.position = worlds[0].ledger.log.last_position()
        for world in worlds:
            self.match = world.begin(f"pair-{seed}", hides_tokens=self.viewer is not AUDITOR)
        self.opening: list[Candidate] = []
        """Moves that are made before anything is hidden, where the service deals."""
        if chance == pb.CHANCE_SERVICE:
            self._choose_secrets()
        self.drawn: list[Candidate] = []
        self.unknown = self.dice.choice((0.0, 0.3))
        """How often a draw of the recorder's is not known even to the seat that draws."""
        self.hoards = chance == pb.CHANCE_RECORDED and self.dice.randrange(_HOARDED) == 0
        """Whether the first of what can come is drawn in one world and the last in the other, and the viewer
        does not know its own: then all cards of a kind may be in hands in one world alone."""
        if self.hoards:
            self.unknown = 0.4
        self.common = 0.0
        """How often both worlds draw and choose the same."""
        self.chose_differently = False
        """Whether a seat has chosen in secret, in each world something else."""

    def begin(self) -> None:
        """Start the match in both services; one of an earlier version can only be imported."""
        if self.version == ENTRY_VERSION_1:
            self._import(self._played_elsewhere(0, _CONSIDERED_MOVES))
        else:
            for world in self.worlds:
                world.call("StartMatch", KEEPER, self.start)

    def play(self, steps: int) -> bool:
        """Play on by AppendMove, some steps after the first hidden difference; False if it is not hidden."""
        sides = [Side(world.ledger, self.match, self._appending(world)) for world in self.worlds]
        return self._play(sides, steps, _CONSIDERED_MOVES)

    def play_elsewhere(self, steps: int, *, quick: bool = False) -> None:
        """Play outside of the services, and import the records."""
        self._import(self._played_elsewhere(steps, _CONSIDERED_IF_QUICK if quick else _CONSIDERED_MOVES))

    def play_to_the_end(self) -> bool:
        """Play a whole match outside of the services, and import the records; False if it did not end."""
        sides = self._played_elsewhere(_MOST_ENTRIES, _CONSIDERED_IF_QUICK, ending=True)
        over = sides[0].state().outcome() is not None
        if over:
            self._import(sides)
        return over

    def _played_elsewhere(self, steps: int, considered: int, *, ending: bool = False) -> list[Side]:
        sides = []
        for world in self.worlds:
            ledger = self._ledger(world.secrets.get(self.match, bytes(32)))
            self._start(ledger)
            sides.append(Side(ledger, self.match, self._storing(ledger)))
        self._play(sides, steps, considered, ending=ending)
        return sides

    def _import(self, sides: Sequence[Side]) -> None:
        for world, side in zip(self.worlds, sides, strict=True):
            content = b"".join(write_record(list(side.ledger.read(self.match))))
            world.call("ImportRecord", KEEPER, pb.ImportRecordRequest(content=content))

    def pair(self) -> Pair:
        """The pair as it is now."""
        one, other = (world.state(self.match) for world in self.worlds)
        secrets = {world.secrets.get(self.match) for world in self.worlds}
        return Pair(
            self.worlds,
            self.version,
            self.start,
            self.match,
            self.position,
            self.worlds[0].ledger.current(self.match).sequence,
            self.viewer,
            one,
            one != other or len(secrets) > 1 or self.chose_differently,
            tuple(self.drawn),
        )

    def _appending(self, world: World) -> Callable[[Candidate], object]:
        def append(move: Candidate) -> object:
            last = world.ledger.current(self.match).sequence
            return world.call("AppendMove", KEEPER, append_request(self.match, last, f"move {last}", move))

        return append

    def _storing(self, ledger: Ledger) -> Callable[[Candidate], object]:
        def append(move: Candidate) -> object:
            last = ledger.current(self.match).sequence
            stored = ledger.append(self.match, last, f"move {last}", move)
            assert isinstance(stored, Appended)
            return stored

        return append

    def _play(self, sides: Sequence[Side], steps: int, considered: int, *, ending: bool = False) -> bool:
        """False if the match is over although it should not be."""
        if steps:
            for move in self.opening:
                for side in sides:
                    side.append(move)
            self.opening.clear()
        left = steps
        for _ in range(steps + _MOST_BEFORE_A_SECRET if steps else 0):
            one, other = (side.state() for side in sides)
            left -= one != other or self.chose_differently
            if left < 0:
                break
            step = self._step(one, other, considered)
            if step is None or not self._stays_hidden(sides, step, ending=ending):
                break
            if step[0].actor is CHANCE:
                self.drawn.append(step[0])
            self.chose_differently |= step[0].actor is not CHANCE and step[0].data != step[1].data
            for side, move in zip(sides, step, strict=True):
                side.append(move)
        return ending or sides[0].state().outcome() is None

    def _step(self, one: GameState, other: GameState, considered: int) -> tuple[Candidate, Candidate] | None:
        """A move in each world that looks the same to the viewer; None if none is found."""
        actor = next(iter(one.awaiting()), None)
        if actor is None:
            return None
        here, there = (list(islice(state.legal_moves(actor), considered)) for state in (one, other))
        if self._chooses_unseen(one, actor) and here and there and self.dice.random() >= self.common:
            return self.dice.choice(here), self.dice.choice(there)
        if actor is not CHANCE:
            common = {move.data for move in there}
            here = [move for move in here if move.data in common]
        if not here:
            return None
        hoarded = actor is CHANCE and self.hoards
        first = here[0] if hoarded else self.dice.choice(here)
        if actor is CHANCE and self.dice.random() < self.unknown:
            unknown = one.seen_move(first, SPECTATOR)
            if all(isinstance(state.judge(unknown), Applied) for state in (one, other)):
                first = unknown
                there.append(unknown)
        seen = one.seen_move(first, self.viewer).data
        like = [move for move in there if other.seen_move(move, self.viewer).data == seen]
        same = [move for move in like if move.data == first.data]
        if actor is not CHANCE or (same and self.dice.random() < self.common):
            like = same
        if not like:
            return None
        return first, like[-1] if hoarded else self.dice.choice(like)

    def _chooses_unseen(self, state: GameState, actor: Actor) -> bool:
        """Whether the actor chooses in secret, and the viewer does not learn what."""
        header = replace(header_of(self.start), entry_version=self.version)
        return self.viewer not in {actor, AUDITOR} and answers_in_secret(header, state, actor)

    def _stays_hidden(
        self, sides: Sequence[Side], step: tuple[Candidate, Candidate], *, ending: bool
    ) -> bool:
        """Whether the viewer cannot tell the worlds apart after the step, and what the service deals then."""
        before = [side.state() for side in sides]
        one, other = (side.after(move) for side, move in zip(sides, step, strict=True))
        ends = one[-1].state.outcome(), other[-1].state.outcome()
        if ends != (None, None):
            return ending and ends[0] == ends[1]
        return self._shown(before[0], one) == self._shown(before[1], other)

    def _shown(self, before: GameState, appended: Sequence[Appended]) -> list[object]:
        """What the viewer sees of entries: the states after them, and the places of orders that they open."""
        shown = list[object]()
        for each in appended:
            entry = for_viewer(before, actor_of(each.entry.actor), each.entry, self.viewer)
            opened = [(opening.index, opening.token) for opening in _openings(entry)]
            before = each.state
            shown.append((before.view(self.viewer), opened))
        return shown

    def _choose_secrets(self) -> None:
        """Choose what the worlds deal by: orders that are alike but for what the viewer does not see."""
        one = other = self.dice.randbytes(32)
        mine = self._opened(one)
        for attempt in range(_SWAPS_TRIED):
            other = self.dice.randbytes(32)
            swaps = [self.dice.sample(range(_SWAPPED_PLACES), 2) for _ in range(max(6 - attempt // 4, 1))]
            self.worlds[0].shuffles.make_like(self.match, one, other, tuple((i, j) for i, j in swaps))
            theirs = self._opened(other, self.opening)
            if self._shown(mine[0].state, mine) == self._shown(theirs[0].state, theirs):
                break
        else:
            other = one  # there is nothing to find
        self.worlds[0].secrets[self.match], self.worlds[1].secrets[self.match] = one, other

    def _ledger(self, secret: bytes) -> Ledger:
        """A ledger outside of the services."""
        times = count(1_600_000_000_000_000)
        return Ledger(
            MemoryLog(),
            clock=lambda: next(times),
            new_id=lambda: self.match,
            secrets=lambda _: secret,
            salts=partial(bytes, SALT_SIZE),
        )

    def _start(self, ledger: Ledger) -> tuple[Appended, ...]:
        header = replace(header_of(self.start), entry_version=self.version)
        return ledger.store(ledger.judge_header(header, self.start.request_id))

    def _opened(self, secret: bytes, opening: Sequence[Candidate] | None = None) -> list[Appended]:
        """The entries up to the first with something hidden, where the service deals by this secret."""
        ledger = self._ledger(secret)
        appended = list(self._start(ledger))
        for number in count():
            state = appended[-1].state
            if state.view(SPECTATOR) != state:
                break
            move = next(state.legal_moves(state.awaiting()[0]))
            if opening is None:
                self.opening.append(move)
            elif number == len(opening) or move.data != opening[number].data:
                break
            last = ledger.current(self.match).sequence
            stored = ledger.append_many(self.match, last, f"move {number}", (move,))
            assert isinstance(stored, tuple)
            appended += stored
        return appended


def _openings(entry: Entry) -> tuple[OpenedPlace, ...]:
    if not entry.secret:
        return ()
    return hidden_of(entry).openings if entry.concealed else decode_concealed(entry.secret).openings


def append_request(match: str, expected: int, request: str, move: Candidate) -> pb.AppendMoveRequest:
    return pb.AppendMoveRequest(
        match_id=match, expected_sequence=expected, request_id=request, move=encoded(move.actor, move.data)
    )


def encoded(actor: Actor, data: bytes) -> entries.Move:
    return entries.Move(encoded=entries.EncodedMove(actor=actor_message(actor, ()), data=data))
