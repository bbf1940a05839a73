"""Pages for a browser: a record to step through, or two of them side by side, each in one file."""
