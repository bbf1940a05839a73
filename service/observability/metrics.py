"""Prometheus metrics of the server."""

import shutil
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Final, assert_never

from grpc import StatusCode
from prometheus_client import CollectorRegistry, Counter, Histogram, Info, ProcessCollector
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from records.games.registry import GAMES
from records.log.contract import Log
from records.replay.policies import DEAL_1, TAKEBACK_1
from service.admission import Admission
from service.call import (
    Answered,
    Call,
    CallOutcome,
    Cancelled,
    Failed,
    Observer,
    Rejected,
    RejectedRequest,
)
from service.errors import CallError, Reason
from service.http.connections import Connections
from service.public_streams import PublicStreams
from service.resources import Resources
from service.rpc import DESCRIPTOR

_OTHER_RULE: Final = "other"
"""Label of a rule that is not in _RULE_IDS."""

_RULE_IDS: Final = frozenset(
    {DEAL_1.id, TAKEBACK_1.id, *(rule.id for game in GAMES for rule in game.about.rules)}
)
"""Rules with a label of their own: the number of labels must be bounded."""

_CALL_SECONDS_BUCKETS: Final = (
    0.0005,
    0.001,
    0.0025,
    0.005,
    0.01,
    0.025,
    0.05,
    0.1,
    0.25,
    0.5,
    1.0,
    2.5,
    10.0,
)
"""Seconds per call, from a check of one move to the import of a long record."""

_COMMIT_SECONDS_BUCKETS: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0)
"""Seconds per write, from a fast disk to one that is blocked."""

_COMMIT_APPENDS_BUCKETS: Final = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)
"""Appends per write, in powers of two beyond the largest batch."""


class Metrics(Observer):
    """Counts calls, refusals and writes in its own registry. Every label has a bounded number of values."""

    def __init__(self) -> None:
        self.registry: Final = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        Info("shiji_build", "Version of this build.", registry=self.registry).info(
            {"version": version("shiji")}
        )
        self._calls: Final = Counter(
            "shiji_calls", "Calls that have ended.", ("method", "code"), registry=self.registry
        )
        self._seconds: Final = Histogram(
            "shiji_call_seconds",
            "Duration of answered calls, without streams.",
            ("method",),
            buckets=_CALL_SECONDS_BUCKETS,
            registry=self.registry,
        )
        self._refusals: Final = Counter(
            "shiji_refusals",
            "Calls, and moves within Play, that were refused (docs/errors.md).",
            ("reason",),
            registry=self.registry,
        )
        self._rules: Final = Counter(
            "shiji_rules_broken", "Rules broken by refused moves.", ("rule",), registry=self.registry
        )
        self._commits: Final = Histogram(
            "shiji_commit_seconds",
            "Duration of a write to the archive.",
            buckets=_COMMIT_SECONDS_BUCKETS,
            registry=self.registry,
        )
        self._commit_appends: Final = Histogram(
            "shiji_commit_appends",
            "Appends per write to the archive.",
            buckets=_COMMIT_APPENDS_BUCKETS,
            registry=self.registry,
        )
        self._limits: Final = Counter(
            "shiji_limit_refusals",
            "Calls refused and streams ended for a limit.",
            ("limit",),
            registry=self.registry,
        )
        for reason in Reason:  # starts each counter at 0, so that its first increase is visible
            self._refusals.labels(reason.name)
        # Looked up once, as the lookup takes longer than counting.
        self._answered: Final = {
            method.name: self._calls.labels(method.name, StatusCode.OK.name) for method in DESCRIPTOR.methods
        }
        self._durations: Final = {
            method.name: self._seconds.labels(method.name)
            for method in DESCRIPTOR.methods
            if not method.server_streaming
        }

    def observe(
        self,
        resources: Resources,
        storage: Collector,
        admission: Admission,
        public: Sequence[PublicStreams],
        connections: Connections | None,
    ) -> None:
        """Also measure the intake, the feed, the cache, the limits and the storage."""
        resources.intake.observe_write = self._written
        self.registry.register(_Gauges(resources))
        self.registry.register(storage)
        self.registry.register(_LimitGauges(resources, admission, public))
        if connections is not None:
            self.registry.register(_WebGauges(connections))

    def ended(self, call: Call, outcome: CallOutcome) -> None:
        """Count the call, with the duration if it was answered and the reason if it was refused."""
        match outcome:
            case Answered():
                self._answered[call.method].inc()
                duration = self._durations.get(call.method)
                if duration is not None:
                    duration.observe(call.seconds)
            case Rejected(error=error) | Failed(error=error):
                self._calls.labels(call.method, error.reason.value.code.name).inc()
                self._count(error)
            case RejectedRequest(error=error):
                self._count(error)
            case Cancelled():
                self._calls.labels(call.method, StatusCode.CANCELLED.name).inc()
            case _:
                assert_never(outcome)

    def _count(self, error: CallError) -> None:
        self._refusals.labels(error.reason.name).inc()
        if (limit := error.metadata.get("limit")) is not None:
            self._limits.labels(limit).inc()
        for violation in error.violations:
            rule = violation.rule_id
            self._rules.labels(rule if rule in _RULE_IDS else _OTHER_RULE).inc()

    def _written(self, appends: int, seconds: float) -> None:
        self._commits.observe(seconds)
        self._commit_appends.observe(appends)


class _Gauges(Collector):
    """Values that are read only when Prometheus asks for them."""

    def __init__(self, resources: Resources) -> None:
        self._resources: Final = resources

    def collect(self) -> Iterator[Metric]:
        """The current values."""
        feed, cache = self._resources.feed, self._resources.ledger.cache
        yield GaugeMetricFamily(
            "shiji_writer_queue", "Requests waiting to be judged or written.", self._resources.intake.queued
        )
        yield GaugeMetricFamily(
            "shiji_followers", "Streams that follow a match or the archive.", feed.followers
        )
        yield GaugeMetricFamily("shiji_cache_matches", "Matches whose state is in the cache.", len(cache))
        yield CounterMetricFamily("shiji_cache_hits", "Match states found in the cache.", cache.hits)
        yield CounterMetricFamily(
            "shiji_cache_misses", "Match states rebuilt from the archive.", cache.misses
        )


class FileGauges(Collector):
    """Sizes of an archive in a file, read only when Prometheus asks for them."""

    def __init__(self, log: Log, db: Path) -> None:
        self._log: Final = log
        self._db: Final = db

    def collect(self) -> Iterator[Metric]:
        """The current values."""
        yield GaugeMetricFamily("shiji_archive_entries", "Entries in the archive.", self._log.last_position())
        yield self._files()
        yield GaugeMetricFamily(
            "shiji_disk_free_bytes",
            "Free space on the disk of the archive.",
            _free(self._db.absolute().parent),
        )

    def _files(self) -> Metric:
        sizes = GaugeMetricFamily("shiji_archive_bytes", "Size of the archive's files.", labels=("file",))
        for file, path in (("db", self._db), ("wal", self._db.with_name(f"{self._db.name}-wal"))):
            sizes.add_metric((file,), _size(path))
        return sizes


class _WebGauges(Collector):
    """The connections to the HTTP port, read only when Prometheus asks for them."""

    def __init__(self, connections: Connections) -> None:
        self._connections: Final = connections

    def collect(self) -> Iterator[Metric]:
        """The current values."""
        found = self._connections
        yield GaugeMetricFamily("shiji_web_connections", "Open connections to the HTTP port.", found.size)
        yield CounterMetricFamily(
            "shiji_web_connections_refused", "Connections beyond max-web-connections.", found.refused
        )
        yield CounterMetricFamily(
            "shiji_web_connections_stalled",
            "Connections closed because their client stopped in the middle.",
            found.stalled,
        )


class _LimitGauges(Collector):
    """How much of each limit is used, read only when Prometheus asks for it."""

    def __init__(self, resources: Resources, admission: Admission, public: Sequence[PublicStreams]) -> None:
        self._workers: Final = resources.workers
        self._admission: Final = admission
        self._public: Final = public

    def collect(self) -> Iterator[Metric]:
        """The current values."""
        admission, workers = self._admission, self._workers
        for name, help_text, value in (
            ("calls_in_progress", "Calls in progress, without streams.", admission.calls.size),
            ("streams", "Open streams: Play, FollowRecord, FollowArchive.", admission.followers.size),
            ("request_bytes", "Bytes of requests that are not answered yet.", admission.budget.bytes),
            ("unsent_bytes", "Bytes of large answers that are not taken yet.", admission.unsent.bytes),
            ("requests_arriving", "Requests that are being received.", admission.budget.reading),
            ("refusals_held", "Refusals that are held back in a flood.", admission.held_back),
            (
                "public_streams",
                "Open calls of health checks and reflection.",
                sum(each.size for each in self._public),
            ),
            ("work_waiting", "Jobs that wait for a worker process.", workers.waiting),
            ("work_running", "Jobs that worker processes are doing.", workers.busy),
        ):
            yield GaugeMetricFamily(f"shiji_{name}", help_text, value)
        yield CounterMetricFamily(
            "shiji_streams_ended", "Idle streams that were ended to make room.", admission.ended_streams
        )
        yield CounterMetricFamily(
            "shiji_requests_given_up",
            "Requests that did not arrive before others needed their place.",
            admission.budget.given_up,
        )
        yield CounterMetricFamily("shiji_workers_lost", "Worker processes that were lost.", workers.lost)
        yield CounterMetricFamily(
            "shiji_public_refusals",
            "Calls of health checks and reflection refused.",
            sum(each.refused for each in self._public),
        )


def _size(path: Path) -> float:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def _free(folder: Path) -> float:
    try:
        return shutil.disk_usage(folder).free
    except OSError:
        return float("nan")
