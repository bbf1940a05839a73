"""Records of matches: writing, storing, reading, auditing and proving them.

The packages, low to high (a contract in pyproject.toml enforces the order; a package imports only those
above it in this list):

- `entry`: an entry of a record and the hash chain
- `evidence`: signatures, sealed orders, Merkle proofs, checkpoints
- `codec`: between the values of games and records and their protobuf bytes
- `games`: the registry of games, and game states without their types
- `verdict`: what an audit returns
- `log`: where entries are stored; `replay`: from entries to the state of a match
- `files`: file formats
- `audit`: audits and comparisons
- `index`: what an archive holds, derived and dispensable
- `ledger`: the use cases

Records know games only through the registry, and neither gRPC nor HTTP. Start at ledger/ledger.py for what
the service does with a record, at replay/fold.py for what a record means.
"""
