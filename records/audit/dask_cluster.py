"""Audits on a Dask cluster. Needs distributed, which the extra `shiji[dask]` installs."""

import os
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from typing import Final, TypeVar

from dask import config
from distributed import Client, Future, KilledWorker
from distributed.security import Security

from records.audit.build import build_words
from records.audit.chunk import AuditRange, AuditTask, ChunkAudit, audit_range
from records.audit.workers import in_order
from records.closeable import Closeable
from records.log.contract import Log, LogFault
from records.log.opening import open_log

MATCHES_PER_RANGE: Final = 100
"""Matches that a worker audits at a time: about 6,000 entries, a few tenths of a second."""

ADDRESS_VARIABLE: Final = "SHIJI_AUDIT_LOG"
"""The environment variable in which a worker has the address of the archive, with its own credentials."""

WORKER_SECONDS: Final = 30
"""How long a first worker may take to join."""

_ENCRYPTED: Final = "tls://"
_TLS_FILES: Final = ("ca-file", "client.cert", "client.key")
"""Names in Dask's configuration."""

_Result = TypeVar("_Result")


class BadCluster(Exception):
    """The cluster cannot be used, and why."""


class DaskCluster(Closeable):
    """The workers of a scheduler; all of them have the build of this process, or nothing begins.

    A worker that is lost loses nothing: its ranges are audited by another one.
    """

    def __init__(self, scheduler: str, matches_per_range: int = MATCHES_PER_RANGE) -> None:
        """Connects to a scheduler by mutual TLS, with the files that Dask is configured with.

        Raises BadCluster.
        """
        self.matches_per_range = matches_per_range
        if not scheduler.startswith(_ENCRYPTED):
            raise BadCluster(
                f"the address of the scheduler begins with {_ENCRYPTED}: it runs any code that it is sent, "
                "so it is reached by mutual TLS only"
            )
        if not all(config.get(f"distributed.comm.tls.{name}", None) for name in _TLS_FILES):
            raise BadCluster(
                "Dask has no certificates: set DASK_DISTRIBUTED__COMM__TLS__CA_FILE, "
                "DASK_DISTRIBUTED__COMM__TLS__CLIENT__CERT and DASK_DISTRIBUTED__COMM__TLS__CLIENT__KEY"
            )
        try:
            self._client: Final = Client(
                scheduler,
                security=Security(require_encryption=True),
                set_as_default=False,
            )
        except (OSError, TimeoutError) as fault:
            raise BadCluster(f"the scheduler {scheduler} cannot be reached: {fault}") from None
        try:
            self._require_same_build()
        except BaseException:
            self._client.close()
            raise

    def _require_same_build(self) -> None:
        try:
            self._client.wait_for_workers(1, timeout=WORKER_SECONDS)
        except TimeoutError:
            raise BadCluster("the cluster has no workers") from None
        try:
            builds: dict[str, str] = dict(self._client.run(build_words))
            builds["the scheduler"] = str(self._client.run_on_scheduler(build_words))
        except (ImportError, AttributeError) as fault:
            raise BadCluster(f"Shiji is not installed on the whole cluster: {fault}") from None
        own = build_words()
        for where, build in sorted(builds.items()):
            if build != own:
                raise BadCluster(f"{where} has another build ({build}) than this machine ({own})")

    def audit(
        self, task: AuditTask, ranges: Iterator[AuditRange], note: Callable[[Iterable[str]], None]
    ) -> Iterator[ChunkAudit]:
        """The audits of the ranges, in order; flaws of the archive itself are noted at the end.

        Raises LogFault and BadCluster.
        """
        flaws = self._begin(partial(_flaws_here, build_words()))
        workers = len(self._client.scheduler_info(n_workers=-1)["workers"])
        judge = partial(_audit_here, build_words(), task)
        yield from in_order(lambda within: self._begin(partial(judge, within)), ranges, max(workers, 1))
        note(flaws())

    def _begin(self, work: Callable[[], _Result]) -> Callable[[], _Result]:
        """Submit some work; returns what waits for its result."""
        future: Future[_Result] = self._client.submit(work, pure=False)
        return partial(_result, future)

    def close(self) -> None:
        """Leave the cluster."""
        self._client.close()


def _result(future: "Future[_Result]") -> _Result:
    try:
        return future.result()
    except KilledWorker as fault:
        raise BadCluster(f"several workers were lost over the same matches: {fault}") from None


def _audit_here(build: str, task: AuditTask, within: AuditRange) -> ChunkAudit:
    return audit_range(_log_here(build), task, within)


def _flaws_here(build: str) -> tuple[str, ...]:
    return _log_here(build).flaws()


def _log_here(build: str) -> Log:
    """The archive of this worker, which may have joined later than the others."""
    if build != build_words():
        raise BadCluster(f"a worker has another build ({build_words()}) than the audit ({build})")
    return _opened(os.environ.get(ADDRESS_VARIABLE, ""))


@cache
def _opened(address: str) -> Log:
    if not address:
        raise LogFault(f"a worker does not know the archive: set {ADDRESS_VARIABLE} where it is started")
    return open_log(address, read_only=True)
