"""Audits: of a record, a transcript, a record file, a bundle and a whole archive; comparison of two records.

An audit judges every move again and compares the result with what the record says. `rule_change` is an audit
under other rules, `workers` the processes that share the work. Imports everything in records but the ledger.
Start at record.py.
"""
