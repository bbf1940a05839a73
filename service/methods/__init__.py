"""The methods of the service, grouped by purpose; method_table.py says which function answers which."""
