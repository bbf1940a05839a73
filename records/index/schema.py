"""The tables of an index file, and the views of it that people read."""

from typing import Final

from records.entry import EntryKind
from records.index.values import AuditState, PlayState

APPLICATION_ID: Final = int.from_bytes(b"Shix")
"""The application id in the header of every index file: 'Shix' in ASCII."""

INDEX_VERSION: Final = 1
"""The version of the tables. A file of any other version is dropped: everything in it can be made again."""

ORDERS: Final = {
    (): "match_by_start",
    ("game",): "match_by_game",
    ("state",): "match_by_state",
    ("audit",): "match_by_audit",
    ("game", "state"): "match_by_game_state",
    ("game", "audit"): "match_by_game_audit",
    ("state", "audit"): "match_by_state_audit",
    ("game", "state", "audit"): "match_by_all",
}
"""For every set of columns with few different values, the index that has its matches in order."""

_TABLES: Final = """
CREATE TABLE about (
    name TEXT PRIMARY KEY,
    value
) WITHOUT ROWID;

CREATE TABLE match (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    game TEXT NOT NULL,
    state INTEGER NOT NULL,
    audit INTEGER NOT NULL,
    started INTEGER NOT NULL,    -- microseconds since 1970, UTC
    stale INTEGER NOT NULL,      -- 1 if it has entries that the row does not cover
    touched INTEGER NOT NULL,    -- the position of the archive at which it was last found to be stale
    described INTEGER NOT NULL,  -- the last entry that is in words in table entry; -1 if none is
    sequence INTEGER NOT NULL,
    active INTEGER NOT NULL,     -- microseconds since 1970, UTC
    words TEXT NOT NULL,         -- as IndexedMatch has them
    edition TEXT NOT NULL,       -- from here to audited: for people, see readable_match
    seats TEXT NOT NULL,
    winners TEXT NOT NULL,
    turn TEXT NOT NULL,
    tags TEXT NOT NULL,
    damage TEXT NOT NULL,
    audited_entries INTEGER,
    audited INTEGER,
    row BLOB NOT NULL,           -- the row itself, as MessagePack
    sum INTEGER NOT NULL         -- CRC-32 of it
) STRICT;

CREATE TABLE seat (
    name TEXT NOT NULL,
    started INTEGER NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (name, started, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE word (
    word TEXT NOT NULL,
    started INTEGER NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (word, started, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE tally (
    game TEXT NOT NULL,
    state INTEGER NOT NULL,
    audit INTEGER NOT NULL,
    matches INTEGER NOT NULL,
    PRIMARY KEY (game, state, audit)
) STRICT, WITHOUT ROWID;

CREATE TABLE entry (
    number INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    position INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    actor TEXT NOT NULL,
    move TEXT NOT NULL,
    events TEXT NOT NULL,
    recorded INTEGER NOT NULL,   -- microseconds since 1970, UTC
    PRIMARY KEY (number, sequence)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX match_by_id ON match (id, started);
CREATE INDEX match_stale ON match (started, number) WHERE stale;
CREATE INDEX match_undescribed ON match (active) WHERE described < sequence AND NOT stale;

CREATE TRIGGER match_counted AFTER INSERT ON match
BEGIN
    INSERT INTO tally VALUES (NEW.game, NEW.state, NEW.audit, 1)
    ON CONFLICT DO UPDATE SET matches = matches + 1;
END;

CREATE TRIGGER match_recounted AFTER UPDATE OF game, state, audit ON match
WHEN (OLD.game, OLD.state, OLD.audit) IS NOT (NEW.game, NEW.state, NEW.audit)
BEGIN
    UPDATE tally SET matches = matches - 1
    WHERE (game, state, audit) = (OLD.game, OLD.state, OLD.audit);
    INSERT INTO tally VALUES (NEW.game, NEW.state, NEW.audit, 1)
    ON CONFLICT DO UPDATE SET matches = matches + 1;
END;
"""


def _time(column: str) -> str:
    """A column of microseconds since 1970 as ISO 8601."""
    return (
        f"strftime('%Y-%m-%dT%H:%M:%S', {column} / 1000000, 'unixepoch')"
        f" || printf('.%06dZ', {column} % 1000000)"
    )


def _words(column: str, words: dict[int, str]) -> str:
    cases = " ".join(f"WHEN {number} THEN '{word}'" for number, word in words.items())
    return f"CASE {column} {cases} END"


_VIEWS: Final = f"""
CREATE VIEW readable_match AS
SELECT
    number,
    id AS match,
    game,
    edition,
    seats,
    {_time("started")} AS started,
    {_words("state", {each.value: each.word for each in PlayState})} AS state,
    winners,
    turn,
    sequence AS entries,
    {_time("active")} AS last_activity,
    {_words("audit", {each.value: each.word for each in AuditState})} AS audit,
    audited_entries,
    CASE WHEN audited IS NOT NULL THEN {_time("audited")} END AS audited,
    tags,
    damage
FROM match;

CREATE VIEW readable_entry AS
SELECT
    entry.position,
    match.id AS match,
    entry.sequence,
    {_words("entry.kind", {each.value: each.name.lower().replace("_", " ") for each in EntryKind})} AS kind,
    entry.actor,
    entry.move,
    entry.events,
    {_time("entry.recorded")} AS recorded
FROM entry JOIN match USING (number);
"""


def _orders() -> str:
    return "\n".join(
        f"CREATE INDEX {name} ON match ({', '.join((*columns, 'started', 'number'))});"
        for columns, name in ORDERS.items()
    )


SCRIPT: Final = f"{_TABLES}\n{_orders()}\n{_VIEWS}"
"""Makes the tables in an empty file."""
