"""Audits a database on a Dask cluster, one match per range, and prints every match with its verdict."""

import sys
from functools import partial

from records.audit.archive import ArchiveAudit
from records.audit.dask_cluster import DaskCluster
from records.log.opening import open_log
from records.verdict import word

if __name__ == "__main__":
    address, scheduler = sys.argv[1:]
    with DaskCluster(scheduler, matches_per_range=1) as cluster:
        audit = ArchiveAudit(partial(open_log, address, read_only=True), cluster=cluster)
        for report in audit.reports():
            sys.stdout.write(f"{report.match} {word(report.verdict)}\n")
