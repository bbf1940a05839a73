"""The end of a match in the plain model of The Great Wall."""

from tests.rules.great_wall import naive_set as s
from tests.rules.great_wall.naive_table import Clan, Table

QIN_PER_ARTEFACT = 20


def finish(t: Table, cause: str) -> None:
    """Count the honour, and say who has won."""
    if t.coop:
        t.ended = (cause, [clan.seat or 0 for clan in t.seats] if cause == "requests" else [])
        return
    for clan in t.clans.values():
        _count(t, clan)
    best = max((mark for mark in t.tea if t.human(mark)), key=lambda mark: t.clans[mark].honour)
    if t.solo and (cause == "pool" or t.clans[best].honour <= t.clans["q"].honour):
        t.ended = (cause, [])
    else:
        t.ended = (cause, [t.clans[best].seat or 0])


def _count(t: Table, clan: Clan) -> None:
    t.honour(clan, -s.LOST_SHAME * sum(clan.shamed.values()))
    t.honour(clan, sum(s.reward(card) for card, tokens in clan.claimed.items() if tokens == 0))
    if clan.mark == "q":
        t.honour(clan, QIN_PER_ARTEFACT * len(t.artefacts))
    else:
        t.honour(clan, sum(s.ARTEFACT_HONOUR[name] * _counted(t, clan, name) for name in t.artefacts))


def _counted(t: Table, clan: Clan, artefact: str) -> int:
    match artefact:
        case "artefact-1":
            return len(clan.claimed)
        case "artefact-2":
            return len(clan.active) + len(clan.assistants)
        case "artefact-3":
            return sum(level for level, _ in clan.foremen.values())
        case "artefact-4":
            return sum(
                wall.firing.get(clan.mark, 0)
                + sum(wall.rest.get(clan.mark, {}).values())
                + sum(sum(t.soldiers_on(card, clan.mark).values()) for card in wall.hordes)
                for wall in t.walls.values()
            )
        case _:
            return 8 - clan.space
