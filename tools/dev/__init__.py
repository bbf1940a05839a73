"""Commands for people who work on the project; not installed with it."""
