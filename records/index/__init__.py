"""The index of an archive: its matches and their state, for lists and searches.

It is derived from the archive, in a file of its own, and can be dropped at any time. It is never evidence.
`index` keeps it up to date, `selection` answers queries, `summary` says what is kept of a match. May import
the log, replay and what is below them. Start at index.py.
"""
