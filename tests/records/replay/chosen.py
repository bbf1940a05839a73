"""Records of the caravans with sealed choices, their verdicts and what viewers get of them."""

from records.audit.record import audit_record
from records.entry import (
    Entry,
)
from records.replay.disclosure import for_viewer
from records.replay.fold import rebuild
from records.verdict import Verdict
from rules.kernel.actors import CHANCE, Viewer
from tests.rules.kit.caravans.records import MATCH, Table

CHOSEN = ("green pick coast", "blue pick desert", "red pick desert")


def audited(entries: list[Entry], *, complete: bool = True) -> Verdict:
    """The verdict on a record of the caravans."""
    return audit_record(MATCH, entries, complete=complete).verdict


def shown(entries: list[Entry], viewer: Viewer) -> list[Entry]:
    """The record as a viewer gets it."""
    start = rebuild(entries[:1]).state
    return [for_viewer(start, CHANCE, entry, viewer) for entry in entries]


def played() -> list[Entry]:
    """The record of a match in which three seats have chosen."""
    table = Table()
    table.play(*CHOSEN, "green done")
    return table.entries
