"""The use cases over a log and the games: start a match, append to it, take back, import and export.

`ledger` has the use cases and judges what is appended, `builder` makes the entries of one request, `cache`
keeps current states, `opening` makes the first entry, `results` are what the ledger returns and raises,
`transfer` moves records between files and a log. May import everything in records. Start at ledger.py.
"""
