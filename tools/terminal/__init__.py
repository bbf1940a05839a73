"""Input and output of the commands: styled lines, keys, progress bars, files, options.

Imports the records, the client and click, and no command; only stepper.py imports tools.report. rich takes
long to import, so it is loaded only for a terminal. Start at output.py.
"""
