"""Self-contained HTML pages: a record to step through, or two records side by side.

Imports tools.report and tools.terminal, and no command. Start at page.py; page.js and page.css are embedded
in every page.
"""
