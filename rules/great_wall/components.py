"""The component sets that this build ships, and those that a match brings."""

from typing import Final

from rules.great_wall.component_file import ComponentFile
from rules.great_wall.reference import REFERENCE
from rules.kernel.component_sets import ComponentSets
from rules.kernel.setup import ComponentSet

REFERENCE_SET: Final = ComponentSet(
    name="great-wall-reference-0",
    kind="components",
    provenance="Invented for this project; not a transcription of anything printed.",
    verified=False,
    notes=(
        "This is not the published game: board, cards and most numbers are made up.",
        "Every count, name and number that the rulebook's text gives is kept.",
    ),
    data=REFERENCE,
)
SHIPPED: Final = (REFERENCE_SET,)
SETS: Final[ComponentSets[ComponentFile]] = ComponentSets(ComponentFile, SHIPPED)
