"""The HTTP port: every method as JSON, the event stream of a match, and the pages."""
