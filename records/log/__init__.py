"""Storage: the contract of an append-only log, and its engines.

`contract` is what everything above relies on; `memory`, `sqlite` and `postgres` implement it (`sqlite_*` and
`schema` belong to the second); `listing` is a row of the list of matches, `people` the
register of personal data beside the log, `tree` the Merkle tree over all entries. Imports entries, codecs and
evidence, no game and no replay. Start at contract.py.
"""
