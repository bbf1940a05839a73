"""Audits on a Dask cluster: a real scheduler and two workers, which read a database."""

import json
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from records.log.copying import copy_archive
from tests.postgres import shared_cluster
from tests.records.archives import damage, make
from tests.records.log.test_copies import whole_archive
from tests.service.certificates import Certificate
from tests.tools.dask_run import TLS, WAIT_SECONDS, DaskRun


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A database with matches of which one was changed."""
    path = tmp_path_factory.mktemp("dask") / "archive.db"
    make(path, matches=12)
    damage(path, "UPDATE entry SET move = zeroblob(3) WHERE position = 40")
    url = shared_cluster().target().url
    with whole_archive(str(path), read_only=True) as source, whole_archive(url) as target:
        copy_archive(source, target)
    return url


@pytest.fixture(scope="module")
def dask(url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaskRun]:
    with ExitStack() as stack:
        yield DaskRun(tmp_path_factory.mktemp("cluster"), url, stack)


def test_the_report_is_that_of_an_audit_on_one_machine(dask: DaskRun) -> None:
    on_cluster, here = dask.audit("--dask", dask.address), dask.audit()

    assert on_cluster.stdout == here.stdout, on_cluster.stderr
    assert on_cluster.returncode == here.returncode == 1
    assert "corrupt" in here.stdout


def test_a_worker_that_is_killed_loses_nothing(dask: DaskRun, tmp_path: Path) -> None:
    deadly = "import os, signal\nfrom records.audit import dask_cluster\n"
    deadly += "dask_cluster.audit_range = lambda *_: os.kill(os.getpid(), signal.SIGKILL)\n"
    doomed = dask.add_odd_worker(tmp_path, deadly)
    reports = [json.loads(line) for line in dask.audit().stdout.splitlines()]
    expected = [f"{report['match']} {report['verdict']}" for report in reports if "match" in report]
    end = time.monotonic() + WAIT_SECONDS
    while doomed.poll() is None:  # Dask need not give it anything to do at once
        assert time.monotonic() < end

        found = dask.run("-m", "tests.tools.audit_ranges", dask.archive, dask.address)

        assert found.stdout.splitlines() == expected, found.stderr
    assert doomed.returncode == -signal.SIGKILL


def test_a_scheduler_without_tls_is_refused(dask: DaskRun) -> None:
    refused = dask.audit("--dask", dask.address.replace("tls://", "tcp://"))

    assert refused.returncode == 2
    assert "mutual TLS only" in refused.stderr


def test_a_caller_without_a_certificate_of_the_cluster_is_refused(dask: DaskRun, tmp_path: Path) -> None:
    cert, key = Certificate.authority("somebody else").sign("client").save(tmp_path)
    strange = {f"{TLS}CLIENT__CERT": str(cert), f"{TLS}CLIENT__KEY": str(key)}
    strange["DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT"] = "5s"

    refused = dask.audit("--dask", dask.address, **strange)

    assert refused.returncode == 2
    assert "cannot be reached" in refused.stderr


def test_nothing_begins_with_a_worker_of_another_build(dask: DaskRun, tmp_path: Path) -> None:
    other = dask.add_odd_worker(
        tmp_path, "from records.audit import build\nbuild.version = lambda _: '9.9'\n"
    )
    refused = dask.audit("--dask", dask.address)
    other.kill()

    assert refused.returncode == 2
    assert "has another build (shiji 9.9" in refused.stderr
    assert refused.stdout == ""
