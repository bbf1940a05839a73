"""The methods of the service, grouped by purpose; method_table.py says which function answers which.

A function gets the resources of the server, the caller and the request; what it raises is mapped to a status
by error_mapping.py. May import the service but `rpc`, `server` and `http`. Start at append.py.
"""
