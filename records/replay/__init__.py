"""From the entries of a record to the state of its match. Start at fold.py."""
