"""What is counted and measured for Prometheus."""

import shutil
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Final, assert_never

from grpc import StatusCode
from prometheus_client import CollectorRegistry, Counter, Histogram, Info, ProcessCollector
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from records.games.registry import GAMES
from records.replay.policies import DEAL_1
from records.replay.retraction import TAKEBACK_1
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
from service.resources import Resources
from service.rpc import DESCRIPTOR

_OTHER: Final = "other"
_RULES: Final = frozenset(
    {DEAL_1.id, TAKEBACK_1.id, *(rule.id for game in GAMES for rule in game.about.rules)}
)

_CALLS: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
_COMMITS: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0)
_GROUPS: Final = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)


class Metrics(Observer):
    """Counts calls, refusals and writes in a registry of its own; every set of labels is bounded."""

    def __init__(self) -> None:
        self.registry: Final = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        Info("shiji_build", "Which build this is.", registry=self.registry).info(
            {"version": version("shiji")}
        )
        self._calls: Final = Counter(
            "shiji_calls", "Calls that have ended.", ("method", "code"), registry=self.registry
        )
        self._seconds: Final = Histogram(
            "shiji_call_seconds",
            "How long answered calls took; streams are left out.",
            ("method",),
            buckets=_CALLS,
            registry=self.registry,
        )
        self._refusals: Final = Counter(
            "shiji_refusals",
            "Calls, and moves within Play, that were refused (docs/errors.md).",
            ("reason",),
            registry=self.registry,
        )
        self._rules: Final = Counter(
            "shiji_rules_broken", "Rules that refused moves broke.", ("rule",), registry=self.registry
        )
        self._commits: Final = Histogram(
            "shiji_commit_seconds",
            "How long a write of the archive took.",
            buckets=_COMMITS,
            registry=self.registry,
        )
        self._groups: Final = Histogram(
            "shiji_commit_appends", "Appends that shared a write.", buckets=_GROUPS, registry=self.registry
        )
        for reason in Reason:  # from 0 on, so that the first of them is seen to rise
            self._refusals.labels(reason.name)
        # Looked up once: that takes longer than to count.
        self._answered: Final = {
            method.name: self._calls.labels(method.name, StatusCode.OK.name) for method in DESCRIPTOR.methods
        }
        self._took: Final = {
            method.name: self._seconds.labels(method.name)
            for method in DESCRIPTOR.methods
            if not method.server_streaming
        }

    def observe(self, resources: Resources, db: Path) -> None:
        """Measure what the service works with, and the files of the archive, from now on."""
        resources.intake.observe_write = self._written
        self.registry.register(_Gauges(resources, db))

    def ended(self, call: Call, outcome: CallOutcome) -> None:
        """Count it, with the time of an answered call and the reason and broken rules of a refused one."""
        match outcome:
            case Answered():
                self._answered[call.method].inc()
                took = self._took.get(call.method)
                if took is not None:
                    took.observe(call.seconds)
            case Rejected(error=error) | Failed(error=error):
                self._calls.labels(call.method, error.reason.value.code.name).inc()
                self._count(error)
            case RejectedRequest(error=error):
                self._count(error)
            case Cancelled():
                self._calls.labels(call.method, StatusCode.CANCELLED.name).inc()
            case _:
                assert_never(outcome)

    def _count(self, refusal: CallError) -> None:
        self._refusals.labels(refusal.reason.name).inc()
        for violation in refusal.violations:
            self._rules.labels(violation.rule_id if violation.rule_id in _RULES else _OTHER).inc()

    def _written(self, appends: int, seconds: float) -> None:
        self._commits.observe(seconds)
        self._groups.observe(appends)


class _Gauges(Collector):
    """What is looked up only when somebody asks."""

    def __init__(self, resources: Resources, db: Path) -> None:
        self._resources: Final = resources
        self._db: Final = db

    def collect(self) -> Iterator[Metric]:
        """Each as it is now."""
        feed, cache = self._resources.feed, self._resources.ledger.cache
        yield GaugeMetricFamily(
            "shiji_writer_queue", "Appends that wait to be written.", self._resources.intake.queued
        )
        yield GaugeMetricFamily(
            "shiji_followers", "Streams that follow a match or the archive.", feed.followers
        )
        yield GaugeMetricFamily(
            "shiji_archive_entries", "Entries in the archive.", self._resources.ledger.log.last_position()
        )
        yield GaugeMetricFamily("shiji_cache_matches", "Matches kept in memory as they stand.", len(cache))
        yield CounterMetricFamily("shiji_cache_hits", "Matches that were found in memory.", cache.hits)
        yield CounterMetricFamily(
            "shiji_cache_misses", "Matches that had to be read from the archive.", cache.misses
        )
        yield self._files()
        yield GaugeMetricFamily(
            "shiji_disk_free_bytes", "Room left where the archive is.", _free(self._db.absolute().parent)
        )

    def _files(self) -> Metric:
        sizes = GaugeMetricFamily("shiji_archive_bytes", "Size of the archive's files.", labels=("file",))
        for file, path in (("db", self._db), ("wal", self._db.with_name(f"{self._db.name}-wal"))):
            sizes.add_metric((file,), _size(path))
        return sizes


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
