"""From the entries of a record to the state of its match, without judging the moves.

`fold` rebuilds a match; `guards` checks signatures, seals and disputes (with `sealed_draws` and `disputes`);
`policies` are what a header allows; `wording` describes entries in words. Imports games, codecs and evidence,
never a log: entries are passed in. Start at fold.py.
"""
