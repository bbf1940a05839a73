"""The schema that the migrations make, as PostgreSQL describes it; a test compares it with theirs."""

from collections.abc import Mapping
from typing import Final

EXPECTED: Final[Mapping[str, str]] = {
    "column checkpoint.note": "text NOT NULL",
    "column checkpoint.size": "bigint NOT NULL",
    "column entry.actor": "smallint NOT NULL",
    "column entry.concealed": "bytea NOT NULL",
    "column entry.events": "bytea NOT NULL",
    "column entry.hash": "bytea NOT NULL",
    "column entry.kind": "smallint NOT NULL",
    "column entry.match": "bigint NOT NULL",
    "column entry.move": "bytea NOT NULL",
    "column entry.previous": "bytea NOT NULL",
    "column entry.recorded": "bigint NOT NULL",
    "column entry.request": "bytea NOT NULL",
    "column entry.secret": "bytea NOT NULL",
    "column entry.sequence": "bigint NOT NULL",
    "column entry.signature": "bytea NOT NULL",
    "column entry.state": "bytea NOT NULL",
    "column fleet.log_key": "text",
    "column fleet.log_name": "text",
    "column fleet.one": "boolean NOT NULL default true",
    "column fleet.secret_fingerprint": "bytea",
    "column leaf.match": "bigint NOT NULL",
    "column leaf.position": "bigint NOT NULL",
    "column leaf.sequence": "bigint NOT NULL",
    "column listing.match": "bigint NOT NULL",
    "column listing.number": "bigint NOT NULL",
    "column match.copy": "boolean NOT NULL",
    "column match.id": "bytea NOT NULL",
    "column match.key": "bigint NOT NULL identity a",
    "column match.request": "bytea NOT NULL",
    "column migration.applied": "timestamp with time zone NOT NULL default now()",
    "column migration.name": "text NOT NULL",
    "column migration.number": "integer NOT NULL",
    "column owner.match": "bytea NOT NULL",
    "column owner.owner": "text NOT NULL",
    "column pending.id": "bigint NOT NULL identity a",
    "column pending.matches": "bigint[] NOT NULL",
    "column pending.sequences": "bigint[] NOT NULL",
    "column pending.since": "timestamp with time zone NOT NULL default clock_timestamp()",
    "column person.id": "text NOT NULL",
    "column person.key": "bytea NOT NULL",
    "column personal.commitment": "bytea NOT NULL",
    "column personal.field": "text NOT NULL",
    "column personal.person": "text NOT NULL",
    "column personal.value": "text NOT NULL",
    "column sequenced.matches": "bigint NOT NULL",
    "column sequenced.one": "boolean NOT NULL default true",
    "column sequenced.position": "bigint NOT NULL",
    "column tile.hashes": "bytea NOT NULL",
    "column tile.index": "bigint NOT NULL",
    "column tile.level": "smallint NOT NULL",
    "column tile.root": "bytea NOT NULL",
    "constraint checkpoint_pkey of table checkpoint": "PRIMARY KEY (size)",
    "constraint checkpoint_size_check of table checkpoint": "CHECK ((size >= 0))",
    "constraint entry_check of table entry": "CHECK (((kind = 0) = (sequence = 0)))",
    "constraint entry_concealed_check of table entry": (
        "CHECK (((length(concealed) = 0) OR ((length(concealed) % 41) = 1)))"
    ),
    "constraint entry_hash_check of table entry": "CHECK ((length(hash) = 32))",
    "constraint entry_kind_check of table entry": "CHECK (((kind >= 0) AND (kind <= 255)))",
    "constraint entry_match_fkey of table entry": "FOREIGN KEY (match) REFERENCES shiji.match(key)",
    "constraint entry_match_request_key of table entry": "UNIQUE (match, request)",
    "constraint entry_pkey of table entry": "PRIMARY KEY (match, sequence)",
    "constraint entry_previous_check of table entry": "CHECK ((length(previous) = 32))",
    "constraint entry_sequence_check of table entry": "CHECK ((sequence >= 0))",
    "constraint fleet_one_check of table fleet": "CHECK (one)",
    "constraint fleet_pkey of table fleet": "PRIMARY KEY (one)",
    "constraint fleet_secret_fingerprint_check of table fleet": ("CHECK ((length(secret_fingerprint) = 32))"),
    "constraint leaf_match_sequence_fkey of table leaf": (
        "FOREIGN KEY (match, sequence) REFERENCES shiji.entry(match, sequence)"
    ),
    "constraint leaf_match_sequence_key of table leaf": "UNIQUE (match, sequence)",
    "constraint leaf_pkey of table leaf": 'PRIMARY KEY ("position")',
    "constraint leaf_position_check of table leaf": 'CHECK (("position" > 0))',
    "constraint listing_match_fkey of table listing": "FOREIGN KEY (match) REFERENCES shiji.match(key)",
    "constraint listing_match_key of table listing": "UNIQUE (match)",
    "constraint listing_number_check of table listing": "CHECK ((number > 0))",
    "constraint listing_pkey of table listing": "PRIMARY KEY (number)",
    "constraint match_id_key of table match": "UNIQUE (id)",
    "constraint match_pkey of table match": "PRIMARY KEY (key)",
    "constraint match_request_key of table match": "UNIQUE (request)",
    "constraint migration_pkey of table migration": "PRIMARY KEY (number)",
    "constraint owner_pkey of table owner": "PRIMARY KEY (match)",
    "constraint pending_pkey of table pending": "PRIMARY KEY (id)",
    "constraint person_key_check of table person": "CHECK ((length(key) = 32))",
    "constraint person_pkey of table person": "PRIMARY KEY (id)",
    "constraint personal_commitment_check of table personal": "CHECK ((length(commitment) = 32))",
    "constraint personal_person_fkey of table personal": ("FOREIGN KEY (person) REFERENCES shiji.person(id)"),
    "constraint personal_pkey of table personal": "PRIMARY KEY (commitment)",
    "constraint sequenced_one_check of table sequenced": "CHECK (one)",
    "constraint sequenced_pkey of table sequenced": "PRIMARY KEY (one)",
    "constraint tile_hashes_check of table tile": "CHECK ((length(hashes) = 8192))",
    "constraint tile_index_check of table tile": "CHECK ((index >= 0))",
    "constraint tile_level_check of table tile": "CHECK (((level >= 0) AND (level <= 7)))",
    "constraint tile_pkey of table tile": "PRIMARY KEY (level, index)",
    "constraint tile_root_check of table tile": "CHECK ((length(root) = 32))",
    "function chain": "definer search_path=pg_catalog, pg_temp 7aee83e95b10dc7659a5b68309fcd443",
    "function refuse": "invoker search_path=pg_catalog, pg_temp 6542a42a4c6d92f6f66dcb894f9a3ae1",
    "grant to shiji_auditor on schema": "USAGE",
    "grant to shiji_auditor on table checkpoint": "SELECT",
    "grant to shiji_auditor on table entry": "SELECT",
    "grant to shiji_auditor on table fleet": "SELECT",
    "grant to shiji_auditor on table leaf": "SELECT",
    "grant to shiji_auditor on table listing": "SELECT",
    "grant to shiji_auditor on table match": "SELECT",
    "grant to shiji_auditor on table migration": "SELECT",
    "grant to shiji_auditor on table pending": "SELECT",
    "grant to shiji_auditor on table sequenced": "SELECT",
    "grant to shiji_auditor on table tile": "SELECT",
    "grant to shiji_sequencer on schema": "USAGE",
    "grant to shiji_sequencer on table checkpoint": "INSERT, SELECT",
    "grant to shiji_sequencer on table entry": "SELECT",
    "grant to shiji_sequencer on table fleet": "SELECT, UPDATE",
    "grant to shiji_sequencer on table leaf": "INSERT, SELECT",
    "grant to shiji_sequencer on table listing": "INSERT, SELECT",
    "grant to shiji_sequencer on table match": "SELECT",
    "grant to shiji_sequencer on table migration": "SELECT",
    "grant to shiji_sequencer on table pending": "DELETE, SELECT",
    "grant to shiji_sequencer on table sequenced": "SELECT, UPDATE",
    "grant to shiji_sequencer on table tile": "INSERT, SELECT",
    "grant to shiji_server on schema": "USAGE",
    "grant to shiji_server on table checkpoint": "SELECT",
    "grant to shiji_server on table entry": "INSERT, SELECT",
    "grant to shiji_server on table fleet": "SELECT",
    "grant to shiji_server on table leaf": "SELECT",
    "grant to shiji_server on table listing": "SELECT",
    "grant to shiji_server on table match": "INSERT, SELECT",
    "grant to shiji_server on table migration": "SELECT",
    "grant to shiji_server on table owner": "INSERT, SELECT",
    "grant to shiji_server on table pending": "SELECT",
    "grant to shiji_server on table person": "INSERT, SELECT",
    "grant to shiji_server on table personal": "INSERT, SELECT",
    "grant to shiji_server on table sequenced": "SELECT",
    "grant to shiji_server on table tile": "SELECT",
    "index shiji.checkpoint_pkey": (
        "CREATE UNIQUE INDEX checkpoint_pkey ON shiji.checkpoint USING btree (size)"
    ),
    "index shiji.entry_match_request_key": (
        "CREATE UNIQUE INDEX entry_match_request_key ON shiji.entry USING btree (match, request)"
    ),
    "index shiji.entry_pkey": ("CREATE UNIQUE INDEX entry_pkey ON shiji.entry USING btree (match, sequence)"),
    "index shiji.fleet_pkey": "CREATE UNIQUE INDEX fleet_pkey ON shiji.fleet USING btree (one)",
    "index shiji.leaf_match_sequence_key": (
        "CREATE UNIQUE INDEX leaf_match_sequence_key ON shiji.leaf USING btree (match, sequence)"
    ),
    "index shiji.leaf_pkey": 'CREATE UNIQUE INDEX leaf_pkey ON shiji.leaf USING btree ("position")',
    "index shiji.listing_match_key": (
        "CREATE UNIQUE INDEX listing_match_key ON shiji.listing USING btree (match)"
    ),
    "index shiji.listing_pkey": "CREATE UNIQUE INDEX listing_pkey ON shiji.listing USING btree (number)",
    "index shiji.match_id_key": "CREATE UNIQUE INDEX match_id_key ON shiji.match USING btree (id)",
    "index shiji.match_pkey": "CREATE UNIQUE INDEX match_pkey ON shiji.match USING btree (key)",
    "index shiji.match_request_key": (
        "CREATE UNIQUE INDEX match_request_key ON shiji.match USING btree (request)"
    ),
    "index shiji.migration_pkey": (
        "CREATE UNIQUE INDEX migration_pkey ON shiji.migration USING btree (number)"
    ),
    "index shiji.owner_pkey": "CREATE UNIQUE INDEX owner_pkey ON shiji.owner USING btree (match)",
    "index shiji.pending_pkey": "CREATE UNIQUE INDEX pending_pkey ON shiji.pending USING btree (id)",
    "index shiji.person_pkey": "CREATE UNIQUE INDEX person_pkey ON shiji.person USING btree (id)",
    "index shiji.personal_pkey": (
        "CREATE UNIQUE INDEX personal_pkey ON shiji.personal USING btree (commitment)"
    ),
    "index shiji.sequenced_pkey": ("CREATE UNIQUE INDEX sequenced_pkey ON shiji.sequenced USING btree (one)"),
    "index shiji.tile_pkey": "CREATE UNIQUE INDEX tile_pkey ON shiji.tile USING btree (level, index)",
    "sequence match_key_seq": "Sp",
    "sequence pending_id_seq": "Sp",
    "table checkpoint": "rp",
    "table entry": "rp",
    "table fleet": "rp",
    "table leaf": "rp",
    "table listing": "rp",
    "table match": "rp",
    "table migration": "rp",
    "table owner": "rp",
    "table pending": "rp",
    "table person": "rp",
    "table personal": "rp",
    "table sequenced": "rp",
    "table tile": "rp",
    "trigger append_only of table checkpoint": (
        "CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON shiji.checkpoint FOR "
        "EACH STATEMENT EXECUTE FUNCTION shiji.refuse()"
    ),
    "trigger append_only of table entry": (
        "CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON shiji.entry FOR EACH "
        "STATEMENT EXECUTE FUNCTION shiji.refuse()"
    ),
    "trigger append_only of table leaf": (
        "CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON shiji.leaf FOR EACH "
        "STATEMENT EXECUTE FUNCTION shiji.refuse()"
    ),
    "trigger append_only of table listing": (
        "CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON shiji.listing FOR EACH "
        "STATEMENT EXECUTE FUNCTION shiji.refuse()"
    ),
    "trigger append_only of table match": (
        "CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON shiji.match FOR EACH "
        "STATEMENT EXECUTE FUNCTION shiji.refuse()"
    ),
    "trigger append_only of table owner": (
        "CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON shiji.owner FOR EACH "
        "STATEMENT EXECUTE FUNCTION shiji.refuse()"
    ),
    "trigger append_only of table tile": (
        "CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON shiji.tile FOR EACH "
        "STATEMENT EXECUTE FUNCTION shiji.refuse()"
    ),
    "trigger chain of table entry": (
        "CREATE TRIGGER chain AFTER INSERT ON shiji.entry REFERENCING NEW TABLE AS added FOR EACH "
        "STATEMENT EXECUTE FUNCTION shiji.chain()"
    ),
}
"""Definitions by name. Run the test of the schema after a new migration: it prints what differs."""
