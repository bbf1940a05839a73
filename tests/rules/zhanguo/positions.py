"""Tables made up for an example: what is not named is empty (section 17 of the digest).

They lack the cards and tiles that a match would have, so they are played with the bare reducer.
"""

from collections.abc import Mapping
from typing import Final, TypeAlias

from msgspec import structs

from rules.kernel.actors import Seat
from rules.kernel.setup import Setup
from rules.kernel.text import Word
from rules.zhanguo import position_board as main_board
from rules.zhanguo import position_terms as terms
from rules.zhanguo.agenda import AGENDA
from rules.zhanguo.evolve import fold
from rules.zhanguo.names import CARD
from rules.zhanguo.notation import read_move, write_move
from rules.zhanguo.pieces import (
    REGIONS,
    SECTIONS,
    SOLDIERS,
    SPOT_NAMES,
    SPOTS,
    Region,
)
from rules.zhanguo.player_board import Player
from rules.zhanguo.position_players import DOMAIN, PLAYER
from rules.zhanguo.rulebook import ZHANGUO_1
from rules.zhanguo.rulings import RIVAL_SEAT
from rules.zhanguo.start import start
from rules.zhanguo.state import State, Table
from tests.rules.laws import cited
from tests.rules.zhanguo.strategies import NAMES, SET

EMPTY: Final = ";;0;0"
"""A region of a player board."""
SIX: Final = "w?,w?,c?,c?,l?,l?"
"""A hand of which nothing is known."""


_PARTS: Final = {
    "vp": 0,
    "boat": 0,
    "locked": SOLDIERS - 1,
    "entrance": 1,
    "tokens": "0.0.0",
    "hand": SIX,
    "aside": "A1A2A3A4A5",
}

Parts: TypeAlias = Mapping[str, str | int]
"""What an example says of a player: {"boat": 9, "wei": "12,A3;aag;2;1"}."""


def player(at: Table, given: Parts) -> Player:
    """A player with these parts and regions, the others empty."""
    has = {**_PARTS, **given}
    board = "/".join(str(has.get(region.word, EMPTY)) for region in REGIONS)
    soldiers = f"{has['locked']}.{has['entrance']}"
    text = f"{has['vp']}:{has['boat']}:{soldiers}:{has['tokens']}:{has['hand']}:{has['aside']}:{board}"
    return PLAYER.read(at, Word(text, 1))


def table(  # noqa: PLR0913 - a table has all of these
    *,
    seats: tuple[str, ...] | int = 3,
    players: Mapping[str, Parts] | None = None,
    turn: str = "play:1",
    number: int = 1,
    court: str = "-",
    order: str | None = None,
    regions: Mapping[str, str] | None = None,
    spots: Mapping[str, str] | None = None,
    walls: Mapping[str, str] | None = None,
    emperors: str = "-/-/-",
    masters: str = "-",
    rulings: tuple[tuple[str, str], ...] = (),
    options: tuple[tuple[str, str], ...] = (),
    kept: str = "",
    actions: str = "",
    deck: str = "",
    components: str = SET,
) -> State:
    """A table as an example gives it."""
    names = NAMES[:seats] if isinstance(seats, int) else seats
    setup = Setup(ZHANGUO_1, names, components, rulings=rulings, options=options)
    state = start(setup)
    at = state.table
    track, column = terms.ORDER.read(at, Word(order or f"{''.join(_numbers(at))}|---", 1))
    state = structs.replace(
        state,
        round=number,
        track=track,
        column=column,
        court=CARD.several(",").read(at, Word(court, 1)),
        emperors=main_board.EMPERORS.read(at, Word(emperors, 1)),
        masters=CARD.several("").read(at, Word(masters, 1)),
        players=tuple(player(at, {**_given(name), **(players or {}).get(name, {})}) for name in names),
        agenda=terms.TURN.read(at, Word(turn, 1)),
    )
    if kept:
        state = structs.replace(state, kept=terms.KEPT.read(at, Word(kept, 1)))
    if actions:
        state = structs.replace(state, actions=terms.ACTIONS.read(at, Word(actions, 1)))
    if deck:
        state = structs.replace(state, deck=terms.DECK.read(at, Word(deck, 1)))
    return _with_boards(state, regions or {}, spots or {}, walls or {})


def _given(name: str) -> Parts:
    return {"hand": ""} if name == RIVAL_SEAT else {}


def _numbers(at: Table) -> list[str]:
    return [str(seat + 1) for seat in at.seats]


def _with_boards(
    state: State, regions: Mapping[str, str], spots: Mapping[str, str], walls: Mapping[str, str]
) -> State:
    at, none = state.table, "0" * state.table.players
    drawn = "/".join(regions.get(region.word, f";{none};;{none}") for region in REGIONS)
    lying = [spots.get(SPOT_NAMES.names[spot], f"{at.printed.spots[spot].word}=?") for spot in SPOTS]
    built = [walls.get(section.word, "?:" + "." * len(at.printed.walls[section])) for section in SECTIONS]
    return structs.replace(
        state,
        regions=main_board.MAP.read(at, Word(drawn, 1)),
        mausoleum=main_board.MAUSOLEUM.read(at, Word("/".join(lying), 1)),
        walls=main_board.WALLS.read(at, Word("/".join(built), 1)),
    )


# What is done with them


def settled(state: State) -> State:
    """What happens by itself there."""
    return fold(state, AGENDA.settled(state, ()))


def played(state: State, *lines: str) -> State:
    """The state after these entries, none of which is refused."""
    for line in lines:
        actor, move = read_move(state, line)
        verdict = AGENDA.decide(state, actor, move)

        assert isinstance(verdict, tuple), f"{line}: {cited(verdict)}"
        state = fold(state, verdict)
    return state


def asked(state: State) -> list[str]:
    """Every legal move of those who are awaited, without the name of a seat."""
    return [
        write_move(state, actor, move).removeprefix(f"{state.table.names[actor]} ")
        if isinstance(actor, int)
        else write_move(state, actor, move)
        for actor in AGENDA.awaiting(state)
        for move in AGENDA.legal_moves(state, actor)
    ]


def awaited(state: State) -> list[str]:
    """The names of the seats that are awaited."""
    return [state.table.names[seat] for seat in AGENDA.awaiting(state) if isinstance(seat, int)]


def rules_broken(state: State, line: str) -> list[str]:
    """The rules that an entry breaks, without their prefix."""
    verdict = AGENDA.decide(state, *read_move(state, line))
    return [rule.removeprefix("ZHG-") for rule in cited(verdict)]


def of(state: State, name: str) -> Player:
    """A player by name."""
    return state.players[state.table.names.index(name)]


def seat(state: State, name: str) -> Seat:
    """A seat by name."""
    return Seat(state.table.names.index(name))


def board(state: State, name: str, region: Region) -> str:
    """A region of a player board as a position has it."""
    return DOMAIN.write(state.table, of(state, name).domains[region])


def top(state: State) -> str:
    """What is pending, as a position has it."""
    return terms.TURN.write(state.table, state.agenda)
