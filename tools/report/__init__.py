"""Reports on files, bundles and checkpoints, as lines of text and as JSON.

Imports the records and tools.terminal, and no command. Start at file_verdict.py, which judges a file, and
file_report.py, which describes the verdict; steps.py divides a judged record into steps for `show`, `replay`
and the pages.
"""
