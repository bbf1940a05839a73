"""Audits: of a record, a transcript, a record file, a bundle and a whole archive; comparison of two records.

An audit judges every move again and compares the result with what the record says: `move` those of sealed
matches of version 1, `parts` those of matches with concealed parts, `choices` what seats chose in secret.
`rule_change` is an audit under other rules, `workers` the processes that share the work. Imports everything
in records but the ledger. Start at record.py.
"""
