"""Audits of a record, a file, a bundle and an archive; comparison of two records. Start at record.py."""
