"""Zhanguo's set-ups, moves and matches by chance, and Zhanguo as the laws try it."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations_with_replacement
from typing import Final, TypeAlias

from hypothesis import settings
from hypothesis import strategies as st
from msgspec import structs

from records.codec.zhanguo import ZHANGUO_CODEC
from rules.kernel.actors import ARBITER, CHANCE, Actor, Seat
from rules.kernel.places import with_one
from rules.kernel.setup import RECORDED, Draws, Setup
from rules.zhanguo import moves as m
from rules.zhanguo.dealt import COMPONENT_NAMES, Component
from rules.zhanguo.events import Event
from rules.zhanguo.game import ZHANGUO
from rules.zhanguo.pieces import (
    ACTION_CARD_NAMES,
    ASPECTS,
    CARD_NAMES,
    KEPT,
    OFFICIALS,
    REGIONS,
    SECTIONS,
    SPOTS,
    START_TILES,
    TILE_KINDS,
    UNIFICATION_CARDS,
    ActionCard,
    Card,
    Region,
    aspect_of,
)
from rules.zhanguo.player_board import Hand
from rules.zhanguo.queries import seen_cards
from rules.zhanguo.rulebook import ZHANGUO_1
from rules.zhanguo.rulings import LEVELS, RULINGS
from rules.zhanguo.state import State
from rules.zhanguo.tokens import KINDS, LARGE, held, tally
from tests.rules.laws import Match, Step, Trial, chances, play
from tests.rules.setups import random_rulings

ZhanguoMatch: TypeAlias = Match[State, m.Move, Event]
ZhanguoStep: TypeAlias = Step[State, m.Move, Event]
Way: TypeAlias = Callable[[random.Random, State, Sequence[m.Move]], m.Move]

SET: Final = "zhg-ref-1"
NAMES: Final = ("green", "violet", "amber", "white")
SOLO: Final = (("green", "li-si"), ("li-si", "green"))
SWITCHES: Final = {ruling.name: ruling.offered for ruling in RULINGS if ruling.switchable}
"""By ruling: the values that a match may choose, the default first."""


# Set-ups.


def random_setup(
    chance: random.Random,
    *,
    seats: int | None = None,
    draws: Draws | None = None,
    rulings: Mapping[str, str] | None = None,
    rival: str | None = None,
) -> Setup:
    """Any way to lay out a match on the reference set; with `rival` a solo one."""
    solo = rival is not None or (seats is None and not chance.randrange(4))
    options = {"table": chance.choice(("T1", "T2", "T3")), "mausoleum": chance.choice(("printed", "tokens"))}
    if solo:
        options["rival"] = rival or chance.choice(LEVELS)
    defaults = {("table", "T1"), ("mausoleum", "printed")}
    return Setup(
        edition=ZHANGUO_1,
        seats=chance.choice(SOLO) if solo else NAMES[: seats or chance.randint(2, 4)],
        components=SET,
        draws=draws or chance.choice(list(Draws)),
        rulings=random_rulings(SWITCHES, chance, rulings or {}),
        options=tuple(sorted(pair for pair in options.items() if pair not in defaults)),
    )


# Matches.


def by_kind(chance: random.Random, moves: Sequence[m.Move]) -> m.Move:
    """A kind of move first, then one of that kind: else nearly all Court actions would be recruiting."""
    kinds = sorted({type(move) for move in moves}, key=lambda kind: kind.__name__)
    kind = chance.choice(kinds)
    return chance.choice([move for move in moves if isinstance(move, kind)])


def takes_any(chance: random.Random, _: State, moves: Sequence[m.Move]) -> m.Move:
    """Whatever is legal."""
    return chance.choice(moves)


def records_cards(chance: random.Random, _: State, moves: Sequence[m.Move]) -> m.Move:
    """Every card is recorded."""
    return by_kind(chance, [move for move in moves if move != m.DrawCard(None)])


def records_some_cards(chance: random.Random, _: State, moves: Sequence[m.Move]) -> m.Move:
    """Half of the cards are recorded, so that hands of known and unknown cards meet."""
    if m.DrawCard(None) in moves and chance.randrange(2):
        return m.DrawCard(None)
    return by_kind(chance, moves)


def records_some_hands(chance: random.Random, state: State, moves: Sequence[m.Move]) -> m.Move:
    """Hands are recorded in full or not at all: of each seat in turns, and never of all seats alike."""
    if m.DrawCard(None) in moves and state.acting is not None:
        recorded = (state.acting + state.round) % 2
        return records_cards(chance, state, moves) if recorded else m.DrawCard(None)
    return by_kind(chance, moves)


def _rather(*kinds: type[object]) -> Way:
    def way(chance: random.Random, _: State, moves: Sequence[m.Move]) -> m.Move:
        known = [move for move in moves if move != m.DrawCard(None)]
        liked = [move for move in known if isinstance(move, kinds)]
        return by_kind(chance, liked) if liked and chance.randrange(5) else by_kind(chance, known)

    return way


builds: Final = _rather(
    m.BuildPalace, m.BuildWall, m.Install, m.Hire, m.PlaceSoldier, m.Activate, m.Accept, m.PlayAtCourt
)
"""Builds wherever it can: pieces run out, and so do large tokens."""
unifies: Final = _rather(m.Unify, m.Accept, m.Pay, m.PlaceSoldier)
"""Places cards: regions fill up, unrest reaches 3, and supplies run out."""
sails: Final = _rather(m.Search, m.PlaceAlchemist, m.TakeMaster, m.Activate, m.PlayAtCourt, m.Accept)
"""Goes for the elixir: the boat comes to its end, and cards are placed by symbols."""
recruits: Final = _rather(m.Recruit, m.Install, m.Activate, m.PlayAtCourt, m.Pass)
"""Empties the reserve, and installs governors."""
hoards: Final = _rather(m.Unify, m.Pass, m.Done)
"""Keeps tokens: ties for rewards, payments and returns."""

WAYS: Final[tuple[Way, ...]] = (
    *(takes_any, records_cards, records_some_cards, records_some_hands),
    *(builds, unifies, sails, recruits, hoards),
)


@st.composite
def matches(
    draw: st.DrawFn,
    *,
    seats: int | None = None,
    draws: Draws | None = None,
    rulings: Mapping[str, str] | None = None,
    rival: str | None = None,
) -> ZhanguoMatch:
    """Whole matches; seats, draws, rulings and Li Si as they come, or as given."""
    chance = draw(chances())
    setup = random_setup(chance, seats=seats, draws=draws, rulings=rulings, rival=rival)
    return play(ZHANGUO, ZHANGUO.start(setup), chance, chance.choice(WAYS))


fewer = settings(max_examples=max(settings().max_examples // 10, 1))
"""For what is asked of every step of whole matches."""


# Moves, legal or not.


def _cards() -> Iterator[m.Move]:
    for number in range(len(CARD_NAMES.names)):
        card = Card(number)
        yield from (m.PutEmperor(card), m.Activate(card), m.TakeMaster(card))
        yield from (m.PlaceAlchemist(card, region) for region in REGIONS)
        if number < UNIFICATION_CARDS:
            yield from (m.PlayAtCourt(card), m.Forfeit(card), m.DrawCard(card), m.RevealCard(card))
            yield from (m.Unify(card, region) for region in REGIONS)


def _places() -> Iterator[m.Move]:
    for region in REGIONS:
        yield from (m.Hire(region), m.Calm(region), m.Reset(region), m.BuildPalace(region, None))
        yield from (m.Recruit(official, region) for official in OFFICIALS)
        yield from (m.Install(region, space) for space in (None, 0, 1, 2, 3, 4, 5))
        for other in REGIONS:
            yield from (m.BuildPalace(region, other), m.MoveWorker(region, other))
            yield from (m.MoveOfficial(official, region, other) for official in OFFICIALS)
    payers: list[tuple[Region, ...]] = [
        regions for size in range(4) for regions in combinations_with_replacement(REGIONS, size)
    ]
    for section in SECTIONS:
        for slot in range(6):
            yield from (m.BuildWall(section, slot, regions) for regions in payers)


def _others() -> Iterator[m.Move]:
    yield from (m.Search(), m.UnlockSoldier(), m.Accept(), m.Pass(), m.Done(), m.DrawCard(None))
    yield from (m.PlaceSoldier(spot) for spot in SPOTS)
    yield from (m.TakePalaceTile(kind) for kind in TILE_KINDS)
    yield from (move(aspect) for aspect in ASPECTS for move in (m.TakeToken, m.TakeLarge))
    yield from (m.ChooseStart(tile) for tile in START_TILES)
    yield from (m.Deal(Component(number)) for number in range(len(COMPONENT_NAMES.names)))
    yield from (m.Reveal(ActionCard(number)) for number in range(len(ACTION_CARD_NAMES.names)))
    for size in range(5):
        yield from (m.Pay(tally(kinds)) for kinds in combinations_with_replacement(range(KINDS), size))


FIXED: Final = (*_cards(), *_places(), *_others())
"""Every move that does not depend on the table."""


def candidates(state: State, chance: random.Random) -> Iterator[tuple[Actor, m.Move]]:
    """Every move of the awaited actor, and of everybody else some out of turn."""
    moves: list[m.Move] = [*FIXED, *map(m.DrawFirstPlayer, state.table.seats)]
    for seat in state.table.seats:
        owned = held(state.players[seat])
        surplus = max(sum(owned[LARGE:]) - KEPT, 0)
        for size in {max(surplus - 1, 0), surplus, surplus + 1}:
            kinds = combinations_with_replacement(range(LARGE, KINDS), size)
            moves += [m.ReturnTokens(tally(each)) for each in kinds]
    moves = list(dict.fromkeys(moves))
    awaited = ZHANGUO.awaiting(state)
    actors: tuple[Actor, ...] = (*state.table.seats, Seat(state.table.players), CHANCE, ARBITER)
    for actor in actors:
        tried = moves if actor in awaited else chance.sample(moves, 20)
        yield from ((actor, move) for move in tried)


# Secrets.


def disguised(state: State, seat: Seat, chance: random.Random) -> State | None:
    """Others hold other cards with the same backs."""
    if state.table.draws is not RECORDED:
        return None
    own = state.players[seat].hand.known
    others = [other for other in state.table.humans if other != seat]
    hidden = {card for other in others for card in state.players[other].hand.known}
    seen = (seen_cards(state) - hidden) | set(own)
    free = [Card(number) for number in range(UNIFICATION_CARDS) if number not in seen]
    chance.shuffle(free)
    after = state
    for other in others:
        hand = state.players[other].hand
        known = []
        for card in hand.known:
            drawn = next(each for each in free if aspect_of(each) is aspect_of(card))
            free.remove(drawn)
            known.append(drawn)
        player = structs.replace(after.players[other], hand=Hand(tuple(sorted(known)), hand.unknown))
        after = structs.replace(after, players=with_one(after.players, other, player))
    return after


def completions(seen: State, _: Actor, move: m.Move, __: random.Random) -> Iterator[tuple[State, m.Move]]:
    """The view itself: what happens does not depend on what is hidden."""
    yield seen, move


ZHANGUO_TRIAL: Final[Trial[State, m.Move, Event]] = Trial(
    game=ZHANGUO,
    setup=random_setup,
    examples=(
        Setup(ZHANGUO_1, NAMES[:2], SET, RECORDED),
        Setup(ZHANGUO_1, NAMES[:3], SET, options=(("mausoleum", "tokens"), ("table", "T2"))),
        Setup(ZHANGUO_1, NAMES, SET, RECORDED, rulings=(("unlock-cost", "count"),)),
        Setup(ZHANGUO_1, SOLO[0], SET, options=(("rival", "li-si-3"), ("table", "T3"))),
    ),
    ways=WAYS,
    candidates=candidates,
    twins=lambda _, __: (),
    disguised=disguised,
    completions=completions,
    codec=ZHANGUO_CODEC,
)
