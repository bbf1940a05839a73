"""Entries and appends for tests of logs, and a check that a log is complete."""

from collections import defaultdict
from collections.abc import Sequence

from records.codec.header import encode_header
from records.entry import GENESIS, Entry, EntryKind, MatchHeader, MatchId, entry_hash, with_hash
from records.log.contract import NEW, Append, AppendRejected, Log
from rules.kernel.edition import EditionKey
from rules.kernel.setup import GameKey, Setup

HEADER = encode_header(
    MatchHeader(
        GameKey("qin"), Setup(EditionKey("qin/1"), ("green", "violet"), "bird"), tags=(("Place", "史"),)
    )
)
NOON = 1_700_000_000_123_456
"""14 November 2023, 22:13:20.123456 UTC."""


def entry(  # noqa: PLR0913 - each of them matters to some test
    match: str,
    sequence: int,
    previous: bytes = GENESIS,
    *,
    request: str = "",
    move: bytes = b"",
    actor: int = 0,
    kind: int = EntryKind.MOVE,
    concealed: bytes = b"",
) -> Entry:
    """An entry that is chained to another; fields that are not given are derived from its number."""
    header = sequence == 0
    return with_hash(
        Entry(
            match=MatchId(match),
            sequence=sequence,
            kind=EntryKind.HEADER if header else kind,
            actor=-2 if header else actor,
            move=move or (HEADER if header else b"move %d" % sequence),
            events=b"" if header else b"what entry %d caused" % sequence,
            state=b"%032d" % sequence,
            request=request or f"{match}/{sequence}",
            recorded=NOON + sequence,
            previous=previous,
            concealed=concealed,
        )
    )


class RecordWriter:
    """Writes the record of one match, and knows how far it is."""

    def __init__(self, match: str) -> None:
        self.match = MatchId(match)
        self.sequence = NEW
        self.hash = GENESIS

    def next(self, count: int = 1, *, request: str = "", move: bytes = b"", actor: int = 0) -> Append:
        """The next entries; the writer continues after them only once `done` was called."""
        entries: list[Entry] = []
        for number in range(count):
            previous = entries[-1].hash if entries else self.hash
            entries.append(
                entry(
                    self.match,
                    self.sequence + 1 + number,
                    previous,
                    request=request and f"{request}{'+' * number}",
                    move=move,
                    actor=actor,
                )
            )
        return Append(self.match, self.sequence, tuple(entries))

    def done(self, append: Append) -> None:
        """Note that the log has stored the append."""
        self.sequence = append.entries[-1].sequence
        self.hash = append.entries[-1].hash

    def write(self, log: Log, count: int = 1, *, request: str = "", move: bytes = b"") -> tuple[Entry, ...]:
        """The next entries, as the log has stored them."""
        append = self.next(count, request=request, move=move)
        stored = only(log.write([append]))
        self.done(append)
        return stored


def only(answers: Sequence[tuple[Entry, ...] | AppendRejected]) -> tuple[Entry, ...]:
    """The only result, which must not be a refusal."""
    (answer,) = answers
    assert not isinstance(answer, AppendRejected), answer
    return answer


def refusal(answers: Sequence[tuple[Entry, ...] | AppendRejected]) -> AppendRejected:
    """The only result, which must be a refusal."""
    (answer,) = answers
    assert isinstance(answer, AppendRejected), answer
    return answer


def whole(log: Log) -> dict[MatchId, list[Entry]]:
    """All records of the log, after checking every number, every link and every hash."""
    records: dict[MatchId, list[Entry]] = defaultdict(list)
    for position, stored in enumerate(log.archive(), start=1):
        record = records[stored.match]
        assert stored.position == position
        assert stored.sequence == len(record)
        assert stored.previous == (record[-1].hash if record else GENESIS)
        assert stored.hash == entry_hash(stored)
        record.append(stored)
    for match, record in records.items():
        assert list(log.read(match)) == record
        assert len({stored.request for stored in record}) == len(record)
    assert list(log.matches()) == list(records)
    assert log.last_position() == sum(map(len, records.values()))
    assert log.flaws() == ()
    return dict(records)
