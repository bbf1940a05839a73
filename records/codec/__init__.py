"""Encoders and decoders between values and the protobuf bytes in a record.

The only package of records that imports generated code. `shape` is what each game's codec provides, `wire`
parses strictly, `header` and `evidence` handle the entries that are the same in every game, `qin` and `khan`
the moves, events and state digests of those games. Start at shape.py.
"""
