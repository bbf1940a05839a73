"""What never changes in a match: seats, components, mode and rulings."""

from dataclasses import dataclass, field
from typing import Final

from rules.great_wall.kinds import QIN, REED, SECTIONS, Clan, Horde, Section, Strategy, of_seat
from rules.great_wall.parts import Board, Parts
from rules.great_wall.rulings import Rulings
from rules.kernel.actors import Seat
from rules.kernel.edition import EditionKey
from rules.kernel.setup import RECORDED, Draws

_GOALS: Final = {2: 6, 3: 7, 4: 9}
"""Requests to fulfil in co-op (GW-COP-21)."""
_SHAME: Final = 10
"""Tokens of the pool for each player (GW-SET-02)."""
_WALLS: Final = {1: 2, 2: 2, 3: 2, 4: 3}
"""Complete walls that end the match (GW-END-02)."""


@dataclass(frozen=True, slots=True)
class Table:
    """The fixed part of a match."""

    edition: EditionKey
    parts: Parts
    names: tuple[str, ...]
    draws: Draws
    rulings: Rulings
    options: tuple[tuple[str, str], ...] = ()
    """Those that differ from the default."""
    qin_honour: int = 0
    """Qin's honour at the start (GW-SOL-11)."""
    board: Board = field(init=False, compare=False, repr=False)
    seats: tuple[Seat, ...] = field(init=False, compare=False, repr=False)
    clans: tuple[Clan, ...] = field(init=False, compare=False, repr=False)
    sections: tuple[Section, ...] = field(init=False, compare=False, repr=False)
    """Those that are open."""
    hordes: tuple[Horde, ...] = field(init=False, compare=False, repr=False)
    """Cards in the match: with a closed section, those without its back (GW-2P-03)."""

    def __post_init__(self) -> None:
        seats = tuple(Seat(number) for number in range(len(self.names)))
        object.__setattr__(self, "seats", seats)
        object.__setattr__(self, "board", self.parts.board(len(seats)))
        extra = ((QIN,) if self.has_qin else ()) + ((REED,) if self.has_reed else ())
        object.__setattr__(self, "clans", (*map(of_seat, seats), *extra))
        object.__setattr__(self, "sections", SECTIONS[1:] if self.has_reed else SECTIONS)
        cards = enumerate(self.parts.hordes)
        hordes = tuple(Horde(number) for number, card in cards if card.back in self.sections)
        object.__setattr__(self, "hordes", hordes)

    @property
    def coop(self) -> bool:
        """Whether the players win or lose together."""
        return self.parts.coop

    @property
    def has_reed(self) -> bool:
        """With one or two players."""
        return len(self.names) <= 2  # noqa: PLR2004 - the Reed Clan is the third

    @property
    def has_qin(self) -> bool:
        """With one player."""
        return len(self.names) == 1

    @property
    def recorded(self) -> bool:
        """Whether hidden draws are recorded."""
        return self.draws is RECORDED

    @property
    def counted(self) -> int:
        """Players as the pool, raids and the co-op start count them (AMB-01, AMB-03, AMB-15)."""
        reed = self.rulings.reed_counts and len(self.names) == 2  # noqa: PLR2004 - two players and Reed
        return len(self.names) + reed

    @property
    def shame(self) -> int:
        """Tokens of the pool at the start."""
        return _SHAME * self.counted

    @property
    def first_hordes(self) -> int:
        """Hordes at the start (GW-SET-07, GW-2P-03, GW-COP-03)."""
        if self.coop:
            return self.counted + 1
        return max(len(self.names), len(self.sections))

    @property
    def goal(self) -> int:
        """Requests to fulfil in co-op."""
        return _GOALS[len(self.names)]

    @property
    def walls_to_end(self) -> int:
        """Complete walls that end the match."""
        return _WALLS[len(self.names)]

    @property
    def request_slots(self) -> int:
        """Requests that lie open in co-op (GW-COP-06, GW-COP-07)."""
        return min(3, len(self.names))

    @property
    def cards(self) -> tuple[Strategy, ...]:
        """The strategy cards of a player."""
        return self.parts.player_cards

    @property
    def final_slot(self) -> int:
        """The last of the time track."""
        return len(self.board.mortality) - 1

    def name(self, clan: Clan) -> str:
        """As texts call a clan."""
        if clan == REED:
            return "reed"
        return "qin" if clan == QIN else self.names[clan]

    def spaces(self, clans_with_cards: int) -> int:
        """Spaces of the strategy track that may be used (AMB-04)."""
        return clans_with_cards if self.rulings.spaces_by_clans else self.board.spaces
