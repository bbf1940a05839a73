"""A component set as a listing shows it."""

from rules.great_wall.parts import find_parts
from rules.kernel.display import BoardInfo


def board_info(components: str) -> BoardInfo:
    """The board that the components of a match header describe; raises BadSetup."""
    parts = find_parts(components, coop=False)
    counts = (
        ("hordes", len(parts.hordes)),
        ("generals", len(parts.generals)),
        ("advisors", len(parts.advisors)),
        ("tactics", parts.tactic_count),
        ("requests", len(parts.requests)),
        ("events", len(parts.events)),
    )
    size = f"three sections of wall, ten locations, {len(parts.hordes)} hordes"
    return BoardInfo(parts.set_id, size, counts, "", "")
