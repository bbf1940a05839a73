"""File formats: transcripts, record files and key files.

Only formats: what a file says is judged in `records.audit`. `transcript` is the text form (with `tags` and
`comments`), `record_file` the complete JSON Lines form, `key_file` a secret key. Imports games and replay,
never a log. Start at transcript.py.
"""
