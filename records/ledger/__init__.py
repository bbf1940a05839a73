"""The use cases over a log and the games: start a match, append to it, take back, import and export.

`ledger` has the use cases and judges what is appended, `notices` and `choices` those that are no open moves;
`builder` makes the entries of one request, `choosing` those of sealed choices; `reading` and `cache` lead to
earlier states, `opening` makes the first entry, `dealer` has what the service shuffles by, `repeats`
recognizes repeated requests, `results` are what the ledger returns and raises, `transfer` moves records
between files and a log, `redaction` leaves out what may not be seen.
May import everything in records. Start at ledger.py.
"""
