"""Cryptographic evidence for records: signatures, sealed orders, Merkle proofs, checkpoints and witnesses.

Pure: no I/O, no clock, no randomness, so that everything can be checked from a file alone. Imports only
`records.entry` and the rules' kernel. docs/evidence.md defines the formats. Start at signing.py for entries,
sealing.py for draws, merkle.py and checkpoint.py for the log.
"""
