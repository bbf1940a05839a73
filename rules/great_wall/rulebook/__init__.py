"""Every rule of The Great Wall, in our words, with where the rulebook says it; one module per area.

Checks and events cite these rules, and what is not enforced says why. Imports the kernel only. Start at
course.py.
"""

from typing import Final

from rules.great_wall.rulebook import (
    cards,
    clerks,
    components,
    coop,
    course,
    places,
    reed,
    setting_up,
    shame,
    solo,
    wall,
)
from rules.kernel.edition import Edition, EditionKey
from rules.kernel.rule import Rule

EDITIONS: Final = (
    Edition(
        EditionKey("great-wall/1"),
        "The Great Wall, first reading",
        sources=("L: French rulebook, by line of its extracted text, without icons and pictures",),
        seats=(1, 2, 3, 4),
    ),
    Edition(
        EditionKey("great-wall-coop/1"),
        "The Great Wall, co-operative mode, first reading",
        sources=("L: French rulebook, by line of its extracted text, without icons and pictures",),
        seats=(2, 3, 4),
    ),
)
GREAT_WALL_1: Final = EDITIONS[0].key
COOP_1: Final = EDITIONS[1].key

_AREAS: Final = (components, course, setting_up, cards, clerks, places, shame, wall, reed, solo, coop)
RULES: Final = tuple(each for area in _AREAS for each in vars(area).values() if isinstance(each, Rule))
