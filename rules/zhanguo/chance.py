"""What chance brings from shuffled components (ZHG-HID-02): which deck is due, and what it holds."""

from typing import Final

from rules.kernel.actors import Seat
from rules.kernel.chance import Chance, Take
from rules.zhanguo import dealt
from rules.zhanguo.dealt import COMPONENT_NAMES
from rules.zhanguo.frames import (
    CardDue,
    DealDue,
    DrawDue,
    FirstDue,
    Frame,
    RevealDue,
    RivalAlchemistDue,
    RivalMasterDue,
)
from rules.zhanguo.moves import Deal, DrawCard, DrawFirstPlayer, Move, Reveal, RevealCard
from rules.zhanguo.pieces import (
    ACTION_CARD_NAMES,
    ASPECTS,
    BLANK,
    BONUS_TILES,
    CARD_NAMES,
    EMPEROR_TILES,
    FACES,
    GOVERNOR_NAMES,
    MASTERS,
    MAUSOLEUM_TILES,
    OF_ASPECT,
    OF_DECK,
    SECTIONS,
    START_TILES,
    TARGETS,
    TILE_KINDS,
    Aspect,
    CardKind,
    TargetKind,
    tile_kind,
)
from rules.zhanguo.state import State
from rules.zhanguo.tasks.dealing import blank_tiles, due, governor_tiles
from rules.zhanguo.tasks.rounds import due_aspect

_SEATS: Final = "seats"
_BACKS: Final = "rival-backs"
"""In which order the aspects of Li Si's six cards come."""
_ACTIONS: Final = "rival-actions"
_ALCHEMISTS: Final = "rival-alchemists"
_MASTERS: Final = "rival-masters"
_SETUP_DECKS: Final = (
    "targets",
    *(f"mausoleum-{kind.word}" for kind in TargetKind),
    "walls",
    "emperors",
    "palaces",
    "governors",
    "masters",
    "starts",
)
_CARDS: Final = {aspect.word: aspect for aspect in ASPECTS}
DECKS: Final = (_SEATS, *_SETUP_DECKS, *_CARDS, _BACKS, _ACTIONS, _ALCHEMISTS, _MASTERS)

# What is due


def _due(state: State) -> tuple[Take, ...]:
    top: Frame | None = state.agenda[0] if state.agenda else None
    match top:
        case FirstDue():
            return (Take(_SEATS, 0, 0),)
        case DealDue():
            stock = due(state)
            return () if stock is None else (Take(stock.name, 0, stock.dealt),)
        case DrawDue():
            return (_card_take(state, due_aspect(state, top), _humans_before(state, top.seat)),)
        case RevealDue():
            return (Take(_ACTIONS, state.round - 1, len(state.actions.left), from_end=True),)
        case CardDue():
            left = sum(state.deck)
            return (Take(_BACKS, state.round - 1, left, from_end=True), *_rival_takes(state))
        case RivalAlchemistDue():
            return (Take(_ALCHEMISTS, _alchemists_placed(state), 0),)
        case RivalMasterDue():
            return (Take(_MASTERS, 0, 0),)
        case _:
            return ()


def _base(state: State) -> int:
    """Cards that left each deck in the rounds before."""
    return OF_DECK * state.table.players * (state.round - 1)


def _humans_before(state: State, seat: Seat) -> int:
    """Cards of an aspect that were drawn in this round before this one."""
    hand = state.players[seat].hand.size
    return OF_DECK * state.humans.index(seat) + hand % OF_DECK


def _card_take(state: State, aspect: Aspect, drawn: int, *, opened: bool = True) -> Take:
    return Take(aspect.word, 0, _base(state) + drawn, opened=opened)


def _rival_takes(state: State) -> tuple[Take, ...]:
    """The next of his cards of each aspect: one of them comes, and which one the order of backs says."""
    return tuple(
        _card_take(state, aspect, 2 * OF_DECK - state.deck[aspect], opened=False)
        for aspect in ASPECTS
        if state.deck[aspect]
    )


def _alchemists_placed(state: State) -> int:
    rival = state.table.rival
    return 0 if rival is None else state.players[rival].count(CardKind.ALCHEMIST_CARD)


# What a deck holds


def _stock(state: State, deck: str) -> tuple[str, ...]:
    if deck in _CARDS:
        first = _CARDS[deck] * OF_ASPECT
        return CARD_NAMES.names[first : first + OF_ASPECT]
    rival = state.table.rival
    match deck:
        case "seats":
            return state.table.names
        case "rival-backs":
            return tuple(aspect.word for aspect in ASPECTS for _ in range(OF_DECK))
        case "rival-actions":
            return tuple(ACTION_CARD_NAMES.names[card] for card in state.actions.left)
        case "rival-alchemists":
            aside = () if rival is None else state.players[rival].aside
            return tuple(CARD_NAMES.names[card] for card in aside)
        case "rival-masters":
            return tuple(CARD_NAMES.names[card] for card in state.masters)
        case _:
            return tuple(COMPONENT_NAMES.names[component] for component in _components(state, deck))


def _components(state: State, deck: str) -> list[dealt.Component]:
    """Everything of a kind, as it is in the box."""
    match deck:
        case "targets":
            return [dealt.of_target(target) for target in TARGETS]
        case "walls":
            return [dealt.of_face(face) for face in FACES]
        case "emperors":
            return [dealt.of_emperor(tile) for tile in EMPEROR_TILES]
        case "palaces":
            copies = state.table.printed.copies
            return [dealt.of_kind(kind) for kind in TILE_KINDS for _ in range(copies[kind])]
        case "governors":
            blanks = [BLANK] * blank_tiles(state.table.players)
            return [dealt.of_governor(tile) for tile in (*BONUS_TILES, *blanks)]
        case "masters":
            return [dealt.of_master(card) for card in MASTERS]
        case "starts":
            return [dealt.of_start(tile) for tile in START_TILES]
        case _:
            tiles = [tile for tile in MAUSOLEUM_TILES if deck == f"mausoleum-{tile_kind(tile).word}"]
            return [dealt.of_tile(tile) for tile in tiles]


def _fits(state: State, deck: str, order: tuple[str, ...]) -> bool:
    """No two faces of one wall tile, and all blank governor tiles, are among those that are dealt."""
    if deck == "walls":
        tiles = [name[:-1] for name in order[: len(SECTIONS)]]
        return len(set(tiles)) == len(tiles)
    if deck == "governors":
        players = state.table.players
        blank = GOVERNOR_NAMES.names[BLANK]
        return order[: governor_tiles(players)].count(blank) == blank_tiles(players)
    return True


# What comes of it


def _bring(state: State, names: tuple[str, ...]) -> Move:
    top: Frame | None = state.agenda[0] if state.agenda else None
    match top:
        case FirstDue():
            return DrawFirstPlayer(Seat(state.table.names.index(names[0])))
        case DrawDue():
            return DrawCard(CARD_NAMES.number_of[names[0]])
        case RevealDue():
            return Reveal(ACTION_CARD_NAMES.number_of[names[0]])
        case CardDue():
            left = [aspect for aspect in ASPECTS if state.deck[aspect]]
            back = _CARDS[names[0]]
            place = left.index(back) if back in left else 0
            return RevealCard(CARD_NAMES.number_of[names[1 + place]])
        case _:
            return Deal(COMPONENT_NAMES.number_of[names[0]])


CHANCE: Final[Chance[State, Move]] = Chance(decks=DECKS, due=_due, stock=_stock, fits=_fits, bring=_bring)
