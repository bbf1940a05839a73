"""An archive in PostgreSQL, which any number of servers share.

`log` implements the storage contract, `migrations` makes the tables, `sequencer` numbers entries. Start at
log.py.
Needs psycopg, which the extra `shiji[postgres]` installs; nothing else imports this package unless an
archive is given by a postgresql:// address.
"""
