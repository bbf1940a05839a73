"""The server over the records: gRPC, and JSON and pages over HTTP (`http`).

`rpc` is the life of a call, `admission` its limits, `intake` the one queue in which requests are judged and
stored, `methods` what each method does, `feed` what followers get; `messages` decides in a match who may
act and see what. May import records, rules and generated code; knows no game by name, and no SQL. Start at
rpc.py, then method_table.py, which says which function answers which method.
"""
