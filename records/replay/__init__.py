"""From the entries of a record to the state of its match, without judging the moves.

`fold` rebuilds a match; `guards` checks signatures, `seals`, `disputes` and `choices`; `entry_rules` are who
may make which entry; `disclosure` is what a viewer sees of one, `concealing` makes its parts, `sealed_draws`
its draws, `deriving` both from the seed; `policies` are what a header allows; `wording` describes entries.
Imports games, codecs and evidence, never a log: entries are passed in. Start at fold.py.
"""
