"""The gRPC server over the records. May import records and rules; knows no game by name, and no SQL.

Start at rpc.py: the table of methods and the life of a call.
"""
