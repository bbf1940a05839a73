"""An archive in PostgreSQL, which any number of servers share.

Start with `log` (the storage contract), `migrations` (the tables) and `sequencer` (which numbers entries).
Needs psycopg, which the extra `shiji[postgres]` installs; nothing else imports this package unless an
archive is given by a postgresql:// address.
"""
