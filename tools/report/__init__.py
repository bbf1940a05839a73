"""Reports on files, bundles and checkpoints, as lines of text and as JSON.

Imports the records and tools.terminal, and no command. Start at file_report.py, which judges a file and
describes the verdict; steps.py divides a judged record into steps for `show`, `replay` and the pages.
"""
