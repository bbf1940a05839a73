"""The use cases over a log and the games: start, append, check, import, export. Start at ledger.py."""
