"""How Zhanguo is shown: map, wall, Mausoleum, route, rewards, Court, player boards, and rows of the seats."""

from collections.abc import Iterator
from typing import Final

from rules.kernel.actors import Seat
from rules.kernel.display import Display, Highlights
from rules.kernel.panel_display import KEY, draw_panels, panel_display
from rules.kernel.panels import (
    LAST,
    PLAIN,
    REFUSED,
    WRONG,
    HandPanel,
    Look,
    Market,
    Owner,
    Panel,
    PanelCard,
    PanelToken,
    SeatTable,
    Space,
    Track,
)
from rules.kernel.plan import emblem
from rules.kernel.seat_colours import SeatColours, assign_colours
from rules.zhanguo import moves as m
from rules.zhanguo.annex import GOVERNOR_BONUSES
from rules.zhanguo.effect_words import effect_words, face_words, need_words, tile_words
from rules.zhanguo.events import Event
from rules.zhanguo.names import FACE, MAUSOLEUM_TILE
from rules.zhanguo.outcome import scores
from rules.zhanguo.pieces import (
    ACTION_CARD_NAMES,
    ASPECTS,
    CARD_NAMES,
    EMPEROR_NAMES,
    GOVERNOR_NAMES,
    OFFICIALS,
    REGIONS,
    ROUNDS,
    SECTIONS,
    SPOT_NAMES,
    SPOTS,
    UNREST,
    Action,
    Region,
    Section,
    Spot,
    tile_kind,
)
from rules.zhanguo.player_board import Hand, Placed
from rules.zhanguo.queries import triggers
from rules.zhanguo.state import State
from rules.zhanguo.words import describe, turn

_COLOURS: Final = {
    "green": SeatColours("#1c8048", "#ffffff"),
    "violet": SeatColours("#6b3fa0", "#ffffff"),
    "amber": SeatColours("#f4b63a", "#1d1a16"),
    "white": SeatColours("#f5f2ea", "#1d1a16"),
}
_SHAPES: Final = "●■◆⬢"
"""A sign for each seat, so that nothing depends on colour alone."""
_HALVES: Final = 2
"""Sections of a wall site, side by side."""
_MAUSOLEUM_COLUMNS: Final = 3
_RESTLESS: Final = Look("#f3c7c0", "#5b0f12")


def _token(state: State, seat: Seat) -> PanelToken:
    return PanelToken(_on(seat), _look(state, seat))


def _look(state: State, seat: Seat) -> Look:
    colours = assign_colours(state.table.names, _COLOURS)[seat]
    return Look(colours.fill, colours.sign)


def _slot(state: State, printed: str, seat: Seat | None, *, used: bool) -> PanelToken:
    """A slot for a wall or a soldier, in the colour of the seat that has it."""
    if not used:
        return PanelToken(f"{printed} not used")
    return PanelToken(f"{printed} {_on(seat)}", PLAIN if seat is None else _look(state, seat))


def _on(seat: Seat | None) -> str:
    """Who stands there: `1●`."""
    return "–" if seat is None else f"{seat + 1}{_SHAPES[seat]}"


def _numbers(state: State, counts: tuple[int, ...]) -> str:
    """How many each seat has: `1●×2 3◆×1`."""
    return " ".join(f"{_on(seat)}×{counts[seat]}" for seat in state.table.seats if counts[seat]) or "–"


# What is pointed out


def _touched(move: m.Move | None) -> tuple[str, ...]:
    """The places and cards that a move is about, by their public names."""
    match move:
        case m.Unify() | m.PlaceAlchemist():
            return CARD_NAMES.names[move.card], move.region.word
        case m.PlayAtCourt() | m.Forfeit() | m.Activate() | m.PutEmperor() | m.TakeMaster():
            return (CARD_NAMES.names[move.card],)
        case m.Recruit() | m.Install() | m.Hire() | m.BuildPalace() | m.Calm() | m.Reset():
            return (move.region.word,)
        case m.BuildWall():
            return (move.section.word,)
        case m.MoveOfficial() | m.MoveWorker():
            return move.origin.word, move.to.word
        case m.PlaceSoldier():
            return (SPOT_NAMES.names[move.spot],)
        case _:
            return ()


class _Marks:
    """What is pointed out, by public names."""

    def __init__(self, highlights: Highlights[m.Move]) -> None:
        self._last: Final = _touched(highlights.last)
        self._refused: Final = _touched(highlights.refused)
        self._wrong: Final = highlights.places

    def of(self, name: str) -> str:
        """The sign for a place; a refused move shows before everything else."""
        for sign, names in ((REFUSED, self._refused), (WRONG, self._wrong), (LAST, self._last)):
            if name in names:
                return sign
        return ""


# The main board


def _map(state: State, marks: _Marks) -> Market:
    return Market("Map", tuple(_map_region(state, region, marks) for region in REGIONS))


def _map_region(state: State, region: Region, marks: _Marks) -> PanelCard:
    at = state.regions[region]
    tiles = ", ".join(tile_words(kind) for kind in at.tiles) or "none"
    lines = [f"palace tiles: {tiles}"]
    for number, spot, half in at.spaces():
        bonus = effect_words(GOVERNOR_BONUSES[spot.tile][half])
        name = GOVERNOR_NAMES.names[spot.tile]
        lines.append(f"space {number} of {name} ({bonus}): {_on(spot.spaces[half])}")
    lines.append(f"governor area: {_numbers(state, at.area)}")
    lines.append(f"palaces: {_numbers(state, at.palaces)}")
    return PanelCard(region.title, tuple(lines), pointed_out=marks.of(region.word), place=region.word)


def _wall(state: State, marks: _Marks) -> Market:
    return Market("Wall", tuple(_section(state, section, marks) for section in SECTIONS), _HALVES)


def _section(state: State, section: Section, marks: _Marks) -> PanelCard:
    wall, printed = state.walls[section], state.table.printed
    face = "no tile yet" if wall.face is None else face_words(printed.face(wall.face))
    name = "" if wall.face is None else f" {FACE.write(state.table, wall.face)}"
    slots = tuple(
        _slot(state, f"{at} {'|' * slot.value}", seat, used=printed.usable(slot))
        for at, (slot, seat) in enumerate(zip(printed.walls[section], wall.slots, strict=True), start=1)
    )
    pile = state.emperors[section.site]
    tiles = [f"{EMPEROR_NAMES.names[tile]} {_actions(printed.emperor(tile).triggers)}" for tile in pile]
    emperors = f"Emperor tiles of {section.site.word}: {', '.join(tiles) or '–'}"
    return PanelCard(
        f"{section.word}{name}",
        (face, emperors),
        slots,
        pointed_out=marks.of(section.word),
        place=section.word,
    )


def _actions(actions: tuple[Action, ...]) -> str:
    return " or ".join(action.word for action in actions)


def _mausoleum(state: State, marks: _Marks) -> Market:
    return Market("Mausoleum", tuple(_spot(state, spot, marks) for spot in SPOTS), _MAUSOLEUM_COLUMNS)


def _spot(state: State, spot: Spot, marks: _Marks) -> PanelCard:
    at, printed = state.mausoleum[spot], state.table.printed
    target = "?" if at.target is None else at.target.word.capitalize()
    name = SPOT_NAMES.names[spot]
    if at.tile is None:
        return PanelCard(f"{name} {target}", ("no tile yet",), pointed_out=marks.of(name), place=name)
    tile = printed.soldier_tile(at.tile)
    slots = tuple(
        _slot(state, f"{slot.value} VP", seat, used=printed.usable(slot))
        for slot, seat in zip(tile.slots, at.slots, strict=True)
    )
    need = f"needs {need_words(tile.need, tile_kind(at.tile))}"
    title = f"{name} {target} {MAUSOLEUM_TILE.write(state.table, at.tile)}"
    return PanelCard(title, (need,), slots, pointed_out=marks.of(name), place=name)


def _route(state: State) -> Track:
    route = state.table.printed.route
    spaces = []
    for at in range(route.end + 1):
        notes = [route.symbols[at].value] if at in route.symbols else []
        if at and route.vp[at] != route.vp[at - 1]:
            notes.append(f"{route.vp[at]} VP")
        boats = tuple(_token(state, seat) for seat in state.table.seats if state.players[seat].boat == at)
        spaces.append(Space(str(at), boats, ", ".join(notes)))
    return Track("Elixir route", tuple(spaces))


def _rewards(state: State) -> Market:
    """The rewards of every round, row by row, with the markers of those who took one of the present round."""
    table, number = state.table.rewards, min(max(state.round, 1), ROUNDS)
    cards = []
    for row, aspect in enumerate(table.rows):
        seat = state.column[row]
        lines = tuple(
            f"{'now' if column == number else column}: {effect_words(reward)}"
            for column, reward in enumerate(table.cells[row], start=1)
        )
        taken = (_token(state, seat),) if seat is not None else ()
        cards.append(PanelCard(f"row {row + 1}, {aspect.word}", lines, taken))
    title = f"Rewards: column {number} of {ROUNDS}, table {state.table.options.table}"
    return Market(title, tuple(cards), len(cards))


def _order(state: State) -> HandPanel:
    return HandPanel("Turn order", tuple(_token(state, seat) for seat in state.track))


def _court(state: State, marks: _Marks) -> HandPanel:
    if not state.court:
        return HandPanel("Court pile", ())
    name = CARD_NAMES.names[state.court[-1]]
    below = len(state.court) - 1
    tokens = [PanelToken(name, pointed_out=marks.of(name))]
    if below:
        tokens.append(PanelToken(f"on {below} more"))
    return HandPanel("Court pile, top card", tuple(tokens))


def _supply(state: State) -> HandPanel:
    tokens = [PanelToken(f"{aspect.word} {state.supply(aspect)}") for aspect in ASPECTS]
    large = [PanelToken(f"large {aspect.word}") for aspect in ASPECTS if state.holder(aspect) is None]
    masters = [PanelToken(name, place=name) for name in (CARD_NAMES.names[card] for card in state.masters)]
    return HandPanel("Supply", (*tokens, *large, *masters))


def _rival(state: State) -> tuple[Panel, ...]:
    """What Li Si may still reveal; nothing without him."""
    if state.table.rival is None:
        return ()
    left = [PanelToken(ACTION_CARD_NAMES.names[card]) for card in state.actions.left]
    discarded = [PanelToken(ACTION_CARD_NAMES.names[card]) for card in state.actions.discarded]
    deck = [PanelToken(f"{aspect.word} {state.deck[aspect]}") for aspect in ASPECTS]
    return (
        HandPanel("Li Si's Action cards to come", tuple(left)),
        HandPanel("Li Si's Action cards discarded", tuple(discarded)),
        HandPanel("Li Si's Unification cards to come", tuple(deck)),
    )


# Player boards


def _board(state: State, seat: Seat, marks: _Marks) -> Market:
    return Market(
        f"{state.table.names[seat]} {_on(seat)}",
        tuple(_domain(state, seat, region, marks) for region in REGIONS),
        len(REGIONS),
    )


def _domain(state: State, seat: Seat, region: Region, marks: _Marks) -> PanelCard:
    domain = state.players[seat].domains[region]
    cards = tuple(_card(state, placed, marks) for placed in domain.cards)
    if seat == state.table.rival:
        kept = ", ".join(tile_words(kind) for kind in state.kept[region])
        return PanelCard(region.title, (f"palace tiles: {kept or '–'}", *cards))
    restless = domain.unrest == UNREST
    officials = [
        f"{official.word} {domain.officials[official]}"
        for official in OFFICIALS
        if domain.officials[official]
    ]
    unrest = f"UNREST {UNREST}: no activation" if restless else f"unrest {domain.unrest}"
    lines = (
        f"{unrest}, workers {domain.workers}",
        f"officials: {', '.join(officials) or '–'}",
        *cards,
    )
    return PanelCard(region.title, lines, look=_RESTLESS if restless else PLAIN, place=region.word)


def _card(state: State, placed: Placed, marks: _Marks) -> str:
    name = CARD_NAMES.names[placed.card]
    tile = "" if placed.emperor is None else f" with {EMPEROR_NAMES.names[placed.emperor]}"
    ability = effect_words(state.table.printed.ability(placed.card))
    return f"{name}{marks.of(name)}{tile} on {_actions(triggers(state, placed))}: {ability}"


def _hand(hand: Hand) -> str:
    known = [CARD_NAMES.names[card] for card in hand.known]
    unknown = [f"{aspect.word[0]}?" for aspect in ASPECTS for _ in range(hand.unknown[aspect])]
    return " ".join((*known, *unknown)) or "–"


_LABELS: Final[tuple[str, ...]] = (
    "points on the track",
    "tokens",
    "large",
    "locked",
    "entrance",
    "placed",
    "boat",
    "hand",
    "set aside",
)


def _values(state: State, seat: Seat) -> Iterator[str]:
    player = state.players[seat]
    yield str(player.vp)
    yield " ".join(f"{aspect.word[0]}{player.tokens[aspect]}" for aspect in ASPECTS)
    yield " ".join(aspect.word for aspect in player.large) or "–"
    yield from map(str, (player.locked, player.entrance, player.placed, player.boat))
    yield _hand(player.hand)
    yield " ".join(CARD_NAMES.names[card] for card in player.aside) or "–"


def _points(state: State) -> tuple[Panel, ...]:
    """The points of every seat by category, once the match is over."""
    if state.agenda:
        return ()
    cards = tuple(
        PanelCard(
            f"{state.table.names[seat]} {_on(seat)}: {score.points} VP",
            tuple(f"{name} {points}" for name, points in score.categories),
        )
        for seat, score in zip(state.table.seats, scores(state), strict=True)
    )
    return (Market("Points by category", cards, len(cards)),)


def seats(state: State) -> SeatTable:
    """What each seat has."""
    colours = assign_colours(state.table.names, _COLOURS)
    owners = tuple(
        Owner(state.table.names[seat], emblem(seat, colours[seat]), tuple(_values(state, seat)))
        for seat in state.table.seats
    )
    return SeatTable("Seats", _LABELS, owners)


def panels(state: State, highlights: Highlights[m.Move]) -> tuple[Panel, ...]:
    """Everything on the table but the rows of the seats."""
    marks = _Marks(highlights)
    return (
        *_points(state),
        _order(state),
        _court(state, marks),
        _rewards(state),
        _supply(state),
        _map(state, marks),
        _wall(state, marks),
        _mausoleum(state, marks),
        _route(state),
        *_rival(state),
        *(_board(state, seat, marks) for seat in state.table.seats),
    )


DISPLAY: Final[Display[State, m.Move, Event]] = panel_display(
    panels, seats, turn, describe, KEY, touches=lambda _, move: _touched(move)
)
draw: Final = draw_panels(panels, seats, turn)
