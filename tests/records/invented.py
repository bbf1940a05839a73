"""A record of every game that is played on invented components, and what is said of them."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.project.places import ROOT

_GOLDEN: Final = ROOT / "tests/records/golden"


@dataclass(frozen=True, slots=True)
class Invented:
    game: str
    record: Path
    other: Path
    """A record that goes another way."""
    caution: str

    def is_drawn_in(self, svg: str) -> bool:
        """Whether the caution stands in a picture as text, line below line."""
        drawn = re.findall(r"<text[^>]*>([^<]*)</text>", svg)
        return self.caution in " ".join(drawn)


INVENTED: Final = (
    Invented(
        "khan",
        _GOLDEN / "khan/two-random.shiji",
        _GOLDEN / "khan/unfinished.shiji",
        "khan-reference-0: invented components, not the published game",
    ),
    Invented(
        "zhanguo",
        _GOLDEN / "zhanguo/two-random.shiji",
        _GOLDEN / "zhanguo/unfinished.shiji",
        "Reference components: invented for testing; not the published cards, tiles or boards. "
        "Results are not comparable with the published game.",
    ),
    Invented(
        "great-wall",
        _GOLDEN / "great_wall/solo-fighters.shiji",
        _GOLDEN / "great_wall/unfinished.shiji",
        "great-wall-reference-0 is invented: these are not the cards and numbers of the published game",
    ),
)
