"""A component set worked out for play: cards, boards and prices by their places in the set."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from rules.great_wall import component_file as file_parts
from rules.great_wall.component_checks import faults
from rules.great_wall.component_file import ComponentFile
from rules.great_wall.components import SETS
from rules.great_wall.horde_cards import HordeCard, horde_card
from rules.great_wall.kinds import (
    BUILDING,
    KINDS,
    LOCATION_OF,
    RESOURCES,
    Advisor,
    Artefact,
    EventCard,
    Figures,
    General,
    Holdings,
    Horde,
    Kind,
    Location,
    Occasion,
    Request,
    Resource,
    Script,
    Strategy,
    Tactic,
    Window,
)
from rules.great_wall.operations import Operation, Reward
from rules.great_wall.scripts import Scripts, reward
from rules.kernel.component_sets import require_sound_set
from rules.kernel.forms import Names
from rules.kernel.setup import BadSetup

QIN_SCRIPT: Final = "qin"
"""Before the names of Qin's cards in the names of their lists."""


@dataclass(frozen=True, slots=True)
class Site:
    """A location of the board in use."""

    location: Location
    slots: int | None
    """None for a special location."""
    shame: bool
    foreman: tuple[Holdings, ...]
    """The cost of each level; empty where nothing is produced."""


@dataclass(frozen=True, slots=True)
class Board:
    """A side of the board."""

    spaces: int
    """Of the strategy track."""
    mortality: tuple[int, ...]
    """By slot of the time track."""
    invasions: tuple[int, ...]
    """New hordes in Spring, by slot."""
    places: tuple[Site, ...]
    """By location."""
    order: tuple[Location, ...]
    """Locations as the set lists them."""


@dataclass(frozen=True, slots=True)
class Prices:
    """The prices that the rulebook gives."""

    shame: int
    save: int
    clerk: int
    donation: int
    barricade: int
    barricade_honour: int
    barricade_defence: int
    soldiers: tuple[Holdings, ...]
    """By kind."""


@dataclass(frozen=True, slots=True)
class Level:
    """A level of the wall."""

    defence: int
    firing: int
    next_cost: int
    honour: int


@dataclass(frozen=True, slots=True)
class Block:
    """A block of a strategy card."""

    others: bool
    script: Script


@dataclass(frozen=True, slots=True)
class GeneralCard:
    """A general, or an advisor without a start."""

    on: Occasion
    rewards: tuple[Reward, ...]
    start: Holdings = (0, 0, 0, 0)
    tactics: int = 0
    tea: int = 0


@dataclass(frozen=True, slots=True)
class TacticCard:
    """A kind of tactics."""

    copies: int
    window: Window
    base: Script
    boost: int
    boosted: Script


@dataclass(frozen=True, slots=True)
class RequestCard:
    """A request of the Emperor."""

    two_players: bool
    scope: str
    pay: Holdings
    honour: int
    sacrifice: Figures
    claimed: int
    wall_levels: int
    hordes_a_section: int | None


@dataclass(frozen=True, slots=True)
class ArtefactCard:
    """What an artefact counts, and the honour for each."""

    count: str
    n: int


@dataclass(frozen=True, slots=True)
class EventFace:
    """What an event does at once, and what it changes from then on."""

    immediate: Script
    passive: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Parts:
    """Everything printed that one mode uses. They are equal when their sets and modes are."""

    tag: str
    """As a match header has it: name and hash of a shipped set, or a set in full."""
    coop: bool
    set_id: str = field(compare=False)
    invented: bool = field(compare=False)
    boards: tuple[tuple[tuple[int, ...], Board], ...] = field(compare=False, repr=False)
    """With the numbers of players that each is for."""
    prices: Prices = field(compare=False, repr=False)
    wall: tuple[Level, ...] = field(compare=False, repr=False)
    hordes: tuple[HordeCard, ...] = field(compare=False, repr=False)
    blocks: tuple[tuple[Block, ...], ...] = field(compare=False, repr=False)
    """By strategy, Reed's last."""
    qin_blocks: tuple[tuple[Block, ...], ...] = field(compare=False, repr=False)
    """Of Qin's card of the same name."""
    generals: tuple[GeneralCard, ...] = field(compare=False, repr=False)
    qin_general: GeneralCard = field(compare=False, repr=False)
    advisors: tuple[GeneralCard, ...] = field(compare=False, repr=False)
    tactics: tuple[TacticCard, ...] = field(compare=False, repr=False)
    artefacts: tuple[ArtefactCard, ...] = field(compare=False, repr=False)
    requests: tuple[RequestCard, ...] = field(compare=False, repr=False)
    events: tuple[EventFace, ...] = field(compare=False, repr=False)
    scripts: tuple[tuple[Operation, ...], ...] = field(compare=False, repr=False)
    horde_names: Names[Horde] = field(compare=False, repr=False)
    strategy_names: Names[Strategy] = field(compare=False, repr=False)
    general_names: Names[General] = field(compare=False, repr=False)
    advisor_names: Names[Advisor] = field(compare=False, repr=False)
    tactic_names: Names[Tactic] = field(compare=False, repr=False)
    artefact_names: Names[Artefact] = field(compare=False, repr=False)
    request_names: Names[Request] = field(compare=False, repr=False)
    event_names: Names[EventCard] = field(compare=False, repr=False)
    script_names: Names[Script] = field(compare=False, repr=False)

    @property
    def reed_card(self) -> Strategy:
        """The Reed Clan's only card, after those of the players."""
        return Strategy(len(self.blocks) - 1)

    @property
    def player_cards(self) -> tuple[Strategy, ...]:
        """The cards that every player has."""
        return tuple(Strategy(number) for number in range(len(self.blocks) - 1))

    @property
    def tactic_count(self) -> int:
        """Tactic cards in all."""
        return sum(card.copies for card in self.tactics)

    def board(self, players: int) -> Board:
        """The side for this number of players."""
        return next(board for players_of, board in self.boards if players in players_of)


@lru_cache(maxsize=32)
def find_parts(components: str, *, coop: bool) -> Parts:
    """The set that a match header names or gives in full; raises BadSetup."""
    file = SETS.find(components)
    require_sound_set(faults(file))
    return parts_of(file, coop=coop)


def parts_of(file: ComponentFile, *, coop: bool) -> Parts:
    """A file's contents, worked out; raises BadSetup where a name stands twice or is too long."""
    try:
        return _worked_out(file, coop=coop)
    except ValueError as fault:
        raise BadSetup("components", f"{file.set_id}: {fault}") from fault


def _worked_out(file: ComponentFile, *, coop: bool) -> Parts:
    generals = file.general + (file.coop_general if coop else ())
    tactics = file.tactic + (file.coop_tactic if coop else ())
    hordes = file.coop_horde if coop else file.horde
    strategies = file.strategy + file.reed_strategy[:1]
    strategy_names = Names((card.id for card in strategies), Strategy, file.set_id)
    scripts = Scripts(strategy_names)
    blocks = tuple(_blocks(scripts, card.id, card) for card in strategies)
    qin_cards = {card.id: card for card in file.solo_strategy}
    qin_blocks = tuple(
        _blocks(scripts, f"{QIN_SCRIPT}.{card.id}", qin_cards[card.id]) for card in file.strategy
    )
    qin = file.solo_general[0]
    tactic_cards = tuple(_tactic(scripts, card) for card in tactics)
    events = tuple(_event(scripts, card) for card in file.event)
    return Parts(
        tag=SETS.tag(file),
        coop=coop,
        set_id=file.set_id,
        invented=file.invented,
        boards=tuple((board.players, _board(board)) for board in file.board),
        prices=_prices(file.prices),
        wall=tuple(Level(each.defence, each.firing, each.next_wsg, each.honour) for each in file.wall),
        hordes=tuple(map(horde_card, hordes)),
        blocks=blocks,
        qin_blocks=qin_blocks,
        generals=tuple(
            GeneralCard(Occasion(one.on), _rewards(one.do), holdings(one.start), one.tactics, one.tea)
            for one in generals
        ),
        qin_general=GeneralCard(Occasion(qin.on), _rewards(qin.do)),
        advisors=tuple(GeneralCard(Occasion(one.on), _rewards(one.do)) for one in file.advisor),
        tactics=tactic_cards,
        artefacts=tuple(ArtefactCard(one.count, one.n) for one in file.artefact),
        requests=tuple(map(_request, file.request)),
        events=events,
        scripts=tuple(scripts.lists),
        horde_names=Names((card.id for card in hordes), Horde, file.set_id),
        strategy_names=strategy_names,
        general_names=Names((card.id for card in generals), General, file.set_id),
        advisor_names=Names((card.id for card in file.advisor), Advisor, file.set_id),
        tactic_names=Names((card.id for card in tactics), Tactic, file.set_id),
        artefact_names=Names((card.id for card in file.artefact), Artefact, file.set_id),
        request_names=Names((card.id for card in file.request), Request, file.set_id),
        event_names=Names((card.id for card in file.event), EventCard, file.set_id),
        script_names=Names(scripts.names, Script, file.set_id),
    )


def holdings(amounts: file_parts.Amounts) -> Holdings:
    """Amounts of a file in the order of the resources."""
    found = {str(word): n for word, n in amounts.items()}
    wood, stone, gold, chi = (found.get(resource.word, 0) for resource in RESOURCES)
    return wood, stone, gold, chi


def figures(amounts: file_parts.FigureAmounts) -> Figures:
    """Soldiers of a file in the order of their kinds."""
    found = {str(word): n for word, n in amounts.items()}
    spearmen, archers, horsemen = (found.get(kind.word, 0) for kind in KINDS)
    return spearmen, archers, horsemen


def _board(board: file_parts.BoardPart) -> Board:
    order = tuple(LOCATION_OF[part.id] for part in board.location)
    places = {
        LOCATION_OF[part.id]: Site(
            LOCATION_OF[part.id],
            part.slots if part.kind == "standard" else None,
            part.shame,
            tuple(map(holdings, part.foreman)),
        )
        for part in board.location
    }
    return Board(
        spaces=board.strategy_spaces,
        mortality=tuple(slot.mortality for slot in board.time),
        invasions=tuple(slot.hordes for slot in board.time),
        places=tuple(places[location] for location in sorted(places)),
        order=order,
    )


def _prices(prices: file_parts.PricePart) -> Prices:
    return Prices(
        shame=prices.shame_chi,
        save=prices.save_chi,
        clerk=prices.clerk_gold,
        donation=prices.donation_honour,
        barricade=prices.barricade_wsg,
        barricade_honour=prices.barricade_honour,
        barricade_defence=prices.barricade_defence,
        soldiers=tuple(map(holdings, (prices.spearman, prices.archer, prices.horseman))),
    )


def _blocks(scripts: Scripts, name: str, card: file_parts.StrategyPart) -> tuple[Block, ...]:
    return tuple(
        Block(block.who == "others", scripts.add(f"{name}.{number}", block.do))
        for number, block in enumerate(card.blocks, start=1)
    )


def _tactic(scripts: Scripts, card: file_parts.TacticPart) -> TacticCard:
    return TacticCard(
        copies=card.copies,
        window=Window(card.window),
        base=scripts.add(f"tactic.{card.id}.base", card.base),
        boost=card.boost_chi,
        boosted=scripts.add(f"tactic.{card.id}.boosted", card.boosted),
    )


def _event(scripts: Scripts, card: file_parts.EventPart) -> EventFace:
    passive = tuple((each.stat, each.by) for each in card.passive)
    return EventFace(scripts.add(f"event.{card.id}", card.immediate), passive)


def _request(card: file_parts.RequestPart) -> RequestCard:
    return RequestCard(
        two_players=card.two_players,
        scope=card.scope,
        pay=holdings(card.pay),
        honour=card.honour,
        sacrifice=figures(card.sacrifice),
        claimed=card.needs.get("claimed", 0),
        wall_levels=card.needs.get("wall-levels", 0),
        hordes_a_section=card.needs.get("hordes-a-section"),
    )


def _rewards(ops: Iterable[file_parts.Op]) -> tuple[Reward, ...]:
    return tuple(map(reward, ops))


def payments(cost: int, most: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """Every way to take a number of units from wood, stone and gold, ascending."""
    wood, stone, gold = (min(cost, most[resource]) for resource in BUILDING)
    for of_wood in range(wood + 1):
        for of_stone in range(min(stone, cost - of_wood) + 1):
            of_gold = cost - of_wood - of_stone
            if of_gold <= gold:
                yield of_wood, of_stone, of_gold


def cost_of(parts: Parts, kind: Kind) -> Holdings:
    """What a recruit costs (GW-BAR-02)."""
    return parts.prices.soldiers[kind]


def resource_of(location: Location) -> Resource:
    """What a production location gives."""
    return RESOURCES[location]
