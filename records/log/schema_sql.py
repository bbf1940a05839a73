"""What marks an archive file, and the SQL of its migrations. What was released is never changed."""

from typing import Final

APPLICATION_ID: Final = int.from_bytes(b"Shij")
"""The application id in the header of every archive file: 'Shij' in ASCII."""

TABLES_1: Final = """
CREATE TABLE match (
    number INTEGER PRIMARY KEY, -- from 1, in the order in which the matches began
    id TEXT NOT NULL UNIQUE,
    game TEXT NOT NULL,         -- all from here on is told from entry 0, for listings
    edition TEXT NOT NULL,
    seats TEXT NOT NULL,        -- a JSON array of names, in turn order
    started INTEGER NOT NULL    -- microseconds since 1970, UTC
) STRICT;

CREATE TABLE entry (
    position INTEGER PRIMARY KEY CHECK (position > 0), -- in the archive, from 1, without gaps
    match INTEGER NOT NULL REFERENCES match (number),
    sequence INTEGER NOT NULL CHECK (sequence >= 0),   -- in the match, from 0 (the header), without gaps
    kind INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 255),         -- 0 header, 1 move, 2 retract, …
    actor INTEGER NOT NULL CHECK (actor BETWEEN -32768 AND 32767), -- a seat from 0; -1 chance, -2 the arbiter
    move BLOB NOT NULL,                                -- what was asked: a protobuf message
    events BLOB NOT NULL,                              -- what it caused: a protobuf message
    state BLOB NOT NULL,                               -- the digest of the state after it
    request TEXT NOT NULL,                             -- the caller's id for it
    recorded INTEGER NOT NULL,                         -- microseconds since 1970, UTC
    previous BLOB NOT NULL CHECK (length(previous) = 32), -- the hash of the entry before it in the match
    hash BLOB NOT NULL CHECK (length(hash) = 32),
    signature BLOB NOT NULL DEFAULT (zeroblob(0)),     -- by the actor's key, where the match has one for him
    secret BLOB NOT NULL DEFAULT (zeroblob(0)),        -- what not everybody may see of it
    UNIQUE (match, sequence),
    UNIQUE (match, request),
    CHECK ((kind = 0) = (sequence = 0))                -- the header is entry 0, and no other is
) STRICT;

-- Who people are: the only rows that are ever deleted. Records hold commitments under these keys.
CREATE TABLE person (
    id TEXT PRIMARY KEY,
    key BLOB NOT NULL CHECK (length(key) = 32)
) STRICT;

CREATE TABLE personal (
    commitment BLOB PRIMARY KEY CHECK (length(commitment) = 32),
    person TEXT NOT NULL REFERENCES person (id),
    field TEXT NOT NULL,
    value TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX entry_start_request ON entry (request) WHERE sequence = 0;
"""

# The BEFORE INSERT triggers check for everything that INSERT OR REPLACE would replace, because a connection
# of another program without recursive_triggers fires no DELETE trigger for replaced rows.
GUARDS_1: Final = """
CREATE TRIGGER match_inserted BEFORE INSERT ON match
WHEN NEW.number IS NOT 1 + (SELECT coalesce(max(number), 0) FROM match)
    OR EXISTS (SELECT 1 FROM match WHERE id = NEW.id)
BEGIN
    SELECT RAISE(ABORT, 'matches are numbered without gaps and begin once');
END;

CREATE TRIGGER match_updated BEFORE UPDATE ON match
BEGIN
    SELECT RAISE(ABORT, 'a match is never changed');
END;

CREATE TRIGGER match_deleted BEFORE DELETE ON match
BEGIN
    SELECT RAISE(ABORT, 'a match is never deleted');
END;

CREATE TRIGGER entry_inserted BEFORE INSERT ON entry
WHEN NEW.position IS NOT 1 + (SELECT coalesce(max(position), 0) FROM entry)
    OR EXISTS (SELECT 1 FROM entry WHERE match = NEW.match AND request = NEW.request)
    OR CASE NEW.sequence
        WHEN 0 THEN NEW.previous IS NOT zeroblob(32)
            OR EXISTS (SELECT 1 FROM entry WHERE match = NEW.match)
            OR EXISTS (SELECT 1 FROM entry WHERE sequence = 0 AND request = NEW.request)
        ELSE (NEW.sequence, NEW.previous) IS NOT (
            SELECT sequence + 1, hash FROM entry WHERE match = NEW.match ORDER BY sequence DESC LIMIT 1
        )
    END
BEGIN
    SELECT RAISE(ABORT, 'entries are only appended, chained and without gaps; a request id is used once');
END;

CREATE TRIGGER entry_updated BEFORE UPDATE ON entry
BEGIN
    SELECT RAISE(ABORT, 'an entry is never changed');
END;

CREATE TRIGGER entry_deleted BEFORE DELETE ON entry
BEGIN
    SELECT RAISE(ABORT, 'an entry is never deleted');
END;
"""

VIEWS_1: Final = """
CREATE VIEW readable_match AS
SELECT
    match.number,
    match.id AS match,
    game,
    edition,
    seats,
    strftime('%Y-%m-%dT%H:%M:%S', started / 1000000, 'unixepoch')
        || printf('.%06dZ', started % 1000000) AS started,
    (SELECT max(sequence) FROM entry WHERE entry.match = match.number) AS last_sequence
FROM match;

CREATE VIEW readable_entry AS
SELECT
    position,
    match.id AS match,
    sequence,
    CASE kind
        WHEN 0 THEN 'header'
        WHEN 1 THEN 'move'
        WHEN 2 THEN 'retract'
        WHEN 3 THEN 'rotate key'
        WHEN 4 THEN 'seal'
        WHEN 5 THEN 'reveal share'
        WHEN 6 THEN 'unseal'
        WHEN 7 THEN 'open dispute'
        WHEN 8 THEN 'resolve dispute'
        WHEN 9 THEN 'request takeback'
        WHEN 10 THEN 'grant takeback'
        WHEN 11 THEN 'commit share'
        ELSE 'kind ' || kind
    END AS kind,
    CASE actor
        WHEN -1 THEN 'chance'
        WHEN -2 THEN 'arbiter'
        ELSE coalesce(json_extract(seats, '$[' || actor || ']'), 'seat ' || actor)
    END AS actor,
    lower(hex(move)) AS move,
    lower(hex(events)) AS events,
    lower(hex(state)) AS state,
    request,
    strftime('%Y-%m-%dT%H:%M:%S', recorded / 1000000, 'unixepoch')
        || printf('.%06dZ', recorded % 1000000) AS recorded,
    lower(hex(previous)) AS previous,
    lower(hex(hash)) AS hash,
    lower(hex(signature)) AS signature
FROM entry JOIN match ON match.number = entry.match;
"""

# A default of (zeroblob(0)), as other columns have it, is refused by ADD COLUMN: it is no constant. What is
# written here becomes part of the stored text of the tables, so it has no comments.
COLUMNS_2: Final = """
ALTER TABLE entry ADD COLUMN
concealed BLOB NOT NULL DEFAULT x'' CHECK (length(concealed) = 0 OR length(concealed) % 41 = 1);

ALTER TABLE match ADD COLUMN copy INTEGER NOT NULL DEFAULT 0 CHECK (copy IN (0, 1));
"""

VIEWS_2: Final = """
DROP VIEW readable_entry;

CREATE VIEW readable_entry AS
SELECT
    position,
    match.id AS match,
    sequence,
    CASE kind
        WHEN 0 THEN 'header'
        WHEN 1 THEN 'move'
        WHEN 2 THEN 'retract'
        WHEN 3 THEN 'rotate key'
        WHEN 4 THEN 'seal'
        WHEN 5 THEN 'reveal share'
        WHEN 6 THEN 'unseal'
        WHEN 7 THEN 'open dispute'
        WHEN 8 THEN 'resolve dispute'
        WHEN 9 THEN 'request takeback'
        WHEN 10 THEN 'grant takeback'
        WHEN 11 THEN 'commit share'
        WHEN 12 THEN 'choose'
        WHEN 13 THEN 'open choice'
        WHEN 14 THEN 'reveal choices'
        WHEN 15 THEN 'answer for'
        WHEN 16 THEN 'close'
        ELSE 'kind ' || kind
    END AS kind,
    CASE actor
        WHEN -1 THEN 'chance'
        WHEN -2 THEN 'arbiter'
        ELSE coalesce(json_extract(seats, '$[' || actor || ']'), 'seat ' || actor)
    END AS actor,
    lower(hex(move)) AS move,
    lower(hex(events)) AS events,
    lower(hex(state)) AS state,
    request,
    strftime('%Y-%m-%dT%H:%M:%S', recorded / 1000000, 'unixepoch')
        || printf('.%06dZ', recorded % 1000000) AS recorded,
    lower(hex(previous)) AS previous,
    lower(hex(hash)) AS hash,
    lower(hex(signature)) AS signature,
    lower(hex(concealed)) AS concealed
FROM entry JOIN match ON match.number = entry.match;
"""

# The root comes first: reading it alone does not touch the pages with the hashes.
CHECKPOINTS_4: Final = """
CREATE TABLE checkpoint (
    size INTEGER PRIMARY KEY CHECK (size >= 0), -- entries that it covers
    note TEXT NOT NULL                          -- the signed note, byte for byte
) STRICT;

CREATE TRIGGER checkpoint_updated BEFORE UPDATE ON checkpoint
BEGIN
    SELECT RAISE(ABORT, 'a checkpoint is never changed');
END;

CREATE TRIGGER checkpoint_deleted BEFORE DELETE ON checkpoint
BEGIN
    SELECT RAISE(ABORT, 'a checkpoint is never deleted');
END;
"""

TILES_3: Final = """
CREATE TABLE tile (
    level INTEGER NOT NULL CHECK (level BETWEEN 0 AND 7),
    number INTEGER NOT NULL CHECK (number >= 0),       -- in its level, from 0, without gaps
    root BLOB NOT NULL CHECK (length(root) = 32),      -- the hash over all of its hashes
    hashes BLOB NOT NULL CHECK (length(hashes) = 8192), -- 256, each of a full subtree of 256^level entries
    PRIMARY KEY (level, number)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER tile_inserted BEFORE INSERT ON tile
WHEN NEW.number IS NOT 1 + (SELECT coalesce(max(number), -1) FROM tile WHERE level = NEW.level)
BEGIN
    SELECT RAISE(ABORT, 'tiles are stored once, in order and without gaps');
END;

CREATE TRIGGER tile_updated BEFORE UPDATE ON tile
BEGIN
    SELECT RAISE(ABORT, 'a tile is never changed');
END;

CREATE TRIGGER tile_deleted BEFORE DELETE ON tile
BEGIN
    SELECT RAISE(ABORT, 'a tile is never deleted');
END;
"""
