"""Tools for developers of the project; not installed with it.

May import everything, tests included. Start at parts.py, which runs `make test`; bench/ measures, golden*.py
write the golden files, and protos.py, sync_client.py and errors_page.py generate code and pages.
"""
