"""Plays matches over every method of the service, and notes every entry that the server acknowledged."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from shiji.client import (
    Accepted,
    Actor,
    Chance,
    ChoicePolicy,
    Client,
    Dispute,
    EncodedMove,
    Entry,
    Fact,
    Illegal,
    Imported,
    RecordFormat,
    Resolution,
    RetractPolicy,
    Seat,
    SecretKey,
    TakebackRequest,
    seal,
)

SEATS: Final = ("green", "violet")
GREEN, VIOLET = Seat(0), Seat(1)
_KEYS: Final = (SecretKey(b"g" * 32), SecretKey(b"v" * 32))
_NEW_KEY: Final = SecretKey(b"n" * 32)
_SHARES: Final = (b"1" * 32, b"2" * 32)
_OPENING: Final = ("green Re8Re9", "violet Yg8Bh8", "green Yd8Rd9", "violet Yg9Yg10")
"""Legal moves of Qin on Bird, where draws are not recorded."""

READING_METHODS: Final = frozenset(
    {
        *("CheckMove", "ListLegalMoves", "GetMatch", "ListMatches", "GetState", "ReadRecord", "ExportRecord"),
        *("FollowRecord", "FollowArchive", "AuditMatch", "AuditArchive", "CompareRecords"),
        *("GetCheckpoint", "GetInclusionProof", "GetConsistencyProof"),
    }
)
"""The methods that store nothing. All others are played in the scenes that `make crash` puts under load."""

_READS: Final = 40
"""Entries that are taken from a stream before it is left."""

Noted = Callable[[str, int, str], None]
"""Called with the match, the sequence and the request id of each entry that is acknowledged."""


class NotAccepted(Exception):
    """The server refused a legal request."""


@dataclass(slots=True)
class _Match:
    """A match that is being played."""

    id: str
    last: Entry
    noted: Noted
    awaiting: tuple[Actor, ...] = ()

    def store(self, result: Accepted | Illegal) -> Accepted:
        """Note what was acknowledged."""
        if isinstance(result, Illegal):
            raise NotAccepted(f"match {self.id}: {result}")
        for entry in result.entries:
            self.noted(self.id, entry.sequence, entry.request_id)
        self.last, self.awaiting = result.entries[-1], result.awaiting
        return result


@dataclass(slots=True)
class EveryCall:
    """One client, which plays short matches of all kinds, one after the other."""

    client: Client
    name: str
    """The prefix of its request ids and tags."""
    noted: Noted
    reads: bool = True
    """Whether it also plays the scene of the methods that store nothing."""
    log_key: bool = False
    """Whether the server signs checkpoints."""
    scenes: int = field(default=0)
    """Scenes that were played to their end."""

    def play(self) -> Iterator[str]:
        """Play scene after scene for ever; yields the name of each once it is over."""
        scenes = [self._plain, self._signed, self._choices, self._imported]
        if self.reads:
            scenes.append(self._read)
        while True:
            for scene in scenes:
                scene(f"{self.name}-{self.scenes}")
                self.scenes += 1
                yield scene.__name__

    def _begin(self, request: str, game: str, **options: object) -> _Match:
        started = self.client.start_match(game, SEATS, request_id=request, **options)  # type: ignore[arg-type] # any
        match = started.match
        dealt = list(self.client.read(match.id))
        for entry in dealt:
            self.noted(match.id, entry.sequence, "")
        return _Match(match.id, dealt[-1], self.noted, match.awaiting)

    def _plain(self, name: str) -> None:
        """AppendMove, AppendMoves, Play, Retract, disputes, takebacks and CloseMatch."""
        client = self.client
        people = [(GREEN, Fact(f"player of {name}", "name", "Ann"))]
        match = self._begin(name, "qin", retract=RetractPolicy.ANY_SEAT, people=people)
        match.store(client.append(match.id, _OPENING[0], after=match.last))
        match.store(client.append_many(match.id, _OPENING[1:3], after=match.last))
        with client.play() as stream:
            result = stream.append(match.id, _OPENING[3], after=match.last)
            if not isinstance(result, Accepted | Illegal):
                raise result  # refused, as other methods raise it: the disk may be failing
            match.store(result)
        match.store(client.open_dispute(match.id, GREEN, Dispute(1, "why?"), after=match.last))
        opened = match.last.sequence
        match.store(client.resolve_dispute(match.id, Resolution(opened, "so"), after=match.last))
        match.store(client.retract(match.id, to=2, after=match.last))
        match.store(client.request_takeback(match.id, VIOLET, TakebackRequest(1, "a slip"), after=match.last))
        match.store(client.grant_takeback(match.id, GREEN, match.last.sequence, after=match.last))
        match.store(client.retract(match.id, to=1, after=match.last, actor=VIOLET))
        match.store(client.close_match(match.id, "enough", after=match.last))

    def _signed(self, name: str) -> None:
        """CommitShare, RevealShare, RotateKey and signed moves of a match that the service deals."""
        client = self.client
        match = self._begin(
            name,
            "qin",
            chance=Chance.SERVICE,
            sharers=(GREEN, VIOLET),
            seat_keys=[key.public for key in _KEYS],
        )
        for seat, share, key in zip((GREEN, VIOLET), _SHARES, _KEYS, strict=True):
            match.store(client.commit_share(match.id, seat, share, after=match.last, key=key))
        for seat, share, key in zip((GREEN, VIOLET), _SHARES, _KEYS, strict=True):
            match.store(client.reveal_share(match.id, seat, share, after=match.last, key=key))
        match.store(client.rotate_key(match.id, GREEN, after=match.last, keys=(_KEYS[0], _NEW_KEY)))
        for key in (_NEW_KEY, _KEYS[1]):
            actor = match.awaiting[0]
            move = EncodedMove(actor, next(iter(client.legal_moves(match.id, actor))).data)
            match.store(client.append(match.id, move, after=match.last, key=key))

    def _choices(self, name: str) -> None:
        """Choose, SealChoice, OpenChoice and AnswerFor, in a match that begins with sealed questions."""
        client = self.client
        match = self._begin(name, "great-wall", chance=Chance.SERVICE, choices=ChoicePolicy.ARBITER)
        sealed = seal(match.id, self._pick(match, GREEN), match.last)
        match.store(client.seal_choice(match.id, sealed, after=match.last))
        chosen = seal(match.id, self._pick(match, VIOLET), match.last)
        match.store(client.choose(match.id, chosen, after=match.last))
        match.store(client.open_choice(match.id, sealed, after=match.last))
        match.store(client.append(match.id, self._pick(match, GREEN), after=match.last))
        match.store(client.answer_for(match.id, self._pick(match, VIOLET), after=match.last))

    def _pick(self, match: _Match, seat: Seat) -> EncodedMove:
        return EncodedMove(seat, next(iter(self.client.legal_moves(match.id, seat))).data)

    def _imported(self, name: str) -> None:
        """ImportRecord of a transcript that no archive has."""
        tags = (
            '[Format "shiji/1"]\n[Game "qin"]\n[Edition "qin/1"]\n[Rulings ""]\n[Board "bird"]\n'
            f'[Seats "green violet"]\n[Draws "unrecorded"]\n[Event "{name}"]\n[Result "*"]\n\n'
        )
        lines = "".join(f"{number}. {move}\n" for number, move in enumerate(_OPENING, start=1))
        result = self.client.import_record((tags + lines).encode())
        if not isinstance(result, Imported):
            raise NotAccepted(f"import {name}: {result}")
        for sequence in range(result.entries + 1):
            self.noted(result.match_id, sequence, "")

    def _read(self, name: str) -> None:
        """Every method that only reads."""
        client = self.client
        match = self._begin(name, "qin")
        match.store(client.append(match.id, _OPENING[0], after=match.last))
        client.check(match.id, _OPENING[1])
        client.match(match.id)
        client.state(match.id, 0, drawing=True)
        client.compare_records(match.id, match.id)
        client.audit_match(match.id)
        for form in RecordFormat:
            client.export_record(match.id, form)
        streams: tuple[Iterator[object], ...] = (
            client.matches(),
            client.read(match.id),
            islice(client.follow(match.id), 2),
            islice(client.follow_archive(), match.last.log_number),
            client.audit_archive(since_number=max(match.last.log_number - 10, 0)),
        )
        for stream in streams:
            for _ in islice(stream, _READS):
                pass
        if self.log_key:
            client.checkpoint()
            proof = client.inclusion_proof(match.id, 0)
            client.consistency_proof(1, proof.size)
