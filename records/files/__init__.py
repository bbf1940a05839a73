"""File formats: transcript, record file, key file. Start at transcript.py."""
