"""How the game is shown: the wall with its hordes, the locations, the tracks, and a row for each clan."""

from collections.abc import Iterator
from typing import Final

from rules.great_wall import names as n
from rules.great_wall.aim import card_of
from rules.great_wall.card_words import (
    ability_in_words,
    artefact_in_words,
    figures_in_words,
    modifier_in_words,
    request_in_words,
    spot_in_words,
)
from rules.great_wall.choice_words import name_in_words
from rules.great_wall.kinds import (
    LOCATIONS,
    NOBODY,
    PRODUCTION,
    QIN,
    REED,
    RESOURCES,
    SECTIONS,
    Clan,
    Figures,
    Holdings,
    Location,
    Section,
    Token,
    of_seat,
)
from rules.great_wall.moves import Move, Spots
from rules.great_wall.scoring import soldiers_out
from rules.great_wall.state import Claimed, Foreman, Player, State
from rules.great_wall.tasks.hordes import defence_of, power_of
from rules.great_wall.wall import EMPTY, SPEARS, WOUND, Lying, WallSection, owner_of
from rules.kernel.display import Highlights
from rules.kernel.panels import (
    LAST,
    WRONG,
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
from rules.kernel.svg import element, group

_COLOURS: Final = {
    "green": SeatColours("#1c8048", "#ffffff"),
    "blue": SeatColours("#2a62b8", "#ffffff"),
    "red": SeatColours("#c62f2f", "#ffffff"),
    "yellow": SeatColours("#f4cf3a", "#1d1a16"),
}
_ACROSS: Final = 4
"""Cards of a section side by side: the wall and three lines of hordes."""


def panels(state: State, marks: Highlights[Move]) -> tuple[Panel, ...]:
    """Everything that lies on the table."""
    touched = _touched(marks.last)
    wrong = set(marks.places)
    found: list[Panel] = [Track("Year and pools", tuple(_pools(state)))]
    for section in SECTIONS:
        wall = state.sections[section]
        title = f"{section.word.capitalize()} section ({section.letter})"
        if wall is None:
            found.append(Track(title, (Space("closed"),)))
        else:
            found.append(Market(title, tuple(_section(state, section, wall, touched, wrong)), _ACROSS))
    found.append(Track("Locations", tuple(_locations(state, touched, wrong))))
    found.append(Track("Strategy track", tuple(_strategies(state))))
    found.append(Track("Advisors on the track", tuple(_advisors(state))))
    if state.qin is not None:
        tokens = tuple(Space(f"{place}", (PanelToken(token.word),)) for place, token in _ranked(state))
        found.append(Track("Qin's track, highest first", tokens or (Space("not laid"),)))
    if state.coop is not None:
        found.append(Market("Requests", tuple(_requests(state)), _ACROSS))
        found.append(Track("Events in force", tuple(_events(state))))
    else:
        names, faces = state.table.parts.artefact_names.names, state.table.parts.artefacts
        laid = tuple(
            Space(names[artefact], note=artefact_in_words(faces[artefact])) for artefact in state.artefacts
        )
        found.append(Track("Artefacts", laid or (Space("not laid"),)))
    return tuple(found)


def _touched(move: Move | None) -> set[str]:
    """The places that the last move was about, by public names."""
    if move is None:
        return set()
    found = set()
    for part in (getattr(move, name) for name in type(move).__match_args__):
        if isinstance(part, Location):
            found.add(part.word)
        elif isinstance(part, Section):
            found.add(part.letter)
        section = getattr(part, "section", None)
        if isinstance(section, Section):
            found.add(section.letter)
            if isinstance(part, Spots):
                place = f"{section.letter}{part.line}"
                found |= {place, *(f"{place}{n.CELL.write(None, cell)}" for cell in part.cells)}
    return found


def touches(_: State, move: Move) -> tuple[str, ...]:
    """The places that a move is about, by public names, in alphabetical order."""
    return tuple(sorted(_touched(move)))


def _sign(name: str, touched: set[str], wrong: set[str]) -> str:
    if name in wrong:
        return WRONG
    return LAST if name in touched else ""


def _pools(state: State) -> Iterator[Space]:
    board = state.table.board
    yield Space("year", (PanelToken(f"{state.time + 1} of {len(board.mortality)}"),))
    yield Space("mortality", (PanelToken(str(state.mortality)),))
    yield Space("next invasion", (PanelToken(_invasion(state)),))
    top = "unknown" if state.top is None else state.top.word
    yield Space("indicator", (PanelToken(top),))
    yield Space("shame pool", (PanelToken(str(state.pool)),), f"{state.removed} removed")
    tea = tuple(PanelToken(state.table.name(clan)) for clan in state.tea)
    yield Space("tea order", tea or (PanelToken("not stacked"),))
    ware = [f"{amount} {resource.word}" for resource, amount in zip(RESOURCES, state.ware, strict=False)]
    yield Space("warehouse", tuple(PanelToken(text) for text in ware))
    yield Space(
        "decks",
        (PanelToken(f"hordes {state.hordes.size}"), PanelToken(f"tactics {state.tactics.size}")),
    )


def _invasion(state: State) -> str:
    """What the next Spring brings (GW-INV-01)."""
    if state.time == state.table.final_slot:
        return "none, the last year"
    printed = state.table.board.invasions[state.time + 1]
    return f"{max(0, printed + state.table.coop + state.passive('spring'))} hordes"


def _section(
    state: State, section: Section, wall: WallSection, touched: set[str], wrong: set[str]
) -> Iterator[PanelCard]:
    defence, power = defence_of(state, wall), power_of(state, wall)
    firing = state.table.parts.wall[wall.level].firing
    archers = [f"{state.table.name(Clan(clan))} {count}" for clan, count in enumerate(wall.firing) if count]
    resting = [
        f"{state.table.names[seat]} {figures_in_words(wall.rest[seat])}"
        for seat in state.table.seats
        if wall.rest[seat] != NOBODY
    ]
    held = "holds" if defence >= power else "would breach"
    yield PanelCard(
        f"wall level {wall.level}",
        (
            f"defence {defence} against power {power}: {held}",
            f"barricades: {wall.barricades}",
            f"archers in the slots, {sum(wall.firing)} of {firing}: {', '.join(archers) or 'none'}",
            f"resting: {', '.join(resting) or 'nobody'}",
        ),
        pointed_out=_sign(section.letter, touched, wrong),
        place=section.letter,
    )
    for line, lying in enumerate(wall.hordes, start=1):
        yield _horde(state, f"{section.letter}{line}", lying, touched, wrong)


def _horde(state: State, place: str, lying: Lying, touched: set[str], wrong: set[str]) -> PanelCard:
    card = card_of(state, lying)
    name = state.table.parts.horde_names.names[lying.horde]
    spots = []
    for cell, mark, reward in zip(card.cells, lying.marks, card.rewards, strict=True):
        there = spot_in_words(reward) if mark == EMPTY else _soldier(state, mark)
        spot = n.CELL.write(None, cell)
        spots.append(f"{spot}{_sign(place + spot, touched, wrong)} {there}")
    return PanelCard(
        f"{place} {name}",
        (f"power {card.power}, reward {card.reward} honour", *map(modifier_in_words, card.ability), *spots),
        pointed_out=_sign(place, touched, wrong),
        place=place,
    )


def _soldier(state: State, mark: str) -> str:
    """Who covers a spot; a horseman covers two."""
    if mark == WOUND:
        return "wound"
    owner = owner_of(mark)
    kind = "spearman" if mark in SPEARS else "horseman"
    return f"{state.table.name(owner)} {kind}"


def _locations(state: State, touched: set[str], wrong: set[str]) -> Iterator[Space]:
    for location in LOCATIONS:
        place = state.table.board.places[location]
        clerks = [
            PanelToken(f"{state.table.name(Clan(clan))} {count}")
            for clan, count in enumerate(state.at[location])
            if count
        ]
        foremen = [
            f"{state.table.name(clan)} {level}"
            for clan in state.table.clans
            if (level := state.foreman_level(clan, location))
        ]
        slots = "special" if place.slots is None else f"{sum(state.at[location])} of {place.slots}"
        note = slots + (", shame icon" if place.shame else "")
        if foremen:
            note += f", foremen: {', '.join(foremen)}"
        sign = _sign(location.word, touched, wrong)
        yield Space(location.word, tuple(clerks), note, pointed_out=sign, place=location.word)


def _strategies(state: State) -> Iterator[Space]:
    names = state.table.parts.strategy_names.names
    labels = [(card.space, f"{state.table.name(card.clan)}: {names[card.card]}") for card in state.track]
    for space, text in labels:
        if not space:
            yield Space("not placed", (PanelToken(text),))
    for space in range(1, state.table.board.spaces + 1):
        yield Space(str(space), (PanelToken(dict(labels).get(space, "free")),))


def _advisors(state: State) -> Iterator[Space]:
    parts = state.table.parts
    for advisor in state.advisors.track:
        yield Space(parts.advisor_names.names[advisor], note=ability_in_words(parts.advisors[advisor]))
    if not state.advisors.track:
        yield Space("empty")


def _ranked(state: State) -> Iterator[tuple[int, Token]]:
    return iter(enumerate(state.of_qin.track, start=1))


def _requests(state: State) -> Iterator[PanelCard]:
    parts, coop = state.table.parts, state.in_coop
    for request in coop.requests:
        asks = request_in_words(parts.requests[request])
        yield PanelCard(parts.request_names.names[request], (asks,))
    yield PanelCard("fulfilled", (f"{len(coop.fulfilled)} of {state.table.goal}",))


def _events(state: State) -> Iterator[Space]:
    for event in state.events:
        face = state.table.parts.events[event]
        passive = ", ".join(f"{stat} {by:+}" for stat, by in face.passive)
        yield Space(state.table.parts.event_names.names[event], note=passive or "nothing lasting")
    if not state.events:
        yield Space("none")


# Seats and clans.

_LABELS: Final = ("honour", "resources", "clerks", "soldiers", "foremen", "cards", "hordes")


def seats(state: State) -> SeatTable:
    """A row for each seat, then for the clans that nobody plays."""
    colours = assign_colours(state.table.names, _COLOURS)
    owners = [
        Owner(state.table.names[seat], emblem(seat, colours[seat]), tuple(_row(state, of_seat(seat))))
        for seat in state.table.seats
    ]
    for clan in state.table.clans[len(state.table.seats) :]:
        sign = _clan_emblem("R" if clan == REED else "Q")
        owners.append(Owner(state.table.name(clan), sign, tuple(_row(state, clan)), is_seat=False))
    return SeatTable("Clans", _LABELS, tuple(owners))


def _clan_emblem(letter: str) -> str:
    return group(
        (
            element("rect", x=-12, y=-9, width=24, height=18, fill="#fbf7ec", stroke="#2b2620"),
            element("text", letter, y=5, fill="#2b2620", font_size=14, text_anchor="middle"),
        )
    )


def _row(state: State, clan: Clan) -> Iterator[str]:
    """Texts with blanks in them, so that a narrow page can break them."""
    table = state.table
    if clan == REED:
        yield from (
            "-",
            "-",
            "3 out",
            f"reserve {_figures((state.reed or 0, 0, 0))}",
            "-",
            "its one card",
            "-",
        )
        return
    if clan == QIN:
        qin = state.of_qin
        yield from (str(qin.honour), "-", f"{qin.clerks} at home")
        yield f"reserve {_figures(qin.reserve)}"
        yield _foremen(qin.foremen)
        yield f"{len(qin.assistants)} assistants, {len(qin.played)} strategies played"
        yield _claimed(state, qin.claimed)
        return
    player, seat = state.players[clan], table.seats[clan]
    yield str(player.honour)
    yield "hidden" if player.resources is None else _held(player.resources)
    yield f"{player.clerks} at home, {player.space} to hire"
    gone = figures_in_words(player.sacrificed, ", ")
    yield (
        f"reserve {_figures(player.reserve)}; out {_figures(soldiers_out(state, seat))}; "
        f"shamed {_figures(player.shamed)}" + (f"; sacrificed {gone}" if gone else "")
    )
    yield _foremen(player.foremen)
    tactics = [n.TACTIC.or_unknown().write(table, tactic) for tactic in player.tactics]
    strategies = [table.parts.strategy_names.names[card] for card in player.strategies]
    yield (
        f"{_general(state, player)}; {_advised(state, player)}; "
        f"strategies {', '.join(strategies) or 'none'}; tactics {', '.join(tactics) or 'none'}"
    )
    yield _claimed(state, player.claimed)


def _held(resources: Holdings) -> str:
    return ", ".join(f"{amount} {each.word}" for each, amount in zip(RESOURCES, resources, strict=True))


def _figures(figures: Figures) -> str:
    return figures_in_words(figures, ", ") or "none"


def _claimed(state: State, cards: tuple[Claimed, ...]) -> str:
    names = state.table.parts.horde_names.names
    tokens = [f" ({card.tokens} shame)" if card.tokens else "" for card in cards]
    return ", ".join(f"{names[card.horde]}{shame}" for card, shame in zip(cards, tokens, strict=True)) or "-"


def _general(state: State, player: Player) -> str:
    parts, general = state.table.parts, player.general
    if general is None:
        return "no general yet"
    name = name_in_words(parts.general_names.names[general])
    return f"general {name} ({ability_in_words(parts.generals[general])})"


def _advised(state: State, player: Player) -> str:
    """Active advisors by name, and how many assist."""
    names = state.table.parts.advisor_names.names
    active = ", ".join(names[advisor] for advisor in player.active) or "none"
    return f"active {active}, {len(player.assistants)} assisting"


def _foremen(foremen: tuple[Foreman | None, ...]) -> str:
    found = [
        f"{location.word} {foreman.level}"
        for location, foreman in zip(PRODUCTION, foremen, strict=True)
        if foreman is not None
    ]
    return ", ".join(found) or "-"
