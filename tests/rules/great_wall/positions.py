"""Positions made up for tests: a match after its set-up, changed piece by piece."""

from functools import lru_cache

from msgspec import structs

from rules.great_wall.agenda import AGENDA
from rules.great_wall.evolve import fold
from rules.great_wall.folds.change import with_player, with_section
from rules.great_wall.kinds import (
    ALL_CLANS,
    MOST_SEATS,
    NOBODY,
    Advisor,
    Clan,
    Figures,
    General,
    Holdings,
    Horde,
    Kind,
    Location,
    Section,
    Strategy,
    Tactic,
    Token,
)
from rules.great_wall.moves import Move
from rules.great_wall.notation import TEXT
from rules.great_wall.pending import DefeatCheck, Home, PickDue, Task, TurnOver, Winter, YearEnd
from rules.great_wall.position_terms import AT, RESOURCES
from rules.great_wall.rulebook import COOP_1, GREAT_WALL_1
from rules.great_wall.start import laid_out, read_table
from rules.great_wall.state import Claimed, Foreman, OnTrack, Player, State
from rules.great_wall.wall import Lying
from rules.kernel.actors import Actor, Seat
from rules.kernel.rule import Illegal, RuleId
from rules.kernel.setup import Draws, Setup
from rules.kernel.text import Word

SET = "great-wall-reference-0"
NAMES = ("green", "blue", "red", "yellow")
GREEN, BLUE, RED, YELLOW = (Seat(number) for number in range(4))
L, C, R = Section


@lru_cache
def begun(
    seats: int = 3,
    *,
    coop: bool = False,
    rulings: tuple[tuple[str, str], ...] = (),
    draws: Draws = Draws.UNRECORDED,
) -> State:
    """A match after its set-up, each choice the first of its list: the first question of Autumn is open."""
    edition = COOP_1 if coop else GREAT_WALL_1
    state = laid_out(read_table(Setup(edition, NAMES[:seats], SET, draws, rulings)))
    state = settled(state)
    while not isinstance(state.ask, PickDue):
        actor = AGENDA.awaiting(state)[0]
        state = made(state, actor, next(AGENDA.legal_moves(state, actor)))
    return state


def settled(state: State) -> State:
    """After everything that happens of itself."""
    return fold(state, AGENDA.settled(state, ()))


def made(state: State, actor: Actor, move: Move) -> State:
    events = AGENDA.decide(state, actor, move)
    assert not isinstance(events, Illegal), events
    return fold(state, events)


def after(state: State, *texts: str) -> State:
    """After these moves, all of them legal."""
    for text in texts:
        actor, move = TEXT.read(state.table, text)
        state = made(state, actor, move)
    return state


def broken(state: State, text: str) -> list[RuleId]:
    """The rules that a move breaks; none for a legal one."""
    actor, move = TEXT.read(state.table, text)
    verdict = AGENDA.decide(state, actor, move)
    return [violation.rule.id for violation in verdict.violations] if isinstance(verdict, Illegal) else []


def why(state: State, text: str) -> str:
    """Why a move is refused."""
    actor, move = TEXT.read(state.table, text)
    verdict = AGENDA.decide(state, actor, move)
    assert isinstance(verdict, Illegal)
    return verdict.violations[0].why


def legal(state: State, seat: Seat) -> list[str]:
    """The legal moves of a seat, as text without its name."""
    moves = AGENDA.legal_moves(state, seat)
    return [TEXT.write(state.table, seat, move).partition(" ")[2] for move in moves]


def awaited(state: State) -> list[str]:
    """Who is awaited, by name."""
    return [
        state.table.names[actor] if isinstance(actor, int) else actor.value
        for actor in AGENDA.awaiting(state)
    ]


# Changes.


def asking(state: State, *tasks: Task, clan: Clan | Seat | None = GREEN) -> State:
    """With these tasks before the end of a clan's turn; without a clan, before Winter's end."""
    turn: tuple[Task, ...] = (DefeatCheck(), TurnOver(Clan(clan))) if clan is not None else ()
    rest: tuple[Task, ...] = (Winter(), YearEnd()) if clan is not None else (YearEnd(),)
    agenda = (*tasks, *turn, *rest)
    return structs.replace(state, ask=agenda[0], then=agenda[1:])


def at_location(state: State, location: Location, *tasks: Task, clan: Clan | Seat = GREEN) -> State:
    """The same, while a location is activated."""
    return asking(state, *tasks, Home(location, advanced=False), clan=clan)


def holding(
    state: State,
    seat: Seat,
    resources: str | None = None,
    **parts: object,
) -> State:
    """A seat with these resources (`w3s0g0c1`) and other parts."""
    if resources is not None:
        parts["resources"] = RESOURCES.read(state.table, Word(resources, 1))
    return with_player(state, seat, structs.replace(state.players[seat], **parts))


def horde(state: State, name: str) -> Horde:
    return state.table.parts.horde_names.number_of[name]


def advisor(state: State, name: str) -> Advisor:
    return state.table.parts.advisor_names.number_of[name]


def general(state: State, name: str) -> General:
    return state.table.parts.general_names.number_of[name]


def tactic(state: State, name: str) -> Tactic:
    return state.table.parts.tactic_names.number_of[name]


def strategy(state: State, name: str) -> Strategy:
    return state.table.parts.strategy_names.number_of[name]


def wall(  # noqa: PLR0913 - the parts of a section, each with a default
    state: State,
    section: Section,
    *,
    level: int | None = None,
    barricades: int | None = None,
    hordes: dict[str, str] | None = None,
    firing: dict[int, int] | None = None,
    rest: dict[int, Figures] | None = None,
) -> State:
    """A section with these parts; hordes from line 1, each with its marks ('' for none)."""
    found = state.section(section)
    if level is not None:
        found = structs.replace(found, level=level)
    if barricades is not None:
        found = structs.replace(found, barricades=barricades)
    if hordes is not None:
        lying = tuple(
            Lying(horde(state, name), marks or _empty(state, name)) for name, marks in hordes.items()
        )
        found = structs.replace(found, hordes=lying)
    if firing is not None:
        found = structs.replace(found, firing=tuple(firing.get(clan, 0) for clan in range(ALL_CLANS)))
    if rest is not None:
        found = structs.replace(found, rest=tuple(rest.get(seat, NOBODY) for seat in range(MOST_SEATS)))
    return with_section(state, section, found)


def _empty(state: State, name: str) -> str:
    return "." * len(state.table.parts.hordes[horde(state, name)].cells)


def clerks(state: State, text: str) -> State:
    """With clerks only at these locations: `sawmill:112r+temple:1`."""
    return structs.replace(state, at=AT.read(state.table, Word(text, 1)))


def tea(state: State, *clans: Clan | Seat) -> State:
    return structs.replace(state, tea=tuple(Clan(clan) for clan in clans))


def with_general(state: State, seat: Seat, name: str, assistants: int = 1) -> State:
    """A general with this number of assistants, and no active advisor."""
    some = tuple(Advisor(number) for number in range(40, 40 + assistants))
    return holding(state, seat, general=general(state, name), assistants=some, active=())


def without_abilities(state: State) -> State:
    """Everybody with a general and an advisor that give nothing in the tests that use it."""
    for seat in state.table.seats:
        state = with_general(state, seat, "general-10" if seat else "general-13", 0)
    return state


def foremen(state: State, seat: Seat, **levels: int) -> State:
    found = [
        Foreman(levels[location.name.lower()], Kind.SPEARMAN) if location.name.lower() in levels else None
        for location in tuple(Location)[:4]
    ]
    return holding(state, seat, foremen=tuple(found))


def claimed(state: State, seat: Seat, **cards: int) -> State:
    found = tuple(Claimed(horde(state, name.replace("_", "-")), tokens) for name, tokens in cards.items())
    return holding(state, seat, claimed=tuple(sorted(found, key=lambda card: card.horde)))


def on_track(state: State, *cards: tuple[int, Clan | Seat, str]) -> State:
    found = [OnTrack(space, Clan(clan), strategy(state, name)) for space, clan, name in cards]
    return structs.replace(state, track=tuple(sorted(found, key=lambda card: card.space)))


def qin_track(state: State, *words: str) -> State:
    """Qin's track, highest first."""
    tokens = tuple(Token[word.upper()] for word in words)
    return structs.replace(state, qin=structs.replace(state.of_qin, track=tokens))


def player(state: State, seat: Seat) -> Player:
    return state.players[seat]


def resources(state: State, seat: Seat) -> Holdings:
    held = state.players[seat].resources
    assert held is not None
    return held
