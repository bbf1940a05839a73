"""Reading and writing in a terminal: styles, keys, progress, files."""
