"""The alert rules name metrics that there are, and the documentation says what to do about each alert."""

import re
from contextlib import closing
from pathlib import Path

from records.log.postgres.checkpoints import PublishedCheckpoints
from records.log.postgres.log import PostgresLog
from records.log.postgres.pulse import Pulse
from service.observability.fleet_metrics import FleetGauges
from tests.postgres import shared_cluster
from tests.project.places import ROOT

RULES = (ROOT / "packaging/prometheus-rules.yml").read_text()


def fleet_metrics(folder: Path) -> set[str]:
    """The names under which a server of a fleet serves its metrics."""
    target = shared_cluster().target()
    with PostgresLog.open(target) as log, closing(Pulse(target)) as pulse:
        gauges = FleetGauges(log, pulse, PublishedCheckpoints(target, log, folder / "kept", None))
        return {sample.name for metric in gauges.collect() for sample in metric.samples}


def test_every_metric_of_the_fleet_has_an_alert_or_needs_none_and_no_alert_is_about_another(
    tmp_path: Path,
) -> None:
    named = set(re.findall(r"\bshiji_\w+", RULES))
    metrics = fleet_metrics(tmp_path)

    assert named <= metrics
    assert metrics - named == {"shiji_fleet_position", "shiji_fleet_pending_inserts"}


def test_every_alert_is_explained() -> None:
    alerts = re.findall(r"- alert: (\w+)", RULES)
    page = (ROOT / "docs/fleet.md").read_text()

    assert len(alerts) == len(set(alerts)) == RULES.count("expr:")
    assert [alert for alert in alerts if f"`{alert}`" not in page] == []
