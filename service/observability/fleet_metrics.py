"""Metrics of an archive in PostgreSQL that several servers share."""

from collections.abc import Iterator
from typing import Final

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from records.log.postgres.checkpoints import PublishedCheckpoints
from records.log.postgres.log import PostgresLog
from records.log.postgres.pulse import Pulse


class FleetGauges(Collector):
    """Values that the pulse found within the last second; nothing is asked of the database for them."""

    def __init__(self, log: PostgresLog, pulse: Pulse, checkpoints: PublishedCheckpoints) -> None:
        self._log: Final = log
        self._checkpoints: Final = checkpoints
        self._pulse: Final = pulse

    def collect(self) -> Iterator[Metric]:
        """The current values."""
        log, report = self._log, self._pulse.report
        sequencer = log.sequencer
        status = None if sequencer is None else sequencer.status
        for name, help_text, value in (
            ("position", "The last position that was given to an entry.", report.position),
            ("pending_inserts", "Inserts whose entries have no position yet.", report.pending),
            ("pending_seconds", "Age of the oldest of them.", report.pending_seconds),
            (
                "sequencer_leads",
                "1 if this server numbers entries.",
                float(status is not None and status.leading),
            ),
            (
                "sequencer_seconds",
                "Duration of the last transaction that numbered entries.",
                status.seconds if status else 0.0,
            ),
            ("synchronous_standbys", "Synchronous standbys that are connected.", report.standbys),
            ("standby_lag_seconds", "How far the slowest standby is behind.", report.standby_seconds),
            (
                "barrier_seconds",
                "Duration of the last commit that waited for the standby.",
                self._pulse.commit_seconds,
            ),
            (
                "clock_lead_seconds",
                "How far this machine's clock is ahead of the database's.",
                report.clock_lead,
            ),
            (
                "checkpoint_age_seconds",
                "How long there have been entries that no published checkpoint covers.",
                self._checkpoints.uncovered_seconds(),
            ),
            ("writes_held", "1 while nothing can be written.", float(log.hold() is not None)),
        ):
            yield GaugeMetricFamily(f"shiji_fleet_{name}", help_text, value)
        for name, help_text, number in (
            ("conflicts", "Writes that another server was ahead of, at least in part.", log.conflicts),
            (
                "unknown_outcomes",
                "Writes of which it is not known whether they were stored.",
                log.unknown_outcomes,
            ),
            (
                "sequencer_failures",
                "Times that the sequencer of this server failed by a fault of the program itself.",
                status.failures if status else 0,
            ),
        ):
            yield CounterMetricFamily(f"shiji_fleet_{name}", help_text, number)
