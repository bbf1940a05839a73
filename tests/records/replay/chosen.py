"""Records of Goofspiel with sealed choices, their verdicts and what viewers get of them."""

from records.audit.record import audit_record
from records.entry import (
    Entry,
)
from records.replay.disclosure import for_viewer
from records.replay.fold import rebuild
from records.verdict import Verdict
from rules.kernel.actors import CHANCE, Viewer
from tests.rules.kit.goofspiel_records import MATCH, NEXT_PRIZE, Table

CHOSEN = ("green bid 1", "blue bid 2", "red bid 2")


def audited(entries: list[Entry], *, complete: bool = True) -> Verdict:
    """The verdict on a record of Goofspiel."""
    return audit_record(MATCH, entries, complete=complete).verdict


def shown(entries: list[Entry], viewer: Viewer) -> list[Entry]:
    """The record as a viewer gets it."""
    start = rebuild(entries[:1]).state
    return [for_viewer(start, CHANCE, entry, viewer) for entry in entries]


def played() -> list[Entry]:
    """The record of a match in which three seats have chosen."""
    table = Table()
    table.play(*CHOSEN, NEXT_PRIZE)
    return table.entries
