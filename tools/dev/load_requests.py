"""The archive that `make load` works on, and candidates for the heaviest request of each method."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from random import Random
from typing import Final

from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from shiji.record.v1 import entry_pb2 as entries
from shiji.record.v1 import record_service_pb2 as pb

from records.codec.header import Retraction
from records.entry import MatchHeader, MatchId, RetractPolicy
from records.files.record_file import write_record
from records.files.transcript import MAX_TRANSCRIPT_COMMENTS, MAX_TRANSCRIPT_TAGS
from records.games.registry import find_game
from records.ledger.builder import PreparedAppend
from records.ledger.ledger import Ledger
from records.ledger.notices import judge_retract
from records.log.contract import NEW, Append, Log
from records.log.memory import MemoryLog
from records.log.owners import Owners
from records.log.sqlite import SqliteLog
from rules.kernel.actors import ARBITER
from rules.kernel.edition import EditionKey
from rules.kernel.rule import Illegal
from rules.kernel.setup import Draws, GameKey, Setup
from service.authorization import Role
from service.bounds import MAX_MOVES_PER_REQUEST
from service.http.codec import to_json
from service.messages import actor_message
from service.rpc import DESCRIPTOR
from service.server_secret import ServerSecret
from service.tokens import Token, changing, digest_of, new_secret

LONG_ENTRIES: Final = 19_400
SHORT_ENTRIES: Final = 2_000
"""Entries of the two records that the cost of requests is compared on; the long one is nearly full."""

_TRANSCRIPT: Final = """[Format "shiji/1"]
[Game "qin"]
[Edition "qin/1"]
[Board "bird"]
[Seats "green violet"]
"""
_MOVES: Final = ("green Re8Re9", "violet Yg8Bh8", "green Yd8Rd9")
_SEATS: Final = ("green", "violet")

_LONG_GAMES: Final = ("khan", "zhanguo", "great-wall")
"""Games whose matches have more moves than those of Qin."""

_CONSIDERED: Final = 40
"""Legal moves that a random player chooses from."""

_WIDE_MAP: Final = "map:" + "/".join(["R.Y.B" + "." * 21, *["." * 26] * 98])
"""The largest map of Qin."""


@dataclass(frozen=True, slots=True)
class Archive:
    """What a load run works on."""

    attacker: str
    victim: str
    """Tokens of two owners."""
    long: str
    short: str
    """Matches."""
    file: Mapping[str, bytes]
    """The record files of the matches."""
    played: Mapping[MatchId, Sequence[entries.Move]]
    """By match of the other games: the moves of a whole playing of it, of which none is stored."""


def fill_archive(folder: Path) -> Archive:
    """An archive with two records of different length, and tokens of two owners."""
    db = folder / "load.db"
    ServerSecret.load(db.with_name(f"{db.name}.secret"))
    files = dict[str, bytes]()
    owners = Owners(db.with_name(f"{db.name}.owners"), ())
    with SqliteLog.open(db) as log:
        long, short = _fill(log, LONG_ENTRIES), _fill(log, SHORT_ENTRIES)
        played = {_new_match(log, game): random_moves(game) for game in _LONG_GAMES}
        for match in (long, short):
            files[match] = b"".join(write_record(list(log.read(match))))
        for match in (long, short, *played):
            owners.claim(match, "attacker")
    tokens = {name: new_secret() for name in ("attacker", "victim")}
    with changing(folder / "tokens") as kept:
        for name, secret in tokens.items():
            kept.append(
                Token(name=name, role=Role.RECORDER, sha256=digest_of(secret), made=datetime.now(UTC))
            )
    return Archive(tokens["attacker"], tokens["victim"], long, short, files, played)


def _header(game: str) -> MatchHeader:
    about = find_game(GameKey(game)).about
    setup = Setup(about.editions[-1].key, _SEATS, about.components[0].name, Draws.UNRECORDED)
    return MatchHeader(GameKey(game), setup)


def _new_match(log: Log, game: str) -> MatchId:
    return Ledger(log).start(_header(game), f"load {game}").entry.match


def random_moves(game: str) -> list[entries.Move]:
    """The moves of a random playing of a game, as far as a request takes them."""
    chance = Random(1)  # noqa: S311 - the same moves in every run
    state, moves = find_game(GameKey(game)).start(_header(game).setup), list[entries.Move]()
    while len(moves) < MAX_MOVES_PER_REQUEST - 1 and (awaited := state.awaiting()):
        chosen = chance.choice(list(islice(state.legal_moves(awaited[0]), _CONSIDERED)))
        encoded = entries.EncodedMove(actor=actor_message(chosen.actor, _SEATS), data=chosen.data)
        moves.append(entries.Move(encoded=encoded))
        verdict = state.judge(chosen)
        if isinstance(verdict, Illegal):
            raise TypeError("a listed move is illegal")
        state = verdict.after
    return moves


def _fill(log: Log, length: int) -> MatchId:
    """A match in which the same move is made and taken back again and again."""
    ledger = Ledger(MemoryLog())  # without a disk, and then written at once
    setup = Setup(EditionKey("qin/1"), ("green", "violet"), "bird", Draws.UNRECORDED)
    header = MatchHeader(GameKey("qin"), setup, RetractPolicy.ARBITER)
    match = ledger.start(header, f"load {length}").entry.match
    sequence = 0
    while sequence < length:
        candidate = ledger.current(match).state.parse_text(_MOVES[0])
        ledger.append(match, sequence, f"m{sequence}", candidate)
        judged = judge_retract(
            ledger, match, sequence + 1, f"r{sequence}", ARBITER, Retraction(0, "load"), signature=b""
        )
        if isinstance(judged, PreparedAppend):
            ledger.store(judged)
        sequence += 2
    log.write([Append(match, NEW, tuple(ledger.read(match)))])
    return match


def heavy_requests(method: str, archive: Archive, match: str) -> list[Message]:
    """Requests of different sizes and shapes about a match; the same ones in the same order for any match."""
    make = _SHAPES.get(method)
    return [_generic(method, match)] if make is None else make(archive, match)


def http_requests(archive: Archive) -> Mapping[str, bytes]:
    """Requests in JSON, by method: long bodies, long answers, and streams as lines."""
    requests: dict[str, Message] = {
        "ImportRecord": _imports(archive, archive.long)[-1],
        "AppendMoves": _append_moves(archive, archive.long)[-1],
        "CheckMove": _check(archive, archive.long)[0],
        "ListMatches": pb.ListMatchesRequest(page_size=500),
        "ExportRecord": pb.ExportRecordRequest(match_id=archive.long, format=pb.RECORD_FORMAT_RECORD),
        "ReadRecord": pb.ReadRecordRequest(match_id=archive.long),
    }
    return {method: to_json(request) for method, request in requests.items()}


def _generic(method: str, match: str) -> Message:
    """A request with every text as long as it may be."""
    request = GetMessageClass(DESCRIPTOR.methods_by_name[method].input_type)()
    for field in request.DESCRIPTOR.fields:
        if field.name == "match_id":
            setattr(request, field.name, match)
        elif field.name == "request_id":
            setattr(request, field.name, "x" * 200)
        elif field.name in {"reason", "claim", "decision"}:
            setattr(request, field.name, "x" * 1000)
        elif field.name in {"salt", "digest", "commitment", "share"}:
            setattr(request, field.name, bytes(32))
        elif field.name == "move":
            getattr(request, field.name).text = _MOVES[0]
    return request


def _long_transcripts() -> list[str]:
    return [
        _TRANSCRIPT + "; comment\n" * MAX_TRANSCRIPT_COMMENTS,
        _TRANSCRIPT + "".join(f'[T{number} "\\"\\\\"]\n' for number in range(MAX_TRANSCRIPT_TAGS - 5)),
        _TRANSCRIPT + f'[Rulings "{" ".join(f"a{number}=b" for number in range(50_000))}"]\n',
        _TRANSCRIPT + "; " + "x" * 1_000_000,
    ]


def _positions() -> list[pb.PositionLine]:
    return [
        pb.PositionLine(game=game, line=line)
        for game in ("qin", "khan", "zhanguo", "great-wall")
        for line in ("a " * 65_000, "a" * 130_000, "1=" * 65_000)
    ]


def _start(_: Archive, __: str) -> list[Message]:
    seats, request_id = ["green", "violet"], "x" * 150
    return [
        pb.StartMatchRequest(request_id=request_id, game="qin", seats=seats, components=_WIDE_MAP),
        pb.StartMatchRequest(request_id=f"{request_id}2", game="qin", seats=seats, chance=pb.CHANCE_SERVICE),
        pb.StartMatchRequest(
            request_id=request_id, game="qin", seats=seats, components="map:" + "." * 65_000
        ),
        pb.StartMatchRequest(request_id=request_id, game="khan", seats=seats, components="x\n" * 32_000),
    ]


def _append_moves(archive: Archive, match: str) -> list[Message]:
    return [
        # All but the last move are judged, and nothing is stored.
        *(
            pb.AppendMovesRequest(
                match_id=started, request_id="x", moves=[*moves[: MAX_MOVES_PER_REQUEST - 1], moves[0]]
            )
            for started, moves in archive.played.items()
        ),
        *(
            pb.AppendMovesRequest(
                match_id=match,
                expected_sequence=(1 << 63),
                request_id="x",
                moves=[entries.Move(text=text)] * count,
            )
            for text in (_MOVES[0], "x" * 4000)
            for count in (1, MAX_MOVES_PER_REQUEST)
        ),
    ]


def _check(_: Archive, match: str) -> list[Message]:
    move = entries.Move(text=_MOVES[0])
    return [
        *(pb.CheckMoveRequest(transcript=text, move=move) for text in _long_transcripts()),
        *(pb.CheckMoveRequest(position=position, move=move) for position in _positions()),
        pb.CheckMoveRequest(stored=pb.MatchAt(match_id=match, sequence=SHORT_ENTRIES // 2 + 1), move=move),
    ]


def _list_moves(_: Archive, match: str) -> list[Message]:
    return [
        *(pb.ListLegalMovesRequest(transcript=text) for text in _long_transcripts()),
        pb.ListLegalMovesRequest(stored=pb.MatchAt(match_id=match), page_size=10_000),
        pb.ListLegalMovesRequest(transcript=_TRANSCRIPT.replace("bird", _WIDE_MAP), page_size=10_000),
    ]


def _states(_: Archive, match: str) -> list[Message]:
    return [
        pb.GetStateRequest(match_id=match, sequence=sequence, with_drawing=pictures, with_svg=pictures)
        for sequence in (0, SHORT_ENTRIES // 2 + 1)
        for pictures in (False, True)
    ]


def _imports(archive: Archive, match: str) -> list[Message]:
    contents = [*(text.encode() for text in _long_transcripts()), archive.file[match]]
    return [pb.ImportRecordRequest(content=content[: 4 * 1024 * 1024 - 100]) for content in contents]


def _exports(_: Archive, match: str) -> list[Message]:
    formats = pb.RECORD_FORMAT_TRANSCRIPT, pb.RECORD_FORMAT_RECORD
    return [pb.ExportRecordRequest(match_id=match, format=each) for each in formats]


_SHAPES: Final[Mapping[str, Callable[[Archive, str], list[Message]]]] = {
    "StartMatch": _start,
    "AppendMoves": _append_moves,
    "CheckMove": _check,
    "ListLegalMoves": _list_moves,
    "GetState": _states,
    "ListMatches": lambda _, __: [pb.ListMatchesRequest(page_size=500)],
    "ImportRecord": _imports,
    "ExportRecord": _exports,
    "FollowArchive": lambda _, __: [pb.FollowArchiveRequest()],
    "AuditArchive": lambda _, __: [
        pb.AuditArchiveRequest(since_position=since, with_verified=True) for since in (0, 1)
    ],
    "CompareRecords": lambda _, match: [
        pb.CompareRecordsRequest(
            one=pb.ComparedRecord(match_id=match), other=pb.ComparedRecord(match_id=match)
        )
    ],
    "GetInclusionProof": lambda _, match: [pb.GetInclusionProofRequest(place=pb.EntryPlace(match_id=match))],
    "Play": lambda _, match: [
        pb.PlayRequest(append=pb.AppendMoveRequest(match_id=match, move=entries.Move(text="x" * 4000)))
    ],
}
"""Shapes of methods whose cost depends on more than the length of the record and of texts."""
