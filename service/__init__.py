"""The gRPC server over the records. May import records and rules; knows no game by name, and no SQL.

Start at rpc.py, the life of a call, and method_table.py, which function answers which method.
"""
